package worker

import (
	"context"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// leaving has no answer, and leaves a clause for each latch of the problem.
var leaving = verify.Engine{Name: "leaving", Safety: true, Liveness: true, Check: func(_ context.Context, t verify.Task) verify.Report {
	r := verify.Report{Verdict: cert.Verdict{Depth: 7, Reason: "told"}}
	for _, l := range t.Problem.Circuit.Latches() {
		r.Unfinished = append(r.Unfinished, []circuit.Lit{l.Lit.Not()})
	}
	return r
}}

// TestUnfinished: what a check without an answer leaves arrives, about the circuit that was
// asked about.
func TestUnfinished(t *testing.T) {
	p := processes(t)
	c := toggle() // its second latch alone is in the cone
	r := run(p, "leaving", c, verify.Limits{})
	expectUnknown(t, r, "told")
	want := []circuit.Lit{c.Latches()[1].Lit.Not()}
	got := r.Unfinished(t.Context(), c, bad0)
	if len(got) != 1 || !slices.Equal(got[0], want) || r.Internal != nil || r.Checked.Depth() != 7 {
		t.Errorf("left %v, depth %d, internal error %v; want %v", got, r.Checked.Depth(), r.Internal, want)
	}
	if got := r.Unfinished(t.Context(), ring(3), bad0); got != nil {
		t.Errorf("left %v of another circuit", got)
	}
	// The next one, of the same worker, leaves nothing.
	r = run(p, "who", c, verify.Limits{})
	expectUnknown(t, r, "told")
	if r.HasUnfinished() {
		t.Error("clauses of the check before")
	}
}

// TestUnfinishedLies: a result that leaves what cannot be read breaks the protocol.
func TestUnfinishedLies(t *testing.T) {
	for name, answer := range map[string]func(c *conversation) (Result, []byte){
		"no such latch":  func(*conversation) (Result, []byte) { return Result{Outcome: "unknown"}, []byte{1, 1, 200, 1} },
		"trailing bytes": func(*conversation) (Result, []byte) { return Result{Outcome: "unknown"}, []byte{0, 0} },
		"no bytes":       func(*conversation) (Result, []byte) { return Result{Outcome: "unknown"}, nil },
		"with an answer": func(c *conversation) (Result, []byte) {
			return Result{Outcome: c.truth.Outcome.String()}, certificate(c.problem, c.truth)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := pipes(t, liar(func(c *conversation) {
				r, body := answer(c)
				r.Number, r.Unfinished = c.request.Number, true
				_ = writeFrame(c.out, kindResult, r, body)
			}))
			r := verify.Run(t.Context(), verify.Job{Circuit: ring(4), Property: bad0, Engine: p.Engine(engines.Spec{})}, nil)
			if expectUnknown(t, r, "broke the protocol"); r.HasUnfinished() {
				t.Error("it leaves clauses all the same")
			}
		})
	}
}
