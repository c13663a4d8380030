package lia

import (
	"aiglens/circuit"
	"aiglens/ic3/sat"
)

// AppendImplicant appends Boolean variables and inequalities, or their negations, that are true in the
// last model and together imply roots, which must be true there. It may be asked after Sat and
// before the next query; atoms that were built since then may be used.
func (s *Solver) AppendImplicant(dst []Lit, roots ...Lit) []Lit {
	m := implicant{Solver: s, values: map[sat.Var]circuit.Value{}, taken: map[sat.Var]bool{}, lits: dst}
	for _, l := range roots {
		m.take(l)
	}
	return m.lits
}

// implicant is an implicant that is being built.
type implicant struct {
	*Solver
	values map[sat.Var]circuit.Value
	taken  map[sat.Var]bool // variables whose values the implicant makes sure of
	lits   []Lit
}

// take makes sure of a literal, which is true in the model.
func (m *implicant) take(l Lit) {
	v := l.Var()
	if v == 0 || m.taken[v] {
		return
	}
	m.taken[v] = true
	inputs, isGate := m.inputs[v]
	switch {
	case !isGate:
		m.lits = append(m.lits, l)
	case !l.IsNegated():
		for _, i := range inputs {
			m.take(i)
		}
	default:
		m.take(m.falseInput(inputs).Not())
	}
}

// falseInput returns one that is false in the model, if possible one that is taken already.
func (m *implicant) falseInput(inputs []Lit) Lit {
	var found Lit
	for _, l := range inputs {
		if m.value(l) == circuit.Zero {
			if m.taken[l.Var()] {
				return l
			}
			if found == circuit.False {
				found = l
			}
		}
	}
	return found
}

// value evaluates a literal: inequalities by the numbers of the model.
func (m *implicant) value(l Lit) circuit.Value {
	v := l.Var()
	value, known := m.values[v]
	if !known {
		value = m.evaluate(v)
		m.values[v] = value
	}
	if value != circuit.X && l.IsNegated() {
		return circuit.ValueOf(value == circuit.Zero)
	}
	return value
}

func (m *implicant) evaluate(v sat.Var) circuit.Value {
	inputs, isGate := m.inputs[v]
	switch {
	case v == 0:
		return circuit.Zero
	case m.theory.isAtom(v):
		return circuit.ValueOf(m.theory.atomOf(v.Lit()).Holds(m.Value))
	case !isGate:
		return m.Holds(v.Lit())
	}
	value := circuit.One
	for _, i := range inputs {
		switch m.value(i) {
		case circuit.Zero:
			return circuit.Zero
		case circuit.X:
			value = circuit.X
		}
	}
	return value
}
