package certificate

import (
	"context"
	"fmt"
	"slices"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
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

// derivation is one in the making.
type derivation struct {
	system *horn.System
	steps  cert.Derivation
	heads  []fact // of the steps
}

// readDerivation reads instances up to the first one that derives false. Which clause each is an instance of, and with
// which values, the solver of the checker finds out.
func readDerivation(ctx context.Context, s *horn.System, text string) (cert.Derivation, error) {
	file, err := parse(text)
	if err != nil {
		return nil, err
	}
	r := reader{file: file, by: predicates(s), system: s}
	d := &derivation{system: s}
	for i := range file.System().Clauses {
		body, head, err := r.instance(&file.System().Clauses[i])
		if err != nil {
			return nil, err
		}
		isStep, err := d.add(ctx, body, head)
		if err != nil {
			return nil, err
		}
		if !isStep {
			return nil, &cert.RejectedError{Obligation: "step", Detail: fmt.Sprintf("line %d is no instance of a clause", r.line(i))}
		}
		if head.pred == horn.NoPred {
			return d.steps, nil
		}
	}
	return nil, &cert.RejectedError{Obligation: "form", Detail: "no step derives false"}
}

// reader turns the clauses of a text into facts of a system.
type reader struct {
	file   *syntax.File
	by     map[string]horn.Pred
	system *horn.System
}

// line returns the line of a clause of the text.
func (r reader) line(clause int) int {
	line, _ := r.file.Text().LineColumn(r.file.FormSpan(r.file.System().Clauses[clause].Origin).Start)
	return line
}

// instance returns what a clause without variables derives from what.
func (r reader) instance(c *horn.Clause) (body []fact, head fact, err error) {
	at := func(format string, args ...any) error {
		line, _ := r.file.Text().LineColumn(r.file.FormSpan(c.Origin).Start)
		return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
	}
	if len(c.Vars) > 0 || c.Constraint != term.True {
		return nil, head, at("a step of a derivation has no variables")
	}
	head.pred = horn.NoPred
	for i, a := range append(slices.Clip(c.Body), c.Head) {
		if a.Pred == horn.NoPred {
			continue
		}
		declared := r.file.System().Preds[a.Pred]
		p, ok := r.by[declared.Name]
		if !ok || !slices.Equal(declared.Args, r.system.Preds[p].Args) {
			return nil, head, at("there is no predicate %s with the sorts (%s)", declared.Name, sorts(declared.Args))
		}
		f := fact{pred: p}
		for _, t := range a.Args {
			v := cert.Value{Bool: t == term.True}
			if n, ok := r.file.System().Terms.Number(t); ok {
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

// add finds a clause of which some facts are an instance, and adds it as a step. It reports whether there is one.
func (d *derivation) add(ctx context.Context, body []fact, head fact) (bool, error) {
	for i := range d.system.Clauses {
		c := &d.system.Clauses[i]
		if c.Head.Pred != head.pred {
			continue
		}
		terms := d.system.Terms.Clone()
		all := []term.Term{c.Constraint}
		if !c.IsQuery() {
			all = append(all, equals(terms, c.Head.Args, head.values))
		}
		for _, a := range c.Body {
			any := term.False
			for _, f := range body {
				if f.pred == a.Pred {
					any = terms.Or(any, equals(terms, a.Args, f.values))
				}
			}
			all = append(all, any)
		}
		values, ok, err := cert.Values(ctx, terms, c.Vars, terms.And(all...))
		if err != nil {
			return false, err
		}
		if ok {
			return d.step(i, values), nil
		}
	}
	return false, nil
}

// equals says that terms have some values.
func equals(p *term.Pool, args []term.Term, values []cert.Value) term.Term {
	all := make([]term.Term, len(args))
	for i, a := range args {
		all[i] = p.Equal(a, values[i].Term(p, p.SortOf(a)))
	}
	return p.And(all...)
}

// step adds an instance of clause i. It reports whether earlier steps derive what that needs.
func (d *derivation) step(i int, values []cert.Value) bool {
	c := &d.system.Clauses[i]
	step := cert.Step{Clause: i, Values: values}
	for _, a := range c.Body {
		need := fact{a.Pred, cert.Evaluate(d.system.Terms, a.Args, c.Vars, values)}
		from := slices.IndexFunc(d.heads, need.is)
		if from < 0 {
			return false
		}
		step.Premises = append(step.Premises, from)
	}
	d.steps = append(d.steps, step)
	d.heads = append(d.heads, fact{c.Head.Pred, cert.Evaluate(d.system.Terms, c.Head.Args, c.Vars, values)})
	return true
}
