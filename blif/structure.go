package blif

import (
	"sync"

	"aiglens/internal/source"
)

// Model is a model of a File.
type Model struct {
	File  *File
	Index int    // among the models of the file
	Name  string // that of the file when the text gives none

	id       name
	nameRef  tokenRef // of the name, when hasName
	hasName  bool
	implicit bool // starts without .model
	// Statements from ≤ id < to belong to the model, from ≤ id < bodyEnd are
	// neither those behind .end nor the don't-care network.
	from, to, bodyEnd int
	end               int // the .end, or -1
	exdc              int // the .exdc, or -1
	blackbox          bool
	hasPortLines      bool
	inputs, outputs   []port
	clocks            []port
	exdcOutputs       []port
	tables            []table
	portMap           func() map[string]portRef
}

// port is a name in a list of inputs, outputs or clocks.
type port struct {
	id  name
	ref tokenRef
}

type portRef struct {
	dir   direction
	index int
}

// table is a state table: the statements from .start_kiss to .end_kiss.
type table struct {
	from, to int // to is the .end_kiss, or where the table breaks off
	closed   bool
}

// NameSpan returns the place of the model's name; of a model without one the
// end of .model, or an empty span at the first directive.
func (m *Model) NameSpan() source.Span {
	switch {
	case m.hasName:
		return m.File.refSpan(m.nameRef)
	case m.implicit:
		return source.Span{Start: m.File.Statement(m.from).Span.Start}
	}
	return source.Span{Start: m.File.directiveSpan(m.from).End()}
}

// Span returns the text of the model.
func (m *Model) Span() source.Span {
	from, last := m.File.Statement(m.from), m.File.contentSpan(m.to-1)
	return source.SpanFromTo(from.Span.Start, max(last.End(), from.Span.Start))
}

// Statements returns the range of the numbers of the model's statements, the
// second number excluded.
func (m *Model) Statements() (from, to int) { return m.from, m.to }

// IsBlackBox reports whether the model has no body on purpose.
func (m *Model) IsBlackBox() bool { return m.blackbox }

// HasStateTable reports whether the model holds a KISS table.
func (m *Model) HasStateTable() bool { return len(m.tables) > 0 }

// structure is what the directives that are no logic say: the models and
// their ports. It depends on no other file.
type structure struct {
	models   []*Model
	byName   map[name]*Model // the first of each name
	searches []tokenRef
	findings []source.Diagnostic
}

// Models returns the models in text order.
func (f *File) Models() []*Model { return f.structure().models }

// Model returns the first model with a name, or nil.
func (f *File) Model(name string) *Model {
	if id := f.names.find(name); id != 0 {
		return f.structure().byName[id]
	}
	return nil
}

// Top returns the model that is checked: the first one; nil in a file without
// models.
func (f *File) Top() *Model {
	if models := f.Models(); len(models) > 0 {
		return models[0]
	}
	return nil
}

// ModelAt returns the model of the statement with a number, or nil.
func (f *File) ModelAt(id int) *Model {
	models := f.Models()
	lo, hi := 0, len(models)
	for lo < hi {
		if mid := (lo + hi) / 2; models[mid].from <= id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return nil
	}
	return models[lo-1]
}

// structureReader goes over the statements that are no logic.
type structureReader struct {
	f     *File
	s     *structure
	m     *Model // the current one, or nil
	table bool   // its last table is open
	stray bool   // statements behind .end have been reported
}

func (f *File) readStructure() *structure {
	r := structureReader{f: f, s: &structure{byName: map[name]*Model{}}}
	next := 0 // the first statement not looked at
	for k, c := range f.chunks {
		for _, mark := range c.marks {
			id := int(f.stmts[k] + mark)
			r.logic(next, id)
			r.mark(k, int(mark), id)
			next = id + 1
		}
	}
	r.logic(next, f.NumStatements())
	r.close(f.NumStatements())
	if len(r.s.models) == 0 {
		r.report(f.finding(CodeEmptyFile, source.Span{Length: f.text.LineSpan(0).Length}, "the file holds no model"))
	} else if last := r.m; last.end < 0 {
		r.report(f.finding(CodeEndMissing, source.Span{Start: f.contentEnd()}, "no .end at the end of the file"))
	}
	f.findDuplicates(r.s)
	return r.s
}

func (r *structureReader) report(d source.Diagnostic) { r.s.findings = append(r.s.findings, d) }

// logic notes that the statements from ≤ id < to are logic.
func (r *structureReader) logic(from, to int) {
	if from >= to {
		return
	}
	r.inside(from)
	if r.table {
		r.closeTable(from, false)
	}
	r.strayAt(from)
}

