package horn

import (
	"strings"

	"aiglens/horn/term"
)

// ClauseInfix returns a clause as people write it: "P(x) ∧ x < 3 ⇒ P(x + 1)". limit is that of term.Infix, for each
// constraint and argument.
func (s *System) ClauseInfix(c *Clause, limit int) string {
	var parts []string
	for _, a := range c.Body {
		parts = append(parts, s.AtomInfix(a, limit))
	}
	constraints := s.Terms.Conjuncts(c.Constraint)
	for _, t := range constraints {
		text := term.Infix(s.Terms, t, nil, limit)
		if op := s.Terms.Op(t); (op == term.OpOr || op == term.OpIff) && len(parts)+len(constraints) > 1 {
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	head := "false"
	if !c.IsQuery() {
		head = s.AtomInfix(c.Head, limit)
	}
	if len(parts) == 0 {
		return "⇒ " + head
	}
	return strings.Join(parts, " ∧ ") + " ⇒ " + head
}

// AtomInfix returns an atom as people write it: "P(x + 1, y)". limit is that of term.Infix, for each argument.
func (s *System) AtomInfix(a Atom, limit int) string {
	name := s.Preds[a.Pred].Name
	if len(a.Args) == 0 {
		return name
	}
	args := make([]string, len(a.Args))
	for i, t := range a.Args {
		args[i] = term.Infix(s.Terms, t, nil, limit)
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// ClauseNames returns a clause by its predicates alone: "P, Q ⇒ R".
func (s *System) ClauseNames(c *Clause) string {
	shape := c.Shape()
	return shape.Names(s.Preds)
}

// Names returns the clause by the names of its predicates: "P, Q ⇒ R".
func (c *Shape) Names(preds []Predicate) string {
	var parts []string
	for _, p := range c.Body {
		parts = append(parts, preds[p].Name)
	}
	head := "false"
	if !c.IsQuery() {
		head = preds[c.Head].Name
	}
	return strings.TrimPrefix(strings.Join(parts, ", ")+" ⇒ "+head, " ")
}
