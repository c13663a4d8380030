package edit

import (
	"errors"
	"fmt"
	"strings"

	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// RenameTarget returns what Rename changes at an offset: a declared symbol as it is written.
func RenameTarget(f *syntax.File, offset int) (span source.Span, text string, ok bool) {
	o, ok := f.OccurrenceAt(offset)
	if !ok {
		return span, "", false
	}
	return o.Span, f.Text().Slice(o.Span), true
}

// Rename returns the edits that give the symbol at an offset another name wherever it stands. A name that SMT-LIB
// writes between bars gets them. The error says why there are no edits: the name is none, or the text would mean
// something else.
func Rename(f *syntax.File, offset int, to string) ([]source.Edit, error) {
	o, ok := f.OccurrenceAt(offset)
	if !ok {
		return nil, errors.New("there is no name here")
	}
	name := strings.TrimSpace(to)
	if len(name) > 2 && name[0] == '|' && name[len(name)-1] == '|' {
		name = name[1 : len(name)-1]
	}
	if name == "" || strings.ContainsAny(name, "|\\\n\r") {
		return nil, fmt.Errorf("%s is no symbol: it is empty, or has | or \\ in it", findings.Quote(to))
	}
	if syntax.IsReserved(name) {
		return nil, fmt.Errorf("%s is a word of SMT-LIB: it names nothing else", name)
	}
	var edits []source.Edit
	for same := range f.OccurrencesOf(o) {
		edits = append(edits, source.Edit{Span: same.Span, NewText: term.Quote(name)})
	}
	text, err := f.Text().Apply(edits)
	if err != nil {
		return nil, err
	}
	return edits, checkRenamed(f, f.Reparse(text), name)
}

// checkRenamed compares what the symbols of two versions stand for.
func checkRenamed(f, renamed *syntax.File, name string) error {
	symbols := func(f *syntax.File) (all []syntax.Symbol) {
		for o := range f.OccurrencesIn(source.Span{Length: f.Text().Len()}) {
			all = append(all, o.Symbol)
		}
		return all
	}
	had, has := symbols(f), symbols(renamed)
	for i := range min(len(had), len(has)) {
		if had[i] != has[i] {
			return fmt.Errorf("%s stands for something else already where the symbol is used", findings.Quote(name))
		}
	}
	if len(had) != len(has) {
		return errors.New("other symbols would be declared or used then: mend the errors of the text first")
	}
	before, after := errorsOf(f), errorsOf(renamed)
	if len(after) <= len(before) {
		return nil
	}
	for i, d := range after {
		if i == len(before) || before[i].Message != d.Message {
			line, _ := renamed.Text().LineColumn(d.Span.Start)
			return fmt.Errorf("line %d would have an error: %s", line, d.Message)
		}
	}
	return nil
}

func errorsOf(f *syntax.File) (all []source.Diagnostic) {
	for _, d := range f.Diagnostics() {
		if d.Severity == source.Error {
			all = append(all, d)
		}
	}
	return all
}
