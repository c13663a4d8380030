package horndesign

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/internal/source"
)

// Derivation is how a query is reached in a text: steps, each an instance of a clause. Each step stands after those
// that it uses, and the last one is the query.
type Derivation struct {
	Query Query
	Steps []Step // at least one
}

// Step is a step of a derivation.
type Step struct {
	cert.StepText
	Form   source.Span // the list of the clause
	Row    source.Span // its first line
	Bound  []Binding   // what the variables of the clause are that are bound in the form
	Others []string    // of the others: "x = 1"
	pred   horn.Pred   // what is derived; NoPred in the last step
}

// Binding is the value of a variable in a step.
type Binding struct {
	At    source.Span // where it is bound
	Name  string
	Value string
}

// DerivationOf returns the derivation of an answer to the query in this text; nil for none. Only the forms are read that
// it uses.
func (q Query) DerivationOf(c cert.Checked) *Derivation {
	if c.Outcome() != cert.Unsat {
		return nil
	}
	d := &Derivation{Query: q}
	clauses := q.clauses()
	read, bound := map[int]*horn.System{}, map[int]map[string]syntax.Occurrence{} // by form; bound also by name
	for i, x := range c.Derivation() {
		at, file := clauses[x.Clause], q.syntax.file
		if read[at.form] == nil {
			read[at.form], bound[at.form] = file.ClausesOf(at.form), q.syntax.variablesIn(file.FormSpan(at.form))
		}
		system := read[at.form]
		clause := &system.Clauses[at.nth]
		step := Step{StepText: x.Text(i, system, clause), Form: file.FormSpan(at.form), Row: q.syntax.firstLine(at.form), pred: at.head}
		for k, v := range clause.Vars {
			if o, ok := bound[at.form][system.Terms.Name(v)]; ok {
				step.Bound = append(step.Bound, Binding{o.Span, o.Name, x.Values[k].String()})
			} else {
				step.Others = append(step.Others, step.Values[k])
			}
		}
		d.Steps = append(d.Steps, step)
	}
	return d
}

// variablesIn returns the variables that are bound in a form, by their names; of a name that is bound twice none.
func (s *fileSyntax) variablesIn(form source.Span) map[string]syntax.Occurrence {
	all := map[string]syntax.Occurrence{}
	twice := map[string]bool{}
	for o := range s.file.OccurrencesIn(form) {
		if o.Kind != syntax.KindVariable || !o.IsDeclaration() || o.Span.Start < form.Start || o.Span.End() > form.End() {
			continue
		}
		if _, known := all[o.Name]; known {
			twice[o.Name] = true
		}
		all[o.Name] = o
	}
	for name := range twice {
		delete(all, name)
	}
	return all
}

// Step returns a step by its number, which is brought into range.
func (d *Derivation) Step(number int) *Step {
	return &d.Steps[min(max(number, 1), len(d.Steps))-1]
}

// Words say which step it is and what it derives: "step 3 of 10: P(2), from step 2".
func (d *Derivation) Words(number int) string {
	s := d.Step(number)
	return strings.Replace(s.String(), ":", fmt.Sprintf(" of %d:", len(d.Steps)), 1)
}

// At returns the numbers of the steps that are about a place: of a predicate those that derive it, of any other place
// in a clause those of the clause.
func (d *Derivation) At(offset int) (numbers []int) {
	file := d.Query.syntax.file
	o, ok := file.OccurrenceAt(offset)
	isPred := ok && o.Pred != horn.NoPred
	for i := range d.Steps {
		s := &d.Steps[i]
		if isPred && s.pred == o.Pred || !isPred && s.Form.Contains(offset) {
			numbers = append(numbers, s.Number)
		}
	}
	return numbers
}

// ValuesAt returns the values of the variable at an offset, each with the number of its step.
func (d *Derivation) ValuesAt(offset int) (name string, numbers []int, values []string) {
	file := d.Query.syntax.file
	o, ok := file.OccurrenceAt(offset)
	if !ok || o.Kind != syntax.KindVariable {
		return "", nil, nil
	}
	for i := range d.Steps {
		for _, b := range d.Steps[i].Bound {
			if b.At == o.Declaration {
				name, numbers, values = b.Name, append(numbers, d.Steps[i].Number), append(values, b.Value)
			}
		}
	}
	return name, numbers, values
}

// Cause is a step with those that it uses, as a tree.
type Cause struct {
	Step *Step
	// Repeated says that what it uses stands further above in the tree, Cut that it is left out.
	Repeated, Cut bool
	Causes        []*Cause
}

// Why returns the tree of what a step uses, so many levels deep and of about so many steps.
func (d *Derivation) Why(number, depth, most int) *Cause {
	seen := map[int]bool{} // whose uses stand in the tree
	var visit func(number, depth int) *Cause
	visit = func(number, depth int) *Cause {
		c := &Cause{Step: d.Step(number)}
		most--
		switch {
		case len(c.Step.From) == 0:
		case seen[number]:
			c.Repeated = true
		case depth <= 0 || most <= 0:
			c.Cut = true
		default:
			seen[number] = true
			for i, k := range c.Step.From {
				if !slices.Contains(c.Step.From[:i], k) {
					c.Causes = append(c.Causes, visit(k, depth-1))
				}
			}
		}
		return c
	}
	return visit(d.Step(number).Number, depth)
}

// DependsOn reports whether the answer to the query may depend on the predicate at an offset: the query uses it, or a
// predicate whose clauses do.
func (q Query) DependsOn(offset int) bool { return q.cone()[q.predAt(offset)] }

// cone returns the predicates on which the query depends.
func (q Query) cone() map[horn.Pred]bool {
	found := map[horn.Pred]bool{}
	var todo []horn.Pred
	add := func(body []horn.Pred) {
		for _, p := range body {
			if !found[p] {
				found[p] = true
				todo = append(todo, p)
			}
		}
	}
	bodies := map[horn.Pred][][]horn.Pred{} // of the clauses that derive a predicate
	for _, c := range q.syntax.file.Shapes() {
		if c.Origin == q.form && c.IsQuery() {
			add(c.Body)
		} else if !c.IsQuery() {
			bodies[c.Head] = append(bodies[c.Head], c.Body)
		}
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, body := range bodies[p] {
			add(body)
		}
	}
	return found
}
