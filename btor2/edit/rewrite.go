package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// rewriting is a change of some rows of a text. Rows that are added get the numbers between their neighbours; where there
// are none left the rows after them get higher ones.
type rewriting struct {
	f       *syntax.File
	added   map[int][]string   // by the row before them: what stands after their numbers
	instead map[int]syntax.Ref // by a row that goes: what its uses become
	edits   []source.Edit      // of words
}

// newRewriting returns a change that changes nothing, or the reason why none of a text is possible.
func newRewriting(f *syntax.File) (*rewriting, error) {
	last := int64(0)
	for _, n := range f.Model().Nodes {
		switch {
		case n.Op.IsAside():
			continue
		case n.Op == syntax.NoOp:
			return nil, fmt.Errorf("line %d: it is not clear what the row is", n.Line+1)
		case n.ID <= last:
			return nil, fmt.Errorf("line %d: the numbers of the rows do not increase", n.Line+1)
		}
		last = n.ID
	}
	return &rewriting{f: f, added: map[int][]string{}, instead: map[int]syntax.Ref{}}, nil
}

// add adds a row after another one.
func (r *rewriting) add(after int, text string) { r.added[after] = append(r.added[after], text) }

// name gives a row a symbol.
func (r *rewriting) name(row int, symbol string) error {
	e, err := withSymbol(r.f, row, symbol)
	r.edits = append(r.edits, e)
	return err
}

// finish returns the edits of all.
func (r *rewriting) finish() ([]source.Edit, error) {
	f := r.f
	nodes := f.Model().Nodes
	ids, last, moved := make([]int64, len(nodes)), int64(0), false
	for row := range nodes {
		if _, gone := r.instead[row]; !gone && !nodes[row].Op.IsAside() {
			ids[row] = max(nodes[row].ID, last+1)
			moved = moved || ids[row] != nodes[row].ID
			last = ids[row]
		}
		var lines strings.Builder
		for _, text := range r.added[row] {
			last++
			lines.WriteString(strconv.FormatInt(last, 10) + " " + text + "\n")
		}
		if lines.Len() > 0 {
			r.edits = append(r.edits, r.linesAfter(row, lines.String()))
		}
		if _, gone := r.instead[row]; gone {
			r.edits = append(r.edits, f.Deletion(row))
		}
	}
	if last > maxID {
		return nil, errors.New("no numbers are left for more rows: number the rows again first")
	}
	if !moved && len(r.instead) == 0 {
		return source.InOrder(r.edits), nil
	}
	for o := range f.OccurrencesIn(source.Span{Length: f.Text().Len()}) {
		if _, gone := r.instead[o.Node]; gone || o.Role == syntax.RoleSymbol {
			continue
		}
		if err := r.use(o, ids); err != nil {
			return nil, err
		}
	}
	return source.InOrder(r.edits), nil
}

// use writes the number that an occurrence has after the change.
func (r *rewriting) use(o syntax.Occurrence, ids []int64) error {
	of, ok := r.f.TargetOf(o)
	if !ok {
		return fmt.Errorf("row %d uses %s, which no row has", r.f.Model().Nodes[o.Node].ID, r.f.Text().Slice(o.Span))
	}
	to, gone := r.instead[of]
	if !gone {
		r.edits = append(r.edits, r.f.Numbered(o, ids[of])...)
		return nil
	}
	word := strconv.FormatInt(ids[to.Node()], 10)
	if to.IsNegated() != strings.HasPrefix(r.f.Text().Slice(o.Span), "-") {
		word = "-" + word
	}
	r.edits = append(r.edits, source.Edit{Span: o.Span, NewText: word})
	return nil
}

// linesAfter returns the edit that adds lines after that of a row.
func (r *rewriting) linesAfter(row int, lines string) source.Edit {
	text := r.f.Text()
	end := text.LineStart(r.f.LineOf(row) + 1)
	if end == text.Len() && text.Byte(end-1) != '\n' {
		lines = "\n" + strings.TrimSuffix(lines, "\n")
	}
	return source.Edit{Span: source.Span{Start: end}, NewText: lines}
}

// symbols are those of a text.
type symbols map[string]bool

func symbolsOf(m *syntax.Model) symbols {
	all := symbols{}
	for i := range m.Nodes {
		all[m.Nodes[i].Symbol] = true
	}
	return all
}

// free returns a symbol that no row has, and takes it.
func (s symbols) free(symbol string) string {
	for s[symbol] {
		symbol += "_"
	}
	s[symbol] = true
	return symbol
}

// freeSymbol returns a symbol that no row has. It looks at the rows in their place, since all symbols of a large text are
// collected only for a change of it.
func freeSymbol(m *syntax.Model, symbol string) string {
	for slices.ContainsFunc(m.Nodes, func(n syntax.Node) bool { return n.Symbol == symbol }) {
		symbol += "_"
	}
	return symbol
}
