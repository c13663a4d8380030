package horndesign

import (
	"crypto/sha256"
	"fmt"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/internal/source"
)

// Fingerprint is that of the clauses of a text: two texts with one fingerprint have the same clauses in the same order.
type Fingerprint [sha256.Size]byte

// Query is a query with all that its answer depends on.
type Query struct {
	Property    circuit.Property
	Name        string
	Row         source.Span
	Fingerprint Fingerprint  // of all clauses of the text
	System      *horn.System // the clauses that are no queries, and those of this one
	clauses     []int        // ∀i: System.Clauses[i] is clause clauses[i] of the text
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
	system := s.file.System()
	hash := sha256.New()
	_ = system.WriteSMT(hash) // which never fails
	var fingerprint Fingerprint
	hash.Sum(fingerprint[:0])
	var all []Query
	next := 0 // clause from which those of the next query are looked for
	for _, p := range s.Properties() {
		for !system.Clauses[next].IsQuery() {
			next++
		}
		origin := system.Clauses[next].Origin
		q := Query{Property: p.ID, Name: p.Name, Row: p.Row, Fingerprint: fingerprint, System: &horn.System{Terms: system.Terms, Preds: system.Preds}, syntax: s}
		for i, c := range system.Clauses {
			if !c.IsQuery() || c.Origin == origin {
				q.System.Clauses, q.clauses = append(q.System.Clauses, c), append(q.clauses, i)
			}
		}
		all = append(all, q)
		for next < len(system.Clauses) && system.Clauses[next].Origin == origin {
			next++
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

// StepsOf returns the derivation of an answer to the query in this text.
func (q Query) StepsOf(c cert.Checked) (all []Step) {
	for i, x := range c.Derivation() {
		clause := &q.System.Clauses[x.Clause]
		step := Step{Number: i + 1, Form: q.syntax.file.FormSpan(clause.Origin), Text: "false"}
		if !clause.IsQuery() {
			step.Text = q.instance(clause, x.Values)
		}
		for _, p := range x.Premises {
			step.From = append(step.From, p+1)
		}
		all = append(all, step)
	}
	return all
}

// instance writes the head of a clause with the values of its variables.
func (q Query) instance(c *horn.Clause, values []cert.Value) string {
	by := map[term.Term]cert.Value{}
	for i, v := range c.Vars {
		by[v] = values[i]
	}
	evaluation := term.NewEvaluation(q.System.Terms, func(v term.Term) term.Value {
		x := by[v]
		if x.Number == nil {
			return term.Value{Truth: x.Bool}
		}
		return term.Value{Number: rational.FromBig(x.Number)}
	})
	pool := q.System.Terms.Clone()
	atom := horn.Atom{Pred: c.Head.Pred}
	for _, a := range c.Head.Args {
		value := evaluation.Value(a)
		if sort := pool.SortOf(a); sort == term.Bool {
			atom.Args = append(atom.Args, term.Truth(value.Truth))
		} else {
			atom.Args = append(atom.Args, pool.NumberOf(value.Number, sort))
		}
	}
	return (&horn.System{Terms: pool, Preds: q.System.Preds}).AtomInfix(atom)
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
	text := (&horn.System{Terms: pool, Preds: q.System.Preds}).AtomInfix(atom) + " ⇒ " + term.Infix(pool, formula, nil)
	if len(text) > maxInvariant {
		return ""
	}
	return text
}

// argumentNames returns names for the arguments of a predicate: those of variables that stand there in a clause, else
// letters.
func (q Query) argumentNames(p horn.Pred) []string {
	for i := range q.System.Clauses {
		c := &q.System.Clauses[i]
		for _, a := range append(c.Body[:len(c.Body):len(c.Body)], c.Head) {
			if a.Pred != p {
				continue
			}
			if names, ok := distinctNames(q.System.Terms, a.Args); ok {
				return names
			}
		}
	}
	names := make([]string, len(q.System.Preds[p].Args))
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
