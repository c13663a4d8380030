package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// input is a circuit file as the commands see it, of either encoding.
type input struct {
	name  string // as the user gave it
	text  source.Text
	aiger *aiger.Input
}

// read loads a file, or standard input for "-".
func read(e env, name string) (*input, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(e.stdin)
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".blif") || strings.HasSuffix(name, ".eblif") {
		return nil, fmt.Errorf("%s: BLIF files cannot be read yet", name)
	}
	in, err := aiger.ReadAny(name, data)
	if err != nil {
		return nil, err
	}
	if in.File != nil {
		return &input{name, in.File.Text(), in}, nil
	}
	return &input{name, source.NewText(string(in.Data)), in}, nil
}

// print writes a diagnostic as compilers do.
func (in *input) print(w io.Writer, d source.Diagnostic) {
	line, column := in.text.LineColumn(d.Span.Start)
	fmt.Fprintf(w, "%s:%d:%d: %s[%s]: %s\n", in.name, line, column, d.Severity, d.Code, d.Message)
}

// model is the circuit of an input with what belongs to its properties.
type model struct {
	circuit *circuit.Circuit
	// inputs is the number of inputs of the file. The circuit has more behind
	// them when the file has errors: one for each definition that is none.
	inputs int
	// fault returns the error that forbids a verdict on a property, or nil.
	fault func(circuit.Property) *source.Diagnostic
	// name returns the user's name of a property, or "".
	name func(circuit.Property) string
}

// model builds the circuit; the error says that the input has none.
func (in *input) model() (*model, error) {
	if f := in.aiger.File; f != nil {
		elaboration := f.Elaborate()
		return &model{
			circuit: elaboration.Circuit,
			inputs:  rows(f, aiger.SectionInputs),
			fault:   elaboration.Fault,
			name: func(p circuit.Property) string {
				s, _ := f.Symbol(section(p.Kind), p.Index)
				return s.Name
			},
		}, nil
	}
	m := in.aiger.Model
	if m == nil {
		return nil, fmt.Errorf("%s: the binary file has errors", in.name)
	}
	c, err := m.Elaborate()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return &model{
		circuit: c,
		inputs:  len(c.Inputs()),
		fault:   func(circuit.Property) *source.Diagnostic { return nil },
		name: func(p circuit.Property) string {
			for _, s := range m.Symbols {
				if s.Kind == section(p.Kind) && s.Index == p.Index {
					return s.Name
				}
			}
			return ""
		},
	}, nil
}

// rows returns how many rows a section has.
func rows(f *aiger.File, k aiger.SectionKind) int {
	for _, s := range f.Sections() {
		if s.Kind == k {
			return s.Rows
		}
	}
	return 0
}

func section(k circuit.PropertyKind) aiger.SectionKind {
	switch k {
	case circuit.PropertyOutput:
		return aiger.SectionOutputs
	case circuit.PropertyJustice:
		return aiger.SectionJustice
	}
	return aiger.SectionBads
}
