package design

import (
	"context"

	"aiglens/internal/lazy"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// Format returns the edits that give the text its canonical form, or the reason
// why it has none. That may be the end of the context.
func (d *Design) Format(ctx context.Context) ([]source.Edit, error) {
	return d.parse().Format(ctx)
}

// FittingHeader is a header that counts the rows of its text as they are. The zero
// value is that of a text that has had none.
type FittingHeader struct {
	Text    string // its line
	IsTight bool   // it has no room for more variables than are defined
	IsGiven bool   // the file was opened with a header that fitted
}

// LineTyped returns the edits that follow the typing of a line end, which
// starts the given line (from 0). With reorder the row above moves to where it
// belongs. Before is the last header that fitted: one that did announces no rows that
// are still to come.
func (d *Design) LineTyped(line int, reorder bool, before FittingHeader) []source.Edit {
	return d.parse().LineTyped(line, reorder, before)
}

// RowsGone returns the edits that follow the removal of rows from the line
// (from 0) that has their place. Before is the last header that fitted.
func (d *Design) RowsGone(line, rows int, before FittingHeader) []source.Edit {
	return d.parse().RowsGone(line, rows, before)
}

// FittingHeader returns the header if it fits, else the zero value.
func (d *Design) FittingHeader() FittingHeader { return d.parse().FittingHeader() }

// RenameTarget returns what Rename changes at offset and what it is called now.
func (d *Design) RenameTarget(offset int) (span source.Span, text string, ok bool) {
	return d.parse().RenameTarget(offset)
}

// Rename returns the edits that give what stands at offset another name or
// number, or the reason why not.
func (d *Design) Rename(offset int, to string) ([]source.Edit, error) {
	return d.parse().Rename(offset, to)
}

// Lemma claims of some clauses, over signals of a text, that each has a literal that is 1 in every
// step.
type Lemma struct {
	Clauses [][]Lit
	Label   string // for formats that write one; "" for none
}

// AddLemmas returns the edits that add lemmas to the text, with what it needs to refer to them,
// or the reason why not.
func (d *Design) AddLemmas(lemmas []Lemma) ([]source.Edit, error) {
	return d.parse().AddAsides(Asides{Lemmas: lemmas})
}

// Asides are lines of comments that a text is to be given: lemmas, or a word.
type Asides struct {
	Lemmas []Lemma
	Word   *NewWord
}

// NewWord is a word of signals of a text, from the most significant on. The text chooses a name for
// it.
type NewWord struct {
	wordline.Line
	Lits []Lit
}

// AddWord returns the edits that add the line of a word to a text, or the reason why not.
func AddWord(d *Design, w NewWord) ([]source.Edit, error) {
	return d.parse().AddAsides(Asides{Word: &w})
}

// Complete returns what may be typed at offset.
func (d *Design) Complete(offset int) Completions {
	return d.parse().Complete(offset)
}

// Completion is something that may be typed at a place.
type Completion struct {
	Kind   CompletionKind
	Label  string
	Insert string
	Filter string // what the word at the place is compared with
	Detail string
	Lit    Lit // of CompletionLiteral
	// Snippet is Insert with places to fill in, of a CompletionForm.
	Snippet string
}

// places are those of a snippet, with what stands there at first.
var places = lazy.Pattern(`\$\{\d+\|([^,|]*)[^}]*\}|\$\{\d+:([^}]*)\}|\$\d+`)

// Form returns a completion with places to fill in, written as the language server
// protocol has it: ${1:default}, ${1|one,other|}, $0. Insert is for editors that know
// no such places.
func Form(label, detail, snippet string) Completion {
	return Completion{Kind: CompletionForm, Label: label, Filter: label, Detail: detail,
		Insert: places().ReplaceAllString(snippet, "$1$2"), Snippet: snippet}
}

// CompletionKind says what a completion inserts.
type CompletionKind uint8

// The kinds of completions.
const (
	CompletionLiteral CompletionKind = iota // a literal by its name
	CompletionNumber
	CompletionName // the start of a line that names something
	CompletionKeyword
	CompletionForm // a text with places to fill in
)

// Completions are what may be typed at a place.
type Completions struct {
	Span       source.Span // of the word that is replaced
	Items      []Completion
	Incomplete bool // a longer word may bring others
}
