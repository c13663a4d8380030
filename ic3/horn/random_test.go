package horn_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/horntest"
	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/ic3/horn"
	"aiglens/internal/peers"
)

// systems makes random systems of one to four predicates with one to three arguments.
type systems struct {
	r *rand.Rand
	p *term.Pool
	s *chc.System
	// bounded says that numbers are integers from 0 to 3 in every clause.
	bounded bool
	isReal  bool
}

// randomSystem returns a system; some are linear, some have reals, some have a query that is planted far away.
func randomSystem(seed uint64, bounded bool) *chc.System {
	r := rand.New(rand.NewPCG(seed, 34))
	g := &systems{r: r, p: term.NewPool(), bounded: bounded, isReal: !bounded && r.IntN(3) == 0}
	g.s = &chc.System{Terms: g.p}
	for i := range 1 + r.IntN(4) {
		p := chc.Predicate{Name: fmt.Sprint("P", i)}
		for range 1 + r.IntN(3) {
			p.Args = append(p.Args, g.sort())
		}
		g.s.Preds = append(g.s.Preds, p)
	}
	g.add(0, false)
	linear := r.IntN(2) == 0
	for range 1 + r.IntN(5) {
		bodies := r.IntN(4)
		if bodies == 3 || linear && bodies == 2 {
			bodies = 1
		}
		g.add(bodies, false)
	}
	bodies := 1
	if !linear {
		bodies += r.IntN(2)
	}
	g.add(bodies, true)
	for i := range g.s.Clauses {
		g.s.Clauses[i].Origin = i
	}
	return g.s
}

func (g *systems) sort() term.Sort {
	switch n := g.r.IntN(5); {
	case n == 0:
		return term.Bool
	case g.isReal && n < 4:
		return term.Real
	}
	return term.Int
}

// add adds a clause. Its arguments are mostly variables; the head is often a body atom with one argument changed.
func (g *systems) add(bodies int, isQuery bool) {
	var vars []term.Term
	fresh := func(sort term.Sort) term.Term {
		v := g.p.Var(fmt.Sprint("v", len(vars)), sort)
		vars = append(vars, v)
		return v
	}
	c := chc.Clause{Head: chc.Atom{Pred: chc.NoPred}}
	for range bodies {
		a := chc.Atom{Pred: chc.Pred(g.r.IntN(len(g.s.Preds)))}
		for _, sort := range g.s.Preds[a.Pred].Args {
			a.Args = append(a.Args, g.argument(vars, sort, fresh))
		}
		c.Body = append(c.Body, a)
	}
	if !isQuery {
		c.Head.Pred = chc.Pred(g.r.IntN(len(g.s.Preds)))
		for _, sort := range g.s.Preds[c.Head.Pred].Args {
			c.Head.Args = append(c.Head.Args, g.argument(vars, sort, fresh))
		}
	}
	if len(vars) == 0 {
		fresh(term.Int)
	}
	var all []term.Term
	for range g.r.IntN(4) {
		all = append(all, g.formula(vars, g.r.IntN(3)))
	}
	if bodies == 0 || isQuery { // few values, so that not all is reached
		for _, v := range vars {
			if sort := g.p.SortOf(v); sort != term.Bool && g.r.IntN(4) > 0 {
				all = append(all, g.p.Equal(v, g.p.NumberOf(rational.Int(int64(g.r.IntN(4))), sort)))
			}
		}
	}
	c.Constraint = g.p.And(all...)
	terms := []term.Term{c.Constraint}
	for _, a := range append(c.Body, c.Head) {
		terms = append(terms, a.Args...)
	}
	if g.bounded {
		c.Vars = g.p.VarsOf(terms...)
		for _, v := range c.Vars {
			if g.p.SortOf(v) != term.Bool {
				c.Constraint = g.p.And(c.Constraint, g.p.Le(g.p.IntOf(0), v), g.p.Le(v, g.p.IntOf(3)))
			}
		}
		terms[0] = c.Constraint
	}
	c.Vars = g.p.VarsOf(terms...)
	g.s.Clauses = append(g.s.Clauses, c)
}

func (g *systems) argument(vars []term.Term, sort term.Sort, fresh func(term.Sort) term.Term) term.Term {
	if g.r.IntN(3) == 0 {
		return fresh(sort)
	}
	for range 4 {
		if len(vars) == 0 {
			break
		}
		v := vars[g.r.IntN(len(vars))]
		if g.p.SortOf(v) != sort {
			continue
		}
		if sort == term.Bool {
			return []term.Term{v, v, g.p.Not(v)}[g.r.IntN(3)]
		}
		if g.r.IntN(2) == 0 {
			return v
		}
		return g.p.Add(v, g.constant(sort, 2))
	}
	return fresh(sort)
}

func (g *systems) constant(sort term.Sort, most int) term.Term {
	n := rational.Int(int64(g.r.IntN(2*most+1) - most))
	if sort == term.Real && g.r.IntN(3) == 0 {
		n = n.Div(rational.Int(2))
	}
	return g.p.NumberOf(n, sort)
}

