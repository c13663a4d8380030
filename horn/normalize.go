package horn

import (
	"slices"

	"aiglens/horn/term"
)

// NotHornError says why a formula is no conjunction of clauses.
type NotHornError struct {
	Term   term.Term // the part of the formula that no clause has at its place
	Reason Reason
}

func (e *NotHornError) Error() string { return e.Reason.String() }

// Reason says why a formula is no conjunction of clauses.
type Reason uint8

// The reasons.
const (
	TwoHeads        Reason = iota // a disjunction has two predicates that are not negated
	WrongQuantifier               // a variable is existential where clauses have universal ones only
	InsideTerm                    // a predicate or quantifier stands in an argument or a comparison
	TooMany                       // the formula has more than MaxClauses clauses
)

func (r Reason) String() string {
	return [...]string{
		"two predicates are not negated in one clause",
		"a variable of a clause is existential",
		"a predicate or a quantifier stands inside of a term",
		"the formula has too many clauses",
	}[r]
}

// MaxClauses is how many clauses one formula has at most. Disjunctions of predicates in bodies multiply.
const MaxClauses = 10_000

// Normalize returns the clauses whose conjunction a closed formula is: its free variables are universal, too. Bound
// variables must have names of their own. Clauses that hold whatever the predicates are, are left out. The error is
// a *NotHornError.
//
// The formula is read as a disjunction of what it denies and what it says, from outside inwards:
//
//	¬(∃x. P(x) ∧ φ)         P(x) ∧ φ ⇒ false
//	P(x) ⇒ (Q(x) ∧ φ)       P(x) ⇒ Q(x) and P(x) ∧ ¬φ ⇒ false
//	(P(x) ∨ Q(x)) ⇒ R(x)    P(x) ⇒ R(x) and Q(x) ⇒ R(x)
//
// Formulas without predicates are not taken apart: they go into the constraint.
func Normalize(p *term.Pool, formula term.Term, origin int) ([]Clause, error) {
	n := normalizer{pool: p, formula: formula, plain: map[term.Term]bool{}, origin: origin}
	if err := n.expand(draft{todo: []part{{formula, false}}}); err != nil {
		return nil, err
	}
	return n.clauses, nil
}

// part is a formula of a disjunction, or the negation of one.
type part struct {
	term    term.Term
	negated bool
}

// draft is a clause in the making: the disjunction of todo, the negations of body and constraint, and the head.
type draft struct {
	todo       []part
	splits     []part // parts of todo that make several clauses; they come last, so that less is copied
	body       []term.Term
	constraint []term.Term
	head       term.Term
}

// with returns a copy with more to do.
func (d draft) with(parts ...part) draft {
	d.todo = append(slices.Clone(d.todo), parts...)
	d.splits, d.body, d.constraint = slices.Clone(d.splits), slices.Clone(d.body), slices.Clone(d.constraint)
	return d
}

type normalizer struct {
	pool    *term.Pool
	formula term.Term
	plain   map[term.Term]bool // whether a term has neither predicates nor quantifiers
	clauses []Clause
	drafts  int
	origin  int
}

// expand makes the clauses of a draft.
func (n *normalizer) expand(d draft) error {
	if n.drafts++; n.drafts > MaxClauses {
		return &NotHornError{n.formula, TooMany}
	}
	for len(d.todo) > 0 {
		last := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		if err := n.place(&d, last); err != nil {
			return err
		}
	}
	if len(d.splits) > 0 {
		last := d.splits[len(d.splits)-1]
		d.splits = d.splits[:len(d.splits)-1]
		return n.split(d, last)
	}
	n.finish(&d)
	return nil
}

// isPlain reports whether a term has neither predicates nor quantifiers.
func (n *normalizer) isPlain(t term.Term) bool {
	if plain, ok := n.plain[t]; ok {
		return plain
	}
	op := n.pool.Op(t)
	plain := op != term.OpApply && op != term.OpForall && op != term.OpExists
	for _, a := range n.pool.Args(t) {
		plain = n.isPlain(a) && plain
	}
	n.plain[t] = plain
	return plain
}

