package horndesign

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/horn"
	"aiglens/horn/edit"
	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// fileSyntax is a text of Horn clauses. Its signals are the declared symbols, counted from 1.
type fileSyntax struct {
	design.Base
	file    *syntax.File
	queries func() []Query
}

func (s *fileSyntax) read() *syntax.File { return s.file }

// signalOf returns the signal of a symbol.
func signalOf(x syntax.Symbol) design.Signal { return design.Signal(x + 1) }

// declaration returns where a signal is declared; ok is false for none.
func (s *fileSyntax) declaration(x design.Signal) (o syntax.Occurrence, ok bool) {
	if x == 0 || int(x) > s.file.NumSymbols() {
		return o, false
	}
	return s.file.DeclarationOf(syntax.Symbol(x - 1)), true
}

func (s *fileSyntax) Diagnostics() []source.Diagnostic { return s.file.Diagnostics() }

func (s *fileSyntax) OccurrencesIn(span source.Span) iter.Seq[design.Occurrence] {
	return occurrences(s.file.OccurrencesIn(span))
}

func occurrences(all iter.Seq[syntax.Occurrence]) iter.Seq[design.Occurrence] {
	return func(yield func(design.Occurrence) bool) {
		for o := range all {
			if !yield(occurrence(o)) {
				return
			}
		}
	}
}

func occurrence(o syntax.Occurrence) design.Occurrence {
	found := design.Occurrence{Span: o.Span, Lit: signalOf(o.Symbol).Lit(), Role: design.RoleUse, Use: design.AsOperand}
	if o.IsDeclaration() {
		found.Role, found.Use = design.RoleDefinition, design.NoUse
	}
	return found
}

func (s *fileSyntax) OccurrenceAt(offset int) (design.Occurrence, bool) {
	o, ok := s.file.OccurrenceAt(offset)
	if !ok {
		return design.Occurrence{}, false
	}
	return occurrence(o), true
}

func (s *fileSyntax) Occurrences(x design.Signal) []design.Occurrence {
	o, ok := s.declaration(x)
	if !ok {
		return nil
	}
	return slices.Collect(occurrences(s.file.OccurrencesOf(o)))
}

// Uses goes no further than the first uses.
func (s *fileSyntax) Uses(x design.Signal, most int) (first []design.Occurrence, all int) {
	return design.FirstUses(s.Occurrences(x), most)
}

func (s *fileSyntax) CountUses(x design.Signal) (positive, negated int) {
	return max(0, len(s.Occurrences(x))-1), 0
}

// kinds are those of symbols.
var kinds = [...]design.SignalKind{
	syntax.KindUnknown: design.Undefined, syntax.KindPredicate: design.Predicate, syntax.KindFunction: design.Function,
	syntax.KindVariable: design.Variable, syntax.KindLet: design.Variable,
}

// Drivers returns the kind alone: what a symbol depends on is not asked for.
func (s *fileSyntax) Drivers(x design.Signal, buf []design.Lit) (design.SignalKind, int, []design.Lit) {
	o, ok := s.declaration(x)
	if !ok {
		return design.Undefined, 0, buf
	}
	return kinds[o.Kind], 0, buf
}

func (s *fileSyntax) Definition(x design.Signal) (def design.Definition, ok bool) {
	o, ok := s.declaration(x)
	if !ok {
		return def, false
	}
	def = design.Definition{Kind: kinds[o.Kind], Type: typeOf(o), Span: o.Span, Row: s.Text.LineSpan(s.Text.LineAt(o.Span.Start))}
	if o.Kind == syntax.KindLet {
		def.Called = "let"
	}
	return def, true
}

// typeOf says which sorts a symbol has: "Int × Real → Bool".
func typeOf(o syntax.Occurrence) string {
	if o.Sort == term.NoSort {
		return ""
	}
	if len(o.Params) == 0 {
		return o.Sort.String()
	}
	sorts := make([]string, len(o.Params))
	for i, sort := range o.Params {
		sorts[i] = sort.String()
	}
	return strings.Join(sorts, " × ") + " → " + o.Sort.String()
}

func (s *fileSyntax) Name(x design.Signal) string {
	o, _ := s.declaration(x)
	return o.Name
}

