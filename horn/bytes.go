package horn

import "aiglens/horn/term"

// Systems as bytes, for other processes: with the same names, clauses and numbers of predicates. Terms have other
// numbers.

// AppendBinary appends the system.
func (s *System) AppendBinary(dst []byte) []byte {
	w := term.NewWriter(s.Terms)
	w.Number(len(s.Preds))
	for _, p := range s.Preds {
		w.Text(p.Name)
		w.Number(len(p.Args))
		for _, sort := range p.Args {
			w.Number(int(sort))
		}
	}
	w.Number(len(s.Clauses))
	for i := range s.Clauses {
		c := &s.Clauses[i]
		w.Terms(c.Vars)
		w.Number(len(c.Body))
		for _, a := range append(c.Body[:len(c.Body):len(c.Body)], c.Head) {
			w.Number(int(a.Pred) + 1)
			w.Terms(a.Args)
		}
		w.Term(c.Constraint)
		w.Number(c.Origin)
	}
	return w.AppendTo(dst)
}

// maxOrigin bounds Clause.Origin in bytes.
const maxOrigin = 1<<31 - 1

// ReadBinary reads a system. Whether its clauses are what this package says is for others to check.
func ReadBinary(data []byte) (*System, error) {
	r := term.NewReader(data)
	s := &System{Terms: r.Pool}
	for range r.Each() {
		p := Predicate{Name: r.Text()}
		for range r.Each() {
			p.Args = append(p.Args, r.Sort())
		}
		s.Preds = append(s.Preds, p)
	}
	atom := func() Atom { return Atom{Pred: Pred(r.Number(len(s.Preds)) - 1), Args: r.Terms()} }
	for range r.Each() {
		c := Clause{Vars: r.Terms()}
		for range r.Each() {
			c.Body = append(c.Body, atom())
		}
		c.Head, c.Constraint, c.Origin = atom(), r.Term(), r.Number(maxOrigin)
		s.Clauses = append(s.Clauses, c)
	}
	return s, r.End()
}