// inside begins a model when there is none.
func (r *structureReader) inside(id int) {
	if r.m != nil {
		return
	}
	r.begin(id)
	r.m.implicit, r.m.Name = true, r.f.baseName()
	r.report(r.f.finding(CodeModelMissing, r.f.directiveSpan(id), "no .model before the first directive"))
}

func (r *structureReader) begin(id int) {
	m := &Model{File: r.f, Index: len(r.s.models), from: id, end: -1, exdc: -1}
	m.portMap = sync.OnceValue(m.readPorts)
	r.s.models = append(r.s.models, m)
	r.m, r.table, r.stray = m, false, false
}

// close ends the current model before statement id.
func (r *structureReader) close(id int) {
	if r.m == nil {
		return
	}
	if r.table {
		r.closeTable(id, false)
	}
	r.m.to = id
	r.m.bodyEnd = id
	if r.m.end >= 0 {
		r.m.bodyEnd = r.m.end
	}
	if r.m.exdc >= 0 {
		r.m.bodyEnd = min(r.m.bodyEnd, r.m.exdc)
	}
}

// strayAt reports the first statement behind .end, if id is one.
func (r *structureReader) strayAt(id int) {
	if r.m.end >= 0 && !r.stray {
		r.stray = true
		r.report(r.f.finding(CodeAfterEnd, r.f.directiveSpan(id), "behind .end only .model and .search can stand"))
	}
}

func (r *structureReader) closeTable(id int, closed bool) {
	t := &r.m.tables[len(r.m.tables)-1]
	t.to, t.closed = id, closed
	r.table = false
}

func (r *structureReader) mark(k, i, id int) {
	c := r.f.chunks[k]
	st := c.stmts[i]
	switch st.kind {
	case KindText:
		return
	case KindModel:
		r.model(k, i, id)
		return
	case KindSearch:
		lo, hi := c.tokens(i)
		for t := lo + 1; t < hi; t++ {
			r.s.searches = append(r.s.searches, tokenRef{uint32(k), t})
		}
		return
	}
	r.inside(id)
	if r.m.end >= 0 {
		r.strayAt(id)
		return
	}
	if r.table && st.kind != KindKissHeader && st.kind != KindEndKiss {
		r.closeTable(id, false)
	}
	switch st.kind {
	case KindEnd:
		r.m.end = id
	case KindInputs, KindOutputs, KindClock:
		r.ports(k, i)
	case KindBlackbox:
		r.m.blackbox = true
	case KindExdc:
		if r.m.exdc < 0 {
			r.m.exdc = id
		}
	case KindStartKiss:
		r.m.tables = append(r.m.tables, table{from: id, to: id + 1})
		r.table = true
	case KindEndKiss:
		if r.table {
			r.closeTable(id, true)
			return
		}
		r.report(r.f.finding(CodeKissMisplaced, r.f.directiveSpan(id), ".end_kiss without .start_kiss before it"))
	case KindKissHeader:
		if !r.table {
			word := r.f.text.Slice(r.f.directiveSpan(id))
			r.report(r.f.finding(CodeKissMisplaced, r.f.directiveSpan(id), word+" belongs between .start_kiss and .end_kiss"))
		}
	}
}

func (r *structureReader) model(k, i, id int) {
	c := r.f.chunks[k]
	if r.m != nil && r.m.end < 0 {
		r.report(r.f.finding(CodeEndMissing, r.f.directiveSpan(id), "no .end before the next .model"))
	}
	r.close(id)
	r.begin(id)
	lo, hi := c.tokens(i)
	if hi-lo < 2 {
		r.m.Name = r.f.baseName()
		r.report(r.f.finding(CodeModelName, source.Span{Start: r.f.directiveSpan(id).End()}, ".model has no name"))
		return
	}
	r.m.id, r.m.hasName = c.ids[lo+1], true
	r.m.nameRef = tokenRef{uint32(k), lo + 1}
	r.m.Name = r.f.words.text(r.m.id)
}

// ports adds the names of a list to the model.
func (r *structureReader) ports(k, i int) {
	c := r.f.chunks[k]
	list := &r.m.inputs
	switch {
	case c.stmts[i].kind == KindOutputs && r.m.exdc >= 0:
		list = &r.m.exdcOutputs
	case r.m.exdc >= 0:
		return
	case c.stmts[i].kind == KindOutputs:
		list = &r.m.outputs
	case c.stmts[i].kind == KindClock:
		list = &r.m.clocks
	}
	r.m.hasPortLines = r.m.hasPortLines || c.stmts[i].kind != KindClock
	lo, hi := c.tokens(i)
	for t := lo + 1; t < hi; t++ {
		*list = append(*list, port{c.ids[t], tokenRef{uint32(k), t}})
	}
}

