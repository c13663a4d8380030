package edit

import (
	"context"
	"fmt"

	"aiglens/btor2/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// largeFile is from how many bytes on a text is not changed as a whole only to see whether that changes anything.
const largeFile = 256 << 10

// Changes returns the changes that make sense for the row at an offset, and where file holds those of the whole file that
// would change something, as far as that is known. Whether another one is possible is found out when it is asked for
// its edits.
func Changes(ctx context.Context, f *syntax.File, offset int, file bool) []source.Change {
	var all []source.Change
	add := func(kind source.ChangeKind, id, title string, edits func() ([]source.Edit, error)) {
		all = append(all, source.Change{ID: id, Title: title, Kind: kind, Edits: edits})
	}
	if row, ok := f.RowAt(f.Text().LineAt(offset)); ok {
		rowChanges(f, row, add)
	}
	if !file || f.NumRows() == 0 {
		return all
	}
	for _, o := range []struct {
		id, title string
		edits     func(*syntax.File) ([]source.Edit, error)
	}{
		{"renumber-rows", "Number the rows from 1 on", renumberAll},
		{"inline-aliases", "Use rows in the place of all their aliases", inlineAliases},
		{"sort-rows", "Sort the rows into sections and number them", sortRows},
	} {
		switch {
		case ctx.Err() != nil:
			return all
		case f.Text().Len() >= largeFile:
			add(source.ChangeFile, o.id, o.title, func() ([]source.Edit, error) { return o.edits(f) })
		default:
			if edits, err := o.edits(f); err == nil && len(edits) > 0 {
				add(source.ChangeFile, o.id, o.title, func() ([]source.Edit, error) { return edits, nil })
			}
		}
	}
	return all
}

func rowChanges(f *syntax.File, row int, add func(kind source.ChangeKind, id, title string, edits func() ([]source.Edit, error))) {
	n := &f.Model().Nodes[row]
	if !n.Sound {
		return
	}
	inRows := func(kind source.ChangeKind, id, title string, edits func() ([]source.Edit, error)) {
		if _, err := newRewriting(f); err == nil { // rows can be added and deleted
			add(kind, id, title, edits)
		}
	}
	switch {
	case n.IsAlias():
		inRows(source.ChangeRewrite, "inline-alias", fmt.Sprintf("Use row %s in the place of this alias", f.Model().Operand(n.Args[0])),
			func() ([]source.Edit, error) { return inline(f, row, n.Args[0]) })
	case n.Op == syntax.Bad || n.Op == syntax.Constraint:
		if parts := partsOf(f.Model(), row); len(parts) > 1 {
			inRows(source.ChangeRewrite, "split-"+n.Op.String(), fmt.Sprintf("Split this %s into %s", n.Op, findings.Count(len(parts), "row", "rows")),
				func() ([]source.Edit, error) { return split(f, row) })
		}
	case n.Op == syntax.SortRow && !n.Sort.IsArray():
		for _, op := range []syntax.Op{syntax.Zero, syntax.One} {
			if !hasConstant(f.Model(), n.Sort, op) {
				inRows(source.ChangeAdd, "add-"+op.String(), fmt.Sprintf("Add the %s of this sort", op), func() ([]source.Edit, error) { return addConstant(f, row, op) })
			}
		}
	}
	if n.Op.HasValue() && isBit(n.Sort) {
		for _, o := range []struct {
			id, title string
			op        syntax.Op
		}{{"add-lemma", "Add a lemma: %s is always 1", syntax.Lemma}, {"add-cover", "Add a cover: %s is 1 in some run", syntax.Cover}} {
			add(source.ChangeAdd, o.id, fmt.Sprintf(o.title, nameOf(f.Model(), row)), func() ([]source.Edit, error) {
				return []source.Edit{atEnd(f, syntax.WriteAside(o.op, fmt.Sprint(n.ID), ""))}, nil
			})
		}
	}
	if n.Symbol == "" && n.Op != syntax.SortRow && n.Op != syntax.Init && n.Op != syntax.Next && !n.Op.IsAside() {
		symbol := freeSymbol(f.Model(), fmt.Sprintf("%s_%d", n.Op, n.ID))
		add(source.ChangeRewrite, "name-row", "Name this row "+symbol, func() ([]source.Edit, error) {
			e, err := withSymbol(f, row, symbol)
			return []source.Edit{e}, err
		})
	}
}

// nameOf returns what a row is called: by its symbol, or that of an alias, else by its number.
func nameOf(m *syntax.Model, row int) string {
	if name := m.Names[row]; name != "" {
		return name
	}
	return fmt.Sprintf("n%d", m.Nodes[row].ID)
}

// atEnd returns the edit that adds lines at the end of the text.
func atEnd(f *syntax.File, lines string) source.Edit {
	end := f.Text().Len()
	if end > 0 && f.Text().Byte(end-1) != '\n' {
		lines = "\n" + lines
	}
	return source.Edit{Span: source.Span{Start: end}, NewText: lines}
}

// inline deletes a row, and uses another one of the same value in its place. That row gets the symbol if it has none and means
// the same.
func inline(f *syntax.File, row int, of syntax.Ref) ([]source.Edit, error) {
	r, err := newRewriting(f)
	if err != nil {
		return nil, err
	}
	nodes := f.Model().Nodes
	r.instead[row] = of
	if symbol := nodes[row].Symbol; symbol != "" && nodes[of.Node()].Symbol == "" && !of.IsNegated() {
		if err := r.name(of.Node(), symbol); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// inlineAliases deletes all rows that only name others, and uses these in their place. A row without a symbol gets that of its
// first alias.
func inlineAliases(f *syntax.File) ([]source.Edit, error) {
	r, err := newRewriting(f)
	if err != nil {
		return nil, err
	}
	nodes, named := f.Model().Nodes, map[int]bool{}
	for row := range nodes {
		n := &nodes[row]
		if !n.IsAlias() {
			continue
		}
		of := n.Args[0]
		if to, isAlias := r.instead[of.Node()]; isAlias { // aliases stand after what they name
			of = to ^ of&1
		}
		r.instead[row] = of
		if target := &nodes[of.Node()]; n.Symbol != "" && target.Symbol == "" && !of.IsNegated() && !named[of.Node()] {
			named[of.Node()] = true
			if err := r.name(of.Node(), n.Symbol); err != nil {
				return nil, err
			}
		}
	}
	return r.finish()
}

// hasConstant reports whether a row has the value of zero or one in a sort.
func hasConstant(m *syntax.Model, sort syntax.Sort, op syntax.Op) bool {
	want := int64(0)
	if op == syntax.One {
		want = 1
	}
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.Sort == sort && n.IsConstant(want) {
			return true
		}
	}
	return false
}

// addConstant adds a constant after the row of its sort.
func addConstant(f *syntax.File, row int, op syntax.Op) ([]source.Edit, error) {
	r, err := newRewriting(f)
	if err != nil {
		return nil, err
	}
	r.add(row, fmt.Sprintf("%s %d", op, f.Model().Nodes[row].ID))
	return r.finish()
}
