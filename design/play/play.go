// Package play is about runs of no property, which people play: with inputs and a start of
// their choice. A run is a cert.Trace over the circuit of a text, in which each input and each
// free latch is 0 or 1, but for the inputs that stand in the place of errors, which are x. The
// package reads and writes what clients keep of a run, changes runs, and says what one does to
// the properties of its text.
//
// A run claims nothing beyond itself, and is not a verdict: it is played from reset, cut out of a
// counterexample, a counterexample with other inputs, or found for a signal that was to become 1.
// The client keeps it, as inputs and start by name and a key of the circuit; the server
// keeps of the last run what a change to it leaves alone, to save work. The key decides whether it is a run of the
// present text: where the circuit or the names of its inputs and latches differ, nothing is
// simulated until the user carries the run over by names. A property fails in a run only where
// it is 1 while all constraints have held.
//
// The package knows no session, and no places in texts.
package play

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/design/runs"
	"aiglens/internal/findings"
)

// Bounds of a run.
const (
	maxSteps  = 10_000
	maxValues = 8_000_000   // of inputs, latches, properties and constraints in all steps
	maxWork   = 200_000_000 // values of all signals in all steps: a change simulates the whole run
)

// ErrEarlier is returned for a run on another circuit than that of the text.
var ErrEarlier = errors.New("the run is about an earlier text")

// Run is a run on the circuit of a text.
type Run struct {
	Trace  cert.Trace
	Values *runs.Run // of Trace
	Origin *Origin   // the counterexample that it was before it was changed; nil for none
	Goal   *Goal     // that it was looked for; nil for none
}

// Origin is a counterexample that people change.
type Origin struct {
	Property design.Property
	Trace    cert.Trace
}

// signal is the literal of the circuit that is 1 where the property fails.
func (o *Origin) signal(c *circuit.Circuit) circuit.Lit {
	bad, _ := c.Bad(o.Property.ID)
	return bad
}

// Kept is what a client keeps of a run: what says it again on the circuit that it was played on.
type Kept struct {
	Circuit string // the Key of that circuit; another text may have another one
	Steps   int
	Inputs  []Signal // of the text, with a value for each step
	Latches []Signal // that the text leaves free at the start, with one value
	// Origin is the counterexample that the run was before it was changed, as the present text has
	// it; nil for none. OriginSignal is the signal of the circuit that is 1 where its property
	// fails: another one at its place is another property.
	Origin       *Origin
	OriginSignal circuit.Lit
	Goal         *circuit.Lit // that the run was looked for to make 1; nil for none
	Expression   string       // that was to hold instead; "" for none
}

// Signal is an input or latch of a run, which another text may have under the same name.
type Signal struct{ Name, Values string } // values: 0 or 1 for each step

// Change is a change to a run.
type Change struct {
	Kind   ChangeKind
	Signal circuit.Lit // of Flip and Until
	Step   int         // of Flip, Set and Cut
	Steps  int         // of Add and Random: how many; of Until: how many at most
	Seed   uint32      // of Random and Until; without one it is drawn
	Word   string      // of Set: its name
	Value  string      // of Set: a number or the name of a value, as people type it
	// Expression is what is to hold in the place of a signal of Until; "" for none.
	Expression string
}

// ChangeKind is what a change does.
type ChangeKind string

// The changes. Random steps keep the constraints where that is found out by trying.
const (
	Flip   ChangeKind = "flip"   // an input at a step, or a free latch at the start, has the other value
	Set    ChangeKind = "set"    // the bits of a word in a step have those of a value
	Add    ChangeKind = "add"    // steps with the inputs of the last one
	Random ChangeKind = "random" // steps with random inputs
	Until  ChangeKind = "until"  // random steps up to the first in which a signal is 1, or an expression holds; where there is none, no steps
	Cut    ChangeKind = "cut"    // a step is the last one
	Reset  ChangeKind = "reset"  // one step from reset
	Carry  ChangeKind = "carry"  // the run is one of the present text, inputs and latches found by name
)

// Request is a run with a change to it. Without a run one begins: with the steps of the origin,
// and without an origin from reset with each input 0.
type Request struct {
	Run    *Kept
	Origin *Origin
	Change *Change
}

