package verilogdesign

import (
	"strings"

	"aiglens/internal/lazy"
	"aiglens/internal/source"
)

// token is a name, an operator or another sign of a text.
type token struct {
	span source.Span
	text string
}

// assignment is an operator that assigns, with the signs before an operand that may follow it.
var assignment = lazy.Pattern(`^(=|<=|[-+*/%&|^]=|<<<?=|>>>?=)[-~!+&|^]*$`)

// assignedNames returns the starts of the names that the statements of a text assign, as far as the
// signs around them show: an operator = or <= outside of all brackets, the first of its statement. What
// stands before it is a name with or without indices, or several in braces.
func assignedNames(text string) map[int]bool {
	found := map[int]bool{}
	var tokens []token
	depth, done := 0, false
	for t := range signs(text) {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth = max(0, depth-1)
		case "begin", "end", "endmodule":
			tokens, depth, done = tokens[:0], 0, false
			continue
		case ";":
			if depth == 0 { // else one in the brackets of a loop
				tokens, done = tokens[:0], false
				continue
			}
		}
		if depth == 0 && !done && assignment().MatchString(t.text) {
			markBefore(tokens, found)
			done = true
		}
		tokens = append(tokens, t)
	}
	return found
}

// markBefore marks the names that stand at the end of tokens, before an operator.
func markBefore(tokens []token, found map[int]bool) {
	at := len(tokens) - 1
	if at >= 0 && tokens[at].text == "}" {
		for depth := 0; at >= 0; at-- {
			switch t := tokens[at]; {
			case strings.Contains("}])", t.text):
				depth++
			case strings.Contains("{[(", t.text):
				depth--
			case depth == 1 && isLetter(t.text[0]):
				found[t.span.Start] = true
			}
			if depth == 0 {
				return
			}
		}
	}
	for at >= 0 && tokens[at].text == "]" {
		for depth := 0; at >= 0; at-- {
			switch tokens[at].text {
			case "]":
				depth++
			case "[":
				depth--
			}
			if depth == 0 {
				break
			}
		}
		at--
	}
	if at >= 0 && isLetter(tokens[at].text[0]) {
		found[tokens[at].span.Start] = true
	}
}

// signs yields the tokens of a text. Numbers, texts, macros and escaped names are one sign each, which
// stands for no name.
func signs(text string) func(func(token) bool) {
	const operators = "=<>!+-*/%&|^~"
	return func(yield func(token) bool) {
		for at := 0; at < len(text); {
			if n := blankBefore(text[at:]); n > 0 {
				at += n
				continue
			}
			end := at + 1
			switch c := text[at]; {
			case c == '"':
				end = afterText(text, at)
			case isLetter(c) || isDigit(c) || c == '\'' || c == '`' || c == '\\' || c == '.':
				for end < len(text) && (isLetter(text[end]) || isDigit(text[end])) {
					end++
				}
			case strings.IndexByte(operators, c) >= 0:
				for end < len(text) && strings.IndexByte(operators, text[end]) >= 0 && blankBefore(text[end:]) == 0 {
					end++
				}
			}
			if !yield(token{source.Span{Start: at, Length: end - at}, text[at:end]}) {
				return
			}
			at = end
		}
	}
}
