package verilogdesign

import (
	"bytes"
	"slices"

	"aiglens/internal/lazy"
	"aiglens/internal/source"
	"aiglens/internal/yosys"
)

// isStatement reports whether a cell stands for an assert, an assume or a cover.
func isStatement(c *yosys.Cell) bool {
	switch c.Type {
	case "$assert", "$assume", "$cover", "$live", "$fair", "$check":
		return true
	}
	return false
}

var directive = lazy.Pattern("(?m)^[ \t]*`(ifdef|ifndef|elsif|else|endif)\\b[ \t]*(\\w*)")

// formalParts returns the parts of a text that are there only for Yosys, which defines FORMAL and YOSYS.
func formalParts(text string) (parts []source.Span) {
	type level struct{ seen, inside bool } // of such a macro
	var levels []level
	start := -1
	for _, m := range directive().FindAllStringSubmatchIndex(text, -1) {
		isFormal := text[m[4]:m[5]] == "FORMAL" || text[m[4]:m[5]] == "YOSYS"
		top := len(levels) - 1
		switch word := text[m[2]:m[3]]; {
		case word == "ifdef":
			levels = append(levels, level{isFormal, isFormal})
		case word == "ifndef":
			levels = append(levels, level{isFormal, false})
		case top < 0:
			continue
		case word == "elsif":
			levels[top] = level{isFormal, isFormal}
		case word == "else":
			levels[top].inside = levels[top].seen && !levels[top].inside
		default:
			levels = levels[:top]
		}
		inside := slices.ContainsFunc(levels, func(l level) bool { return l.inside })
		switch {
		case inside && start < 0:
			start = m[1]
		case !inside && start >= 0:
			parts = append(parts, source.Span{Start: start, Length: m[0] - start})
			start = -1
		}
	}
	return parts
}

// firstStep is a call that Yosys knows.
var firstStep = lazy.Pattern(`\$initstate\b(\s*\(\s*\))?`)

var (
	statementStart = lazy.Pattern(`^([A-Za-z_][A-Za-z0-9_$]*\s*:\s*)?(assert|assume|cover|restrict)\b`)
	statementEnd   = lazy.Pattern(`^\s*;`)
	// notAlone is what stands before a statement that something else needs, so that a ; has to stay.
	notAlone = lazy.Pattern(`([)*:]|\belse)$`)
	// process begins a process, which may not be empty.
	process = lazy.Pattern(`\b(initial|final|always_comb|always_latch)$`)
)

const longestBefore = 16

// withoutStatements returns a source with blanks in the place of its asserts, assumes and covers.
func (s *Synthesis) withoutStatements(f Source) string {
	text, code := []byte(f.Text.Content()), codeOf(f.Text.Content())
	for _, n := range s.modules() {
		for i := range n.Cells {
			if !isStatement(&n.Cells[i]) {
				continue
			}
			p := s.placeOf(n.Cells[i].Attributes)
			if p.path != f.Path || !statementStart().MatchString(f.Text.Slice(p.span)) || !statementEnd().Match(text[p.span.End():]) {
				continue
			}
			end := p.span.End()
			before := bytes.TrimRight(code[:p.span.Start], " \t\r\n")
			if word := process().Find(before[max(0, len(before)-longestBefore):]); word != nil {
				start := len(before) - len(word)
				blank(text, start, len(before))
				before = bytes.TrimRight(code[:start], " \t\r\n")
			}
			if !notAlone().Match(before[max(0, len(before)-longestBefore):]) {
				end += bytes.IndexByte(text[end:], ';') + 1
			}
			blank(text, p.span.Start, end)
		}
	}
	return string(text)
}

// codeOf returns a source with blanks in the place of comments and of lines for the preprocessor.
func codeOf(text string) []byte {
	code := []byte(text)
	for at := 0; at < len(text); {
		n := blankBefore(text[at:])
		switch {
		case n > 0:
			blank(code, at, at+n)
			at += n
		case text[at] == '"':
			at = afterText(text, at)
		default:
			at++
		}
	}
	for _, m := range directive().FindAllStringIndex(text, -1) {
		blank(code, m[0], m[1])
	}
	return code
}

// blank puts blanks in the place of a part of a text, but keeps its lines.
func blank(text []byte, from, to int) {
	for i := from; i < to; i++ {
		if text[i] != '\n' && text[i] != '\r' {
			text[i] = ' '
		}
	}
}
