package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/design/hierarchy"
	"aiglens/internal/files"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// input is a circuit file as the commands see it. One of aiger and blif is set.
type input struct {
	name  string // as the user gave it
	text  source.Text
	aiger *aiger.Input
	blif  *blif.File
}

// readFlags say how files are read.
type readFlags struct {
	blifFlags
	limit size // 0: the default
}

func (f *readFlags) register(fs *flag.FlagSet) {
	f.registerLimit(fs)
	f.blifFlags.register(fs)
}

// registerLimit registers the flag that holds for every format.
func (f *readFlags) registerLimit(fs *flag.FlagSet) {
	fs.Var(&f.limit, "max-input", "largest `size` of a file, unpacked, such as 512M; 0 goes by the memory of this machine: one part in 64, from 64M to 1024M")
}

// maxInput returns the largest number of bytes that is read of one file.
func (f *readFlags) maxInput() int64 {
	if f.limit > 0 {
		return int64(f.limit)
	}
	return files.DefaultLimit()
}

// content returns the bytes of a file, unpacked, or those of standard input for "-".
func (f *readFlags) content(ctx context.Context, e env, name string) (data []byte, err error) {
	if name == "-" {
		data, err = files.From(ctx, "standard input", e.stdin, f.maxInput())
	} else {
		data, err = files.Read(ctx, name, f.maxInput())
	}
	if _, large := errors.AsType[*files.TooLargeError](err); large {
		return nil, fmt.Errorf("%w; --max-input raises it", err)
	}
	return data, err
}

// read loads a file, or standard input for "-".
func read(ctx context.Context, e env, name string, options *readFlags) (*input, error) {
	data, err := options.content(ctx, e, name)
	if err != nil {
		return nil, err
	}
	if hierarchy.IsBLIF(name) || name == "-" && startsWithDirective(string(data)) {
		return readBLIF(ctx, name, string(data), options)
	}
	in, err := aiger.Read(strings.TrimSuffix(name, ".gz"), data)
	if err != nil {
		return nil, err
	}
	if in.File != nil {
		return &input{name: name, text: in.File.Text(), aiger: in}, nil
	}
	return &input{name: name, text: source.NewText(string(in.Data)), aiger: in}, nil
}

// diagnostics returns what is wrong with the input, and with all also what makes
// a BLIF file worse but not wrong, which takes a look at the whole circuit.
func (in *input) diagnostics(ctx context.Context, all bool) ([]source.Diagnostic, error) {
	if in.blif == nil {
		return in.aiger.Diagnostics, nil
	}
	found := diagnose.Diagnostics(in.blif)
	if all {
		linted, err := diagnose.Lint(ctx, in.blif)
		if err != nil {
			return nil, err
		}
		faults, err := in.faults(ctx)
		if err != nil {
			return nil, err
		}
		found = findings.Union(slices.Concat(found, linted), faults)
		slices.SortStableFunc(found, func(a, b source.Diagnostic) int { return a.Span.Start - b.Span.Start })
	}
	return found, nil
}

// faults returns the errors that forbid verdicts on properties of a BLIF file. Some show
// in the flattened hierarchy alone, such as clocks.
func (in *input) faults(ctx context.Context) ([]source.Diagnostic, error) {
	m, err := in.blifModel(ctx)
	if err != nil {
		return nil, err
	}
	if whole, _ := m.blif.Whole(); whole == nil {
		return nil, nil // all properties are made of the whole
	}
	var all []source.Diagnostic
	for _, p := range m.properties {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if fault := m.fault(p); fault != nil {
			all = append(all, *fault)
		}
	}
	return all, nil
}

// propertySpan returns the place of a property in a text.
func (in *input) propertySpan(p circuit.Property) (source.Span, bool) {
	if in.blif != nil {
		q, ok := in.blifProperty(p)
		return q.Span, ok
	}
	if f := in.aiger.File; f != nil {
		return aiger.PropertySpan(f, p)
	}
	return source.Span{}, false
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
	// properties are what there is to check.
	properties []circuit.Property
	// cuts returns warnings that belong to a verdict on a property; nil for none.
	cuts func(circuit.Property) []source.Diagnostic
	// blif is what the circuit comes from when the input is BLIF.
	blif *flat.Elaboration
}

