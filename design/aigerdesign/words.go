package aigerdesign

import (
	"slices"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
)

// Words returns those of maps, and those of the comment section.
func (e elaboration) Words() []design.Word {
	return withMap(e.names.words(), wordsOf(e.syntax.file.Words().All, e.elaborated.LitOf, func(w syntax.Word) source.Span { return w.Span }))
}

// Words returns those of maps, and those of the comment, which has no place in a text.
func (e binaryElaboration) Words() []design.Word {
	return withMap(e.names.words(), wordsOf((*syntax.Contents)(e.numbers.model).Words(), e.numbers.litOf, func(syntax.Word) source.Span { return source.Span{} }))
}

func wordsOf(lines []syntax.Word, lit func(uint32) (circuit.Lit, bool), span func(syntax.Word) source.Span) []design.Word {
	all := make([]design.Word, len(lines))
	for i, w := range lines {
		all[i] = design.WordOfLine(w.Line, span(w), func(position int) (circuit.Lit, bool) { return lit(w.Lits[position]) })
	}
	return all
}

// withMap returns the words of a map before those of the text. A line of the text that says the same
// counts in the place of the map's: it may have names of values.
func withMap(ofMap, ofText []design.Word) []design.Word {
	named := make(map[string]*design.Word, len(ofText))
	for i := range ofText {
		named[ofText[i].Name] = &ofText[i]
	}
	ofMap = slices.DeleteFunc(ofMap, func(m design.Word) bool {
		w := named[m.Name]
		return w != nil && slices.Equal(w.Bits, m.Bits)
	})
	return append(ofMap, ofText...)
}