// ErrNoOrigin is returned for a run that begins as a counterexample that there is not.
var ErrNoOrigin = errors.New("there is no counterexample here: only a refuted property has one")

// From returns the run of a request, after its change. words say what came of the
// change where that is more than what was asked for. Errors are ErrEarlier, that of ctx, and of
// what cannot be done.
func From(ctx context.Context, d *design.Design, request Request) (run *Run, words string, err error) {
	if c := d.Circuit(); len(c.Inputs())+len(c.Latches()) == 0 {
		return nil, "", errors.New("there is nothing to play: the circuit has neither inputs nor latches")
	}
	if circuit.IsAbstraction(d.Circuit()) { // which has runs that the text does not have
		if _, err := d.Sound(ctx); err != nil {
			return nil, "", err
		}
	}
	run = &Run{}
	change := request.Change
	switch {
	case request.Run != nil && change != nil && change.Kind == Carry:
		run.Trace, words, err = carry(d, request.Run)
		change = nil
	case request.Run != nil:
		err = run.read(d, request.Run)
	case request.Origin == nil:
		run.Trace = atReset(d)
	default:
		run.Origin = request.Origin
		run.Trace, err = fromCounterexample(d, run.Origin.Trace)
		if p := run.Origin.Property; p.ID.Kind.Question() == circuit.Liveness {
			run.Origin = nil
			words = fmt.Sprintf("The loop of the counterexample of %s, once: a finite run says nothing about it.", p.Name)
		}
	}
	if err == nil && change != nil {
		words, err = run.change(ctx, d, change)
	}
	if err != nil {
		return nil, "", err
	}
	return run, words, run.simulate(ctx, d)
}

// lasts hold the run of each design that was simulated last.
var lasts = design.NewDerived(func(context.Context, *design.Design) (*atomic.Pointer[runs.Run], error) {
	return new(atomic.Pointer[runs.Run]), nil
})

// simulate gives the values of a run. Those that it has in common with the run of the same
// design that was simulated last, which is the one before a change as a rule, are taken from
// there. The error is that of ctx.
func (run *Run) simulate(ctx context.Context, d *design.Design) error {
	last, err := lasts.Of(ctx, d)
	if err != nil {
		return err
	}
	if run.Values, err = runs.NewRun(ctx, d.Circuit(), run.Trace, last.Load()); err == nil {
		last.Store(run.Values)
	}
	return err
}

// Changed returns the run after a change, which carries nothing over from another text. words
// and errors are those of From.
func (run *Run) Changed(ctx context.Context, d *design.Design, change *Change) (_ *Run, words string, err error) {
	after := *run
	if words, err = after.change(ctx, d, change); err != nil {
		return nil, "", err
	}
	return &after, words, after.simulate(ctx, d)
}

// change changes the steps of a run, not yet its values.
func (run *Run) change(ctx context.Context, d *design.Design, change *Change) (words string, err error) {
	if run.Trace, words, err = changed(ctx, d, run.Trace, change); err != nil {
		return "", err
	}
	if change.Kind == Cut || change.Kind == Reset {
		run.Origin, run.Goal = nil, nil // it is another run from there on
	}
	return words, nil
}

// read reads a run that a client has kept.
func (run *Run) read(d *design.Design, r *Kept) (err error) {
	if run.Trace, err = readTrace(d, r); err != nil {
		return err
	}
	if o := r.Origin; o != nil && o.signal(d.Circuit()) == r.OriginSignal {
		run.Origin = o // else properties have changed places: it is another one
	}
	if r.Goal != nil && int(r.Goal.Var()) >= d.Circuit().NumVars() {
		return fmt.Errorf("there is no signal %d", *r.Goal)
	}
	run.Goal = keptGoal(d, r)
	return nil
}

// Key names the circuit of a text: runs on circuits of one key are the same. The document has
// been elaborated.
func Key(d *design.Design) string {
	key, _ := keys.Of(context.Background(), d)
	return key
}

