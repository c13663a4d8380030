package aiger

import (
	"fmt"

	"aiglens/internal/source"
)

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

// checkUses checks that what a row uses is defined.
func (p *parser) checkUses(k SectionKind, r int) {
	switch k {
	case SectionLatches:
		p.checkUse(r, 1, "next-state literal")
	case SectionAnds:
		p.checkUse(r, 1, "operand")
		p.checkUse(r, 2, "operand")
	default:
		p.checkUse(r, 0, k.One())
	}
}

// checkUse checks that the i-th literal of a row is defined.
func (p *parser) checkUse(r, i int, what string) {
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
