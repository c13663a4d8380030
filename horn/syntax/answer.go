package syntax

import (
	"slices"

	"aiglens/horn/term"
)

// Answer is a text that a program has written about clauses: a word such as sat, then commands, which can stand in one
// list.
type Answer struct {
	Word     string // sat or unsat; "" where the text starts with neither
	Commands string // the text with blanks for the word and for what is around the commands, which keep their places
	IsList   bool   // the commands stand in one list, as get-model prints definitions, with or without the word model
	End      int    // the end of that list
}

// everyCommand has a list go on where a line starts with a command.
var everyCommand = func() wordSet {
	all := wordSet{}
	for name := range commands {
		all[name] = true
	}
	return all
}()

// AnswerOf takes an answer apart. A list without end stays in Commands, where Parse reports it.
func AnswerOf(text string) (a Answer) {
	content := []byte(text)
	blank := func(from, to uint32) {
		for i := from; i < to; i++ {
			content[i] = ' '
		}
	}
	sc := scanner{s: text, form: &form{}}
	sc.skipBlanks()
	start := sc.at
	sc.skipWord()
	if word := text[start:sc.at]; word == "sat" || word == "unsat" {
		a.Word = word
		blank(uint32(start), uint32(sc.at))
	}
	f := scanForm(string(content), everyCommand)
	has := func(kinds ...faultKind) bool {
		return slices.ContainsFunc(f.faults, func(x fault) bool { return slices.Contains(kinds, x.kind) })
	}
	if len(f.nodes) > 0 && !has(faultOpen) {
		list, first := f.nodes[0], node{kind: kindList} // which an empty list could hold
		if list.next > 1 {
			first = f.nodes[1]
		}
		isModel := first.kind == kindSymbol && f.word(1) == "model"
		if a.IsList = isModel || first.kind == kindList; a.IsList {
			a.End = int(list.end)
			blank(list.start, list.start+1)
			if isModel {
				blank(first.start, first.end)
			}
			if !has(faultBar, faultString, faultDeep) { // with them, the list can end without its parenthesis
				blank(list.end-1, list.end)
			}
		}
	}
	a.Commands = string(content)
	return a
}

// Definition is what a define-fun says.
type Definition struct {
	Name   string
	Sort   term.Sort
	Terms  *term.Pool
	Params []term.Term // variables
	Body   term.Term
}

// DefinitionOf returns what a form defines; ok is false for a form that is no define-fun, or has errors.
func (f *File) DefinitionOf(form int) (d Definition, ok bool) {
	x := f.resolved().readings[form]
	if x == nil || x.declares == nil || x.declares.kind != KindFunction {
		return d, false
	}
	return Definition{x.declares.name, x.declares.sort, x.declares.terms, x.declares.vars, x.declares.body}, true
}
