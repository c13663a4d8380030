package horn

// Uses says how the predicates of a system depend on each other.
type Uses struct {
	InBody   []bool // some clause has the predicate in its body
	Derived  []bool // some clause has it as its head
	Asked    []bool // some query depends on it
	HasQuery bool
}

// UsesOf looks at all clauses.
func UsesOf(s *System) Uses {
	n := len(s.Preds)
	u := Uses{InBody: make([]bool, n), Derived: make([]bool, n), Asked: make([]bool, n)}
	by := make([][]int, n) // the clauses that derive a predicate
	var todo []Pred
	ask := func(c *Clause) {
		for _, a := range c.Body {
			if !u.Asked[a.Pred] {
				u.Asked[a.Pred] = true
				todo = append(todo, a.Pred)
			}
		}
	}
	for i := range s.Clauses {
		c := &s.Clauses[i]
		for _, a := range c.Body {
			u.InBody[a.Pred] = true
		}
		if c.IsQuery() {
			u.HasQuery = true
			ask(c)
			continue
		}
		u.Derived[c.Head.Pred] = true
		by[c.Head.Pred] = append(by[c.Head.Pred], i)
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, i := range by[p] {
			ask(&s.Clauses[i])
		}
	}
	return u
}
