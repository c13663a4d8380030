package certificate

import (
	"fmt"
	"slices"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/horn/term"
)

// model reads a definition for each predicate. Definitions of other names are for these to use.
func (c commands) model(s *horn.System) (m cert.Model, err error) {
	formOf := map[string]int{} // which Structural has found to differ
	for _, k := range c.forms {
		if d, ok := c.DefinitionOf(k); ok {
			formOf[d.Name] = k
		}
	}
	m.Terms = term.NewPool()
	for _, p := range s.Preds {
		k, ok := formOf[p.Name]
		if !ok {
			return m, fmt.Errorf("the model does not define %s with the sorts (%s)", p.Name, sorts(p.Args))
		}
		d, _ := c.DefinitionOf(k)
		if of := sortsOf(d); d.Sort != term.Bool || !slices.Equal(of, p.Args) {
			return m, c.errorAt(c.FormSpan(k), "the model defines %s as (%s) %s, and the clauses declare it as (%s) Bool", p.Name, sorts(of), d.Sort, sorts(p.Args))
		}
		if hasQuantifier(d) {
			return m, c.errorAt(c.FormSpan(k), "aiglens checks definitions without quantifiers, and that of %s has one", p.Name)
		}
		to := term.NewCopy(m.Terms, d.Terms)
		m.Definitions = append(m.Definitions, cert.Definition{Params: to.All(d.Params), Formula: to.Copy(d.Body)})
	}
	return m, nil
}

// sortsOf returns the sorts of the parameters of a definition.
func sortsOf(d syntax.Definition) []term.Sort {
	all := make([]term.Sort, len(d.Params))
	for i, v := range d.Params {
		all[i] = d.Terms.SortOf(v)
	}
	return all
}

func hasQuantifier(d syntax.Definition) (has bool) {
	d.Terms.Walk([]term.Term{d.Body}, nil, func(t term.Term) {
		op := d.Terms.Op(t)
		has = has || op == term.OpForall || op == term.OpExists
	})
	return has
}
