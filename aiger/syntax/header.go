package syntax

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// The fields of the header, in order.
const (
	fieldM = iota
	fieldI
	fieldL
	fieldO
	fieldA
	fieldB
	fieldC
	fieldJ
	fieldF
	numFields
)

const fieldNames = "MILOABCJF"

// MaxVar is the largest variable: literals are 32-bit.
const MaxVar = 1<<31 - 1

// fieldOf gives the header field that counts a section, -1 for the justice
// literals, which have none.
var fieldOf = [numRowSections]int{
	SectionInputs: fieldI, SectionLatches: fieldL, SectionOutputs: fieldO, SectionBads: fieldB,
	SectionConstraints: fieldC, SectionJustice: fieldJ, SectionJusticeLits: -1,
	SectionFairness: fieldF, SectionAnds: fieldA,
}

// HeaderField is a number of the header.
type HeaderField struct {
	Name  string // M, I, L, O, A, B, C, J or F
	Value uint32
	Span  source.Span
}

// header is the first line of a file.
type header struct {
	line   int // from 0
	magic  source.Span
	binary bool // the first word is aig
	fields []HeaderField
	end    int // offset after the last number
	// fault is the first error that makes a value a guess; the counts are
	// then taken from the rows.
	fault *source.Diagnostic
	maxOK bool // M was read
}

// value returns a field, 0 when it is absent.
func (h *header) value(field int) int {
	if field < 0 || field >= len(h.fields) {
		return 0
	}
	return int(h.fields[field].Value)
}

// readHeader reads the header; ok is false when there is no usable one.
func readHeader(text source.Text, d *findings.List) (h header, ok bool) {
	start := 0
	if strings.HasPrefix(text.Line(0), "\ufeff") {
		start = len("\ufeff")
		span := source.SpanFromTo(0, start)
		diag := d.Add(codeByteOrderMark, span, "expected aag or aig as the first bytes, found a byte-order mark")
		diag.AddPreferredFix("Remove the byte-order mark", source.Edit{Span: span})
	}
	for h.line < text.NumLines()-1 && classify(text.Line(h.line)[start:]) == lineBlank {
		h.line++
		start = 0
	}
	line := text.Line(h.line)[start:]
	start += text.LineStart(h.line)
	words := tokens(line)
	if len(words) == 0 {
		d.Add(codeEmptyFile, source.Span{}, "expected a header such as %q, found an empty file", "aag 0 0 0 0 0")
		return h, false
	}
	h.magic = source.SpanFromTo(start+words[0].start, start+words[0].end)
	h.end = h.magic.End()
	if !h.readMagic(text, start, d) {
		return h, false
	}
	if at, ok := bareCR(text); ok && !h.binary {
		h.fault = d.Add(codeCRLines, source.Span{Start: at, Length: 1}, "the lines end in CR alone, so that the whole text is one line: expected LF")
		h.fault.AddPreferredFix("Write LF line ends", source.Edit{Span: source.Span{Length: text.Len()}, NewText: strings.ReplaceAll(text.Content(), "\r", "\n")})
		return h, false
	}
	h.readFields(words[1:], line, start, d)
	return h, true
}

// bareCR returns the place of the first CR of a text that is one line, and goes on
// after that CR.
func bareCR(text source.Text) (at int, ok bool) {
	if text.NumLines() > 2 || text.NumLines() == 2 && text.LineStart(1) < text.Len() {
		return 0, false
	}
	line := text.Line(0)
	at = strings.IndexByte(line, '\r')
	return at, at >= 0 && strings.Trim(line[at:], " \t\r") != ""
}

// readMagic reads the first word of a text; start is that of its line.
func (h *header) readMagic(text source.Text, start int, d *findings.List) (ok bool) {
	word := text.Slice(h.magic)
	switch {
	case word == "aag":
		return true
	case word == "aig":
		h.binary = true
		return true
	}
	if is := findings.WhatIsIt(text.Slice(source.SpanFromTo(start, min(text.Len(), start+findings.LookAhead)))); is.Name != "" && is.Name != "AIGER" {
		h.fault = d.Add(codeNotAiger, source.Span{Start: start + is.Start, Length: is.Length}, "%s", is.Not("AIGER"))
		return false
	}
	h.fault = d.Add(codeNotAiger, h.magic, "expected aag or aig in lower case, found %s", findings.Quote(word))
	if lower := strings.ToLower(word); lower == "aag" || lower == "aig" {
		h.fault.AddPreferredFix("Write "+lower, source.Edit{Span: h.magic, NewText: lower})
		return true
	}
	return false
}

