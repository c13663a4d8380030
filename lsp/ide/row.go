package ide

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/internal/source"
)

// Look says how a part of a note is to be drawn.
type Look uint8

// The looks. The first two are of words, the others of the value at a step.
const (
	LookText         Look = iota
	LookNumber            // a number of the text, which no name can be taken for
	LookBlank             // there is no value, but room for one
	LookUnchanged         // the value is that of the step before
	LookChanged           // it is another
	LookUndetermined      // it is x
	LookNext              // the value in the next step is another; there is none after the last
)

// Part is a piece of a note.
type Part struct {
	Text string
	Look Look
}

// Note is what is said of a row at its end.
type Note struct {
	Offset int // after the last byte of the row
	// Column is where it begins, in characters from 0; 0 for one that stands right after
	// its row. It is the same for all rows that leave room for it.
	Column int
	// Value is what there is at the step that is shown: as wide in each row of a section,
	// nothing while no step is shown.
	Value []Part
	Words []Part
}

// NoteOptions say what notes hold.
type NoteOptions struct {
	HintOptions
	Depth int // levels of gates in an expression
	// Shown is the counterexample whose values are shown, or nil; Step the step of it.
	Shown *runs.Counterexample
	Step  int
}

// HasNotes reports whether rows of a text say so little of themselves that they have
// notes: where literals are numbers.
func HasNotes(d *design.Design) bool { return d.HasNumbers() }

// maxNoteExpression bounds an expression of a note, in characters, as long as it can
// be less deep.
const maxNoteExpression = 80

// Notes returns the notes of the lines that span touches, in text order. The error is
// that of ctx.
func Notes(ctx context.Context, d *design.Design, span source.Span, opts NoteOptions) ([]Note, error) {
	var all []Note
	var inWords runs.WordsInText
	if opts.Shown != nil {
		var err error
		if inWords, err = opts.Shown.WordsInText(ctx, d); err != nil {
			return nil, err
		}
	}
	column := noteColumn(d)
	last := d.Text.LineAt(max(span.Start, span.End()))
	for line := d.Text.LineAt(span.Start); line <= last && len(all) < maxHints; line++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lineSpan := d.Text.LineSpan(line)
		n := Note{Offset: lineEnd(d, lineSpan)}
		if row, ok := d.RowAt(lineSpan.Start); ok && row.Span.Start == lineSpan.Start {
			b := noteWriter{d: d, opts: opts, row: row, inWords: inWords, radixOf: func(w *design.Word) design.Radix { return words.Chosen(ctx, d, w) }}
			b.write()
			n.Value, n.Words = b.value, b.words
			if fits(d.Text.Slice(source.SpanFromTo(lineSpan.Start, n.Offset)), column) {
				n.Column = column
			}
		} else if symbol, ok := d.SymbolAt(lineSpan.Start); ok && symbol.HasLit && opts.Names {
			n.Words = []Part{{fmt.Sprint(symbol.Lit), LookNumber}}
		}
		if len(n.Value) > 0 || len(n.Words) > 0 {
			all = append(all, n)
		}
	}
	return all, nil
}

// noteGap is the room between a row and its note.
const noteGap = 3

// noteColumn returns the column of notes: after a row of three literals that have as
// many digits as any can have in the text, whichever rows are looked at.
func noteColumn(d *design.Design) int {
	largest := 0
	for _, f := range d.Header() {
		if f.IsLimit {
			largest = max(largest, f.Announced, d.Found(f))
		}
	}
	return 3*len(strconv.Itoa(2*largest+1)) + 2 + noteGap
}

// fits reports whether a row ends before the notes begin. How wide a tab is, only the
// editor knows.
func fits(row string, column int) bool {
	return !strings.Contains(row, "\t") && utf8.RuneCountInString(row)+noteGap <= column
}

// noteWriter writes the note of one row.
type noteWriter struct {
	d            *design.Design
	opts         NoteOptions
	row          design.RowRef
	lits         []design.Lit // of the row
	isProperty   bool         // and defines nothing
	inWords      runs.WordsInText
	radixOf      func(*design.Word) design.Radix // that the reader has chosen
	value, words []Part
}

func (b *noteWriter) write() {
	b.isProperty = true
	for o := range b.d.OccurrencesIn(b.row.Span) {
		if len(b.lits) == 0 {
			b.isProperty = o.Role != design.RoleDefinition
		}
		b.lits = append(b.lits, o.Lit)
	}
	switch {
	case len(b.lits) == 0: // the size of a justice property, or nothing that can be read
		if b.opts.Names && b.row.Name != "" {
			b.item(b.row.Name)
		}
		if b.opts.Sections && b.row.Kind == design.Undefined {
			b.item(b.row.Label)
		}
	case b.isProperty:
		b.property()
	case b.row.Kind == design.Latch:
		b.latch()
	case b.row.Kind == design.Gate:
		b.gate()
	default:
		b.input()
	}
	if b.opts.Shown != nil {
		b.step()
	}
}

// item adds words of their own after those that are there.
func (b *noteWriter) item(text string) {
	if len(b.words) > 0 {
		text = " · " + text
	}
	b.put(text, LookText)
}

// put adds a part; parts that look alike become one.
func (b *noteWriter) put(text string, look Look) {
	if last := len(b.words) - 1; last >= 0 && b.words[last].Look == look {
		b.words[last].Text += text
		return
	}
	b.words = append(b.words, Part{text, look})
}

func (b *noteWriter) expression(e formula.Expr) {
	e.Write(func(text string, isNumber bool) {
		look := LookText
		if isNumber {
			look = LookNumber
		}
		b.put(text, look)
	}, " ")
}

