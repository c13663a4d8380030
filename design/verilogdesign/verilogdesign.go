// Package verilogdesign reads Verilog and SystemVerilog files as designs. What they mean is what
// Yosys makes of them: package internal/synthesis has it write an AIGER file, and a design is the
// circuit of that file with the names and places of the sources.
//
// There is no parser of Verilog here. A text without a synthesis, or with one of another text, has
// no circuit, so that no answer rests on an older text. In an editor it keeps its properties, of which
// nothing but what was known of the older text can be said. The package starts no
// program and reads no file; its callers give it the outcome of a synthesis as an option.
package verilogdesign

import (
	"aiglens/design"
	"aiglens/design/format"
)

// Format is the row of Verilog.
var Format = &design.Format{Format: format.Verilog, Parse: parse}

// Option says what a text means.
type Option struct {
	// Synthesis is the outcome for this text and the others of its design; nil for none.
	Synthesis *Synthesis
	// Open has the outcomes of the texts that are open in an editor; nil where there is none. Synthesis
	// does not count then.
	Open *Outcomes
	// Whole has a text state all properties of the design. Else each belongs to the text in which
	// it stands, and to the first one where it stands in none.
	Whole bool
}

// OptionOf returns how Verilog is read with options.
func OptionOf(opts design.Options) Option {
	option, _ := opts.Of(Format).(Option)
	return option
}

// New returns the design of a source, by its path, of a synthesis.
func New(s *Synthesis, path string, whole bool) *design.Design {
	return design.New(path, Format, 0, s.TextOf(path), design.Options{}.With(Format, Option{Synthesis: s, Whole: whole}))
}

// SynthesisOf returns the synthesis that a design rests on; nil for none, or for a design of
// another format.
func SynthesisOf(d *design.Design) *Synthesis {
	if d.Kind != Format {
		return nil
	}
	if s, ok := d.Syntax().(*fileSyntax); ok {
		return s.synthesis
	}
	return nil
}

func parse(in design.Unparsed) design.Syntax {
	option, _ := in.Option.(Option)
	s := newSyntax(in, option)
	s.Base = design.Base{Core: s, Text: in.Text}
	return s
}
