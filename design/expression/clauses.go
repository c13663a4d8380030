package expression

import (
	"fmt"
	"slices"

	"aiglens/circuit"
)

// Bounds of the clauses of an expression.
const (
	maxClauses = 256     // of a part of a conjunction
	maxLooked  = 1 << 14 // partial assignments
)

// Clauses returns clauses over signals that all have a literal that is 1 where the expression,
// which OneStep has read, holds, and only there. Parts of a conjunction have their own. The error says
// that they are too many.
func (e *Expr) Clauses() (all [][]circuit.Lit, err error) {
	if e.op == opAnd {
		for _, part := range e.args {
			own, err := part.Clauses()
			if err != nil {
				return nil, err
			}
			all = append(all, own...)
		}
		return all, nil
	}
	s := clauseSearch{e: e, values: partial{}}
	var signals []circuit.Lit
	for l := range e.Names() {
		signals = append(signals, l.Positive())
	}
	slices.Reverse(signals) // the most significant bits decide first
	seen := map[circuit.Lit]bool{}
	for _, l := range signals {
		if !seen[l] {
			seen[l] = true
			s.signals = append(s.signals, l)
		}
	}
	if !s.look(0) {
		return nil, fmt.Errorf("the expression needs more than %d clauses: compare fewer words at once", maxClauses)
	}
	return s.found, nil
}

// partial is a step in which only some variables have a value.
type partial map[circuit.Var]circuit.Value

func (p partial) Value(l circuit.Lit, _ int) circuit.Value {
	if v, ok := p[l.Var()]; ok {
		return v.NotIf(l.IsNegated())
	}
	return circuit.X
}

// clauseSearch gives signals their values one by one, until these decide the expression.
type clauseSearch struct {
	e       *Expr
	signals []circuit.Lit
	values  partial
	found   [][]circuit.Lit
	looked  int
}

// look finds the clauses for the signals from a position on; false where they are too many.
func (s *clauseSearch) look(from int) bool {
	if s.looked++; s.looked > maxLooked {
		return false
	}
	if slices.ContainsFunc(s.found, s.isViolated) {
		return true
	}
	switch s.e.Eval(s.values, 0) {
	case circuit.One:
		return true
	case circuit.Zero:
		s.found = append(s.found, s.clause())
		return len(s.found) <= maxClauses
	}
	v := s.signals[from].Var()
	defer delete(s.values, v)
	for _, value := range []circuit.Value{circuit.One, circuit.Zero} {
		s.values[v] = value
		if !s.look(from + 1) {
			return false
		}
	}
	return true
}

func (s *clauseSearch) isViolated(clause []circuit.Lit) bool {
	return !slices.ContainsFunc(clause, func(l circuit.Lit) bool { return s.values.Value(l, 0) != circuit.Zero })
}

// clause excludes the values, without those that the expression is 0 without.
func (s *clauseSearch) clause() (clause []circuit.Lit) {
	needed := partial{}
	for v, value := range s.values {
		needed[v] = value
	}
	for _, l := range slices.Backward(s.signals) {
		value, has := needed[l.Var()]
		if !has {
			continue
		}
		delete(needed, l.Var())
		if s.e.Eval(needed, 0) != circuit.Zero {
			needed[l.Var()] = value
			clause = append(clause, l.NotIf(value == circuit.One))
		}
	}
	slices.Reverse(clause)
	return clause
}
