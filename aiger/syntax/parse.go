package syntax

import (
	"slices"
	"strings"
	"sync"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// parser fills a File. It lives as long as Parse or Edit.
type parser struct {
	file *File
	findings.List
	// missing says that rows which define variables are missing, so that an
	// undefined literal is a consequence and not a finding.
	missing bool
	// misaligned says that the header has been found wrong.
	misaligned bool
	// undefined holds, by variable, what says that its definition is missing.
	undefined   map[uint32]*source.Diagnostic
	misnumbered misnumbered
}

// Parse reads an ASCII AIGER file. It accepts every text; what is wrong with
// it is in Diagnostics.
func Parse(text source.Text) *File { return parseWith(text, standardChecks) }

func parseWith(text source.Text, checks *checkSet) *File {
	p := newParser(text, checks)
	f := p.file
	if p.readHeader() {
		p.readBody(scanBody(text, &f.header, f.header.line+1), nil, lineEdit{})
	}
	return p.finish()
}

func newParser(text source.Text, checks *checkSet) *parser {
	f := &File{text: text, maxLit: maxLit, checks: checks}
	f.body.first, f.body.end = text.NumLines(), text.NumLines()
	f.symbols = newSymbolTable(text, text.NumLines(), 0)
	f.words = sync.OnceValue(func() *Words { return wordsOf(f) })
	return &parser{file: f, List: newFindings()}
}

// readHeader returns false when there is no body to read after the header.
func (p *parser) readHeader() (ok bool) {
	f := p.file
	if f.header, ok = readHeader(f.text, &p.List); !ok {
		return false
	}
	return !f.header.binary || p.isTextUnderAig()
}

func (p *parser) finish() *File {
	p.file.diags = p.Finish()
	return p.file
}

// readBody works out what the rows mean. What has been found out about them in
// old, the file before an edit or nil, is not found out again.
func (p *parser) readBody(raw body, old *File, e lineEdit) {
	f := p.file
	f.raw = raw
	if p.isBinaryUnderAag() {
		f.raw = body{}
		return
	}
	f.body = raw
	announced := newAnnouncement(&f.header)
	rows := func() *rowTable { return &raw.rows }
	if missing := announced.due(raw.rows.len(), rows); missing > 0 && f.header.fault == nil && len(raw.stray) > 0 {
		f.body = raw.promoted(missing, f.text.Line)
	}
	p.align()
	var d rowDiff
	if old == nil {
		f.defs = defined(f)
	} else {
		d = newRowDiff(old, f)
		d.redefine()
	}
	f.isUnique = f.defs.n == f.counts[SectionInputs]+f.counts[SectionLatches]+f.counts[SectionAnds]
	if p.misaligned {
		p.reportCounts()
	}
	p.checkMax()
	if old == nil {
		f.suspects = f.findSuspects()
	} else {
		f.suspects = d.suspects()
	}
	p.checkRows()
	p.checkStray()
	p.readSymbols(old, e)
	p.readAsides(old, e)
	p.lintHeader()
	p.checkSpace()
	p.checkEnd()
}

// align decides which rows form which section.
func (p *parser) align() {
	f := p.file
	announced := announcedCounts(&f.header, &f.rows)
	f.counts = alignment{&f.rows, announced}.choose()
	lo, hi := f.RowsOf(SectionJustice)
	f.justice = make([]uint32, 1, hi-lo+1)
	sum := 0
	for r := lo; r < hi; r++ {
		size := 0
		if row := f.rows.at(r); row.N > 0 {
			size = int(row.Num[0])
		}
		sum = min(sum+size, f.counts[SectionJusticeLits])
		f.justice = append(f.justice, uint32(sum))
	}
	if n := len(f.justice); n > 1 {
		f.justice[n-1] = uint32(f.counts[SectionJusticeLits])
	}
	if f.counts != announced || f.header.fault != nil {
		p.misaligned = true
		for _, k := range definingSections {
			p.missing = p.missing || f.counts[k] < announced[k]
		}
	}
}

// isTextUnderAig looks at the text after a header that says binary; it returns true when
// there are rows to read.
func (p *parser) isTextUnderAig() bool {
	f := p.file
	content := f.text.Content()
	if !IsTextBody(content[f.text.LineStart(f.header.line+1):]) || isBinaryUnder(content) {
		p.Add(codeBinaryFile, f.header.magic, "a binary file: it can be read but not edited as text")
		return false
	}
	diag := p.Add(codeBodyMismatch, f.header.magic, "the header says binary (aig), but the body is ASCII: expected aag")
	diag.AddPreferredFix("Write aag", source.Edit{Span: f.header.magic, NewText: "aag"})
	if f.header.fault == nil {
		f.header.fault = diag
	}
	return true
}

// isBinaryUnderAag reports a header that says ASCII above a binary body.
func (p *parser) isBinaryUnderAag() bool {
	f := p.file
	if f.header.binary || f.header.fault != nil || !f.raw.looksBinary(f.text) || !isBinaryUnder(f.text.Content()) {
		return false
	}
	span := f.text.LineSpan(f.header.line + 1)
	diag := p.Add(codeBodyMismatch, span, "the header says ASCII (aag), but the body is binary: expected aig in the header")
	diag.Relate(f.header.magic, "the identifier")
	diag.AddFix("Write aig in the header", source.Edit{Span: f.header.magic, NewText: "aig"})
	return true
}

// looksBinary reports whether one of the first lines that are neither rows of
// numbers nor symbols holds bytes that do not belong into a text.
func (b *body) looksBinary(text source.Text) bool {
	lines := []int{b.end}
	if len(b.stray) > 0 {
		lines = append(lines, int(b.stray[0]))
	}
	if r := b.rows.find(0, rowText); r < b.rows.len() {
		lines = append(lines, b.LineOf(r))
	}
	return slices.ContainsFunc(lines, func(line int) bool {
		content := text.Line(line)
		class := classify(content)
		return (class == lineText || class == lineRow) && strings.ContainsFunc(content, isBinaryRune)
	})
}

// isBinaryRune reports whether no ASCII text holds the rune.
func isBinaryRune(c rune) bool { return c < '\t' || '\r' < c && c < ' ' || c > '~' }

// IsTextBody reports whether the lines up to the first symbol hold numbers
// only.
func IsTextBody(s string) bool {
	for pos := 0; pos < len(s); {
		if isDigit(s[pos]) {
			var r Numbers
			if r, pos = lexRow(s, pos); r.flags&rowText == 0 {
				continue
			}
			return false
		}
		line, next := lineAt(s, pos)
		switch classify(line) {
		case lineSymbol, lineComment:
			return true
		case lineText:
			return false
		}
		pos = next
	}
	return true
}

// isBinaryUnder reports whether the file is a sound binary file, or would be
// if its header said so.
func isBinaryUnder(content string) bool {
	m, _ := readBinary(content, "aag")
	return m != nil
}

// rowOrEndSpan returns the line of a row, or the end of the rows.
func (p *parser) rowOrEndSpan(r int) source.Span {
	f := p.file
	if r < f.rows.len() {
		return f.text.LineSpan(f.LineOf(r))
	}
	if f.end <= f.lastLine() {
		return f.text.LineSpan(f.end)
	}
	return source.Span{Start: f.text.Len()}
}

// rowError records an error that leaves the meaning of row r open.
func (p *parser) rowError(r int, code source.Code, span source.Span, format string, args ...any) *source.Diagnostic {
	diag := p.Add(code, span, format, args...)
	p.markFaulty(r, code, diag)
	return diag
}

// markFaulty marks row r as unusable because of diag.
func (p *parser) markFaulty(r int, code source.Code, diag *source.Diagnostic) {
	p.file.faults = append(p.file.faults, Fault{uint32(r), p.StandIn(code, diag)})
}

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
	p := newParser(text, f.checks)
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
