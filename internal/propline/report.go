package propline

import (
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Words are what a format calls the parts of its lines.
type Words struct {
	Format                  string      // AIGER
	Target                  string      // a literal
	Targets                 string      // what that may be: a number, or the name of an input
	Written                 string      // what one begins with: a name or a number
	Syntax, Unknown, Number source.Code // of a line that cannot be read, is of another kind, has a number that is too large
}

// Report says what is wrong with a line that starts at an offset, by itself: nothing of a sound one.
func (l *Line) Report(add func(code source.Code, span source.Span, format string, values ...any) *source.Diagnostic, at int, g Grammar, w Words) {
	line := l.Text
	switch rest := findings.Quote(l.rest.In(line)); l.Form {
	case nearly:
		span := source.SpanFromTo(at+l.Start, at+l.Keyword.To)
		d := add(w.Syntax, span, "no property: one is written \"%s %s\"", Prefix, l.Kind)
		fix(d, false, "Make it a property", span, Prefix+" "+l.Kind.String())
	case noKind:
		add(w.Syntax, source.Span{Start: at + l.Keyword.From}, "expected lemma or cover and %s after prop:, found the end of the line", w.Target)
	case unknownKind:
		add(w.Unknown, l.Keyword.Span(at), "no property: after prop: a comment of %s has lemma or cover; %s has rows of its own or is not known", w.Format, findings.Quote(l.Keyword.In(line)))
	case noTarget:
		add(w.Syntax, l.Target.Span(at), "expected %s after %s: %s; found the end of the line", w.Target, l.Kind, w.Targets)
	case unclosed:
		d := add(w.Syntax, l.rest.Span(at), "expected a closing quote, found the end of the line")
		fix(d, true, "Close the quote", source.Span{Start: at + l.rest.To}, `"`)
	case noName:
		add(w.Syntax, l.rest.Span(at), "expected %s, found %s", w.Written, rest)
	case tooLarge:
		add(w.Number, l.rest.Span(at), "%s is not %s: the largest is %d", l.rest.In(line), w.Target, g.Max)
	case surplus:
		d := add(w.Syntax, l.rest.Span(at), "expected the end of the line, or a label in quotes, found %s", rest)
		if text := l.rest.In(line); !strings.Contains(text, `"`) {
			sep := ""
			if l.rest.From == l.Target.To {
				sep = " "
			}
			fix(d, false, "Make it a label", l.rest.Span(at), sep+`"`+text+`"`)
		}
	}
}

// fix adds a way out to a diagnostic, which may be nil where there are too many.
func fix(d *source.Diagnostic, isPreferred bool, title string, span source.Span, text string) {
	switch e := (source.Edit{Span: span, NewText: text}); {
	case d == nil:
	case isPreferred:
		d.AddPreferredFix(title, e)
	default:
		d.AddFix(title, e)
	}
}
