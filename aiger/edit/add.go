package edit

import (
	"errors"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// addInput returns the edits that add an input after the others.
func addInput(f *syntax.File) ([]source.Edit, error) {
	v, err := freeVariable(f)
	if err != nil {
		return nil, err
	}
	return addRow(f, syntax.SectionInputs, 2*v)
}

// addLatch returns the edits that add a latch after the others, which starts
// with 0 and takes over the value of next in each step.
func addLatch(f *syntax.File, next uint32) ([]source.Edit, error) {
	v, err := freeVariable(f)
	if err != nil {
		return nil, err
	}
	return addRow(f, syntax.SectionLatches, 2*v, next)
}

// addGate returns the edits that add a gate after the others.
func addGate(f *syntax.File, left, right uint32) ([]source.Edit, error) {
	v, err := freeVariable(f)
	if err != nil {
		return nil, err
	}
	return addRow(f, syntax.SectionAnds, 2*v, max(left, right), min(left, right))
}

// addProperty returns the edits that add a row to the outputs, bads,
// constraints or fairness constraints.
func addProperty(f *syntax.File, kind syntax.SectionKind, lit uint32) ([]source.Edit, error) {
	return addRow(f, kind, lit)
}

// addRow adds a row at the end of a section, where it changes no position of
// another, with what the header has to say about it.
func addRow(f *syntax.File, kind syntax.SectionKind, numbers ...uint32) ([]source.Edit, error) {
	if err := structure(f); err != nil {
		return nil, err
	}
	values := f.HeaderValues()
	values.Counts[kind]++
	for _, lit := range numbers {
		values.Max = max(values.Max, int(lit/2))
	}
	return append(f.HeaderEdits(values), insertLine(f, lineBehind(f, kind), string(syntax.AppendRow(nil, numbers...)))), nil
}

// insertLine returns the edit that puts a line, which ends in LF, before
// another one.
func insertLine(f *syntax.File, before int, line string) source.Edit {
	at := f.Text().LineStart(before)
	if at > 0 && f.Text().Byte(at-1) != '\n' { // after a last line without an end
		line = "\n" + line
	}
	return source.Edit{Span: source.Span{Start: at}, NewText: line}
}

// lineBehind returns the line on which another row of a section would stand.
// There must be a header.
func lineBehind(f *syntax.File, kind syntax.SectionKind) int {
	line := f.Text().LineAt(f.Header()[0].Span.Start) + 1
	for _, s := range f.Sections() {
		if s.Kind > kind {
			break
		}
		if row, ok := f.Row(s.Kind, s.Rows-1); ok {
			line = row.Line + 1
		}
	}
	return line
}

// freeVariable returns a variable after all that the file uses, so that a
// gate of that number may have any other as operand: the first of which the comment
// does not speak, where it would come to mean the new element.
func freeVariable(f *syntax.File) (uint32, error) {
	mentioned := danglingVariables(f)
	v := f.LargestVar() + 1
	for mentioned[v] {
		v++
	}
	if v > syntax.MaxVar {
		return 0, errors.New("the file uses the largest variable that a literal can name; renumber it first")
	}
	return v, nil
}

// danglingVariables returns those of which the comment speaks and that nothing defines.
func danglingVariables(f *syntax.File) map[uint32]bool {
	mentioned := map[uint32]bool{}
	_, dangling := f.Mentioned()
	for _, a := range dangling {
		if !a.IsNamed {
			mentioned[a.Lit/2] = true
		}
	}
	return mentioned
}

// eachVariable calls yield for the variable of every literal.
func eachVariable(f *syntax.File, yield func(v uint32)) {
	for _, s := range f.Sections() {
		if s.Kind >= syntax.SectionSymbols || s.Kind == syntax.SectionJustice {
			continue
		}
		for i := range s.Rows {
			row, _ := f.Row(s.Kind, i)
			for _, lit := range row.Numbers[:min(row.Count, s.Kind.NumLiterals())] {
				yield(lit / 2)
			}
		}
	}
}
