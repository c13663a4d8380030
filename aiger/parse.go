package aiger

import (
	"aiglens/internal/source"
)

// parser fills a File. It lives as long as Parse.
type parser struct {
	file *File
	findings
	maxLit  uint32 // 2M+1, or the largest literal when M is in doubt
	defined int    // number of variables that have a definition
	// missing says that rows which define variables are missing, so that an
	// undefined literal is a consequence and not a finding.
	missing bool
	// misaligned says that the header has been found wrong.
	misaligned bool
}

// Parse reads an ASCII AIGER file. It accepts every text; what is wrong with
// it is in Diagnostics.
func Parse(text source.Text) *File {
	p := parser{file: &File{text: text}}
	f := p.file
	f.symbols.commentAt = -1
	f.body.first, f.body.end = text.NumLines(), text.NumLines()
	var ok bool
	if f.header, ok = readHeader(text, &p.findings); ok {
		p.readBody()
	}
	f.diags = p.finish()
	sortFaults(f.faults)
	return f
}

func (p *parser) readBody() {
	f := p.file
	first := f.header.line + 1
	pos := f.text.LineStart(first)
	if p.isOtherEncoding(pos) {
		return
	}
	announced := p.announcedRows()
	lines := max(f.text.NumLines()-first, 0)
	f.body = scanBody(f.text.Content(), pos, first, min(lines, announced(nil)), announced)
	if missing := announced(f.rows) - len(f.rows); missing > 0 && f.header.fault == nil && len(f.stray) > 0 {
		f.promote(missing, f.text.Line)
	}
	p.align()
	p.define()
	p.checkMax()
	p.checkRows()
	p.checkCycles()
	p.lint()
	p.checkStray()
	p.readSymbols()
	p.checkSpace()
	p.checkEnd()
}

// announcedRows returns a function that gives the number of rows that the
// header announces, judged by the rows read so far; it may be less while the
// justice sizes are still to come, but always more than those read.
func (p *parser) announcedRows() func(rows []row) int {
	h := &p.file.header
	known := announcedCounts(h, nil).total()
	final := -1
	return func(rows []row) int {
		switch {
		case h.fault != nil:
			return len(rows) + 1 // unknown: every row is still due
		case len(rows) < known:
			return known
		case final < 0:
			final = announcedCounts(h, rows).total()
		}
		return final
	}
}

// align decides which rows form which section.
func (p *parser) align() {
	f := p.file
	announced := announcedCounts(&f.header, f.rows)
	f.counts = newAlignment(f.rows, announced).choose()
	lo, hi := f.rowsOf(SectionJustice)
	f.justice = make([]uint32, 1, hi-lo+1)
	sum := 0
	for _, r := range f.rows[lo:hi] {
		size := 0
		if r.n > 0 {
			size = int(r.num[0])
		}
		sum = min(sum+size, f.counts[SectionJusticeLits])
		f.justice = append(f.justice, uint32(sum))
	}
	if n := len(f.justice); n > 1 {
		f.justice[n-1] = uint32(f.counts[SectionJusticeLits])
	}
	if f.counts != announced || f.header.fault != nil {
		p.misaligned = true
		for _, k := range []SectionKind{SectionInputs, SectionLatches, SectionAnds} {
			p.missing = p.missing || f.counts[k] < announced[k]
		}
		p.reportCounts(announced, f.counts)
	}
}

// isOtherEncoding reports on a binary file, or on one whose header and body
// disagree; it returns true when there are no rows to read.
func (p *parser) isOtherEncoding(pos int) bool {
	f := p.file
	content := f.text.Content()
	switch {
	case f.header.binary && isTextBody(content[pos:]) && !isBinaryUnder(content):
		diag := p.add(CodeBodyMismatch, f.header.magic, "the header says binary (aig), but the body is ASCII: expected aag")
		safeFix(diag, "Write aag", source.Edit{Span: f.header.magic, NewText: "aag"})
		if f.header.fault == nil {
			f.header.fault = diag
		}
		return false
	case f.header.binary:
		p.add(CodeBinaryFile, f.header.magic, "a binary file: it can be read but not edited as text")
		return true
	case f.header.fault == nil && !isTextBody(content[pos:]) && isBinaryUnder(content):
		span := f.text.LineSpan(f.header.line + 1)
		diag := p.add(CodeBodyMismatch, span, "the header says ASCII (aag), but the body is binary: expected aig in the header")
		relate(diag, f.header.magic, "the identifier")
		fix(diag, "Write aig in the header", source.Edit{Span: f.header.magic, NewText: "aig"})
		return true
	}
	return false
}

// isTextBody reports whether the lines up to the first symbol hold numbers
// only.
func isTextBody(s string) bool {
	for pos := 0; pos < len(s); {
		if isDigit(s[pos]) {
			var r row
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
	if r < len(f.rows) {
		return f.text.LineSpan(f.lineOf(r))
	}
	if f.end <= f.lastLine() {
		return f.text.LineSpan(f.end)
	}
	return source.Span{Start: f.text.Len()}
}

// rowError records an error that leaves the meaning of row r open.
func (p *parser) rowError(r int, code source.Code, span source.Span, format string, args ...any) *source.Diagnostic {
	diag := p.add(code, span, format, args...)
	p.taint(r, code, diag)
	return diag
}

// taint marks row r as unusable because of diag.
func (p *parser) taint(r int, code source.Code, diag *source.Diagnostic) {
	if p.counts[code] > maxPerCode {
		diag = p.last[code]
	}
	p.file.faults = append(p.file.faults, fault{uint32(r), diag})
}
