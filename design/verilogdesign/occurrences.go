package verilogdesign

import (
	"slices"

	"aiglens/design"
	"aiglens/internal/source"
)

// findOccurrences finds the declarations, and names in the text of their modules that are called
// like one of them. It looks at names alone: what stands in comments, texts, macros and after a
// point is left out, and a name that several scopes of a module declare is not found at its uses.
func (s *fileSyntax) findOccurrences() {
	type scope struct {
		span  source.Span
		names map[string]*declaration // nil for a name that is declared twice
	}
	var scopes []scope
	for _, n := range s.synthesis.modules() {
		if p := s.synthesis.placeOf(n.Attributes); p.path == s.uri && !slices.ContainsFunc(scopes, func(x scope) bool { return x.span == p.span }) {
			scopes = append(scopes, scope{p.span, map[string]*declaration{}})
		}
	}
	defined := map[int]bool{}
	within := func(offset int) *scope {
		for i := range scopes {
			if scopes[i].span.Start <= offset && offset < scopes[i].span.End() {
				return &scopes[i]
			}
		}
		return nil
	}
	for i := range s.declared {
		d := &s.declared[i]
		defined[d.place.span.Start] = true
		s.occurrences = append(s.occurrences, design.Occurrence{Span: d.place.span, Lit: d.first.Lit(), Role: design.RoleDefinition})
		name := s.text.Slice(d.place.span)
		if in := within(d.place.span.Start); in != nil {
			if _, again := in.names[name]; again {
				d = nil
			}
			in.names[name] = d
		}
	}
	content := s.text.Content()
	assigned := assignedNames(content)
	for span := range identifiers(content) {
		in := within(span.Start)
		if in == nil || defined[span.Start] {
			continue
		}
		if d := in.names[s.text.Slice(span)]; d != nil {
			use := design.AsOperand
			if assigned[span.Start] {
				use = design.AsAssigned
			}
			s.occurrences = append(s.occurrences, design.Occurrence{Span: span, Lit: d.first.Lit(), Role: design.RoleUse, Use: use})
		}
	}
	slices.SortFunc(s.occurrences, func(a, b design.Occurrence) int { return a.Span.Start - b.Span.Start })
}

// identifiers yields the simple names of a text of Verilog that do not stand after a point, a
// number sign, a quote, $ or `.
func identifiers(text string) func(func(source.Span) bool) {
	return func(yield func(source.Span) bool) {
		for at := 0; at < len(text); {
			if n := blankBefore(text[at:]); n > 0 {
				at += n
				continue
			}
			switch c := text[at]; {
			case c == '"':
				at = afterText(text, at)
			case isLetter(c):
				end := at
				for end < len(text) && (isLetter(text[end]) || isDigit(text[end])) {
					end++
				}
				if !yield(source.Span{Start: at, Length: end - at}) {
					return
				}
				at = end
			case c == '.' || c == '\'' || c == '`' || c == '\\' || isDigit(c):
				// A port by its name, the digits of a number, a macro, an escaped name.
				at++
				for at < len(text) && (isLetter(text[at]) || isDigit(text[at])) {
					at++
				}
			default:
				at++
			}
		}
	}
}

// afterText returns the offset after a text in quotes.
func afterText(text string, at int) int {
	for at++; at < len(text) && text[at] != '"' && text[at] != '\n'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(text))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
