package edit

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// Format returns the edits that give the file its canonical text: the white
// space of the format, no header fields that say nothing, no reset 0, symbols
// in the order of the sections, gates after their operands and as far as that
// leaves a choice in the order of their numbers, each with RHS0 ≥ RHS1. Numbers
// keep their values and comments their bytes; only a line end that the last
// line lacks is added.
//
// It fails when an error in the file leaves open which line is what.
//
// For a million lines it takes a second; when the context ends before, the error
// is that of the context.
func Format(ctx context.Context, f *syntax.File) ([]source.Edit, error) {
	m, err := cleanModel(ctx, f)
	if err != nil {
		return nil, err
	}
	m.Ands = inOrder(m.Ands)
	edits, err := rewrittenTo(ctx, f, m)
	if err != nil {
		return nil, err
	}
	return keepAsides(f, edits, same)
}

// rewrittenTo returns the edits that make the file that of a model.
func rewrittenTo(ctx context.Context, f *syntax.File, m *aiger.Model) ([]source.Edit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return source.DiffContext(ctx, f.Text(), string(m.AppendASCII(nil)))
}

// reencode returns the edits that number the whole file as aiger.Model.Reencode does,
// which is how aigtoaig writes a binary file: inputs, latches, gates, without
// gaps.
//
// It fails when the file has an error, and when its comment or a symbol refers to literals by
// their numbers, which would keep the old ones, and with the error of the context when that
// ends.
func reencode(ctx context.Context, f *syntax.File) ([]source.Edit, error) {
	m, err := cleanModel(ctx, f)
	if err != nil {
		return nil, err
	}
	if aiger.MapsLiterals(m.Comment) {
		return nil, aiger.ErrMapped
	}
	if m, err = m.Reencode(); err != nil {
		return nil, err
	}
	return rewrittenTo(ctx, f, m)
}

// cleanModel returns the numbers of the file as they are once its white space
// is that of the format.
func cleanModel(ctx context.Context, f *syntax.File) (*aiger.Model, error) {
	if edits := f.WhitespaceEdits(); len(edits) > 0 {
		text, err := f.Text().Apply(edits)
		if err != nil {
			return nil, fmt.Errorf("normalising white space: %w", err)
		}
		f = f.Reparse(text)
	}
	if err := structure(f); err != nil {
		return nil, err
	}
	return (*aiger.Model)(f.Contents()), ctx.Err()
}

// notStructural lists the errors about the meaning of a line whose role is known,
// or about white space. All others leave open which line is what.
var notStructural = map[source.Code]bool{
	syntax.CodeUndefinedLiteral: true, syntax.CodeAndCycle: true, syntax.CodeResetCycle: true,
	syntax.CodeDefinitionTwice: true, syntax.CodeDefinitionOdd: true, syntax.CodeDefinitionConstant: true,
	syntax.CodeSymbolTwice: true, syntax.CodeSymbolOutOfRange: true, syntax.CodeSymbolEmptyName: true, syntax.CodeSymbolDuplicateName: true,
	syntax.CodeTab: true, syntax.CodeExtraSpace: true, syntax.CodeTrailingSpace: true, syntax.CodeCRLF: true, syntax.CodeBlankLine: true,
	syntax.CodeFinalNewline: true, syntax.CodeLeadingZero: true,
}

// structure returns the first error that leaves open which line is what.
func structure(f *syntax.File) error {
	if len(f.Header()) == 0 {
		return errors.New("there is no header")
	}
	for _, diag := range f.Diagnostics() {
		if diag.Severity == source.Error && !notStructural[diag.Code] {
			return refusal(f, diag)
		}
	}
	return nil
}

// refusal turns a diagnostic into the reason why something is not done.
func refusal(f *syntax.File, diag source.Diagnostic) error {
	line, _ := f.Text().LineColumn(diag.Span.Start)
	return fmt.Errorf("line %d: %s", line, diag.Message)
}

// inOrder returns gates with RHS0 ≥ RHS1, each after its operands, and of
// those that may come next always the one with the smallest number. Gates that
// depend on each other in a cycle come last, as they were.
func inOrder(gates []syntax.And) []syntax.And {
	sorted := make([]syntax.And, len(gates))
	numbered := true
	for i, g := range gates {
		sorted[i] = g.Ordered()
		numbered = numbered && g.LHS > sorted[i].RHS0
	}
	if numbered {
		slices.SortStableFunc(sorted, func(a, b syntax.And) int { return cmp.Compare(a.LHS, b.LHS) })
		return sorted
	}
	return topological(sorted)
}

