package ide

import (
	"context"
	"fmt"
	"strings"

	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/formula"
)

// connections says how a signal hangs in the circuit: level, fan-in, fan-out by
// polarity, size of the cone.
func (h *hover) connections(ctx context.Context, d *design.Design, s design.Signal) {
	var buf [4]design.Lit
	kind, _, drivers := d.Drivers(s, buf[:0])
	if kind == design.Undefined {
		return
	}
	var parts []string
	cone := Cone(ctx, d, s)
	if kind == design.Gate {
		if level, ok := Level(d, s); ok {
			parts = append(parts, fmt.Sprintf("level %d", level))
		}
		parts = append(parts, fmt.Sprintf("fan-in %d", len(drivers)))
	}
	h.add("%s", strings.Join(append(parts, fanOut(d.CountUses(s))), " · "))
	switch {
	case cone.Cut:
		h.add("cone: > %s signals", answers.Thousands(maxCone))
	case cone.Instances > 0: // what is inside them is not counted
		h.add("cone within the model: %s", cone)
	case kind != design.Input:
		h.add("cone: %s", cone)
	}
}

func fanOut(positive, negated int) string {
	text := "fan-out " + answers.Thousands(positive+negated)
	if negated > 0 {
		text += fmt.Sprintf(" (%s positive, %s negated)", answers.Thousands(positive), answers.Thousands(negated))
	}
	return text
}

func (c ConeSize) String() string {
	text := fmt.Sprintf("%s, %s, %s", answers.Count(c.Inputs, "input", "inputs"), answers.Count(c.Latches, "latch", "latches"), answers.Count(c.Gates, "gate", "gates"))
	if c.Instances > 0 {
		text += ", " + answers.Count(c.Instances, "output of an instance", "outputs of instances")
	}
	return text
}

// uses says what a row does with a literal.
var uses = map[design.Use]string{
	design.AsOperand: "operand", design.AsNext: "next state", design.AsReset: "reset", design.AsControl: "clock",
	design.AsFormal: "port",
}

// place says which row the hover stands on, and what the literal does there.
func (h *hover) place(d *design.Design, row design.RowRef, o design.Occurrence, onSignal bool) {
	negated := ""
	if onSignal && o.Lit.IsNegated() && o.Lit.Signal() != 0 {
		negated = ", negated: " + code(formula.Expression(d, o.Lit, 2))
	}
	if use, ok := uses[o.Use]; ok && onSignal {
		h.add("here: %s of %s%s", use, code(rowName(d, row)), negated)
		return
	}
	h.add("row %s of the %s%s", answers.Thousands(row.Index+1), row.Section, negated)
}

// rowName is what a row's signal is called, else what the row is.
func rowName(d *design.Design, row design.RowRef) string {
	if row.Kind == design.Undefined {
		return row.Label
	}
	if name := d.Name(row.Signal); name != "" {
		return name
	}
	if row.Kind == design.Gate {
		return fmt.Sprintf("%s %d", row.One, row.Signal.Lit())
	}
	return row.Label
}

// names says what a naming line names.
func (h *hover) names(d *design.Design, s design.SymbolLine) {
	if s.Row.Section == "" {
		return
	}
	line, _ := d.Text.LineColumn(s.Row.Span.Start)
	h.add("%s names %s, line %d", code(s.Name), s.Row.Label, line)
}

func headerFieldAt(d *design.Design, offset int) (design.HeaderField, bool) {
	for _, f := range d.Header() {
		if f.Span.Contains(offset) {
			return f, true
		}
	}
	return design.HeaderField{}, false
}

func headerText(d *design.Design, f design.HeaderField) string {
	if f.IsLimit {
		return fmt.Sprintf("**%s** · %s: %s\n\nlargest variable of the file: %s", f.Name, f.Meaning, answers.Thousands(f.Announced), answers.Thousands(d.Found(f)))
	}
	return fmt.Sprintf("**%s** · %s: %s announced, %s found", f.Name, f.Meaning, answers.Thousands(f.Announced), answers.Thousands(d.Found(f)))
}
