package document

import (
	"context"
	"errors"
	"path"
	"strings"

	"aiglens/aiger"
	"aiglens/internal/source"
)

// changer is the syntax of a format that can be changed by more than typing.
type changer interface {
	changes(ctx context.Context, span source.Span, file bool) []source.Change
	format(context.Context) ([]source.Edit, error)
	lineTyped(line int, reorder bool) []source.Edit
	renameTarget(offset int) (span source.Span, text string, ok bool)
	rename(offset int, to string) ([]source.Edit, error)
	complete(offset int) Completions
}

var errNoChanger = errors.New("files of this format cannot be rewritten")

// changer returns the syntax as one that can be changed, or nil.
func (d *Document) changer() changer {
	c, _ := d.parse().(changer)
	return c
}

// Changes returns the changes that are offered for the places in span; those of
// the whole file, which are made to see whether they change anything, only when
// file holds and the context lasts.
func (d *Document) Changes(ctx context.Context, span source.Span, file bool) []source.Change {
	if c := d.changer(); c != nil {
		return c.changes(ctx, span, file)
	}
	return nil
}

// Format returns the edits that give the text its canonical form, or the reason
// why it has none. That may be the end of the context.
func (d *Document) Format(ctx context.Context) ([]source.Edit, error) {
	if c := d.changer(); c != nil {
		return c.format(ctx)
	}
	return nil, errNoChanger
}

// LineTyped returns the edits that follow the typing of a line end, which
// starts the given line (from 0). With reorder the row above moves to where it
// belongs.
func (d *Document) LineTyped(line int, reorder bool) []source.Edit {
	if c := d.changer(); c != nil {
		return c.lineTyped(line, reorder)
	}
	return nil
}

// RenameTarget returns what Rename changes at offset and what it is called now.
func (d *Document) RenameTarget(offset int) (span source.Span, text string, ok bool) {
	if c := d.changer(); c != nil {
		return c.renameTarget(offset)
	}
	return source.Span{}, "", false
}

// Rename returns the edits that give what stands at offset another name or
// number, or the reason why not.
func (d *Document) Rename(offset int, to string) ([]source.Edit, error) {
	if c := d.changer(); c != nil {
		return c.rename(offset, to)
	}
	return nil, errNoChanger
}

// Complete returns what may be typed at offset.
func (d *Document) Complete(offset int) Completions {
	if c := d.changer(); c != nil {
		return c.complete(offset)
	}
	return Completions{Span: source.Span{Start: offset}}
}

// Completion is something that may be typed at a place.
type Completion struct {
	Kind   CompletionKind
	Label  string
	Insert string
	Filter string // what the word at the place is compared with
	Detail string
	Lit    Lit // of CompletionLiteral
}

// CompletionKind says what a completion inserts.
type CompletionKind uint8

// The kinds of completions.
const (
	CompletionLiteral CompletionKind = iota // a literal by its name
	CompletionNumber
	CompletionName // the start of a line that names something
	CompletionKeyword
)

// Completions are what may be typed at a place.
type Completions struct {
	Span       source.Span // of the word that is replaced
	Items      []Completion
	Incomplete bool // a longer word may bring others
}

func (s aigerSyntax) changes(ctx context.Context, span source.Span, file bool) []source.Change {
	return s.Changes(ctx, span, file)
}
func (s aigerSyntax) format(ctx context.Context) ([]source.Edit, error) {
	return s.FormatContext(ctx)
}
func (s aigerSyntax) lineTyped(line int, reorder bool) []source.Edit {
	return s.LineTypedEdits(line, reorder)
}
func (s aigerSyntax) renameTarget(offset int) (source.Span, string, bool) {
	return s.RenameTarget(offset)
}
func (s aigerSyntax) rename(offset int, to string) ([]source.Edit, error) {
	return s.Rename(offset, to)
}

var completionKinds = [...]CompletionKind{
	aiger.CompleteLiteral: CompletionLiteral, aiger.CompleteNumber: CompletionNumber,
	aiger.CompleteSymbol: CompletionName, aiger.CompleteComment: CompletionKeyword,
}

func (s aigerSyntax) complete(offset int) Completions {
	all := s.Complete(offset)
	c := Completions{Span: all.Span, Incomplete: all.Incomplete}
	for _, item := range all.Items {
		c.Items = append(c.Items, Completion{
			completionKinds[item.Kind], item.Label, item.Insert, item.Filter, item.Detail, Lit(item.Lit),
		})
	}
	return c
}

// DecodeBinary returns the content of a binary file, packed or not, as text of
// the format's ASCII encoding. The name tells whether it is packed.
func DecodeBinary(name string, data []byte) (string, error) { return aiger.Decode(name, data) }

// IsEncoded reports whether a file, by its name, needs DecodeBinary.
func IsEncoded(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".aig" || ext == ".gz"
}
