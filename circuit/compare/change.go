package compare

import "aiglens/circuit"

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
