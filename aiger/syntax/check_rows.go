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
	diag := p.rowError(r, CodeSurplus, span, "expected the row of %s to end after %s, found %s", k.WithArticle(), numbers, found)
	diag.AddPreferredFix("Delete the surplus", source.Edit{Span: span})
}

func (p *parser) reportMissing(k SectionKind, r, have int, end source.Span) {
	want := expectations[k]
	switch {
	case have == 0:
		p.rowError(r, codeNotANumber, end, "expected %s, found an empty line", want[0])
	case k == SectionLatches:
		diag := p.rowError(r, CodeLatchNextMissing, end, "expected a next-state literal after latch %d, found the end of the line", p.file.rows.at(r).Num[0])
		diag.AddFix("Let the latch keep its value", source.Edit{Span: end, NewText: fmt.Sprintf(" %d", p.file.rows.at(r).Num[0])})
		diag.AddFix("Set the next state to 0", source.Edit{Span: end, NewText: " 0"})
	default:
		p.rowError(r, CodeAndOperandMissing, end, "expected two operands, found %d", have-1)
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

// checkDefinition checks the first literal of an input, latch or AND row.
func (p *parser) checkDefinition(k SectionKind, r int) {
	f := p.file
	lit := f.rows.at(r).Num[0]
	first, _ := f.defs.row(lit >> 1)
	switch {
	case lit <= 1:
		p.rowError(r, CodeDefinitionConstant, f.NumberSpan(r, 0), "expected %s literal of at least 2, found the constant %d", k.WithArticle(), lit)
	case lit&1 == 1:
		p.rowError(r, CodeDefinitionOdd, f.NumberSpan(r, 0), "expected an even literal for %s, found %d", k.WithArticle(), lit)
	case first != r:
		p.reportTwice(r, first)
	case lit > f.maxLit:
		p.reportMisnumbered(k, r)
	}
}

func (p *parser) reportTwice(r, first int) {
	f := p.file
	kind, index, _ := f.Place(first)
	diag := p.rowError(r, CodeDefinitionTwice, f.NumberSpan(r, 0), "literal %d is already defined as %s %d", f.rows.at(r).Num[0], kind.One(), index)
	diag.Relate(f.NumberSpan(first, 0), "first definition")
	p.markFaulty(first, CodeDefinitionTwice, diag)
}

func (p *parser) reportRange(r, i int, what string) *source.Diagnostic {
	f := p.file
	lit := f.rows.at(r).Num[i]
	diag := p.rowError(r, CodeLiteralOutOfRange, f.NumberSpan(r, i), "%s %d exceeds 2M+1 = %d", what, lit, f.maxLit)
	diag.AddFix(fmt.Sprintf("Set M to %d", lit>>1), source.Edit{Span: f.header.fields[fieldM].Span, NewText: fmt.Sprint(lit >> 1)})
	return diag
}

// checkUses checks that what a row uses is defined.
func (p *parser) checkUses(k SectionKind, r int) {
	switch k {
	case SectionLatches:
		p.checkUse(r, 1, "next-state literal")
		if p.file.rows.at(r).hasReset() {
			p.checkReset(r)
		}
	case SectionAnds:
		p.checkUse(r, 1, "operand")
		p.checkUse(r, 2, "operand")
	default:
		p.checkUse(r, 0, k.One())
	}
}

// checkReset checks the literal that a latch starts with.
func (p *parser) checkReset(r int) {
	diag := p.checkUse(r, 2, "reset literal")
	if diag == nil {
		return
	}
	f := p.file
	span, others := f.NumberSpan(r, 2), diag.Fixes
	diag.Fixes = nil
	diag.AddFix("Drop the reset", source.Edit{Span: source.SpanFromTo(f.NumberSpan(r, 1).End(), span.End())})
	diag.AddFix("Leave the latch uninitialised", source.Edit{Span: span, NewText: fmt.Sprint(f.rows.at(r).Num[0])})
	diag.Fixes = append(diag.Fixes, others...)
}

// checkUse checks that the i-th literal of a row is defined. It returns what it reports,
// or nil.
func (p *parser) checkUse(r, i int, what string) *source.Diagnostic {
	f := p.file
	lit := f.rows.at(r).Num[i]
	if lit <= 1 {
		return nil
	}
	if _, ok := f.defs.row(lit >> 1); ok {
		return nil // one that exceeds M is reported where it is defined
	}
	span := f.NumberSpan(r, i)
	if diag := p.undefined[lit>>1]; diag != nil { // one definition is missing, however often it is used
		if len(diag.Related) < maxRelatedUses {
			diag.Relate(span, "literal %d is used here, too", lit)
		}
		p.markFaulty(r, diag.Code, diag)
		return nil
	}
	if lit > f.maxLit {
		return p.lacks(lit, p.reportRange(r, i, what))
	}
	if p.missing {
		return nil
	}
	if p.misnumbered.vars[lit>>1] {
		p.misnumbered.uses = append(p.misnumbered.uses, literalAt{r, i})
		return nil
	}
	diag := p.rowError(r, CodeUndefinedLiteral, span, "%s %d is not defined by an input, latch or AND", what, lit)
	diag.AddFix("Replace by 0", source.Edit{Span: span, NewText: "0"})
	return p.lacks(lit, diag)
}

// lacks records and returns what says that the definition of a literal is missing,
// unless too many such have been found to keep it.
func (p *parser) lacks(lit uint32, diag *source.Diagnostic) *source.Diagnostic {
	if p.undefined == nil {
		p.undefined = map[uint32]*source.Diagnostic{}
	}
	if diag.Code != "" {
		p.undefined[lit>>1] = diag
	}
	return diag
}

// misnumbered holds definitions beyond 2M+1 and the variables that lack one in
// their place: one mistake, which is reported where it was made.
type misnumbered struct {
	rows map[int]bool
	vars map[uint32]bool // used and not defined; no more than there are rows
	diag *source.Diagnostic
	uses []literalAt // of vars
}

// literalAt is the i-th number of row r.
type literalAt struct{ r, i int }

// findMisnumbered finds the definitions beyond 2M+1 and decides whether the
// undefined literals can be their consequence. With more variables undefined
// than defined beyond the limit there is another cause, and each is reported.
func (p *parser) findMisnumbered() {
	f := p.file
	rows := map[int]bool{}
	for _, r := range f.suspects {
		k, _, ok := f.Place(int(r))
		row := f.rows.at(int(r))
		if least, most := rowSize(k); !ok || !k.defines() || !row.IsSound() || row.N < least || row.N > most {
			continue
		}
		first, _ := f.defs.row(row.Num[0] >> 1)
		if row.Num[0] > f.maxLit && row.Num[0]&1 == 0 && first == int(r) {
			rows[int(r)] = true
		}
	}
	if len(rows) == 0 {
		return
	}
	vars := map[uint32]bool{}
	for _, r := range f.suspects {
		k, _, ok := f.Place(int(r))
		if !ok {
			continue
		}
		from, to := usesOf(k)
		row := f.rows.at(int(r))
		for i := from; i < min(to, row.N); i++ {
			if lit := row.Num[i]; lit > 1 && lit <= f.maxLit && f.defs.entry(lit>>1) == 0 {
				if vars[lit>>1] = true; len(vars) > len(rows) {
					return
				}
			}
		}
	}
	p.misnumbered = misnumbered{rows: rows, vars: vars}
	f.lacksDefinition = len(vars) > 0
}

// reportMisnumbered reports a definition beyond 2M+1. The first one stands for
// the literals that are undefined because of it.
func (p *parser) reportMisnumbered(k SectionKind, r int) {
	f, m := p.file, &p.misnumbered
	diag := p.reportRange(r, 0, k.One()+" literal")
	if m.diag != nil || !m.rows[r] {
		return
	}
	m.diag = diag
	if len(m.rows) == 1 {
		for v := range m.vars { // one at most
			diag.AddFix(fmt.Sprintf("Write %d, which is used and not defined", 2*v), source.Edit{Span: f.NumberSpan(r, 0), NewText: fmt.Sprint(2 * v)})
		}
	}
}

// maxRelatedUses bounds the uses that are shown beside a definition.
const maxRelatedUses = 100

// settleMisnumbered makes the literals that are undefined because of a
// definition beyond 2M+1 related places of its diagnostic.
func (p *parser) settleMisnumbered() {
	f, m := p.file, &p.misnumbered
	for n, use := range m.uses {
		if n < maxRelatedUses {
			m.diag.Relate(f.NumberSpan(use.r, use.i), "literal %d is used and not defined", f.rows.at(use.r).Num[use.i])
		}
		p.markFaulty(use.r, CodeLiteralOutOfRange, m.diag)
	}
}
