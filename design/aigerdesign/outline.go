package aigerdesign

import (
	"fmt"
	"iter"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
)

// Outline shows each section. Of a long one the rows with a symbol are shown, of the comment
// its lemmas and covers.
func (s *fileSyntax) Outline(limit int) []design.Section {
	sections := s.file.Sections()
	comment := s.commentRows()
	wants := make([]int, len(sections))
	for i, sec := range sections {
		for range s.shownRows(sec, len(comment)) {
			wants[i]++
		}
	}
	shares := design.Share(limit, wants)
	var all []design.Section
	for i, sec := range sections {
		section := design.Section{Name: sec.Kind.String(), Span: sec.Span}
		section.Parts = s.parts(sec)
		for index := range s.shownRows(sec, len(comment)) {
			if shares[i]--; shares[i] < 0 {
				break
			}
			if sec.Kind == syntax.SectionComment {
				section.Rows = append(section.Rows, comment[index]())
				continue
			}
			row, ok := s.file.Row(sec.Kind, index)
			if !ok {
				continue
			}
			if size := design.PartSize(sec.Rows); size > 0 && index/size < len(section.Parts) {
				part := &section.Parts[index/size]
				part.Rows = append(part.Rows, s.row(row))
			} else {
				section.Rows = append(section.Rows, s.row(row))
			}
		}
		all = append(all, section)
	}
	return all
}

// shownRows yields the rows of a section that an outline without a limit shows; of the comment there are so
// many.
func (s *fileSyntax) shownRows(sec syntax.Section, inComment int) iter.Seq[int] {
	return func(yield func(int) bool) {
		switch {
		case sec.Kind == syntax.SectionComment:
			for i := range inComment {
				if !yield(i) {
					return
				}
			}
		case sec.Kind >= syntax.SectionSymbols:
		case sec.Rows <= design.ManyRows:
			for i := range sec.Rows {
				if !yield(i) {
					return
				}
			}
		default:
			for sym := range s.file.SymbolsOf(sec.Kind) {
				if sym.Index < sec.Rows && !yield(sym.Index) {
					return
				}
			}
		}
	}
}

// commentRows returns functions that describe the lemmas and covers, and after these the words, as their lines
// write them: what the bits are is not looked for after each edit.
func (s *fileSyntax) commentRows() (all []func() design.Row) {
	for _, a := range s.file.Asides() {
		all = append(all, func() design.Row { return s.asideRow(a) })
	}
	for w := range s.file.WordLines() {
		if w.Error == nil {
			all = append(all, func() design.Row {
				return design.Row{Span: w.Span, Focus: w.Span, Detail: s.file.Text().Slice(w.Span), Name: w.Name.Text}
			})
		}
	}
	return all
}

// asideRow describes a lemma or cover by its name.
func (s *fileSyntax) asideRow(a syntax.Aside) design.Row {
	kind := circuit.PropertyLemma
	if a.Kind == syntax.AsideCover {
		kind = circuit.PropertyCover
	}
	return design.Row{Span: a.Span, Focus: a.Span, Detail: s.file.Text().Slice(a.Span), Name: s.propertyName(circuit.Property{Kind: kind, Index: a.Index})}
}

// parts divides a section with many rows.
func (s *fileSyntax) parts(sec syntax.Section) []design.Section {
	size := design.PartSize(sec.Rows)
	if size == 0 || sec.Kind >= syntax.SectionSymbols {
		return nil
	}
	var all []design.Section
	for from := 0; from < sec.Rows; from += size {
		last := min(from+size, sec.Rows) - 1
		first, ok := s.file.Row(sec.Kind, from)
		end, endOK := s.file.Row(sec.Kind, last)
		if !ok || !endOK {
			break
		}
		text := s.file.Text()
		all = append(all, design.Section{
			Name: fmt.Sprintf("%s %d–%d", sec.Kind, from, last),
			Span: source.SpanFromTo(text.LineStart(first.Line), text.LineSpan(end.Line).End()),
		})
	}
	return all
}