var keys = design.NewDerived(func(_ context.Context, d *design.Design) (string, error) {
	h := sha256.New()
	structure := d.Circuit().Structure()
	h.Write(structure[:])
	latches, inputs := d.ElementNames()
	for _, name := range slices.Concat(latches, inputs) {
		fmt.Fprintf(h, "%d:%s", len(name), name)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
})

// MaxSteps returns how many steps a run of a circuit may have.
func MaxSteps(c *circuit.Circuit) int {
	kept := len(c.Inputs()) + len(c.Latches()) + len(c.Properties()) + len(c.Constraints())
	return min(maxSteps, max(1, min(maxValues/max(1, kept), maxWork/c.NumVars())))
}

// atReset returns the run of one step from reset, in which all that is free is 0.
func atReset(d *design.Design) cert.Trace {
	c := d.Circuit()
	return concrete(d, cert.Trace{Initial: make([]circuit.Value, len(c.Latches())), Inputs: [][]circuit.Value{make([]circuit.Value, len(c.Inputs()))}})
}

// fromCounterexample returns the steps of a counterexample as a run: each x is 0, which is one
// of the values that it stands for.
func fromCounterexample(d *design.Design, t cert.Trace) (cert.Trace, error) {
	if err := checkSteps(d.Circuit(), t.Steps()); err != nil {
		return t, err
	}
	return concrete(d, t), nil
}

// concrete returns a run without x, but for inputs in place of errors.
func concrete(d *design.Design, t cert.Trace) cert.Trace {
	t = trace.Concrete(d.Circuit(), t)
	for _, row := range t.Inputs {
		for i := d.NumInputs(); i < len(row); i++ {
			row[i] = circuit.X
		}
	}
	return t
}

func checkSteps(c *circuit.Circuit, steps int) error {
	if most := MaxSteps(c); steps < 1 || steps > most {
		return fmt.Errorf("a run of this circuit may have 1 to %d steps, not %d", most, steps)
	}
	return nil
}

// Keep returns what a client keeps of a run.
func Keep(d *design.Design, run *Run) Kept {
	t := run.Trace
	r := Kept{Circuit: Key(d), Steps: t.Steps(), Origin: run.Origin}
	latches, inputs := d.ElementNames()
	for i, name := range inputs[:d.NumInputs()] {
		values := make([]byte, len(t.Inputs))
		for step, row := range t.Inputs {
			values[step] = row[i].String()[0]
		}
		r.Inputs = append(r.Inputs, Signal{Name: name, Values: string(values)})
	}
	for i, l := range d.Circuit().Latches() {
		if l.IsFree() {
			r.Latches = append(r.Latches, Signal{Name: latches[i], Values: t.Initial[i].String()})
		}
	}
	if run.Origin != nil {
		r.OriginSignal = run.Origin.signal(d.Circuit())
	}
	run.Goal.keep(&r)
	return r
}

// readTrace returns the run that a client has kept. Errors are ErrEarlier, and of a run that is none
// of its circuit.
func readTrace(d *design.Design, r *Kept) (t cert.Trace, err error) {
	c := d.Circuit()
	if r.Circuit != Key(d) {
		return t, ErrEarlier
	}
	if err := checkSteps(c, r.Steps); err != nil {
		return t, err
	}
	free := freeLatches(c)
	if len(r.Inputs) != d.NumInputs() || len(r.Latches) != len(free) {
		return t, fmt.Errorf("the run has %s and %s, the circuit %d and %d",
			findings.Count(len(r.Inputs), "input", "inputs"), findings.Count(len(r.Latches), "latch", "latches"), d.NumInputs(), len(free))
	}
	t = blank(d, r.Steps)
	for i := range r.Inputs {
		if err := putInput(t, i, &r.Inputs[i]); err != nil {
			return t, err
		}
	}
	for i, at := range free {
		if t.Initial[at], err = valueOf(&r.Latches[i], 0, 1); err != nil {
			return t, err
		}
	}
	return t, nil
}

// carry returns a run of another text as one of this text: inputs and free latches have the
// values of those of the same name, others 0. words say what the text no longer has, "" for
// nothing.
func carry(d *design.Design, r *Kept) (t cert.Trace, words string, err error) {
	c := d.Circuit()
	if err := checkSteps(c, r.Steps); err != nil {
		return t, "", err
	}
	t = blank(d, r.Steps)
	latches, inputs := d.ElementNames()
	at := positions(inputs[:d.NumInputs()])
	var gone []string
	for i := range r.Inputs {
		signal := &r.Inputs[i]
		if to, ok := at[signal.Name]; !ok {
			gone = append(gone, signal.Name)
		} else if err := putInput(t, to, signal); err != nil {
			return t, "", err
		}
	}
	at = positions(latches)
	for i := range r.Latches {
		signal := &r.Latches[i]
		to, ok := at[signal.Name]
		if !ok || !c.Latches()[to].IsFree() {
			gone = append(gone, signal.Name)
		} else if t.Initial[to], err = valueOf(signal, 0, 1); err != nil {
			return t, "", err
		}
	}
	if len(gone) > 0 {
		words = "These values could not be kept, because the text no longer has the signals: " + list(gone) + "."
	}
	return t, words, nil
}

// positions returns where names stand; one that stands twice is that of the first.
func positions(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, name := range slices.Backward(names) {
		at[name] = i
	}
	return at
}

// blank returns a run of so many steps in which all that is free is 0.
func blank(d *design.Design, steps int) cert.Trace {
	t := atReset(d)
	for len(t.Inputs) < steps {
		t.Inputs = append(t.Inputs, slices.Clone(t.Inputs[0]))
	}
	return t
}

func putInput(t cert.Trace, input int, signal *Signal) (err error) {
	for step := range t.Inputs {
		if t.Inputs[step][input], err = valueOf(signal, step, len(t.Inputs)); err != nil {
			return err
		}
	}
	return nil
}

// valueOf reads one of so many values of a signal.
func valueOf(signal *Signal, at, length int) (circuit.Value, error) {
	if len(signal.Values) != length {
		return 0, fmt.Errorf("the run has %s of %s, expected %d", findings.Count(len(signal.Values), "value", "values"), signal.Name, length)
	}
	switch signal.Values[at] {
	case '0':
		return circuit.Zero, nil
	case '1':
		return circuit.One, nil
	}
	return 0, fmt.Errorf("%q is not a value of %s", signal.Values[at], signal.Name)
}

func freeLatches(c *circuit.Circuit) (free []int) {
	for i, l := range c.Latches() {
		if l.IsFree() {
			free = append(free, i)
		}
	}
	return free
}

// Settable says where a run could have another value of a signal; "" for nowhere.
type Settable string

// Where a signal is settable.
const (
	Always  Settable = "always"
	AtStart Settable = "start"
)

// SettableAt says where a run could have another value of a literal of the circuit.
func SettableAt(d *design.Design, l circuit.Lit) Settable {
	c := d.Circuit()
	if i := c.InputIndex(l.Var()); i >= 0 && i < d.NumInputs() {
		return Always
	}
	if i := c.LatchIndex(l.Var()); i >= 0 && c.Latches()[i].IsFree() {
		return AtStart
	}
	return ""
}

// changed returns a run with a change, which shares no values with t that were changed. words
// say what came of it where that is more than what was asked for. The error says what is wrong
// with the change, or is that of ctx.
func changed(ctx context.Context, d *design.Design, t cert.Trace, x *Change) (_ cert.Trace, words string, err error) {
	switch x.Kind {
	case Flip:
		t, err = flip(d, t, x)
		return t, "", err
	case Set:
		t, err = set(ctx, d, t, x)
		return t, "", err
	case Cut:
		if x.Step < 0 || x.Step >= t.Steps() {
			return t, "", fmt.Errorf("the run has no step %d", x.Step)
		}
		t.Inputs = t.Inputs[:x.Step+1]
		return t, "", nil
	case Reset:
		return atReset(d), "", nil
	case Add, Random, Until:
		return extend(ctx, d, t, x)
	}
	return t, "", fmt.Errorf("%q is not a change of a run: flip, set, add, random, until, cut, reset or carry", x.Kind)
}

func flip(d *design.Design, t cert.Trace, x *Change) (cert.Trace, error) {
	c, l := d.Circuit(), x.Signal
	switch {
	case int(l.Var()) >= c.NumVars():
		return t, fmt.Errorf("there is no signal %d", x.Signal)
	case x.Step < 0 || x.Step >= t.Steps():
		return t, fmt.Errorf("the run has no step %d", x.Step)
	}
	switch settable := SettableAt(d, l); {
	case settable == Always:
		i := c.InputIndex(l.Var())
		t.Inputs = slices.Clone(t.Inputs)
		row := slices.Clone(t.Inputs[x.Step])
		row[i] = row[i].Not()
		t.Inputs[x.Step] = row
	case settable == AtStart && x.Step == 0:
		i := c.LatchIndex(l.Var())
		t.Initial = slices.Clone(t.Initial)
		t.Initial[i] = t.Initial[i].Not()
	case settable == AtStart:
		return t, errors.New("the value of a latch can be chosen in step 0 alone; later ones follow from the step before")
	default:
		return t, errors.New("only inputs, and in step 0 latches without a reset, can have another value")
	}
	return t, nil
}

// untilOf returns what random steps are added for.
func untilOf(d *design.Design, x *Change) (g Goal, err error) {
	if x.Expression != "" {
		return GoalFrom(d, d.Circuit(), x.Expression, 1)
	}
	if int(x.Signal.Var()) >= d.Circuit().NumVars() {
		return g, fmt.Errorf("there is no signal %d", x.Signal)
	}
	return SignalGoal(d, x.Signal, nameOf(d, x.Signal), 1), nil
}

// extend adds steps.
func extend(ctx context.Context, d *design.Design, t cert.Trace, x *Change) (_ cert.Trace, words string, err error) {
	c, until, goal := d.Circuit(), circuit.False, Goal{}
	if x.Kind == Until {
		if goal, err = untilOf(d, x); err != nil {
			return t, "", err
		}
		until = goal.Lit
	}
	steps := x.Steps
	if x.Kind == Until {
		steps = min(steps, MaxSteps(c)-t.Steps())
	}
	switch {
	case steps < 1 && x.Kind == Until:
		return t, "", fmt.Errorf("the run can have no more steps")
	case steps < 1:
		return t, "", fmt.Errorf("expected at least 1 step, not %d", steps)
	case steps > MaxSteps(c)-t.Steps():
		return t, "", fmt.Errorf("a run of this circuit may have 1 to %d steps: it has %d, and %d more would be too many", MaxSteps(c), t.Steps(), steps)
	}
	last := t.Inputs[t.Steps()-1]
	if x.Kind == Add {
		t.Inputs = slices.Clone(t.Inputs)
		for range steps {
			t.Inputs = append(t.Inputs, slices.Clone(last))
		}
		return t, "", nil
	}
	seed := x.Seed
	if seed == 0 {
		seed = rand.Uint32()
	}
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	draw := func(i int) circuit.Value {
		if i >= d.NumInputs() {
			return circuit.X
		}
		return circuit.Value(random.IntN(2))
	}
	if x.Kind == Until {
		c = goal.Circuit
	}
	longer, met, blocked, err := trace.Extend(ctx, c, t, steps, draw, until)
	if err != nil || x.Kind == Random {
		return longer, "", err
	}
	switch {
	case blocked >= t.Steps():
		return t, fmt.Sprintf("No inputs were found that meet the constraints in step %d, and %s in no step before. That proves nothing: other inputs may meet them.", blocked, goal.did()), nil
	case blocked >= 0:
		return t, fmt.Sprintf("No search was made: the constraints are not known to hold in step %d, and no run continues from a step in which one does not hold.", blocked), nil
	case !met:
		return t, fmt.Sprintf("%s in none of %d random steps. That proves nothing: other inputs may make it %s.", goal.did(), steps, goal.so()), nil
	}
	return longer, fmt.Sprintf("%s in step %d.", goal.does(), longer.Steps()-1), nil
}

// nameOf is what a literal of the circuit is called in a sentence.
func nameOf(d *design.Design, l circuit.Lit) string {
	m, _ := d.SourceOf(l)
	isNegated := m.Negated != l.IsNegated()
	switch {
	case m.Name == "":
		return "the signal"
	case d.HasNumbers() && isNegated:
		return formula.LitName(d, m.Lit^1)
	case d.HasNumbers():
		return formula.LitName(d, m.Lit)
	case isNegated:
		return "¬" + m.Name
	}
	return m.Name
}

const maxNames = 5

// list writes names, of many the first ones.
func list(names []string) string {
	if more := len(names) - maxNames; more > 0 {
		return strings.Join(names[:maxNames], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
