package syntax

import (
	"fmt"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

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
// that its section asks for.
func (p *parser) checkShape(k SectionKind, r int) {
	f := p.file
	if f.rows.at(r).fits(k) {
		return
	}
	_, most := rowSize(k)
	line := f.LineOf(r)
	start, content := f.text.LineStart(line), f.text.Line(line)
	words := tokens(content)
	want := expectations[k]
	for i, w := range words {
		span := source.SpanFromTo(start+w.start, start+w.end)
		switch {
		case i == int(most):
			p.reportSurplus(k, r, source.SpanFromTo(start+words[i-1].end, start+words[len(words)-1].end))
			return
		case !w.isNumber:
			p.rowError(r, codeNotANumber, span, "expected %s, found %s", want[i], findings.Quote(content[w.start:w.end]))
			return
		case w.isHuge:
			p.rowError(r, codeNumberTooLarge, span, "expected %s of at most 32 bits, found %s", want[i], findings.Quote(content[w.start:w.end]))
			return
		}
	}
	p.reportMissing(k, r, len(words), source.Span{Start: f.contentEnd(line)})
}

func (p *parser) reportSurplus(k SectionKind, r int, span source.Span) {
	_, most := rowSize(k)
	found := findings.Quote(p.file.text.Slice(span)[1:])
	numbers := "1 number"
	if most > 1 {
		numbers = fmt.Sprintf("%d numbers", most)
	}
	diag := p.rowError(r, codeSurplus, span, "expected the row of %s to end after %s, found %s", article(k), numbers, found)
	diag.AddPreferredFix("Delete the surplus", source.Edit{Span: span})
}

func (p *parser) reportMissing(k SectionKind, r, have int, end source.Span) {
	want := expectations[k]
	switch {
	case have == 0:
		p.rowError(r, codeNotANumber, end, "expected %s, found an empty line", want[0])
	case k == SectionLatches:
		diag := p.rowError(r, CodeLatchNextMissing, end, "expected a next-state literal behind latch %d, found the end of the line", p.file.rows.at(r).Num[0])
		diag.AddFix("Let the latch keep its value", source.Edit{Span: end, NewText: fmt.Sprintf(" %d", p.file.rows.at(r).Num[0])})
		diag.AddFix("Set the next state to 0", source.Edit{Span: end, NewText: " 0"})
	default:
		p.rowError(r, codeAndOperandMissing, end, "expected two operands, found %d", have-1)
	}
}

// checkLeadingZeros reports numbers that start with a superfluous 0.
func (p *parser) checkLeadingZeros(_ SectionKind, r int) {
	f := p.file
	line := f.LineOf(r)
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
