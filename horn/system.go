// Package horn holds systems of constrained Horn clauses over linear arithmetic.
//
// A clause says ∀x. P₁(t₁) ∧ … ∧ Pₙ(tₙ) ∧ φ(x) ⇒ head, where the head is a predicate applied to terms, or false:
// then the clause is a query. A system is satisfiable when the predicates can be defined so that each clause holds,
// and unsatisfiable when false can be derived. Field and words: Bjørner, Gurfinkel, McMillan and Rybalchenko,
// "Horn Clause Solvers for Program Verification" (2015).
//
// The package knows no text: package horn/syntax reads SMT-LIB.
package horn

import "aiglens/horn/term"

// Pred is a predicate: its place among those of the system. NoPred is the head of a query.
type Pred int

// NoPred stands for false in the place of a head.
const NoPred Pred = -1

// Predicate is an unknown of a system.
type Predicate struct {
	Name string
	Args []term.Sort
}

// Atom is a predicate applied to terms of its sorts, which contain no predicates and no quantifiers.
type Atom struct {
	Pred Pred
	Args []term.Term
}

// Clause is ∀ Vars. Body ∧ Constraint ⇒ Head.
type Clause struct {
	// Vars are the variables that occur in the clause, each once. No two have one name.
	Vars []term.Term
	Body []Atom
	// Constraint has no predicates and no quantifiers.
	Constraint term.Term
	// Head is {NoPred, nil} in a query.
	Head Atom
	// Origin is the number of the assertion that the clause comes from, as the maker of the system counts. One
	// assertion can make several clauses.
	Origin int
}

// IsQuery reports whether the head is false.
func (c *Clause) IsQuery() bool { return c.Head.Pred == NoPred }

// IsFact reports whether the body has no predicates.
func (c *Clause) IsFact() bool { return len(c.Body) == 0 }

// System is a system of clauses. It is not changed once it is made; engines and checkers that make terms clone the
// pool.
type System struct {
	Terms   *term.Pool
	Preds   []Predicate
	Clauses []Clause
}

// IsLinear reports whether no clause has two predicates in its body.
func (s *System) IsLinear() bool {
	for i := range s.Clauses {
		if len(s.Clauses[i].Body) > 1 {
			return false
		}
	}
	return true
}
