package cert

import "aiglens/circuit"

// propagation tests clauses by unit propagation: one is implied by others when these, with
// all its literals false, contradict each other by clauses of which but one literal is
// left. Proofs of that kind are those of Goldberg and Novikov, "Verification of Proofs of
// Unsatisfiability for CNF Formulas" (DATE 2003); a solver has them at hand, for each
// clause that it learns is implied so by those before.
type propagation struct {
	arena   []circuit.Lit   // the clauses, each after its length; the first two literals are watched
	watches [][]int         // by literal: the clauses that watch it, as positions in arena
	values  []circuit.Value // by variable
	trail   []circuit.Lit   // what is true, in the order in which it became so
	head    int             // of trail: what was propagated
	broken  bool            // the clauses contradict each other: they imply everything
	// within are the variables that conclusions of implies are drawn about; nil is all. With
	// fewer conclusions less is implied, never more.
	within func(circuit.Var) bool
}

// newPropagation returns one in which variable 0 is the constant false.
func newPropagation() *propagation {
	p := &propagation{}
	p.variable(circuit.X)
	p.add(circuit.True)
	return p
}

// variable adds the next variable.
func (p *propagation) variable(v circuit.Value) {
	p.values = append(p.values, v)
	p.watches = append(p.watches, nil, nil)
}

// has reports whether all variables of a clause are there.
func (p *propagation) has(clause []circuit.Lit) bool {
	for _, l := range clause {
		if int(l.Var()) >= len(p.values) {
			return false
		}
	}
	return true
}

func (p *propagation) value(l circuit.Lit) circuit.Value {
	return p.values[l.Var()].NotIf(l.IsNegated())
}

func (p *propagation) assign(l circuit.Lit) {
	p.values[l.Var()] = circuit.ValueOf(!l.IsNegated())
	p.trail = append(p.trail, l)
}

// add adds a clause for good.
func (p *propagation) add(clause ...circuit.Lit) {
	if p.broken {
		return
	}
	at := len(p.arena)
	p.arena = append(append(p.arena, circuit.Lit(len(clause))), clause...)
	own := p.arena[at+1:]
	open := 0 // literals in front that are not false
	for i, l := range own {
		if p.value(l) != circuit.Zero {
			own[i], own[open] = own[open], l
			open++
		}
	}
	switch {
	case open == 0:
		p.broken = true
	case open == 1:
		if p.value(own[0]) == circuit.X {
			p.assign(own[0])
			p.broken = !p.propagate(nil)
		}
	default:
		p.watches[own[0]] = append(p.watches[own[0]], at)
		p.watches[own[1]] = append(p.watches[own[1]], at)
		return
	}
	p.arena = p.arena[:at] // what is fixed stays so
}

// implies reports whether a clause follows by propagation.
func (p *propagation) implies(clause ...circuit.Lit) bool {
	if p.broken {
		return true
	}
	fixed := len(p.trail)
	follows := false
	for _, l := range clause {
		switch p.value(l) {
		case circuit.One:
			follows = true
		case circuit.X:
			p.assign(l.Not())
		}
	}
	follows = follows || !p.propagate(p.within)
	for _, l := range p.trail[fixed:] {
		p.values[l.Var()] = circuit.X
	}
	p.trail, p.head = p.trail[:fixed], fixed
	return follows
}

// propagate draws conclusions, about some variables only unless within is nil. It reports
// whether there is no contradiction.
func (p *propagation) propagate(within func(circuit.Var) bool) bool {
	for ; p.head < len(p.trail); p.head++ {
		falsified := p.trail[p.head].Not()
		list := p.watches[falsified]
		kept := 0
		for i, at := range list {
			clause := p.arena[at+1 : at+1+int(p.arena[at])]
			if clause[0] == falsified {
				clause[0], clause[1] = clause[1], falsified
			}
			if p.value(clause[0]) != circuit.One {
				if k := p.other(clause); k > 0 {
					clause[1], clause[k] = clause[k], falsified
					p.watches[clause[1]] = append(p.watches[clause[1]], at)
					continue
				}
				if p.value(clause[0]) == circuit.Zero {
					kept += copy(list[kept:], list[i:])
					p.watches[falsified] = list[:kept]
					return false
				}
				if within == nil || within(clause[0].Var()) {
					p.assign(clause[0])
				}
			}
			list[kept] = at
			kept++
		}
		p.watches[falsified] = list[:kept]
	}
	return true
}

// other returns the position of a literal after the watched ones that is not false, or 0.
func (p *propagation) other(clause []circuit.Lit) int {
	for k := 2; k < len(clause); k++ {
		if p.value(clause[k]) != circuit.Zero {
			return k
		}
	}
	return 0
}