// topological is inOrder for gates of any numbering (A. B. Kahn, 1962, with a
// heap of the gates that are ready).
func topological(gates []syntax.And) []syntax.And {
	at := make(map[uint32]int, len(gates)) // by variable: its first gate
	for i, g := range gates {
		if _, ok := at[g.LHS/2]; !ok {
			at[g.LHS/2] = i
		}
	}
	users := make([][]int, len(gates))
	waits := make([]int, len(gates)) // operands that have not been placed
	for i, g := range gates {
		for _, rhs := range [...]uint32{g.RHS0, g.RHS1} {
			if k, ok := at[rhs/2]; ok {
				users[k] = append(users[k], i)
				waits[i]++
			}
		}
	}
	ready := gateHeap{gates: gates}
	for i, n := range waits {
		if n == 0 {
			ready.order = append(ready.order, i)
		}
	}
	heap.Init(&ready)
	sorted := make([]syntax.And, 0, len(gates))
	for ready.Len() > 0 {
		i := heap.Pop(&ready).(int)
		sorted = append(sorted, gates[i])
		for _, user := range users[i] {
			if waits[user]--; waits[user] == 0 {
				heap.Push(&ready, user)
			}
		}
	}
	for i, n := range waits {
		if n > 0 {
			sorted = append(sorted, gates[i])
		}
	}
	return sorted
}

// gateHeap holds gates by place, the smallest number on top.
type gateHeap struct {
	gates []syntax.And
	order []int
}

func (h *gateHeap) Len() int { return len(h.order) }
func (h *gateHeap) Less(i, j int) bool {
	a, b := h.order[i], h.order[j]
	return cmp.Or(cmp.Compare(h.gates[a].LHS, h.gates[b].LHS), cmp.Compare(a, b)) < 0
}
func (h *gateHeap) Swap(i, j int) { h.order[i], h.order[j] = h.order[j], h.order[i] }
func (h *gateHeap) Push(x any)    { h.order = append(h.order, x.(int)) }
func (h *gateHeap) Pop() any {
	last := h.order[len(h.order)-1]
	h.order = h.order[:len(h.order)-1]
	return last
}

// LineTypedEdits returns the edits that follow the typing of a line end, which
// starts the given line (from 0), or the end of the work on the line above: the
// header counts the rows and, when reorder holds, the gate on the line above moves
// to its place. Before is the last header of the file that fitted its rows.
func LineTypedEdits(f *syntax.File, line int, reorder bool, before syntax.FittingHeader) []source.Edit {
	if !f.HasBody() || line-1 < f.FirstLine() {
		return nil
	}
	edits := f.Recount(syntax.Typed{Line: line - 1, Before: before})
	if reorder {
		edits = append(edits, gateInPlace(f, line-1)...)
	}
	return edits
}

// RowsGoneEdits returns the edits that have the header count less rows by some that are
// gone from the line (from 0) that has their place. Before is the last header of the file
// that fitted its rows.
func RowsGoneEdits(f *syntax.File, line, rows int, before syntax.FittingHeader) []source.Edit {
	if !f.HasBody() || rows < 1 {
		return nil
	}
	return f.Recount(syntax.Typed{Line: line, Gone: rows, Before: before})
}

// gateInPlace moves the gate on a line to where its number belongs, provided
// that the other gates are sorted there, and puts the larger operand first.
func gateInPlace(f *syntax.File, line int) []source.Edit {
	row, ok := f.RowAt(line)
	n := row.Numbers
	if !ok || row.Kind != syntax.SectionAnds || row.Count != 3 || n[0] <= max(n[1], n[2]) {
		return nil
	}
	gate := strings.TrimSuffix(string(syntax.AppendRow(nil, n[0], max(n[1], n[2]), min(n[1], n[2]))), "\n")
	span := f.Text().LineSpan(line)
	to := gatePlace(f, row)
	if to == row.Index {
		if f.Text().Slice(span) == gate {
			return nil
		}
		return []source.Edit{{Span: span, NewText: gate}}
	}
	target, _ := f.Row(syntax.SectionAnds, to)
	at := f.Text().LineStart(target.Line)
	if to > row.Index {
		at = f.Text().LineStart(target.Line + 1)
	}
	if f.Text().Byte(at-1) != '\n' {
		return nil // the last line is still being written
	}
	return []source.Edit{
		{Span: source.SpanFromTo(span.Start, f.Text().LineStart(line+1))},
		{Span: source.Span{Start: at}, NewText: gate + "\n"},
	}
}

// gatePlace returns the position among the gates that a row's number asks for.
func gatePlace(f *syntax.File, row syntax.Row) int {
	lhs := func(i int) (uint32, bool) {
		r, ok := f.Row(syntax.SectionAnds, i)
		return r.Numbers[0], ok
	}
	if before, ok := lhs(row.Index - 1); ok && before > row.Numbers[0] {
		lo, hi := 0, row.Index
		for lo < hi {
			mid := (lo + hi) / 2
			if v, _ := lhs(mid); v > row.Numbers[0] {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		return lo
	}
	to := row.Index
	for {
		after, ok := lhs(to + 1)
		if !ok || after > row.Numbers[0] {
			return to
		}
		to++
	}
}
