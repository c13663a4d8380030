package edit

import (
	"errors"
	"fmt"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// Lemma claims of some clauses, over literals of the file, that each has a literal that is 1
// in every step.
type Lemma struct {
	Clauses [][]uint32
	Label   string // "" for none
}

// AddLemmas returns the edits that add lemmas after the comment, and after the other gates
// those that they need: a line of the comment refers to one literal. A gate that the file has
// is not added again.
func AddLemmas(f *syntax.File, lemmas []Lemma) ([]source.Edit, error) {
	if err := structure(f); err != nil {
		return nil, err
	}
	first, err := freeVariable(f)
	if err != nil {
		return nil, err
	}
	g := gateMaker{next: first, mentioned: danglingVariables(f), known: map[[2]uint32]uint32{}}
	for i := range f.HeaderValues().Counts[syntax.SectionAnds] {
		if row, ok := f.Row(syntax.SectionAnds, i); ok && row.Count == 3 {
			n := row.Numbers
			g.known[[2]uint32{max(n[1], n[2]), min(n[1], n[2])}] = n[0]
		}
	}
	var lines strings.Builder
	for _, l := range lemmas {
		lit := g.lemma(l.Clauses)
		if lit < 2 {
			return nil, errors.New("a lemma that is always or never 1 says nothing")
		}
		spelled := fmt.Sprint(lit)
		if lit/2 < first {
			spelled = f.SpellLiteral(lit)
		}
		lines.WriteString(syntax.WriteAside(syntax.AsideLemma, spelled, l.Label))
	}
	if g.next > syntax.MaxVar {
		return nil, errors.New("the file uses the largest variable that a literal can name; renumber it first")
	}
	edits := addGates(f, g.rows)
	return keepAsides(f, append(edits, addLines(f, lines.String())...), same)
}

// gateMaker makes gates where there are none.
type gateMaker struct {
	next      uint32               // variable
	mentioned map[uint32]bool      // variables that are left alone
	known     map[[2]uint32]uint32 // gates by their operands, the larger one first
	rows      [][3]uint32          // that are new
}

// lemma returns the literal that is 1 where each clause has a literal that is 1.
func (g *gateMaker) lemma(clauses [][]uint32) uint32 {
	all := uint32(1)
	for _, clause := range clauses {
		none := uint32(1) // of the clause is 1
		for _, l := range clause {
			none = g.and(none, l^1)
		}
		all = g.and(all, none^1)
	}
	return all
}

func (g *gateMaker) and(a, b uint32) uint32 {
	a, b = max(a, b), min(a, b)
	switch {
	case b == 0 || a == b^1:
		return 0
	case b == 1 || a == b:
		return a
	}
	if lit, ok := g.known[[2]uint32{a, b}]; ok {
		return lit
	}
	for g.mentioned[g.next] {
		g.next++
	}
	lit := 2 * g.next
	g.next++
	g.known[[2]uint32{a, b}] = lit
	g.rows = append(g.rows, [3]uint32{lit, a, b})
	return lit
}

// addGates returns the edits that add rows after the other gates, with what the header has to
// say about them.
func addGates(f *syntax.File, rows [][3]uint32) []source.Edit {
	if len(rows) == 0 {
		return nil
	}
	values := f.HeaderValues()
	values.Counts[syntax.SectionAnds] += len(rows)
	var text []byte
	for _, row := range rows {
		values.Max = max(values.Max, int(row[0]/2))
		text = syntax.AppendRow(text, row[:]...)
	}
	return append(f.HeaderEdits(values), insertLine(f, lineBehind(f, syntax.SectionAnds), string(text)))
}
