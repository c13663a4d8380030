package document

import (
	"context"
	"iter"
	"path"
	"strings"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// Kind is the format of a file.
type Kind uint8

// The kinds. A binary AIGER file is recognised so that nobody reads its
// mangled bytes as text; it has no syntax here.
const (
	Other Kind = iota
	AIGER
	BinaryAIGER
	BLIF
)

func (k Kind) String() string {
	return [...]string{"other", "aiger", "binary aiger", "blif"}[k]
}

// KindOf tells the format by the client's language, else by the extension of
// the path, else by the first word.
func KindOf(language, filePath, content string) Kind {
	kind := kindByName(language)
	if kind == Other {
		kind = kindByName(strings.TrimPrefix(strings.ToLower(path.Ext(filePath)), "."))
	}
	if kind == Other {
		word, _, _ := strings.Cut(content, " ")
		kind = kindByName(word)
	}
	isText := strings.EqualFold(path.Ext(filePath), ".aag")
	if kind == AIGER && !isText && strings.HasPrefix(content, "aig ") && hasBinaryBody(content) {
		return BinaryAIGER
	}
	return kind
}

func kindByName(name string) Kind {
	switch name {
	case "aiger", "aag", "aig":
		return AIGER
	case "blif", ".model":
		return BLIF
	}
	return Other
}

// hasBinaryBody reports whether content holds what no text file does: control
// characters, or the replacement characters of a decoder that met bytes which
// are no UTF-8. A file without gates is text in either encoding.
func hasBinaryBody(content string) bool {
	return strings.ContainsFunc(content, func(r rune) bool {
		return r == '\uFFFD' || r < ' ' && r != '\n' && r != '\r' && r != '\t'
	})
}

// blank is the syntax of a kind without one.
type blank struct{}

func (blank) diagnostics() []source.Diagnostic          { return nil }
func (blank) sections(int) []Section                    { return nil }
func (blank) occurrenceAt(int) (Occurrence, bool)       { return Occurrence{}, false }
func (blank) occurrences(Signal) []Occurrence           { return nil }
func (blank) definition(Signal) (Definition, bool)      { return Definition{}, false }
func (blank) name(Signal) string                        { return "" }
func (blank) properties() []Property                    { return nil }
func (blank) elaborate() elaboration                    { return blank{} }
func (blank) circuit() *circuit.Circuit                 { return circuit.NewBuilder(0).Build() }
func (blank) litOf(Lit) (circuit.Lit, bool)             { return 0, false }
func (blank) fault(circuit.Property) *source.Diagnostic { return nil }
func (blank) originLine(circuit.Origin) int             { return -1 }

func (blank) occurrencesIn(source.Span) iter.Seq[Occurrence]       { return func(func(Occurrence) bool) {} }
func (blank) drivers(_ Signal, buf []Lit) (SignalKind, int, []Lit) { return Undefined, 0, buf }
func (blank) countUses(Signal) (positive, negated int)             { return 0, 0 }
func (blank) rowAt(int) (RowRef, bool)                             { return RowRef{}, false }
func (blank) rowOf(Signal) (RowRef, bool)                          { return RowRef{}, false }
func (blank) symbolAt(int) (SymbolLine, bool)                      { return SymbolLine{}, false }
func (blank) symbolLines() iter.Seq[SymbolLine]                    { return func(func(SymbolLine) bool) {} }
func (blank) sectionSpans() []SectionSpan                          { return nil }
func (blank) found(HeaderField) int                                { return 0 }
func (blank) header() []HeaderField                                { return nil }

func (blank) lint(context.Context) ([]source.Diagnostic, error) { return nil, nil }
func (blank) fixes(source.Diagnostic) []source.Fix              { return nil }
func (blank) fixAll() []source.Edit                             { return nil }
