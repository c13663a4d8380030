package edit

import (
	"strconv"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// strip returns the edits that remove what no output, property or constraint
// depends on: gates and latches, and inputs too when inputs holds. The elements
// after a removed latch or input move up, as do their symbols. M becomes the
// largest variable that is left.
func strip(f *syntax.File, inputs bool) ([]source.Edit, error) {
	if err := structure(f); err != nil {
		return nil, err
	}
	s := stripper{file: f, used: inCone(f)}
	if !inputs {
		s.used[syntax.SectionInputs] = nil
	}
	return keepAsides(f, s.edits(int(s.largestLeft())), same)
}

// cone holds for inputs, latches and gates which of them are in a cone, nil for
// a section of which everything counts as used.
type cone [syntax.SectionSymbols][]bool

// inCone walks from the outputs, properties, lemmas and covers among them, and constraints
// to what they depend on.
func inCone(f *syntax.File) (used cone) {
	var open []uint32 // variables
	for _, s := range f.Sections() {
		switch s.Kind {
		case syntax.SectionInputs, syntax.SectionLatches, syntax.SectionAnds:
			used[s.Kind] = make([]bool, s.Rows)
		case syntax.SectionOutputs, syntax.SectionBads, syntax.SectionConstraints, syntax.SectionJusticeLits, syntax.SectionFairness:
			for i := range s.Rows {
				row, _ := f.Row(s.Kind, i)
				open = append(open, row.Numbers[0]/2)
			}
		}
	}
	for _, a := range f.Asides() {
		open = append(open, a.Lit/2)
	}
	sectionFor := [...]syntax.SectionKind{syntax.RoleInput: syntax.SectionInputs, syntax.RoleLatch: syntax.SectionLatches, syntax.RoleAnd: syntax.SectionAnds}
	for len(open) > 0 {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		d, ok := f.Definition(v)
		if !ok || used[sectionFor[d.Role]][d.Index] {
			continue
		}
		used[sectionFor[d.Role]][d.Index] = true
		row, _ := f.Row(sectionFor[d.Role], d.Index)
		for _, lit := range row.Numbers[1:max(1, min(row.Count, len(row.Numbers)))] {
			open = append(open, lit/2)
		}
	}
	return used
}

type stripper struct {
	file *syntax.File
	used cone
}

// edits returns the edits that remove what is not used and make M the largest variable.
func (s *stripper) edits(largest int) []source.Edit {
	f := s.file
	values := f.HeaderValues()
	var rows []source.Edit
	for k, used := range s.used {
		for i, isUsed := range used {
			if !isUsed {
				row, _ := f.Row(syntax.SectionKind(k), i)
				rows = deleteLine(f, rows, row.Line)
				values.Counts[k]--
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	values.Max = largest
	return append(append(f.HeaderEdits(values), rows...), s.symbolEdits()...)
}

// deleteLine appends the edit that deletes a line, as one with the deletion of
// the line before it.
func deleteLine(f *syntax.File, edits []source.Edit, line int) []source.Edit {
	span := source.SpanFromTo(f.Text().LineStart(line), f.Text().LineStart(line+1))
	if n := len(edits); n > 0 && edits[n-1].Span.End() == span.Start && edits[n-1].NewText == "" {
		edits[n-1].Span.Length += span.Length
		return edits
	}
	return append(edits, source.Edit{Span: span})
}

// isRemoved reports whether an element goes.
func (s *stripper) isRemoved(k syntax.SectionKind, index int) bool {
	return index < len(s.used[k]) && !s.used[k][index]
}

func (s *stripper) largestLeft() uint32 {
	f := s.file
	largest := uint32(0)
	for _, section := range f.Sections() {
		if section.Kind >= syntax.SectionSymbols || section.Kind == syntax.SectionJustice {
			continue
		}
		for i := range section.Rows {
			if s.isRemoved(section.Kind, i) {
				continue
			}
			row, _ := f.Row(section.Kind, i)
			for _, lit := range row.Numbers[:min(row.Count, section.Kind.NumLiterals())] {
				largest = max(largest, lit/2)
			}
		}
	}
	return largest
}

// symbolEdits deletes the symbols of what goes and renumbers the others.
func (s *stripper) symbolEdits() []source.Edit {
	var edits []source.Edit
	var moved [syntax.SectionSymbols][]int // by position: the new one
	for k, used := range s.used {
		next := 0
		for _, isUsed := range used {
			moved[k] = append(moved[k], next)
			if isUsed {
				next++
			}
		}
	}
	for _, sym := range s.file.Symbols() {
		switch {
		case sym.Index >= len(moved[sym.Kind]):
		case s.isRemoved(sym.Kind, sym.Index):
			edits = deleteLine(s.file, edits, sym.Line)
		case moved[sym.Kind][sym.Index] != sym.Index:
			edits = append(edits, source.Edit{Span: positionSpan(sym), NewText: strconv.Itoa(moved[sym.Kind][sym.Index])})
		}
	}
	return edits
}

// positionSpan returns the span of the position after the letter.
func positionSpan(s syntax.Symbol) source.Span {
	return source.SpanFromTo(s.Span.Start+1, s.NameSpan.Start-1)
}
