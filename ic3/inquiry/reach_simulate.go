package inquiry

import (
	"context"
	"math/rand/v2"

	"aiglens/circuit"
)

const (
	simulatedVars = 20_000_000 // variables in all steps of a simulation
	mostSteps     = 2000
	simulatedSeed = 19
)

// simulateReach makes 64 random runs from reset. What these show of the latches is Reached, in steps
// up to which a run has met the constraints; the rest is Unknown.
func simulateReach(ctx context.Context, c *circuit.Circuit) []LatchReach {
	random := rand.New(rand.NewPCG(simulatedSeed, 0))
	sim := circuit.NewParallel(c)
	sim.Reset(func(int) uint64 { return random.Uint64() })
	inputs := make([]uint64, len(c.Inputs()))
	before := make([]uint64, len(c.Latches()))
	latches := make([]LatchReach, len(c.Latches()))
	alive := ^uint64(0)
	for step := range min(mostSteps, simulatedVars/max(1, c.NumVars())) {
		for i := range inputs {
			inputs[i] = random.Uint64()
		}
		sim.Eval(inputs)
		for _, s := range c.Constraints() {
			alive &= sim.Value(s.Lit)
		}
		if alive == 0 || ctx.Err() != nil {
			break
		}
		for i, l := range c.Latches() {
			now := sim.Value(l.Lit)
			if now&alive != 0 {
				latches[i].One = Reached
			}
			if ^now&alive != 0 {
				latches[i].Zero = Reached
			}
			if step > 0 && (now^before[i])&alive != 0 {
				latches[i].Change = Reached
			}
			before[i] = now
		}
		sim.Advance()
	}
	return latches
}