// unfolded reads a literal back as deep as the user wants it; a named signal other than
// the row's own goes by its name.
func (b *noteWriter) unfolded(l design.Lit) formula.Expr {
	return formula.Deepest(b.opts.Depth, maxNoteExpression, func(depth int) formula.Expr { return formula.FromLit(b.d, l, depth, false) })
}

func (b *noteWriter) input() {
	name := b.d.Name(b.lits[0].Signal())
	if b.opts.Names && name != "" {
		b.item(name)
	}
	switch {
	case b.opts.Sections:
		b.item(b.row.Label)
	case b.opts.Names && name == "":
		b.expression(formula.FromLit(b.d, b.lits[0], 0, false))
	}
}

func (b *noteWriter) latch() {
	self := b.lits[0]
	name := b.d.Name(self.Signal())
	switch {
	case b.opts.Names && name != "":
		b.item(name)
	case b.opts.Sections:
		b.item(b.row.Label)
	case b.opts.Names:
		b.expression(formula.FromLit(b.d, self, 0, false))
	}
	if !b.opts.Names || len(b.lits) < 2 {
		return
	}
	b.item("next ")
	b.expression(b.unfolded(b.lits[1]))
	if len(b.lits) < 3 || b.lits[2] == 0 {
		return
	}
	b.item("reset ")
	if b.lits[2] == self {
		b.put("free", LookText)
	} else {
		b.expression(b.unfolded(b.lits[2]))
	}
}

func (b *noteWriter) gate() {
	if !b.opts.Names || len(b.lits) != 3 {
		return
	}
	if name := b.d.Name(b.lits[0].Signal()); name != "" {
		b.put(name+" ", LookText)
	}
	b.put("= ", LookText)
	b.expression(formula.Deepest(b.opts.Depth, maxNoteExpression, func(depth int) formula.Expr {
		return formula.FromGate(b.d, b.lits[1:], depth, false)
	}))
}

// property writes the row of a literal that is an output, a property or a constraint.
func (b *noteWriter) property() {
	if b.opts.Names {
		name := b.row.Name
		if name != "" {
			b.item(name)
		}
		// Of a gate its own row says how it is computed.
		meant := formula.FromLit(b.d, b.lits[0], 0, false)
		switch {
		case name == "" && !meant.IsConstant():
			if e := b.unfolded(b.lits[0]); !e.IsNumber() {
				b.expression(e)
			}
		case meant.IsNamed() && meant.String() != name:
			b.put(" = ", LookText)
			b.expression(meant)
		}
	}
	if b.opts.Sections {
		b.item(b.row.Label)
	}
}

// step writes what the row's literal is at the step that is shown, and in the row of
// the property which step that is.
func (b *noteWriter) step() {
	x, step := b.opts.Shown, b.opts.Step
	if len(b.lits) > 0 && !b.isProperty {
		if p, ok := b.inWords.At(b.lits[0]); ok {
			b.word(p)
			return
		}
	}
	now, inside := b.valueAt(0, step)
	text, look := "  "+now.String(), LookUnchanged
	if before, _ := b.valueAt(0, max(step-1, 0)); before != now {
		text, look = before.String()+"→"+now.String(), LookChanged
	}
	switch {
	case !inside:
		b.value = []Part{{"     ", LookBlank}}
	case now == circuit.X:
		b.value = []Part{{"│" + text + "│", LookUndetermined}}
	default:
		b.value = []Part{{"│" + text + "│", look}}
	}
	if b.row.Kind == design.Latch {
		next := Part{"  ", LookBlank}
		if later, ok := b.valueAt(1, step); ok && inside && later != now && step < x.Limit()-1 {
			next = Part{"›" + later.String(), LookNext}
		}
		b.value = append(b.value, next)
	}
	if p, ok := b.d.Property(x.Property); ok && p.Row.Start == b.row.Span.Start {
		b.item(x.StepWords(step))
	}
}

// word writes the value of the word that the row has a bit of, where that is its highest.
func (b *noteWriter) word(p words.Place) {
	b.value = []Part{{"     ", LookBlank}}
	if b.row.Kind == design.Latch {
		b.value = append(b.value, Part{"  ", LookBlank})
	}
	if !b.inWords.IsHighest(p) {
		return
	}
	x, step := b.opts.Shown, b.opts.Step
	radix := b.radixOf(p.Word)
	text, look := wordChange(x, p.Word, radix, step)
	if text == "" {
		return
	}
	if len(b.words) > 0 {
		b.words[0].Text = " · " + b.words[0].Text
	}
	parts := []Part{{text, look}}
	if b.row.Kind == design.Latch && step < x.Limit()-1 {
		now, _ := x.WordValue(p.Word, step)
		if later, _ := x.WordValue(p.Word, step+1); !slices.Equal(later, now) {
			parts = append(parts, Part{" ›" + words.TextIn(radix, p.Word, later), LookNext})
		}
	}
	b.words = slices.Insert(b.words, 0, parts...)
}

// valueAt returns the value of one of the row's literals at a step; ok is false when it
// lies outside of what the counterexample is about.
func (b *noteWriter) valueAt(i, step int) (v circuit.Value, ok bool) {
	if i >= len(b.lits) {
		return circuit.X, false
	}
	copied, _, ok := b.opts.Shown.Copy(b.d, b.lits[i])
	if !ok {
		return circuit.X, false
	}
	return b.opts.Shown.Value(copied.Lit, step)
}

// Text is a note as words alone.
func (n Note) Text() string {
	var b strings.Builder
	for _, p := range n.Value {
		b.WriteString(p.Text)
	}
	if len(n.Value) > 0 && len(n.Words) > 0 {
		b.WriteByte(' ')
	}
	for _, p := range n.Words {
		b.WriteString(p.Text)
	}
	return strings.TrimRight(b.String(), " ")
}
