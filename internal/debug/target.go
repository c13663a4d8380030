package debug

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/expression"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// target is a run on the circuit of a text: what a session walks through. That is a
// counterexample, or a simulation. It is not changed once it is made.
type target struct {
	text
	path    string    // of the text, as the client calls it
	program string    // the file, as the launch calls it
	run     *runs.Run // of a counterexample on the cone of the property
	groups  [numGroups]func() []signal
	words   *words.Words
	radices *words.Radices // that the user has chosen
	trees   [numGroups]func() *entry

	// Of a counterexample.
	property design.Property
	replay   *trace.Replay
	x        *runs.Counterexample

	simulation *simulation // nil for a counterexample

	names *expression.Dictionary
	rows  *rows
}

// The groups of variables, in the order in which they are shown. Clients open the first one.
const (
	groupInputs = iota
	groupProperty
	groupLatches
	groupGates
	numGroups
)

var groupNames = [numGroups]string{"Inputs", "Property", "Latches", "Gates"}

// signal is a variable of a group.
type signal struct {
	lit circuit.Lit // of the signal that the text names
	// name is "" for a signal whose name is looked up when it is shown.
	name string
	// relevant says that it has a part in why the property fails.
	relevant bool
}

// place is where a text says something.
type place struct {
	path string // "" for the text of the session
	text source.Text
	span source.Span
}

// named is a signal, or the word that stands at its place, with its name and place.
type named struct {
	name string
	lit  circuit.Lit
	span source.Span
	word *design.Word // nil for a signal
}

// change says how it changes at a step, as entries.change does.
func (n named) change(t *target, step int, seen map[*design.Word]bool) (text string, ok bool) {
	if n.word != nil {
		return entries{t}.changeOf(n.word, step, seen)
	}
	return entries{t}.change(n.lit, n.name, step, seen)
}

