package runs

import (
	"context"
	"errors"
	"fmt"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/expression"
	"aiglens/design/formula"
	"aiglens/internal/findings"
)

// The groups of the signals of a counterexample, in the order in which they are shown.
const (
	GroupProperty    = "property"
	GroupConstraints = "constraints"
	GroupLatches     = "latches"
	GroupInputs      = "inputs"
	GroupGates       = "gates"       // those that the user has chosen
	GroupExpressions = "expressions" // that the user has typed
)

// TraceSignal is a signal of a counterexample over all steps.
type TraceSignal struct {
	Group    string
	Lit      circuit.Lit // of the circuit
	Values   []circuit.Value
	Relevant bool // has a part in why the property fails; of latches alone
	// Formula is how the text computes what it gives no name; "" for all else.
	Formula string
	// Error says what is wrong with an expression; it has no values then.
	Error string
	// Source is what the text calls it; HasSource is false for one without a word.
	Source    design.SourceSignal
	HasSource bool
}

// ScopedName returns what a latch or input of the circuit is called inside of the instances around it,
// or its literal, and these instances. shown is as of shownAs.
func ScopedName(d *design.Design, l circuit.Lit) (path []string, name string, shown circuit.Lit) {
	name, shown = shownAs(d, l)
	path, name = d.Scopes(name)
	return path, name, shown
}

// shownAs returns what a wave calls a latch or input of the circuit: its name in full, else its
// literal. A latch goes by what it stands for, the value of which shown has.
func shownAs(d *design.Design, l circuit.Lit) (name string, shown circuit.Lit) {
	if i := d.Circuit().LatchIndex(l.Var()); i >= 0 {
		l, found, _ := design.FlipFlop(d, i)
		return found.Name, l
	}
	found, _ := d.SourceOf(l)
	return found.Name, l
}

// Name is what the signal is called.
func (t *TraceSignal) Name() string { return t.Source.Name }

// maxTraceValues bounds the values of an answer.
const maxTraceValues = 40_000_000

// TraceSignals returns the signals of a counterexample that d is about, over its first so
// many steps, which may be several rounds of a lasso: the property,
// constraints, latches, inputs, gates that were chosen, and expressions. more is the number
// of those that were left out because they are too many. The error is that of ctx.
func TraceSignals(ctx context.Context, d *design.Design, x *Counterexample, steps int, chosen []design.Lit, expressions []string) (all []TraceSignal, more int, err error) {
	s := signalList{d: d, run: &x.Run}
	if p, ok := d.Property(x.Property); ok {
		_, isLasso := x.Loop()
		for i, e := range x.Evidence() {
			name, formula := p.Name, ""
			if isLasso {
				name, formula = goalInWords(d, p, x.goals[i], e.Lit)
			}
			s.addProperty(p, e.Lit, name, formula)
		}
	}
	s.addConstraints()
	for _, l := range x.Latches() {
		if !design.IsAuxiliary(d, d.Circuit().Latches()[l.Index].Lit) {
			s.addLatch(l.Index, l.Relevant)
		}
	}
	for _, i := range x.cone.Inputs {
		if in := d.Circuit().Inputs()[i].Lit; !design.IsAuxiliary(d, in) {
			s.add(GroupInputs, in, "")
		}
	}
	return s.withValues(ctx, steps, chosen, expressions)
}

// RunSignals returns the signals of a run of no property, as TraceSignals does those of a
// counterexample: inputs and latches of the whole circuit, and the literal of each property
// that one step decides. At most so many are given, besides those that are chosen.
func RunSignals(ctx context.Context, d *design.Design, x *Run, most int, chosen []design.Lit, expressions []string) (all []TraceSignal, more int, err error) {
	s, c := signalList{d: d, run: x}, d.Circuit()
	for _, p := range d.Properties() {
		if bad, ok := design.BadOf(d, p.ID); ok {
			s.addProperty(p, bad, p.Name, "")
		}
	}
	s.addConstraints()
	for _, in := range c.Inputs()[:d.NumInputs()] { // without those in place of errors
		if !design.IsAuxiliary(d, in.Lit) {
			s.add(GroupInputs, in.Lit, "")
		}
	}
	for i, l := range c.Latches() {
		if !design.IsAuxiliary(d, l.Lit) {
			s.addLatch(i, true)
		}
	}
	left := max(0, len(s.all)-most)
	s.all = s.all[:len(s.all)-left]
	all, more, err = s.withValues(ctx, x.Steps(), chosen, expressions)
	return all, more + left, err
}

// signalList is signals of a run that come to be listed.
type signalList struct {
	d   *design.Design
	run *Run
	all []TraceSignal
}

func (s *signalList) add(group string, l circuit.Lit, name string) {
	t := TraceSignal{Group: group, Lit: l}
	if t.Source, t.HasSource = s.d.SourceOf(l); name != "" {
		t.Source.Name = name
	}
	if group == GroupConstraints {
		t.Formula = formula.Constraint(s.d, t.Source, t.Source.Negated != l.IsNegated())
	} else if group != GroupProperty {
		t.Formula = formula.Of(s.d, t.Source)
	}
	s.all = append(s.all, t)
}

func (s *signalList) addProperty(p design.Property, l circuit.Lit, name, formula string) {
	s.add(GroupProperty, l, name)
	t := &s.all[len(s.all)-1]
	t.Formula = formula
	t.Source.Row, t.Source.Span, t.Source.Other, t.HasSource = p.Row, p.Row, nil, true
}

