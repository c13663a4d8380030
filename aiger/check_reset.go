package aiger

import (
	"fmt"

	"aiglens/internal/source"
)

// checkReset checks the third number of a latch row.
func (p *parser) checkReset(_ SectionKind, r int) {
	f := p.file
	row := f.rows.at(r)
	if row.n < 3 {
		return
	}
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
		p.checkUse(r, 2, "reset literal")
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

// taintByReset keeps properties that depend on a latch with a reset function
// from being checked: it is allowed, but no engine knows it.
func (p *parser) taintByReset(r int, span source.Span) {
	p.file.faults = append(p.file.faults, fault{uint32(r), &source.Diagnostic{
		Span: span, Severity: source.Error, Code: CodeResetFunction,
		Message: "reset functions cannot be checked yet",
	}})
}
