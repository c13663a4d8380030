package blifdesign

import (
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/design"
	"aiglens/internal/source"
)

// driver is what drives a net.
type driver struct {
	kind      design.SignalKind
	index     int // among those of its kind in the model
	statement int
	span      source.Span // of an input
}

// driver finds what drives a net, in the statement that does.
func (s *syntax) driver(v design.Signal) (driver, bool) {
	if place, index, ok := s.file.Input(blif.Signal(v)); ok {
		return driver{design.Input, index, s.file.StatementAt(place.Start).ID, place}, true
	}
	id, ok := s.file.Driver(blif.Signal(v))
	if !ok {
		return driver{}, false
	}
	return driver{kind: sections[s.file.Statement(id).Kind].signal, index: int(s.positions()[id]), statement: id}, true
}

// placeOf returns where a net stands in what drives it.
func (s *syntax) placeOf(v design.Signal, d driver) source.Span {
	if d.kind == design.Input {
		return d.span
	}
	for o := range statementOccurrences(s, d.statement) {
		if o.Role.IsDefinition() && o.Signal == blif.Signal(v) {
			return o.Span
		}
	}
	return s.file.Statement(d.statement).Directive
}

// operands returns what a driver reads, in text order.
func (s *syntax) operands(d driver, buf []design.Lit) []design.Lit {
	if d.kind == design.Input {
		return buf
	}
	for v := range s.file.Operands(d.statement) {
		buf = append(buf, design.Signal(v).Lit())
	}
	return buf
}

func (s *syntax) Drivers(v design.Signal, buf []design.Lit) (kind design.SignalKind, index int, lits []design.Lit) {
	if v == 0 {
		return design.Constant, 0, buf
	}
	if m := s.model(v); m != nil {
		return design.Model, m.Index, buf
	}
	d, ok := s.driver(v)
	switch {
	case !ok && blif.IsImplied(s.file, blif.Signal(v)):
		return design.Constant, 0, buf
	case !ok:
		return design.Undefined, 0, buf
	}
	return d.kind, d.index, s.operands(d, buf)
}

func (s *syntax) CountUses(v design.Signal) (positive, negated int) {
	if m := s.model(v); m != nil {
		return len(s.file.InstancesOf(m)), 0
	}
	return s.file.CountUses(blif.Signal(v)), 0
}

func (s *syntax) Definition(v design.Signal) (design.Definition, bool) {
	if m := s.model(v); m != nil {
		from := m.From
		return design.Definition{Kind: design.Model, Index: m.Index, Span: m.NameSpan(), Row: s.file.Statement(from).Directive}, true
	}
	d, ok := s.driver(v)
	switch {
	case !ok && blif.IsImplied(s.file, blif.Signal(v)):
		return design.Definition{Kind: design.Constant}, false
	case !ok:
		return design.Definition{}, false
	}
	def := design.Definition{Kind: d.kind, Index: d.index, Span: s.placeOf(v, d), Row: s.rowSpan(d.statement)}
	ops := s.operands(d, nil)
	switch d.kind {
	case design.Latch:
		def.Next, def.Reset = v.Lit(), s.reset(v, d.statement)
		if len(ops) > 0 {
			def.Next = ops[0]
		}
	case design.Gate, design.Instance:
		def.Operands = ops
	}
	return def, true
}

// reset returns the constant that a latch starts with, or the latch itself when
// its value is free.
func (s *syntax) reset(v design.Signal, id int) design.Lit {
	switch s.file.InitialValue(id) {
	case "0":
		return 0
	case "1":
		return 1
	}
	return v.Lit()
}

// Cover returns the function of a net that .names, .conn or .short defines. Yosys'
// $undef has none: it is any value, although its cover is that of 0.
func (s *syntax) Cover(v design.Signal) (design.Cover, bool) {
	d, ok := s.driver(v)
	if !ok || d.kind != design.Gate {
		return design.Cover{}, false
	}
	c := design.Cover{Inputs: s.operands(d, nil)}
	if len(c.Inputs) == 0 && s.file.Name(blif.Signal(v)) == "$undef" {
		return design.Cover{}, false
	}
	if s.file.Statement(d.statement).Kind != statement.KindNames {
		c.Cubes = []string{"1"}
		return c, len(c.Inputs) == 1
	}
	for row := range s.file.Rows(d.statement) {
		cube, output := s.file.Text().Slice(row.Cube), s.file.Text().Slice(row.Output)
		offSet := output == "0"
		isRow := (offSet || output == "1") && len(cube) == len(c.Inputs) && strings.Trim(cube, "01-") == ""
		if !isRow || len(c.Cubes) > 0 && offSet != c.OffSet {
			return design.Cover{Inputs: c.Inputs, Faulty: true}, true
		}
		c.Cubes, c.OffSet = append(c.Cubes, cube), offSet
	}
	return c, true
}

// rowSpan returns the lines of a statement up to its last word.
func (s *syntax) rowSpan(id int) source.Span {
	st := s.file.Statement(id)
	return source.SpanFromTo(st.Directive.Start, max(st.Directive.End(), s.file.ContentSpan(id).End()))
}

// headSpan returns the directive of a statement with its words.
func (s *syntax) headSpan(id int) source.Span {
	st := s.file.Statement(id)
	end := st.Directive.End()
	if words := s.file.Arguments(id); len(words) > 0 {
		end = max(end, words[len(words)-1].End())
	}
	return source.SpanFromTo(st.Directive.Start, end)
}

// namesOf returns the nets that a statement defines, in text order.
func (s *syntax) namesOf(id int) []design.Signal {
	var all []design.Signal
	for o := range statementOccurrences(s, id) {
		if o.Role.IsDefinition() && o.Signal != 0 && !slices.Contains(all, design.Signal(o.Signal)) {
			all = append(all, design.Signal(o.Signal))
		}
	}
	return all
}
func (s *syntax) CoverCell(offset int) []source.Span {
	st := s.file.StatementAt(offset)
	if st.Kind != statement.KindNames || s.file.Text().LineAt(offset) == s.file.Text().LineAt(st.Directive.Start) {
		return nil
	}
	head := s.file.Arguments(st.ID)
	for row := range s.file.Rows(st.ID) {
		switch {
		case row.Span.End() < offset:
			continue
		case row.Output.Length == 0 || row.Cube.Length != len(head)-1:
		case row.Output.Contains(offset):
			return []source.Span{head[len(head)-1], row.Output}
		case row.Cube.Length > 0 && row.Cube.Contains(offset):
			at := min(offset, row.Cube.End()-1)
			return []source.Span{head[at-row.Cube.Start], {Start: at, Length: 1}}
		}
		return nil
	}
	return nil
}
