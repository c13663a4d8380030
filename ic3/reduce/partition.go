package reduce

import "aiglens/circuit"

// partition divides variables of a circuit into classes whose members are
// equal up to a phase, or are candidates for it. Each class is named by the
// member with the lowest variable, its representative; that of the constants is
// variable 0.
type partition struct {
	// rep[rep[v]] = rep[v] ≤ v. A variable that is equal to no other is its own
	// representative.
	rep []circuit.Var
	// negated[v]: v stands for ¬w where w, not negated, stands for v. So two
	// members are equal when both or none are negated; variable 0 is not.
	negated []bool
	members []circuit.Var // those that have another as representative, ascending
}

// newPartition returns one in which every variable is alone.
func newPartition(vars int) *partition {
	p := &partition{rep: make([]circuit.Var, vars), negated: make([]bool, vars)}
	for v := range p.rep {
		p.rep[v] = circuit.Var(v)
	}
	return p
}

// literal returns the literal of its representative that v is equal to.
func (p *partition) literal(v circuit.Var) circuit.Lit {
	r := p.rep[v]
	return r.Lit().NotIf(p.negated[v] != p.negated[r])
}

// normal returns the literal of v that is equal to the normal literal of every
// other member of its class.
func (p *partition) normal(v circuit.Var) circuit.Lit { return v.Lit().NotIf(p.negated[v]) }

// join puts v, which is alone, into the class of a lower representative. Calls
// come with ascending v.
func (p *partition) join(v, rep circuit.Var, negated bool) {
	p.rep[v], p.negated[v] = rep, negated
	p.members = append(p.members, v)
}

// refine separates members of a class with different keys and returns those
// that have a new representative. key is asked for the representative and for
// every other member.
func (p *partition) refine(key func(circuit.Var) uint64) (separated []circuit.Var) {
	type group struct {
		rep circuit.Var
		key uint64
	}
	var split map[group]circuit.Var // to the first member, the new representative
	left := p.members[:0]
	for _, v := range p.members {
		r := p.rep[v]
		if k := key(v); k != key(r) {
			if split == nil {
				split = map[group]circuit.Var{}
			}
			first, found := split[group{r, k}]
			if !found {
				first = v
				split[group{r, k}] = v
			}
			p.rep[v] = first
			separated = append(separated, v)
		}
		if p.rep[v] != v {
			left = append(left, v)
		}
	}
	p.members = left
	return separated
}
