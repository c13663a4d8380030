package lsp

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// TestLostWorkerIsTriedAgain: when the process of a check dies, the property is
// unknown with that reason, and the next save checks the same text again.
func TestLostWorkerIsTriedAgain(t *testing.T) {
	var healthy atomic.Bool
	b := newBench(t, func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		if !healthy.Load() {
			return cert.Verdict{Depth: 7}, &verify.RemoteError{Reason: "it died", Lost: true, Internal: errors.New("crash")}
		}
		return explicit(ctx, c, progress)
	})
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.save(doc)
	b.expectTitles("unknown: it died, no violation in 7 steps", "unknown: it died, no violation in 7 steps")
	b.expectRuns(2)
	healthy.Store(true)
	b.save(doc)
	b.expectTitles(refutedAt1, provedT)
	b.expectRuns(4)

	// A verdict that is known outlives a later accident.
	healthy.Store(false)
	b.checkAll()
	b.await(func() bool { return b.runs.Load() == 6 })
	b.expectTitles(refutedAt1, provedT)
}
