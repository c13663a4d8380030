package worker

import (
	"context"
	"os"
	"testing"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
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
