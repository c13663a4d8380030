package aiger

import (
	"fmt"

	"aiglens/internal/source"
)

// lint reports what is legal but surprising. It looks at rows only; what needs
// the whole circuit is not its business.
func (p *parser) lint() {
	if p.misaligned {
		return
	}
	p.lintHeader()
	p.lintProperties()
	p.lintRows()
}

func (p *parser) lintHeader() {
	f := p.file
	h := &f.header
	c := f.counts
	if m := h.value(fieldM); h.maxOK && len(f.faults) == 0 {
		if largest := p.largestUsed(); largest < m {
			span := h.fields[fieldM].Span
			diag := p.add(CodeMaxTooLarge, span, "M is %d, the largest variable used is %d", m, largest)
			fix(diag, fmt.Sprintf("Set M to %d", largest), source.Edit{Span: span, NewText: fmt.Sprint(largest)})
		}
	}
	switch outputs := c[SectionOutputs]; {
	case f.outputsAreBads() && outputs > 0:
		p.add(CodeOutputsAsBads, h.fields[fieldO].Span, "without bad and justice properties, %s to be checked as bad", isOrAre(outputs, SectionOutputs))
	case f.outputsAreBads():
		p.add(CodeNoProperty, h.magic, "nothing to check: the file has no output, bad or justice property")
	case outputs > 0:
		p.add(CodeOutputsBesideBads, h.fields[fieldO].Span, "%s no property, because the file has bad or justice properties", isOrAre(outputs, SectionOutputs))
	}
	if c[SectionFairness] > 0 && c[SectionJustice] == 0 {
		p.add(CodeFairnessAlone, h.fields[fieldF].Span, "fairness constraints have no effect without a justice property")
	}
}

func isOrAre(n int, k SectionKind) string {
	if n == 1 {
		return "the " + k.One() + " is"
	}
	return fmt.Sprintf("the %s are", count(n, k))
}

// lintProperties looks at properties and constraints that are constant, and at
// properties listed twice.
func (p *parser) lintProperties() {
	f := p.file
	properties := SectionBads
	if f.outputsAreBads() {
		properties = SectionOutputs
	}
	lo, hi := f.rowsOf(properties)
	seen := make(map[uint32]int, hi-lo)
	for i := lo; i < hi; i++ {
		r := &f.rows[i]
		if !r.isSound() || r.n != 1 {
			continue
		}
		lit := r.num[0]
		first, again := seen[lit]
		switch {
		case lit == 0:
			p.add(CodeConstantProperty, f.numberSpan(i, 0), "the property is constant 0: it always holds")
		case lit == 1:
			p.add(CodeConstantProperty, f.numberSpan(i, 0), "the property is constant 1: it is violated as soon as the constraints allow a step")
		case again:
			diag := p.add(CodeDuplicateProperty, f.numberSpan(i, 0), "the same literal as %s %d: both have the same verdict", properties.One(), first-lo)
			relate(diag, f.numberSpan(first, 0), "%s %d", properties.One(), first-lo)
		default:
			seen[lit] = i
		}
	}
	lo, hi = f.rowsOf(SectionConstraints)
	for i := lo; i < hi; i++ {
		switch r := &f.rows[i]; {
		case !r.isSound() || r.n != 1 || r.num[0] > 1:
		case r.num[0] == 0:
			p.add(CodeConstantConstraint, f.numberSpan(i, 0), "the constraint is constant 0: every property holds vacuously")
		default:
			p.add(CodeConstantConstraint, f.numberSpan(i, 0), "the constraint is constant 1: it has no effect").Severity = source.Hint
		}
	}
}

// lintRows looks at gates and latches that are constants or copies.
func (p *parser) lintRows() {
	f := p.file
	lo, hi := f.rowsOf(SectionLatches)
	for i := lo; i < hi; i++ {
		if r := &f.rows[i]; r.isSound() && r.n >= 2 && r.num[0] == r.num[1] && (r.n == 2 || r.num[2] <= 1) {
			p.add(CodeLatchConstant, f.numberSpan(i, 0), "the latch keeps its reset value: it is constant")
		}
	}
	lo, hi = f.rowsOf(SectionAnds)
	for i := lo; i < hi; i++ {
		r := &f.rows[i]
		left, right := r.num[1], r.num[2]
		if left>>1 != right>>1 && left > 1 && right > 1 || r.n != 3 || !r.isSound() || left>>1 == r.num[0]>>1 || right>>1 == r.num[0]>>1 {
			continue
		}
		p.add(CodeAndTrivial, f.text.LineSpan(f.lineOf(i)), "the AND simplifies to %d", simplified(left, right))
	}
}

// simplified returns the literal that an AND with constant, equal or opposite
// operands equals.
func simplified(left, right uint32) uint32 {
	switch {
	case left == 0 || right == 0 || left == right^1:
		return 0
	case left == 1:
		return right
	}
	return left
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
			diag := p.add(code, span, message, quote(content))
			if code == CodeCommentMisplaced {
				fix(diag, "Delete the line", source.Edit{Span: source.SpanFromTo(span.Start, f.text.LineStart(line+1))})
			}
		}
		last, lastClass = line, class
	}
}

// checkEnd reports a last line without an end.
func (p *parser) checkEnd() {
	if !p.file.lacksNewline() {
		return
	}
	end := source.Span{Start: p.file.text.Len()}
	diag := p.add(CodeFinalNewline, end, "expected a newline at the end of the last line, found the end of the file")
	safeFix(diag, "Add a newline", source.Edit{Span: end, NewText: "\n"})
}
