package verify

import (
	"context"
	"runtime/metrics"
	"time"

	"aiglens/internal/thread"
)

// limitPoll is how often CPU time and memory are looked at.
const limitPoll = 20 * time.Millisecond

// WithLimits returns a context that ends, with an errLimit as its cause, when a
// limit is exceeded. CPU time and memory are those of the whole process, so
// they are exact only while one job runs at a time.
func WithLimits(ctx context.Context, l Limits) (context.Context, func()) {
	stops := []func(){}
	if l.Wall > 0 {
		var stop context.CancelFunc
		ctx, stop = thread.WithTimeoutCause(ctx, l.Wall, errTimeout)
		stops = append(stops, stop)
	}
	if l.CPU > 0 || l.Memory > 0 {
		var stop context.CancelFunc
		ctx, stop = watched(ctx, l)
		stops = append(stops, stop)
	}
	return thread.Sharing(ctx), func() {
		for i := len(stops) - 1; i >= 0; i-- {
			stops[i]()
		}
	}
}

// watched ends a context at limits on CPU time and on memory.
func watched(ctx context.Context, l Limits) (context.Context, context.CancelFunc) {
	ctx, cancel := thread.WithCancelCause(ctx)
	go watch(ctx, cancel, l)
	return ctx, func() { cancel(nil) }
}

func watch(ctx context.Context, cancel context.CancelCauseFunc, l Limits) {
	start := cpuTime()
	tick := time.NewTicker(limitPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		switch {
		case l.CPU > 0 && cpuTime()-start > l.CPU:
			cancel(errCPU)
		case l.Memory > 0 && heapBytes() > uint64(l.Memory):
			cancel(errMemory)
		}
	}
}

// heapBytes returns the bytes of live and not yet collected objects.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
