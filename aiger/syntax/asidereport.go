package syntax

import (
	"aiglens/internal/findings"
	"aiglens/internal/propline"
	"aiglens/internal/source"
)

// The codes of the diagnostics.
const (
	CodePropSyntax  source.Code = "prop-syntax"
	CodePropLiteral source.Code = "prop-literal"
	CodePropIgnored source.Code = "prop-ignored"
)

var asideWords = propline.Words{
	Format: "AIGER", Target: "a literal", Targets: "a number, or the name of an input, a latch or an output", Written: "a name or a number",
	Syntax: CodePropSyntax, Unknown: CodePropIgnored, Number: CodePropLiteral,
}

// report reports what is wrong with a line that starts at an offset, given what Literal returns.
func (a *asideLine) report(d *findings.List, at int, e namedElement, found int) {
	a.Report(d.Add, at, asideGrammar, asideWords)
	if a.isSound() {
		a.reportLiteral(d, at, e, found)
	}
}

func (a *asideLine) reportLiteral(d *findings.List, at int, e namedElement, found int) {
	name := a.Name.In(a.Text)
	switch {
	case found == 1:
	case a.IsNumber:
		d.Add(CodePropLiteral, a.Target.Span(at), "no property: no input, latch or AND defines %s", name)
	case found == 0 && e.lit > 1:
		d.Add(CodePropLiteral, a.Target.Span(at), "no property: %s is literal %d, which nothing defines", findings.Quote(name), e.lit)
	case found == 0:
		d.Add(CodePropLiteral, a.Target.Span(at), "no property: no input, latch, output, bad or constraint has the name %s", findings.Quote(name))
	default:
		d.Add(CodePropLiteral, a.Target.Span(at), "no property: %s names %d different literals; write the number of the one that is meant", findings.Quote(name), found)
	}
}
