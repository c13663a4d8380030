package worker

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/horntest"
	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/ic3/horn/auto"
	hornverify "aiglens/ic3/horn/verify"
)

// walk returns a system about a number that begins at 0 and takes steps of some lengths while it is below a limit: the
// query asks whether it can be goal. Variables are 0 to 3.
func walk(r *rand.Rand) *horn.System {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	n := func(n int64) term.Term { return p.IntOf(n) }
	few := func(v term.Term) term.Term { return p.And(p.Le(n(0), v), p.Le(v, n(3))) }
	P := func(t term.Term) horn.Atom { return horn.Atom{Args: []term.Term{t}} }
	step := p.And(p.Equal(y, p.Add(x, n(r.Int64N(3)))), p.Le(x, n(r.Int64N(4))), few(x), few(y))
	goal := p.And(p.Equal(p.Mod(x, rational.Int(2)), n(r.Int64N(2))), p.Le(n(r.Int64N(4)), x), few(x))
	return &horn.System{
		Terms: p, Preds: []horn.Predicate{{Name: "P", Args: []term.Sort{term.Int}}},
		Clauses: []horn.Clause{
			{Constraint: term.True, Head: P(n(0))},
			{Vars: []term.Term{x, y}, Body: []horn.Atom{P(x)}, Constraint: step, Head: P(y), Origin: 1},
			{Vars: []term.Term{x}, Body: []horn.Atom{P(x)}, Constraint: goal, Head: horn.Atom{Pred: horn.NoPred}, Origin: 2},
		},
	}
}

// endless has no model that the engine finds, and no derivation: it is checked until the context ends.
func endless() *horn.System {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	P := func(args ...term.Term) horn.Atom { return horn.Atom{Args: args} }
	two := func(v term.Term) term.Term { return p.Scale(rational.Int(2), v) }
	return &horn.System{
		Terms: p, Preds: []horn.Predicate{{Name: "P", Args: []term.Sort{term.Int, term.Int}}},
		Clauses: []horn.Clause{
			{Constraint: term.True, Head: P(p.IntOf(1), p.IntOf(1))},
			{Vars: []term.Term{x, y}, Body: []horn.Atom{P(x, y)}, Constraint: term.True, Head: P(p.Add(two(x), y), p.Add(x, p.IntOf(1))), Origin: 1},
			{Vars: []term.Term{x, y}, Body: []horn.Atom{P(x, y)}, Constraint: p.And(p.Le(x, y), p.Le(p.IntOf(3), y)), Head: horn.Atom{Pred: horn.NoPred}, Origin: 2},
		},
	}
}

// TestClauses compares with a search of all instances, and with the same check in this process.
func TestClauses(t *testing.T) {
	p := processes(t)
	counts := map[cert.Outcome]int{}
	for seed := range uint64(60) {
		s := walk(rand.New(rand.NewPCG(61, seed)))
		want := cert.Sat
		if horntest.IsFalseDerived(s) {
			want = cert.Unsat
		}
		got, here := p.Clauses(t.Context(), s, hornverify.Options{}), auto.Check(t.Context(), s, hornverify.Options{})
		if got.Checked.Outcome() != want || got.Internal != nil {
			t.Fatalf("seed %d: %s, %v, not %s", seed, got.Words(), got.Internal, want)
		}
		if got.Words() != here.Words() || got.Variant != here.Variant || got.Stats["levels"] != here.Stats["levels"] {
			t.Errorf("seed %d: %s by %s, %v; here %s by %s, %v", seed, got.Words(), got.Variant, got.Stats, here.Words(), here.Variant, here.Stats)
		}
		counts[want]++
	}
	if min(counts[cert.Sat], counts[cert.Unsat]) < 10 {
		t.Error(counts)
	}
}

// TestClausesEnd: a check ends with its context, and says why; the next one has its answer.
func TestClausesEnd(t *testing.T) {
	p := processes(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	r := p.Clauses(ctx, endless(), hornverify.Options{Progress: func(hornverify.Progress) { cancel(errors.New("enough")) }})
	if r.Words() != "unknown: enough" {
		t.Error(r.Words())
	}
	if r := p.Clauses(t.Context(), walk(rand.New(rand.NewPCG(61, 0))), hornverify.Options{}); r.Checked.Outcome() == cert.Unknown {
		t.Error(r.Words())
	}
}

// TestClausesLie: what a worker says of clauses is certified.
func TestClausesLie(t *testing.T) {
	for name, body := range map[string][]byte{
		"certificate rejected":                  cert.Answer{Outcome: cert.Sat, Model: cert.Model{Terms: term.NewPool(), Definitions: []cert.Definition{{Params: []term.Term{}, Formula: term.True}}}}.AppendBinary(nil),
		"the worker process broke the protocol": {1, 2, 3},
	} {
		p := pipes(t, func(in io.Reader, out io.Writer) {
			_ = writeFrame(out, kindHello, Hello{program, Protocol, "test"}, nil)
			if _, err := readHello(in); err != nil {
				return
			}
			f, err := readFrame(in)
			var q Request
			if err != nil || f.into(kindRequest, &q) != nil {
				return
			}
			_ = writeFrame(out, kindResult, Result{Number: q.Number, Outcome: "proved"}, body)
			_, _ = io.Copy(io.Discard, in)
		})
		if r := p.Clauses(t.Context(), endless(), hornverify.Options{}); !strings.Contains(r.Words(), name) || r.Internal == nil {
			t.Errorf("%s: %s, %v", name, r.Words(), r.Internal)
		}
		p.Close()
	}
}

// TestUnreadableSystem is answered as a fault, and the worker goes on.
func TestUnreadableSystem(t *testing.T) {
	c := newClient(t)
	c.send(kindRequest, Request{Number: 1, System: true}, []byte{7, 7})
	if r, _ := c.result(); r.Outcome != "unknown" || r.Internal == "" {
		t.Errorf("%+v", r)
	}
	c.request(Request{Number: 2}, toggle())
	if r, _ := c.result(); r.Outcome != "refuted" {
		t.Errorf("%+v", r)
	}
}
