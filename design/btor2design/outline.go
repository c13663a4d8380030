package btor2design

import (
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/design"
	"aiglens/internal/source"
)

// outlined are the rows that an outline shows, in its order: what a reader looks for, not each operator.
var outlined = []syntax.Op{
	syntax.Input, syntax.State, syntax.Bad, syntax.Justice, syntax.Constraint, syntax.Fair, syntax.Output, syntax.Lemma, syntax.Cover,
}

// Outline shows inputs, states, properties, constraints and outputs, and operators with names. Of many rows those with
// symbols are shown.
func (s *fileSyntax) Outline(limit int) []design.Section {
	m, names := s.file.Model(), s.names()
	lists := make([][]int, len(outlined)+1)
	for i, list := range [][]int{m.Inputs, m.States, m.Bads, m.Justice, m.Constraints, m.Fairs, m.Outputs, m.Lemmas, m.Covers} {
		for _, node := range list {
			if len(list) <= design.ManyRows || m.Nodes[node].Symbol != "" {
				lists[i] = append(lists[i], node)
			}
		}
	}
	for _, node := range names.nodes {
		if m.Nodes[node].Op.IsOperator() {
			lists[len(outlined)] = append(lists[len(outlined)], node)
		}
	}
	wants := make([]int, len(lists))
	for i, list := range lists {
		wants[i] = len(list)
	}
	var all []design.Section
	for i, share := range design.Share(limit, wants) {
		if len(lists[i]) == 0 {
			continue
		}
		first, last := lists[i][0], lists[i][0]
		for _, node := range lists[i] {
			first, last = min(first, node), max(last, node)
		}
		section := design.Section{
			Name: sectionOf(m.Nodes[first].Op).name,
			Span: source.SpanFromTo(s.Text.LineStart(m.Nodes[first].Line), s.Text.LineSpan(m.Nodes[last].Line).End()),
		}
		for _, node := range lists[i][:share] {
			section.Rows = append(section.Rows, s.outlineRow(node))
		}
		all = append(all, section)
	}
	return all
}

func (s *fileSyntax) outlineRow(node int) design.Row {
	n := &s.file.Model().Nodes[node]
	span := s.Text.LineSpan(n.Line)
	detail := strings.TrimSuffix(s.Text.Slice(span), "\r")
	span.Length = len(detail)
	r := design.Row{Name: n.Symbol, Detail: detail, Span: span, Focus: span}
	row, _ := s.rowOf(node)
	r.Kind = row.Kind
	switch {
	case r.Name != "":
	case n.Op.HasValue():
		r.Name = s.names().of(node)
	default:
		r.Name = row.Label
	}
	return r
}

// minFold is the number of rows from which rows of one kind that follow each other fold.
const minFold = 3

// foldOf is the kind of rows that fold together: operators with the constants between them.
func foldOf(o syntax.Op) string {
	if o.IsConstant() {
		return sectionOf(syntax.Add).name
	}
	return sectionOf(o).name
}

// SectionSpans returns the rows of one kind that follow each other, after the comments between rows.
func (s *fileSyntax) SectionSpans() []design.SectionSpan {
	m := s.file.Model()
	all := s.commentSpans()
	for from := 0; from < len(m.Nodes); {
		to, name := from+1, foldOf(m.Nodes[from].Op)
		for to < len(m.Nodes) && foldOf(m.Nodes[to].Op) == name {
			to++
		}
		if name != "" && to-from >= minFold {
			all = append(all, design.SectionSpan{
				Name: name, Rows: to - from,
				Span: source.SpanFromTo(s.Text.LineStart(m.Nodes[from].Line), s.Text.LineSpan(m.Nodes[to-1].Line).End()),
			})
		}
		from = to
	}
	return all
}

// maxComments bounds the comments that fold.
const maxComments = 4000

// commentSpans returns the lines of comments that follow each other.
func (s *fileSyntax) commentSpans() (all []design.SectionSpan) {
	m := s.file.Model()
	gap := func(from, to int) { // lines without a row
		for line := from; line < to && len(all) < maxComments; line++ {
			span := s.Text.LineSpan(line)
			text := s.Text.Slice(span)
			start := span.Start + strings.Index(text, ";")
			switch last := len(all) - 1; {
			case !strings.HasPrefix(strings.TrimLeft(text, " \t"), ";"):
			case last >= 0 && line > from && s.Text.LineAt(all[last].Span.End()) == line-1:
				all[last].Span, all[last].Rows = source.SpanFromTo(all[last].Span.Start, span.End()), all[last].Rows+1
			default:
				all = append(all, design.SectionSpan{Name: "comment", Rows: 1, Span: source.SpanFromTo(start, span.End()), Comment: true})
			}
		}
	}
	next := 0
	for i := range m.Nodes {
		gap(next, m.Nodes[i].Line)
		next = m.Nodes[i].Line + 1
	}
	gap(next, s.Text.NumLines())
	return all
}
