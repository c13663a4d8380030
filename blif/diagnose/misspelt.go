package diagnose

import (
	"fmt"
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// isInCapitals reports whether a word is a directive but for capital letters.
func isInCapitals(word, directive string) bool { return strings.ToLower(word) == directive }

// inCapitals reports the directives written in capitals, which have one cause, as one.
func (c *checker) inCapitals() {
	if len(c.capitals) == 0 {
		return
	}
	word := c.f.Text().Slice(c.capitals[0])
	message := fmt.Sprintf("%s is not a BLIF directive; did you mean %s? Directives are written in small letters", word, strings.ToLower(word))
	if n := len(c.capitals); n > 1 {
		message += fmt.Sprintf(" (%d places)", n)
	}
	d := codes.Finding(codes.UnknownDirective, c.capitals[0], message)
	c.report(d)
	for _, span := range c.capitals {
		if id := c.f.StatementAt(span.Start).ID; c.faults[id] == nil {
			c.faults[id] = &d
		}
	}
}

// Capitals returns the directives of a file that are written in capitals.
func Capitals(f *blif.File) []source.Span {
	var all []source.Span
	unknownDirectives(f, 0, f.NumStatements(), func(_ int, span source.Span, near string) bool {
		if isInCapitals(f.Text().Slice(span), near) {
			all = append(all, span)
		}
		return true
	})
	return all
}

// unknownDirectives visits the statements from ≤ id < to whose directive is unknown,
// with the one that is probably meant, until visit returns false.
func unknownDirectives(f *blif.File, from, to int, visit func(id int, span source.Span, near string) bool) {
	for k, _ := f.Locate(from); k < len(f.Chunks) && int(f.Firsts[k]) < to; k++ {
		c := f.Chunks[k]
		for _, mark := range c.Marks {
			id := int(f.Firsts[k] + mark)
			if id < from || id >= to || c.Stmts[mark].Kind != statement.KindUnknown {
				continue
			}
			span := f.DirectiveSpan(id)
			if near := statement.NearestDirective(f.Text().Slice(span)); near != "" && !visit(id, span, near) {
				return
			}
		}
	}
}

// isMeant reports whether a statement is one whose unknown directive is probably
// meant to be the given one.
func isMeant(f *blif.File, id int, directive string) (meant bool) {
	if id < 0 || id >= f.NumStatements() {
		return false
	}
	unknownDirectives(f, id, id+1, func(_ int, _ source.Span, near string) bool {
		meant = near == directive
		return false
	})
	return meant
}

// isMisspelt reports whether a finding about the structure says that a directive is
// missing which stands in its place under a wrong name.
func isMisspelt(f *blif.File, d source.Diagnostic) bool {
	switch {
	case d.Code == codes.ModelMissing:
		return isMeant(f, f.StatementAt(d.Span.Start).ID, ".model")
	case d.Code == codes.EndMissing && d.Span.Length == 0:
		return isMeant(f, f.NumStatements()-1, ".end")
	case d.Code == codes.EndMissing:
		return isMeant(f, f.StatementAt(d.Span.Start).ID-1, ".end")
	}
	return false
}

// misspellsPorts reports whether a model without port lists has one under a wrong
// name.
func (l *linter) misspellsPorts(m *blif.Model) (misspelt bool) {
	unknownDirectives(l.f, m.From, m.To, func(_ int, _ source.Span, near string) bool {
		misspelt = strings.HasPrefix(near, ".input") || strings.HasPrefix(near, ".output")
		return !misspelt
	})
	return misspelt
}

// hidesUses are the codes of errors because of which something looks unused that the
// repaired text uses.
var hidesUses = map[source.Code]bool{
	codes.UndrivenSignal: true, codes.UndrivenOutput: true, codes.ControlUndriven: true, codes.UnknownDirective: true,
	codes.LatchArguments: true, codes.UnknownFormal: true, codes.PinEquals: true, codes.DirectiveMissing: true, codes.PragmaSignal: true,
}

// unclearUses returns the models with an error of hidesUses.
func unclearUses(f *blif.File) map[*blif.Model]bool {
	models := map[*blif.Model]bool{}
	for _, d := range Diagnostics(f) {
		if d.Severity == source.Error && hidesUses[d.Code] {
			models[f.ModelAt(f.StatementAt(d.Span.Start).ID)] = true
		}
	}
	return models
}

// outputsPlace returns the directive that lists the first output of the top model, or
// the name of the model.
func outputsPlace(f *blif.File) source.Span {
	top := f.Top()
	if len(top.OutputList) == 0 {
		return top.NameSpan()
	}
	return f.DirectiveSpan(f.StatementAt(f.RefSpan(top.OutputList[0].Ref).Start).ID)
}
