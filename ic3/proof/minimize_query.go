package proof

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// minimizer is one question: a circuit, its bad and the effort.
type minimizer struct {
	ctx     context.Context
	c       *circuit.Circuit
	bad     circuit.Lit
	effort  int64 // that may be spent
	spent   int64
	queries int64
	model   []bool // by literal over latches; see read
	atLeast int    // literals, in any invariant: 1 when the property needs one

	initial sat.Solver // of the first step; see startsWith
}

// What a query costs beside its propagations, as in package ic3, and how many variables of
// its domain, assumptions, or literals that are looked at count as one propagation.
const (
	effortPerQuery = 200
	domainShare    = 8
	lookShare      = 32
)

func (m *minimizer) solve(s sat.Solver, q sat.Query) (sat.Result, error) {
	before := s.Stats()
	r, err := s.Solve(m.ctx, q)
	after := s.Stats()
	m.queries++
	m.spent += effortPerQuery + after.Propagations - before.Propagations +
		(after.DomainVars-before.DomainVars+int64(len(q.Assumptions)))/domainShare
	return r, err
}

// next returns the literal whose value a literal over latches has after a step.
func (m *minimizer) next(l circuit.Lit) circuit.Lit {
	return m.c.Latches()[m.c.LatchIndex(l.Var())].Next.NotIf(l.IsNegated())
}

// violatedNext returns what must hold for a clause to be violated after a step.
func (m *minimizer) violatedNext(clause []circuit.Lit) []circuit.Lit {
	lits := make([]circuit.Lit, len(clause))
	for i, l := range clause {
		lits[i] = m.next(l).Not()
	}
	return lits
}

// read takes the values of the latches out of a model, for satisfies. Latches that do not
// matter for it are as at reset, where the invariant holds.
func (m *minimizer) read(s sat.Solver) {
	if m.model == nil {
		m.model = make([]bool, 2*m.c.NumVars())
	}
	for _, l := range m.c.Latches() {
		is := l.Reset == circuit.True
		if v := s.Value(l.Lit); v != circuit.X {
			is = v == circuit.One
		}
		m.model[l.Lit], m.model[l.Lit.Not()] = is, !is
	}
	m.spent += int64(len(m.c.Latches()) / lookShare)
}

// satisfies reports whether a clause holds in the model that was read.
func (m *minimizer) satisfies(clause []circuit.Lit) bool {
	for _, l := range clause {
		if m.model[l] {
			return true
		}
	}
	return false
}

// startsWith reports whether a clause holds from where the invariant holds: in the initial
// states, or with reset functions after the first step.
func (m *minimizer) startsWith(clause []circuit.Lit) (bool, error) {
	functions := m.c.HasResetFunctions()
	if !functions && slices.ContainsFunc(clause, func(l circuit.Lit) bool {
		reset := m.c.Latches()[m.c.LatchIndex(l.Var())].Reset
		return reset <= circuit.True && reset.NotIf(l.IsNegated()) == circuit.True
	}) {
		return true, nil
	}
	if m.initial == nil {
		m.initial = m.firstStep()
	}
	violated := make([]circuit.Lit, len(clause))
	for i, l := range clause {
		violated[i] = l.Not()
		if functions {
			violated[i] = m.next(l).Not()
		}
	}
	r, err := m.solve(m.initial, sat.Query{Assumptions: violated, Roots: m.resetRoots()})
	return r == sat.Unsat, err
}

// firstStep returns a solver over the first step.
func (m *minimizer) firstStep() sat.Solver {
	s := sat.NewCore(encode.Gates(m.c))
	for _, x := range m.c.Constraints() {
		s.AddClause([]circuit.Lit{x.Lit})
	}
	for _, l := range m.c.Latches() {
		switch {
		case l.Reset <= circuit.True:
			s.AddClause([]circuit.Lit{l.Lit.NotIf(l.Reset == circuit.False)})
		case l.HasFunction():
			s.AddClause([]circuit.Lit{l.Lit, l.Reset.Not()})
			s.AddClause([]circuit.Lit{l.Lit.Not(), l.Reset})
		}
	}
	return s
}

// resetRoots are what reset functions refer to.
func (m *minimizer) resetRoots() []circuit.Lit {
	var roots []circuit.Lit
	for _, l := range m.c.Latches() {
		if l.HasFunction() {
			roots = append(roots, l.Lit, l.Reset.Positive())
		}
	}
	return roots
}
