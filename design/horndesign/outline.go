package horndesign

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/design"
	"aiglens/horn"
	"aiglens/horn/edit"
	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Outline shows predicates, functions, clauses and queries.
func (s *fileSyntax) Outline(limit int) []design.Section {
	lists := [...]list{{name: "predicates"}, {name: "functions"}, {name: "clauses"}, {name: "queries"}}
	for o := range s.file.Declarations() {
		switch o.Kind {
		case syntax.KindPredicate:
			lists[0].add(func() design.Row { return s.symbolRow(o) })
		case syntax.KindFunction:
			lists[1].add(func() design.Row { return s.symbolRow(o) })
		}
	}
	shapes, preds := s.file.Shapes(), s.file.Preds()
	for i := range shapes {
		c, of := &shapes[i], &lists[2]
		if c.IsQuery() {
			of = &lists[3]
		}
		of.add(func() design.Row {
			row := s.firstLine(c.Origin)
			return design.Row{Name: c.Names(preds), Detail: s.Text.Slice(row), Span: s.file.FormSpan(c.Origin), Focus: row}
		})
	}
	wants := make([]int, len(lists))
	for i := range lists {
		wants[i] = len(lists[i].rows)
	}
	var all []design.Section
	for i, share := range design.Share(limit, wants) {
		if wants[i] > 0 {
			all = append(all, lists[i].section(share))
		}
	}
	return all
}

// list is a section whose rows, in text order, are made when they are shown.
type list struct {
	name string
	rows []func() design.Row
}

func (l *list) add(row func() design.Row) { l.rows = append(l.rows, row) }

// section returns the section with its first rows.
func (l *list) section(rows int) design.Section {
	first, last := l.rows[0]().Span, l.rows[len(l.rows)-1]().Span
	section := design.Section{Name: l.name, Span: source.SpanFromTo(first.Start, last.End())}
	for _, row := range l.rows[:rows] {
		section.Rows = append(section.Rows, row())
	}
	return section
}

func (s *fileSyntax) symbolRow(o syntax.Occurrence) design.Row {
	r := design.Row{Name: o.Name, Detail: typeOf(o), Span: o.Span, Focus: o.Span, Kind: kinds[o.Kind]}
	if form, ok := s.file.FormAt(o.Span.Start); ok {
		r.Span = s.file.FormSpan(form)
	}
	return r
}

// maxComments bounds the comments that fold.
const maxComments = 4000

// SectionSpans returns the comments between commands, and the commands that have several lines.
func (s *fileSyntax) SectionSpans() (all []design.SectionSpan) {
	comments := 0
	for k := range s.file.NumForms() {
		span := s.file.FormSpan(k)
		before := source.SpanFromTo(s.file.FormText(k).Start, span.Start)
		if comments < maxComments && strings.Contains(s.Text.Slice(before), ";") {
			found := s.commentsIn(before)
			comments += len(found)
			all = append(all, found...)
		}
		if first, last := s.Text.LineAt(span.Start), s.Text.LineAt(span.End()); first < last {
			all = append(all, design.SectionSpan{Name: s.file.Command(k), Rows: last - first + 1, Span: span})
		}
	}
	return all
}

// commentsIn returns the comments between two commands, those of lines that follow each other together.
func (s *fileSyntax) commentsIn(gap source.Span) (all []design.SectionSpan) {
	for line := s.Text.LineAt(gap.Start); line <= s.Text.LineAt(gap.End()); line++ {
		row := s.Text.LineSpan(line)
		row = source.SpanFromTo(max(row.Start, gap.Start), min(row.End(), gap.End()))
		text := s.Text.Slice(row)
		at := strings.IndexByte(text, ';')
		if at < 0 {
			continue
		}
		last := len(all) - 1
		if last >= 0 && s.Text.LineAt(all[last].Span.End()) == line-1 {
			all[last].Span, all[last].Rows = source.SpanFromTo(all[last].Span.Start, row.End()), all[last].Rows+1
			continue
		}
		all = append(all, design.SectionSpan{Name: "comment", Rows: 1, Span: source.SpanFromTo(row.Start+at, row.End()), Comment: true})
	}
	return all
}

// ListsAt returns the lists around an offset, the innermost first.
func (s *fileSyntax) ListsAt(offset int) []source.Span { return s.file.ListsAt(offset) }