// newTarget makes a target of a refutation that was checked.
func newTarget(ctx context.Context, of text, p design.Property, checked cert.Checked) (*target, error) {
	c := of.doc.Circuit()
	t := &target{text: of, property: p}
	var ok bool
	if t.x, ok = runs.NewCounterexample(ctx, c, p.ID, verify.Result{Checked: checked}); !ok {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s has no counterexample", p.Name)
	}
	t.run = &t.x.Run
	var err error
	if first, isLasso := checked.Loop(); isLasso {
		t.replay, err = trace.NewLasso(ctx, c, cert.Lasso{Trace: checked.Trace(), Loop: first})
	} else {
		t.replay, err = trace.New(ctx, c, checked.Trace())
	}
	if err != nil {
		return nil, err
	}
	cone, err := c.ConeContext(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	t.groups = [numGroups]func() []signal{
		groupProperty: sync.OnceValue(t.propertySignals),
		groupInputs: sync.OnceValue(func() []signal {
			all := make([]signal, 0, len(cone.Inputs))
			for _, at := range slices.Sorted(slices.Values(cone.Inputs)) {
				if l := c.Inputs()[at].Lit; !design.IsAuxiliary(of.doc, l) {
					all = append(all, signal{lit: l})
				}
			}
			return all
		}),
		groupLatches: sync.OnceValue(func() []signal {
			all := make([]signal, 0, len(t.x.Latches()))
			for _, l := range t.x.Latches() {
				if design.IsAuxiliary(of.doc, c.Latches()[l.Index].Lit) {
					continue
				}
				s := t.latch(l.Index)
				s.relevant = l.Relevant
				all = append(all, s)
			}
			return all
		}),
		groupGates: sync.OnceValue(func() []signal { return t.gates(cone) }),
	}
	return t, t.readNames(ctx)
}

// readNames has the names of the text ready for when they are first looked for. The error is
// that of ctx.
func (t *target) readNames(ctx context.Context) (err error) {
	t.names = expression.NewDictionary(t.doc)
	for group := range numGroups {
		t.trees[group] = sync.OnceValue(func() *entry { return entries{t}.tree(group) })
	}
	t.words, err = words.Of(ctx, t.doc)
	t.rows = &rows{text: t.text, words: t.words, others: sync.OnceValue(t.findOthers)}
	t.rows.statements = sync.OnceValue(t.rows.findStatements)
	return err
}

// steps returns the number of steps, of a lasso up to the end of its first round; limit that
// of those that can be shown.
func (t *target) steps() int { return t.run.Steps() }
func (t *target) limit() int { return t.run.Limit() }
func (t *target) last() int  { return t.run.Steps() - 1 }

// inRun refuses a step that the run does not have.
func (t *target) inRun(step int) error {
	if step < 0 || step >= t.limit() {
		return refuse("there is no step %d: the steps are 0 to %d", step, t.limit()-1)
	}
	return nil
}

// fails reports whether the property is seen to fail in a step: the last one, of a lasso the
// last of each round. In a simulation a property begins to fail.
func (t *target) fails(step int) bool {
	if t.simulation != nil {
		_, begin := t.simulation.observed.FailingAt(step)
		return len(begin) > 0
	}
	length := t.x.LoopSteps()
	return step == t.last() || length > 0 && step > t.last() && (step-t.last())%length == 0
}

// beginsRound reports whether a round of a loop begins with a step.
func (t *target) beginsRound(step int) bool {
	first, isLasso := t.run.Loop()
	return isLasso && step >= first && (step-first)%t.run.LoopSteps() == 0
}

// Value returns the value of a literal of the circuit at a step; x outside of the run.
func (t *target) Value(l circuit.Lit, step int) circuit.Value {
	if step < 0 || step >= t.limit() {
		return circuit.X
	}
	if t.simulation != nil {
		v, _ := t.run.Value(l, step)
		return v
	}
	return t.replay.Value(l, step)
}

// propertySignals are the property, of justice its literals and the fairness conditions, and
// the constraints. Of a simulation they are all properties that one step can violate.
func (t *target) propertySignals() []signal {
	var all []signal
	if t.simulation != nil {
		return append(t.simulatedProperties(), t.constraintSignals()...)
	}
	for i, e := range t.x.Evidence() {
		s := signal{lit: e.Lit, name: t.property.Name, relevant: true}
		if t.x.LoopSteps() > 0 { // its literals, each under its own name
			if m, ok := t.doc.SourceOf(e.Lit); ok {
				s.lit, s.name = e.Lit.Positive().NotIf(m.Negated), ""
			} else {
				s.name += "." + strconv.Itoa(i)
			}
		}
		all = append(all, s)
	}
	return append(all, t.constraintSignals()...)
}

func (t *target) constraintSignals() (all []signal) {
	for i, s := range t.doc.Circuit().Constraints() {
		all = append(all, signal{lit: s.Lit, name: fmt.Sprintf("constraint %d", i)})
	}
	return all
}

// latch is what the latch at a position stands for.
func (t *target) latch(index int) signal {
	l, _, _ := design.FlipFlop(t.doc, index)
	return signal{lit: l}
}

// gates are the gates of a cone that the text has a word for, those first that it
// gives a name; both in the order of the text, with the gates of other files where
// their instances stand.
func (t *target) gates(cone *circuit.Cone) []signal {
	type gate struct {
		signal
		numbered bool
		start    int
	}
	c := t.doc.Circuit()
	var found []gate
	for v := range circuit.Var(cone.Circuit.NumVars()) {
		l := cone.LitFrom(v.Lit()).Positive()
		if _, _, isGate := c.Operands(l.Var()); !isGate {
			continue
		}
		if m, ok := t.doc.SourceOf(l); ok {
			numbered := t.doc.HasNumbers() && t.doc.Name(m.Lit.Signal()) == ""
			found = append(found, gate{signal{lit: l.NotIf(m.Negated)}, numbered, m.Span.Start})
		}
	}
	slices.SortStableFunc(found, func(a, b gate) int {
		switch {
		case a.numbered != b.numbered && b.numbered:
			return -1
		case a.numbered != b.numbered:
			return 1
		}
		return a.start - b.start
	})
	all := make([]signal, len(found))
	for i, g := range found {
		all[i] = g.signal
	}
	return all
}

// nameOf returns what a variable is called, and the expression that means it; "" when
// there is none.
func (t *target) nameOf(s signal) (name, expression string) {
	if s.name != "" {
		return s.name, t.expression(s.name, s.lit)
	}
	m, ok := t.doc.SourceOf(s.lit)
	if !ok {
		return fmt.Sprintf("signal %d", s.lit.Var()), ""
	}
	if t.doc.HasNumbers() && t.doc.Name(m.Lit.Signal()) == "" {
		return m.Name, fmt.Sprint(numberOf(m, s.lit))
	}
	return m.Name, t.expression(m.Name, s.lit)
}

// numberOf returns the literal of the text for one of the circuit, which the text calls m.
func numberOf(m design.SourceSignal, l circuit.Lit) design.Lit {
	number := m.Lit.Signal().Lit()
	if m.Negated != l.IsNegated() {
		number++
	}
	return number
}

// expression returns one that means a literal, by its name where that is no other's.
func (t *target) expression(name string, l circuit.Lit) string {
	switch found, ok := t.names.Lookup(name); {
	case ok && found == l:
		return expression.Quote(name)
	case ok && found == l.Not():
		return "!" + expression.Quote(name)
	}
	m, ok := t.doc.SourceOf(l)
	if !ok || !t.doc.HasNumbers() {
		return ""
	}
	return fmt.Sprint(numberOf(m, l))
}

// vocabulary returns what the words of an expression mean.
func (t *target) vocabulary() expression.Names {
	if t.simulation != nil {
		return t.names.Names(play.MaxSteps(t.doc.Circuit())) // the run may come to all of them
	}
	return t.names.Names(t.limit())
}

// findOthers returns the signals that other files define, by path and line.
func (t *target) findOthers() map[string]map[int][]named {
	byLine := map[string]map[int][]named{}
	for _, o := range t.names.Others() {
		lines := byLine[o.Place.Path]
		if lines == nil {
			lines = map[int][]named{}
			byLine[o.Place.Path] = lines
		}
		line := o.Place.Text.LineAt(o.Place.Span.Start)
		lines[line] = append(lines[line], named{name: o.Name, lit: o.Lit, span: o.Place.Span})
	}
	return byLine
}

// placeOf returns where a signal is defined.
func (t *target) placeOf(l circuit.Lit) (place, bool) {
	m, ok := t.doc.SourceOf(l)
	switch {
	case !ok:
		return place{}, false
	case m.Other != nil:
		return place{m.Other.Path, m.Other.Text, m.Other.Span}, true
	}
	return place{"", t.doc.Text, m.Span}, true
}

// placeOfProperty returns where a property stands.
func (x text) placeOfProperty(p design.Property) place {
	if at, ok := x.places[p.ID]; ok {
		return at
	}
	return place{"", x.doc.Text, p.Row}
}

// placeAt is where a step stands: at the property.
func (t *target) placeAt(step int) place {
	if t.simulation != nil {
		return t.simulatedPlace(step)
	}
	return t.placeOfProperty(t.property)
}

// changes returns the latches with a part in why the property fails, in a simulation all
// latches, whose values are new at a step.
func (t *target) changes(step int) []signal {
	var all []signal
	for _, s := range t.groups[groupLatches]() {
		if step > 0 && (s.relevant || t.simulation != nil) && t.Value(s.lit, step) != t.Value(s.lit, step-1) {
			all = append(all, s)
		}
	}
	return all
}

// maxChanges bounds the changes that the name of a step tells.
const maxChanges = 3

// stepName says which step it is and what is new in it.
func (t *target) stepName(step int) string {
	var b strings.Builder
	if t.simulation != nil {
		b.WriteString(t.simulatedWords(step))
	} else {
		b.WriteString(t.x.StepWords(step))
	}
	sep, n := " · ", 0
	seen := map[*design.Word]bool{}
	for _, s := range t.changes(step) {
		name, _ := t.nameOf(s)
		text, ok := entries{t}.change(s.lit, name, step, seen)
		if !ok {
			continue
		}
		if n++; n > maxChanges {
			b.WriteString(", …")
			break
		}
		b.WriteString(sep + text)
		sep = ", "
	}
	return b.String()
}
