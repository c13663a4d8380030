// Package btor2design reads BTOR2 files as designs: the row of the table of formats for BTOR2, with the adapter of
// package btor2 to design.Syntax.
//
// A signal is a row that has a value, and many signals are words. The package converts what btor2 says into the
// words of package design. It knows no other format and no editor.
package btor2design

import (
	"sync"

	"aiglens/btor2/syntax"
	"aiglens/design"
	"aiglens/design/format"
)

// Format is the row of BTOR2.
var Format = &design.Format{
	Format: format.BTOR2, Parse: parse, MadeFrom: madeFromAt,
	Settings: func() design.Settings { return new(Settings) },
}

// Option says how the circuit of a text is built.
type Option struct {
	// ArrayGates bounds the gates that arrays take as bits, as MaxArrayGates of btor2.Options does.
	ArrayGates int
}

// Settings are {"arrayGates"}.
type Settings struct{ ArrayGates int }

// Option returns an Option.
func (s *Settings) Option() any { return Option{ArrayGates: s.ArrayGates} }

func parse(in design.Unparsed) design.Syntax {
	var before *syntax.File
	if s, ok := in.Before.(*fileSyntax); ok {
		before = s.file
	}
	s := &fileSyntax{file: syntax.Parse(in.Text, before)}
	s.option, _ = in.Option.(Option)
	s.Base = design.Base{Core: s, Text: in.Text}
	s.names, s.rows, s.bits = sync.OnceValue(s.findNames), sync.OnceValue(s.findIndices), sync.OnceValue(s.findBits)
	return s
}
