package term

import (
	"slices"

	"aiglens/horn/rational"
)

// Value is what a term evaluates to: Truth of sort Bool, Number of the others.
type Value struct {
	Truth  bool
	Number Rat
}

// Evaluation computes values of terms under one assignment, each term once.
type Evaluation struct {
	pool   *Pool
	env    func(variable Term) Value
	values map[Term]Value
}

// NewEvaluation returns an evaluation under an assignment of the variables. Values of sort Int are integers.
func NewEvaluation(p *Pool, env func(variable Term) Value) *Evaluation {
	return &Evaluation{p, env, map[Term]Value{}}
}

// Holds reports whether a formula is true.
func (e *Evaluation) Holds(t Term) bool { return e.Value(t).Truth }

// Value returns the value of a term without predicates and quantifiers; it panics for others.
func (e *Evaluation) Value(t Term) Value {
	if v, ok := e.values[t]; ok {
		return v
	}
	v := e.compute(&e.pool.nodes[t], t)
	e.values[t] = v
	return v
}

func (e *Evaluation) compute(n *node, t Term) Value {
	truth := func(b bool) Value { return Value{Truth: b} }
	switch n.op {
	case OpConst:
		return truth(t == True)
	case OpVar:
		return e.env(t)
	case OpSum:
		return Value{Number: e.sum(n)}
	case OpLe:
		return truth(e.sum(n).Sign() <= 0)
	case OpLt:
		return truth(e.sum(n).Sign() < 0)
	case OpEq:
		return truth(e.sum(n).IsZero())
	case OpNot:
		return truth(!e.Holds(n.args[0]))
	case OpAnd:
		return truth(!slices.ContainsFunc(n.args, func(a Term) bool { return !e.Holds(a) }))
	case OpOr:
		return truth(slices.ContainsFunc(n.args, e.Holds))
	case OpIff:
		return truth(e.Holds(n.args[0]) == e.Holds(n.args[1]))
	case OpIte:
		if e.Holds(n.args[0]) {
			return e.Value(n.args[1])
		}
		return e.Value(n.args[2])
	case OpToReal:
		return e.Value(n.args[0])
	case OpDiv:
		return Value{Number: e.Value(n.args[0]).Number.Div(n.number).Floor()}
	case OpMod:
		a := e.Value(n.args[0]).Number
		return Value{Number: a.Sub(a.Div(n.number).Floor().Mul(n.number))}
	}
	panic("a term without a value")
}

func (e *Evaluation) sum(n *node) Rat {
	s := n.number
	for i, t := range n.args {
		s = s.Add(n.coefs[i].Mul(e.Value(t).Number))
	}
	return s
}

// Substitution replaces terms, each once however often it occurs.
type Substitution struct {
	pool *Pool
	by   func(Term) (Term, bool)
	done map[Term]Term
}

// NewSubstitution returns the substitution that replaces each term for which by says so, with all that stands below
// it, by a term of the same sort. What is put in is not looked into. Bound variables are terms like others: to
// replace free ones, those of quantifiers must have names of their own.
func NewSubstitution(p *Pool, by func(Term) (replacement Term, ok bool)) *Substitution {
	return &Substitution{p, by, map[Term]Term{}}
}

// Substitute replaces variables, or other terms, as a map says.
func (p *Pool) Substitute(t Term, by map[Term]Term) Term {
	return NewSubstitution(p, func(t Term) (Term, bool) { r, ok := by[t]; return r, ok }).Apply(t)
}

// Apply returns a term with the replacements made, simplified as if it were built from its parts.
func (s *Substitution) Apply(t Term) Term {
	if r, ok := s.done[t]; ok {
		return r
	}
	r, ok := s.by(t)
	if !ok {
		r = s.rebuild(t)
	}
	s.done[t] = r
	return r
}

func (s *Substitution) rebuild(t Term) Term {
	n := s.pool.nodes[t] // a copy: the pool grows below
	args, changed := make([]Term, len(n.args)), false
	for i, a := range n.args {
		args[i] = s.Apply(a)
		changed = changed || args[i] != a
	}
	if !changed {
		return t
	}
	return with(s.pool, n, args)
}

// with builds a term like a node with other arguments.
func with(p *Pool, n node, args []Term) Term {
	switch n.op {
	case OpSum:
		return p.Sum(n.sort, Linear{args, n.coefs, n.number})
	case OpLe, OpLt, OpEq:
		return p.Compare(n.op, p.SortOf(args[0]), Linear{args, n.coefs, n.number})
	case OpNot:
		return p.Not(args[0])
	case OpAnd:
		return p.And(args...)
	case OpOr:
		return p.Or(args...)
	case OpIff:
		return p.Iff(args[0], args[1])
	case OpIte:
		return p.Ite(args[0], args[1], args[2])
	case OpDiv:
		return p.Div(args[0], n.number)
	case OpMod:
		return p.Mod(args[0], n.number)
	case OpToReal:
		return p.ToReal(args[0])
	case OpApply:
		return p.Apply(n.pred, args...)
	case OpForall, OpExists:
		return p.Quantified(n.op, args[:len(args)-1], args[len(args)-1])
	}
	panic("a term without arguments")
}

// Walk calls visit once for each term that occurs in some terms, arguments before what they are part of. Of a term
// for which skip holds, nothing below is visited by way of it; skip can be nil.
func (p *Pool) Walk(terms []Term, skip func(Term) bool, visit func(Term)) {
	seen := map[Term]bool{}
	var walk func(Term)
	walk = func(t Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if skip == nil || !skip(t) {
			for _, a := range p.nodes[t].args {
				walk(a)
			}
		}
		visit(t)
	}
	for _, t := range terms {
		walk(t)
	}
}

// VarsOf returns the variables that occur in some terms, in the order in which they occur first. Bound ones are
// among them.
func (p *Pool) VarsOf(terms ...Term) []Term {
	var vars []Term
	p.Walk(terms, nil, func(t Term) {
		if p.nodes[t].op == OpVar {
			vars = append(vars, t)
		}
	})
	return vars
}

// one is the coefficient of a term alone.
var one = []Rat{rational.One}