// WordAt says what a word of SMT-LIB stands for.
func (s *fileSyntax) WordAt(offset int) (span source.Span, text string, ok bool) {
	token, ok := s.file.TokenAt(offset)
	if !ok || token.Kind != syntax.TokenOperator {
		return span, "", false
	}
	word := s.Text.Slice(token.Span)
	signature, ok := syntax.Signature(word)
	if !ok {
		return span, "", false
	}
	text = "`" + signature.Text(word) + "`"
	if signature.Result != term.NoSort {
		text += " · " + signature.Result.String()
	}
	return token.Span, text + " · " + signature.Says, true
}

// ClausesAt returns the clauses of the form at an offset in infix.
func (s *fileSyntax) ClausesAt(offset int) (all []string) {
	form, ok := s.file.FormAt(offset)
	if !ok {
		return nil
	}
	nth := 0
	for _, c := range s.file.Shapes() {
		if c.Origin == form && nth < maxClauses {
			all = append(all, s.clauseText(form, nth))
			nth++
		}
	}
	return all
}

// Parameters returns how the operator or symbol is applied whose argument stands at an offset.
func (s *fileSyntax) Parameters(offset int) (p design.Parameters, ok bool) {
	a, ok := s.file.ArgumentAt(offset)
	if !ok || a.Head == "" || a.Number == 0 {
		return p, false
	}
	if signature, ok := syntax.Signature(a.Head); ok {
		p = design.Parameters{Name: a.Head, Params: signature.Params, Says: signature.Says}
		p.Active = min(a.Number, len(signature.Params)) - 1
		return p, len(signature.Params) > 0
	}
	o, ok := s.file.OccurrenceAt(a.Span.Start)
	if !ok || len(o.Params) == 0 {
		return p, false
	}
	p = design.Parameters{Name: o.Name, Says: edit.Signature(o), Active: a.Number - 1}
	for _, sort := range o.Params {
		p.Params = append(p.Params, sort.String())
	}
	return p, true
}

// Bounds of what is said of a symbol: so many clauses, each of so many terms and bytes, else by their names.
const (
	maxClauses     = 8
	maxClauseTerms = 60
	maxClauseText  = 200
)

// Says returns the clauses of a predicate, and what a function or a let stands for.
func (s *fileSyntax) Says(x design.Signal) (all []string) {
	o, ok := s.declaration(x)
	if !ok {
		return nil
	}
	if o.Kind == syntax.KindPredicate {
		return s.clausesOf(o.Pred)
	}
	if terms, t, preds, ok := s.file.MeaningOf(o); ok && sizeOf(terms, t) <= maxClauseTerms {
		if text := term.Infix(terms, t, func(p int) string { return preds[p].Name }, maxClauseText); len(text) <= maxClauseText {
			all = append(all, "= `"+text+"`")
		}
	}
	return all
}

// sizeOf counts the terms in some terms.
func sizeOf(p *term.Pool, terms ...term.Term) (n int) {
	p.Walk(terms, nil, func(term.Term) { n++ })
	return n
}

// clausesOf lists the clauses that derive a predicate, and counts those that use it.
func (s *fileSyntax) clausesOf(p horn.Pred) []string {
	var lines []string
	derived, used, nth, last := 0, 0, 0, -1
	for _, c := range s.file.Shapes() {
		if nth++; c.Origin != last {
			nth, last = 0, c.Origin // which clause of its form
		}
		if slices.Contains(c.Body, p) {
			used++
		}
		if c.Head != p {
			continue
		}
		if derived++; derived <= maxClauses {
			line, _ := s.Text.LineColumn(s.file.FormSpan(c.Origin).Start)
			lines = append(lines, fmt.Sprintf("- line %d: `%s`", line, s.clauseText(c.Origin, nth)))
		}
	}
	if derived > maxClauses {
		lines = append(lines, fmt.Sprintf("- and %d more", derived-maxClauses))
	}
	title := fmt.Sprintf("derived by %s, used in %s", countClauses(derived), countClauses(used))
	if derived == 0 {
		return []string{title}
	}
	return []string{title + "\n" + strings.Join(lines, "\n")}
}

func countClauses(n int) string { return findings.Count(n, "clause", "clauses") }

// clauseText writes a clause of a form in infix; one that is too long by its predicates.
func (s *fileSyntax) clauseText(form, nth int) string {
	system := s.file.ClausesOf(form)
	c := &system.Clauses[nth]
	terms := []term.Term{c.Constraint}
	for _, a := range append(c.Body[:len(c.Body):len(c.Body)], c.Head) {
		terms = append(terms, a.Args...)
	}
	if sizeOf(system.Terms, terms...) <= maxClauseTerms {
		if text := system.ClauseInfix(c, maxClauseText); len(text) <= maxClauseText {
			return text
		}
	}
	return system.ClauseNames(c)
}
