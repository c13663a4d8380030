package horndesign

import (
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/horn"
	"aiglens/horn/cert"
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
	Own         Fingerprint // of the clauses of the query alone
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
		all = append(all, Query{Property: p.ID, Name: p.Name, Row: p.Row, Fingerprint: fingerprint, Own: s.file.FingerprintOf(form), form: form, syntax: s})
	}
	return all
}

// System returns the clauses of the text that are no queries, and those of this one. All of the text is read for it.
func (q Query) System() *horn.System {
	all := *q.syntax.file.System()
	all.Clauses = slices.DeleteFunc(slices.Clone(all.Clauses), func(c horn.Clause) bool { return c.IsQuery() && c.Origin != q.form })
	return &all
}

// clausePlace is where a clause of System stands.
type clausePlace struct {
	form, nth int       // nth is its place among the clauses of the form
	head      horn.Pred // NoPred of a query
}

// clauses returns where the clauses of System stand, in their order.
func (q Query) clauses() (all []clausePlace) {
	nth, last := 0, -1
	for _, c := range q.syntax.file.Shapes() {
		if nth++; c.Origin != last {
			nth, last = 0, c.Origin
		}
		if !c.IsQuery() || c.Origin == q.form {
			all = append(all, clausePlace{c.Origin, nth, c.Head})
		}
	}
	return all
}

// maxInvariant bounds the bytes of an invariant that are shown.
const maxInvariant = 1000

// InvariantOf returns the definition of the predicate at an offset in the model of an answer, with the names that a
// clause of the text gives its arguments: "P(x, n) ⇒ 0 ≤ x ∧ x ≤ n"; "" for none.
func (q Query) InvariantOf(c cert.Checked, offset int) string {
	i, ok := q.invariantOf(c.Model(), q.predAt(offset))
	if !ok {
		return ""
	}
	return i.String()
}

// LemmasAt returns the formulas whose conjunction that definition is.
func (q Query) LemmasAt(c cert.Checked, offset int) (all []string) {
	i, ok := q.invariantOf(c.Model(), q.predAt(offset))
	if !ok {
		return nil
	}
	for _, t := range i.terms.Conjuncts(i.formula) {
		all = append(all, term.Infix(i.terms, t, nil, maxInvariant))
	}
	return all
}

// Invariants returns what the model of an answer says of each predicate of which it says something.
func (q Query) Invariants(c cert.Checked) (all []string) {
	for p := range c.Model().Definitions {
		if i, ok := q.invariantOf(c.Model(), horn.Pred(p)); ok && i.formula != term.True {
			all = append(all, i.String())
		}
	}
	return all
}

// predAt returns the predicate at an offset; NoPred for none.
func (q Query) predAt(offset int) horn.Pred {
	if o, ok := q.syntax.file.OccurrenceAt(offset); ok {
		return o.Pred
	}
	return horn.NoPred
}

// invariant is a definition with the names of a clause.
type invariant struct {
	atom    string
	terms   *term.Pool
	formula term.Term
}

func (i invariant) String() string {
	return i.atom + " ⇒ " + term.Infix(i.terms, i.formula, nil, maxInvariant)
}

// invariantOf returns the definition of a predicate in a model; ok is false for none.
func (q Query) invariantOf(m cert.Model, p horn.Pred) (i invariant, ok bool) {
	if p == horn.NoPred || m.Terms == nil || int(p) >= len(m.Definitions) {
		return i, false
	}
	definition := m.Definitions[p]
	pool, by := m.Terms.Clone(), map[term.Term]term.Term{}
	atom := horn.Atom{Pred: p}
	for k, name := range q.argumentNames(p) {
		param := definition.Params[k]
		by[param] = pool.Var(name, pool.SortOf(param))
		atom.Args = append(atom.Args, by[param])
	}
	i.terms, i.formula = pool, pool.Substitute(definition.Formula, by)
	i.atom = (&horn.System{Terms: pool, Preds: q.syntax.file.Preds()}).AtomInfix(atom, maxInvariant)
	return i, true
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
