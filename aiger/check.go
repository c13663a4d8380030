package aiger

import (
	"fmt"
	"iter"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// checkMax compares M with what the rows use. A header that has been found
// wrong already is not reported again: its fix takes M along.
func (p *parser) checkMax() {
	f := p.file
	if !f.header.maxOK || p.misaligned {
		return
	}
	m, need := f.header.value(fieldM), f.defs.n
	if m >= need {
		f.maxLit = uint32(2*m + 1)
		return
	}
	span := f.header.fields[fieldM].Span
	diag := p.Add(CodeMaxTooSmall, span, "expected M to be at least %d, the number of inputs, latches and ANDs, found %d", need, m)
	if r, i, ok := f.firstAbove(uint32(2*m + 1)); ok {
		diag.Relate(f.numberSpan(r, i), "literal %d exceeds 2M+1 = %d", f.rows.at(r).num[i], 2*m+1)
	}
	largest := max(need, f.defs.largest())
	diag.AddPreferredFix(fmt.Sprintf("Set M to %d", largest), source.Edit{Span: span, NewText: fmt.Sprint(largest)})
}

// firstAbove returns the first literal above a limit.
func (f *File) firstAbove(limit uint32) (r, i int, ok bool) {
	for r := range f.rowsAbove(limit) {
		k, _, ok := f.place(r)
		_, most := rowSize(k)
		if row := f.rows.at(r); ok && k != SectionJustice {
			for i := range int(min(row.n, most)) {
				if row.num[i] > limit {
					return r, i, true
				}
			}
		}
	}
	return 0, 0, false
}

// rowsAbove yields the rows that hold a number above a limit.
func (f *File) rowsAbove(limit uint32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c, chunk := range f.rows.chunks {
			if chunk.largest <= limit && chunk.flags&rowHuge == 0 {
				continue
			}
			for i := range chunk.rows {
				if num := &chunk.rows[i].num; max(num[0], num[1], num[2]) > limit && !yield(int(f.rows.starts[c])+i) {
					return
				}
			}
		}
	}
}

// findSuspects looks at every row.
func (f *File) findSuspects() []uint32 {
	var suspects []uint32
	defined := uint32(0) // literals up to this one are defined
	if f.isUnique {
		defined = min(2*f.defs.all+1, f.maxLit)
	}
	lo := 0
	for k, n := range f.counts {
		for base, rows := range f.rows.runs(lo, lo+n) {
			for i := range rows {
				// The usual gate, for which isClean has the same answer.
				if r := &rows[i]; SectionKind(k) == SectionAnds && r.n == 3 && r.flags == 0 && r.num[0]&1 == 0 && r.num[0] > 1 &&
					max(r.num[0], r.num[1], r.num[2]) <= defined && !r.isTrivial() {
					continue
				}
				if !f.isClean(SectionKind(k), base+i, &rows[i]) {
					suspects = append(suspects, uint32(base+i))
				}
			}
		}
		lo += n
	}
	return suspects
}

// isClean decides quickly that there is nothing to say about row r of a
// section: it is true for nearly all rows of an ordinary file. What it looks
// at besides the row itself, newRowDiff follows through an edit: the
// definitions of the row's variables, and maxLit.
func (f *File) isClean(k SectionKind, r int, row *row) bool {
	if row.flags&^(rowSpace|rowCR) != 0 {
		return false
	}
	num := &row.num
	switch k {
	case SectionAnds:
		return row.n == 3 && f.isFirst(num[0], r) && f.isDefined(num[1]) && f.isDefined(num[2]) &&
			!row.isTrivial()
	case SectionInputs:
		return row.n == 1 && f.isFirst(num[0], r)
	case SectionLatches:
		return (row.n == 2 || row.n == 3 && (num[2] <= 1 || num[2] == num[0])) &&
			f.isFirst(num[0], r) && f.isDefined(num[1]) && num[0] != num[1]
	case SectionJustice:
		return false
	}
	return row.n == 1 && f.isDefined(num[0])
}

