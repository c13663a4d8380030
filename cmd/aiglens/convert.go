package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aiglens/aiger"
)

// convert writes a file in the other encoding, or in the one asked for.
func convert(_ context.Context, e env, args []string) int {
	fs := newFlags("convert", e.stderr)
	out := fs.String("o", "-", "write to `file`, whose extension decides the encoding; - is standard output")
	to := fs.String("to", "", "`encoding` aag or aig; without it that of the output's extension, else the other one than the input's")
	force := fs.Bool("force", false, "overwrite an existing output file")
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) != 1:
		return problem(e, "convert needs one file")
	}
	in, err := read(e, files[0])
	if err != nil {
		return problem(e, "%v", err)
	}
	m := in.aiger.Model
	if f := in.aiger.File; f != nil {
		m, err = f.Model()
	} else if m == nil {
		for _, d := range in.aiger.Diagnostics {
			in.print(e.stderr, d)
		}
		err = errors.New("the binary file has errors")
	}
	if err != nil {
		return problem(e, "%s: %v", files[0], err)
	}
	encoding, err := encodingFor(*to, *out, in.aiger.Binary)
	if err != nil {
		return problem(e, "%v", err)
	}
	data, err := encode(m, encoding)
	if err != nil {
		return problem(e, "%s: %v", files[0], err)
	}
	if *out == "-" {
		_, err = e.stdout.Write(data)
	} else {
		err = create(*out, data, *force)
	}
	if err != nil {
		return problem(e, "%v", err)
	}
	return exitOK
}

// encodingFor decides what is written: aag or aig.
func encodingFor(to, out string, fromBinary bool) (string, error) {
	if to == "" {
		switch ext := filepath.Ext(out); {
		case ext == ".aag" || ext == ".aig":
			to = ext[1:]
		case out != "-":
			return "", fmt.Errorf("%s: the extension is neither .aag nor .aig; choose with --to", out)
		case fromBinary:
			to = "aag"
		default:
			to = "aig"
		}
	}
	if to != "aag" && to != "aig" {
		return "", fmt.Errorf("--to: there is no encoding %q; choose aag or aig", to)
	}
	return to, nil
}

func encode(m *aiger.Model, encoding string) ([]byte, error) {
	if encoding == "aig" {
		return m.AppendBinary(nil)
	}
	return m.AppendASCII(nil), nil
}

// create writes a file in one step. An existing one is replaced only by force.
func create(name string, data []byte, force bool) error {
	exists := fmt.Errorf("%s exists; --force overwrites it", name)
	if _, err := os.Lstat(name); err == nil && !force {
		return exists
	}
	temp, err := writeBeside(name, data, 0o644)
	if err != nil {
		return err
	}
	defer os.Remove(temp) // in vain once it has been renamed
	if force {
		return os.Rename(temp, name)
	}
	// A link, other than a renaming, fails when somebody was faster.
	switch err := os.Link(temp, name); {
	case errors.Is(err, os.ErrExist):
		return exists
	case err != nil: // a file system without links
		return os.Rename(temp, name)
	}
	return nil
}
