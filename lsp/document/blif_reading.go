package document

import (
	"fmt"
	"iter"
	"strings"

	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// blifSections are the kinds of statements that have rows, with the names of
// their elements.
var blifSections = map[statement.Kind]struct {
	many, one string
	signal    SignalKind
	isList    bool // each word is a row of its own
}{
	statement.KindInputs:     {"inputs", "input", Input, true},
	statement.KindClock:      {"clocks", "clock", Input, true},
	statement.KindOutputs:    {"outputs", "output", Undefined, true},
	statement.KindConstraint: {"constraints", "constraint", Undefined, true},
	statement.KindNames:      {"covers", "cover", Gate, false},
	statement.KindConn:       {"connections", "connection", Gate, false},
	statement.KindShort:      {"connections", "connection", Gate, false},
	statement.KindLatch:      {"latches", "latch", Latch, false},
	statement.KindMlatch:     {"latches", "latch", Latch, false},
	statement.KindFlop:       {"latches", "latch", Latch, false},
	statement.KindSubckt:     {"instances", "instance", Instance, false},
	statement.KindGate:       {"instances", "instance", Instance, false},
	statement.KindModel:      {"models", "model", Model, false},
}

func (s blifSyntax) rowAt(offset int) (RowRef, bool) {
	st := s.StatementAt(offset)
	sec, ok := blifSections[st.Kind]
	if !ok || offset < st.Directive.Start {
		return RowRef{}, false
	}
	r := RowRef{Section: sec.many, One: sec.one, Kind: sec.signal}
	if sec.isList {
		o, ok := s.occurrenceAt(offset)
		if !ok || !s.headSpan(st.ID).Contains(offset) {
			return RowRef{}, false
		}
		r.Span, r.Signal = o.Span, o.Lit.Signal()
		r.Index = s.position(st, o.Span.Start)
		r.Label = fmt.Sprintf("%s %d", r.One, r.Index)
		r.IsFirst = r.Index == 0
		return r, true
	}
	r.Span = s.rowSpan(st.ID)
	if offset > r.Span.End() {
		return RowRef{}, false
	}
	if st.Kind == statement.KindModel {
		m := s.ModelAt(st.ID)
		if m == nil {
			return RowRef{}, false
		}
		r.Index, r.Signal, r.Label = m.Index, s.modelSignal(m), "model "+m.Name
		return r, true
	}
	return s.definingRow(st, r, offset), true
}

// definingRow completes the row of a statement that defines nets. Of several it
// is about the one at offset, else about the first.
func (s blifSyntax) definingRow(st statement.Statement, r RowRef, offset int) RowRef {
	if names := s.namesOf(st.ID); len(names) > 0 {
		r.Signal = names[0]
		if o, ok := s.occurrenceAt(offset); ok && o.Role == RoleDefinition {
			r.Signal = o.Lit.Signal()
		}
		if d, ok := s.driver(r.Signal); ok && d.statement == st.ID {
			r.Index = d.index
		}
	} else {
		r.Kind = Undefined
	}
	r.IsFirst = r.Index == 0
	r.Label = fmt.Sprintf("%s %d", r.One, r.Index)
	if st.Kind == statement.KindSubckt || st.Kind == statement.KindGate {
		r.Label = "instance of " + s.instantiated(st.ID)
	}
	return r
}

// instantiated returns the name of the model or cell of an instance.
func (s blifSyntax) instantiated(id int) string {
	if words := s.Arguments(id); len(words) > 0 {
		return s.Text().Slice(words[0])
	}
	return ""
}

// position returns how many words of the same directives stand before a word in
// its model.
func (s blifSyntax) position(st statement.Statement, offset int) int {
	n := 0
	for i, span := range s.Arguments(st.ID) {
		if span.Contains(offset) {
			n = i
			break
		}
	}
	if m := s.ModelAt(st.ID); m != nil {
		from, _ := m.Statements()
		for other := range s.Statements(from, st.ID) {
			if other.Kind == st.Kind {
				n += len(s.Arguments(other.ID))
			}
		}
	}
	return n
}

func (s blifSyntax) rowOf(v Signal) (RowRef, bool) {
	if m := s.model(v); m != nil {
		return s.rowAt(m.NameSpan().Start)
	}
	d, ok := s.driver(v)
	if !ok {
		return RowRef{}, false
	}
	place := s.placeOf(v, d)
	r, ok := s.rowAt(place.Start)
	if !ok || r.Kind == Undefined { // an inferred input has no row
		return RowRef{}, false
	}
	if d.kind == Instance {
		words := s.Arguments(d.statement)
		for i := 2; i < len(words); i += 2 { // the model, then pairs
			if words[i] == place {
				r.Label = fmt.Sprintf("port %s of an %s", s.Text().Slice(words[i-1]), r.Label)
			}
		}
	}
	r.Signal, r.Kind = v, d.kind // of the nets that an instance drives the one asked for
	return r, true
}

// BLIF names everything where it stands: it has no lines that name elements.
func (s blifSyntax) symbolAt(int) (SymbolLine, bool) { return SymbolLine{}, false }

// symbolLines yields the models, their ports and latches.
func (s blifSyntax) symbolLines() iter.Seq[SymbolLine] {
	return func(yield func(SymbolLine) bool) {
		before := map[statement.Kind]int{} // words of the same directives of the model
		for st := range s.Statements(0, s.NumStatements()) {
			sec := blifSections[st.Kind]
			switch {
			case st.Kind == statement.KindModel:
				clear(before)
			case sec.isList:
				if !s.listLines(st, before[st.Kind], yield) {
					return
				}
				before[st.Kind] += len(s.Arguments(st.ID))
				continue
			case sec.signal != Latch:
				continue
			}
			for o := range s.statementOccurrences(st.ID) {
				out, ok := s.occurrence(o)
				if !ok || out.Role != RoleDefinition {
					continue
				}
				if row, ok := s.rowAt(o.Span.Start); ok && !yield(s.symbolLine(out, row)) {
					return
				}
			}
		}
	}
}

// listLines yields the names of a list, of which before others stand in front.
func (s blifSyntax) listLines(st statement.Statement, before int, yield func(SymbolLine) bool) bool {
	sec, words := blifSections[st.Kind], s.Arguments(st.ID)
	i := 0
	for o := range s.statementOccurrences(st.ID) {
		for i < len(words) && words[i].Start < o.Span.Start {
			i++
		}
		out, ok := s.occurrence(o)
		isPort := out.Role == RoleDefinition || out.Use == AsProperty
		if !ok || !isPort || i == len(words) || words[i] != o.Span { // in a comment
			continue
		}
		n := before + i
		row := RowRef{Section: sec.many, One: sec.one, Label: fmt.Sprintf("%s %d", sec.one, n), Index: n,
			Span: o.Span, Kind: sec.signal, Signal: out.Lit.Signal(), IsFirst: n == 0}
		if !yield(s.symbolLine(out, row)) {
			return false
		}
	}
	return true
}

func (s blifSyntax) symbolLine(o Occurrence, row RowRef) SymbolLine {
	return SymbolLine{Span: o.Span, NameSpan: o.Span, Name: s.name(o.Lit.Signal()), Row: row, Lit: o.Lit, HasLit: true}
}

// sections returns a section for each model. Of a large one the gates and
// instances are left out.
func (s blifSyntax) sections(many int) []Section {
	var all []Section
	for _, m := range s.Models() {
		section := Section{Name: "model " + m.Name, Span: m.Span()}
		from, to := m.Statements()
		for st := range s.Statements(from, to) {
			sec, ok := blifSections[st.Kind]
			if !ok || st.Kind == statement.KindModel || to-from > many && (sec.signal == Gate || sec.signal == Instance) {
				continue
			}
			section.Rows = append(section.Rows, s.sectionRows(st, sec.isList, sec.signal)...)
		}
		all = append(all, section)
	}
	return all
}

func (s blifSyntax) sectionRows(st statement.Statement, isList bool, kind SignalKind) []Row {
	words := s.Arguments(st.ID)
	if isList {
		var rows []Row
		for _, w := range words {
			rows = append(rows, Row{Name: s.Text().Slice(w), Detail: blifSections[st.Kind].one, Span: w, Focus: w, Kind: kind})
		}
		return rows
	}
	head := s.headSpan(st.ID)
	row := Row{Detail: foldedLine(s.Text().Slice(head)), Span: s.rowSpan(st.ID), Focus: st.Directive, Kind: kind}
	for o := range s.statementOccurrences(st.ID) {
		if o.Role.IsDefinition() {
			row.Name, row.Focus = s.Name(o.Signal), o.Span
			break
		}
	}
	if kind == Instance {
		row.Name = strings.TrimSpace(s.InstanceName(st.ID) + " : " + s.instantiated(st.ID))
	}
	if row.Name == "" {
		return nil
	}
	return []Row{row}
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

// maxFolds bounds the covers that can be folded: editors stop at a few thousand
// folds.
const maxFolds = 4000

// sectionSpans returns the covers, state tables and comments, then the models
// that hold them.
func (s blifSyntax) sectionSpans() []SectionSpan {
	var all []SectionSpan
	table := -1
	for st := range s.Statements(0, s.NumStatements()) {
		switch st.Kind {
		case statement.KindStartKiss:
			table = st.Directive.Start
		case statement.KindEndKiss:
			if table >= 0 {
				all = append(all, SectionSpan{Name: "state table", Span: source.SpanFromTo(table, st.Directive.End())})
			}
			table = -1
		case statement.KindNames:
			if len(all) >= maxFolds {
				continue
			}
			if rows := s.NumRows(st.ID); rows > 0 {
				all = append(all, SectionSpan{Name: "cover", Rows: rows, Span: s.rowSpan(st.ID)})
			}
		}
	}
	all = append(all, s.commentBlocks()...)
	for _, m := range s.Models() {
		from, to := m.Statements()
		span := m.Span()
		for span.Length > 0 && s.Text().Byte(span.End()-1) <= ' ' {
			span.Length--
		}
		all = append(all, SectionSpan{Name: "model " + m.Name, Rows: to - from, Span: span})
	}
	return all
}

// commentBlocks returns the runs of comment lines.
func (s blifSyntax) commentBlocks() []SectionSpan {
	var all []SectionSpan
	start, end, lines := -1, 0, 0
	flush := func() {
		if start >= 0 && len(all) < maxFolds {
			all = append(all, SectionSpan{Name: "comment", Rows: lines, Span: source.SpanFromTo(start, end), Comment: true})
		}
		start, lines = -1, 0
	}
	for line := range s.CommentLines() {
		if start >= 0 && line.Start > end+1 {
			flush()
		}
		if start < 0 {
			start = line.Start
		}
		end, lines = line.End(), lines+1
	}
	flush()
	return all
}

// BLIF announces no numbers.
func (s blifSyntax) header() []HeaderField { return nil }
func (s blifSyntax) found(HeaderField) int { return 0 }
