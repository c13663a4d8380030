package edit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"aiglens/btor2/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// maxID is the largest number of a row.
const maxID = 1<<40 - 1

// RenameTarget returns what Rename changes at an offset: a symbol, or the number of a row without a sign.
func RenameTarget(f *syntax.File, offset int) (span source.Span, text string, ok bool) {
	o, ok := f.OccurrenceAt(offset)
	if !ok {
		return span, "", false
	}
	if _, ok := f.TargetOf(o); !ok && o.Role != syntax.RoleSymbol {
		return span, "", false
	}
	span = wordOf(f, o)
	return span, f.Text().Slice(span), true
}

// wordOf returns the symbol or the number of an occurrence.
func wordOf(f *syntax.File, o syntax.Occurrence) source.Span {
	if o.Role == syntax.RoleSymbol {
		return o.Span
	}
	return syntax.Digits(f.Text(), o)
}

// Rename returns the edits that give what stands at an offset another name. A symbol is renamed in its row and in the
// aliases of the same value that have it too. The number of a row becomes another one wherever it is used; a word in its
// place becomes the symbol of the row. The error says why there are no edits.
func Rename(f *syntax.File, offset int, to string) ([]source.Edit, error) {
	o, ok := f.OccurrenceAt(offset)
	if !ok {
		return nil, errors.New("there is no name here")
	}
	if o.Role == syntax.RoleSymbol {
		return renameSymbol(f, o.Node, to)
	}
	row, ok := f.TargetOf(o)
	if !ok {
		return nil, errors.New("no row has this number")
	}
	if isNumber(to) {
		return renumberRow(f, row, to)
	}
	return renameSymbol(f, row, to)
}

func isNumber(word string) bool {
	digits := strings.TrimPrefix(word, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// renumberRow gives a row another number.
func renumberRow(f *syntax.File, row int, to string) ([]source.Edit, error) {
	nodes := f.Model().Nodes
	id, err := strconv.ParseInt(to, 10, 64)
	before := f.Model().NumberBefore(row)
	next, hasNext := f.Model().NumberFrom(row + 1)
	switch other, taken := f.NodeOf(id); {
	case err != nil || id < 1 || id > maxID || to[0] == '0':
		return nil, fmt.Errorf("numbers of rows are from 1 to 2^40 - 1, and do not start with 0: found %s", findings.Quote(to))
	case taken && other != row:
		return nil, fmt.Errorf("row %d is there already", id)
	case before >= id:
		return nil, fmt.Errorf("numbers of rows increase, and the row before is %d", before)
	case hasNext && next <= id:
		return nil, fmt.Errorf("numbers of rows increase, and the row after is %d", next)
	}
	var edits []source.Edit
	for o := range f.OccurrencesIn(source.Span{Length: f.Text().Len()}) {
		if o.Role == syntax.RoleSymbol {
			continue
		}
		of, ok := f.TargetOf(o)
		switch {
		case ok && of == row:
			edits = append(edits, f.Numbered(o, id)...)
		case !ok && f.Text().Slice(syntax.Digits(f.Text(), o)) == to:
			return nil, fmt.Errorf("row %d uses %s, which no row has yet", nodes[o.Node].ID, to)
		}
	}
	return edits, nil
}

// renameSymbol gives a row another symbol, or its first one.
func renameSymbol(f *syntax.File, row int, to string) ([]source.Edit, error) {
	if err := checkSymbol(to); err != nil {
		return nil, err
	}
	m := f.Model()
	from, root := m.Nodes[row].Symbol, rootOf(m, row)
	var edits []source.Edit
	for i := range m.Nodes {
		n := &m.Nodes[i]
		isSame := i == row || from != "" && n.Symbol == from && rootOf(m, i) == root
		switch {
		case !isSame && n.Symbol == to:
			return nil, fmt.Errorf("row %d has the symbol %s already", n.ID, findings.Quote(to))
		case !isSame:
			continue
		}
		e, err := withSymbol(f, i, to)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	return edits, nil
}

// rootOf returns what a row is an alias of, or the row itself.
func rootOf(m *syntax.Model, row int) int {
	for n := &m.Nodes[row]; n.IsAlias() && !n.Args[0].IsNegated(); n = &m.Nodes[row] {
		row = n.Args[0].Node()
	}
	return row
}

// checkSymbol says why a word cannot be a symbol.
func checkSymbol(to string) error {
	switch {
	case to == "":
		return errors.New("a symbol has at least one character")
	case strings.ContainsFunc(to, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return fmt.Errorf("a symbol is one word without white space, found %s", findings.Quote(to))
	case strings.Contains(to, ";"):
		return fmt.Errorf("a semicolon starts a comment, found %s", findings.Quote(to))
	case isNumber(to):
		return fmt.Errorf("a number is read as an operand, found %s", to)
	}
	return nil
}

// withSymbol returns the edit that gives a row a symbol.
func withSymbol(f *syntax.File, row int, to string) (source.Edit, error) {
	l := f.LayoutOf(row)
	switch {
	case l.Symbol.Length > 0:
		return source.Edit{Span: l.Symbol, NewText: to}, nil
	case !l.IsWhole:
		return source.Edit{}, fmt.Errorf("row %d is not complete", f.Model().Nodes[row].ID)
	}
	return source.Edit{Span: source.Span{Start: l.Words[len(l.Words)-1].End()}, NewText: " " + to}, nil
}