// isFirst reports whether row r is the sound and only definition of lit, or
// the first of several.
func (f *File) isFirst(lit uint32, r int) bool {
	v := lit >> 1
	if lit&1 == 1 || v == 0 || lit > f.maxLit {
		return false
	}
	if f.isUnique {
		return true
	}
	first, ok := f.defs.row(v)
	return ok && first == r
}

// isDefined reports whether lit may be used.
func (f *File) isDefined(lit uint32) bool {
	v := lit >> 1
	return (v <= f.defs.all || f.defs.entry(v) != 0) && lit <= f.maxLit
}

// checkRows checks the suspects, each by itself and against the definitions.
func (p *parser) checkRows() {
	f := p.file
	p.findMisnumbered()
	for _, r := range f.suspects {
		if k, _, ok := f.place(int(r)); ok {
			p.checkRow(k, int(r))
			p.lintRow(k, int(r))
		}
	}
	p.settleMisnumbered()
}

func (p *parser) checkRow(k SectionKind, r int) {
	f := p.file
	row := f.rows.at(r)
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
			p.Add(CodeJusticeEmpty, f.numberSpan(r, 0), "a justice property without literals: every fair path satisfies it")
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
	if row := f.rows.at(r); row.isSound() && least <= row.n && row.n <= most {
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
			p.rowError(r, CodeNotANumber, span, "expected %s, found %s", want[i], findings.Quote(content[w.start:w.end]))
			return false
		case w.isHuge:
			p.rowError(r, CodeNumberTooLarge, span, "expected %s of at most 32 bits, found %s", want[i], findings.Quote(content[w.start:w.end]))
			return false
		}
	}
	p.reportMissing(k, r, len(words), source.Span{Start: f.contentEnd(line)})
	return false
}

func (p *parser) reportSurplus(k SectionKind, r int, span source.Span) {
	_, most := rowSize(k)
	found := findings.Quote(p.file.text.Slice(span)[1:])
	numbers := "1 number"
	if most > 1 {
		numbers = fmt.Sprintf("%d numbers", most)
	}
	diag := p.rowError(r, CodeSurplus, span, "expected the row of %s to end after %s, found %s", article(k), numbers, found)
	diag.AddPreferredFix("Delete the surplus", source.Edit{Span: span})
}

func (p *parser) reportMissing(k SectionKind, r, have int, end source.Span) {
	want := expectations[k]
	switch {
	case have == 0:
		p.rowError(r, CodeNotANumber, end, "expected %s, found an empty line", want[0])
	case k == SectionLatches:
		diag := p.rowError(r, CodeLatchNextMissing, end, "expected a next-state literal behind latch %d, found the end of the line", p.file.rows.at(r).num[0])
		diag.AddFix("Let the latch keep its value", source.Edit{Span: end, NewText: fmt.Sprintf(" %d", p.file.rows.at(r).num[0])})
		diag.AddFix("Set the next state to 0", source.Edit{Span: end, NewText: " 0"})
	default:
		p.rowError(r, CodeAndOperandMissing, end, "expected two operands, found %d", have-1)
	}
}

// checkDefinition checks the first literal of an input, latch or AND row.
func (p *parser) checkDefinition(k SectionKind, r int) {
	f := p.file
	lit := f.rows.at(r).num[0]
	first, _ := f.defs.row(lit >> 1)
	switch {
	case lit <= 1:
		p.rowError(r, CodeDefinitionConstant, f.numberSpan(r, 0), "expected %s literal of at least 2, found the constant %d", article(k), lit)
	case lit&1 == 1:
		p.rowError(r, CodeDefinitionOdd, f.numberSpan(r, 0), "expected an even literal for %s, found %d", article(k), lit)
	case first != r:
		p.reportTwice(r, first)
	case lit > f.maxLit:
		p.reportMisnumbered(k, r)
	}
}

