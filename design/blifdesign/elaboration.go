package blifdesign

import (
	"context"
	"errors"
	"strings"
	"sync"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/internal/source"
)

// elaboration is the circuit of the flattened hierarchy of a BLIF file.
type elaboration struct {
	*flat.Elaboration
	syntax *syntax
	// byPath are the numbers of the instances by path, and only those of the models that
	// occur once, by model; -1 stands for several. They are apart because the paths of a
	// deep hierarchy take much memory.
	byPath func() map[string]int
	only   func() map[*blif.Model]int
	// elements are the names of the elements, and nets say which net a variable is.
	elements func() compare.Names
	nets     func() netsByVar
}

func (s *syntax) Elaborate(ctx context.Context) (design.Elaboration, error) {
	built, err := flat.ElaborateWithin(ctx, s.file)
	if err != nil {
		return nil, err
	}
	e := elaboration{Elaboration: built, syntax: s}
	e.byPath = sync.OnceValue(func() map[string]int {
		all := map[string]int{}
		for id := range e.NumInstances() {
			all[e.InstanceAt(id).Path] = id
		}
		return all
	})
	e.only = sync.OnceValue(func() map[*blif.Model]int {
		all := map[*blif.Model]int{}
		for id := range e.NumInstances() {
			m := e.ModelAt(id)
			if _, again := all[m]; again {
				id = -1
			}
			all[m] = id
		}
		return all
	})
	e.elements = sync.OnceValue(e.findElements)
	e.nets = sync.OnceValue(e.netsByVar)
	return e, nil
}

func (e elaboration) Circuit() *circuit.Circuit { return e.Elaboration.Circuit }

// LitOf knows the signals of the top model, and those of a model that has one
// instance; of a model with more, a signal stands for several literals.
func (e elaboration) LitOf(l design.Lit) (circuit.Lit, bool) {
	if l.Signal() == 0 {
		return circuit.Lit(l), true
	}
	m := e.syntax.file.SignalModel(blif.Signal(l.Signal()))
	id, ok := e.only()[m]
	if m == nil || !ok || id < 0 {
		return 0, false
	}
	lit, ok := e.LitIn(id, blif.Signal(l.Signal()))
	return lit.NotIf(l.IsNegated()), ok
}

// OriginLine returns the line of an element; of one in another file there is none.
func (e elaboration) OriginLine(o circuit.Origin) int {
	p, ok := e.Place(o)
	if !ok || p.File != e.syntax.file {
		return -1
	}
	return p.File.Text().LineAt(p.Span.Start)
}

