package shrink

import (
	"slices"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
)

// substitution gives variables that are no longer defined the literals that take their
// place, which may be of such variables, too. Of a file with a cycle of gates one of them is
// left undefined.
type substitution map[uint32]uint32

// find returns what takes the place of a literal in the end, and makes the way there short.
func (s substitution) find(lit uint32) uint32 {
	var way []uint32
	for by, ok := s[lit/2]; ok && len(way) < len(s); by, ok = s[lit/2] {
		way = append(way, lit)
		lit = by ^ lit&1
	}
	for _, l := range way {
		if l/2 != lit/2 {
			s[l/2] = lit ^ l&1
		}
	}
	return lit
}

// apply replaces all uses. The definitions of the variables must be gone.
func (s substitution) apply(m *aiger.Model) {
	if len(s) == 0 {
		return
	}
	each(m, func(lit *uint32) { *lit = s.find(*lit) })
	m.SubstituteAsides(func(a syntax.AsideEntry) (uint32, bool) { return s.find(a.Lit), true })
}

// each calls f for every literal that is used; of latches that is the reset, too, also of
// free ones, and the literals that are defined are left out.
func each(m *aiger.Model, f func(lit *uint32)) {
	lists := [][]uint32{m.Outputs, m.Bads, m.Constraints, m.Fairness}
	for _, list := range slices.Concat(lists, m.Justice) {
		for i := range list {
			f(&list[i])
		}
	}
	for i := range m.Latches {
		f(&m.Latches[i].Next)
		f(&m.Latches[i].Reset)
	}
	for i := range m.Ands {
		f(&m.Ands[i].RHS0)
		f(&m.Ands[i].RHS1)
	}
}

// trivial returns the literal that a gate is equal to, if it is one of its operands or
// constant.
func trivial(g syntax.And) (lit uint32, ok bool) {
	switch {
	case g.RHS0 == 0 || g.RHS1 == 0 || g.RHS0 == g.RHS1^1:
		return 0, true
	case g.RHS0 == 1 || g.RHS0 == g.RHS1:
		return g.RHS1, true
	case g.RHS1 == 1:
		return g.RHS0, true
	}
	return 0, false
}

// fold replaces trivial gates until there are none.
func fold(m *aiger.Model) {
	for {
		to := substitution{}
		m.Ands = slices.DeleteFunc(m.Ands, func(g syntax.And) bool {
			lit, ok := trivial(g)
			if ok {
				to[g.LHS/2] = lit
			}
			return ok
		})
		if len(to) == 0 {
			return
		}
		to.apply(m)
	}
}

// usedVars returns which variables an output, a property or a constraint depends on. A
// variable of the model is smaller than its length.
func usedVars(m *aiger.Model) []bool {
	largest := m.MaxVar
	define := func(lit uint32) { largest = max(largest, lit/2) }
	each(m, func(lit *uint32) { define(*lit) })
	for _, lit := range m.Inputs {
		define(lit)
	}
	for _, l := range m.Latches {
		define(l.Lit)
	}
	for _, g := range m.Ands {
		define(g.LHS)
	}
	operands := make([][2]uint32, largest+1)
	for _, l := range m.Latches {
		operands[l.Lit/2] = [2]uint32{l.Next, l.Reset}
	}
	for _, g := range m.Ands {
		operands[g.LHS/2] = [2]uint32{g.RHS0, g.RHS1}
	}
	used := make([]bool, largest+1)
	used[0] = true
	var todo []uint32
	for _, list := range slices.Concat([][]uint32{m.Outputs, m.Bads, m.Constraints, m.Fairness}, m.Justice) {
		todo = append(todo, list...)
	}
	for _, a := range m.Asides() {
		todo = append(todo, a.Lit)
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1] / 2
		todo = todo[:len(todo)-1]
		if !used[v] {
			used[v] = true
			todo = append(todo, operands[v][0], operands[v][1])
		}
	}
	return used
}

// dropUnused leaves out what nothing depends on.
func dropUnused(m *aiger.Model) {
	used := usedVars(m)
	m.Ands = slices.DeleteFunc(m.Ands, func(g syntax.And) bool { return !used[g.LHS/2] })
	unused := func(lit uint32) bool { return !used[lit/2] }
	dropNames(m, syntax.SectionLatches, len(m.Latches), func(i int) bool { return unused(m.Latches[i].Lit) })
	m.Latches = slices.DeleteFunc(m.Latches, func(l syntax.Latch) bool { return unused(l.Lit) })
	dropNames(m, syntax.SectionInputs, len(m.Inputs), func(i int) bool { return unused(m.Inputs[i]) })
	m.Inputs = slices.DeleteFunc(m.Inputs, unused)
}
