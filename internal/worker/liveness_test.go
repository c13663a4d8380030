package worker

import (
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

var justice0 = circuit.Property{Kind: circuit.PropertyJustice}

// live returns a random circuit with a justice property, and what is true of that.
func live(seed uint64) (*circuit.Circuit, cert.Outcome) {
	c := explicit.RandomCircuit(rand.New(rand.NewPCG(17, seed)), explicit.Shape{
		Inputs: 2, Latches: 4, Gates: 14, Constraints: 1, FreeLatches: true, OneResets: true,
		ResetFunctions: seed%2 == 0, Justice: 2, Fairness: 1,
	})
	if explicit.Violated(c, justice0) {
		return c, cert.Refuted
	}
	return c, cert.Proved
}

func runLive(p *Pool, c *circuit.Circuit, engine string) verify.Result {
	job := verify.Job{Circuit: c, Property: justice0, Engine: p.Engine(engines.Spec{Engine: engine})}
	return verify.Run(context.Background(), job, nil)
}

// rises returns a justice property about a latch: that it is 1 infinitely often, which it
// may be, or that it becomes 1 infinitely often, which it does once.
func rises(once bool) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, b.Or(l, in))
	goal := l
	if once {
		goal = b.And(in, l.Not())
	}
	b.Justice([]circuit.Lit{goal}, 0)
	return b.Build()
}

// TestLiveness: questions about justice properties go to another process, and rankings and
// lassos come back.
func TestLiveness(t *testing.T) {
	p := processes(t)
	outcomes := map[cert.Outcome]int{}
	for seed := range uint64(200) {
		c, want := live(seed)
		if expect(t, runLive(p, c, "search"), want); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		outcomes[want]++
	}
	if min(outcomes[cert.Proved], outcomes[cert.Refuted]) < 50 {
		t.Errorf("%v", outcomes)
	}
	c, _ := live(0)
	expectUnknown(t, runLive(p, c, "who"), "test does not answer questions of liveness")
	expect(t, run(p, "", toggle(), verify.Limits{}), cert.Refuted)
}

// TestDamagedLiveness: with any byte of the answer changed the verdict is the right one or
// unknown.
func TestDamagedLiveness(t *testing.T) {
	got := map[cert.Outcome]int{}
	serve := func(in io.Reader, out io.Writer) {
		_ = Serve(context.Background(), in, out, Options{NewEngine: testEngine, Clauses: auto.Check})
	}
	for seed := range uint64(100) {
		c, want := live(seed)
		r := rand.New(rand.NewPCG(18, seed))
		for range 5 {
			at, value := 50+r.IntN(250), byte(1+r.IntN(255))
			p := pipes(t, func(in io.Reader, out io.Writer) { serve(in, &damaged{Writer: out, at: at, value: value}) })
			result := runLive(p, c, "search")
			if o := result.Checked.Outcome(); o != cert.Unknown && o != want {
				t.Fatalf("seed %d, byte %d ^ %#x: %s, want %s", seed, at, value, result.Checked, want)
			}
			got[result.Checked.Outcome()]++
			p.Close()
		}
	}
	if got[cert.Unknown] < 100 || got[cert.Proved]+got[cert.Refuted] < 100 {
		t.Errorf("%v: the damages are one-sided", got)
	}
}

// TestNoConeOfOneProperty: a worker is asked about one property at a time.
func TestNoConeOfOneProperty(t *testing.T) {
	for text, ok := range map[string]bool{
		"aig 1 0 1 0 0 1\n2\n2\n":              true,  // a bad
		"aig 1 0 1 0 0 0 0 1\n2\n1\n2\n":       true,  // a justice property
		"aig 1 0 1 0 0 0 0 1 1\n2\n1\n2\n3\n":  true,  // with fairness
		"aig 1 0 1 0 0 0 0 1\n2\n0\n":          true,  // without literals
		"aig 1 0 1 0 0 1 0 1\n2\n2\n1\n2\n":    false, // both
		"aig 1 0 1 0 0 0 0 2\n2\n1\n1\n2\n2\n": false, // two
		"aig 1 0 1 0 0 1 0 0 1\n2\n2\n3\n":     false, // a bad with fairness
		"aig 1 0 1 0 0 0\n2\n":                 false, // none
		"aig 2 1 1 0 0 0 0 1\n4 2\n1\n4\n":     false, // a reset function
	} {
		p, err := readProblem([]byte(text))
		if (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
		if err == nil && (p.Property() == justice0) != (len(p.Circuit.Justice()) == 1) {
			t.Errorf("%q: %s", text, p.Question)
		}
	}
}