func (f *File) findDuplicates(s *structure) {
	for _, m := range s.models {
		if !m.hasName {
			continue
		}
		first, ok := s.byName[m.id]
		if !ok {
			s.byName[m.id] = m
			continue
		}
		d := f.finding(CodeModelTwice, m.NameSpan(), "model "+m.Name+" is defined twice; the first one counts")
		d.Related = []source.Related{{Span: first.NameSpan(), Message: "first definition"}}
		s.findings = append(s.findings, d)
	}
}

// Inputs and Outputs return the names of the ports in order. Of a model with
// neither .inputs nor .outputs they are inferred: what nothing drives and what
// nothing reads. Clocks of .clock lines that are not among the inputs count as
// inputs, last.
func (m *Model) Inputs() []string { return m.portNames(dirIn) }

// Outputs returns the names of the outputs, see Inputs.
func (m *Model) Outputs() []string { return m.portNames(dirOut) }

func (m *Model) portNames(dir direction) []string {
	var names []string
	for _, id := range m.portIDs(dir) {
		names = append(names, m.File.words.text(id))
	}
	return names
}

// portIDs returns the names of the ports of a direction in order.
func (m *Model) portIDs(dir direction) []name {
	var ids []name
	if !m.hasPortLines {
		return m.inferPorts(dir)
	}
	list := m.inputs
	if dir == dirOut {
		list = m.outputs
	}
	for _, p := range list {
		ids = append(ids, p.id)
	}
	if dir == dirIn {
		for _, p := range m.clocks {
			if !hasPort(m.inputs, p.id) {
				ids = append(ids, p.id)
			}
		}
	}
	return ids
}

func hasPort(ports []port, id name) bool {
	for _, p := range ports {
		if p.id == id {
			return true
		}
	}
	return false
}

func (m *Model) readPorts() map[string]portRef {
	ports := map[string]portRef{}
	for _, dir := range []direction{dirIn, dirOut} {
		for i, name := range m.portNames(dir) {
			if _, ok := ports[name]; !ok {
				ports[name] = portRef{dir, i}
			}
		}
	}
	return ports
}

// inferPorts finds the ports of a model without port lines. Pins of instances
// count where the ports of their model are written down, or can be inferred
// before: it lies in this file and holds no instance of this model.
func (m *Model) inferPorts(dir direction) []name {
	driven, read := map[name]bool{}, map[name]bool{}
	holds := map[*Model]bool{}
	var order []name
	f := m.File
	note := func(id name, drives bool) {
		if !driven[id] && !read[id] {
			order = append(order, id)
		}
		driven[id] = driven[id] || drives
		read[id] = read[id] || !drives
	}
	for id := m.from; id < m.bodyEnd; id++ {
		k, i := f.at(id)
		c := f.chunks[k]
		var b block
		if c.stmts[i].kind.isInstance() {
			if b = f.instanceOf(k, i); !b.isKnown() || b.model != nil && !b.model.hasPortLines && !m.infersAfter(b.model, holds) {
				continue
			}
		}
		f.roles(k, i, b, func(t uint32, role Role) {
			if role.drives() || role.reads() {
				note(c.ids[t], role.drives())
			}
		})
	}
	var ids []name
	for _, id := range order {
		if dir == dirIn && !driven[id] || dir == dirOut && !read[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// infersAfter reports whether the ports of a model without port lines can be
// inferred before those of m. holds keeps, by model, whether one with inferred
// ports below it is m, or lies in a circle.
func (m *Model) infersAfter(other *Model, holds map[*Model]bool) bool {
	if other == m || other.File != m.File {
		return false
	}
	found, known := holds[other]
	if known {
		return !found
	}
	holds[other] = true // while it is being looked at
	f := m.File
	for id := other.from; id < other.bodyEnd; id++ {
		k, i := f.at(id)
		if !f.chunks[k].stmts[i].kind.isInstance() {
			continue
		}
		if next := f.instanceOf(k, i).model; next != nil && !next.hasPortLines && next.File == f && !m.infersAfter(next, holds) {
			return false
		}
	}
	holds[other] = false
	return true
}

// contentEnd returns the offset behind the last visible byte that is not in a
// comment at the end of the file.
func (f *File) contentEnd() int { return f.contentSpan(f.NumStatements() - 1).End() }