// model builds the circuit; the error says that the input has none, or is that of the
// context.
func (in *input) model(ctx context.Context) (*model, error) {
	if in.blif != nil {
		return in.blifModel(ctx)
	}
	if f := in.aiger.File; f != nil {
		elaboration, err := aiger.ElaborateWithin(ctx, f)
		if err != nil {
			return nil, err
		}
		return &model{
			circuit:    elaboration.Circuit,
			inputs:     rows(f, syntax.SectionInputs),
			properties: elaboration.Circuit.Properties(),
			fault:      elaboration.Fault,
			name:       in.symbol,
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
		circuit:    c,
		inputs:     len(c.Inputs()),
		properties: c.Properties(),
		fault:      func(circuit.Property) *source.Diagnostic { return nil },
		name: func(p circuit.Property) string {
			if kind, ok := aiger.AsideKindOf(p.Kind); ok {
				return asideNames(m, kind)[p.Index]
			}
			for _, s := range m.Symbols {
				if s.Kind == section(p.Kind) && s.Index == p.Index {
					return s.Name
				}
			}
			return ""
		},
	}, nil
}

// symbol returns the name that the text of an AIGER file gives to a property, or "".
func (in *input) symbol(p circuit.Property) string {
	if kind, ok := aiger.AsideKindOf(p.Kind); ok {
		return in.asideName(kind, p.Index)
	}
	s, _ := in.aiger.File.Symbol(section(p.Kind), p.Index)
	return s.Name
}

// asideName returns the name of a lemma or cover of a text, or "".
func (in *input) asideName(k syntax.AsideKind, index int) string {
	a, _ := in.aiger.File.AsideOf(k, index)
	if a.Label == "" && a.IsNamed {
		return in.aiger.File.TargetText(a)
	}
	return a.Label
}

// asideNames returns the names of the lemmas or covers of a model, "" for those without.
func asideNames(m *aiger.Model, k syntax.AsideKind) (names []string) {
	for _, a := range m.Asides() {
		if a.Kind == k {
			names = append(names, aiger.AsideName(a))
		}
	}
	return names
}

// withoutCircuit returns the properties of a text whose circuit could not be built in
// time.
func (in *input) withoutCircuit() *model {
	b := circuit.NewBuilder(0)
	m := &model{fault: func(circuit.Property) *source.Diagnostic { return nil }}
	if in.blif != nil {
		m.circuit, m.cuts = b.Build(), func(circuit.Property) []source.Diagnostic { return nil }
		m.properties, m.name = in.blifProperties()
		return m
	}
	f := in.aiger.File
	for range rows(f, syntax.SectionOutputs) {
		b.Output(circuit.False, 0)
	}
	for range rows(f, syntax.SectionBads) {
		b.Bad(circuit.False, 0)
	}
	for range rows(f, syntax.SectionJustice) {
		b.Justice(nil, 0)
	}
	for _, a := range f.Asides() {
		if a.Kind == syntax.AsideLemma {
			b.Lemma(circuit.False, 0)
		} else {
			b.Cover(circuit.False, 0)
		}
	}
	m.circuit, m.name = b.Build(), in.symbol
	m.properties = m.circuit.Properties()
	return m
}

// rows returns how many rows a section has.
func rows(f *syntax.File, k syntax.SectionKind) int {
	for _, s := range f.Sections() {
		if s.Kind == k {
			return s.Rows
		}
	}
	return 0
}

func section(k circuit.PropertyKind) syntax.SectionKind {
	switch k {
	case circuit.PropertyOutput:
		return syntax.SectionOutputs
	case circuit.PropertyJustice:
		return syntax.SectionJustice
	}
	return syntax.SectionBads
}
