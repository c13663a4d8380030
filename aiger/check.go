package aiger

import (
	"fmt"

	"aiglens/internal/source"
)

// checkMax compares M with what the rows use. A header that has been found
// wrong already is not reported again: its fix takes M along.
func (p *parser) checkMax() {
	f := p.file
	p.maxLit = maxLit
	if !f.header.maxOK || p.misaligned {
		return
	}
	m := f.header.value(fieldM)
	need := p.defined
	if m >= need {
		p.maxLit = uint32(2*m + 1)
		return
	}
	span := f.header.fields[fieldM].Span
	diag := p.add(CodeMaxTooSmall, span, "expected M to be at least %d, the number of inputs, latches and ANDs, found %d", need, m)
	if r, i, ok := p.firstAbove(uint32(2*m + 1)); ok {
		relate(diag, f.numberSpan(r, i), "literal %d exceeds 2M+1 = %d", f.rows[r].num[i], 2*m+1)
	}
	largest := max(need, p.largestDefined())
	safeFix(diag, fmt.Sprintf("Set M to %d", largest), source.Edit{Span: span, NewText: fmt.Sprint(largest)})
}

// firstAbove returns the first literal above a limit.
func (p *parser) firstAbove(limit uint32) (r, i int, ok bool) {
	f := p.file
	for k := range SectionKind(numRowSections) {
		if k == SectionJustice {
			continue
		}
		_, most := rowSize(k)
		lo, hi := f.rowsOf(k)
		for r := lo; r < hi; r++ {
			for i := range int(min(f.rows[r].n, most)) {
				if f.rows[r].num[i] > limit {
					return r, i, true
				}
			}
		}
	}
	return 0, 0, false
}

// checkRows checks every row by itself and against the definitions.
func (p *parser) checkRows() {
	f := p.file
	lo := 0
	for k, n := range f.counts {
		for r := lo; r < lo+n; r++ {
			if !p.isClean(SectionKind(k), r) {
				p.checkRow(SectionKind(k), r)
			}
		}
		lo += n
	}
}

// isClean decides for the rows of ordinary files, quickly, that checkRow has
// nothing to say about them.
func (p *parser) isClean(k SectionKind, i int) bool {
	r := &p.file.rows[i]
	dense := p.file.defs.dense
	defined := func(lit uint32) bool {
		v := lit >> 1
		return v == 0 || int(v) < len(dense) && dense[v] != 0 && lit <= p.maxLit
	}
	if r.flags&^(rowSpace|rowCR) != 0 {
		return false
	}
	switch k {
	case SectionAnds:
		v := r.num[0] >> 1
		return r.n == 3 && r.num[0]&1 == 0 && r.num[0] <= p.maxLit && int(v) < len(dense) && dense[v] == uint32(i+1) &&
			defined(r.num[1]) && defined(r.num[2])
	case SectionInputs, SectionLatches:
		return false
	}
	return r.n == 1 && k != SectionJustice && defined(r.num[0])
}

func (p *parser) checkRow(k SectionKind, r int) {
	f := p.file
	row := &f.rows[r]
	if row.flags&rowZero != 0 {
		p.checkLeadingZeros(r)
	}
	if !p.checkShape(k, r) {
		return
	}
	switch k {
	case SectionInputs:
		p.checkDefinition(k, r)
	case SectionLatches:
		p.checkDefinition(k, r)
		p.checkUse(k, r, 1, "next-state literal")
		if row.n == 3 {
			p.checkReset(r)
		}
	case SectionAnds:
		p.checkDefinition(k, r)
		p.checkUse(k, r, 1, "operand")
		p.checkUse(k, r, 2, "operand")
	case SectionJustice:
		if row.num[0] == 0 {
			p.add(CodeJusticeEmpty, f.numberSpan(r, 0), "a justice property without literals: every fair path satisfies it")
		}
	default:
		p.checkUse(k, r, 0, k.One())
	}
}

