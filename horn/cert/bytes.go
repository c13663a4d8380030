package cert

import (
	"aiglens/horn"
	"aiglens/horn/term"
)

// Certificates as bytes, for other processes.

// AppendBinary appends the certificate of an answer, which is not unknown.
func (a Answer) AppendBinary(dst []byte) []byte {
	if a.Outcome == Unsat {
		return a.Derivation.appendBinary(dst)
	}
	w := term.NewWriter(a.Model.Terms)
	w.Number(len(a.Model.Definitions))
	for _, d := range a.Model.Definitions {
		w.Terms(d.Params)
		w.Term(d.Formula)
	}
	w.Number(len(a.Model.Refutations))
	for _, all := range a.Model.Refutations {
		w.Number(len(all))
		for _, r := range all {
			w.Terms(r.Atoms)
			for _, f := range r.Factors {
				w.Text(f.RatString())
			}
		}
	}
	return w.AppendTo(dst)
}

func (d Derivation) appendBinary(dst []byte) []byte {
	w := term.NewWriter(term.NewPool())
	w.Number(len(d))
	for _, s := range d {
		w.Number(s.Clause)
		for _, v := range s.Values {
			w.Text(v.String())
		}
		for _, p := range s.Premises {
			w.Number(p)
		}
	}
	return w.AppendTo(dst)
}

// ReadBinary reads the certificate of an answer about s, whose outcome is known. Whether it shows anything is for Check to
// say.
func (a *Answer) ReadBinary(data []byte, s *horn.System) error {
	r := term.NewReader(data)
	if a.Outcome == Unsat {
		a.Derivation = readDerivation(r, s)
		return r.End()
	}
	a.Model.Terms = r.Pool
	for range r.Each() {
		a.Model.Definitions = append(a.Model.Definitions, Definition{Params: r.Terms(), Formula: r.Term()})
	}
	for range r.Each() {
		var all []Refutation
		for range r.Each() {
			x := Refutation{Atoms: r.Terms()}
			for range x.Atoms {
				x.Factors = append(x.Factors, r.Big())
			}
			all = append(all, x)
		}
		a.Model.Refutations = append(a.Model.Refutations, all)
	}
	return r.End()
}

// readDerivation reads steps, each of which has a value for each variable of its clause, and a premise for each atom of its
// body.
func readDerivation(r *term.Reader, s *horn.System) (d Derivation) {
	for i := range r.Each() {
		x := Step{Clause: r.Number(len(s.Clauses) - 1)}
		if x.Clause >= len(s.Clauses) { // there are none
			return d
		}
		c := &s.Clauses[x.Clause]
		for _, v := range c.Vars {
			if s.Terms.SortOf(v) == term.Bool {
				x.Values = append(x.Values, Value{Bool: r.Text() == "true"})
			} else {
				x.Values = append(x.Values, Value{Number: r.Big()})
			}
		}
		for range c.Body {
			x.Premises = append(x.Premises, r.Number(i))
		}
		d = append(d, x)
	}
	return d
}