func (h *header) readFields(words []token, line string, base int, d *findings.List) {
	for i, w := range words {
		span := source.SpanFromTo(base+w.start, base+w.end)
		if i == numFields {
			surplus := source.SpanFromTo(base+w.start, base+words[len(words)-1].end)
			diag := d.Add(codeHeaderFields, surplus, "expected at most nine numbers (M I L O A B C J F), found %d", len(words))
			diag.AddPreferredFix("Remove the surplus", source.Edit{Span: source.SpanFromTo(h.end, surplus.End())})
			h.fault = diag
			return
		}
		h.addField(w, span, line, d)
	}
	if n := len(words); n <= fieldA {
		diag := d.Add(codeHeaderFields, source.Span{Start: h.end}, "expected at least five numbers (M I L O A), found %d", n)
		if h.fault == nil {
			h.fault = diag
		}
	}
}

func (h *header) addField(w token, span source.Span, line string, d *findings.List) {
	i := len(h.fields)
	name := fieldNames[i : i+1]
	field := HeaderField{Name: name, Value: w.value, Span: span}
	h.end = span.End()
	switch {
	case !w.isNumber:
		field.Value = 0
		h.setFault(d.Add(codeHeaderNumber, span, "expected a number for %s, found %s", name, findings.Quote(line[w.start:w.end])))
	case w.value > MaxVar:
		field.Value = 0
		h.setFault(d.Add(codeNumberTooLarge, span, "expected at most %d for %s, found %s",
			MaxVar, name, findings.Quote(line[w.start:w.end])))
	case w.leadingZero:
		diag := d.Add(CodeLeadingZero, span, "expected a number without leading zero, found %s", findings.Quote(line[w.start:w.end]))
		diag.AddPreferredFix("Remove the leading zero", source.Edit{Span: span, NewText: fmt.Sprint(w.value)})
	}
	if i == fieldM {
		h.maxOK = w.isNumber && w.value <= MaxVar
	}
	h.fields = append(h.fields, field)
}

func (h *header) setFault(diag *source.Diagnostic) {
	if h.fault == nil {
		h.fault = diag
	}
}

// edits returns the edits that give the header the counts c and the maximum
// maxVar. Where a number could not be read, all are rewritten.
func (h *header) edits(c counts, maxVar int) []source.Edit {
	want := HeaderValues{maxVar, c}.fields()
	last := numFields - 1
	for want[last] == 0 && last > fieldA {
		last--
	}
	return h.editsTo(want, last, h.fault != nil)
}

// editsTo returns the edits that make the numbers of the header those of want,
// up to the field last if it is shorter; with all they are written even where
// they are the same.
func (h *header) editsTo(want [numFields]int, last int, all bool) []source.Edit {
	var edits []source.Edit
	for i, field := range h.fields {
		if all || want[i] != int(field.Value) {
			edits = append(edits, source.Edit{Span: field.Span, NewText: fmt.Sprint(want[i])})
		}
	}
	var more strings.Builder
	for i := len(h.fields); i <= last; i++ {
		fmt.Fprintf(&more, " %d", want[i])
	}
	if more.Len() > 0 {
		edits = append(edits, source.Edit{Span: source.Span{Start: h.end}, NewText: more.String()})
	}
	return edits
}

// HeaderValues are the numbers of a header: the maximum and, for each section
// that the header counts, the number of its rows.
type HeaderValues struct {
	Max    int
	Counts [numRowSections]int
}

// HeaderValues returns the numbers of the header, 0 for those that it leaves
// out.
func (f *File) HeaderValues() (v HeaderValues) {
	v.Max = f.header.value(fieldM)
	for k, field := range fieldOf {
		v.Counts[k] = f.header.value(field)
	}
	return v
}

// HeaderEdits returns the edits that give the header other numbers. It becomes
// longer only for a number that is not 0, and never shorter.
func (f *File) HeaderEdits(v HeaderValues) []source.Edit {
	if len(f.header.fields) == 0 {
		return nil
	}
	want := v.fields()
	last := numFields - 1
	for want[last] == 0 && last > 0 {
		last--
	}
	return f.header.editsTo(want, last, false)
}

// fields returns the numbers in the order of the header.
func (v HeaderValues) fields() (numbers [numFields]int) {
	numbers[fieldM] = v.Max
	for k, field := range fieldOf {
		if field >= 0 {
			numbers[field] = v.Counts[k]
		}
	}
	return numbers
}

// CountedSection returns the name of a field of the header, from 1 on, and the
// section that it counts.
func CountedSection(field int) (name string, section SectionKind, ok bool) {
	if field <= fieldM || field >= numFields {
		return "", 0, false
	}
	return fieldNames[field : field+1], SectionKind(slices.Index(fieldOf[:], field)), true
}
