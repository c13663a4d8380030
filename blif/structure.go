package blif

import (
	"sync"
	"sync/atomic"

	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// Model is a model of a File. It is immutable once the structure of the file
// has been read.
type Model struct {
	File  *File
	Index int    // among the models of the file
	Name  string // that of the file when the text gives none

	id       statement.Name     // of a model with HasName
	nameRef  statement.TokenRef // likewise
	HasName  bool
	Implicit bool // starts without .model
	// Statements From ≤ id < To belong to the model; From ≤ id < BodyEnd ≤ To are
	// neither those after .end nor the don't-care network.
	From, To, BodyEnd int
	End               int  // the .end, or -1
	Exdc              int  // the .exdc, or -1
	BlackBox          bool // has no body on purpose
	// HasPortLines says that there is an .inputs or .outputs. Without one both lists
	// are empty and the ports are inferred; see Inputs.
	HasPortLines          bool
	InputList, OutputList []Port
	Clocks                []Port // of .clock lines
	ExdcOutputs           []Port // of the don't-care network
	Tables                []statement.MachineTable
	PortMap               func() map[string]portRef // by name, worked out when first asked for
	portLists             atomic.Pointer[portLists] // of PortNames, likewise
}

// NameSpan returns the place of the model's name; of a model without one the
// end of .model, or an empty span at the first directive.
func (m *Model) NameSpan() source.Span {
	switch {
	case m.HasName:
		return m.File.RefSpan(m.nameRef)
	case m.Implicit:
		return source.Span{Start: m.File.Statement(m.From).Span.Start}
	}
	return source.Span{Start: m.File.DirectiveSpan(m.From).End()}
}

// Span returns the text of the model.
func (m *Model) Span() source.Span {
	from, last := m.File.Statement(m.From), m.File.ContentSpan(m.To-1)
	return source.SpanFromTo(from.Span.Start, max(last.End(), from.Span.Start))
}

// Structure is what the directives that are not logic say: the models and
// their ports. It depends on no other file.
type Structure struct {
	Models   []*Model                  // in text order
	byName   map[statement.Name]*Model // the first of each name
	Searches []statement.TokenRef      // the paths of .search lines
	Findings []source.Diagnostic       // what has been found wrong on the way
}

// Models returns the models in text order.
func (f *File) Models() []*Model { return f.Structure().Models }

// Model returns the first model with a name, or nil.
func (f *File) Model(name string) *Model {
	if id := f.FindName(name); id != 0 {
		return f.Structure().byName[id]
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
		if mid := (lo + hi) / 2; models[mid].From <= id {
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

// structureReader goes over the statements that are not logic.
type structureReader struct {
	f     *File
	s     *Structure
	m     *Model // the current one, or nil
	table bool   // its last table is open
	stray bool   // statements after .end have been reported
}

// structureOf reads the structure, from the marks of the chunks alone.
func (f *File) structureOf() *Structure {
	r := structureReader{f: f, s: &Structure{byName: map[statement.Name]*Model{}}}
	next := 0 // the first statement not looked at
	for k, c := range f.Chunks {
		for _, mark := range c.Marks {
			id := int(f.Firsts[k] + mark)
			r.logic(next, id)
			r.mark(k, int(mark), id)
			next = id + 1
		}
	}
	r.logic(next, f.NumStatements())
	r.close(f.NumStatements())
	if len(r.s.Models) == 0 {
		r.report(codes.Finding(codes.EmptyFile, source.Span{Length: f.Text().LineSpan(0).Length}, "the file holds no model"))
	} else if last := r.m; last.End < 0 {
		r.report(codes.Finding(codes.EndMissing, source.Span{Start: f.EndOfContent()}, "no .end at the end of the file"))
	}
	f.findDuplicates(r.s)
	return r.s
}

func (r *structureReader) report(d source.Diagnostic) { r.s.Findings = append(r.s.Findings, d) }

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
	r.m.Implicit, r.m.Name = true, r.f.BaseName()
	r.report(codes.Finding(codes.ModelMissing, r.f.DirectiveSpan(id), "no .model before the first directive"))
}

func (r *structureReader) begin(id int) {
	m := &Model{File: r.f, Index: len(r.s.Models), From: id, End: -1, Exdc: -1}
	m.PortMap = sync.OnceValue(m.readPorts)
	r.s.Models = append(r.s.Models, m)
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
	r.m.To = id
	r.m.BodyEnd = id
	if r.m.End >= 0 {
		r.m.BodyEnd = r.m.End
	}
	if r.m.Exdc >= 0 {
		r.m.BodyEnd = min(r.m.BodyEnd, r.m.Exdc)
	}
}

// strayAt reports the first statement after .end, if id is one.
func (r *structureReader) strayAt(id int) {
	if r.m.End >= 0 && !r.stray {
		r.stray = true
		r.report(codes.Finding(codes.AfterEnd, r.f.DirectiveSpan(id), "after .end only .model and .search can stand"))
	}
}

func (r *structureReader) closeTable(id int, closed bool) {
	t := &r.m.Tables[len(r.m.Tables)-1]
	t.To, t.Closed = id, closed
	r.table = false
}

func (r *structureReader) mark(k, i, id int) {
	c := r.f.Chunks[k]
	st := c.Stmts[i]
	switch st.Kind {
	case statement.KindText:
		return
	case statement.KindModel:
		r.model(k, i, id)
		return
	case statement.KindSearch:
		lo, hi := c.TokensOf(i)
		for t := lo + 1; t < hi; t++ {
			r.s.Searches = append(r.s.Searches, statement.TokenRef{Chunk: uint32(k), Token: t})
		}
		return
	}
	r.inside(id)
	if r.m.End >= 0 {
		r.strayAt(id)
		return
	}
	if r.table && st.Kind != statement.KindKissHeader && st.Kind != statement.KindEndKiss {
		r.closeTable(id, false)
	}
	switch st.Kind {
	case statement.KindEnd:
		r.m.End = id
	case statement.KindInputs, statement.KindOutputs, statement.KindClock:
		r.ports(k, i)
	case statement.KindBlackbox:
		r.m.BlackBox = true
	case statement.KindExdc:
		if r.m.Exdc < 0 {
			r.m.Exdc = id
		}
	case statement.KindStartKiss:
		r.m.Tables = append(r.m.Tables, statement.MachineTable{From: id, To: id + 1})
		r.table = true
	case statement.KindEndKiss:
		if r.table {
			r.closeTable(id, true)
			return
		}
		r.report(codes.Finding(codes.KissMisplaced, r.f.DirectiveSpan(id), ".end_kiss without .start_kiss before it"))
	case statement.KindKissHeader:
		if !r.table {
			word := r.f.Text().Slice(r.f.DirectiveSpan(id))
			r.report(codes.Finding(codes.KissMisplaced, r.f.DirectiveSpan(id), word+" belongs between .start_kiss and .end_kiss"))
		}
	}
}

func (r *structureReader) model(k, i, id int) {
	c := r.f.Chunks[k]
	if r.m != nil && r.m.End < 0 {
		r.report(codes.Finding(codes.EndMissing, r.f.DirectiveSpan(id), "no .end before the next .model"))
	}
	r.close(id)
	r.begin(id)
	lo, hi := c.TokensOf(i)
	if hi-lo < 2 {
		r.m.Name = r.f.BaseName()
		r.report(codes.Finding(codes.ModelName, source.Span{Start: r.f.DirectiveSpan(id).End()}, ".model has no name"))
		return
	}
	r.m.id, r.m.HasName = c.Names[lo+1], true
	r.m.nameRef = statement.TokenRef{Chunk: uint32(k), Token: lo + 1}
	r.m.Name = r.f.NameText(r.m.id)
}

// ports adds the names of a list to the model.
func (r *structureReader) ports(k, i int) {
	c := r.f.Chunks[k]
	list := &r.m.InputList
	switch {
	case c.Stmts[i].Kind == statement.KindOutputs && r.m.Exdc >= 0:
		list = &r.m.ExdcOutputs
	case r.m.Exdc >= 0:
		return
	case c.Stmts[i].Kind == statement.KindOutputs:
		list = &r.m.OutputList
	case c.Stmts[i].Kind == statement.KindClock:
		list = &r.m.Clocks
	}
	r.m.HasPortLines = r.m.HasPortLines || c.Stmts[i].Kind != statement.KindClock
	lo, hi := c.TokensOf(i)
	for t := lo + 1; t < hi; t++ {
		*list = append(*list, Port{c.Names[t], statement.TokenRef{Chunk: uint32(k), Token: t}})
	}
}

func (f *File) findDuplicates(s *Structure) {
	for _, m := range s.Models {
		if !m.HasName {
			continue
		}
		first, ok := s.byName[m.id]
		if !ok {
			s.byName[m.id] = m
			continue
		}
		d := codes.Finding(codes.ModelTwice, m.NameSpan(), "model "+m.Name+" is defined twice; the first one counts")
		d.Related = []source.Related{{Span: first.NameSpan(), Message: "first definition"}}
		s.Findings = append(s.Findings, d)
	}
}