// expectations names the numbers of a row.
var expectations = [numRowSections][]string{
	SectionInputs:      {"input literal"},
	SectionLatches:     {"latch literal", "next-state literal", "reset value"},
	SectionOutputs:     {"output literal"},
	SectionBads:        {"bad literal"},
	SectionConstraints: {"constraint literal"},
	SectionJustice:     {"justice size"},
	SectionJusticeLits: {"justice literal"},
	SectionFairness:    {"fairness literal"},
	SectionAnds:        {"left-hand side of an AND", "operand", "operand"},
}

// checkShape reports the first thing by which a row differs from the numbers
// that its section asks for; ok is false when there is one.
func (p *parser) checkShape(k SectionKind, r int) (ok bool) {
	f := p.file
	least, most := rowSize(k)
	if row := &f.rows[r]; row.isSound() && least <= row.n && row.n <= most {
		return true
	}
	line := f.lineOf(r)
	start, content := f.text.LineStart(line), f.text.Line(line)
	words := tokens(content)
	want := expectations[k]
	for i, w := range words {
		span := source.SpanFromTo(start+w.start, start+w.end)
		switch {
		case i == int(most):
			p.reportSurplus(k, r, source.SpanFromTo(start+words[i-1].end, start+words[len(words)-1].end))
			return false
		case !w.isNumber:
			p.rowError(r, CodeNotANumber, span, "expected %s, found %s", want[i], quote(content[w.start:w.end]))
			return false
		case w.isHuge:
			p.rowError(r, CodeNumberTooLarge, span, "expected %s of at most 32 bits, found %s", want[i], quote(content[w.start:w.end]))
			return false
		}
	}
	p.reportMissing(k, r, len(words), source.Span{Start: f.contentEnd(line)})
	return false
}

func (p *parser) reportSurplus(k SectionKind, r int, span source.Span) {
	_, most := rowSize(k)
	found := quote(p.file.text.Slice(span)[1:])
	numbers := "1 number"
	if most > 1 {
		numbers = fmt.Sprintf("%d numbers", most)
	}
	diag := p.rowError(r, CodeSurplus, span, "expected the row of %s to end after %s, found %s", article(k), numbers, found)
	safeFix(diag, "Delete the surplus", source.Edit{Span: span})
}

func (p *parser) reportMissing(k SectionKind, r, have int, end source.Span) {
	want := expectations[k]
	switch {
	case have == 0:
		p.rowError(r, CodeNotANumber, end, "expected %s, found an empty line", want[0])
	case k == SectionLatches:
		diag := p.rowError(r, CodeLatchNextMissing, end, "expected a next-state literal behind latch %d, found the end of the line", p.file.rows[r].num[0])
		fix(diag, "Let the latch keep its value", source.Edit{Span: end, NewText: fmt.Sprintf(" %d", p.file.rows[r].num[0])})
		fix(diag, "Set the next state to 0", source.Edit{Span: end, NewText: " 0"})
	default:
		p.rowError(r, CodeAndOperandMissing, end, "expected two operands, found %d", have-1)
	}
}

// checkDefinition checks the first literal of an input, latch or AND row.
func (p *parser) checkDefinition(k SectionKind, r int) {
	f := p.file
	lit := f.rows[r].num[0]
	first, _ := f.defs.row(lit >> 1)
	switch {
	case lit <= 1:
		p.rowError(r, CodeDefinitionConstant, f.numberSpan(r, 0), "expected %s literal of at least 2, found the constant %d", article(k), lit)
	case lit&1 == 1:
		span := f.numberSpan(r, 0)
		diag := p.rowError(r, CodeDefinitionOdd, span, "expected an even literal for %s, found %d", article(k), lit)
		fix(diag, fmt.Sprintf("Replace by %d", lit-1), source.Edit{Span: span, NewText: fmt.Sprint(lit - 1)})
	case first != r:
		p.reportTwice(r, first)
	case lit > p.maxLit:
		p.reportRange(r, 0, k.One()+" literal")
	}
}

func (p *parser) reportTwice(r, first int) {
	f := p.file
	kind, index, _ := f.place(first)
	diag := p.rowError(r, CodeDefinitionTwice, f.numberSpan(r, 0), "literal %d is already defined as %s %d", f.rows[r].num[0], kind.One(), index)
	relate(diag, f.numberSpan(first, 0), "first definition")
	p.taint(first, CodeDefinitionTwice, diag)
}

