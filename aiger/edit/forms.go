package edit

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger/syntax"
)

// circuitForm is a whole file: what input 0 has set stays set, which latch 1, a step
// after latch 0, is there to say.
const circuitForm = `aag 5 1 2 0 2 1
2
4 9
6 4
10
8 5 3
10 6 5
i0 ${1:set}
l0 ${2:state}
l1 ${3:before}
b0 ${4:falls}
`

// form offers a text with places to fill in, by a name that goes on as typed.
func (c *completer) form(label, detail, snippet string) {
	if !strings.HasPrefix(label, c.word) {
		return
	}
	c.add(Completion{Kind: CompleteForm, Label: label, Filter: label, Detail: detail, Snippet: snippet})
}

// emptyFile offers what a file can start with. A word of its own is what there is of
// an empty one.
func (c *completer) emptyFile(isEmpty bool) {
	if isEmpty {
		c.form("circuit", "whole file: an input, a latch that it sets, a property that holds", circuitForm)
	}
	c.add(Completion{Kind: CompleteNumber, Label: "aag", Insert: "aag 0 0 0 0 0", Filter: "aag", Detail: "header: M I L O A; rows are counted as they are typed"})
	c.form("aag M I L O A", "header, number by number", "aag ${1:0} ${2:0} ${3:0} ${4:0} ${5:0}")
	c.form("aag M I L O A B", "header of a file with bads", "aag ${1:0} ${2:0} ${3:0} ${4:0} ${5:0} ${6:0}")
}

// rowForms offers the kinds of rows that may stand on a line, by name.
func (c *completer) rowForms(line int) {
	kinds := c.file.KindsOn(line)
	if c.file.HeaderValues().Counts[syntax.SectionBads] == 0 { // the row would be counted as an output
		kinds = slices.DeleteFunc(kinds, func(k syntax.SectionKind) bool { return k == syntax.SectionBads })
	}
	lit := 2*int(c.file.LargestVar()) + 2
	for _, f := range []struct {
		kind                   syntax.SectionKind
		label, detail, snippet string
	}{
		{syntax.SectionInputs, "input", "input: even literal", fmt.Sprintf("${1:%d}", lit)},
		{syntax.SectionLatches, "latch", "latch: even literal, next state, reset value", fmt.Sprintf("${1:%d} ${2:0} ${3|0,1|}", lit)},
		{syntax.SectionLatches, "ulatch", "latch that starts with 0 or 1, by choice", fmt.Sprintf("${1:%d} ${2:0} ${1:%d}", lit, lit)},
		{syntax.SectionOutputs, "output", "output: literal", "${1:0}"},
		{syntax.SectionBads, "bad", "bad: a literal that must never be 1", "${1:0}"},
		{syntax.SectionAnds, "and", "AND: even literal, two operands", fmt.Sprintf("${1:%d} ${2:1} ${3:1}", lit)},
	} {
		if slices.Contains(kinds, f.kind) {
			c.form(f.label, f.detail, f.snippet)
		}
	}
}
