package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aiglens/aiger"
	"aiglens/blif"
	fileformat "aiglens/internal/format"
)

// convert writes a file in another format or encoding.
func convert(ctx context.Context, e env, args []string) int {
	var options readFlags
	fs := newFlags("convert", e.stderr)
	options.register(fs)
	out := fs.String("o", "-", "write to `file`, whose extension decides the format; - is standard output")
	to := fs.String("to", "", "`format` aag, aig or blif; without it that of the output's extension, else aig for aag and aag for the others")
	constant := fs.Bool("constant-resets", false, "replace reset functions by a latch that is 1 in the first step alone")
	force := fs.Bool("force", false, "overwrite an existing output file")
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) != 1:
		return problem(e, "convert needs one file")
	}
	in, err := read(ctx, e, files[0], &options)
	if err != nil {
		return problem(e, "%v", err)
	}
	encoding, err := encodingFor(*to, *out, in.blif == nil && !in.aiger.Binary)
	if err != nil {
		return problem(e, "%v", err)
	}
	var data []byte
	if in.blif != nil {
		data, err = in.encodeBLIF(e, encoding)
	} else {
		data, err = in.encodeAIGER(e, encoding, *constant)
	}
	if err != nil {
		return problem(e, "%s: %v", files[0], err)
	}
	if *out == "-" {
		_, err = e.stdout.Write(data)
	} else {
		err = e.create(*out, data, *force)
	}
	if err != nil {
		return problem(e, "%v", err)
	}
	return exitOK
}

// encodeAIGER writes an AIGER file in another format or encoding.
func (in *input) encodeAIGER(e env, encoding string, constantResets bool) ([]byte, error) {
	m := in.aiger.Model
	if f := in.aiger.File; f != nil {
		model, err := aiger.ModelOf(f)
		if err != nil {
			return nil, err
		}
		m = model
	} else if m == nil {
		for _, d := range in.aiger.Diagnostics {
			in.print(e.stderr, d)
		}
		return nil, errors.New("the binary file has errors")
	}
	if constantResets {
		var err error
		if m, err = m.ConstantResets(); err != nil {
			return nil, err
		}
	}
	if encoding == "blif" {
		return in.blifFromModel(e, m)
	}
	return in.encodeModel(e, m, encoding)
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
