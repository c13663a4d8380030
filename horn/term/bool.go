package term

import "slices"

// Truth returns False or True.
func Truth(value bool) Term {
	if value {
		return True
	}
	return False
}

// Var returns the variable of a name and sort. Variables of different sorts differ even under one name.
func (p *Pool) Var(name string, sort Sort) Term {
	return p.make(node{op: OpVar, sort: sort, name: name})
}

// Fresh returns a variable that the pool does not have yet, named after another one.
func (p *Pool) Fresh(name string, sort Sort) Term {
	for {
		p.fresh++
		before := len(p.nodes)
		if v := p.Var(name+"!"+itoa(p.fresh), sort); int(v) == before {
			return v
		}
	}
}

// Apply returns a predicate applied to arguments.
func (p *Pool) Apply(pred int, args ...Term) Term {
	return p.make(node{op: OpApply, sort: Bool, pred: pred, args: slices.Clone(args)})
}

// Quantified returns ∀ vars. body for OpForall, ∃ vars. body for OpExists. The variables differ.
func (p *Pool) Quantified(op Op, vars []Term, body Term) Term {
	if len(vars) == 0 || body == True || body == False { // each sort has values
		return body
	}
	return p.make(node{op: op, sort: Bool, args: append(slices.Clone(vars), body)})
}

// Not returns ¬a.
func (p *Pool) Not(a Term) Term {
	switch {
	case a == True:
		return False
	case a == False:
		return True
	case p.nodes[a].op == OpNot:
		return p.nodes[a].args[0]
	}
	return p.make(node{op: OpNot, sort: Bool, args: []Term{a}})
}

// And returns the conjunction of formulas; True for none. Conjunctions among them stay as they are: see Conjuncts.
func (p *Pool) And(args ...Term) Term { return junction(p, OpAnd, True, args) }

// Or returns the disjunction of formulas; False for none.
func (p *Pool) Or(args ...Term) Term { return junction(p, OpOr, False, args) }

// junction drops what is repeated and what has no effect: neutral is True for a conjunction, False for a disjunction.
func junction(p *Pool, op Op, neutral Term, args []Term) Term {
	const few = 16 // up to which a search through all costs less than a map
	kept := make([]Term, 0, len(args))
	var seen map[Term]bool
	if len(args) > few {
		seen = make(map[Term]bool, len(args))
	}
	has := func(t Term) bool {
		if seen != nil {
			return seen[t]
		}
		return slices.Contains(kept, t)
	}
	for _, a := range args {
		switch {
		case a == neutral || has(a):
			continue
		case a == p.Not(neutral) || has(p.Not(a)):
			return p.Not(neutral)
		}
		kept = append(kept, a)
		if seen != nil {
			seen[a] = true
		}
	}
	switch len(kept) {
	case 0:
		return neutral
	case 1:
		return kept[0]
	}
	return p.make(node{op: op, sort: Bool, args: kept})
}

// Implies returns a ⇒ b.
func (p *Pool) Implies(a, b Term) Term { return p.Or(p.Not(a), b) }

// Iff returns a ⇔ b for formulas.
func (p *Pool) Iff(a, b Term) Term {
	negated := false
	for _, t := range []*Term{&a, &b} {
		if p.nodes[*t].op == OpNot || *t == False {
			*t, negated = p.Not(*t), !negated
		}
	}
	if a > b {
		a, b = b, a
	}
	var t Term
	switch {
	case a == b:
		t = True
	case a == True:
		t = b
	default:
		t = p.make(node{op: OpIff, sort: Bool, args: []Term{a, b}})
	}
	if negated {
		return p.Not(t)
	}
	return t
}

// Equal returns a = b for formulas or for numbers.
func (p *Pool) Equal(a, b Term) Term {
	if p.nodes[a].sort == Bool {
		return p.Iff(a, b)
	}
	return difference(p, OpEq, a, b)
}

// Distinct returns that terms of one sort differ pairwise.
func (p *Pool) Distinct(args ...Term) Term {
	var all []Term
	for i, a := range args {
		for _, b := range args[:i] {
			all = append(all, p.Not(p.Equal(b, a)))
		}
	}
	return p.And(all...)
}

// Ite returns a if c holds, else b; a and b have one sort.
func (p *Pool) Ite(c, a, b Term) Term {
	if p.nodes[c].op == OpNot {
		c, a, b = p.nodes[c].args[0], b, a
	}
	switch {
	case a == b || c == True:
		return a
	case c == False:
		return b
	case p.nodes[a].sort != Bool:
		return p.make(node{op: OpIte, sort: p.nodes[a].sort, args: []Term{c, a, b}})
	case a == True || a == c:
		return p.Or(c, b)
	case b == False || b == c:
		return p.And(c, a)
	case a == False:
		return p.And(p.Not(c), b)
	case b == True:
		return p.Or(p.Not(c), a)
	case a == p.Not(b):
		return p.Iff(c, a)
	}
	return p.make(node{op: OpIte, sort: Bool, args: []Term{c, a, b}})
}

// Conjuncts returns the formulas whose conjunction a is, none of which is one itself, each once.
func (p *Pool) Conjuncts(a Term) []Term {
	if a == True {
		return nil
	}
	var all []Term
	seen := map[Term]bool{}
	var walk func(Term)
	walk = func(t Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if p.nodes[t].op != OpAnd {
			all = append(all, t)
			return
		}
		for _, c := range p.nodes[t].args {
			walk(c)
		}
	}
	walk(a)
	return all
}
