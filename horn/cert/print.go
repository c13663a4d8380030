package cert

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"strings"

	"aiglens/horn"
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// WriteSMT writes a model of s as SMT-LIB 2.6 does: a list of define-fun.
func (m Model) WriteSMT(w io.Writer, s *horn.System) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "(")
	terms := m.Terms.Clone()
	for p, d := range m.Definitions {
		by, params := map[term.Term]term.Term{}, make([]string, len(d.Params))
		for i, param := range d.Params {
			v := terms.Var(fmt.Sprint("x", i), terms.SortOf(param))
			by[param] = v
			params[i] = fmt.Sprintf("(x%d %s)", i, terms.SortOf(param))
		}
		text := term.Printer{Pool: terms}.String(terms.Substitute(d.Formula, by))
		fmt.Fprintf(b, "  (define-fun %s (%s) Bool\n    %s)\n", term.Quote(s.Preds[p].Name), strings.Join(params, " "), text)
	}
	fmt.Fprintln(b, ")")
	return b.Flush()
}

// WriteSMT writes a derivation of false from s as a text of SMT-LIB 2.6: the predicates, and the instance of each
// clause that is a step. They have no variables, and contradict each other.
func (d Derivation) WriteSMT(w io.Writer, s *horn.System) error {
	b := bufio.NewWriter(w)
	for _, p := range s.Preds {
		sorts := make([]string, len(p.Args))
		for i, sort := range p.Args {
			sorts[i] = sort.String()
		}
		fmt.Fprintf(b, "(declare-fun %s (%s) Bool)\n", term.Quote(p.Name), strings.Join(sorts, " "))
	}
	terms := s.Terms.Clone()
	for i, step := range d {
		c := s.Clauses[step.Clause]
		text := step.Text(i, s, &c)
		by := map[term.Term]term.Term{}
		for k, v := range c.Vars {
			by[v] = termOf(terms, step.Values[k], terms.SortOf(v))
		}
		c.Vars, c.Constraint = nil, terms.Substitute(c.Constraint, by)
		instance := func(a horn.Atom) horn.Atom {
			args := make([]term.Term, len(a.Args))
			for j, t := range a.Args {
				args[j] = terms.Substitute(t, by)
			}
			return horn.Atom{Pred: a.Pred, Args: args}
		}
		body := make([]horn.Atom, len(c.Body))
		for j, a := range c.Body {
			body[j] = instance(a)
		}
		c.Body, c.Head = body, instance(c.Head)
		fmt.Fprintf(b, "; %s\n", text.OnLine())
		ground := &horn.System{Terms: terms, Preds: s.Preds}
		fmt.Fprintf(b, "(assert %s)\n", ground.ClauseSMT(&c))
	}
	fmt.Fprintln(b, "(check-sat)")
	return b.Flush()
}

// termOf returns a value as a term.
func termOf(p *term.Pool, v Value, sort term.Sort) term.Term {
	if sort == term.Bool {
		return term.Truth(v.Bool)
	}
	return p.NumberOf(rational.FromBig(new(big.Rat).Set(v.Number)), sort)
}
