//go:build unix

package engines_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
)

// BenchmarkPortfolioStops measures how long a portfolio goes on when it is cancelled, at
// ever later moments of runs that take long: wall time, and processor time of the process.
func BenchmarkPortfolioStops(b *testing.B) {
	for _, name := range []string{"hwmcc08/pdtvisbakery1.aig", "hwmcc15/6s194.aig", "hwmcc15/oski15a10b02s.aig", "hwmcc08/bjrb07amba10andenv.aig"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			data, err := os.ReadFile(filepath.Join(shared.Dir(b), "benchmarks", name))
			if err != nil {
				b.Skip(err)
			}
			in, err := aiger.Read(name, data)
			if err != nil {
				b.Fatal(err)
			}
			c := in.Circuit()
			var wall, processor []time.Duration
			for i := range b.N {
				ctx, cancel := context.WithCancel(context.Background())
				var at atomic.Int64
				used := processorTime()
				timer := time.AfterFunc(time.Duration(20+37*i%3000)*time.Millisecond, func() {
					used = processorTime()
					at.Store(time.Now().UnixNano())
					cancel()
				})
				verify.Run(ctx, verify.Job{Circuit: c, Property: c.Properties()[0], Engine: portfolioOf(b, 8, uint64(i))}, nil)
				if timer.Stop() {
					cancel()
					continue // it had an answer
				}
				wall = append(wall, time.Since(time.Unix(0, at.Load())))
				processor = append(processor, processorTime()-used)
			}
			for name, all := range map[string][]time.Duration{"wall": wall, "cpu": processor} {
				if slices.Sort(all); len(all) > 0 {
					b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, name+"-median-ms")
					b.ReportMetric(float64(all[len(all)-1].Microseconds())/1000, name+"-most-ms")
				}
			}
		})
	}
}

// processorTime returns what the process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
