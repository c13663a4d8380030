package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// coverRows are the rows of a sound .names with inputs.
type coverRows struct {
	rows   []statement.Row
	cubes  []cube
	inputs []string
	off    bool // the rows say where the output is 0
}

// coverOf returns the rows of a .names; ok is false for another statement, one
// without inputs and one with rows that are not cubes of its inputs.
func coverOf(f *blif.File, id int) (c coverRows, ok bool) {
	k, i := f.Locate(id)
	ch := f.Chunks[k]
	lo, hi := ch.TokensOf(i)
	if ch.Stmts[i].Kind != statement.KindNames || ch.Stmts[i].Flags&(statement.FlagCover|statement.FlagArguments) != 0 || hi-lo < 3 {
		return c, false
	}
	for t := lo + 1; t+1 < hi; t++ {
		c.inputs = append(c.inputs, f.NameText(ch.Names[t]))
	}
	c.off = ch.Stmts[i].Flags&statement.FlagOffSet != 0
	for r := range f.Rows(id) {
		c.rows = append(c.rows, r)
		c.cubes = append(c.cubes, cube(f.Text().Slice(r.Cube)))
	}
	return c, true
}

// maxMinimised bounds the rows that are compared with each other.
const maxMinimised = 2000

// minimiseCover returns the edits that leave out the rows of a .names that
// another one contains and join those at distance 1. The function stays what it
// is.
func minimiseCover(f *blif.File, id int) ([]source.Edit, error) {
	c, ok := coverOf(f, id)
	switch {
	case !ok:
		return nil, errNoCover
	case len(c.rows) > maxMinimised:
		return nil, fmt.Errorf("the cover has more than %d rows", maxMinimised)
	case !minimise(c.cubes):
		return nil, errors.New("no row contains or completes another one")
	}
	var edits []source.Edit
	for i, r := range c.rows {
		if c.cubes[i] == nil {
			edits = append(edits, rowDeletion(f, id, r))
		} else if text := string(c.cubes[i]); text != f.Text().Slice(r.Cube) {
			edits = append(edits, replace(r.Cube, text))
		}
	}
	return edits, nil
}

var errNoCover = errors.New("there is no .names here with inputs and only valid rows")

// complementCover returns the edits that describe the function of a .names by
// the other output value: where it is 0 instead of where it is 1, or the other
// way round. The complement is exact; one of more than 256 rows is refused.
func complementCover(f *blif.File, id int) ([]source.Edit, error) {
	c, ok := coverOf(f, id)
	if !ok {
		return nil, errNoCover
	}
	cubes, err := complement(c.cubes, len(c.inputs))
	if err != nil {
		return nil, err
	}
	if len(cubes) == 0 && !c.off {
		return nil, errors.New("the function is the constant 1; a cover without rows would be the constant 0")
	}
	output := " 0\n"
	if c.off {
		output = " 1\n"
	}
	var text strings.Builder
	for _, cube := range cubes {
		text.Write(cube)
		text.WriteString(output)
	}
	var edits []source.Edit
	for i, r := range c.rows {
		edit := rowDeletion(f, id, r)
		if i == 0 {
			edit.NewText += text.String()
		}
		edits = append(edits, edit)
	}
	if len(c.rows) == 0 {
		at := f.Text().LineSpan(f.Text().LineAt(f.ContentSpan(id).End())).End()
		edits = append(edits, insert(at, "\n"+strings.TrimSuffix(text.String(), "\n")))
	}
	return edits, nil
}

// nameColumns returns the edit that puts a comment above the rows of a .names
// which leads from the name of each input down to its column. The '#' is the
// line to the first column:
//
//	# enable
//	#| reset
//	#|| q
//	1-0 1
func nameColumns(f *blif.File, id int) ([]source.Edit, error) {
	c, ok := coverOf(f, id)
	if !ok || len(c.rows) == 0 {
		return nil, errNoCover
	}
	for _, r := range c.rows {
		if r.Span.Start != f.Text().LineStart(f.Text().LineAt(r.Span.Start)) {
			return nil, errors.New("the rows are indented: the lines of a comment would not meet their columns")
		}
	}
	if c.inputs[0] == "prop:" {
		return nil, errors.New("a comment with prop: in front is a property")
	}
	var comment strings.Builder
	for i, name := range c.inputs {
		comment.WriteString("#" + strings.Repeat("|", i) + " " + name + "\n")
	}
	at := c.rows[0].Span.Start
	if strings.HasSuffix(f.Text().Slice(source.SpanFromTo(f.Statement(id).Span.Start, at)), comment.String()) {
		return nil, errors.New("the columns are named already")
	}
	return []source.Edit{insert(at, comment.String())}, nil
}

// isMinimal reports whether minimiseCover would change nothing. Of a cover with
// many rows that is not found out.
func (c coverRows) isMinimal() bool {
	const many = 256
	return len(c.rows) < 2 || len(c.rows) <= many && !minimise(clonedCubes(c.cubes))
}

func clonedCubes(cubes []cube) []cube {
	all := make([]cube, len(cubes))
	for i, c := range cubes {
		all[i] = slices.Clone(c)
	}
	return all
}
