package syntax

import (
	"math"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// The codes of the diagnostics.
const (
	CodePropSyntax  source.Code = "prop-syntax"
	CodePropLiteral source.Code = "prop-literal"
	CodePropIgnored source.Code = "prop-ignored"
)

// report reports what is wrong with a line that starts at an offset, given what Literal returns.
func (a *asideLine) report(d *findings.List, at int, e namedElement, found int) {
	line := a.text
	switch rest := findings.Quote(a.rest.in(line)); a.form {
	case nearly:
		span := source.SpanFromTo(at+a.start, at+a.keyword.to)
		diag := d.Add(CodePropSyntax, span, "no property: one is written \"prop: %s\"", a.kind)
		diag.AddFix("Make it a property", source.Edit{Span: span, NewText: asidePrefix + " " + a.kind.String()})
	case noKind:
		d.Add(CodePropSyntax, source.Span{Start: at + a.keyword.from}, "expected lemma or cover and a literal after prop:, found the end of the line")
	case unknownKind:
		d.Add(CodePropIgnored, a.keyword.span(at), "no property: after prop: a comment of AIGER has lemma or cover; %s has rows of its own or is not known", findings.Quote(a.keyword.in(line)))
	case noTarget:
		d.Add(CodePropSyntax, a.target.span(at), "expected a literal after %s: a number, or the name of an input, a latch or an output; found the end of the line", a.kind)
	case unclosed:
		diag := d.Add(CodePropSyntax, a.rest.span(at), "expected a closing quote, found the end of the line")
		diag.AddPreferredFix("Close the quote", source.Edit{Span: source.Span{Start: at + a.rest.to}, NewText: `"`})
	case noName:
		d.Add(CodePropSyntax, a.rest.span(at), "expected a name or a number, found %s", rest)
	case tooLarge:
		d.Add(CodePropLiteral, a.rest.span(at), "%s is not a literal: the largest is %d", a.rest.in(line), uint32(math.MaxUint32))
	case surplus:
		diag := d.Add(CodePropSyntax, a.rest.span(at), "expected the end of the line, or a label in quotes, found %s", rest)
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

func (a *asideLine) reportLiteral(d *findings.List, at int, e namedElement, found int) {
	name := a.name.in(a.text)
	switch {
	case found == 1:
	case a.isNumber:
		d.Add(CodePropLiteral, a.target.span(at), "no property: no input, latch or AND defines %s", name)
	case found == 0 && e.lit > 1:
		d.Add(CodePropLiteral, a.target.span(at), "no property: %s is literal %d, which nothing defines", findings.Quote(name), e.lit)
	case found == 0:
		d.Add(CodePropLiteral, a.target.span(at), "no property: no input, latch, output, bad or constraint has the name %s", findings.Quote(name))
	default:
		d.Add(CodePropLiteral, a.target.span(at), "no property: %s names %d different literals; write the number of the one that is meant", findings.Quote(name), found)
	}
}
