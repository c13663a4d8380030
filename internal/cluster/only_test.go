package cluster

import (
	"context"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// live returns a job about a justice property that never holds forever.
func (a *Asker) live(number int) verify.Job {
	job := a.job(still(number))
	b := circuit.NewBuilder(0)
	l := b.Latch(0)
	b.SetNext(l, l)
	b.Justice([]circuit.Lit{l}, 0)
	job.Circuit, job.Property = b.Build(), circuit.Property{Kind: circuit.PropertyJustice}
	return job
}

// TestOnly: a node that takes only some kinds of checks is never given others, and those that wait before
// them do not keep it from its own.
func TestOnly(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	n := NewNode(p.connect("safe"), 1, func(s engines.Spec) (verify.Engine, error) {
		e, err := s.New()
		return function(func(ctx context.Context, x circuit.Problem) (cert.Verdict, error) {
			if x.Question != circuit.Safety {
				t.Error("it was given a question of liveness")
			}
			return claimed(ctx, e, x)
		}), err
	})
	n.Only = []string{"safety"}
	p.run(n)
	a := p.asker("me")
	live := make(chan verify.Result, 1)
	go func() { live <- verify.Run(t.Context(), a.live(0), nil) }()
	eventually(t, "the other kind waits", func() bool {
		s, err := a.Status(t.Context())
		return err == nil && s.Waiting == 1 && len(s.Nodes) == 1 && strings.Join(s.Nodes[0].Only, ",") == "safety"
	})
	for i := range 3 {
		check(t, verify.Run(t.Context(), a.job(still(i)), nil), "proved")
	}
	if got := a.places(t.Context(), "liveness"); got != unknownMembers {
		t.Errorf("%d places for liveness", got)
	}
	p.node("any", 1, real)
	r := <-live
	if check(t, r, "proved"); plain(r.Place) != "any" {
		t.Errorf("answered by %s", r.Place)
	}
}
