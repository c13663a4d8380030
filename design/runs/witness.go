package runs

import (
	"context"
	"errors"
	"slices"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/internal/source"
)

// AppendWitness appends the counterexample of a refuted property as an AIGER witness
// (Biere, Heljanko, Wieringa, "AIGER 1.9 and Beyond", 2011), in the order of the inputs and
// latches of the text. Errors are those of trace.Written and aiger.Witness.Append.
func AppendWitness(ctx context.Context, dst []byte, d *design.Design, p circuit.Property, checked cert.Checked) ([]byte, error) {
	loop, isLasso := checked.Loop()
	if !isLasso {
		loop = -1
	}
	w, err := WitnessOf(ctx, d, p, checked.Trace(), loop)
	if err != nil {
		return nil, err
	}
	return w.Append(dst)
}

// WitnessOf returns a counterexample over the inputs of the text. The others stand for errors
// outside of the property's cone. loop is the first step of its loop, else −1. Errors are those
// of trace.Written.
func WitnessOf(ctx context.Context, d *design.Design, p circuit.Property, t cert.Trace, loop int) (aiger.Witness, error) {
	t, err := trace.Written(ctx, d.Circuit(), t, loop)
	if err != nil {
		return aiger.Witness{}, err
	}
	rows, n := make([][]circuit.Value, len(t.Inputs)), d.NumInputs()
	for i, row := range t.Inputs {
		rows[i] = row[:n]
	}
	t.Inputs = rows
	return aiger.NewWitness(p, t), nil
}

// Violation is a run over the inputs of a circuit that violates a property, or reaches a cover.
type Violation struct {
	Run    cert.Trace // until the violation
	Loop   int        // of a justice property the first step of the loop; else −1
	Zeroed bool       // each x had to be taken as 0
}

// Violate simulates a run of unknown origin, over the inputs of the text, until it violates a
// property. The error is a *trace.Refusal for a run that does not, or that of ctx.
func Violate(ctx context.Context, d *design.Design, p circuit.Property, t cert.Trace) (v Violation, err error) {
	c := d.Circuit()
	t = Widen(d, t)
	if bad, ok := c.Bad(p); ok {
		v.Loop = -1
		v.Run, v.Zeroed, err = trace.Violation(ctx, c, bad, t)
	} else {
		v.Run, v.Loop, err = trace.Lasso(ctx, c, p.Index, t)
	}
	return v, err
}

// Claim returns the verdict that the run stands for, to be checked.
func (v Violation) Claim() cert.Verdict {
	if v.Loop < 0 {
		return cert.Verdict{Outcome: cert.Refuted, Trace: v.Run}
	}
	return cert.Verdict{Outcome: cert.Refuted, Lasso: &cert.Lasso{Trace: v.Run, Loop: v.Loop}}
}

// AppendRun appends a run with the inputs and latches of a text: as a witness of the properties
// that it violates, and one that violates none as a stimulus. ending is how names of such files
// end.
func AppendRun(dst []byte, t cert.Trace, violated []circuit.Property) (data []byte, ending string, err error) {
	if len(violated) == 0 {
		return aiger.AppendStimulus(dst, t), aiger.StimulusEnding, nil
	}
	w := aiger.NewWitness(violated[0], t)
	w.Properties = violated
	data, err = w.Append(dst)
	return data, ".wit", err
}

// Widen gives a run over the inputs of the text values for those that its circuit has
// besides, in place of errors: x.
func Widen(d *design.Design, t cert.Trace) cert.Trace {
	more := len(d.Circuit().Inputs()) - d.NumInputs()
	if more == 0 {
		return t
	}
	rows, wide := t.Inputs, make([]circuit.Value, more)
	for i := range wide {
		wide[i] = circuit.X
	}
	t.Inputs = make([][]circuit.Value, len(rows))
	for i, row := range rows {
		t.Inputs[i] = slices.Concat(row, wide)
	}
	return t
}

// Witness is a counterexample of a witness file.
type Witness struct {
	Properties []circuit.Property // that it is said to violate
	Trace      cert.Trace
}

// Called returns the property of a design that witnesses call p: where there are no bads, and
// outputs are properties, they call an output b. ok is false where there is none.
func Called(d *design.Design, p circuit.Property) (called circuit.Property, ok bool) {
	_, ok = d.Property(p)
	if p.Kind == circuit.PropertyBad && len(d.Circuit().Bads()) == 0 {
		p.Kind = circuit.PropertyOutput
		_, ok = d.Property(p)
	}
	return p, ok
}

// Choose returns the first counterexample that is said to violate one of the chosen properties,
// or of all of the design where none is chosen, and that property. One that is chosen alone is
// judged by the first counterexample, whatever that is said to violate.
func Choose(d *design.Design, all []Witness, chosen []circuit.Property) (w Witness, p circuit.Property, err error) {
	for _, w := range all {
		for _, p := range w.Properties {
			if p, ok := Called(d, p); ok && (len(chosen) == 0 || slices.Contains(chosen, p)) {
				return w, p, nil
			}
		}
	}
	switch {
	case len(all) == 0:
		return w, p, errors.New("there is no counterexample")
	case len(chosen) == 1:
		return all[0], chosen[0], nil
	}
	return w, p, errors.New("the witness names no property of this file")
}

// ReadWitnesses returns the counterexamples of a file, and what is wrong with the file. Whether
// one is a counterexample is for circuit/cert to decide.
func ReadWitnesses(data []byte) ([]Witness, []source.Diagnostic) {
	found, diagnostics := aiger.ReadWitnesses(data)
	var all []Witness
	for _, w := range found {
		if w.Status == '1' {
			all = append(all, Witness{w.Properties, w.Trace()})
		}
	}
	return all, diagnostics
}
