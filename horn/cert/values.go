package cert

import (
	"context"

	"aiglens/horn"
	"aiglens/horn/term"
)

// Values returns values of variables with which a formula over them is true; ok is false when there are none. The error
// is that of ctx, or a *RejectedError.
func Values(ctx context.Context, terms *term.Pool, vars []term.Term, formula term.Term) (values []Value, ok bool, err error) {
	denied := &horn.System{Terms: terms, Clauses: []horn.Clause{{Vars: vars, Constraint: formula, Head: horn.Atom{Pred: horn.NoPred}}}}
	if err := checkSystem(denied); err != nil {
		return nil, false, err
	}
	found, err := violation(ctx, denied, 0, Model{})
	if err != nil || found == nil {
		return nil, false, err
	}
	return found.values, true, nil
}

// Evaluate returns the values of terms over variables that have some.
func Evaluate(terms *term.Pool, args, vars []term.Term, values []Value) []Value {
	e := newEvaluation(terms)
	for i, v := range vars {
		e.known[v] = values[i]
	}
	return e.values(args)
}

// Term returns the value as a term of a sort.
func (v Value) Term(p *term.Pool, sort term.Sort) term.Term { return termOf(p, v, sort) }