func (p *parser) reportRange(r, i int, what string) {
	f := p.file
	lit := f.rows[r].num[i]
	diag := p.rowError(r, CodeLiteralOutOfRange, f.numberSpan(r, i), "%s %d exceeds 2M+1 = %d", what, lit, p.maxLit)
	fix(diag, fmt.Sprintf("Set M to %d", lit>>1), source.Edit{Span: f.header.fields[fieldM].Span, NewText: fmt.Sprint(lit >> 1)})
}

// checkUse checks that the i-th literal of a row is defined.
func (p *parser) checkUse(k SectionKind, r, i int, what string) {
	f := p.file
	lit := f.rows[r].num[i]
	if lit <= 1 {
		return
	}
	if _, ok := f.defs.row(lit >> 1); ok {
		return // one that exceeds M is reported where it is defined
	}
	if lit > p.maxLit {
		p.reportRange(r, i, what)
		return
	}
	if p.missing {
		return
	}
	span := f.numberSpan(r, i)
	diag := p.rowError(r, CodeUndefinedLiteral, span, "%s %d is not defined by an input, latch or AND", what, lit)
	if p.counts[CodeUndefinedLiteral] > maxPerCode {
		return
	}
	fix(diag, "Replace by 0", source.Edit{Span: span, NewText: "0"})
	if !p.misaligned {
		p.fixByInput(diag, lit)
	}
}

// fixByInput offers to declare an undefined literal as an input.
func (p *parser) fixByInput(diag *source.Diagnostic, lit uint32) {
	f := p.file
	need := f.counts[SectionInputs] + f.counts[SectionLatches] + f.counts[SectionAnds] + 1
	c := f.counts
	c[SectionInputs]++
	edits := f.header.edits(c, max(f.header.value(fieldM), need))
	at := f.text.LineStart(f.header.line + 1)
	if n := f.counts[SectionInputs]; n > 0 {
		at = f.text.LineStart(f.lineOf(n-1) + 1)
	}
	fix(diag, fmt.Sprintf("Declare %d as an input", lit&^1), append(edits,
		source.Edit{Span: source.Span{Start: at}, NewText: fmt.Sprintf("%d\n", lit&^1)})...)
}

// checkReset checks the third number of a latch row.
func (p *parser) checkReset(r int) {
	f := p.file
	row := &f.rows[r]
	latch, reset := row.num[0], row.num[2]
	if reset <= 1 || reset == latch {
		return
	}
	span := f.numberSpan(r, 2)
	var diag *source.Diagnostic
	if _, defined := f.defs.row(reset >> 1); reset > p.maxLit && !defined {
		diag = p.rowError(r, CodeLiteralOutOfRange, span, "expected reset 0, 1 or the latch itself (%d), found %d, which also exceeds 2M+1 = %d", latch, reset, p.maxLit)
	} else {
		diag = p.rowError(r, CodeResetFunction, span, "expected reset 0, 1 or the latch itself (%d), found %d: reset functions are not part of AIGER 1.9", latch, reset)
	}
	fix(diag, "Drop the reset", source.Edit{Span: source.SpanFromTo(f.numberSpan(r, 1).End(), span.End())})
	fix(diag, "Set the reset to 0", source.Edit{Span: span, NewText: "0"})
	fix(diag, "Set the reset to 1", source.Edit{Span: span, NewText: "1"})
	fix(diag, "Leave the latch uninitialised", source.Edit{Span: span, NewText: fmt.Sprint(latch)})
}

func (p *parser) checkLeadingZeros(r int) {
	f := p.file
	line := f.lineOf(r)
	start, content := f.text.LineStart(line), f.text.Line(line)
	for _, w := range tokens(content) {
		if !w.leadingZero {
			continue
		}
		span := source.SpanFromTo(start+w.start, start+w.end)
		diag := p.add(CodeLeadingZero, span, "expected a number without leading zero, found %s", quote(content[w.start:w.end]))
		safeFix(diag, "Remove the leading zero", source.Edit{Span: span, NewText: fmt.Sprint(w.value)})
	}
}
