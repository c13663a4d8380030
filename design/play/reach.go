package play

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/ic3/inquiry"
	"aiglens/internal/findings"
)

// LitAt returns the literal of the circuit that a text has at an offset, with what it is
// called: of a model with several instances that of the first. The error says why there is none,
// or is that of ctx.
func LitAt(ctx context.Context, d *design.Design, offset int) (l circuit.Lit, name string, err error) {
	if err := d.Elaborate(ctx); err != nil {
		return 0, "", err
	}
	o, ok := d.OccurrenceAt(offset)
	if !ok || o.Lit.Signal() == 0 {
		return 0, "", NotFound(ctx, d, errors.New("there is no signal here"))
	}
	copies := d.Copies(o.Lit, 1)
	if w, ok := design.WordOf(d, o.Lit.Signal()); ok && len(copies) == 0 {
		return 0, "", fmt.Errorf("%s has %s: a condition over it can be reached, such as %[1]s == 0", w.Name, findings.Count(len(w.Bits), "bit", "bits"))
	}
	if len(copies) == 0 {
		if _, err := d.Side(ctx); err != nil {
			return 0, "", err
		}
		return 0, "", errors.New("the circuit does not have this signal")
	}
	name = formula.LitName(d, o.Lit)
	if copies[0].Path != "" {
		name = copies[0].Path + "/" + name
	}
	return copies[0].Lit, name, design.SoundAt(d, copies[0].Lit)
}

// NotFound returns the error of a text that has no circuit, such as Verilog that Yosys has not read as it is: no signal
// can be found there. Of other texts it returns what the caller says of a signal that was not found.
func NotFound(ctx context.Context, d *design.Design, none error) error {
	if err := d.Elaborate(ctx); err != nil {
		return err
	}
	if d.Circuit().NumVars() > 1 { // more than the constant
		return none
	}
	if _, err := d.Side(ctx); err != nil {
		return err
	}
	return none
}

// LitNamed returns the literal of the circuit that a name stands for, with what it is called: a
// number or a position goes by the name that the text has for it. The error is a sentence for the
// user.
func LitNamed(d *design.Design, name string) (l circuit.Lit, called string, err error) {
	if l, err = d.SignalNamed(name); err != nil || !d.HasNumbers() {
		return l, name, err
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(name, "lit"), 10, 31)
	if same, ok := d.LitOf(design.Lit(number)); err == nil && ok && same == l {
		return l, formula.LitName(d, design.Lit(number)), nil
	}
	if found, ok := d.SourceOf(l); ok && found.Name != fmt.Sprint(found.Lit) && found.Negated == l.IsNegated() {
		return l, found.Name, nil
	}
	return l, name, nil
}

// Reached is what was found of a signal.
type Reached struct {
	Verdict inquiry.Reach
	Name    string // of the signal
	Message string
	Run     *Kept // its last step is the first in which the signal is 1; nil for none
}

// ReachedFrom says what was found of a goal.
func ReachedFrom(ctx context.Context, d *design.Design, g *Goal, found inquiry.LiteralReach) (answer Reached, err error) {
	if err := g.Confirm(ctx, d, found); err != nil {
		return answer, err
	}
	var open design.LeftOpen
	if found.Verdict == inquiry.Reached { // else its cone need not be searched
		open = design.LeftOpenAt(d, g.Signals()...)
	}
	answer = Reached{Verdict: found.Verdict, Name: g.Name, Message: g.Words(found, open) + "."}
	if found.Verdict != inquiry.Reached {
		return answer, nil
	}
	run := &Run{Goal: g}
	if run.Trace, err = fromCounterexample(d, found.Trace); err != nil {
		return answer, err
	}
	kept := Keep(d, run)
	answer.Run = &kept
	return answer, nil
}
