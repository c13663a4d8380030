package blifdesign

import (
	"fmt"
	"iter"

	"aiglens/blif/statement"
	"aiglens/design"
	"aiglens/internal/source"
)

// sections are the kinds of statements that have rows, with the names of
// their elements.
var sections = map[statement.Kind]struct {
	many, one string
	signal    design.SignalKind
	isList    bool // each word is a row of its own
}{
	statement.KindInputs:     {"inputs", "input", design.Input, true},
	statement.KindClock:      {"clocks", "clock", design.Input, true},
	statement.KindOutputs:    {"outputs", "output", design.Undefined, true},
	statement.KindConstraint: {"constraints", "constraint", design.Undefined, true},
	statement.KindNames:      {"covers", "cover", design.Gate, false},
	statement.KindConn:       {"connections", "connection", design.Gate, false},
	statement.KindShort:      {"connections", "connection", design.Gate, false},
	statement.KindLatch:      {"latches", "latch", design.Latch, false},
	statement.KindMlatch:     {"latches", "latch", design.Latch, false},
	statement.KindFlop:       {"latches", "latch", design.Latch, false},
	statement.KindSubckt:     {"instances", "instance", design.Instance, false},
	statement.KindGate:       {"instances", "instance", design.Instance, false},
	statement.KindModel:      {"models", "model", design.Model, false},
}

func (s *syntax) RowAt(offset int) (design.RowRef, bool) {
	st := s.file.StatementAt(offset)
	sec, ok := sections[st.Kind]
	if !ok || offset < st.Directive.Start {
		return design.RowRef{}, false
	}
	r := design.RowRef{Section: sec.many, One: sec.one, Kind: sec.signal}
	if sec.isList {
		o, ok := s.OccurrenceAt(offset)
		if !ok || !s.headSpan(st.ID).Contains(offset) {
			return design.RowRef{}, false
		}
		r.Span, r.Signal = o.Span, o.Lit.Signal()
		r.Index = s.position(st, o.Span.Start)
		r.Label = fmt.Sprintf("%s %d", r.One, r.Index)
		r.IsFirst = r.Index == 0
		return r, true
	}
	r.Span = s.rowSpan(st.ID)
	if offset > r.Span.End() {
		return design.RowRef{}, false
	}
	if st.Kind == statement.KindModel {
		m := s.file.ModelAt(st.ID)
		if m == nil {
			return design.RowRef{}, false
		}
		r.Index, r.Signal, r.Label = m.Index, s.modelSignal(m), "model "+m.Name
		return r, true
	}
	return s.definingRow(st, r, offset), true
}

// definingRow completes the row of a statement that defines nets. Of several it
// is about the one at offset, else about the first.
func (s *syntax) definingRow(st statement.Statement, r design.RowRef, offset int) design.RowRef {
	if names := s.namesOf(st.ID); len(names) > 0 {
		r.Signal = names[0]
		if o, ok := s.OccurrenceAt(offset); ok && o.Role == design.RoleDefinition {
			r.Signal = o.Lit.Signal()
		}
		if d, ok := s.driver(r.Signal); ok && d.statement == st.ID {
			r.Index = d.index
		}
	} else {
		r.Kind = design.Undefined
	}
	r.IsFirst = r.Index == 0
	r.Label = fmt.Sprintf("%s %d", r.One, r.Index)
	if st.Kind == statement.KindSubckt || st.Kind == statement.KindGate {
		r.Label = "instance of " + s.instantiated(st.ID)
	}
	return r
}

// instantiated returns the name of the model or cell of an instance.
func (s *syntax) instantiated(id int) string {
	if words := s.file.Arguments(id); len(words) > 0 {
		return s.file.Text().Slice(words[0])
	}
	return ""
}

// position returns how many words of the same directives stand before a word in
// its model.
func (s *syntax) position(st statement.Statement, offset int) int {
	n := 0
	for i, span := range s.file.Arguments(st.ID) {
		if span.Contains(offset) {
			n = i
			break
		}
	}
	if m := s.file.ModelAt(st.ID); m != nil {
		from := m.From
		for other := range s.file.Statements(from, st.ID) {
			if other.Kind == st.Kind {
				n += len(s.file.Arguments(other.ID))
			}
		}
	}
	return n
}

func (s *syntax) RowOf(v design.Signal) (design.RowRef, bool) {
	if m := s.model(v); m != nil {
		return s.RowAt(m.NameSpan().Start)
	}
	d, ok := s.driver(v)
	if !ok {
		return design.RowRef{}, false
	}
	place := s.placeOf(v, d)
	r, ok := s.RowAt(place.Start)
	if !ok || r.Kind == design.Undefined { // an inferred input has no row
		return design.RowRef{}, false
	}
	if d.kind == design.Instance {
		words := s.file.Arguments(d.statement)
		for i := 2; i < len(words); i += 2 { // the model, then pairs
			if words[i] == place {
				r.Label = fmt.Sprintf("port %s of an %s", s.file.Text().Slice(words[i-1]), r.Label)
			}
		}
	}
	r.Signal, r.Kind = v, d.kind // of the nets that an instance drives the one asked for
	return r, true
}

