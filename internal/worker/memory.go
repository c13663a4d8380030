package worker

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"aiglens/circuit/cert"
)

// memoryPoll is how often the resident size is looked at.
const memoryPoll = 10 * time.Millisecond

// worthReturning is the resident size from which memory goes back to the system
// after a check, so that the next one does not begin with that of the last.
const worthReturning = 64 << 20

// meter watches the size of the process during one check.
type meter struct {
	stop  context.CancelFunc
	depth atomic.Int64 // reached so far
}

// reasonMemory is that of a check which needs more than it may have.
const reasonMemory = "memory limit"

// startMeter sets the soft limit of the runtime an eighth below that of the request,
// so that the collector works harder first, and ends the worker when its resident
// size exceeds the limit all the same: what the runtime holds it does not return
// soon enough for a next check. The result goes out from here, the engine may not
// come to it in time.
func (w *worker) startMeter(ctx context.Context, q Request) *meter {
	m := &meter{}
	ctx, m.stop = context.WithCancel(ctx)
	if q.Memory == 0 {
		debug.SetMemoryLimit(math.MaxInt64)
		return m
	}
	debug.SetMemoryLimit(q.Memory - q.Memory/8)
	if residentSize() > q.Memory/2 {
		debug.FreeOSMemory() // of an earlier check
	}
	go func() {
		tick := time.NewTicker(memoryPoll)
		defer tick.Stop()
		for residentSize() <= q.Memory {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		r := Result{Number: q.Number, Outcome: cert.Unknown.String(), Depth: int(m.depth.Load()), Reason: reasonMemory, Last: true}
		if w.answer(r, nil) {
			w.outgrown <- struct{}{}
		}
	}()
	return m
}

// giveBack returns unused memory to the system when it is much.
func giveBack() {
	if residentSize() > worthReturning {
		debug.FreeOSMemory()
	}
}

// runtimeSize is what the Go runtime has taken from the system and not returned.
func runtimeSize() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
