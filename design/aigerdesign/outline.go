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
	wants := make([]int, len(sections))
	for i, sec := range sections {
		for range s.shownRows(sec) {
			wants[i]++
		}
	}
	shares := design.Share(limit, wants)
	var all []design.Section
	for i, sec := range sections {
		section := design.Section{Name: sec.Kind.String(), Span: sec.Span}
		section.Parts = s.parts(sec)
		for index := range s.shownRows(sec) {
			if shares[i]--; shares[i] < 0 {
				break
			}
			if sec.Kind == syntax.SectionComment {
				section.Rows = append(section.Rows, s.commentRow(index))
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

// shownRows yields the rows of a section that an outline without a limit shows.
func (s *fileSyntax) shownRows(sec syntax.Section) iter.Seq[int] {
	return func(yield func(int) bool) {
		switch {
		case sec.Kind == syntax.SectionComment:
			for i := range len(s.file.Asides()) + len(s.file.Words().All) {
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

// commentRow describes a lemma or cover, or after these a word.
func (s *fileSyntax) commentRow(index int) design.Row {
	asides := s.file.Asides()
	if index < len(asides) {
		return s.asideRow(asides[index])
	}
	w := s.file.Words().All[index-len(asides)]
	return design.Row{Span: w.Span, Focus: w.Span, Detail: s.file.Text().Slice(w.Span), Name: w.Name.Text}
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
