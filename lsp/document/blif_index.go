package document

import (
	"iter"
	"slices"

	"aiglens/blif"
	"aiglens/internal/source"
)

// blifIndex says of every net what drives it. It is made in one look at all
// statements, when a feature first asks for more than a place.
type blifIndex struct {
	drivers   []blifDriver // by net
	ops       []Lit
	instances map[*blif.Model][]int // of models of the file, by statement
}

// blifDriver is what drives a net: its operands are ops[from:to].
type blifDriver struct {
	kind      SignalKind
	index     int32 // among those of its kind in the model
	statement int32
	from, to  uint32
	span      source.Span
}

func newBLIFIndex(f *blif.File) *blifIndex {
	x := &blifIndexer{f: f, x: &blifIndex{drivers: make([]blifDriver, f.NumSignals()+1), instances: map[*blif.Model][]int{}}}
	statement := -1
	for o := range f.OccurrencesIn(source.Span{Length: f.Text().Len()}) {
		if o.Statement != statement {
			x.statement(statement)
			statement = o.Statement
		}
		x.pending = append(x.pending, o)
	}
	x.statement(statement)
	x.infer()
	return x.x
}

// blifIndexer collects the occurrences of a statement, since what a statement
// reads may stand before what it defines.
type blifIndexer struct {
	f       *blif.File
	x       *blifIndex
	pending []blif.Occurrence
	model   *blif.Model
	counts  [Model + 1]int32 // of the current model, by kind
}

func (x *blifIndexer) statement(id int) {
	defer func() { x.pending = x.pending[:0] }()
	if id < 0 {
		return
	}
	kind := x.f.Statement(id).Kind
	if m := x.f.ModelAt(id); m != x.model {
		x.model, x.counts = m, [Model + 1]int32{}
	}
	from := uint32(len(x.x.ops))
	for _, o := range x.pending {
		switch o.Role {
		case blif.RoleOperand, blif.RolePinInput, blif.RoleNext:
			x.x.ops = append(x.x.ops, Signal(o.Signal).Lit())
		case blif.RoleInstance:
			if m := x.f.Instance(id); m != nil && m.File == x.f {
				x.x.instances[m] = append(x.x.instances[m], id)
			}
		}
	}
	to := uint32(len(x.x.ops))
	for _, o := range x.pending {
		as, ok := kindOfDriver(o.Role, kind)
		if !ok || o.Signal == 0 {
			continue
		}
		d := &x.x.drivers[o.Signal]
		if d.kind != Undefined && (d.span.Length > 0 || o.Role == blif.RolePin) {
			continue
		}
		*d = blifDriver{as, x.counts[as], int32(id), from, to, o.Span}
		if as == Input {
			d.to = from
		}
		x.counts[as]++
	}
}

// kindOfDriver says what a word makes of its net.
func kindOfDriver(role blif.Role, statement blif.Kind) (SignalKind, bool) {
	switch role {
	case blif.RoleInput, blif.RoleClock:
		return Input, true
	case blif.RoleLatch:
		return Latch, true
	case blif.RoleDefined:
		return Gate, true
	case blif.RolePinOutput:
		if statement == blif.KindMlatch {
			return Latch, true
		}
		return Instance, true
	}
	return Undefined, false
}

// infer adds the inputs of models without port lines, at the first place where
// each is read.
func (x *blifIndexer) infer() {
	for _, m := range x.f.Models() {
		from, to := m.Statements()
		hasPorts := false
		for id := from; id < to && !hasPorts; id++ {
			k := x.f.Statement(id).Kind
			hasPorts = k == blif.KindInputs || k == blif.KindOutputs
			if k == blif.KindEnd {
				break
			}
		}
		if hasPorts {
			continue
		}
		for i, name := range m.Inputs() {
			s := m.Signal(name)
			if d := &x.x.drivers[s]; s != 0 && d.kind == Undefined {
				for o := range x.f.Occurrences(s) {
					*d = blifDriver{kind: Input, index: int32(i), statement: int32(o.Statement), span: o.Span}
					break
				}
			}
		}
	}
}

func (s blifSyntax) driver(v Signal) (blifDriver, bool) {
	if d := s.index().drivers; int(v) < len(d) && d[v].kind != Undefined {
		return d[v], true
	}
	return blifDriver{}, false
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
	return d.kind, int(d.index), append(buf, s.index().ops[d.from:d.to]...)
}

func (s blifSyntax) countUses(v Signal) (positive, negated int) {
	if m := s.model(v); m != nil {
		return len(s.index().instances[m]), 0
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
	def := Definition{Kind: d.kind, Index: int(d.index), Span: d.span, Row: s.rowSpan(int(d.statement))}
	ops := s.index().ops[d.from:d.to]
	switch d.kind {
	case Latch:
		def.Next, def.Reset = v.Lit(), s.reset(v, int(d.statement))
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
	arguments := s.Arguments(id)
	word := ""
	switch kind := s.Statement(id).Kind; {
	case kind == blif.KindLatch && (len(arguments) == 3 || len(arguments) == 5), kind == blif.KindMlatch && len(arguments) > 0:
		word = s.Text().Slice(arguments[len(arguments)-1])
		if word == "" && len(arguments) > 1 { // a pair, of which the second word is missing
			word = s.Text().Slice(arguments[len(arguments)-2])
		}
	case kind == blif.KindFlop:
		for i := 0; i+1 < len(arguments); i += 2 {
			if s.Text().Slice(arguments[i]) == "init" {
				word = s.Text().Slice(arguments[i+1])
			}
		}
	}
	switch word {
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
	if !ok || d.kind != Gate || d.from == d.to && s.Name(blif.Signal(v)) == "$undef" {
		return Cover{}, false
	}
	c := Cover{Inputs: s.index().ops[d.from:d.to]}
	if s.Statement(int(d.statement)).Kind != blif.KindNames {
		c.Cubes = []string{"1"}
		return c, len(c.Inputs) == 1
	}
	for row := range s.Rows(int(d.statement)) {
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
	end := st.Directive.End()
	if words := s.Arguments(id); len(words) > 0 {
		end = max(end, words[len(words)-1].End())
	}
	for row := range s.Rows(id) {
		end = max(end, row.Span.End())
	}
	return source.SpanFromTo(st.Directive.Start, end)
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

// statements yields the statements of a span of numbers.
func (s blifSyntax) statements(from, to int) iter.Seq[blif.Statement] {
	return func(yield func(blif.Statement) bool) {
		for id := from; id < to; id++ {
			if !yield(s.Statement(id)) {
				return
			}
		}
	}
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
