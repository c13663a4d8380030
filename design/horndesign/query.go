package horndesign

import (
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/internal/source"
)

// Fingerprint is that of the clauses of a text: two texts with one fingerprint have the same clauses in the same order.
type Fingerprint = syntax.Fingerprint

// Query is a query with all that its answer depends on.
type Query struct {
	Property    circuit.Property
	Name        string
	Row         source.Span
	Fingerprint Fingerprint // of all clauses of the text
	form        int
	syntax      *fileSyntax
}

// Queries returns the queries of a text, in its order; none where an error leaves open what it means.
func Queries(d *design.Design) []Query {
	if s, ok := d.Syntax().(*fileSyntax); ok {
		return s.queries()
	}
	return nil
}

func (s *fileSyntax) findQueries() []Query {
	if s.file.Structural() != nil {
		return nil
	}
	fingerprint := s.file.Fingerprint()
	var all []Query
	for _, p := range s.Properties() {
		form, _ := s.file.FormAt(p.Row.Start)
		all = append(all, Query{Property: p.ID, Name: p.Name, Row: p.Row, Fingerprint: fingerprint, form: form, syntax: s})
	}
	return all
}

// System returns the clauses of the text that are no queries, and those of this one. All of the text is read for it.
func (q Query) System() *horn.System {
	all := *q.syntax.file.System()
	all.Clauses = slices.DeleteFunc(slices.Clone(all.Clauses), func(c horn.Clause) bool { return c.IsQuery() && c.Origin != q.form })
	return &all
}

// clauses returns where the clauses of System stand: form and place among the clauses there.
func (q Query) clauses() (all [][2]int) {
	nth, last := 0, -1
	for _, c := range q.syntax.file.Shapes() {
		if nth++; c.Origin != last {
			nth, last = 0, c.Origin
		}
		if !c.IsQuery() || c.Origin == q.form {
			all = append(all, [2]int{c.Origin, nth})
		}
	}
	return all
}

// Step is a step of a derivation in the text.
type Step struct {
	Number int         // from 1
	Form   source.Span // the list of the clause
	Text   string      // what is derived: "P(1, 2)"
	From   []int       // the numbers of the steps that it uses
}

// StepsOf returns the derivation of an answer to the query in this text. Only the forms are read that it uses.
func (q Query) StepsOf(c cert.Checked) (all []Step) {
	derivation := c.Derivation()
	if len(derivation) == 0 {
		return nil
	}
	clauses, read := q.clauses(), map[int]*horn.System{}
	for i, x := range derivation {
		form, nth := clauses[x.Clause][0], clauses[x.Clause][1]
		if read[form] == nil {
			read[form] = q.syntax.file.ClausesOf(form)
		}
		clause := &read[form].Clauses[nth]
		step := Step{Number: i + 1, Form: q.syntax.file.FormSpan(form), Text: "false"}
		if !clause.IsQuery() {
			step.Text = instance(read[form], clause, x.Values)
		}
		for _, p := range x.Premises {
			step.From = append(step.From, p+1)
		}
		all = append(all, step)
	}
	return all
}

// instance writes the head of a clause with the values of its variables.
func instance(s *horn.System, c *horn.Clause, values []cert.Value) string {
	by := map[term.Term]cert.Value{}
	for i, v := range c.Vars {
		by[v] = values[i]
	}
	evaluation := term.NewEvaluation(s.Terms, func(v term.Term) term.Value {
		x := by[v]
		if x.Number == nil {
			return term.Value{Truth: x.Bool}
		}
		return term.Value{Number: rational.FromBig(x.Number)}
	})
	pool := s.Terms.Clone()
	atom := horn.Atom{Pred: c.Head.Pred}
	for _, a := range c.Head.Args {
		value := evaluation.Value(a)
		if sort := pool.SortOf(a); sort == term.Bool {
			atom.Args = append(atom.Args, term.Truth(value.Truth))
		} else {
			atom.Args = append(atom.Args, pool.NumberOf(value.Number, sort))
		}
	}
	return (&horn.System{Terms: pool, Preds: s.Preds}).AtomInfix(atom)
}

// maxInvariant bounds the bytes of an invariant in a hover.
const maxInvariant = 1000

// InvariantOf returns the definition of the predicate at an offset in the model of an answer, with the names that a
// clause of the text gives its arguments: "P(x, n) ⇒ 0 ≤ x ∧ x ≤ n"; "" for none.
func (q Query) InvariantOf(c cert.Checked, offset int) string {
	o, ok := q.syntax.file.OccurrenceAt(offset)
	m := c.Model()
	if !ok || o.Pred == horn.NoPred || m.Terms == nil || int(o.Pred) >= len(m.Definitions) {
		return ""
	}
	definition := m.Definitions[o.Pred]
	pool, by := m.Terms.Clone(), map[term.Term]term.Term{}
	atom := horn.Atom{Pred: o.Pred}
	for i, name := range q.argumentNames(o.Pred) {
		param := definition.Params[i]
		by[param] = pool.Var(name, pool.SortOf(param))
		atom.Args = append(atom.Args, by[param])
	}
	formula := pool.Substitute(definition.Formula, by)
	text := (&horn.System{Terms: pool, Preds: q.syntax.file.Preds()}).AtomInfix(atom) + " ⇒ " + term.Infix(pool, formula, nil)
	if len(text) > maxInvariant {
		return ""
	}
	return text
}

// argumentNames returns names for the arguments of a predicate: those of variables that stand there in a clause, else
// letters.
func (q Query) argumentNames(p horn.Pred) []string {
	pred := q.syntax.file.Preds()[p]
	last := -1
	for _, shape := range q.syntax.file.Shapes() {
		if shape.Origin == last || shape.Head != p && !slices.Contains(shape.Body, p) {
			continue
		}
		last = shape.Origin
		system := q.syntax.file.ClausesOf(shape.Origin)
		for _, c := range system.Clauses {
			for _, a := range append(c.Body, c.Head) {
				if a.Pred == horn.NoPred || system.Preds[a.Pred].Name != pred.Name {
					continue
				}
				if names, ok := distinctNames(system.Terms, a.Args); ok {
					return names
				}
			}
		}
	}
	names := make([]string, len(pred.Args))
	for i := range names {
		names[i] = fmt.Sprintf("x%d", i+1)
	}
	return names
}

// distinctNames returns the names of terms that are variables, no two the same.
func distinctNames(p *term.Pool, args []term.Term) (names []string, ok bool) {
	seen := map[string]bool{}
	for _, a := range args {
		if p.Op(a) != term.OpVar || seen[p.Name(a)] {
			return nil, false
		}
		seen[p.Name(a)] = true
		names = append(names, p.Name(a))
	}
	return names, true
}
