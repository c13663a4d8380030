package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/words"
)

// Cause is the value of a signal at a step of a counterexample, with the values that
// force it. The root for a lasso is not a value: it is the property itself, with what is 1 in
// each round of the loop as causes; Lit is then 0, and At empty.
type Cause struct {
	Lit    circuit.Lit // of the circuit, the signal itself
	Step   int
	At     string // the step in words: see Counterexample.StepName
	Value  circuit.Value
	Reason trace.Reason
	Source design.SourceSignal
	Causes []*Cause
	// Word is what the causes are bits of, where this says them as one; Lit is the highest of
	// these, Text the value, in which bits that are no causes are x. Nil for a signal.
	Word *design.Word
	Text string
	// Repeated says that the causes stand at an earlier cause of the same value, Cut
	// that they are beyond the limit.
	Repeated, Cut bool
}

// String says the value in words: "full = 1 at step 3".
func (c *Cause) String() string {
	if c.IsLasso() {
		return c.Source.Name + " fails in the loop"
	}
	return fmt.Sprintf("%s = %s at %s", c.Source.Name, c.ValueText(), c.At)
}

// ValueText says the value alone.
func (c *Cause) ValueText() string {
	if c.Word != nil {
		return c.Text
	}
	return c.NamedValue().String()
}

// IsLasso reports whether this stands for a property that a lasso violates.
func (c *Cause) IsLasso() bool { return c.At == "" }

// NamedValue is the value of the signal that the text names.
func (c *Cause) NamedValue() circuit.Value { return c.Value.NotIf(c.Source.Negated) }

// Because says what the value is due to where it has no causes.
func (c *Cause) Because() string {
	if c.IsLasso() {
		return ""
	}
	switch c.Reason {
	case trace.Input:
		return "input"
	case trace.FreeLatch:
		return "free at the start"
	case trace.Reset:
		return "reset"
	case trace.Constant:
		return "constant"
	case trace.NoReason:
		return "any value will do"
	}
	return ""
}

// Note is what a list of causes says after a value whose causes do not follow: " · input",
// " · as above"; else "".
func (c *Cause) Note() string {
	note := c.Because()
	switch {
	case c.Repeated:
		note = "as above"
	case c.Cut:
		note = "…"
	}
	if note == "" {
		return ""
	}
	return " · " + note
}

// ErrOutside is returned for a signal that has no part in a counterexample, or for a
// step that the counterexample does not have.
var ErrOutside = errors.New("outside of the counterexample")

// Why returns the causes of the value of a literal of the circuit at a step, as a tree
// built level by level. Gates that the text has no word for are passed over. Errors are
// ErrOutside and that of ctx.
func Why(ctx context.Context, d *design.Design, x *Counterexample, l circuit.Lit, step int, limit trace.Limit) (*Cause, error) {
	root, err := x.why(ctx, d, l, step, limit)
	if err != nil || root.Source.Name != "" {
		return root, err
	}
	_, isLasso := x.Loop()
	root.Source = constantSource(l)
	if p, ok := d.Property(x.Property); ok && !isLasso && l.Var() != 0 && l == x.Evidence()[0].Lit {
		root.Source = design.SourceSignal{Name: p.Name, Negated: l.IsNegated(), Row: p.Row, Span: p.Row}
	}
	return root, nil
}

// WhyInRun is Why for a run of no property. The error is ErrOutside for a step that the run does not have, ErrAbstract,
// or that of ctx.
func WhyInRun(ctx context.Context, d *design.Design, x *Run, l circuit.Lit, step int, limit trace.Limit) (*Cause, error) {
	if !isExplainable(d, l) {
		return nil, ErrAbstract
	}
	root, err := x.why(ctx, d, l, step, limit)
	if err == nil && root.Source.Name == "" {
		root.Source = constantSource(l)
	}
	return root, err
}

// ErrAbstract says that what causes a value is not in the circuit as the text has it.
var ErrAbstract = errors.New("this value comes from an array that is too large to be bits, and so its causes cannot be shown")

// isExplainable reports whether literals do not depend on arrays that are abstracted.
func isExplainable(d *design.Design, lits ...circuit.Lit) bool {
	return !circuit.IsAbstraction(d.Circuit()) || design.SoundIn(d, lits...) == nil
}

