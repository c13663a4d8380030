package ide

import (
	"context"
	"fmt"
	"unicode/utf8"

	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/internal/source"
)

// HintOptions say which hints are shown.
type HintOptions struct {
	Names    bool // of literals
	Sections bool // of rows, and fields of the header
}

// InlayHint is text that is shown between the bytes of a file.
type InlayHint struct {
	Offset int
	Label  string
	Before bool // belongs to what follows, not to what stands before
	// Gap is the number of spaces before the label; 0 leaves that to the editor.
	Gap int
}

// maxHints bounds an answer: some clients ask for a whole file at once.
const maxHints = 10_000

// InlayHints returns the hints of the lines that span touches: after each
// number what it is called, after each row what it is, before each number of
// the header its letter.
//
// An input or latch without a name is not called anything where it is defined,
// for what its row is says the same. The error is that of ctx.
func InlayHints(ctx context.Context, d *design.Design, span source.Span, opts HintOptions) ([]InlayHint, error) {
	all := HeaderHints(d, span, opts)
	if opts.Names && d.HasNumbers() {
		for o := range d.OccurrencesIn(span) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if len(all) >= maxHints {
				return all, nil
			}
			if name := hintName(d, o, opts); name != "" {
				all = append(all, InlayHint{Offset: o.Span.End(), Label: name})
			}
		}
	}
	if opts.Sections {
		rule := "" // of the property before: one rule makes them all most often
		for _, p := range d.Properties() {
			if p.Implicit && p.Rule != rule && touches(p.Row, span) {
				all = append(all, InlayHint{Offset: p.Row.End(), Label: p.Rule})
			}
			rule = p.Rule
		}
	}
	return rowHints(ctx, d, span, opts, all)
}

// HeaderHints returns the letters of the numbers in the header, as far as span touches
// them.
func HeaderHints(d *design.Design, span source.Span, opts HintOptions) []InlayHint {
	if !opts.Sections {
		return nil
	}
	var all []InlayHint
	for _, f := range d.Header() {
		if touches(f.Span, span) {
			all = append(all, InlayHint{Offset: f.Span.Start, Label: f.Name, Before: true})
		}
	}
	return all
}

// NoteHints returns notes as hints, for an editor that draws nothing else.
func NoteHints(d *design.Design, notes []Note) []InlayHint {
	var all []InlayHint
	for _, n := range notes {
		hint := InlayHint{Offset: n.Offset, Label: n.Text()}
		start := d.Text.LineStart(d.Text.LineAt(n.Offset))
		if n.Column > 0 {
			hint.Gap = n.Column - utf8.RuneCountInString(d.Text.Slice(source.SpanFromTo(start, n.Offset)))
		}
		if hint.Label != "" {
			all = append(all, hint)
		}
	}
	return all
}

func hintName(d *design.Design, o design.Occurrence, opts HintOptions) string {
	if o.Role == design.RoleDefinition && opts.Sections && d.Name(o.Lit.Signal()) == "" {
		var buf [4]design.Lit
		if kind, _, _ := d.Drivers(o.Lit.Signal(), buf[:0]); kind != design.Gate {
			return ""
		}
	}
	if c := d.Text.Byte(o.Span.Start); o.Role == design.RoleUse && (c < '0' || c > '9') { // a name, and its number is missing
		return fmt.Sprint(o.Lit)
	}
	return formula.ShortName(d, o.Lit)
}

// rowHints appends the hints at the ends of lines.
func rowHints(ctx context.Context, d *design.Design, span source.Span, opts HintOptions, all []InlayHint) ([]InlayHint, error) {
	last := d.Text.LineAt(max(span.Start, span.End()))
	for line := d.Text.LineAt(span.Start); line <= last && len(all) < maxHints; line++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := d.Text.LineStart(line)
		row, isRow := d.RowAt(start)
		isRow = isRow && row.Span.Start == start
		if label := rowLabel(d, row, opts); isRow && label != "" {
			all = append(all, InlayHint{Offset: lineEnd(d, d.Text.LineSpan(line)), Label: label})
		}
		if isRow || !opts.Names {
			continue
		}
		if symbol, ok := d.SymbolAt(start); ok && symbol.HasLit {
			all = append(all, InlayHint{Offset: symbol.NameSpan.End(), Label: fmt.Sprint(symbol.Lit)})
		}
	}
	return all, nil
}

// rowLabel leaves out which gate a row is: thousands of rows differ in nothing
// else, and their number stands in front. Where a gate has a name instead, the
// hint is how it is computed.
func rowLabel(d *design.Design, row design.RowRef, opts HintOptions) string {
	if text, ok := design.RowNote(d, row); ok {
		if !opts.Names {
			return ""
		}
		return text
	}
	switch {
	case row.Kind == design.Gate && !d.HasNumbers():
		if c, ok := d.Cover(row.Signal); !ok || c.Faulty || !opts.Names {
			return ""
		}
		return "= " + formula.Expression(d, row.Signal.Lit(), 1)
	case !opts.Sections || !d.HasNumbers(): // a row of BLIF says itself what it is
		return ""
	case row.Kind != design.Gate:
		return row.Label
	}
	return row.One
}

// lineEnd returns the offset after the last byte of a line that is not a carriage
// return.
func lineEnd(d *design.Design, line source.Span) int {
	end := line.End()
	for end > line.Start && d.Text.Byte(end-1) == '\r' {
		end--
	}
	return end
}
