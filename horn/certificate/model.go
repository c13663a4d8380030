package certificate

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/internal/source"
)

// readModel reads definitions. Behind them it writes a clause P(x) ⇒ is(x) for each predicate P, where is is new: what
// the definition says of x is then the constraint of that clause.
func readModel(s *horn.System, text string) (m cert.Model, err error) {
	const prefix = "the model of "
	asked := strings.Builder{}
	asked.WriteString(text + "\n")
	starts := make([]int, len(s.Preds)) // of what is asked about each predicate
	for i, p := range s.Preds {
		starts[i] = asked.Len()
		head, name := term.Quote(prefix+p.Name), term.Quote(p.Name)
		fmt.Fprintf(&asked, "(declare-fun %s (%s) Bool)\n", head, sorts(p.Args))
		if len(p.Args) == 0 {
			fmt.Fprintf(&asked, "(assert (=> %s %s))\n", name, head)
			continue
		}
		vars, args := "", ""
		for i, of := range p.Args {
			vars += fmt.Sprintf("(x%d %s)", i, of)
			args += fmt.Sprintf(" x%d", i)
		}
		fmt.Fprintf(&asked, "(assert (forall (%s) (=> (%s%s) (%s%s))))\n", vars, name, args, head, args)
	}
	file := syntax.Parse(source.NewText(asked.String()), nil)
	if d := file.Structural(); d != nil && d.Span.Start < len(text) {
		return m, errorAt(file, *d)
	} else if d != nil {
		p := s.Preds[max(0, sort.SearchInts(starts, d.Span.Start+1)-1)]
		return m, fmt.Errorf("the model does not define %s with the sorts (%s)", p.Name, sorts(p.Args))
	}
	system := file.System()
	m.Terms = system.Terms.Clone()
	m.Definitions = make([]cert.Definition, len(s.Preds))
	by := predicates(s)
	for p, pred := range s.Preds {
		d := cert.Definition{Formula: term.False}
		for i, of := range pred.Args {
			d.Params = append(d.Params, m.Terms.Fresh(fmt.Sprint("x", i), of))
		}
		m.Definitions[p] = d
	}
	for _, c := range system.Clauses {
		p, ok := horn.NoPred, false
		if !c.IsQuery() {
			p, ok = by[strings.TrimPrefix(system.Preds[c.Head.Pred].Name, prefix)]
		}
		if !ok || len(c.Body) > 0 {
			return m, errors.New("a model has definitions, and neither unknown predicates nor assertions")
		}
		d := &m.Definitions[p]
		to := map[term.Term]term.Term{}
		for i, x := range c.Head.Args {
			to[x] = d.Params[i]
		}
		if len(to) < len(d.Params) || slices.ContainsFunc(c.Vars, func(v term.Term) bool { return to[v] == term.None }) {
			return m, fmt.Errorf("the definition of %s cannot be read", s.Preds[p].Name)
		}
		d.Formula = m.Terms.Or(d.Formula, m.Terms.Substitute(c.Constraint, to))
	}
	return m, nil
}
