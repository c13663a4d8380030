package edit

import (
	"errors"
	"fmt"
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// Bit is a bit of the value of a row, the least significant of which is 0.
type Bit struct {
	Node, Bit int
	IsNegated bool
}

// Lemma claims of some clauses that each has a bit that is 1 in every step.
type Lemma struct {
	Clauses [][]Bit
	Label   string // "" for none
}

// AddLemmas returns the edit that adds lemmas at the end of a text, with the rows that they need: a line names a row of one bit.
// A row that is there is not added again.
func AddLemmas(f *syntax.File, lemmas []Lemma) ([]source.Edit, error) {
	if d := f.Structural(); d != nil {
		return nil, refusal(f, d)
	}
	m := newRowMaker(f.Model())
	var lines strings.Builder
	for _, l := range lemmas {
		all := make([]int64, len(l.Clauses))
		for i, clause := range l.Clauses {
			some := make([]int64, len(clause))
			for j, b := range clause {
				some[j] = m.bitOf(b)
			}
			all[i] = m.chain(syntax.Or, some)
		}
		id := m.chain(syntax.And, all)
		if id == 0 {
			return nil, errors.New("a lemma without a condition says nothing")
		}
		lines.WriteString(syntax.WriteAside(syntax.Lemma, fmt.Sprint(id), l.Label))
	}
	if m.last > maxID {
		return nil, errors.New("no numbers are left for more rows: number the rows again first")
	}
	return []source.Edit{atEnd(f, m.text.String()+lines.String())}, nil
}

// rowMaker makes rows of one bit where there are none. Operands are numbers of rows, with a sign for a negation.
type rowMaker struct {
	m     *syntax.Model
	last  int64 // the largest number
	sort  int64 // of one bit; 0 for none
	known map[rowOf]int64
	text  strings.Builder // of the rows that are new
}

// rowOf is what a row computes: the and or the or of two operands, or of one the bit of a number.
type rowOf struct {
	op          syntax.Op
	left, right int64
}

func newRowMaker(m *syntax.Model) *rowMaker {
	r := &rowMaker{m: m, known: map[rowOf]int64{}}
	for i := range m.Nodes {
		n := &m.Nodes[i]
		r.last = max(r.last, n.ID)
		if !n.Sound || !isBit(n.Sort) {
			continue
		}
		is := rowOf{op: n.Op}
		switch n.Op {
		case syntax.SortRow:
			if r.sort == 0 {
				r.sort = n.ID
			}
			continue
		case syntax.And, syntax.Or:
			is = inPair(n.Op, r.operand(n.Args[0]), r.operand(n.Args[1]))
		case syntax.Slice:
			is.left, is.right = r.operand(n.Args[0]), int64(n.Number[1])
		default:
			continue
		}
		if r.known[is] == 0 {
			r.known[is] = n.ID
		}
	}
	return r
}

func (r *rowMaker) operand(ref syntax.Ref) int64 {
	id := r.m.Nodes[ref.Node()].ID
	if ref.IsNegated() {
		return -id
	}
	return id
}

// inPair is a row of two operands, whichever stands first.
func inPair(op syntax.Op, a, b int64) rowOf { return rowOf{op, min(a, b), max(a, b)} }

// bitOf returns the row of a bit.
func (r *rowMaker) bitOf(b Bit) int64 {
	n := &r.m.Nodes[b.Node]
	id := n.ID
	if !isBit(n.Sort) {
		id = r.row(rowOf{syntax.Slice, id, int64(b.Bit)}, fmt.Sprintf("%d %d %d", id, b.Bit, b.Bit))
	}
	if b.IsNegated {
		return -id
	}
	return id
}

// chain returns the row of an operator over all operands; 0 where there is none.
func (r *rowMaker) chain(op syntax.Op, operands []int64) (id int64) {
	for i, next := range operands {
		if i == 0 || id == next {
			id = next
			continue
		}
		id = r.row(inPair(op, id, next), fmt.Sprintf("%d %d", id, next))
	}
	return id
}

// row returns the number of a row, which is added if it is not there.
func (r *rowMaker) row(is rowOf, args string) int64 {
	if id := r.known[is]; id > 0 {
		return id
	}
	if r.sort == 0 {
		r.last++
		r.sort = r.last
		fmt.Fprintf(&r.text, "%d sort bitvec 1\n", r.sort)
	}
	r.last++
	r.known[is] = r.last
	fmt.Fprintf(&r.text, "%d %s %d %s\n", r.last, is.op, r.sort, args)
	return r.last
}
