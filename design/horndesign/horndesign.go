// Package horndesign reads files of Horn clauses as designs: the row of the table of formats for SMT-LIB, with the
// adapter of package horn/syntax to design.Syntax.
//
// Such a text has clauses in the place of a circuit. What package design calls a signal is a declared symbol, a
// property is a query. A text of another logic has neither, and one diagnostic at most. The package knows no other
// format, no editor and no engine.
package horndesign

import (
	"context"
	"iter"
	"slices"
	"sync"

	"aiglens/design"
	"aiglens/design/format"
	"aiglens/horn/syntax"
	"aiglens/internal/source"
)

// Format is the row of SMT-LIB.
var Format = &design.Format{Format: format.SMTLIB, Parse: parse, HasClauses: true}

// reader is a syntax that keeps what was read for the next version.
type reader interface{ read() *syntax.File }

func parse(in design.Unparsed) design.Syntax {
	var before *syntax.File
	if s, ok := in.Before.(reader); ok {
		before = s.read()
	}
	file := syntax.Parse(in.Text, before)
	if !file.IsHorn() {
		s := &otherLogic{file: file}
		s.Base = design.Base{Core: s, Text: in.Text}
		return s
	}
	s := &fileSyntax{file: file}
	s.Base = design.Base{Core: s, Text: in.Text}
	s.queries = sync.OnceValue(s.findQueries)
	return s
}

// otherLogic is a text of SMT-LIB without Horn clauses: it is left alone.
type otherLogic struct {
	design.Base
	file *syntax.File
}

// IsOtherLogic reports whether a design is a text of SMT-LIB without Horn clauses.
func IsOtherLogic(d *design.Design) bool {
	_, is := d.Syntax().(*otherLogic)
	return is
}

func (s *otherLogic) read() *syntax.File { return s.file }

// Diagnostics says that the text is left alone.
func (s *otherLogic) Diagnostics() []source.Diagnostic {
	if d := syntax.NotHorn(s.file); d != nil {
		return []source.Diagnostic{*d}
	}
	return nil
}

func (s *otherLogic) OccurrencesIn(source.Span) iter.Seq[design.Occurrence] {
	return slices.Values[[]design.Occurrence](nil)
}
func (s *otherLogic) Definition(design.Signal) (def design.Definition, ok bool) { return def, false }
func (s *otherLogic) Name(design.Signal) string                                 { return "" }
func (s *otherLogic) Properties() []design.Property                             { return nil }
func (s *otherLogic) NoProperties() design.NoProperties {
	return design.NoProperties{Why: s.WithoutProperties()}
}

// WithoutProperties says whose text it is.
func (s *otherLogic) WithoutProperties() string {
	for _, d := range s.Diagnostics() {
		return d.Message
	}
	return "the text has no assertions"
}
func (s *otherLogic) Elaborate(context.Context) (design.Elaboration, error) {
	return design.NewFlat(noCircuit{}, s.Text, s), nil
}
func (s *otherLogic) Fixes(d source.Diagnostic) []source.Fix { return slices.Clip(d.Fixes) }

// Format leaves the text as it is.
func (s *otherLogic) Format(context.Context) ([]source.Edit, error) { return nil, nil }
