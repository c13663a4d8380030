package syntax

import (
	"fmt"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// ReadBinary reads a binary AIGER file. The contents are nil when there is an
// error. Spans are offsets into content.
func ReadBinary(content string) (*Contents, []source.Diagnostic) {
	return readBinary(content, "aig")
}

// readBinary is ReadBinary for a file whose first word is magic.
func readBinary(content, magic string) (*Contents, []source.Diagnostic) {
	b := binaryReader{content: content, contents: &Contents{}, List: newFindings()}
	if b.header(magic) {
		if b.latches() && b.properties() && b.gates() {
			b.tail()
		}
	}
	list := b.Finish()
	for _, diag := range list {
		if diag.Severity == source.Error {
			return nil, findings.Values(list)
		}
	}
	return b.contents, findings.Values(list)
}

// binaryReader reads a binary file front to back and stops at the first error
// that makes the rest unreadable.
type binaryReader struct {
	content  string
	pos      int
	contents *Contents
	head     header
	findings.List
}

// header reads the first line strictly.
func (b *binaryReader) header(magic string) (ok bool) {
	line, next := lineAt(b.content, 0)
	first := source.NewText(line)
	switch {
	case b.content == "":
		b.Add(codeEmptyFile, source.Span{}, "expected a header, found an empty file")
		return false
	case magic == "aig":
		b.head, ok = readHeader(first, &b.List)
		if ok && !b.head.binary {
			b.Add(codeNotAiger, b.head.magic, "expected aig, found aag: this is an ASCII file")
			return false
		}
	default:
		// A file that calls itself ASCII is read as if it said aig.
		b.head, ok = readHeader(first, &b.List)
	}
	if !ok || b.head.fault != nil || next == len(line) {
		if ok && b.head.fault == nil {
			b.Add(codeTruncated, source.Span{Start: len(line)}, "expected a newline after the header, found the end of the file")
		}
		return false
	}
	for _, g := range gaps(line, 0) {
		b.Add(g.code, g.shown(len(b.content)), "%s", spaceMessages[g.code])
		return false
	}
	b.pos = next
	return b.checkCounts()
}

// checkCounts compares the counts with each other and with the size of the
// file, so that nothing is allocated for what cannot be there.
func (b *binaryReader) checkCounts() bool {
	h := &b.head
	m, inputs := h.value(fieldM), h.value(fieldI)
	if sum := inputs + h.value(fieldL) + h.value(fieldA); m != sum {
		span := h.fields[fieldM].Span
		diag := b.Add(codeMaxNotSum, span, "expected M = I+L+A = %d in a binary file, found %d", sum, m)
		diag.AddFix(fmt.Sprintf("Set M to %d", sum), source.Edit{Span: span, NewText: fmt.Sprint(sum)})
		return false
	}
	if inputs > 1<<20+64*len(b.content) {
		b.Add(codeTooManyInputs, h.fields[fieldI].Span, "%s announced in a file of %s", SectionInputs.Count(inputs), findings.Count(len(b.content), "byte", "bytes"))
		return false
	}
	b.contents.MaxVar = uint32(m)
	b.contents.Inputs = make([]uint32, inputs)
	for i := range b.contents.Inputs {
		b.contents.Inputs[i] = uint32(2 * (i + 1))
	}
	return true
}

// row reads a line of least to most numbers, none above limit.
func (b *binaryReader) row(what string, least, most uint8, limit uint64) (Numbers, bool) {
	start := b.pos
	if start == len(b.content) {
		b.Add(codeTruncated, source.Span{Start: start}, "expected %s, found the end of the file", what)
		return Numbers{}, false
	}
	r, next := lexRow(b.content, start)
	line, _ := lineAt(b.content, start)
	span := source.SpanFromTo(start, start+len(line))
	if r.flags&^rowZero != 0 || r.N < least || r.N > most || b.content[next-1] != '\n' {
		b.Add(codeBinaryLine, span, "expected %s on a line of its own, found %s", what, findings.Quote(line))
		return r, false
	}
	for i := range r.N {
		if uint64(r.Num[i]) > limit {
			b.Add(CodeLiteralOutOfRange, span, "%s %d exceeds 2M+1 = %d", what, r.Num[i], limit)
			return r, false
		}
	}
	b.pos = next
	return r, true
}

func (b *binaryReader) maxLit() uint64 { return 2*uint64(b.contents.MaxVar) + 1 }

func (b *binaryReader) latches() bool {
	for i := range b.head.value(fieldL) {
		r, ok := b.row("next-state literal", 1, 2, b.maxLit())
		if !ok {
			return false
		}
		lit := uint32(2 * (len(b.contents.Inputs) + i + 1))
		b.contents.Latches = append(b.contents.Latches, Latch{lit, r.Num[0], r.Num[1]})
	}
	return true
}

// lits reads n literals, one a line.
func (b *binaryReader) lits(k SectionKind, n int) (ls []uint32, ok bool) {
	for range n {
		r, ok := b.row(expectations[k][0], 1, 1, b.maxLit())
		if !ok {
			return nil, false
		}
		ls = append(ls, r.Num[0])
	}
	return ls, true
}

func (b *binaryReader) properties() (ok bool) {
	h, m := &b.head, b.contents
	if m.Outputs, ok = b.lits(SectionOutputs, h.value(fieldO)); !ok {
		return false
	}
	if m.Bads, ok = b.lits(SectionBads, h.value(fieldB)); !ok {
		return false
	}
	if m.Constraints, ok = b.lits(SectionConstraints, h.value(fieldC)); !ok {
		return false
	}
	var sizes []uint32
	for range h.value(fieldJ) {
		r, ok := b.row("justice size", 1, 1, uint64(len(b.content)))
		if !ok {
			return false
		}
		sizes = append(sizes, r.Num[0])
	}
	for _, n := range sizes {
		ls, ok := b.lits(SectionJusticeLits, int(n))
		if !ok {
			return false
		}
		m.Justice = append(m.Justice, ls)
	}
	m.Fairness, ok = b.lits(SectionFairness, h.value(fieldF))
	return ok
}

// gates decodes the differences. 2·(I+L+i+1) is the left-hand side of gate i.
func (b *binaryReader) gates() bool {
	n := b.head.value(fieldA)
	b.contents.Ands = make([]And, 0, min(n, (len(b.content)-b.pos)/2))
	lhs := uint32(2 * (len(b.contents.Inputs) + len(b.contents.Latches)))
	for i := range n {
		lhs += 2
		start := b.pos
		delta0, ok := b.delta(i)
		switch {
		case !ok:
			return false
		case delta0 == 0 || delta0 > lhs:
			b.Add(codeDelta, source.SpanFromTo(start, b.pos), "expected a first difference of 1 to %d for AND %d, found %d", lhs, lhs, delta0)
			return false
		}
		start = b.pos
		delta1, ok := b.delta(i)
		switch {
		case !ok:
			return false
		case delta1 > lhs-delta0:
			b.Add(codeDelta, source.SpanFromTo(start, b.pos), "expected a second difference of at most %d for AND %d, found %d", lhs-delta0, lhs, delta1)
			return false
		}
		b.contents.Ands = append(b.contents.Ands, And{lhs, lhs - delta0, lhs - delta0 - delta1})
	}
	return true
}

// delta decodes a number in groups of seven bits, lowest first.
func (b *binaryReader) delta(gate int) (uint32, bool) {
	start := b.pos
	var v uint64
	for shift := 0; ; shift += 7 {
		if b.pos == len(b.content) {
			b.Add(codeTruncated, source.SpanFromTo(start, b.pos), "the file ends inside AND %d of %d", gate+1, b.head.value(fieldA))
			return 0, false
		}
		c := b.content[b.pos]
		b.pos++
		if shift < 35 {
			v |= uint64(c&0x7f) << shift
		}
		if c < 0x80 && shift < 35 && v <= maxLit {
			return uint32(v), true
		}
		if c < 0x80 || shift >= 35 {
			b.Add(codeDelta, source.SpanFromTo(start, b.pos), "the difference of AND %d does not fit 32 bits", gate+1)
			return 0, false
		}
	}
}

// tail reads symbols and comment.
func (b *binaryReader) tail() {
	m := b.contents
	sizes := counts{
		SectionInputs: len(m.Inputs), SectionLatches: len(m.Latches), SectionOutputs: len(m.Outputs),
		SectionBads: len(m.Bads), SectionConstraints: len(m.Constraints), SectionJustice: len(m.Justice),
		SectionFairness: len(m.Fairness),
	}
	t := newSymbolTable(source.NewText(b.content[b.pos:]), 0, b.pos)
	t.read(nil, lineEdit{})
	t.resolve(sizes)
	t.report(&b.List, sizes)
	t.wrongSpace(func(g gap) bool {
		b.Add(g.code, g.shown(len(b.content)), "%s", spaceMessages[g.code])
		return true
	})
	m.Symbols = t.entries()
	if t.commentLine >= 0 {
		start := b.pos + t.text.LineStart(t.commentLine+1)
		m.Comment, m.HasComment = b.content[start:], true
		b.reportAsides(start)
	}
	if b.pos < len(b.content) && !strings.HasSuffix(b.content, "\n") {
		b.Add(CodeFinalNewline, source.Span{Start: len(b.content)}, "expected a newline at the end of the last line, found the end of the file")
	}
}
