package compare

import (
	"math/rand/v2"

	"aiglens/circuit"
)

// cut makes the matching one of single steps: each latch becomes an input, and its next value
// and its reset outputs besides; the reset of a free latch is the latch itself. Two circuits
// that are equal then agree in each step from each state in which the latches that are matched
// are equal, whether that state is ever reached or not. What is matched stays so, and a latch
// becomes nothing else than its partner becomes.
func (m *Matching) cut() {
	var inputs, outputs, latches [2]int
	for side := range m.Sides {
		s := &m.Sides[side]
		inputs[side], outputs[side], latches[side] = s.count(Input), s.count(Output), s.count(Latch)
		*s = s.combinational()
	}
	input := func(side, latch int) Element { return Element{Kind: Input, Index: inputs[side] + latch} }
	next := func(side, latch int) Element { return Element{Kind: Output, Index: outputs[side] + latch} }
	reset := func(side, latch int) Element { return next(side, latches[side]+latch) }
	for _, of := range []func(side, latch int) Element{next, reset} {
		for _, p := range m.Latches {
			m.Observed = append(m.Observed, Pair{A: of(0, p.A.Index), B: of(1, p.B.Index), How: p.How})
		}
	}
	for _, p := range m.Latches {
		m.Inputs = append(m.Inputs, Pair{A: input(0, p.A.Index), B: input(1, p.B.Index), How: p.How})
	}
	m.Latches = nil
	for side, all := range m.Unmatched {
		m.Unmatched[side] = nil
		for _, e := range all {
			if e.Kind != Latch {
				m.Unmatched[side] = append(m.Unmatched[side], e)
				continue
			}
			m.Unmatched[side] = append(m.Unmatched[side], input(side, e.Index), next(side, e.Index), reset(side, e.Index))
		}
	}
}

// combinational returns a side without latches.
func (s *Side) combinational() Side {
	b := circuit.NewBuilder(s.Circuit.NumVars())
	to := make([]circuit.Lit, s.Circuit.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for _, in := range s.Circuit.Inputs() {
		to[in.Lit.Var()] = b.Input(in.Origin)
	}
	for _, l := range s.Circuit.Latches() {
		to[l.Lit.Var()] = b.Input(l.Origin)
	}
	for v := range circuit.Var(s.Circuit.NumVars()) {
		if left, right, ok := s.Circuit.Operands(v); ok {
			to[v] = b.And(lit(left), lit(right))
		}
	}
	s.Circuit.CopyRoles(b, lit)
	for _, l := range s.Circuit.Latches() {
		b.Output(lit(l.Next), l.Origin)
	}
	for _, l := range s.Circuit.Latches() {
		b.Output(lit(l.Reset), l.Origin)
	}
	return Side{Circuit: b.Build(), Names: s.combinationalNames()}
}

// combinationalNames returns the names of a side without latches.
func (s *Side) combinationalNames() Names {
	cut := s.Names
	cut.Latches, cut.Inputs, cut.Outputs = nil, nil, nil
	for i := range s.Circuit.Inputs() {
		cut.Inputs = append(cut.Inputs, at(s.Names.Inputs, i))
	}
	for i := range s.Circuit.Outputs() {
		cut.Outputs = append(cut.Outputs, at(s.Names.Outputs, i))
	}
	for i := range s.Circuit.Latches() {
		e := Element{Kind: Latch, Index: i}
		name := s.Label(e)
		if s.Name(e) != "" {
			name = "latch " + name
		}
		cut.Inputs = append(cut.Inputs, name)
	}
	for _, what := range []string{"next of ", "reset of "} {
		for i := range s.Circuit.Latches() {
			cut.Outputs = append(cut.Outputs, what+s.Label(Element{Kind: Latch, Index: i}))
		}
	}
	return cut
}

// StartEqual returns the matching of two circuits whose latches start equal where they are
// matched: those with different resets, or with reset functions, with either value.
func (m *Matching) StartEqual() *Matching {
	same := *m
	for side := range m.Sides {
		c := m.Sides[side].Circuit
		b := circuit.NewBuilder(c.NumVars())
		lit := c.CopyTo(b)
		for k, p := range m.Latches {
			if own := lit(c.Latches()[p.On(side).Index].Lit); !m.Mergeable(k) {
				b.SetReset(own, own)
			}
		}
		c.CopyRoles(b, lit)
		same.Sides[side].Circuit = b.Build()
	}
	return &same
}

// Agreeing returns which pairs of latches may be one latch and have the same value in
// some random runs, as far as both sides allow these. It always returns the same.
func (m *Matching) Agreeing(steps int) []bool {
	agree := make([]bool, len(m.Latches))
	for k := range agree {
		agree[k] = m.Mergeable(k)
	}
	random := rand.New(rand.NewPCG(1, 2))
	sims := [2]*circuit.Parallel{}
	for side := range sims {
		sims[side] = circuit.NewParallel(m.Sides[side].Circuit)
	}
	starts := make([]uint64, len(m.Sides[0].Circuit.Latches()))
	for i := range starts {
		starts[i] = random.Uint64()
	}
	sims[0].Reset(func(i int) uint64 { return starts[i] })
	partner := m.partners(m.Latches, len(m.Sides[1].Circuit.Latches()))
	sims[1].Reset(func(i int) uint64 {
		if k := partner[i]; k >= 0 && m.Sides[0].Circuit.Latches()[m.Latches[k].A.Index].IsFree() {
			return starts[m.Latches[k].A.Index]
		}
		return random.Uint64()
	})
	allowed := ^uint64(0)
	shared := m.partners(m.Inputs, len(m.Sides[1].Circuit.Inputs()))
	words := [2][]uint64{make([]uint64, len(m.Sides[0].Circuit.Inputs())), make([]uint64, len(shared))}
	for range steps {
		for i := range words[0] {
			words[0][i] = random.Uint64()
		}
		for i, k := range shared {
			if words[1][i] = random.Uint64(); k >= 0 {
				words[1][i] = words[0][m.Inputs[k].A.Index]
			}
		}
		for side, sim := range sims {
			sim.Eval(words[side])
			for _, s := range m.Sides[side].Circuit.Constraints() {
				allowed &= sim.Value(s.Lit)
			}
		}
		if allowed == 0 {
			break
		}
		for k, p := range m.Latches {
			x, y := m.Sides[0].Circuit.Latches()[p.A.Index], m.Sides[1].Circuit.Latches()[p.B.Index]
			agree[k] = agree[k] && (sims[0].Value(x.Next)^sims[1].Value(y.Next))&allowed == 0
		}
		sims[0].Advance()
		sims[1].Advance()
	}
	return agree
}
