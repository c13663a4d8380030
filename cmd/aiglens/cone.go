package main

import (
	"context"
	"fmt"
	"slices"

	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/btor2design"
	"aiglens/design/words"
)

// coneFlags are the flags of cone.
type coneFlags struct {
	files         readFlags
	signals       stringList
	levels        int
	noConstraints bool
	out, to       string
	force         bool
}

// cutCone writes what signals depend on as a circuit of its own.
func cutCone(ctx context.Context, e env, args []string) int {
	var f coneFlags
	fs := newFlags("cone")
	f.files.register(fs)
	fs.Var(&f.signals, "signal", "make the signal of this `name` an output: a symbol or net, in AIGER files also a position such as l3 or o0, or a literal; may be repeated")
	fs.IntVar(&f.levels, "levels", 0, "keep so many levels of gates and latches; deeper signals become inputs; 0 is all")
	fs.BoolVar(&f.noConstraints, "no-constraints", false, "leave out the constraints; --levels always does")
	fs.StringVar(&f.out, "o", "-", "write to `file`, whose extension decides the format; - is standard output")
	fs.StringVar(&f.to, "to", "", "`format` aag, aig, blif or btor2; without it that of the output's extension, else that of the input")
	fs.BoolVar(&f.force, "force", false, "overwrite an existing output file")
	in, code, done := readOne(ctx, fs, e, args, &f.files, f.validate)
	if done {
		return code
	}
	encoding, err := encodingLike(in, f.to, f.out)
	if err == nil {
		err = e.keepsBinary(fs, encoding, f.out)
	}
	if err != nil {
		return problem(e, "%v", err)
	}
	data, err := f.cut(ctx, e, in, encoding)
	if err != nil {
		return problem(e, "%s: %v", in.URI, err)
	}
	if err := e.output(f.out, data, f.force); err != nil {
		return problem(e, "%v", err)
	}
	return exitOK
}

// output writes a file, or to standard output for "-", whose errors run reports.
func (e env) output(name string, data []byte, force bool) error {
	if name != "-" {
		return e.create(name, data, force)
	}
	_, _ = e.stdout.Write(data)
	return nil
}

// validate says what is wrong with the flags.
func (f *coneFlags) validate() error {
	switch {
	case len(f.signals) == 0:
		return fmt.Errorf("cone needs a signal: --signal NAME")
	case f.levels < 0:
		return fmt.Errorf("--levels %d: expected 0 or more", f.levels)
	}
	return nil
}

// cut returns the cone, encoded.
func (f *coneFlags) cut(ctx context.Context, e env, in *design.Design, encoding string) ([]byte, error) {
	if err := soundIn(ctx, e, in); err != nil { // for rows, it does not matter what is too large
		return nil, err
	}
	if encoding == formatBTOR2 {
		if text, cut, ok := btor2design.ConeOf(in, f.signals, !f.noConstraints, f.levels); ok {
			if f.noConstraints || f.levels > 0 {
				sayDropped(e, in, len(in.Circuit().Constraints()))
			}
			sayCut(e, in, cut)
			return []byte(text), nil
		}
	}
	var signals []circuit.Lit
	var outputs []string
	for _, name := range f.signals {
		lits, names, err := words.SignalsNamed(ctx, in, name)
		if err != nil {
			return nil, err
		}
		signals, outputs = append(signals, lits...), append(outputs, names...)
	}
	asked := signals
	if withConstraints := f.levels == 0 && !f.noConstraints; withConstraints {
		for _, s := range in.Circuit().Constraints() {
			asked = append(slices.Clip(asked), s.Lit)
		}
	}
	if err := soundIn(ctx, e, in, asked...); err != nil {
		return nil, err
	}
	part, err := circuit.Extract(ctx, in.Circuit(), signals, circuit.ExtractOptions{Levels: f.levels, Constraints: f.levels == 0 && !f.noConstraints})
	if err != nil {
		return nil, err
	}
	sayDropped(e, in, len(in.Circuit().Constraints())-len(part.Circuit.Constraints()))
	if left := len(in.Circuit().Lemmas()) + len(in.Circuit().Covers()) - len(part.Lemmas) - len(part.Covers); left > 0 {
		fmt.Fprintf(e.stderr, "%s: left out: %s that the cone has no signals for\n", in.URI, answers.Count(left, "lemma or cover", "lemmas and covers"))
	}
	sayCut(e, in, part.Cut)
	whole, err := namesFor(ctx, in, encoding)
	if err != nil {
		return nil, err
	}
	names := partNames(in, part, outputs, whole)
	if encoding == formatBTOR2 {
		names.BadOutputs = nil // its outputs are no properties
	}
	return encodeNamed(e, in.URI, part.Circuit, names, encoding)
}

// sayDropped says how many constraints a cone leaves out.
func sayDropped(e env, in *design.Design, dropped int) {
	if dropped > 0 {
		fmt.Fprintf(e.stderr, "%s: left out: %s. The cone has runs that the file does not have\n", in.URI, answers.Count(dropped, "constraint", "constraints"))
	}
}

// sayCut says how many signals of a cone are inputs that are none in the file.
func sayCut(e env, in *design.Design, cut int) {
	if cut > 0 {
		fmt.Fprintf(e.stderr, "%s: turned into inputs: %s\n", in.URI, answers.Count(cut, "signal", "signals"))
	}
}

// partNames returns the names of a part: those that its elements had in the whole.
func partNames(d *design.Design, part *circuit.Part, signals []string, whole blif.Names) blif.Names {
	names := blif.Names{Model: whole.Model}
	for _, v := range part.Inputs {
		names.Inputs = append(names.Inputs, signalName(d, v))
	}
	for _, v := range part.Latches {
		names.Latches = append(names.Latches, signalName(d, v))
	}
	for i, name := range signals {
		if d.HasNumbers() && isNumber(name) {
			name = "lit" + name
		}
		names.Outputs = append(names.Outputs, name)
		names.BadOutputs = append(names.BadOutputs, i)
	}
	if len(part.Circuit.Constraints()) > 0 {
		names.Constraints = whole.Constraints
	}
	for _, i := range part.Lemmas {
		names.Lemmas = append(names.Lemmas, whole.Lemmas[i])
	}
	for _, i := range part.Covers {
		names.Covers = append(names.Covers, whole.Covers[i])
	}
	for _, w := range whole.Words {
		for i, l := range w.Lits {
			if b := &w.Bits[i]; !b.IsMissing {
				l, ok := part.Lit(l)
				b.IsMissing, w.Lits[i] = !ok, l
			}
		}
		names.Words = append(names.Words, w)
	}
	return names
}

func isNumber(name string) bool {
	for _, r := range name {
		if r < '0' || r > '9' {
			return false
		}
	}
	return name != ""
}

// signalName returns what a file calls a variable, or "".
func signalName(d *design.Design, v circuit.Var) string {
	name, _ := d.Names().Signal(v)
	return name
}
