package worker

import (
	"context"
	"sync"
	"testing"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestShare: the checks of a pool share the processors that it may use, whenever their
// number or that of the checks changes.
func TestShare(t *testing.T) {
	p := pipes(t, honest)
	var checks sync.WaitGroup
	begin := func() (allowed func(int), end func()) {
		ctx, cancel := context.WithCancel(context.Background())
		said := make(chan int, 1)
		checks.Go(func() {
			job := verify.Job{Circuit: toggle(), Property: bad0, Engine: p.Engine(engines.Spec{Engine: "allowed"})}
			verify.Run(ctx, job, func(now verify.Progress) {
				select {
				case said <- now.Lemmas:
				case <-ctx.Done():
				}
			})
		})
		return func(want int) {
			t.Helper()
			for n := range said {
				if n == want {
					return
				}
			}
		}, cancel
	}
	first, endFirst := begin()
	first(0) // as many as it likes
	p.Allow(6)
	first(6)
	second, endSecond := begin()
	second(3)
	first(3)
	p.Allow(1)
	first(1)
	second(1)
	p.Allow(8)
	endFirst()
	second(8)
	endSecond()
	checks.Wait()
	third, endThird := begin() // by a worker that was told something else before
	third(8)
	endThird()
	checks.Wait()
}
