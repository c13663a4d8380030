package compare

import (
	"context"
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Agreeing returns which pairs of latches may be one latch and have the same value in
// some random runs, as far as both sides allow these. It always returns the same.
func (m *Matching) Agreeing(steps int) []bool {
	agree := make([]bool, len(m.Latches))
	for k := range agree {
		agree[k] = m.Mergeable(k)
	}
	m.newRuns(1, [2]cert.Trace{}).agree(context.Background(), agree, steps)
	return agree
}

// Parting returns pairs of latches that differ in runs which begin as a pair of runs does, with
// any values for what is X there, and go on at random for some steps, as far as both sides allow
// them. Of the same runs it always returns the same. When ctx ends it returns what it has seen.
func (m *Matching) Parting(ctx context.Context, sides [2]cert.Trace, steps int) (latches []int) {
	agree := make([]bool, len(m.Latches))
	for k := range agree {
		agree[k] = true
	}
	m.newRuns(3, sides).agree(ctx, agree, sides[0].Steps()+steps)
	for k, agrees := range agree {
		if !agrees {
			latches = append(latches, k)
		}
	}
	return latches
}

// runs are 64 pairs of runs at random, under the same inputs as far as these are matched, and
// with the same starts of free latches that are. They begin as a given pair does.
type runs struct {
	m       *Matching
	random  *rand.Rand
	begin   [2]cert.Trace
	sims    [2]*circuit.Parallel
	inputs  [2][]uint64
	shared  []int // by input of B, its pair, or −1
	allowed uint64
}

// newRuns returns runs in the state before their first step. Each stream gives others; begin
// may be empty.
func (m *Matching) newRuns(stream uint64, begin [2]cert.Trace) *runs {
	r := &runs{m: m, random: rand.New(rand.NewPCG(stream, 2)), begin: begin, allowed: ^uint64(0)}
	for side := range r.sims {
		r.sims[side] = circuit.NewParallel(m.Sides[side].Circuit)
		r.inputs[side] = make([]uint64, len(m.Sides[side].Circuit.Inputs()))
	}
	r.shared = m.partners(m.Inputs, len(r.inputs[1]))
	starts := make([]uint64, len(m.Sides[0].Circuit.Latches()))
	for i := range starts {
		starts[i] = r.word(begin[0].Initial, i)
	}
	r.sims[0].Reset(func(i int) uint64 { return starts[i] })
	partner := m.partners(m.Latches, len(m.Sides[1].Circuit.Latches()))
	r.sims[1].Reset(func(i int) uint64 {
		if k := partner[i]; k >= 0 && m.Sides[0].Circuit.Latches()[m.Latches[k].A.Index].IsFree() {
			return starts[m.Latches[k].A.Index]
		}
		return r.word(begin[1].Initial, i)
	})
	return r
}

// word returns a value of a row in all runs, or random ones where the row has none.
func (r *runs) word(row []circuit.Value, i int) uint64 {
	if i < len(row) {
		switch row[i] {
		case circuit.Zero:
			return 0
		case circuit.One:
			return ^uint64(0)
		}
	}
	return r.random.Uint64()
}

// step evaluates a step.
func (r *runs) step(number int) {
	var rows [2][]circuit.Value
	for side, t := range r.begin {
		if number < t.Steps() {
			rows[side] = t.Inputs[number]
		}
	}
	for i := range r.inputs[0] {
		r.inputs[0][i] = r.word(rows[0], i)
	}
	for i, k := range r.shared {
		if r.inputs[1][i] = r.word(rows[1], i); k >= 0 {
			r.inputs[1][i] = r.inputs[0][r.m.Inputs[k].A.Index]
		}
	}
	for side, sim := range r.sims {
		sim.Eval(r.inputs[side])
		for _, s := range r.m.Sides[side].Circuit.Constraints() {
			r.allowed &= sim.Value(s.Lit)
		}
	}
}

// agree simulates steps, and clears the pairs of latches that differ after one of them.
func (r *runs) agree(ctx context.Context, agree []bool, steps int) {
	a, b := r.m.Sides[0].Circuit.Latches(), r.m.Sides[1].Circuit.Latches()
	for number := range steps {
		if r.step(number); r.allowed == 0 || ctx.Err() != nil {
			return
		}
		for k, p := range r.m.Latches {
			x, y := a[p.A.Index].Next, b[p.B.Index].Next
			agree[k] = agree[k] && (r.sims[0].Value(x)^r.sims[1].Value(y))&r.allowed == 0
		}
		r.sims[0].Advance()
		r.sims[1].Advance()
	}
}
