package certificate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
)

// fact is what an instance derives: a predicate with values.
type fact struct {
	pred   horn.Pred
	values []cert.Value
}

func (f fact) is(g fact) bool {
	return f.pred == g.pred && slices.EqualFunc(f.values, g.values, cert.Value.Equal)
}

// in writes a fact of a system: P(4, 8).
func (f fact) in(s *horn.System) string {
	values := make([]string, len(f.values))
	for i, v := range f.values {
		values[i] = v.String()
	}
	if len(values) == 0 {
		return s.Preds[f.pred].Name
	}
	return s.Preds[f.pred].Name + "(" + strings.Join(values, ", ") + ")"
}

// derivation is one in the making.
type derivation struct {
	system *horn.System
	terms  *term.Pool // those of the system, and what is asked of them
	steps  cert.Derivation
	heads  []fact // of the steps
}

// derivation reads instances, the last of which derives false. Which clause each is an instance of, and with which
// values, the solver of the checker finds out.
func (c commands) derivation(ctx context.Context, s *horn.System) (cert.Derivation, error) {
	if !slices.ContainsFunc(c.forms, func(k int) bool { return c.Command(k) == "assert" }) {
		return nil, errors.New("expected the definitions of a model, or the instances of a derivation")
	}
	r := reader{commands: c, by: map[string]horn.Pred{}, system: s}
	for p := range s.Preds {
		r.by[s.Preds[p].Name] = horn.Pred(p)
	}
	d := &derivation{system: s, terms: s.Terms.Clone()}
	steps := c.System().Clauses
	for i := range steps {
		line, _ := c.Text().LineColumn(c.FormSpan(steps[i].Origin).Start)
		if d.isDone() {
			return nil, reject("form", "line %d stands after the step that derives false", line)
		}
		body, head, err := r.instance(&steps[i])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if err := d.add(ctx, line, body, head); err != nil {
			return nil, err
		}
	}
	if !d.isDone() {
		return nil, reject("form", "no step derives false")
	}
	return d.steps, nil
}

// isDone reports whether the last step derives false.
func (d *derivation) isDone() bool {
	return len(d.heads) > 0 && d.heads[len(d.heads)-1].pred == horn.NoPred
}

// reader turns the clauses of a text into facts of a system.
type reader struct {
	commands
	by     map[string]horn.Pred
	system *horn.System
}

// instance returns what a clause without variables derives from what.
func (r reader) instance(c *horn.Clause) (body []fact, head fact, err error) {
	if len(c.Vars) > 0 || c.Constraint != term.True {
		return nil, head, errors.New("a step of a derivation has no variables")
	}
	head.pred = horn.NoPred
	for i, a := range append(slices.Clip(c.Body), c.Head) {
		if a.Pred == horn.NoPred {
			continue
		}
		declared := r.System().Preds[a.Pred]
		p, ok := r.by[declared.Name]
		if !ok || !slices.Equal(declared.Args, r.system.Preds[p].Args) {
			return nil, head, fmt.Errorf("there is no predicate %s with the sorts (%s)", declared.Name, sorts(declared.Args))
		}
		f := fact{pred: p}
		for _, t := range a.Args {
			v := cert.Value{Bool: t == term.True}
			if n, ok := r.System().Terms.Number(t); ok {
				v = cert.Value{Number: n.Big()}
			}
			f.values = append(f.values, v)
		}
		if i < len(c.Body) {
			body = append(body, f)
		} else {
			head = f
		}
	}
	return body, head, nil
}

// add finds a clause of which facts of a line are an instance, and adds that as a step.
func (d *derivation) add(ctx context.Context, line int, body []fact, head fact) error {
	for _, f := range body {
		if !slices.ContainsFunc(d.heads, f.is) {
			return reject("step", "line %d: no earlier line derives %s", line, f.in(d.system))
		}
	}
	tooLarge := 0 // the number of a clause, from 1
	for i := range d.system.Clauses {
		c := &d.system.Clauses[i]
		if c.Head.Pred != head.pred {
			continue
		}
		values, ok, err := cert.Values(ctx, d.terms, c.Vars, d.isInstance(c, body, head))
		rejected, is := errors.AsType[*cert.RejectedError](err)
		switch {
		case is && rejected.Obligation == "size":
			tooLarge = i + 1
		case err != nil:
			return err
		case ok:
			d.step(i, values)
			return nil
		}
	}
	if tooLarge > 0 {
		return reject("size", "line %d: it is too large to check whether this is an instance of clause %d", line, tooLarge)
	}
	return reject("step", "line %d is no instance of a clause", line)
}

// isInstance says of the variables of a clause that facts are an instance of it.
func (d *derivation) isInstance(c *horn.Clause, body []fact, head fact) term.Term {
	all := []term.Term{c.Constraint}
	if !c.IsQuery() {
		all = append(all, d.equals(c.Head.Args, head.values))
	}
	for _, a := range c.Body {
		var some []term.Term
		for _, f := range body {
			if f.pred == a.Pred {
				some = append(some, d.equals(a.Args, f.values))
			}
		}
		all = append(all, d.terms.Or(some...))
	}
	return d.terms.And(all...)
}

// equals says that terms have some values.
func (d *derivation) equals(args []term.Term, values []cert.Value) term.Term {
	all := make([]term.Term, len(args))
	for i, a := range args {
		all[i] = d.terms.Equal(a, values[i].Term(d.terms, d.terms.SortOf(a)))
	}
	return d.terms.And(all...)
}

// step adds an instance of clause i, whose premises earlier steps derive.
func (d *derivation) step(i int, values []cert.Value) {
	c := &d.system.Clauses[i]
	step := cert.Step{Clause: i, Values: values}
	for _, a := range c.Body {
		need := fact{a.Pred, cert.Evaluate(d.system.Terms, a.Args, c.Vars, values)}
		step.Premises = append(step.Premises, slices.IndexFunc(d.heads, need.is))
	}
	d.steps = append(d.steps, step)
	d.heads = append(d.heads, fact{c.Head.Pred, cert.Evaluate(d.system.Terms, c.Head.Args, c.Vars, values)})
}
