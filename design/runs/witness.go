package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aiglens/aiger"
	"aiglens/btor2"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/btor2design"
	"aiglens/internal/source"
)

// Written is a witness as it is written to a file: for AIGER (Biere, Heljanko, Wieringa, "AIGER 1.9 and Beyond", 2011), in
// the order of the inputs and latches of the text, or for BTOR2 in that of its rows.
type Written struct {
	run    cert.Trace
	aiger  *aiger.Witness
	btor2  *btor2.Witness
	status string // in place of both
}

// Trace returns the run of the witness.
func (w Written) Trace() cert.Trace { return w.run }

// Append appends the witness. The error is that of a property that the format has no letter for.
func (w Written) Append(dst []byte) ([]byte, error) {
	switch {
	case w.btor2 != nil:
		return w.btor2.Append(dst)
	case w.aiger != nil:
		return w.aiger.Append(dst)
	}
	return append(dst, w.status...), nil
}

// AppendWitness appends the counterexample of a refuted property as WitnessOf returns it.
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

// WitnessOf returns a counterexample as tools for the format of the text read it: those for BTOR2 their own witnesses,
// all others those of AIGER. loop is the first step of its loop, else −1. Errors are those of trace.Written.
func WitnessOf(ctx context.Context, d *design.Design, p circuit.Property, t cert.Trace, loop int) (Written, error) {
	built, isBTOR2 := btor2design.BuiltOf(d)
	if !isBTOR2 {
		return AIGERWitness(ctx, d, p, t, loop)
	}
	t, err := trace.Written(ctx, d.Circuit(), t, loop)
	if err != nil {
		return Written{}, err
	}
	w, err := built.WitnessFromTrace(ctx, t, p)
	return Written{run: t, btor2: &w}, err
}

// AIGERWitness returns a counterexample over the inputs of the text, whatever its format. The others stand for errors
// outside of the property's cone. loop and errors are as of WitnessOf.
func AIGERWitness(ctx context.Context, d *design.Design, p circuit.Property, t cert.Trace, loop int) (Written, error) {
	t, err := trace.Written(ctx, d.Circuit(), t, loop)
	if err != nil {
		return Written{}, err
	}
	rows, n := make([][]circuit.Value, len(t.Inputs)), d.NumInputs()
	for i, row := range t.Inputs {
		rows[i] = row[:n]
	}
	t.Inputs = rows
	w := aiger.NewWitness(p, t)
	return Written{run: t, aiger: &w}, nil
}

// WithoutRun returns what stands in place of a witness for a property that holds, or that has no answer.
func WithoutRun(d *design.Design, p circuit.Property, holds bool) Written {
	switch _, isBTOR2 := btor2design.BuiltOf(d); {
	case isBTOR2 && holds:
		return Written{btor2: &btor2.Witness{IsUnsat: true, Properties: []circuit.Property{p}}}
	case isBTOR2:
		return Written{status: "unknown\n"}
	case holds:
		return Written{aiger: &aiger.Witness{Status: '0', Properties: []circuit.Property{p}}}
	}
	return Written{aiger: &aiger.Witness{Status: '2', Properties: []circuit.Property{p}}}
}

// Violation is a run over the inputs of a circuit that violates a property, or reaches a cover.
type Violation struct {
	Run    cert.Trace // until the violation
	Loop   int        // of a justice property the first step of the loop; else −1
	Zeroed bool       // each x had to be taken as 0
}

// Violate simulates a run of unknown origin, over the inputs of the text, until it violates a
// property. The error is a *trace.Refusal for a run that does not, or that of ctx, or says why none can be simulated.
func Violate(ctx context.Context, d *design.Design, p circuit.Property, t cert.Trace) (v Violation, err error) {
	c := d.Circuit()
	t = Widen(d, t)
	if bad, ok := c.Bad(p); ok {
		v.Loop = -1
		v.Run, v.Zeroed, err = trace.Violation(ctx, c, bad, t)
		if original := circuit.OriginalOf(c, p); original != nil {
			v, err = violatesText(ctx, original, p, t, v, err)
		}
	} else if circuit.OriginalOf(c, p) != nil {
		return v, errors.New("a loop cannot be replayed where arrays are too large")
	} else {
		v.Run, v.Loop, err = trace.Lasso(ctx, c, p.Index, t)
	}
	return v, err
}

