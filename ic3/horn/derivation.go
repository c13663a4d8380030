package horn

import (
	"fmt"

	"aiglens/horn/cert"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// deriver makes a derivation from a fact.
type deriver struct {
	engine *engine
	steps  cert.Derivation
	known  map[string]int // steps by fact and arguments
}

// derivation returns the derivation of the goal that a fact stands for.
func (e *engine) derivation(f *fact) (cert.Derivation, error) {
	d := &deriver{engine: e, known: map[string]int{}}
	_, err := d.derive(f, nil)
	return d.steps, err
}

// derive returns the step that derives arguments of a fact.
func (d *deriver) derive(f *fact, args []term.Term) (int, error) {
	key := fmt.Sprintf("%p %v", f, args)
	if i, ok := d.known[key]; ok {
		return i, nil
	}
	e, p := d.engine, f.rule.head
	lits := []lia.Lit{f.rule.selector}
	for i, a := range args {
		lits = append(lits, p.encoder.Lit(e.terms.Equal(p.params[i], a)))
	}
	for j, premise := range f.premises {
		lits = append(lits, p.encoder.Lit(f.rule.instance(j, e.terms.And(premise.cube...))))
	}
	switch r, err := p.ask(lits); {
	case err != nil:
		return 0, err
	case r != sat.Sat:
		return 0, fmt.Errorf("horn: a fact has no derivation")
	}
	step := cert.Step{Clause: f.rule.clause}
	values := map[term.Term]term.Value{}
	for _, v := range e.system.Clauses[step.Clause].Vars {
		w := f.rule.vars[v]
		x := p.encoder.Value(w)
		values[w] = x
		if e.terms.SortOf(v) == term.Bool {
			step.Values = append(step.Values, cert.Value{Bool: x.Truth})
		} else {
			step.Values = append(step.Values, cert.Value{Number: x.Number.Big()})
		}
	}
	eval := term.NewEvaluation(e.terms, func(t term.Term) term.Value { return values[t] })
	for j, premise := range f.premises {
		inner := make([]term.Term, len(f.rule.args[j]))
		for i, a := range f.rule.args[j] {
			inner[i] = e.constant(eval.Value(a), e.terms.SortOf(a))
		}
		i, err := d.derive(premise, inner)
		if err != nil {
			return 0, err
		}
		step.Premises = append(step.Premises, i)
	}
	d.steps = append(d.steps, step)
	d.known[key] = len(d.steps) - 1
	return len(d.steps) - 1, nil
}

// constant returns a value as a term.
func (e *engine) constant(v term.Value, sort term.Sort) term.Term {
	if sort == term.Bool {
		return term.Truth(v.Truth)
	}
	return e.terms.NumberOf(v.Number, sort)
}