// constantSource is what a literal is called that no word of the text stands for, such as a gate
// is that the circuit has merged with a constant.
func constantSource(l circuit.Lit) design.SourceSignal {
	return design.SourceSignal{Name: "constant", Negated: l.IsNegated()}
}

// WhyWord is WhyInRun for a word: the causes are the values of its bits, from the highest on, as far as these take part
// in the run. The error is ErrOutside where no bit does, or as that of WhyInRun.
func WhyWord(ctx context.Context, d *design.Design, x *Run, w *design.Word, step int, limit trace.Limit) (*Cause, error) {
	value, inside := x.WordValue(w, step)
	if !inside || step < 0 || step >= x.Limit() {
		return nil, ErrOutside
	}
	replay, err := x.reasons(ctx)
	if err != nil {
		return nil, err
	}
	var bits []trace.Event
	seen := map[circuit.Var]bool{}
	for _, b := range slices.Backward(w.Bits) {
		l, isInside := x.litOf(b.Lit)
		if b.Missing || !isInside || l.Var() == 0 || seen[l.Var()] {
			continue
		}
		if !isExplainable(d, b.Lit) {
			return nil, ErrAbstract
		}
		seen[l.Var()] = true
		bits = append(bits, trace.Event{Lit: l.Positive(), Step: step, Value: replay.Value(l.Positive(), step)})
	}
	node, err := replay.ExplainAll(ctx, bits, limit, x.isUnnamed(d))
	if err != nil {
		return nil, err
	}
	known, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	root := &Cause{Step: step, At: x.StepName(step), Reason: trace.Next, Word: w, Text: words.TextIn(words.Chosen(ctx, d, w), w, value), Cut: node.Cut}
	root.Source = design.SourceSignal{Name: w.Name}
	for _, n := range node.Causes {
		c := causeFromNode(ctx, d, known, x, n)
		if c.Source.Name == "" {
			c.Source = constantSource(c.Lit)
		}
		root.Causes = append(root.Causes, c)
	}
	if len(root.Causes) == 0 {
		root.Reason = trace.Constant
		return root, nil
	}
	first := root.Causes[0] // as where a word is a cause itself
	root.Lit, root.Value, root.Source = first.Lit, first.Value, first.Source
	root.Source.Name, root.Source.Negated = w.Name, false
	return root, nil
}

// why is WhyInRun with no name for a root that the text has no word for.
func (x *Run) why(ctx context.Context, d *design.Design, l circuit.Lit, step int, limit trace.Limit) (*Cause, error) {
	lit, ok := x.litOf(l)
	if !ok || step < 0 || step >= x.Limit() {
		return nil, ErrOutside
	}
	replay, err := x.reasons(ctx)
	if err != nil {
		return nil, err
	}
	node, err := replay.Explain(ctx, lit.Positive(), step, limit, x.isUnnamed(d))
	if err != nil {
		return nil, err
	}
	known, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	return causeFromNode(ctx, d, known, x, node), nil
}

// WhyFails returns why the property of a counterexample fails, as Why does for a value: the
// causes of the bad literal in the last step, or of what is 1 in each round of a lasso.
func WhyFails(ctx context.Context, d *design.Design, x *Counterexample, limit trace.Limit) (*Cause, error) {
	if _, isLasso := x.Loop(); !isLasso {
		e := x.Evidence()[0]
		return Why(ctx, d, x, e.Lit, e.Step, limit)
	}
	node, err := x.replay.ExplainAll(ctx, x.evidence, limit, x.isUnnamed(d))
	if err != nil {
		return nil, err
	}
	known, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	p, _ := d.Property(x.Property)
	first, _ := x.Loop()
	root := &Cause{Step: first, Source: design.SourceSignal{Name: p.Name, Row: p.Row, Span: p.Row}, Cut: node.Cut}
	for i, n := range node.Causes {
		c := causeFromNode(ctx, d, known, &x.Run, n)
		if c.Source.Name == "" {
			c.Source = design.SourceSignal{Name: goalName(p, x.goals[i]), Negated: x.Evidence()[i].Lit.IsNegated(), Row: p.Row, Span: p.Row}
		}
		root.Causes = append(root.Causes, c)
	}
	return root, nil
}

// PartsAt returns what reports whether the value of a literal of the circuit at a step has a
// part in why the property fails. The error is that of ctx.
func (x *Counterexample) PartsAt(ctx context.Context, step int) (func(circuit.Lit) bool, error) {
	part, err := x.parts.at(ctx, x, step)
	return func(l circuit.Lit) bool {
		lit, ok := x.litOf(l)
		return ok && part[lit.Var()]
	}, err
}

