package document

import (
	"strings"
	"sync"

	"aiglens/blif"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// blifElaboration is the circuit of the flattened hierarchy of a BLIF file.
type blifElaboration struct {
	*flat.Elaboration
	syntax blifSyntax
	// instances are the numbers of the instances by path; only those of models
	// that occur once by model.
	instances func() blifInstances
}

type blifInstances struct {
	byPath map[string]int
	only   map[*blif.Model]int // -1 for a model that occurs several times
}

func (s blifSyntax) elaborate() elaboration {
	e := blifElaboration{flat.Elaborate(s.File), s, nil}
	e.instances = sync.OnceValue(func() blifInstances {
		all := blifInstances{map[string]int{}, map[*blif.Model]int{}}
		for id := range e.NumInstances() {
			in := e.InstanceAt(id)
			all.byPath[in.Path] = id
			if _, again := all.only[in.Model]; again {
				id = -1
			}
			all.only[in.Model] = id
		}
		return all
	})
	return e
}

func (e blifElaboration) circuit() *circuit.Circuit { return e.Circuit }

// litOf knows the signals of the top model, and those of a model that has one
// instance; of a model with more, a signal stands for several literals.
func (e blifElaboration) litOf(l Lit) (circuit.Lit, bool) {
	if l.Signal() == 0 {
		return circuit.Lit(l), true
	}
	m := e.syntax.SignalModel(blif.Signal(l.Signal()))
	id, ok := e.instances().only[m]
	if m == nil || !ok || id < 0 {
		return 0, false
	}
	lit, ok := e.LitIn(id, blif.Signal(l.Signal()))
	return lit.NotIf(l.IsNegated()), ok
}

func (e blifElaboration) fault(p circuit.Property) *source.Diagnostic { return e.Fault(p) }

// originLine returns the line of an element; of one in another file there is none.
func (e blifElaboration) originLine(o circuit.Origin) int {
	p, ok := e.Place(o)
	if !ok || p.File != e.syntax.File {
		return -1
	}
	return p.File.Text().LineAt(p.Span.Start)
}

// latch returns a latch by its flattened name. One of another file stands at the
// instance through which that file comes in, too.
func (e blifElaboration) latch(index int) (SourceSignal, bool) {
	name := e.LatchName(index)
	place, ok := e.Place(e.Circuit.Latches()[index].Origin)
	if !ok {
		return SourceSignal{}, false
	}
	span, signal := definitionOf(name, place)
	if place.File == e.syntax.File {
		id := e.syntax.StatementAt(place.Span.Start).ID
		return SourceSignal{Name: name, Lit: Signal(signal).Lit(), Row: e.syntax.rowSpan(id), Span: span}, true
	}
	id, ok := e.callOf(name)
	if !ok {
		return SourceSignal{}, false
	}
	out := SourceSignal{Name: name, Row: e.syntax.rowSpan(id), Span: e.syntax.Statement(id).Directive}
	if e.syntax.view != nil {
		if path := e.syntax.view.PathOf(place.File); path != "" {
			out.Other = &Target{Word: out.Span, Path: path, Text: place.File.Text(), Span: span}
		}
	}
	return out, true
}

// definitionOf returns the word that defines a latch in the statement at a place,
// and its net; else the place.
func definitionOf(name string, place flat.Place) (source.Span, blif.Signal) {
	f := place.File
	st := f.StatementAt(place.Span.Start)
	span := st.Span
	span.Length = max(0, span.Length-1)
	for o := range f.OccurrencesIn(span) {
		if o.Statement == st.ID && o.Role.IsDefinition() && (name == f.Name(o.Signal) || strings.HasSuffix(name, "/"+f.Name(o.Signal))) {
			return o.Span, o.Signal
		}
	}
	return place.Span, 0
}

// callOf returns the statement of this file that leads to a flattened name.
func (e blifElaboration) callOf(name string) (statement int, ok bool) {
	for i := strings.LastIndexByte(name, '/'); i >= 0; i = strings.LastIndexByte(name[:i], '/') {
		id, known := e.instances().byPath[name[:i]]
		if !known {
			continue
		}
		for id > 0 {
			in := e.InstanceAt(id)
			if e.InstanceAt(in.Parent).Model.File == e.syntax.File {
				return in.Statement, true
			}
			id = in.Parent
		}
	}
	return 0, false
}

func (e blifElaboration) copies(l Lit, limit int) []Copy {
	var all []Copy
	m := e.syntax.SignalModel(blif.Signal(l.Signal()))
	for id := 0; m != nil && id < e.NumInstances() && len(all) < limit; id++ {
		in := e.InstanceAt(id)
		if in.Model != m {
			continue
		}
		if lit, ok := e.LitIn(id, blif.Signal(l.Signal())); ok {
			all = append(all, Copy{in.Path, lit.NotIf(l.IsNegated())})
		}
	}
	return all
}

func (e blifElaboration) cuts(p circuit.Property) []source.Diagnostic { return e.Cuts(p) }