// LatchSource returns a latch by its flattened name. One that a property comes with stands
// where that does, one of another file also at the instance through which that file comes
// in.
func (e elaboration) LatchSource(index int) (design.SourceSignal, bool) {
	name := e.LatchName(index)
	place, ok := e.Place(e.Elaboration.Circuit.Latches()[index].Origin)
	if !ok {
		return design.SourceSignal{}, false
	}
	if !e.IsNetLatch(index) {
		return design.SourceSignal{Name: name, Row: place.Span, Span: place.Span}, true
	}
	span, signal := definitionOf(name, place)
	if place.File == e.syntax.file {
		id := e.syntax.file.StatementAt(place.Span.Start).ID
		return design.SourceSignal{Name: name, Lit: design.Signal(signal).Lit(), Row: e.syntax.rowSpan(id), Span: span}, true
	}
	id, ok := e.callOf(name)
	if !ok {
		return design.SourceSignal{}, false
	}
	out := design.SourceSignal{Name: name, Row: e.syntax.rowSpan(id), Span: e.syntax.file.Statement(id).Directive}
	if e.syntax.view != nil {
		if path := e.syntax.view.PathOf(place.File); path != "" {
			out.Other = &design.Target{Word: out.Span, Path: path, Text: place.File.Text(), Span: span}
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
func (e elaboration) callOf(name string) (statement int, ok bool) {
	for i := strings.LastIndexByte(name, '/'); i >= 0; i = strings.LastIndexByte(name[:i], '/') {
		id, known := e.byPath()[name[:i]]
		if !known {
			continue
		}
		for id > 0 {
			in := e.InstanceAt(id)
			if e.InstanceAt(in.Parent).Model.File == e.syntax.file {
				return in.Statement, true
			}
			id = in.Parent
		}
	}
	return 0, false
}

// Copies returns the literals of a signal in the instances of its model.
func (e elaboration) Copies(l design.Lit, limit int) []design.Copy {
	var all []design.Copy
	m := e.syntax.file.SignalModel(blif.Signal(l.Signal()))
	for id := 0; m != nil && id < e.NumInstances() && len(all) < limit; id++ {
		if e.ModelAt(id) != m {
			continue
		}
		if lit, ok := e.LitIn(id, blif.Signal(l.Signal())); ok {
			all = append(all, design.Copy{Path: e.InstanceAt(id).Path, Lit: lit.NotIf(l.IsNegated())})
		}
	}
	return all
}

// NumInputs counts those of the circuit: what has no driver is a cut of its own.
func (e elaboration) NumInputs() int { return len(e.Elaboration.Circuit.Inputs()) }

// InputSource returns an input by its flattened name; that is all there is of one
// that no word of a file stands for.
func (e elaboration) InputSource(index int) (design.SourceSignal, bool) {
	place, ok := e.Place(e.Elaboration.Circuit.Inputs()[index].Origin)
	if !ok {
		return design.SourceSignal{Name: e.InputName(index)}, true
	}
	if !e.IsNetInput(index) {
		return design.SourceSignal{Name: e.InputName(index), Row: place.Span, Span: place.Span}, true
	}
	return e.sourceAt(e.InputName(index), place.File, place.Span)
}

// Gates numbers the nets of the flattened hierarchy.
func (e elaboration) Gates() []uint32 {
	found := make([]uint32, e.Elaboration.Circuit.NumVars())
	for n := range e.NumNets() {
		if l, ok := e.NetLit(n); ok && l.Var() != 0 && found[l.Var()] == 0 {
			found[l.Var()] = uint32(n+1)<<1 | uint32(l&1)
		}
	}
	return found
}

// GateSource returns a net by its flattened name.
func (e elaboration) GateSource(number uint32) (design.SourceSignal, bool) {
	net := e.NetAt(int(number) - 1)
	def, ok := net.File.Definition(net.Signal)
	if !ok {
		return design.SourceSignal{}, false
	}
	m, ok := e.sourceAt(net.Name, net.File, def.Span)
	if ok && net.File == e.syntax.file {
		m.Lit = design.Signal(net.Signal).Lit()
	}
	return m, ok
}

// sourceAt returns the source of a net that a word of a file defines.
func (e elaboration) sourceAt(name string, f *blif.File, span source.Span) (design.SourceSignal, bool) {
	if f == e.syntax.file {
		m := design.SourceSignal{Name: name, Row: e.syntax.rowSpan(e.syntax.file.StatementAt(span.Start).ID), Span: span}
		if o, ok := e.syntax.file.OccurrenceAt(span.Start); ok {
			m.Lit = design.Signal(o.Signal).Lit()
		}
		return m, true
	}
	id, ok := e.callOf(name)
	if !ok {
		return design.SourceSignal{}, false
	}
	m := design.SourceSignal{Name: name, Row: e.syntax.rowSpan(id), Span: e.syntax.file.Statement(id).Directive}
	if e.syntax.view != nil {
		if path := e.syntax.view.PathOf(f); path != "" {
			m.Other = &design.Target{Word: m.Span, Path: path, Text: f.Text(), Span: span}
		}
	}
	return m, true
}

func (e elaboration) LeftOpen(p circuit.Property) design.LeftOpen {
	return leftOpen(e.Elaboration.LeftOpen(p))
}

func (e elaboration) LeftOpenAt(lits ...circuit.Lit) design.LeftOpen {
	return leftOpen(e.Elaboration.LeftOpenAt(lits...))
}

func leftOpen(open flat.LeftOpen) design.LeftOpen {
	return design.LeftOpen{Parts: open.Cuts, Starts: open.Starts, Start: open.Start}
}

// Broken returns the first error of the text or of the flattened circuit.
func (e elaboration) Broken() *source.Diagnostic {
	if e.syntax.file.Top() == nil {
		return &source.Diagnostic{Severity: source.Error, Message: "there is no model"}
	}
	for _, d := range diagnose.Diagnostics(e.syntax.file) {
		if d.Severity == source.Error {
			return &d
		}
	}
	fault, _ := e.Whole()
	return fault
}

// Sound refuses errors of the text and of the flattened circuit. What is left open is told.
func (e elaboration) Sound() (errs []source.Diagnostic, err error) {
	for _, d := range diagnose.Diagnostics(e.syntax.file) {
		if d.Severity == source.Error {
			errs = append(errs, d)
		}
	}
	if len(errs) > 0 {
		return errs, errors.New("the file has errors, in whose places the circuit would have free inputs")
	}
	fault, cuts := e.Whole()
	if fault != nil {
		return []source.Diagnostic{*fault}, errors.New("the circuit of the file has an error")
	}
	return cuts, nil
}
