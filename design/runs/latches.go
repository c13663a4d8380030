package runs

import (
	"context"
	"iter"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/internal/source"
)

// LatchPlace is a latch of a counterexample and where the text defines it.
type LatchPlace struct {
	Name    string
	Literal design.Lit
	Index   int    // among the latches of the circuit, which a literal need not tell
	Values  string // a digit a step: 0, 1 or x
	Word    string // the same, and of a lasso what repeats: see Counterexample.Word
	Loop    int    // how many of the steps, the last ones, repeat for ever
	Row     source.Span
	Span    source.Span // the defining literal
	// Other is the definition in another file; nil for one in this file.
	Other *design.Target
}

// Latches returns the latches of a counterexample in its order; none for nil. The error
// is that of ctx.
func Latches(ctx context.Context, d *design.Design, x *Counterexample) ([]LatchPlace, error) {
	var all []LatchPlace
	for l := range latchPlaces(d, x) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// FirstLatches returns the first few latches of a counterexample.
func FirstLatches(d *design.Design, x *Counterexample, limit int) []LatchPlace {
	var all []LatchPlace
	for l := range latchPlaces(d, x) {
		if all = append(all, l); len(all) == limit {
			break
		}
	}
	return all
}

// latchPlaces goes through the latches of a counterexample in its order; through none
// for nil.
func latchPlaces(d *design.Design, x *Counterexample) iter.Seq[LatchPlace] {
	return func(yield func(LatchPlace) bool) {
		if x == nil {
			return
		}
		for _, t := range x.Latches() {
			lit, place, ok := design.FlipFlop(d, t.Index)
			if !ok || design.IsAuxiliary(d, d.Circuit().Latches()[t.Index].Lit) {
				continue
			}
			if lit != d.Circuit().Latches()[t.Index].Lit {
				t = x.flipFlop(t, lit)
			}
			if !yield(LatchPlace{place.Name, place.Lit, t.Index, trace.Digits(t.Values), t.Word, x.LoopSteps(), place.Row, place.Span, place.Other}) {
				return
			}
		}
	}
}

// flipFlop returns the values of what a latch stands for, in the place of its own.
func (x *Counterexample) flipFlop(t LatchTrace, lit circuit.Lit) LatchTrace {
	if _, inside := x.litOf(lit); !inside {
		return t
	}
	values := make([]circuit.Value, x.Recorded())
	for step := range values {
		values[step], _ = x.Value(lit, step)
	}
	t.Values, t.Word = values[:x.Steps()], x.Word(values)
	return t
}
