package ide

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/lsp/document"
)

// Cause is the value of a signal at a step of a counterexample, with the values that
// force it.
type Cause struct {
	Lit    circuit.Lit // of the circuit, the signal itself
	Step   int
	Value  circuit.Value
	Reason trace.Reason
	Source document.SourceSignal
	Causes []*Cause
	// Repeated says that the causes stand at an earlier cause of the same value, Cut
	// that they are beyond the limit.
	Repeated, Cut bool
}

// String says the value in words: "full = 1 at step 3".
func (c *Cause) String() string {
	return fmt.Sprintf("%s = %s at step %d", c.Source.Name, c.NamedValue(), c.Step)
}

// NamedValue is the value of the signal that the text names.
func (c *Cause) NamedValue() circuit.Value { return c.Value.NotIf(c.Source.Negated) }

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

// ErrOutside is returned for a signal that has no part in a counterexample, or for a
// step that the counterexample does not have.
var ErrOutside = errors.New("outside of the counterexample")

// Why returns the causes of the value of a literal of the circuit at a step, as a tree
// built level by level. Gates that the text has no word for are passed over. Errors are
// ErrOutside and that of ctx.
func Why(ctx context.Context, d *document.Document, x *Counterexample, l circuit.Lit, step int, limit trace.Limit) (*Cause, error) {
	lit, ok := x.litOf(l)
	if !ok || step < 0 || step >= x.Steps() {
		return nil, ErrOutside
	}
	node, err := x.replay.Explain(ctx, lit.Positive(), step, limit, func(l circuit.Lit) bool {
		_, named := d.SourceOf(x.cone.LitFrom(l))
		return !named
	})
	if err != nil {
		return nil, err
	}
	root := causeFromNode(d, x, node)
	if root.Source.Name == "" {
		root.Source = unnamed(d, x, l)
	}
	return root, nil
}

// causeFromNode says an explanation over the literals of the cone in the words of the text.
func causeFromNode(d *document.Document, x *Counterexample, n *trace.Node) *Cause {
	from := x.cone.LitFrom(n.Lit)
	c := &Cause{
		Lit: from.Positive(), Step: n.Step, Value: n.Value.NotIf(from.IsNegated()), Reason: n.Reason,
		Repeated: n.Repeated, Cut: n.Cut,
	}
	c.Source, _ = d.SourceOf(from)
	for _, cause := range n.Causes {
		c.Causes = append(c.Causes, causeFromNode(d, x, cause))
	}
	isLeaf := len(c.Causes) == 0 && !c.Repeated && !c.Cut
	if isLeaf && (c.Reason == trace.Next || c.Reason == trace.Gate) { // constants alone, which have no words
		c.Reason = trace.Constant
	}
	return c
}

// unnamed is what a literal is called that no word of the text stands for: the property
// when it decides that, or a constant, such as a gate is that the circuit has merged.
func unnamed(d *document.Document, x *Counterexample, l circuit.Lit) document.SourceSignal {
	if p, ok := d.Property(x.Property); ok && l.Var() != 0 && l == x.Bad() {
		return document.SourceSignal{Name: p.Name, Negated: l.IsNegated(), Row: p.Row, Span: p.Row}
	}
	return document.SourceSignal{Name: "constant", Negated: l.IsNegated()}
}

// Bounds of the tree in a hover.
var hoverCauses = trace.Limit{Depth: 4, Nodes: 14}

// why adds the reasons for the value of a signal at the step that is shown, or for the
// failure of a property.
func (h *hover) why(ctx context.Context, d *document.Document, l circuit.Lit, x *Counterexample, step int) {
	root, err := Why(ctx, d, x, l, step, hoverCauses)
	if err != nil || len(root.Causes) == 0 {
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