// violatesText is Violate for an abstraction, which asks for a property at some addresses alone. What it has found there at the
// addresses of the run is a violation of the text, or an error. Else the text is asked, and then the run has its addresses.
func violatesText(ctx context.Context, original circuit.Original, p circuit.Property, t cert.Trace, found Violation, none error) (Violation, error) {
	if none == nil {
		return found, violates(ctx, original, p, found.Run)
	}
	var err error
	t.Initial, t.Inputs, err = original.Concrete(ctx, p, t.Initial, t.Inputs)
	switch {
	case ctx.Err() != nil:
		return found, ctx.Err()
	case err != nil:
		return found, none
	}
	found.Run = t
	return found, violates(ctx, original, p, t)
}

// violates tests that a run of an abstraction violates a property of the design, too. The error is as that of Violate.
func violates(ctx context.Context, original circuit.Original, p circuit.Property, t cert.Trace) error {
	err := original.Verify(ctx, p, t.Initial, t.Inputs)
	if err != nil && ctx.Err() == nil {
		return &trace.Refusal{Step: t.Steps() - 1, Reason: err.Error()}
	}
	return err
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
// end. The error may be that of ctx.
func AppendRun(ctx context.Context, dst []byte, d *design.Design, t cert.Trace, violated []circuit.Property) (data []byte, ending string, err error) {
	if built, isBTOR2 := btor2design.BuiltOf(d); isBTOR2 {
		w, err := built.WitnessFromTrace(ctx, t, violated...)
		if err == nil {
			data, err = w.Append(dst)
		}
		return data, ".wit", err
	}
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
	Properties []circuit.Property // that it is said to violate; none of a run
	Trace      cert.Trace
	// Status is what the file says in place of a counterexample: 0, 2 or unsat; else "".
	Status string
	// Lines are those of the status, the properties and the start, and then one for each step.
	Lines []source.Span
}

// LineOf returns the line of a step.
func (w *Witness) LineOf(step int) source.Span { return w.Lines[min(3+step, len(w.Lines)-1)] }

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
	case len(chosen) == 1 && circuit.OriginalOf(d.Circuit(), chosen[0]) != nil: // which has other elements of arrays
		return w, p, errors.New("the witness does not name the property, which depends on arrays that are too large to be bits")
	case len(chosen) == 1:
		return all[0], chosen[0], nil
	}
	return w, p, errors.New("the witness names no property of this file")
}

// ReadWitnesses returns the witnesses of a file about a text, and what is wrong with the file. Whether one is a
// counterexample is for circuit/cert to decide. The error is that of ctx, or says that the file is about another format.
func ReadWitnesses(ctx context.Context, d *design.Design, data []byte) (all []Witness, found []source.Diagnostic, err error) {
	if btor2.IsWitness(data) {
		return readWords(ctx, d, data)
	}
	read, found := aiger.ReadWitnesses(data)
	for _, w := range read {
		next := Witness{Properties: w.Properties, Trace: w.Trace(), Lines: w.Lines}
		if w.Status != '1' {
			next.Status = string(w.Status)
		}
		all = append(all, next)
	}
	return all, found, nil
}

// readWords reads witnesses of BTOR2.
func readWords(ctx context.Context, d *design.Design, data []byte) (all []Witness, found []source.Diagnostic, err error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, nil, err
	}
	built, ok := btor2design.BuiltOf(d)
	if !ok {
		return nil, nil, fmt.Errorf("%s is no BTOR2 file, and the witness is about one", d.URI)
	}
	read, found := btor2.ReadWitnesses(data)
	for _, w := range eachAlone(built, read) {
		t, fault, err := built.TraceFromWitness(ctx, w)
		if err != nil {
			return nil, nil, err
		}
		if fault != nil {
			if len(found) == 0 || found[len(found)-1].Span != fault.Span { // once for all properties of a witness
				found = append(found, *fault)
			}
			continue
		}
		next := Witness{Properties: w.Properties, Trace: t, Lines: []source.Span{w.Status, w.Claims, w.Claims}}
		if w.IsUnsat {
			next.Status = "unsat"
		}
		for _, f := range w.Frames {
			next.Lines = append(next.Lines, f.Span)
		}
		all = append(all, next)
	}
	return all, found, nil
}

// eachAlone has a witness of several properties for each of them where an abstraction has other addresses for each.
func eachAlone(built *btor2.Elaboration, read []btor2.Witness) (all []btor2.Witness) {
	for _, w := range read {
		if !slices.ContainsFunc(w.Properties, built.IsCheckedByAbstraction) {
			all = append(all, w)
			continue
		}
		for _, p := range w.Properties {
			alone := w
			alone.Properties = []circuit.Property{p}
			all = append(all, alone)
		}
	}
	return all
}
