package syntax

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"aiglens/internal/source"
)

// Role says what a word does at a place.
type Role uint8

// The roles.
const (
	RoleDefinition Role = iota // the number of a row
	RoleSort                   // the number of a sort
	RoleState                  // the state of an init or next
	RoleOperand
	RoleSymbol // the name at the end of a row
)

func (r Role) String() string {
	return [...]string{"definition", "sort", "state", "operand", "symbol"}[r]
}

// Occurrence is a word that stands for a node.
type Occurrence struct {
	Span source.Span
	Ref  Ref // NoRef where no row before has the number
	Role Role
	Node int // the row on which it stands
	// Index is the place among the operands of the row, from 0; 0 for what is none.
	Index int
}

// OccurrencesIn yields the words that stand for nodes on the lines that span touches, in text order. Numbers that
// are no nodes, such as widths, are left out.
func (f *File) OccurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		last := f.text.LineAt(max(span.Start, span.End()))
		res := f.resolved()
		for row := f.rowFrom(f.text.LineAt(span.Start)); row < f.NumRows() && f.LineOf(row) <= last; row++ {
			if !f.occurrencesOf(res, row, yield) {
				return
			}
		}
	}
}

// occurrencesOf yields those of a row; false when yield has had enough.
func (f *File) occurrencesOf(res *resolution, row int, yield func(Occurrence) bool) bool {
	s, start := f.scan(row)
	if s.number > 0 && !yield(Occurrence{s.id.at(start), Ref(2 * row), RoleDefinition, row, 0}) {
		return false
	}
	refs := f.refsOf(res, row)
	index := 0
	for arg := range s.args {
		role, ok := s.roleOf(arg)
		if !ok {
			continue
		}
		o := Occurrence{s.spanOf(arg).at(start), refs[arg], role, row, 0}
		if role != RoleSort {
			o.Index = index
			index++
		}
		if !yield(o) {
			return false
		}
	}
	return s.symbol.to == 0 || yield(Occurrence{s.symbol.at(start), Ref(2 * row), RoleSymbol, row, 0})
}

// OccurrencesOf yields the words that stand for a node, in text order. Only its row and those that use it are taken apart.
func (f *File) OccurrencesOf(node int) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		res := f.resolved()
		for k, c := range f.chunks {
			isHere := f.rows[k] <= node && node < f.rows[k+1]
			if !isHere && !slices.ContainsFunc(res.refs[k], isOf(node)) {
				continue
			}
			refs := res.refs[k]
			for i := range c.rows {
				row, n := f.rows[k]+i, len(c.argsOf(i))
				if row == node || slices.ContainsFunc(refs[:n], isOf(node)) {
					if !f.occurrencesOf(res, row, func(o Occurrence) bool { return !isOf(node)(o.Ref) || yield(o) }) {
						return
					}
				}
				refs = refs[n:]
			}
		}
	}
}

// isOf returns a test for references to a node.
func isOf(node int) func(Ref) bool {
	return func(ref Ref) bool { return ref != NoRef && ref.Node() == node }
}

// CountUses returns how often rows use a node, and its negation.
func (f *File) CountUses(node int) (positive, negated int) {
	for _, refs := range f.resolved().refs {
		for _, ref := range refs {
			switch ref {
			case Ref(2 * node):
				positive++
			case Ref(2*node + 1):
				negated++
			}
		}
	}
	return positive, negated
}

// roleOf returns the role of an argument; false when it is no node.
func (s *scan) roleOf(arg int) (Role, bool) {
	switch {
	case s.op == SortRow:
		return RoleSort, s.array
	case s.op == Justice:
		return RoleOperand, arg > 0
	case s.op.IsProperty():
		return RoleOperand, true
	case arg == 0:
		return RoleSort, true
	case arg > s.op.Operands():
		return 0, false
	case arg == 1 && (s.op == Init || s.op == Next):
		return RoleState, true
	}
	return RoleOperand, true
}

// OccurrenceAt returns the word at an offset, or directly before it, that stands for a node.
func (f *File) OccurrenceAt(offset int) (found Occurrence, ok bool) {
	for o := range f.OccurrencesIn(source.Span{Start: offset}) {
		if o.Span.Contains(offset) {
			found, ok = o, true
		}
	}
	return found, ok
}

// TargetOf returns the row whose number an occurrence is, wherever it stands.
func (f *File) TargetOf(o Occurrence) (row int, ok bool) {
	if o.Ref != NoRef {
		return o.Ref.Node(), true
	}
	digits := strings.TrimPrefix(f.text.Slice(o.Span), "-")
	return f.NodeOf(number(digits, maxID))
}

// Numbered returns the edit that writes another number at an occurrence, with its sign, or none if it stands there.
func (f *File) Numbered(o Occurrence, id int64) []source.Edit {
	span := Digits(f.text, o)
	digits := strconv.FormatInt(id, 10)
	if f.text.Slice(span) == digits {
		return nil
	}
	return []source.Edit{{Span: span, NewText: digits}}
}

// Digits returns where the number of an occurrence stands, without the sign and without a byte order mark.
func Digits(text source.Text, o Occurrence) source.Span {
	span, word := o.Span, text.Slice(o.Span)
	skip := len(word) - len(strings.TrimPrefix(strings.TrimPrefix(word, byteOrderMark), "-"))
	return source.SpanFromTo(span.Start+skip, span.End())
}
