package shared

import (
	"context"
	"testing"
	"time"
)

// pollCPU is how often the processor time of a context is looked at.
const pollCPU = 10 * time.Millisecond

// WithCPUTime returns a context that ends soon after this process has used so much more processor
// time, and a function that ends it and returns how much was used.
func WithCPUTime(t testing.TB, limit time.Duration) (context.Context, func() time.Duration) {
	start := CPUTime(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil && CPUTime(t)-start < limit {
			time.Sleep(pollCPU)
		}
		cancel()
	}()
	return ctx, func() time.Duration {
		cancel()
		return CPUTime(t) - start
	}
}
