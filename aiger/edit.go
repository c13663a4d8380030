package aiger

import (
	"aiglens/internal/source"
)

// Edit returns the file after one edit, whose span is clamped to the text. The
// result is that of parsing the new text; only the lines that the edit touches
// are lexed, and only what depends on them is checked again. f stays as it is
// and shares with the result whatever both have.
func (f *File) Edit(e source.Edit) *File {
	start := min(max(e.Span.Start, 0), f.text.Len())
	end := min(max(e.Span.End(), start), f.text.Len())
	span := source.SpanFromTo(start, end)
	return f.edited(f.text.Replace(span, e.NewText), span, len(e.NewText))
}

// Reparse is Edit for a text that differs in any way: what it has in common
// with the old one at its start and at its end is not read again.
func (f *File) Reparse(text source.Text) *File {
	prefix, suffix := source.Common(f.text, text)
	return f.edited(text, source.SpanFromTo(prefix, f.text.Len()-suffix), text.Len()-suffix-prefix)
}

// edited returns the file of a new text, which has length bytes in place of a
// span of the old one.
func (f *File) edited(text source.Text, span source.Span, length int) *File {
	p := newParser(f.options, text, f.checks)
	n := p.file
	lo := f.text.LineAt(span.Start)
	e := lineEdit{lo: lo, oldHi: f.text.LineAt(span.End()) + 1, newHi: text.LineAt(span.Start+length) + 1}
	if !p.readHeader() {
		return p.finish()
	}
	body := n.header.line + 1
	if f.raw.first != body {
		// Another line is the header, or there was none.
		p.readBody(scanBody(text, &n.header, body), nil, lineEdit{})
		return p.finish()
	}
	p.readBody(f.raw.rescanned(text, &n.header, e, &f.symbols), f, e)
	return p.finish()
}