// place puts a part where it belongs in a clause.
func (n *normalizer) place(d *draft, at part) error {
	t, args := at.term, n.pool.Args(at.term)
	switch op := n.pool.Op(t); {
	case n.isPlain(t) && at.negated:
		d.constraint = append(d.constraint, t)
	case n.isPlain(t):
		d.constraint = append(d.constraint, n.pool.Not(t))
	case op == term.OpNot:
		d.todo = append(d.todo, part{args[0], !at.negated})
	case op == term.OpApply:
		if slices.ContainsFunc(args, func(a term.Term) bool { return !n.isPlain(a) }) {
			return &NotHornError{t, InsideTerm}
		}
		switch {
		case at.negated:
			d.body = append(d.body, t)
		case d.head != term.None && d.head != t:
			return &NotHornError{t, TwoHeads}
		default:
			d.head = t
		}
	case op == term.OpOr && !at.negated, op == term.OpAnd && at.negated:
		for _, a := range slices.Backward(args) {
			d.todo = append(d.todo, part{a, at.negated})
		}
	case op == term.OpForall && !at.negated, op == term.OpExists && at.negated:
		d.todo = append(d.todo, part{args[len(args)-1], at.negated})
	case op == term.OpForall, op == term.OpExists:
		return &NotHornError{t, WrongQuantifier}
	case op == term.OpAnd, op == term.OpOr, op == term.OpIff, op == term.OpIte:
		d.splits = append(d.splits, at)
	default:
		return &NotHornError{t, InsideTerm}
	}
	return nil
}

// split makes a clause for each of the formulas whose conjunction a part is.
func (n *normalizer) split(d draft, at part) error {
	t, args := at.term, n.pool.Args(at.term)
	var cases [][]part
	switch n.pool.Op(t) {
	case term.OpIff: // (¬a ∨ b) ∧ (a ∨ ¬b)
		cases = [][]part{
			{{args[0], true}, {args[1], at.negated}},
			{{args[0], false}, {args[1], !at.negated}},
		}
	case term.OpIte: // (¬c ∨ a) ∧ (c ∨ b)
		cases = [][]part{
			{{args[0], true}, {args[1], at.negated}},
			{{args[0], false}, {args[2], at.negated}},
		}
	default: // those without predicates stay together
		var plain []term.Term
		for _, a := range args {
			if n.isPlain(a) {
				plain = append(plain, a)
			} else {
				cases = append(cases, []part{{a, at.negated}})
			}
		}
		if len(plain) > 0 && at.negated {
			cases = append(cases, []part{{n.pool.Or(plain...), true}})
		} else if len(plain) > 0 {
			cases = append(cases, []part{{n.pool.And(plain...), false}})
		}
	}
	for _, c := range cases {
		if err := n.expand(d.with(c...)); err != nil {
			return err
		}
	}
	return nil
}

// finish adds the clause of a draft, unless it always holds.
func (n *normalizer) finish(d *draft) {
	p := n.pool
	constraint := p.And(p.Conjuncts(p.And(d.constraint...))...)
	if constraint == term.False || slices.Contains(d.body, d.head) {
		return
	}
	c := Clause{Constraint: constraint, Head: Atom{Pred: NoPred}, Origin: n.origin}
	all := make([]term.Term, 0, len(d.body)+2)
	for _, b := range d.body {
		if !slices.Contains(all, b) {
			all = append(all, b)
			c.Body = append(c.Body, AtomOf(p, b))
		}
	}
	all = append(all, constraint)
	if d.head != term.None {
		c.Head = AtomOf(p, d.head)
		all = append(all, d.head)
	}
	c.Vars = p.VarsOf(all...)
	n.clauses = append(n.clauses, c)
}

// AtomOf returns a term that applies a predicate as an atom.
func AtomOf(p *term.Pool, t term.Term) Atom { return Atom{Pred(p.Pred(t)), p.Args(t)} }

// Term returns the atom as a term; False for the head of a query.
func (a Atom) Term(p *term.Pool) term.Term {
	if a.Pred == NoPred {
		return term.False
	}
	return p.Apply(int(a.Pred), a.Args...)
}