func (g *systems) number(vars []term.Term, depth int) term.Term {
	v := vars[g.r.IntN(len(vars))]
	sort := g.p.SortOf(v)
	if sort == term.Bool {
		return g.p.Ite(v, g.constant(term.Int, 2), g.constant(term.Int, 2))
	}
	if depth == 0 {
		return v
	}
	switch g.r.IntN(7) {
	case 0:
		return g.constant(sort, 4)
	case 1:
		if sort == term.Int {
			return g.p.Mod(v, rational.Int(int64(2+g.r.IntN(2))))
		}
	case 2:
		if sort == term.Int {
			return g.p.Div(v, rational.Int(int64(2+g.r.IntN(2))))
		}
	case 3:
		return g.p.Ite(g.formula(vars, 0), v, g.constant(sort, 3))
	case 4:
		return g.p.Scale(rational.Int(int64(g.r.IntN(5)-2)), v)
	}
	return g.p.Add(v, g.number(vars, depth-1))
}

func (g *systems) formula(vars []term.Term, depth int) term.Term {
	p := g.p
	if depth == 0 {
		v := vars[g.r.IntN(len(vars))]
		if p.SortOf(v) == term.Bool {
			return v
		}
		a, b := g.number(vars, 1), g.number(vars, 1)
		if g.r.IntN(2) == 0 {
			b = g.constant(p.SortOf(a), 4)
		}
		return []term.Term{p.Le(a, b), p.Lt(a, b), p.Equal(a, b), p.Le(b, a), p.Not(p.Equal(a, b))}[g.r.IntN(5)]
	}
	a, b := g.formula(vars, depth-1), g.formula(vars, depth-1)
	return []term.Term{p.And(a, b), p.Or(a, b), p.Or(a, b), p.Iff(a, b), p.Ite(g.formula(vars, 0), a, b)}[g.r.IntN(5)]
}

func smt(t testing.TB, s *chc.System) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteSMT(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// certified solves a system and checks the certificate.
func certified(t testing.TB, ctx context.Context, s *chc.System, o horn.Options) (cert.Outcome, horn.Answer) {
	t.Helper()
	a := horn.Solve(ctx, s, o)
	if a.Outcome == cert.Sat {
		var err error
		if a.Model, err = horn.WithRefutations(context.Background(), s, a.Model); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := cert.Check(context.Background(), s, a.Answer); err != nil {
		t.Fatalf("%v\n%s", err, smt(t, s))
	}
	return a.Outcome, a
}

// TestRandom solves random systems. Every answer has a certificate that the checker accepts, which makes wrong ones
// impossible; a second judge says so, too: z3, and, when numbers are bounded, a search of
// all instances. AIGLENS_VARIANT names the only variant.
func TestRandom(t *testing.T) {
	n := 300
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 20_000
	}
	z := startReferee(t)
	for _, variant := range horn.Variants() {
		if only := os.Getenv("AIGLENS_VARIANT"); only != "" && only != string(variant) {
			continue
		}
		tried := map[string]int{}
		for seed := range n {
			s := randomSystem(uint64(seed), seed%2 == 0)
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			got, a := certified(t, ctx, s, horn.Options{Variant: variant, Limits: horn.Limits{Queries: 3000}})
			cancel()
			if seed%2 == 0 {
				want := cert.Sat
				if horntest.IsFalseDerived(s) {
					want = cert.Unsat
				}
				if got != want && got != cert.Unknown {
					t.Fatalf("%s, seed %d: %s, the search says %s\n%s", variant, seed, got, want, smt(t, s))
				}
			}
			says := z.decide(t, s)
			if got != cert.Unknown && (says == "sat" || says == "unsat") && says != got.String() {
				t.Fatalf("%s, seed %d: %s, z3 says %s\n%s", variant, seed, got, says, smt(t, s))
			}
			tried[fmt.Sprintf("%s %s %s", got, a.Reason, says)]++
		}
		t.Logf("%s: %v", variant, tried)
	}
}

// referee is a process of z3.
type referee struct {
	path string
	in   *bufio.Writer
	out  *bufio.Scanner
	end  func()
}

func startReferee(t *testing.T) *referee {
	z := &referee{path: peers.Program(t, "z3")}
	z.start(t)
	t.Cleanup(func() { z.end() })
	return z
}

func (z *referee) start(t *testing.T) {
	z3 := exec.Command(z.path, "-in", "-memory:2000")
	in, err := z3.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := z3.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := z3.Start(); err != nil {
		t.Fatal(err)
	}
	z.in, z.out = bufio.NewWriter(in), bufio.NewScanner(out)
	z.end = func() {
		_ = in.Close()
		_ = z3.Process.Kill()
		_ = z3.Wait()
	}
}

// decide returns what z3 says of a system; "ended" when it crashes on the system.
func (z *referee) decide(t *testing.T, s *chc.System) string {
	fmt.Fprintf(z.in, "(reset)\n(set-option :timeout 300)\n%s\n", smt(t, s))
	if err := z.in.Flush(); err != nil || !z.out.Scan() {
		z.end()
		z.start(t)
		return "ended"
	}
	return z.out.Text()
}