func (p *parser) reportTwice(r, first int) {
	f := p.file
	kind, index, _ := f.place(first)
	diag := p.rowError(r, CodeDefinitionTwice, f.numberSpan(r, 0), "literal %d is already defined as %s %d", f.rows.at(r).num[0], kind.One(), index)
	diag.Relate(f.numberSpan(first, 0), "first definition")
	p.taint(first, CodeDefinitionTwice, diag)
}

func (p *parser) reportRange(r, i int, what string) *source.Diagnostic {
	f := p.file
	lit := f.rows.at(r).num[i]
	diag := p.rowError(r, CodeLiteralOutOfRange, f.numberSpan(r, i), "%s %d exceeds 2M+1 = %d", what, lit, f.maxLit)
	diag.AddFix(fmt.Sprintf("Set M to %d", lit>>1), source.Edit{Span: f.header.fields[fieldM].Span, NewText: fmt.Sprint(lit >> 1)})
	return diag
}

// checkUse checks that the i-th literal of a row is defined.
func (p *parser) checkUse(k SectionKind, r, i int, what string) {
	f := p.file
	lit := f.rows.at(r).num[i]
	if lit <= 1 {
		return
	}
	if _, ok := f.defs.row(lit >> 1); ok {
		return // one that exceeds M is reported where it is defined
	}
	if lit > f.maxLit {
		p.reportRange(r, i, what)
		return
	}
	if p.missing {
		return
	}
	if p.misnumbered.vars[lit>>1] {
		p.misnumbered.uses = append(p.misnumbered.uses, literalAt{r, i})
		return
	}
	span := f.numberSpan(r, i)
	diag := p.rowError(r, CodeUndefinedLiteral, span, "%s %d is not defined by an input, latch or AND", what, lit)
	diag.AddFix("Replace by 0", source.Edit{Span: span, NewText: "0"})
}

// checkReset checks the third number of a latch row.
func (p *parser) checkReset(r int) {
	f := p.file
	row := f.rows.at(r)
	latch, reset := row.num[0], row.num[2]
	if reset <= 1 || reset == latch {
		return
	}
	span := f.numberSpan(r, 2)
	const expected = "expected reset 0, 1 or the latch itself (%d), found %d"
	_, defined := f.defs.row(reset >> 1)
	var diag *source.Diagnostic
	switch {
	case defined && f.options.AllowResetFunctions:
		p.taintByReset(r, span)
		return
	case defined || reset <= f.maxLit && !f.options.AllowResetFunctions:
		diag = p.rowError(r, CodeResetFunction, span, expected+": reset functions are not part of AIGER 1.9", latch, reset)
	case f.options.AllowResetFunctions:
		p.checkUse(SectionLatches, r, 2, "reset literal")
		p.taintByReset(r, span)
		return
	default:
		diag = p.rowError(r, CodeLiteralOutOfRange, span, expected+", which also exceeds 2M+1 = %d", latch, reset, f.maxLit)
	}
	diag.AddFix("Drop the reset", source.Edit{Span: source.SpanFromTo(f.numberSpan(r, 1).End(), span.End())})
	diag.AddFix("Set the reset to 0", source.Edit{Span: span, NewText: "0"})
	diag.AddFix("Set the reset to 1", source.Edit{Span: span, NewText: "1"})
	diag.AddFix("Leave the latch uninitialised", source.Edit{Span: span, NewText: fmt.Sprint(latch)})
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
		diag := p.Add(CodeLeadingZero, span, "expected a number without leading zero, found %s", findings.Quote(content[w.start:w.end]))
		diag.AddPreferredFix("Remove the leading zero", source.Edit{Span: span, NewText: fmt.Sprint(w.value)})
	}
}

// taintByReset keeps properties that depend on a latch with a reset function
// from being checked: it is allowed, but no engine knows it.
func (p *parser) taintByReset(r int, span source.Span) {
	p.file.faults = append(p.file.faults, fault{uint32(r), &source.Diagnostic{
		Span: span, Severity: source.Error, Code: CodeResetFunction,
		Message: "reset functions cannot be checked yet",
	}})
}
