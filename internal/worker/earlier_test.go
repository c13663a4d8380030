package worker

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

func positionNames(c *circuit.Circuit) verify.Names {
	var n verify.Names
	for i := range c.Latches() {
		n.Latches = append(n.Latches, fmt.Sprintf("l%d", i))
	}
	for i := range c.Inputs() {
		n.Inputs = append(n.Inputs, fmt.Sprintf("i%d", i))
	}
	return n
}

// TestEarlier compares with explicit search: the clauses of an earlier invariant reach
// the worker, and whatever they say, the verdict is right.
func TestEarlier(t *testing.T) {
	p := processes(t)
	shape := explicit.Shape{Inputs: 2, Latches: 6, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true}
	reused := map[verify.Reuse]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(51, seed))
		old := explicit.RandomCircuit(r, shape)
		c, _ := explicit.Edit(r, old)
		names := positionNames(c)
		if seed%4 == 0 {
			r.Shuffle(len(names.Latches), func(i, j int) { names.Latches[i], names.Latches[j] = names.Latches[j], names.Latches[i] })
		}
		spec := engines.Spec{Solver: []string{"core", "gini"}[seed%2]}
		before := verify.Run(context.Background(), verify.Job{Circuit: old, Property: bad0, Engine: p.Engine(spec)}, nil)
		job := verify.Job{Circuit: c, Property: bad0, Engine: p.Engine(spec), Earlier: []*verify.Earlier{before.Earlier(t.Context(), old, positionNames(old))}, Names: names}
		after := verify.Run(context.Background(), job, nil)
		want := cert.Refuted
		if explicit.FirstBadStep(c, bad0) == explicit.NotViolated {
			want = cert.Proved
		}
		if expect(t, after, want); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		reused[after.Reused]++
	}
	if min(reused[verify.ReusedTrace], reused[verify.ReusedLemmas], reused[verify.ReusedNothing]) < 10 {
		t.Errorf("reused: %v", reused)
	}
}

// TestUnreadableClauses: each is answered as a fault, and the worker goes on.
func TestUnreadableClauses(t *testing.T) {
	c := newClient(t)
	body, err := aiger.FromCircuit(ring(4)).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	huge := binary.AppendUvarint(nil, 1<<40)
	for i, clauses := range [][]byte{{9}, {1}, {1, 1}, {1, 1, 200}, {1, 1, 1, 1}, {2, 0, 0}, huge, append([]byte{1}, huge...)} {
		c.send(kindRequest, Request{Number: uint64(i + 1), Clauses: len(clauses)}, append(body, clauses...))
		if r, _ := c.result(); r.Outcome != "unknown" || r.Internal == "" || r.Number != uint64(i+1) {
			t.Errorf("%v: %+v", clauses, r)
		}
	}
	c.request(Request{Number: 100}, toggle())
	if r, _ := c.result(); r.Outcome != "refuted" {
		t.Errorf("%+v", r)
	}
}

// TestClausesAreNoProof: a worker that sends back the clauses that it was given, as
// a proof, is not believed when they are none.
func TestClausesAreNoProof(t *testing.T) {
	var claims atomic.Int64
	p := pipes(t, func(in io.Reader, out io.Writer) {
		if writeFrame(out, kindHello, Hello{program, Protocol, "test"}, nil) != nil {
			return
		}
		if _, err := readHello(in); err != nil {
			return
		}
		for {
			f, err := readFrame(in)
			if err != nil {
				return
			}
			var q Request
			if f.into(kindRequest, &q) != nil {
				continue
			}
			if q.Clauses > 0 {
				claims.Add(1)
			}
			r := Result{Number: q.Number, Outcome: "proved", Depth: 1, Stats: map[string]float64{"reused_lemmas": 1, "effort": -1e300}}
			_ = writeFrame(out, kindResult, r, f.body[len(f.body)-q.Clauses:])
		}
	})
	old := ring(5)
	before := verify.Run(context.Background(), verify.Job{Circuit: old, Property: bad0, Engine: engines.NewAuto()}, nil)
	earlier := []*verify.Earlier{before.Earlier(t.Context(), old, positionNames(old))}
	for seed := range uint64(20) {
		c, change := explicit.Edit(rand.New(rand.NewPCG(52, seed)), old)
		truth := explicit.FirstBadStep(c, bad0)
		got := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: p.Engine(engines.Spec{}), Earlier: earlier, Names: positionNames(c)}, nil)
		if got.Checked.Outcome() == cert.Refuted || got.Checked.Outcome() == cert.Proved && truth != explicit.NotViolated {
			t.Errorf("%s: %s, first bad step %d", change, got.Checked, truth)
		}
		if got.Checked.Outcome() == cert.Unknown && (got.Internal == nil || got.Reused != verify.ReusedNothing) {
			t.Errorf("%s: %s, %v, reused %q", change, got.Checked, got.Internal, got.Reused)
		}
	}
	if n := claims.Load(); n < 10 {
		t.Errorf("only %d requests came with clauses", n)
	}
}
