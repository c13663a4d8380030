package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aiglens/aiger"
	"aiglens/blif"
	"aiglens/circuit"
	fileformat "aiglens/design/format"
)

// convert writes a file in another format or encoding.
func convert(ctx context.Context, e env, args []string) int {
	var options readFlags
	fs := newFlags("convert", e.stderr)
	options.register(fs)
	out := fs.String("o", "-", "write to `file`, whose extension decides the format; - is standard output")
	to := fs.String("to", "", "`format` aag, aig or blif; without it that of the output's extension, else aig for aag and aag for the others")
	safety := fs.Bool("safety", false, "write a justice property as a question of safety: its bad can be 1 iff a run violates the property")
	var indices propertyList
	fs.Var(&indices, "index", "the property for --safety, as `justice:N`; needed where there are several")
	constant := fs.Bool("constant-resets", false, "replace reset functions by a latch that is 1 in the first step alone")
	force := fs.Bool("force", false, "overwrite an existing output file")
	in, code, done := readOne(ctx, fs, e, args, &options, func() error {
		switch {
		case len(indices) > 0 && !*safety:
			return fmt.Errorf("--index chooses the property for --safety")
		case len(indices) > 1 || len(indices) == 1 && indices[0].Kind != circuit.PropertyJustice:
			return fmt.Errorf("--safety writes one justice property: --index justice:N")
		}
		return nil
	})
	if done {
		return code
	}
	encoding, err := encodingFor(*to, *out, in.blif == nil && !in.aiger.Binary)
	if err != nil {
		return problem(e, "%v", err)
	}
	var change func(*aiger.Model) (*aiger.Model, error)
	switch {
	case *safety:
		change = func(m *aiger.Model) (*aiger.Model, error) { return asSafety(m, indices) }
	case *constant && in.blif == nil: // BLIF has no reset functions
		change = (*aiger.Model).ConstantResets
	}
	data, err := in.encode(e, encoding, change)
	if err != nil {
		return problem(e, "%s: %v", in.name, err)
	}
	if err := e.output(*out, data, *force); err != nil {
		return problem(e, "%v", err)
	}
	return exitOK
}

// encode writes a file in another format or encoding, with a change if that is not nil.
func (in *input) encode(e env, encoding string, change func(*aiger.Model) (*aiger.Model, error)) ([]byte, error) {
	if in.blif != nil && encoding == "blif" && change == nil {
		return in.rewritten(e)
	}
	load := in.numbers
	if in.blif != nil {
		load = in.modelFromBLIF
	}
	m, err := load(e)
	if err == nil && change != nil {
		before := m
		if m, err = change(before); err == nil {
			in.sayAsides(e, before, m)
		}
	}
	if err != nil {
		return nil, err
	}
	if encoding == "blif" {
		return in.blifFromModel(e, m)
	}
	return in.encodeModel(e, m, encoding)
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

// numbers returns the content of an AIGER file without errors.
func (in *input) numbers(e env) (*aiger.Model, error) {
	if f := in.aiger.File; f != nil {
		return aiger.ModelOf(f)
	}
	if in.aiger.Model == nil {
		for _, d := range in.aiger.Diagnostics {
			in.print(e.stderr, d)
		}
		return nil, errors.New("the binary file has errors")
	}
	return in.aiger.Model, nil
}

// encodingFor decides what is written: aag, aig or blif.
func encodingFor(to, out string, fromASCII bool) (string, error) {
	if to == "" {
		switch of := encodingOf(out); {
		case of != "":
			to = of
		case out != "-":
			return "", fmt.Errorf("%s: the extension is none of .aag, .aig, %s; choose with --to", out, strings.Join(fileformat.BLIF.Extensions(), ", "))
		case fromASCII:
			to = "aig"
		default:
			to = "aag"
		}
	}
	if to != "aag" && to != "aig" && to != "blif" {
		return "", fmt.Errorf("--to: there is no format %q; choose aag, aig or blif", to)
	}
	return to, nil
}

// encodingOf returns what a file of that name holds, or "" for one that is not
// written: packed ones are read only.
func encodingOf(name string) string {
	file, isAIGER := fileformat.AIGER.FileOf(name)
	switch {
	case fileformat.BLIF.Has(name):
		return "blif"
	case !isAIGER || file.Packed:
		return ""
	}
	return strings.TrimPrefix(file.Ext, ".")
}

// encodeModel writes AIGER with names that other readers tell apart, and says which those
// are.
func (in *input) encodeModel(e env, m *aiger.Model, encoding string) ([]byte, error) {
	m, distinct := m.WithDistinctNames()
	var renamed []blif.Renamed
	for _, r := range distinct {
		renamed = append(renamed, blif.Renamed{From: r.From, To: r.To})
	}
	in.sayRenamed(e.stderr, renamed, "ABC or Yosys confuses the first with another name")
	if encoding == "aig" {
		return m.AppendBinary(nil)
	}
	return m.AppendASCII(nil), nil
}

// sayAsides says how many lemmas and covers a change has left out.
func (in *input) sayAsides(e env, before, after *aiger.Model) {
	if lost := len(before.Asides()) - len(after.Asides()); lost > 0 {
		fmt.Fprintf(e.stderr, "%s: lemmas and covers are left out (%d): the circuit is another one\n", in.name, lost)
	}
}
