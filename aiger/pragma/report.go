package pragma

import (
	"math"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// The codes of the diagnostics.
const (
	CodeSyntax  source.Code = "prop-syntax"
	CodeLiteral source.Code = "prop-literal"
	CodeIgnored source.Code = "prop-ignored"
)

// Report reports what is wrong with a line that starts at an offset, given what Literal returns.
func (a *Line) Report(d *findings.List, at int, e Element, found int) {
	line := a.text
	switch rest := findings.Quote(a.rest.in(line)); a.form {
	case nearly:
		span := source.SpanFromTo(at+a.start, at+a.keyword.to)
		diag := d.Add(CodeSyntax, span, "no property: one is written \"prop: %s\"", a.Kind)
		diag.AddFix("Make it a property", source.Edit{Span: span, NewText: prefix + " " + a.Kind.String()})
	case noKind:
		d.Add(CodeSyntax, source.Span{Start: at + a.keyword.from}, "expected lemma or cover and a literal after prop:, found the end of the line")
	case unknownKind:
		d.Add(CodeIgnored, a.keyword.span(at), "no property: after prop: a comment of AIGER has lemma or cover; %s has rows of its own or is not known", findings.Quote(a.keyword.in(line)))
	case noTarget:
		d.Add(CodeSyntax, a.target.span(at), "expected a literal after %s: a number, or the name of an input, a latch or an output; found the end of the line", a.Kind)
	case unclosed:
		diag := d.Add(CodeSyntax, a.rest.span(at), "expected a closing quote, found the end of the line")
		diag.AddPreferredFix("Close the quote", source.Edit{Span: source.Span{Start: at + a.rest.to}, NewText: `"`})
	case noName:
		d.Add(CodeSyntax, a.rest.span(at), "expected a name or a number, found %s", rest)
	case tooLarge:
		d.Add(CodeLiteral, a.rest.span(at), "%s is no literal: the largest is %d", a.rest.in(line), uint32(math.MaxUint32))
	case surplus:
		diag := d.Add(CodeSyntax, a.rest.span(at), "expected the end of the line, or a label in quotes, found %s", rest)
		if text := a.rest.in(line); !strings.Contains(text, `"`) {
			sep := ""
			if a.rest.from == a.target.to {
				sep = " "
			}
			diag.AddFix("Make it a label", source.Edit{Span: a.rest.span(at), NewText: sep + `"` + text + `"`})
		}
	case sound:
		a.reportLiteral(d, at, e, found)
	}
}

func (a *Line) reportLiteral(d *findings.List, at int, e Element, found int) {
	name := a.name.in(a.text)
	switch {
	case found == 1:
	case a.isNumber:
		d.Add(CodeLiteral, a.target.span(at), "no property: no input, latch or AND defines %s", name)
	case found == 0 && e.Lit > 1:
		d.Add(CodeLiteral, a.target.span(at), "no property: %s is literal %d, which nothing defines", findings.Quote(name), e.Lit)
	case found == 0:
		d.Add(CodeLiteral, a.target.span(at), "no property: no input, latch, output, bad or constraint has the name %s", findings.Quote(name))
	default:
		d.Add(CodeLiteral, a.target.span(at), "no property: %s names %d different literals; write the number of the one that is meant", findings.Quote(name), found)
	}
}
