package ide

import (
	"context"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/lsp/document"
)

// Cause is the value of a signal at a step of a counterexample, with the values that
// force it.
type Cause struct {
	Lit     circuit.Lit // of the circuit, the signal itself
	Step    int
	Value   circuit.Value
	Reason  trace.Reason
	Meaning document.Meaning
	Causes  []*Cause
	// Repeated says that the causes stand at an earlier cause of the same value, Cut
	// that they are beyond the limit.
	Repeated, Cut bool
}

// String says the value in words: "full = 1 at step 3".
func (c *Cause) String() string {
	return fmt.Sprintf("%s = %s at step %d", c.Meaning.Name, c.NamedValue(), c.Step)
}

// NamedValue is the value of the signal that the text names.
func (c *Cause) NamedValue() circuit.Value { return c.Value.NotIf(c.Meaning.Negated) }

// Because says what the value is due to where it has no causes.
func (c *Cause) Because() string {
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

// Why returns the causes of the value of a literal of the circuit at a step, as a tree
// built level by level; ok is false when the literal lies outside of the counterexample
// or ctx ends. Gates that the text has no word for are passed over.
func Why(ctx context.Context, d *document.Document, x *Counterexample, l circuit.Lit, step int, limit trace.Limit) (root *Cause, ok bool) {
	lit, ok := x.litOf(l)
	if !ok || step < 0 || step >= x.Steps() {
		return nil, false
	}
	w := &why{d, x, map[causeKey]bool{}}
	root = w.cause(trace.Event{Lit: lit.Positive(), Step: step, Value: x.replay.Value(lit.Positive(), step)})
	if root.Meaning.Name == "" {
		root.Meaning = w.unnamed(l)
	}
	level, nodes := []*Cause{root}, 1
	for depth := 0; len(level) > 0; depth++ {
		if ctx.Err() != nil {
			return nil, false
		}
		var next []*Cause
		for _, c := range level {
			events := w.events(c)
			key := causeKey{c.Lit.Var(), c.Step}
			switch {
			case len(events) == 0:
				if c.Reason == trace.Next || c.Reason == trace.Gate { // all of them constants
					c.Reason = trace.Constant
				}
			case w.seen[key]:
				c.Repeated = true
			case depth >= limit.Depth || nodes+len(events) > limit.Nodes:
				c.Cut = true
			default:
				w.seen[key] = true
				nodes += len(events)
				for _, e := range events {
					c.Causes = append(c.Causes, w.cause(e))
				}
				next = append(next, c.Causes...)
			}
		}
		level = next
	}
	return root, true
}

type causeKey struct {
	v    circuit.Var
	step int
}

// why builds one tree.
type why struct {
	d    *document.Document
	x    *Counterexample
	seen map[causeKey]bool
}

// cause returns an event of the cone in the words of the text.
func (w *why) cause(e trace.Event) *Cause {
	from := w.x.cone.LitFrom(e.Lit)
	c := &Cause{Lit: from.Positive(), Step: e.Step, Value: e.Value.NotIf(from.IsNegated())}
	c.Meaning, _ = w.d.Meaning(from)
	c.Reason, _ = w.x.replay.Causes(e.Lit, e.Step)
	return c
}

// unnamed is what a literal is called that no word of the text stands for: the property
// when it decides that, or a constant, such as a gate is that the circuit has merged.
func (w *why) unnamed(l circuit.Lit) document.Meaning {
	if p, ok := w.d.Property(w.x.Property); ok && l.Var() != 0 && l == w.x.Bad() {
		return document.Meaning{Name: p.Name, Negated: l.IsNegated(), Row: p.Row, Span: p.Row}
	}
	return document.Meaning{Name: "constant", Negated: l.IsNegated()}
}

// events returns the causes that the text has words for.
func (w *why) events(c *Cause) []trace.Event {
	lit, _ := w.x.litOf(c.Lit)
	var all []trace.Event
	known := map[causeKey]bool{}
	var visit func(l circuit.Lit, step int)
	visit = func(l circuit.Lit, step int) {
		_, events := w.x.replay.Causes(l, step)
		for _, e := range events {
			key := causeKey{e.Lit.Var(), e.Step}
			if known[key] {
				continue
			}
			known[key] = true
			if _, named := w.d.Meaning(w.x.cone.LitFrom(e.Lit)); named {
				all = append(all, e)
			} else {
				visit(e.Lit, e.Step)
			}
		}
	}
	visit(lit, c.Step)
	return all
}

// Bounds of the tree in a hover.
var hoverCauses = trace.Limit{Depth: 4, Nodes: 14}

// why adds the reasons for the value of a signal at the step that is shown, or for the
// failure of a property.
func (h *hover) why(d *document.Document, l circuit.Lit, x *Counterexample, step int) {
	root, ok := Why(context.Background(), d, x, l, step, hoverCauses)
	if !ok || len(root.Causes) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "why %s:\n", code(root.String()))
	writeCauses(&b, root, 0)
	h.add("%s", strings.TrimRight(b.String(), "\n"))
}

func writeCauses(b *strings.Builder, c *Cause, depth int) {
	for _, cause := range c.Causes {
		note := cause.Because()
		switch {
		case cause.Repeated:
			note = "as above"
		case cause.Cut:
			note = "…"
		}
		if note != "" {
			note = " · " + note
		}
		fmt.Fprintf(b, "%s- %s%s\n", strings.Repeat("  ", depth), code(cause.String()), note)
		writeCauses(b, cause, depth+1)
	}
}
