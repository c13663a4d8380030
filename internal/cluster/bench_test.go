package cluster

import (
	"testing"

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
