package verify_test

import (
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// BenchmarkManyJustice proves the justice properties of one circuit one after another. Each
// is about two latches, and none shares one with another.
func BenchmarkManyJustice(b *testing.B) {
	for name, resetFunctions := range map[string]bool{"constant resets": false, "reset functions": true} {
		b.Run(name, func(b *testing.B) {
			const n = 10_000
			builder := circuit.NewBuilder(8 * n)
			in := builder.Input(0)
			for range n {
				x, y := builder.Latch(0), builder.Latch(0)
				builder.SetNext(x, builder.And(x, in))
				builder.SetNext(y, builder.And(x, y.Not()))
				if resetFunctions {
					builder.SetReset(y, in)
				}
				builder.Justice([]circuit.Lit{x, y}, 0)
			}
			c := builder.Build()
			for b.Loop() {
				for _, p := range c.Properties() {
					r := verify.Run(b.Context(), verify.Job{Circuit: c, Property: p, Engine: engines.NewAuto()}, nil)
					if r.Checked.Ranking() == nil {
						b.Fatalf("%s is %s", p, r.Checked)
					}
				}
			}
		})
	}
}
