package verify

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// hit is a run in which a property is violated: one of 64 that were made at once, up to
// a step. The words are shared and never changed.
type hit struct {
	initial []uint64   // by latch
	rows    [][]uint64 // by step and input
	lane    int
}

// maxHitWords bounds the rows of a hit: 8 MB.
const maxHitWords = 1 << 20

// trace returns the run as one of the circuit.
func (h hit) trace(c *circuit.Circuit) cert.Trace {
	return traceOf(c, h.initial, h.rows, h.lane)
}

// tryTrace makes 64 runs of the whole circuit with the inputs of a counterexample, which
// differ in what that leaves open, and remembers for each property of safety the first
// violation on the way.
func (p *Common) tryTrace(ctx context.Context, t cert.Trace) {
	if t.Steps() > replayVars/p.circuit.NumVars() || t.Steps() > maxHitWords/(len(p.circuit.Inputs())+1) {
		return
	}
	random := rand.New(rand.NewPCG(replaySeed, 0))
	word := func(v circuit.Value) uint64 {
		switch v {
		case circuit.Zero:
			return 0
		case circuit.One:
			return ^uint64(0)
		}
		return random.Uint64() &^ 1
	}
	sim := circuit.NewParallel(p.circuit)
	initial := make([]uint64, len(p.circuit.Latches()))
	sim.Reset(func(i int) uint64 {
		initial[i] = word(t.Initial[i])
		return initial[i]
	})
	open := p.open()
	alive := ^uint64(0)
	var rows [][]uint64
	for _, values := range t.Inputs {
		if ctx.Err() != nil || len(open) == 0 {
			return
		}
		row := make([]uint64, len(values))
		for i, v := range values {
			row[i] = word(v)
		}
		rows = append(rows, row)
		sim.Eval(row)
		for _, s := range p.circuit.Constraints() {
			alive &= sim.Value(s.Lit)
		}
		for id, bad := range open {
			if violated := alive & sim.Value(bad); violated != 0 {
				p.hit(id, hit{initial, rows, bits.TrailingZeros64(violated)})
				delete(open, id)
			}
		}
		if alive == 0 {
			return
		}
		sim.Advance()
	}
}

// open returns the bad literals of the properties of safety that have no answer yet and
// that no run is known to violate.
func (p *Common) open() map[circuit.Property]circuit.Lit {
	p.mu.Lock()
	defer p.mu.Unlock()
	open := map[circuit.Property]circuit.Lit{}
	for _, id := range p.circuit.Properties() {
		bad, ok := p.circuit.Bad(id)
		if _, known := p.hits[id]; ok && !known && !p.settled[id] {
			open[id] = bad
		}
	}
	return open
}

func (p *Common) hit(id circuit.Property, h hit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.hits[id]; !known && !p.settled[id] {
		p.hits[id] = h
	}
}

// hitByAnother looks whether the counterexample of another property violates that of a job
// as well.
func (r Result) hitByAnother(ctx context.Context, job Job, cone *circuit.Cone) (found Result, ok bool) {
	if job.Common == nil {
		return r, false
	}
	job.Common.mu.Lock()
	h, ok := job.Common.hits[job.Property]
	job.Common.mu.Unlock()
	if !ok {
		return r, false
	}
	t := h.trace(job.Circuit).Restrict(cone.Latches, cone.Inputs)
	return r.replayed(ctx, job, cone, shortenReplayed(ctx, cone, t))
}