func (s *signalList) addConstraints() {
	for i, c := range s.d.Circuit().Constraints() {
		s.add(GroupConstraints, c.Lit, fmt.Sprintf("constraint %d", i))
	}
}

// addLatch adds what a latch stands for, which may lie outside of the run.
func (s *signalList) addLatch(index int, isRelevant bool) {
	l, source, ok := design.FlipFlop(s.d, index)
	if _, inside := s.run.litOf(l); !inside {
		l = s.d.Circuit().Latches()[index].Lit
		source, ok = s.d.SourceOf(l)
	}
	t := TraceSignal{Group: GroupLatches, Lit: l, Source: source, HasSource: ok, Relevant: isRelevant}
	t.Formula = formula.Of(s.d, source)
	s.all = append(s.all, t)
}

// addChosen adds gates that the user has chosen, as far as the run has them.
func (s *signalList) addChosen(chosen []design.Lit) {
	for _, l := range chosen {
		signal := l.Signal() // where the text negates it, too
		if w, ok := design.WordOf(s.d, signal); ok && len(w.Bits) > 1 {
			s.addBits(&w)
			continue
		}
		copied, _, inside := s.run.Copy(s.d, signal.Lit())
		if signal == 0 || !inside {
			continue
		}
		name := formula.SignalName(s.d, signal.Lit())
		if copied.Path != "" {
			name = copied.Path + "/" + name
		}
		def, _ := s.d.Definition(signal)
		source := design.SourceSignal{Name: name, Lit: signal.Lit(), Row: def.Row, Span: def.Span}
		s.all = append(s.all, TraceSignal{Group: GroupGates, Lit: copied.Lit, HasSource: true, Source: source, Formula: formula.Of(s.d, source)})
	}
}

// addBits adds the bits of a word that the user has chosen, as far as the run has them.
func (s *signalList) addBits(w *design.Word) {
	for i, b := range w.Bits {
		if _, inside := s.run.litOf(b.Lit); b.Missing || !inside {
			continue
		}
		source := design.SourceSignal{Name: fmt.Sprintf("%s[%d]", w.Name, w.Index(i)), Row: w.Span, Span: w.Span}
		s.all = append(s.all, TraceSignal{Group: GroupGates, Lit: b.Lit, HasSource: true, Source: source})
	}
}

// withValues adds gates and expressions, and gives all their values. The error is that of ctx.
func (s *signalList) withValues(ctx context.Context, steps int, chosen []design.Lit, expressions []string) (all []TraceSignal, more int, err error) {
	s.addChosen(chosen)
	all = s.all
	if limit := max(100, maxTraceValues/steps); len(all) > limit {
		more = len(all) - limit
		all = all[:limit]
	}
	lits := make([]circuit.Lit, len(all))
	for i := range all {
		lit, _ := s.run.litOf(all[i].Lit) // a constant is 0 in both
		lits[i] = lit
	}
	rows, err := s.run.values.Values(ctx, steps, lits...)
	if err != nil {
		return nil, 0, err
	}
	for i, values := range rows {
		all[i].Values = values
	}
	typed, err := s.run.evaluate(ctx, s.d, steps, expressions)
	return append(all, typed...), more, err
}

// Bounds of expressions over a counterexample.
const (
	maxExpressions    = 100
	maxExpressionWork = 20_000_000 // values that one of them looks at in all steps
)

// evaluate returns expressions with their values, or with what is wrong with them.
func (x *Run) evaluate(ctx context.Context, d *design.Design, steps int, expressions []string) ([]TraceSignal, error) {
	if len(expressions) == 0 {
		return nil, nil
	}
	names := expression.NewDictionary(d).Names(steps)
	r := run{}
	var all []TraceSignal
	for _, text := range expressions[:min(len(expressions), maxExpressions)] {
		t := TraceSignal{Group: GroupExpressions, Source: design.SourceSignal{Name: text}}
		e, err := names.Condition(text)
		if err == nil {
			err = x.fill(ctx, r, e, steps)
		}
		if err == nil {
			t.Values, err = valuesOf(ctx, r, e, steps)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			t.Error, t.Values = err.Error(), nil
		}
		all = append(all, t)
	}
	return all, nil
}

// run is the values of signals by their variables and steps.
type run map[circuit.Var][]circuit.Value

// Value implements expression.Run.
func (r run) Value(l circuit.Lit, step int) circuit.Value {
	values := r[l.Var()]
	if step < 0 || step >= len(values) {
		return circuit.X
	}
	return values[step].NotIf(l.IsNegated())
}

// fill takes the values of the signals of an expression into a run. Bits of a word on which the
// property does not depend stay x, unless they are all that it has.
func (x *Run) fill(ctx context.Context, r run, e *expression.Expr, steps int) error {
	isInside := map[string]bool{}
	for l, name := range e.Names() {
		lit, inside := x.litOf(l.Positive())
		isInside[name] = isInside[name] || inside
		if _, has := r[l.Var()]; has || !inside {
			continue
		}
		rows, err := x.values.Values(ctx, steps, lit)
		if err != nil {
			return err
		}
		r[l.Var()] = rows[0]
	}
	for _, name := range e.Names() {
		if !isInside[name] {
			return fmt.Errorf("the property does not depend on %s", name)
		}
	}
	return nil
}

func valuesOf(ctx context.Context, r run, e *expression.Expr, steps int) ([]circuit.Value, error) {
	if e.Cost() > maxExpressionWork/steps {
		return nil, errors.New("the expression is too large for " + findings.Count(steps, "step", "steps"))
	}
	values := make([]circuit.Value, steps)
	for step := range values {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values[step] = e.Eval(r, step)
	}
	return values, nil
}
