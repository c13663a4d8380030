package horn

// Uses says how the predicates of a system depend on each other.
type Uses struct {
	InBody   []bool // some clause has the predicate in its body
	Derived  []bool // some clause has it as its head
	Asked    []bool // some query depends on it
	HasQuery bool
}

// Shape is a clause without its terms. The head of a query is NoPred.
type Shape struct {
	Head   Pred
	Body   []Pred
	Origin int // as that of the clause
}

// Shape returns the clause without its terms.
func (c *Clause) Shape() Shape {
	s := Shape{Head: c.Head.Pred, Origin: c.Origin}
	for _, a := range c.Body {
		s.Body = append(s.Body, a.Pred)
	}
	return s
}

// Shapes returns the clauses without their terms.
func (s *System) Shapes() []Shape {
	all := make([]Shape, len(s.Clauses))
	for i := range s.Clauses {
		all[i] = s.Clauses[i].Shape()
	}
	return all
}

// IsQuery reports whether the head is false.
func (c *Shape) IsQuery() bool { return c.Head == NoPred }

// UsesOf looks at all clauses over n predicates.
func UsesOf(n int, clauses []Shape) Uses {
	u := Uses{InBody: make([]bool, n), Derived: make([]bool, n), Asked: make([]bool, n)}
	by := make([][]int, n) // the clauses that derive a predicate
	var todo []Pred
	ask := func(c *Shape) {
		for _, p := range c.Body {
			if !u.Asked[p] {
				u.Asked[p] = true
				todo = append(todo, p)
			}
		}
	}
	for i := range clauses {
		c := &clauses[i]
		for _, p := range c.Body {
			u.InBody[p] = true
		}
		if c.IsQuery() {
			u.HasQuery = true
			ask(c)
			continue
		}
		u.Derived[c.Head] = true
		by[c.Head] = append(by[c.Head], i)
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, i := range by[p] {
			ask(&clauses[i])
		}
	}
	return u
}
