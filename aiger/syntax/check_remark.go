package syntax

import (
	"fmt"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// checkJusticeSize reports a justice property without literals.
func (p *parser) checkJusticeSize(_ SectionKind, r int) {
	if p.file.rows.at(r).Num[0] == 0 {
		p.Add(codeJusticeEmpty, p.file.NumberSpan(r, 0), "a justice property without literals: every fair run violates it")
	}
}

// checkConstantLatch reports a latch that keeps its reset value, as far as the
// row alone shows it.
func (p *parser) checkConstantLatch(_ SectionKind, r int) {
	row := p.file.rows.at(r)
	if !p.misaligned && row.IsSound() && row.N >= 2 && row.Num[0] == row.Num[1] && (row.N == 2 || row.Num[2] <= 1) {
		p.Add(CodeLatchConstant, p.file.NumberSpan(r, 0), "the latch keeps its reset value: it is constant")
	}
}

// checkTrivialAnd reports a gate that is none or a copy, as far as the row alone
// shows it.
func (p *parser) checkTrivialAnd(_ SectionKind, r int) {
	f := p.file
	row := f.rows.at(r)
	num := &row.Num
	if !p.misaligned && row.IsTrivial() && num[1]>>1 != num[0]>>1 && num[2]>>1 != num[0]>>1 {
		p.Add(CodeAndTrivial, f.text.LineSpan(f.LineOf(r)), "the AND simplifies to %d", SimplifiedAnd(num[1], num[2]))
	}
}

// IsTrivial reports whether an AND has constant, equal or opposite operands.
func (r *Numbers) IsTrivial() bool {
	return r.Num[1]>>1 == r.Num[2]>>1 || r.Num[1] <= 1 || r.Num[2] <= 1
}

// SimplifiedAnd returns the literal that an AND with constant, equal or opposite
// operands equals.
func SimplifiedAnd(left, right uint32) uint32 {
	switch {
	case left == 0 || right == 0 || left == right^1:
		return 0
	case left == 1:
		return right
	}
	return left
}

// lintHeader reports what is legal but surprising and shows in the counts.
func (p *parser) lintHeader() {
	f := p.file
	h := &f.header
	c := f.counts
	if p.misaligned {
		return
	}
	switch outputs := c[SectionOutputs]; {
	case f.OutputsAreBads() && outputs > 0:
		p.Add(CodeOutputsAsBads, h.fields[fieldO].Span, "without bad and justice properties, %s to be checked as bad", isOrAre(outputs, SectionOutputs))
	case f.OutputsAreBads() && len(f.asides) == 0:
		p.Add(codeNoProperty, h.magic, "nothing to check: the file has no output, bad or justice property")
	case !f.OutputsAreBads() && outputs > 0:
		p.Add(codeOutputsBesideBads, h.fields[fieldO].Span, "%s no property, because the file has bad or justice properties", isOrAre(outputs, SectionOutputs))
	}
	if c[SectionFairness] > 0 && c[SectionJustice] == 0 {
		p.Add(codeFairnessAlone, h.fields[fieldF].Span, "fairness constraints have no effect without a justice property")
	}
}

func isOrAre(n int, k SectionKind) string {
	if n == 1 {
		return "the " + k.One() + " is"
	}
	return fmt.Sprintf("the %s are", k.Count(n))
}

// checkStray reports text and symbols among the rows; a run of lines is one
// finding.
func (p *parser) checkStray() {
	f := p.file
	last, lastClass := -2, lineBlank
	for _, l := range f.stray {
		line := int(l)
		content := f.text.Line(line)
		class := classify(content)
		if class == lineBlank {
			continue
		}
		if line != last+1 || class != lastClass {
			span := f.text.LineSpan(line)
			code, message := CodeCommentMisplaced, "expected a row of numbers, found %s; comments are only allowed after a line that holds just c, at the end"
			if class == lineSymbol {
				code, message = CodeSymbolMisplaced, "expected a row of numbers, found %s; symbols come after the last row"
			}
			p.Add(code, span, message, findings.Quote(content))
		}
		last, lastClass = line, class
	}
}

// lastIsUnfinished reports whether something is wrong with the last line, or it is a row
// that the header does not count yet.
func (p *parser) lastIsUnfinished() bool {
	f := p.file
	last := f.text.NumLines() - 1
	return p.HasFrom(f.text.LineStart(last)) || p.misaligned && f.header.line < last && f.end > last
}

// checkEnd reports a last line without an end, unless more of it is missing: it is being
// written then.
func (p *parser) checkEnd() {
	if !p.file.LacksNewline() || p.lastIsUnfinished() {
		return
	}
	end := source.Span{Start: p.file.text.Len()}
	diag := p.Add(CodeFinalNewline, end, "expected a newline at the end of the last line, found the end of the file")
	diag.AddPreferredFix("Add a newline", source.Edit{Span: end, NewText: "\n"})
}
