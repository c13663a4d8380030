package aigerdesign

import (
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
)

// Words returns those of the comment section.
func (e elaboration) Words() []design.Word {
	return wordsOf(e.syntax.file.Words().All, e.elaborated.LitOf, func(w syntax.Word) source.Span { return w.Span })
}

// Words returns those of the comment, which has no place in a text.
func (e binaryElaboration) Words() []design.Word {
	return wordsOf((*syntax.Contents)(e.numbers.model).Words(), e.numbers.litOf, func(syntax.Word) source.Span { return source.Span{} })
}

func wordsOf(lines []syntax.Word, lit func(uint32) (circuit.Lit, bool), span func(syntax.Word) source.Span) []design.Word {
	all := make([]design.Word, len(lines))
	for i, w := range lines {
		all[i] = design.WordOfLine(w.Line, span(w), func(position int) (circuit.Lit, bool) { return lit(w.Lits[position]) })
	}
	return all
}
