package inquiry

import (
	"context"
	"math/rand/v2"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

const (
	sampledVars  = 60_000_000 // variables in all steps of all simulations
	sampledSteps = 400        // of a run
	sampledRuns  = 12         // of 64 each
	sampleSeed   = 23
	// maxSampleWords bounds the samples of all latches together, in words of 64.
	maxSampleWords = 4_000_000
	mostSamples    = 512 // samples of a latch, in words
)

// samples are the values of latches, and of what makes the property fail, in states that runs
// reach.
type samples struct {
	words   int
	latches [][]uint64 // by latch: 64 states in each of the words
	parts   [][]uint64 // by literal of the conjunction that is bad 0
}

// mostParts bounds the literals of the conjunction that is bad 0: each is left out in turn of all
// others. A conjunction of n literals has n-1 gates, unless they repeat.
const mostParts = 1000

// conjuncts returns the literals whose conjunction a literal is; none when there are too many.
func conjuncts(c *circuit.Circuit, l circuit.Lit) (parts []circuit.Lit) {
	looked := 0
	for part, isPart := range c.Conjunction(l) {
		if looked++; looked > 2*mostParts {
			return nil
		}
		if isPart {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return parts
}

// sampler fills samples.
type sampler struct {
	c      *circuit.Circuit
	parts  []circuit.Lit
	sim    *circuit.Parallel
	random *rand.Rand
	seen   *samples
	limit  int // words
	every  int // step that is kept
}

// sample makes random runs from reset, and those that are given, and keeps the states in
// which all constraints have been met so far.
func sample(ctx context.Context, c *circuit.Circuit, runs []cert.Trace) *samples {
	s := &sampler{
		c: c, parts: conjuncts(c, c.Bads()[0].Lit), sim: circuit.NewParallel(c), random: rand.New(rand.NewPCG(sampleSeed, 0)),
		seen:  &samples{latches: make([][]uint64, len(c.Latches()))},
		limit: min(mostSamples, maxSampleWords/max(1, len(c.Latches()))),
	}
	s.seen.parts = make([][]uint64, len(s.parts))
	steps := min(sampledSteps, sampledVars/sampledRuns/max(1, c.NumVars()))
	s.every = max(1, steps*sampledRuns/max(1, s.limit))
	for _, t := range runs {
		s.replay(ctx, t)
	}
	for i := range sampledRuns {
		s.run(ctx, steps, i)
	}
	return s.seen
}

// run makes 64 runs at once: in those of odd numbers inputs rarely change, in every third one
// each of them has a value of its own most of the time.
func (s *sampler) run(ctx context.Context, steps, number int) {
	s.sim.Reset(func(int) uint64 { return s.random.Uint64() })
	inputs, usual := make([]uint64, len(s.c.Inputs())), make([]uint64, len(s.c.Inputs()))
	for i := range inputs {
		inputs[i], usual[i] = s.random.Uint64(), s.random.Uint64()
	}
	alive := ^uint64(0)
	for step := range steps {
		if ctx.Err() != nil {
			return
		}
		for i := range inputs {
			w, changed := s.random.Uint64(), ^uint64(0)
			if number%2 == 1 {
				changed = s.random.Uint64() & s.random.Uint64() & s.random.Uint64()
			}
			if number%3 == 2 {
				w = usual[i] ^ w&s.random.Uint64()&s.random.Uint64()
			}
			inputs[i] = inputs[i]&^changed | w&changed
		}
		s.sim.Eval(inputs)
		if alive = s.allowed(alive); alive == 0 {
			return
		}
		if step < 8 || step%s.every == 0 {
			s.keep(alive)
		}
		s.sim.Advance()
	}
}

// replay makes 64 runs with the inputs of one that is known, which differ in what that leaves
// open.
func (s *sampler) replay(ctx context.Context, t cert.Trace) {
	word := func(v circuit.Value) uint64 {
		switch v {
		case circuit.Zero:
			return 0
		case circuit.One:
			return ^uint64(0)
		}
		return s.random.Uint64()
	}
	s.sim.Reset(func(i int) uint64 { return word(t.Initial[i]) })
	inputs := make([]uint64, len(s.c.Inputs()))
	alive := ^uint64(0)
	for _, row := range t.Inputs {
		for i, v := range row {
			inputs[i] = word(v)
		}
		s.sim.Eval(inputs)
		if alive = s.allowed(alive); alive == 0 || ctx.Err() != nil {
			return
		}
		s.keep(alive)
		s.sim.Advance()
	}
}

// allowed returns the lanes of alive in which the constraints hold.
func (s *sampler) allowed(alive uint64) uint64 {
	for _, k := range s.c.Constraints() {
		alive &= s.sim.Value(k.Lit)
	}
	return alive
}

// keep adds the states of some lanes; the others become copies of one of them.
func (s *sampler) keep(lanes uint64) {
	if s.seen.words == s.limit {
		return
	}
	s.seen.words++
	first := lanes & -lanes
	fill := func(w uint64) uint64 {
		if w&first != 0 {
			return w | ^lanes
		}
		return w & lanes
	}
	for i, l := range s.c.Latches() {
		s.seen.latches[i] = append(s.seen.latches[i], fill(s.sim.Value(l.Lit)))
	}
	for i, l := range s.parts {
		s.seen.parts[i] = append(s.seen.parts[i], fill(s.sim.Value(l)))
	}
}