// Properties returns the queries, in text order: the assertions with a clause whose head is false.
func (s *fileSyntax) Properties() []design.Property {
	var all []design.Property
	last := -1
	for _, c := range s.file.Shapes() {
		if !c.IsQuery() || c.Origin == last {
			continue
		}
		last = c.Origin
		id := circuit.Property{Kind: circuit.PropertyBad, Index: len(all)}
		p := design.Property{ID: id, Name: fmt.Sprintf("query %d", id.Index), Row: s.firstLine(c.Origin), Statement: "query"}
		p.Given = p.Name
		for _, a := range c.Body {
			p.Lits = append(p.Lits, s.signalOfPred(a).Lit())
		}
		all = append(all, p)
	}
	return all
}

// signalOfPred returns the signal of a predicate.
func (s *fileSyntax) signalOfPred(p horn.Pred) design.Signal {
	o, ok := s.file.OccurrenceAt(s.file.Declaration(p).Start)
	if !ok {
		return 0
	}
	return signalOf(o.Symbol)
}

// firstLine returns the list of a form up to the end of its first line.
func (s *fileSyntax) firstLine(form int) source.Span {
	span := s.file.FormSpan(form)
	line := s.Text.LineSpan(s.Text.LineAt(span.Start))
	text := strings.TrimRight(s.Text.Slice(source.SpanFromTo(span.Start, min(span.End(), line.End()))), " \t\r")
	return source.Span{Start: span.Start, Length: len(text)}
}

func (s *fileSyntax) NoProperties() design.NoProperties {
	return design.NoProperties{Why: "no clause has the head false"}
}

func (s *fileSyntax) WithoutProperties() string {
	return "the text has no query: no clause has the head false"
}

// Lint finds nothing beside the diagnostics.
func (s *fileSyntax) Fixes(d source.Diagnostic) []source.Fix {
	return findings.PreferredFirst(slices.Clip(d.Fixes))
}

func (s *fileSyntax) FixAll() []source.Edit { return findings.FixAll(s.file, preferredEdits) }

func preferredEdits(f *syntax.File) []source.Edit {
	return findings.PreferredEdits(f.Diagnostics(), func(d source.Diagnostic) []source.Fix {
		return findings.PreferredFirst(slices.Clip(d.Fixes))
	})
}

func (s *fileSyntax) Format(ctx context.Context) ([]source.Edit, error) {
	return edit.Format(ctx, s.file)
}

func (s *fileSyntax) RenameTarget(offset int) (source.Span, string, bool) {
	return edit.RenameTarget(s.file, offset)
}

func (s *fileSyntax) Rename(offset int, to string) ([]source.Edit, error) {
	return edit.Rename(s.file, offset, to)
}

func (s *fileSyntax) Complete(offset int) design.Completions {
	all := edit.Complete(s.file, offset)
	c := design.Completions{Span: all.Span, Incomplete: all.Incomplete}
	for _, item := range all.Items {
		switch item.Kind {
		case edit.CompleteForm:
			c.Items = append(c.Items, design.Form(item.Label, item.Detail, item.Snippet))
		case edit.CompleteSymbol:
			c.Items = append(c.Items, design.Completion{
				Kind: design.CompletionLiteral, Label: item.Label, Insert: item.Insert, Filter: item.Label, Detail: item.Detail, Lit: signalOf(item.Symbol).Lit(),
			})
		default:
			c.Items = append(c.Items, design.Completion{Kind: design.CompletionKeyword, Label: item.Label, Insert: item.Insert, Filter: item.Label, Detail: item.Detail})
		}
	}
	return c
}

// Elaborate returns the elaboration of a text without a circuit.
func (s *fileSyntax) Elaborate(context.Context) (design.Elaboration, error) {
	return design.NewFlat(noCircuit{s.file}, s.Text, s), nil
}

// noCircuit is the circuit of a text of clauses: it is empty, and says nothing about queries.
type noCircuit struct{ file *syntax.File }

func (noCircuit) Circuit() *circuit.Circuit                   { return circuit.NewBuilder(0).Build() }
func (noCircuit) LitOf(design.Lit) (lit circuit.Lit, ok bool) { return 0, false }
func (noCircuit) OriginLine(circuit.Origin) int               { return -1 }

// Fault returns the first error: what a text with errors means is open.
func (e noCircuit) Fault(circuit.Property) *source.Diagnostic {
	if e.file == nil {
		return nil
	}
	return e.file.Structural()
}
