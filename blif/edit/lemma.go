package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/internal/source"
)

// Literal is a net of the first model, or its negation.
type Literal struct {
	Net       blif.Signal
	IsNegated bool
}

// AddLemmas returns the edit that adds lemmas to the first model, each some clauses that all
// hold in every step. A lemma that is one net needs nothing but its comment; any other is a
// net of its own, whose cover lists where it is 0: a row for each clause.
func AddLemmas(f *blif.File, lemmas [][][]Literal) ([]source.Edit, error) {
	top := f.Top()
	if top == nil {
		return nil, errors.New("there is no model")
	}
	var out strings.Builder
	number := 0
	for _, clauses := range lemmas {
		for _, clause := range clauses {
			for _, l := range clause {
				if f.SignalModel(l.Net) != top {
					return nil, errors.New("the lemma refers to a net within an instance, which has no name in the first model")
				}
			}
		}
		if len(clauses) == 1 && len(clauses[0]) == 1 && !clauses[0][0].IsNegated {
			out.WriteString("# prop: lemma " + f.Name(clauses[0][0].Net) + "\n")
			continue
		}
		name := ""
		for name == "" || top.Signal(name) != 0 {
			number++
			name = fmt.Sprintf("lemma%d", number)
		}
		out.WriteString("# prop: lemma " + name + "\n")
		writeOffSet(&out, f, name, clauses)
	}
	return []source.Edit{insertLines(f, bodyEndAt(f, top), out.String())}, nil
}

// isTautology reports whether a clause has a net and its negation.
func isTautology(clause []Literal) bool {
	return slices.ContainsFunc(clause, func(l Literal) bool {
		return slices.Contains(clause, Literal{l.Net, !l.IsNegated})
	})
}

// writeOffSet writes a cover of a net that is 0 exactly where a clause has no literal that is 1.
func writeOffSet(out *strings.Builder, f *blif.File, name string, clauses [][]Literal) {
	// A clause that always holds has no row.
	if clauses = slices.DeleteFunc(slices.Clone(clauses), isTautology); len(clauses) == 0 {
		out.WriteString(".names " + name + "\n1\n")
		return
	}
	var nets []blif.Signal
	column := map[blif.Signal]int{}
	for _, clause := range clauses {
		for _, l := range clause {
			if _, ok := column[l.Net]; !ok {
				column[l.Net] = len(nets)
				nets = append(nets, l.Net)
			}
		}
	}
	out.WriteString(".names")
	for _, n := range nets {
		out.WriteString(" " + f.Name(n))
	}
	out.WriteString(" " + name + "\n")
	for _, clause := range clauses {
		row := slices.Repeat([]byte{'-'}, len(nets))
		for _, l := range clause {
			row[column[l.Net]] = '0'
			if l.IsNegated {
				row[column[l.Net]] = '1'
			}
		}
		out.WriteString(string(row) + " 0\n")
	}
}

// insertLines returns the edit that puts lines before what stands at an offset.
func insertLines(f *blif.File, at int, lines string) source.Edit {
	if at > 0 && f.Text().Byte(at-1) != '\n' { // after a last line without an end
		lines = "\n" + strings.TrimSuffix(lines, "\n")
	}
	return insert(at, lines)
}
