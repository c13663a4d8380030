package proof

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// subset is the clauses of an invariant that are left. Of those that are in this holds, with
// C the constraints and T a step, and each starts with the invariant:
//
//	clauses[safety] ∧ C ⇒ ¬bad
//	clauses[i] ∧ clauses[i.support] ∧ C ∧ T ⇒ clauses[i]′
//
// where support and safety, as long as they are not known, are all that are in.
type subset struct {
	*minimizer
	solver  sat.Solver
	clauses []clause
	safety  []int // the clauses that the property needs
	// next is the first selector of the solver that has no clause.
	next, last circuit.Var
}

// clause is one of a subset.
type clause struct {
	lits     []circuit.Lit
	selector circuit.Lit // with which the solver has it
	support  []int       // the other clauses with which it holds after a step
	known    bool        // support is
	in       bool
}

// spareSelectors is how many clauses a solver takes beyond twice those of the pool.
const spareSelectors = 100

func (m *minimizer) newSubset(inv cert.Invariant) *subset {
	s := &subset{minimizer: m, clauses: make([]clause, len(inv))}
	for i, lits := range inv {
		s.clauses[i] = clause{lits: lits, in: true}
	}
	s.renew()
	return s
}

// renew starts again with a solver.
func (s *subset) renew() {
	d := encode.Gates(s.c)
	s.next = circuit.Var(d.NumVars())
	for range 2*len(s.clauses) + spareSelectors {
		s.last = d.Define(nil)
	}
	s.solver = sat.NewCore(d)
	for _, x := range s.c.Constraints() {
		s.solver.AddClause([]circuit.Lit{x.Lit})
	}
	for i := range s.clauses {
		s.tell(i)
	}
}

// tell tells the solver a clause under a new selector.
func (s *subset) tell(i int) {
	if s.next > s.last {
		s.renew()
		return
	}
	k := &s.clauses[i]
	k.selector = s.next.Lit()
	s.next++
	s.solver.AddClause(append(slices.Clone(k.lits), k.selector.Not()))
}

// question is one to the solver: can literals hold in a step that begins in a state of a
// clause, nil for any, and of clauses of the subset?
type question struct {
	lits     []circuit.Lit
	temp     []circuit.Lit
	selected []int // to begin with
	without  int   // a clause that may not be used, or −1
	rounds   int   // of the solver at most; 0 is no limit
}

// refute looks for clauses with which a question is answered by no, and returns those that
// it needs; ok is false when there are none, or they are hard to find.
func (s *subset) refute(q question) (support []int, ok bool, err error) {
	selected := slices.Clone(q.selected)
	for round := 0; q.rounds == 0 || round < q.rounds; round++ {
		assumptions := slices.Clone(q.lits)
		var roots []circuit.Lit
		for _, i := range selected {
			assumptions = append(assumptions, s.clauses[i].selector)
			roots = append(roots, s.clauses[i].lits...)
		}
		r, err := s.solve(s.solver, sat.Query{Assumptions: assumptions, Clause: q.temp, Roots: append(roots, q.temp...)})
		if err != nil {
			return nil, false, err
		}
		if r == sat.Unsat {
			for _, i := range selected {
				if s.solver.InCore(s.clauses[i].selector) {
					support = append(support, i)
				}
			}
			return support, true, nil
		}
		if s.spent >= s.effort {
			return nil, false, nil
		}
		more := s.violated(q, selected)
		if len(more) == 0 {
			return nil, false, nil
		}
		selected = append(selected, more...)
	}
	return nil, false, nil
}

// maxTaken bounds the clauses that are taken for one model.
const maxTaken = 4

// violated returns clauses that the model violates.
func (s *subset) violated(q question, selected []int) []int {
	s.read(s.solver)
	var more []int
	looked := 0
	for i := range s.clauses {
		k := &s.clauses[i]
		if i == q.without || !k.in {
			continue
		}
		looked += len(k.lits)
		if s.satisfies(k.lits) || slices.Contains(selected, i) {
			continue
		}
		if more = append(more, i); len(more) == maxTaken {
			break
		}
	}
	s.spent += int64(looked / lookShare)
	return more
}

// find finds out what each clause, and the property, needs; false when the effort has ended
// before.
func (s *subset) find() (ok bool, err error) {
	if s.safety == nil {
		if s.safety, ok, err = s.refute(question{lits: []circuit.Lit{s.bad}, without: -1}); !ok {
			return false, err
		}
	}
	for i := range s.clauses {
		k := &s.clauses[i]
		if !k.in || k.known {
			continue
		}
		support, ok, err := s.refute(question{lits: s.violatedNext(k.lits), selected: []int{i}, without: -1})
		if !ok {
			return false, err
		}
		k.support, k.known = without(support, i), true
	}
	s.collect()
	return true, nil
}

func without(list []int, i int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(j int) bool { return i == j })
}

// invariant returns the clauses that are in.
func (s *subset) invariant() cert.Invariant {
	inv := cert.Invariant{}
	for _, k := range s.clauses {
		if k.in {
			inv = append(inv, k.lits)
		}
	}
	return inv
}

func (s *subset) literals() int { return facts.Literals(s.invariant()) }
