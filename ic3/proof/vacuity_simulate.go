package proof

import (
	"context"
	"math/rand/v2"

	"aiglens/circuit"
)

const (
	simulated     = 500_000 // variables in all steps of a simulation
	simulatedSeed = 11
)

// comesTrue makes 64 random runs from reset and reports whether some literals are 1 at once
// in a step of a run that meets the constraints. False says nothing.
func comesTrue(ctx context.Context, c *circuit.Circuit, all []circuit.Lit) bool {
	random := rand.New(rand.NewPCG(simulatedSeed, 0))
	sim := circuit.NewParallel(c)
	sim.Reset(func(int) uint64 { return random.Uint64() })
	inputs := make([]uint64, len(c.Inputs()))
	alive := ^uint64(0)
	for range simulated / c.NumVars() {
		for i := range inputs {
			inputs[i] = random.Uint64()
		}
		sim.Eval(inputs)
		for _, s := range c.Constraints() {
			alive &= sim.Value(s.Lit)
		}
		if alive == 0 || ctx.Err() != nil {
			return false
		}
		now := alive
		for _, l := range all {
			now &= sim.Value(l)
		}
		if now != 0 {
			return true
		}
		sim.Advance()
	}
	return false
}