// lastParts is what has a part at the step that was asked about last: a user looks at one step
// for a while, and at many places.
type lastParts struct {
	mu   sync.Mutex
	step int    // guarded by mu
	part []bool // guarded by mu; nil for none, and never changed
}

func (k *lastParts) at(ctx context.Context, x *Counterexample, step int) ([]bool, error) {
	k.mu.Lock()
	part := k.part
	if k.step != step {
		part = nil
	}
	k.mu.Unlock()
	if part != nil {
		return part, ctx.Err()
	}
	part, err := x.replay.SupportAt(ctx, step, x.evidence...)
	if err == nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.step, k.part = step, part
	}
	return part, err
}

// goalName is what a literal of a justice property, or a fairness condition, is called that
// the text has no word for.
func goalName(p design.Property, i int) string { return fmt.Sprintf("%s.%d", p.Name, i) }

// isUnnamed returns what says of literals of the cone that the text has no word for them.
func (x *Run) isUnnamed(d *design.Design) func(circuit.Lit) bool {
	return func(l circuit.Lit) bool {
		_, named := d.SourceOf(x.cone.LitFrom(l))
		return !named
	}
}

// causeFromNode says an explanation over the literals of the cone in the words of the text.
func causeFromNode(ctx context.Context, d *design.Design, known *words.Words, x *Run, n *trace.Node) *Cause {
	from := x.cone.LitFrom(n.Lit)
	c := &Cause{
		Lit: from.Positive(), Step: n.Step, At: x.StepName(n.Step), Value: n.Value.NotIf(from.IsNegated()), Reason: n.Reason,
		Repeated: n.Repeated, Cut: n.Cut,
	}
	c.Source, _ = d.SourceOf(from)
	for _, cause := range n.Causes {
		c.Causes = append(c.Causes, causeFromNode(ctx, d, known, x, cause))
	}
	c.Causes = inWords(ctx, d, known, c.Causes)
	isLeaf := len(c.Causes) == 0 && !c.Repeated && !c.Cut
	if isLeaf && (c.Reason == trace.Next || c.Reason == trace.Gate) { // constants alone, which have no words
		c.Reason = trace.Constant
	}
	return c
}

// maxOpen is the width up to which causes that are a part of a word are said as a value of it
// with x for its other bits.
const maxOpen = 16

// inWords says causes that are bits of one word at one step as one, where the first of them
// stands.
func inWords(ctx context.Context, d *design.Design, known *words.Words, causes []*Cause) []*Cause {
	type key struct {
		word *design.Word
		step int
	}
	keyOf := func(c *Cause) key {
		p, _ := known.At(c.Lit)
		return key{p.Word, c.Step}
	}
	bits := map[key][]*Cause{}
	for _, c := range causes {
		k := keyOf(c)
		bits[k] = append(bits[k], c)
	}
	var all []*Cause
	for _, c := range causes {
		k := keyOf(c)
		switch of := bits[k]; {
		case k.word == nil || len(of) < 2 || len(of) < len(k.word.Bits) && len(k.word.Bits) > maxOpen:
			all = append(all, c)
		case of[0] == c:
			all = append(all, wordCause(known, k.word, words.Chosen(ctx, d, k.word), of))
		}
	}
	return all
}

// wordCause says causes that are bits of a word as one.
func wordCause(known *words.Words, w *design.Word, radix design.Radix, bits []*Cause) *Cause {
	position := func(c *Cause) int {
		p, _ := known.At(c.Lit)
		return p.Position
	}
	bits = slices.SortedStableFunc(slices.Values(bits), func(a, b *Cause) int { return position(b) - position(a) })
	value := make([]circuit.Value, len(w.Bits))
	for i := range value {
		value[i] = circuit.X
	}
	for _, c := range bits {
		p, _ := known.At(c.Lit)
		value[p.Position] = c.Value.NotIf(p.Negated)
	}
	whole := *bits[0]
	whole.Word, whole.Text, whole.Causes, whole.Reason = w, words.TextIn(radix, w, value), bits, trace.Next
	whole.Source.Name, whole.Repeated, whole.Cut = w.Name, false, false
	return &whole
}
