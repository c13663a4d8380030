package edit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// asWritten is the rank of all rows where those that need not move stay.
func asWritten(syntax.Op) int { return 0 }

// bySection is the place of the section of a row: sorts, inputs, constants, states with their inits, operators, next,
// and what is asked.
func bySection(o syntax.Op) int {
	switch {
	case o == syntax.SortRow:
		return 0
	case o == syntax.Input:
		return 1
	case o.IsConstant():
		return 2
	case o == syntax.State, o == syntax.Init:
		return 3
	case o.IsOperator():
		return 4
	case o == syntax.Next:
		return 5
	case o == syntax.Output:
		return 6
	case o == syntax.Constraint:
		return 7
	case o == syntax.Fair:
		return 8
	case o == syntax.Bad:
		return 9
	}
	return 10
}

// inOrder returns all rows by rank and as they are written, but each after those that it uses, and a state after the
// value of its init. The error says why there is no such order, or that it is not clear which rows are meant.
func inOrder(f *syntax.File, rank func(syntax.Op) int) ([]int, error) {
	needs, err := needsOf(f)
	if err != nil {
		return nil, err
	}
	nodes := f.Model().Nodes
	first := make([]int, len(nodes))
	for i := range first {
		first[i] = i
	}
	slices.SortStableFunc(first, func(a, b int) int { return cmp.Compare(rank(nodes[a].Op), rank(nodes[b].Op)) })
	const open, done = 1, 2
	state := make([]uint8, len(nodes))
	order := make([]int, 0, len(nodes))
	for _, start := range first {
		for stack := []int{start}; len(stack) > 0; {
			row := stack[len(stack)-1]
			if state[row] == done {
				stack = stack[:len(stack)-1]
				continue
			}
			if state[row] == open { // all that it needs is there
				state[row] = done
				order = append(order, row)
				continue
			}
			state[row] = open
			for _, used := range slices.Backward(needs[row]) {
				switch state[used] {
				case open:
					return nil, fmt.Errorf("row %d depends on itself", nodes[used].ID)
				case 0:
					stack = append(stack, used)
				}
			}
		}
	}
	return order, nil
}

// needsOf returns the rows that must stand before each row.
func needsOf(f *syntax.File) ([][]int, error) {
	nodes := f.Model().Nodes
	for row := range nodes {
		if first, ok := f.NodeOf(nodes[row].ID); !nodes[row].Op.IsAside() && (!ok || first != row) {
			return nil, fmt.Errorf("line %d: the row has no number of its own", nodes[row].Line+1)
		}
	}
	needs := make([][]int, len(nodes))
	for o := range f.OccurrencesIn(source.Span{Length: f.Text().Len()}) {
		if o.Role == syntax.RoleDefinition || o.Role == syntax.RoleSymbol {
			continue
		}
		of, ok := f.TargetOf(o)
		if !ok {
			return nil, fmt.Errorf("row %d uses %s, which no row has", nodes[o.Node].ID, f.Text().Slice(o.Span))
		}
		needs[o.Node] = append(needs[o.Node], of)
	}
	for row := range nodes {
		if nodes[row].Op == syntax.Init && len(needs[row]) == 3 { // sort, state, value
			state := needs[row][1]
			needs[state] = append(needs[state], needs[row][2])
		}
	}
	return needs, nil
}

// reordered returns the text with its rows in another order, numbered from 1 on. Lines without a row stay before the row
// that follows them; those before the first row and after the last one stay where they are.
func reordered(f *syntax.File, order []int) string {
	ids, last := make([]int, len(order)), 0
	for _, row := range order {
		if !f.Model().Nodes[row].Op.IsAside() {
			last++
			ids[row] = last
		}
	}
	text := f.Text()
	var out strings.Builder
	copied := func(from, to int) { out.WriteString(text.Slice(source.SpanFromTo(from, to))) }
	copied(0, text.LineStart(f.LineOf(0)))
	for _, row := range order {
		line := f.LineOf(row)
		if row > 0 {
			copied(text.LineStart(f.LineOf(row-1)+1), text.LineStart(line))
		}
		at := text.LineStart(line)
		for o := range f.OccurrencesIn(source.Span{Start: at}) {
			of, ok := f.TargetOf(o)
			if o.Role == syntax.RoleSymbol || !ok {
				continue
			}
			digits := syntax.Digits(text, o)
			copied(at, digits.Start)
			out.WriteString(strconv.Itoa(ids[of]))
			at = digits.End()
		}
		copied(at, text.LineSpan(line).End())
		out.WriteByte('\n')
	}
	if end := f.LineOf(f.NumRows()-1) + 1; end < text.NumLines() {
		copied(text.LineStart(end), text.Len())
	}
	return out.String()
}

// sortRows sorts the rows into sections and numbers them.
func sortRows(f *syntax.File) ([]source.Edit, error) {
	order, err := inOrder(f, bySection)
	if err != nil {
		return nil, err
	}
	return source.Diff(f.Text(), reordered(f, order)), nil
}

// renumberAll numbers the rows from 1 on.
func renumberAll(f *syntax.File) ([]source.Edit, error) {
	edits, ok := f.Renumber()
	if !ok {
		return nil, errors.New("it is not clear which rows are meant: numbers are missing, repeated or not defined")
	}
	return edits, nil
}
