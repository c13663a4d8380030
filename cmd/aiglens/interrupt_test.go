package main

import (
	"context"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// TestAwaitAfterTheEnd: when the program is interrupted, the answers so far are printed, and a
// working engine is not waited for.
func TestAwaitAfterTheEnd(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	b := circuit.NewBuilder(0)
	b.Bad(b.Input(0), 0)
	c := b.Build()
	checked, err := cert.Check(t.Context(), c, c.Properties()[0], cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{
		Inputs: [][]circuit.Value{{circuit.One}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	found := make(chan *answer, 1)
	found <- &answer{result: &verify.Result{Checked: checked}}
	a := &answer{}
	if a.await(ctx, found, nil, "ic3"); a.outcome() != cert.Refuted {
		t.Errorf("found meanwhile: %s", a.result)
	}
	a = &answer{}
	if a.await(ctx, make(chan *answer), nil, "ic3"); a.outcome() != cert.Unknown || a.reason() != "cancelled" || a.result.Engine != "ic3" {
		t.Errorf("still at work: %s by %q", a.result, a.result.Engine)
	}
}
