package edit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// outputsToBads returns the edits that turn all outputs into bads, before those
// that are bads already. The sections are neighbours, so that no row moves.
// With the outputs of AIGER 1.0, which are checked as bads by convention, this
// converts the file to AIGER 1.9.
func outputsToBads(f *syntax.File) ([]source.Edit, error) {
	values := f.HeaderValues()
	outputs := values.Counts[syntax.SectionOutputs]
	values.Counts[syntax.SectionBads] += outputs
	values.Counts[syntax.SectionOutputs] = 0
	return renameSections(f, values, func(n nameable) nameable {
		switch n.kind {
		case syntax.SectionOutputs:
			n.kind = syntax.SectionBads
		case syntax.SectionBads:
			n.index += outputs
		}
		return n
	})
}

// badsToOutputs returns the edits that turn all bads into outputs, after those
// that are outputs already.
func badsToOutputs(f *syntax.File) ([]source.Edit, error) {
	values := f.HeaderValues()
	outputs := values.Counts[syntax.SectionOutputs]
	values.Counts[syntax.SectionOutputs] += values.Counts[syntax.SectionBads]
	values.Counts[syntax.SectionBads] = 0
	return renameSections(f, values, func(n nameable) nameable {
		if n.kind == syntax.SectionBads {
			n.kind, n.index = syntax.SectionOutputs, n.index+outputs
		}
		return n
	})
}

// renameSections gives the header new counts and each symbol the element that
// move says.
func renameSections(f *syntax.File, values syntax.HeaderValues, move func(nameable) nameable) ([]source.Edit, error) {
	if err := structure(f); err != nil {
		return nil, err
	}
	return symbolsMoved(f, values, move), nil
}

// symbolsMoved is renameSections for any file.
func symbolsMoved(f *syntax.File, values syntax.HeaderValues, move func(nameable) nameable) []source.Edit {
	edits := f.HeaderEdits(values)
	for _, sym := range f.Symbols() {
		from := nameable{sym.Kind, sym.Index}
		if to := move(from); to != from {
			span := source.SpanFromTo(sym.Span.Start, sym.NameSpan.Start-1)
			edits = append(edits, source.Edit{Span: span, NewText: fmt.Sprintf("%c%d", to.kind.Letter(), to.index)})
		}
	}
	return edits
}

// sortSymbols returns the edits that bring the symbol lines into the order of
// sections and positions.
func sortSymbols(ctx context.Context, f *syntax.File) ([]source.Edit, error) {
	if err := structure(f); err != nil {
		return nil, err
	}
	symbols := f.Symbols()
	if symbolsAreSorted(symbols) {
		return nil, nil
	}
	start := symbols[0].Span.Start
	region := source.NewText(f.Text().Slice(source.SpanFromTo(start, symbols[len(symbols)-1].Span.End())))
	slices.SortStableFunc(symbols, compareSymbols)
	lines := make([]string, len(symbols))
	for i, sym := range symbols {
		lines[i] = f.Text().Slice(sym.Span)
	}
	edits, err := source.DiffContext(ctx, region, strings.Join(lines, "\n"))
	if err != nil {
		return nil, err
	}
	for i := range edits {
		edits[i].Span.Start += start
	}
	return keepAsides(f, edits, same)
}

func compareSymbols(a, b syntax.Symbol) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Index, b.Index))
}

func symbolsAreSorted(symbols []syntax.Symbol) bool {
	return slices.IsSortedFunc(symbols, compareSymbols)
}

// invertLatch returns the edits that have a latch store the negation of what it
// stored: next state and reset are negated, and so is every use. What was a
// negated use becomes a plain one. Outputs and properties keep their meaning.
//
// There is no such thing for a gate: its negation is not a conjunction, and in
// AIGER a negated literal costs nothing.
func invertLatch(f *syntax.File, v uint32) ([]source.Edit, error) {
	d, ok := f.Definition(v)
	if !ok || d.Role != syntax.RoleLatch {
		return nil, fmt.Errorf("literal %d is not a latch", 2*v)
	}
	row, _ := f.Row(syntax.SectionLatches, d.Index)
	if row.Count < 2 || row.Count > 3 {
		return nil, errors.New("the row of the latch has too few or too many numbers")
	}
	edits := invertedLatch(f, row)
	for o := range f.Uses(v) {
		if f.Text().LineAt(o.Span.Start) != row.Line && !o.IsNamed {
			edits = append(edits, source.Edit{Span: o.Span, NewText: strconv.FormatUint(uint64(o.Lit^1), 10)})
		}
	}
	if sym, ok := f.Symbol(syntax.SectionLatches, d.Index); ok && strings.TrimSpace(sym.Name) != "" {
		name, negated := strings.CutPrefix(sym.Name, "not_")
		if !negated {
			name = "not_" + name
		}
		renamed, err := renameSymbol(f, nameable{syntax.SectionLatches, d.Index}, name)
		if err != nil {
			return nil, err
		}
		edits = append(edits, renamed...)
	}
	if len(edits) == 0 {
		return nil, errors.New("the latch keeps its value and starts with either one: its negation is written the same way")
	}
	return keepAsides(f, edits, func(lit uint32) uint32 {
		if lit/2 == v {
			return lit ^ 1
		}
		return lit
	})
}

// invertedLatch returns the edits of the latch's own row. Next state l becomes
// ¬l, and where l is the latch itself, whose meaning turns too, it stays.
func invertedLatch(f *syntax.File, row syntax.Row) []source.Edit {
	var edits []source.Edit
	lit, spans := row.Numbers[0], make([]source.Span, 0, 3)
	for o := range f.OccurrencesIn(f.Text().LineSpan(row.Line)) {
		spans = append(spans, o.Span)
	}
	set := func(i int, to uint32) {
		edits = append(edits, source.Edit{Span: spans[i], NewText: strconv.FormatUint(uint64(to), 10)})
	}
	if next := row.Numbers[1]; next/2 != lit/2 {
		set(1, next^1)
	}
	switch {
	case row.Count == 2:
		edits = append(edits, source.Edit{Span: source.Span{Start: spans[1].End()}, NewText: " 1"})
	case row.Numbers[2] == 1 && f.Text().Byte(spans[1].End()) == ' ': // reset 0 need not be written
		edits = append(edits, source.Edit{Span: source.SpanFromTo(spans[1].End(), spans[2].End())})
	case row.Numbers[2]/2 != lit/2:
		set(2, row.Numbers[2]^1)
	}
	return edits
}
