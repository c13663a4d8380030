package worker

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
)

// BenchmarkCheck is an easy check: here, in a worker that is kept, and in one that
// has to be started.
func BenchmarkCheck(b *testing.B) {
	path, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	c := ring(8)
	check := func(e verify.Engine) {
		r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: e}, nil)
		if !r.Checked.Certified() {
			b.Fatal(r.Checked)
		}
	}
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			check(engines.NewAuto())
		}
	})
	b.Run("kept", func(b *testing.B) {
		p := NewPool(Command(path, roleWorker))
		defer p.Close()
		for b.Loop() {
			check(p.Engine(engines.Spec{}))
		}
	})
	b.Run("started", func(b *testing.B) {
		for b.Loop() {
			p := NewPool(Command(path, roleWorker))
			check(p.Engine(engines.Spec{}))
			p.Close()
		}
	})
}

// BenchmarkPortfolioStops measures how long four processes on a circuit that takes long go
// on when their check is cancelled, at ever later moments, and how many had to be killed.
func BenchmarkPortfolioStops(b *testing.B) {
	for _, name := range []string{"hwmcc08/pdtvisbakery1.aig", "hwmcc15/6s194.aig"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			data, err := os.ReadFile(filepath.Join(shared.Dir(b), "benchmarks", name))
			if err != nil {
				b.Skip(err)
			}
			in, err := aiger.Read(name, data)
			if err != nil {
				b.Fatal(err)
			}
			path, err := os.Executable()
			if err != nil {
				b.Fatal(err)
			}
			var took []time.Duration
			killed := 0
			for i := range b.N {
				p := NewPool(Command(path, roleWorker))
				ctx, cancel := context.WithCancel(context.Background())
				var at atomic.Int64
				time.AfterFunc(time.Duration(20+37*i%2000)*time.Millisecond, func() {
					at.Store(time.Now().UnixNano())
					cancel()
				})
				c := in.Circuit()
				r := verify.Run(ctx, verify.Job{
					Circuit: c, Property: c.Properties()[0], Engine: p.Portfolio(engines.Spec{Engine: engines.Portfolio, Jobs: 4}),
				}, nil)
				if r.Checked.Outcome() == cert.Unknown {
					took = append(took, time.Since(time.Unix(0, at.Load())))
					p.mu.Lock()
					killed += 4 - len(p.all)
					p.mu.Unlock()
				}
				cancel()
				p.Close()
			}
			if slices.Sort(took); len(took) > 0 {
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
				b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "most-ms")
				b.ReportMetric(float64(killed), "killed")
			}
		})
	}
}
