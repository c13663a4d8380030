package blifdesign

import (
	"fmt"
	"iter"
	"strings"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/design"
	"aiglens/internal/source"
)

// maxModels bounds the models that an outline shows.
const maxModels = 500

// Outline returns a section for each model. Of a large one the gates and instances are
// left out.
func (s *syntax) Outline(limit int) []design.Section {
	models := s.file.Models()
	shown := models[:min(len(models), maxModels)]
	wants := make([]int, len(shown))
	for i, m := range shown {
		for st := range s.shownStatements(m) {
			if wants[i]++; sections[st.Kind].isList {
				wants[i] += len(s.file.Arguments(st.ID)) - 1
			}
			if wants[i] >= limit {
				break
			}
		}
	}
	shares := design.Share(limit, wants)
	var all []design.Section
	for i, m := range shown {
		all = append(all, s.modelSection(m, shares[i]))
	}
	size := design.PartSize(len(models))
	if size == 0 && len(shown) == len(models) {
		return all
	}
	return s.groups(all, max(size, maxModels))
}

// groups puts the sections of the first models, and all other models, into ranges.
func (s *syntax) groups(shown []design.Section, size int) []design.Section {
	models := s.file.Models()
	var all []design.Section
	for from := 0; from < len(models); from += size {
		to := min(from+size, len(models))
		all = append(all, design.Section{
			Name:  fmt.Sprintf("models %d–%d", from+1, to),
			Span:  source.SpanFromTo(models[from].Span().Start, models[to-1].Span().End()),
			Parts: shown[min(from, len(shown)):min(to, len(shown))],
		})
	}
	return all
}

// shownStatements yields the statements of a model that an outline without a limit shows.
func (s *syntax) shownStatements(m *blif.Model) iter.Seq[statement.Statement] {
	return func(yield func(statement.Statement) bool) {
		for st := range s.file.Statements(m.From, m.To) {
			sec, ok := sections[st.Kind]
			if !ok || st.Kind == statement.KindModel || m.To-m.From > design.ManyRows && (sec.signal == design.Gate || sec.signal == design.Instance) {
				continue
			}
			if !yield(st) {
				return
			}
		}
	}
}

// modelSection returns a model with at most so many rows, in parts where it is long.
func (s *syntax) modelSection(m *blif.Model, rows int) design.Section {
	section := design.Section{Name: "model " + m.Name, Span: m.Span()}
	size := design.PartSize(m.To - m.From)
	for from := m.From; size > 0 && from < m.To; from += size {
		span := source.SpanFromTo(s.file.Statement(from).Span.Start, s.file.ContentSpan(min(from+size, m.To)-1).End())
		section.Parts = append(section.Parts, design.Section{
			Name: fmt.Sprintf("lines %d–%d", s.file.Text().LineAt(span.Start)+1, s.file.Text().LineAt(span.End())+1), Span: span,
		})
	}
	if rows <= 0 {
		return section
	}
	for st := range s.shownStatements(m) {
		found := s.sectionRows(st, rows)
		rows -= len(found)
		into := &section
		if size > 0 {
			into = &section.Parts[(st.ID-m.From)/size]
		}
		into.Rows = append(into.Rows, found...)
		if rows <= 0 {
			break
		}
	}
	return section
}

// sectionRows returns the rows of a statement, at most limit.
func (s *syntax) sectionRows(st statement.Statement, limit int) []design.Row {
	sec := sections[st.Kind]
	if sec.isList {
		words := s.file.Arguments(st.ID)
		var rows []design.Row
		for _, w := range words[:min(len(words), limit)] {
			rows = append(rows, design.Row{Name: s.file.Text().Slice(w), Detail: sec.one, Span: w, Focus: w, Kind: sec.signal})
		}
		return rows
	}
	kind := sec.signal
	head := s.headSpan(st.ID)
	row := design.Row{Detail: foldedLine(s.file.Text().Slice(head)), Span: s.rowSpan(st.ID), Focus: st.Directive, Kind: kind}
	for o := range statementOccurrences(s, st.ID) {
		if o.Role.IsDefinition() {
			row.Name, row.Focus = s.file.Name(o.Signal), o.Span
			break
		}
	}
	if kind == design.Instance {
		row.Name = strings.TrimSpace(s.file.InstanceName(st.ID) + " : " + s.instantiated(st.ID))
	}
	if row.Name == "" {
		return nil
	}
	return []design.Row{row}
}

// maxDetail bounds the bytes of a directive that an outline shows.
const maxDetail = 200

// foldedLine writes the lines of a directive as one, the start of a long one.
func foldedLine(text string) string {
	more := ""
	if len(text) > maxDetail {
		text, more = strings.ToValidUTF8(text[:maxDetail], ""), " …"
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\\\n", " ")), " ") + more
}

// ModelCounts counts what the lists of a model name, and its latches.
func (s *syntax) ModelCounts(v design.Signal) (inputs, outputs, latches int) {
	m := s.model(v)
	if m == nil {
		return 0, 0, 0
	}
	for st := range s.file.Statements(m.From, m.To) {
		switch sec := sections[st.Kind]; {
		case sec.isList && sec.signal == design.Input:
			inputs += len(s.file.Arguments(st.ID))
		case st.Kind == statement.KindOutputs:
			outputs += len(s.file.Arguments(st.ID))
		case sec.signal == design.Latch:
			latches++
		}
	}
	return inputs, outputs, latches
}
