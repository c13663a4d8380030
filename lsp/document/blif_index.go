package document

import (
	"slices"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// blifDriver is what drives a net.
type blifDriver struct {
	kind      SignalKind
	index     int // among those of its kind in the model
	statement int
	span      source.Span // of an input
}

// driver finds what drives a net, in the statement that does.
func (s blifSyntax) driver(v Signal) (blifDriver, bool) {
	if place, index, ok := s.Input(blif.Signal(v)); ok {
		return blifDriver{Input, index, s.StatementAt(place.Start).ID, place}, true
	}
	id, ok := s.Driver(blif.Signal(v))
	if !ok {
		return blifDriver{}, false
	}
	return blifDriver{kind: blifSections[s.Statement(id).Kind].signal, index: int(s.positions()[id]), statement: id}, true
}

// placeOf returns where a net stands in what drives it.
func (s blifSyntax) placeOf(v Signal, d blifDriver) source.Span {
	if d.kind == Input {
		return d.span
	}
	for o := range s.statementOccurrences(d.statement) {
		if o.Role.IsDefinition() && o.Signal == blif.Signal(v) {
			return o.Span
		}
	}
	return s.Statement(d.statement).Directive
}

// operands returns what a driver reads, in text order.
func (s blifSyntax) operands(d blifDriver, buf []Lit) []Lit {
	if d.kind == Input {
		return buf
	}
	for v := range s.Operands(d.statement) {
		buf = append(buf, Signal(v).Lit())
	}
	return buf
}

func (s blifSyntax) drivers(v Signal, buf []Lit) (kind SignalKind, index int, lits []Lit) {
	if v == 0 {
		return Constant, 0, buf
	}
	if m := s.model(v); m != nil {
		return Model, m.Index, buf
	}
	d, ok := s.driver(v)
	if !ok {
		return Undefined, 0, buf
	}
	return d.kind, d.index, s.operands(d, buf)
}

func (s blifSyntax) countUses(v Signal) (positive, negated int) {
	if m := s.model(v); m != nil {
		return len(s.InstancesOf(m)), 0
	}
	return s.CountUses(blif.Signal(v)), 0
}

func (s blifSyntax) definition(v Signal) (Definition, bool) {
	if m := s.model(v); m != nil {
		from, _ := m.Statements()
		return Definition{Kind: Model, Index: m.Index, Span: m.NameSpan(), Row: s.Statement(from).Directive}, true
	}
	d, ok := s.driver(v)
	if !ok {
		return Definition{}, false
	}
	def := Definition{Kind: d.kind, Index: d.index, Span: s.placeOf(v, d), Row: s.rowSpan(d.statement)}
	ops := s.operands(d, nil)
	switch d.kind {
	case Latch:
		def.Next, def.Reset = v.Lit(), s.reset(v, d.statement)
		if len(ops) > 0 {
			def.Next = ops[0]
		}
	case Gate, Instance:
		def.Operands = ops
	}
	return def, true
}

// reset returns the constant that a latch starts with, or the latch itself when
// its value is free.
func (s blifSyntax) reset(v Signal, id int) Lit {
	switch s.InitialValue(id) {
	case "0":
		return 0
	case "1":
		return 1
	}
	return v.Lit()
}

// cover returns the function of a net that .names, .conn or .short defines. Yosys'
// $undef has none: it is any value, although its cover is that of 0.
func (s blifSyntax) cover(v Signal) (Cover, bool) {
	d, ok := s.driver(v)
	if !ok || d.kind != Gate {
		return Cover{}, false
	}
	c := Cover{Inputs: s.operands(d, nil)}
	if len(c.Inputs) == 0 && s.Name(blif.Signal(v)) == "$undef" {
		return Cover{}, false
	}
	if s.Statement(d.statement).Kind != statement.KindNames {
		c.Cubes = []string{"1"}
		return c, len(c.Inputs) == 1
	}
	for row := range s.Rows(d.statement) {
		offSet := s.Text().Slice(row.Output) == "0"
		if row.Output.Length == 0 || row.Cube.Length != len(c.Inputs) || len(c.Cubes) > 0 && offSet != c.OffSet {
			return Cover{}, false // faulty, as its diagnostic says
		}
		c.Cubes, c.OffSet = append(c.Cubes, s.Text().Slice(row.Cube)), offSet
	}
	return c, true
}

// rowSpan returns the lines of a statement up to its last word.
func (s blifSyntax) rowSpan(id int) source.Span {
	st := s.Statement(id)
	return source.SpanFromTo(st.Directive.Start, max(st.Directive.End(), s.ContentEnd(id)))
}

// headSpan returns the directive of a statement with its words.
func (s blifSyntax) headSpan(id int) source.Span {
	st := s.Statement(id)
	end := st.Directive.End()
	if words := s.Arguments(id); len(words) > 0 {
		end = max(end, words[len(words)-1].End())
	}
	return source.SpanFromTo(st.Directive.Start, end)
}

// namesOf returns the nets that a statement defines, in text order.
func (s blifSyntax) namesOf(id int) []Signal {
	var all []Signal
	for o := range s.statementOccurrences(id) {
		if o.Role.IsDefinition() && o.Signal != 0 && !slices.Contains(all, Signal(o.Signal)) {
			all = append(all, Signal(o.Signal))
		}
	}
	return all
}
