package play

import (
	"context"
	"errors"
	"fmt"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/ic3/inquiry"
)

// LitAt returns the literal of the circuit that a text has at an offset, with what it is
// called: of a model with several instances that of the first. The error says why there is none,
// or is that of ctx.
func LitAt(ctx context.Context, d *design.Design, offset int) (l circuit.Lit, name string, err error) {
	if _, err := d.Side(ctx); err != nil {
		return 0, "", err
	}
	o, ok := d.OccurrenceAt(offset)
	if !ok || o.Lit.Signal() == 0 {
		return 0, "", errors.New("there is no signal here")
	}
	copies := d.Copies(o.Lit, 1)
	if len(copies) == 0 {
		return 0, "", errors.New("the circuit does not have this signal")
	}
	name = formula.LitName(d, o.Lit)
	if copies[0].Path != "" {
		name = copies[0].Path + "/" + name
	}
	return copies[0].Lit, name, nil
}

// Reached is what was found of a signal.
type Reached struct {
	Verdict inquiry.Reach
	Name    string // of the signal
	Message string
	Run     *Kept // its last step is the first in which the signal is 1; nil for none
}

// ReachedFrom says what was found of a literal.
func ReachedFrom(d *design.Design, l circuit.Lit, name string, found inquiry.LiteralReach) (answer Reached, err error) {
	answer = Reached{Verdict: found.Verdict, Name: name}
	switch found.Verdict {
	case inquiry.Never:
		answer.Message = fmt.Sprintf("%s is never 1: proved, at depth %d with %d clauses.", name, found.Depth, found.Clauses)
		if found.HasNoRun {
			answer.Message = fmt.Sprintf("%s is never 1, for no run meets the constraints, not even in its first step.", name)
		}
	case inquiry.Reached:
		run := &Run{Goal: l}
		if run.Trace, err = fromCounterexample(d, found.Trace); err != nil {
			return answer, err
		}
		kept := Keep(d, run)
		answer.Run = &kept
		answer.Message = fmt.Sprintf("%s is 1 in step %d.", name, found.Trace.Steps()-1)
	default:
		answer.Message = fmt.Sprintf("It is not known whether %s is ever 1: %s, at depth %d.", name, found.Reason, found.Depth)
	}
	return answer, nil
}
