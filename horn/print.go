package horn

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"aiglens/horn/term"
)

// WriteSMT writes a system as SMT-LIB 2.6, in logic HORN. Clauses whose variables have names of their own are read
// as the same clauses.
func (s *System) WriteSMT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "(set-logic HORN)")
	for _, p := range s.Preds {
		fmt.Fprintf(b, "(declare-fun %s (", term.Quote(p.Name))
		for i, sort := range p.Args {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(sort.String())
		}
		fmt.Fprintln(b, ") Bool)")
	}
	p := s.Terms.Clone()
	for i := range s.Clauses {
		fmt.Fprintf(b, "(assert %s)\n", s.clauseSMT(p, &s.Clauses[i]))
	}
	fmt.Fprintln(b, "(check-sat)")
	return b.Flush()
}

// ClauseSMT returns a clause as a formula of SMT-LIB.
func (s *System) ClauseSMT(c *Clause) string { return s.clauseSMT(s.Terms.Clone(), c) }

// clauseSMT makes terms in a pool that has those of the system.
func (s *System) clauseSMT(p *term.Pool, c *Clause) string {
	body := make([]term.Term, 0, len(c.Body)+1)
	for _, a := range c.Body {
		body = append(body, a.Term(p))
	}
	print := term.Printer{Pool: p, Pred: func(i int) string { return s.Preds[i].Name }}
	text := fmt.Sprintf("(=> %s %s)", print.String(p.And(append(body, c.Constraint)...)), print.String(c.Head.Term(p)))
	if len(c.Vars) == 0 {
		return text
	}
	var vars strings.Builder
	for i, v := range c.Vars {
		if i > 0 {
			vars.WriteByte(' ')
		}
		fmt.Fprintf(&vars, "(%s %s)", term.Quote(p.Name(v)), p.SortOf(v))
	}
	return fmt.Sprintf("(forall (%s) %s)", vars.String(), text)
}
