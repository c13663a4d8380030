package proof

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// StepClauses are clauses that hold in each step of a circuit: what some of its gates compute.
type StepClauses struct {
	c       *circuit.Circuit
	has     map[circuit.Var]bool
	Clauses cert.Invariant
}

// NewStepClauses returns none yet.
func NewStepClauses(c *circuit.Circuit) *StepClauses {
	return &StepClauses{c: c, has: map[circuit.Var]bool{}}
}

// Add adds the gates that literals depend on within a step, at most so many; ok is false, and nothing
// is added, where there are more.
func (s *StepClauses) Add(most int, lits ...circuit.Lit) (ok bool) {
	var added []circuit.Var
	todo := lits
	for len(todo) > 0 {
		v := todo[len(todo)-1].Var()
		todo = todo[:len(todo)-1]
		left, right, isGate := s.c.Operands(v)
		if !isGate || s.has[v] {
			continue
		}
		s.has[v] = true
		if added = append(added, v); len(added) > most {
			for _, v := range added {
				delete(s.has, v)
			}
			return false
		}
		todo = append(todo[:len(todo):len(todo)], left, right)
	}
	for _, v := range added {
		left, right, _ := s.c.Operands(v)
		g := v.Lit()
		s.Clauses = append(s.Clauses, []circuit.Lit{g.Not(), left}, []circuit.Lit{g.Not(), right}, []circuit.Lit{g, left.Not(), right.Not()})
	}
	return true
}