// BLIF names everything where it stands: it has no lines that name elements.
func (s *syntax) SymbolAt(int) (design.SymbolLine, bool) { return design.SymbolLine{}, false }

// SymbolLines yields the models, their ports and latches.
func (s *syntax) SymbolLines() iter.Seq[design.SymbolLine] {
	return func(yield func(design.SymbolLine) bool) {
		before := map[statement.Kind]int{} // words of the same directives of the model
		for st := range s.file.Statements(0, s.file.NumStatements()) {
			sec := sections[st.Kind]
			switch {
			case st.Kind == statement.KindModel:
				clear(before)
			case sec.isList:
				if !s.listLines(st, before[st.Kind], yield) {
					return
				}
				before[st.Kind] += len(s.file.Arguments(st.ID))
				continue
			case sec.signal != design.Latch:
				continue
			}
			for o := range statementOccurrences(s, st.ID) {
				out, ok := s.occurrence(o)
				if !ok || out.Role != design.RoleDefinition {
					continue
				}
				if row, ok := s.RowAt(o.Span.Start); ok && !yield(s.symbolLine(out, row)) {
					return
				}
			}
		}
	}
}

// listLines yields the names of a list, of which before others stand in front.
func (s *syntax) listLines(st statement.Statement, before int, yield func(design.SymbolLine) bool) bool {
	sec, words := sections[st.Kind], s.file.Arguments(st.ID)
	i := 0
	for o := range statementOccurrences(s, st.ID) {
		for i < len(words) && words[i].Start < o.Span.Start {
			i++
		}
		out, ok := s.occurrence(o)
		isPort := out.Role == design.RoleDefinition || out.Use == design.AsProperty
		if !ok || !isPort || i == len(words) || words[i] != o.Span { // in a comment
			continue
		}
		n := before + i
		row := design.RowRef{Section: sec.many, One: sec.one, Label: fmt.Sprintf("%s %d", sec.one, n), Index: n,
			Span: o.Span, Kind: sec.signal, Signal: out.Lit.Signal(), IsFirst: n == 0}
		if !yield(s.symbolLine(out, row)) {
			return false
		}
	}
	return true
}

func (s *syntax) symbolLine(o design.Occurrence, row design.RowRef) design.SymbolLine {
	return design.SymbolLine{Span: o.Span, NameSpan: o.Span, Name: s.Name(o.Lit.Signal()), Row: row, Lit: o.Lit, HasLit: true}
}

// maxFolds bounds the covers that can be folded: editors stop at a few thousand
// folds.
const maxFolds = 4000

// SectionSpans returns the covers, state tables and comments, then the models
// that hold them.
func (s *syntax) SectionSpans() []design.SectionSpan {
	var all []design.SectionSpan
	table := -1
	for st := range s.file.Statements(0, s.file.NumStatements()) {
		switch st.Kind {
		case statement.KindStartKiss:
			table = st.Directive.Start
		case statement.KindEndKiss:
			if table >= 0 {
				all = append(all, design.SectionSpan{Name: "state table", Span: source.SpanFromTo(table, st.Directive.End())})
			}
			table = -1
		case statement.KindNames:
			if len(all) >= maxFolds {
				continue
			}
			if rows := s.file.NumRows(st.ID); rows > 0 {
				all = append(all, design.SectionSpan{Name: "cover", Rows: rows, Span: s.rowSpan(st.ID)})
			}
		}
	}
	all = append(all, s.commentBlocks()...)
	for _, m := range s.file.Models() {
		from, to := m.From, m.To
		span := m.Span()
		for span.Length > 0 && s.file.Text().Byte(span.End()-1) <= ' ' {
			span.Length--
		}
		all = append(all, design.SectionSpan{Name: "model " + m.Name, Rows: to - from, Span: span})
	}
	return all
}

// commentBlocks returns the runs of comment lines.
func (s *syntax) commentBlocks() []design.SectionSpan {
	var all []design.SectionSpan
	start, end, lines := -1, 0, 0
	flush := func() {
		if start >= 0 && len(all) < maxFolds {
			all = append(all, design.SectionSpan{Name: "comment", Rows: lines, Span: source.SpanFromTo(start, end), Comment: true})
		}
		start, lines = -1, 0
	}
	for line := range s.file.CommentLines() {
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
func (s *syntax) Header() []design.HeaderField { return nil }
func (s *syntax) Found(design.HeaderField) int { return 0 }
