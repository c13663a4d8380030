package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/btor2design"
)

// convert writes a file in another format or encoding.
func convert(ctx context.Context, e env, args []string) int {
	var options readFlags
	fs := newFlags("convert")
	options.register(fs)
	out := fs.String("o", "-", "write to `file`, whose extension decides the format; - is standard output")
	to := fs.String("to", "", "`format` aag, aig, blif or btor2; without it that of the output's extension, else aig for aag and aag for the others")
	safety := fs.Bool("safety", false, "turn a justice property into one of safety: its bad can be 1 iff a run violates the justice property")
	var indices propertyList
	fs.Var(&indices, "index", "the property for --safety, as `justice:N`; needed where there are several")
	constant := fs.Bool("constant-resets", false, "replace reset functions by a latch that is 1 only in the first step")
	mapOut := fs.String("map-out", "", "BTOR2 to AIGER: write a map of the inputs to rows, as write_aiger -ywmap does, to this `file`; named like the output, but .ywa, it is found beside it")
	force := fs.Bool("force", false, "overwrite an existing output file")
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	in, code, done := readOnly(ctx, fs, e, files, &options, func() error {
		switch {
		case len(indices) > 0 && !*safety:
			return fmt.Errorf("--index chooses the property for --safety")
		case len(indices) > 1 || len(indices) == 1 && indices[0].Kind != circuit.PropertyJustice:
			return fmt.Errorf("--safety writes one justice property: --index justice:N")
		case *mapOut != "" && isSameFile(*mapOut, *out):
			return fmt.Errorf("--map-out and -o are the same file")
		case *mapOut != "" && *mapOut != "-" && isSameFile(*mapOut, files[0]):
			return fmt.Errorf("--map-out is the file that is read")
		}
		return nil
	})
	if done {
		return code
	}
	encoding, err := encodingFor(*to, *out, in.Encoding() == "aag")
	if err == nil {
		err = e.keepsBinary(fs, encoding, *out)
	}
	if err != nil {
		return problem(e, "%v", err)
	}
	var change func(*aiger.Model) (*aiger.Model, error)
	switch {
	case *safety:
		change = func(m *aiger.Model) (*aiger.Model, error) { return asSafety(m, indices) }
	case *constant:
		if _, err := in.Sound(ctx); err == nil && in.Circuit().HasResetFunctions() {
			change = (*aiger.Model).ConstantResets
		}
	}
	data, err := encode(ctx, e, in, encoding, change)
	if err != nil {
		return problem(e, "%s: %v", in.URI, err)
	}
	var written []byte
	if *mapOut != "" {
		if written, err = witnessMap(in, encoding, change != nil); err != nil {
			return problem(e, "--map-out: %s: %v", in.URI, err)
		}
	}
	if err := e.output(*out, data, *force); err != nil {
		return problem(e, "%v", err)
	}
	if *mapOut != "" {
		if err := e.output(*mapOut, written, *force); err != nil {
			return problem(e, "%v", err)
		}
	}
	return exitOK
}

// isSameFile reports whether two names are of one file, or both of standard output.
func isSameFile(a, b string) bool {
	if a == "-" || b == "-" {
		return a == b
	}
	if one, err := os.Stat(a); err == nil {
		if other, err := os.Stat(b); err == nil {
			return os.SameFile(one, other)
		}
	}
	pathA, errA := filepath.Abs(a)
	pathB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && pathA == pathB
}

// witnessMap returns a map of the inputs of a BTOR2 file in AIGER.
func witnessMap(d *design.Design, encoding string, isChanged bool) ([]byte, error) {
	m, isBTOR2 := btor2design.WitnessMapOf(d)
	switch {
	case !isBTOR2:
		return nil, errors.New("this is no BTOR2 file")
	case isNamed(encoding):
		return nil, errors.New("the map is about an AIGER file")
	case isChanged:
		return nil, errors.New("the map is about the circuit as it is, without --safety and --constant-resets")
	}
	return m.Append(nil)
}

// encode writes a file in another format or encoding, with a change if that is not nil.
func encode(ctx context.Context, e env, d *design.Design, encoding string, change func(*aiger.Model) (*aiger.Model, error)) ([]byte, error) {
	if change == nil && encoding == formatBTOR2 && d.Kind == btor2design.Format {
		return []byte(d.Text.Content()), soundIn(ctx, e, d)
	}
	if change == nil && isNamed(encoding) {
		if err := sound(ctx, e, d); err != nil {
			return nil, err
		}
		names, err := namesFor(ctx, d, encoding)
		if err != nil {
			return nil, err
		}
		return encodeNamed(e, d.URI, d.Circuit(), names, encoding)
	}
	m, err := numbers(ctx, e, d)
	if err == nil && change != nil {
		before := m
		if m, err = change(before); err == nil {
			sayAsides(e, d.URI, before, m)
		}
	}
	if err != nil {
		return nil, err
	}
	if isNamed(encoding) {
		return namedFrom(ctx, e, d.URI, m, encoding)
	}
	return encodeModel(e, d.URI, m, encoding)
}

// asSafety writes a justice property as one of safety: the one that was chosen, or the only
// one.
func asSafety(m *aiger.Model, chosen propertyList) (*aiger.Model, error) {
	switch {
	case len(m.Justice) == 0:
		return nil, errors.New("there is no justice property")
	case len(chosen) == 1 && chosen[0].Index >= len(m.Justice):
		return nil, fmt.Errorf("there is no property %s", chosen[0])
	case len(chosen) == 1:
		return m.AsSafety(chosen[0].Index)
	case len(m.Justice) > 1:
		return nil, fmt.Errorf("there are %d justice properties; choose one with --index justice:N", len(m.Justice))
	}
	return m.AsSafety(0)
}
