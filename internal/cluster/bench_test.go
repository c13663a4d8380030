package cluster

import (
	"context"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// BenchmarkOverhead is a small check through an embedded cluster with one node in the same
// process, against the same check without.
func BenchmarkOverhead(b *testing.B) {
	s, err := StartLocal()
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	connect := func(name string) *Conn {
		c, err := Connect(b.Context(), Options{Server: s, Name: name})
		if err != nil {
			b.Fatal(err)
		}
		return c
	}
	node, a := NewNode(connect("node"), 1, real), NewAsker(connect("asker"))
	go node.Run(b.Context())
	at := 0
	b.Run("cluster", func(b *testing.B) {
		for b.Loop() {
			at++
			if r := verify.Run(b.Context(), a.job(still(at)), nil); !r.Checked.Certified() && at < 20 {
				b.Fatal(r)
			}
		}
	})
	at = 0
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			at++
			job := a.job(still(at))
			job.Engine, _ = real(engines.Default())
			verify.Run(b.Context(), job, nil)
		}
	})
}

// BenchmarkSpreadStops measures how long the other engines of a portfolio, on another node, go on
// after the answer of the first.
func BenchmarkSpreadStops(b *testing.B) {
	s, err := StartLocal()
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	connect := func(name string) *Conn {
		c, err := Connect(b.Context(), Options{Server: s, Name: name})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(c.Close)
		return c
	}
	engine, begun := blocked()
	ended := make(chan time.Time, 1)
	for _, name := range names(2) {
		n := NewNode(connect(name), 1, func(s engines.Spec) (verify.Engine, error) {
			e, err := s.New()
			return function(func(ctx context.Context, p circuit.Problem) (cert.Verdict, error) {
				if s.Member == 2 {
					defer func() { ended <- time.Now() }()
					return claimed(ctx, engine, p)
				}
				<-begun
				return claimed(ctx, e, p)
			}), err
		})
		go n.Run(b.Context())
	}
	a := NewAsker(connect("me"))
	var most, sum time.Duration
	for i := 0; b.Loop(); i++ {
		c := still(i)
		job := verify.Job{Circuit: c, Property: bad0, Engine: a.Engine(engines.Spec{Engine: engines.Portfolio, Jobs: 2})}
		if r := verify.Run(b.Context(), job, nil); r.Checked.Outcome() != cert.Proved {
			b.Fatal(r.Checked.Reason())
		}
		answered := time.Now()
		took := max(0, (<-ended).Sub(answered))
		sum, most = sum+took, max(most, took)
	}
	b.ReportMetric(float64(sum.Milliseconds())/float64(b.N), "ms/stop")
	b.ReportMetric(float64(most.Milliseconds()), "ms/most")
}
