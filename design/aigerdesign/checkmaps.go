package aigerdesign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/yosys"
)

// checkMaps returns the maps that are of a circuit. Of another one it says why: names of another circuit
// are worse than none.
func (o *overlay) checkMaps(s shape, maps *Maps) (m *yosys.Map, w *yosys.WitnessMap) {
	refuse := func(name, why string) {
		o.faults = append(o.faults, fmt.Sprintf("%s is not used: %s", name, why))
	}
	if maps.Witness != nil {
		if why := s.notOfWitness(maps.Witness); why != "" {
			refuse(maps.WitnessName, why)
		} else {
			w = maps.Witness
		}
	}
	if maps.Map != nil {
		why := s.notOfMap(maps.Map)
		if why == "" && w != nil {
			why = disagree(maps.Map, w, maps.WitnessName)
		}
		if why == "" {
			why = s.lacksStart(maps.Map, w)
		}
		if why != "" {
			refuse(maps.MapName, why)
		} else {
			m = maps.Map
		}
	}
	return m, w
}

const notDense = "inputs and latches are not numbered in their order, as Yosys does"

// notOfWitness says why a map of -ywmap is not that of a file; "" when it may be.
func (s *shape) notOfWitness(w *yosys.WitnessMap) string {
	switch {
	case !s.isDense():
		return notDense
	case w.Inputs != len(s.inputs):
		return fmt.Sprintf("it is of a circuit with %s; this one has %d", findings.Count(w.Inputs, "input", "inputs"), len(s.inputs))
	case w.Latches != len(s.latches):
		return fmt.Sprintf("it is of a circuit with %s; this one has %d", findings.Count(w.Latches, "latch", "latches"), len(s.latches))
	case w.HasAsserts && len(w.Asserts) != s.bads && (len(w.Asserts) > 0 || s.bads > 1):
		return fmt.Sprintf("it is of a circuit with %s; this one has %d", findings.Count(len(w.Asserts), "assert", "asserts"), s.bads)
	case w.HasAssumes && len(w.Assumes) != s.constraints:
		return fmt.Sprintf("it is of a circuit with %s; this one has %d", findings.Count(len(w.Assumes), "assume", "assumes"), s.constraints)
	}
	if len(w.Inits) > 0 && s.hasReset {
		return "it has starts of flip-flops, which Yosys writes where each latch starts with 0; here one does not"
	}
	agree := func(bits []yosys.PathBit, prefix string) string {
		names := newAgreement(*s, syntax.SectionInputs, prefix)
		for _, b := range bits {
			if isPublic(b.Path) {
				names.add(yosys.Entry{Index: b.Input, Bit: yosys.Bit{Name: b.Path.String(), Index: b.Offset}, Line: b.Line})
			}
		}
		return names.fault()
	}
	return cmp.Or(agree(slices.Concat(w.Ports, w.Seqs), ""), agree(w.Inits, startPrefix))
}

// notOfMap says why a map of -map is not that of a file; "" when it may be.
func (s *shape) notOfMap(m *yosys.Map) string {
	if !s.isDense() {
		return notDense
	}
	for _, section := range []struct {
		entries []yosys.Entry
		one     string
		count   int
		kind    syntax.SectionKind
		prefix  string
	}{
		{m.Inputs, "input", len(s.inputs), syntax.SectionInputs, ""}, {m.Inits, "input", len(s.inputs), syntax.SectionInputs, startPrefix},
		{m.Outputs, "output", len(s.outputs), syntax.SectionOutputs, ""}, {m.Latches, "latch", len(s.latches), syntax.SectionLatches, ""},
		{m.Wires, "literal", int(s.largest) + 2, syntax.SectionComment, ""},
	} {
		names := newAgreement(*s, section.kind, section.prefix)
		for _, e := range section.entries {
			if e.Index >= section.count {
				return fmt.Sprintf("line %d names %s %d, which this circuit does not have", e.Line, section.one, e.Index)
			}
			names.add(e)
		}
		if why := names.fault(); why != "" {
			return why
		}
	}
	switch at := slices.IndexFunc(m.Latches, func(e yosys.Entry) bool { return e.Inverted }); {
	case (at >= 0 || len(m.Inits) > 0) && s.hasReset:
		return "it has inverted latches or starts of flip-flops, which Yosys writes where each latch starts with 0; here one does not"
	case m.InitLatch >= len(s.latches):
		return fmt.Sprintf("ninitff names latch %d, which this circuit does not have", m.InitLatch)
	case m.InitLatch >= 0 && !s.latches[m.InitLatch].isBegun:
		return fmt.Sprintf("ninitff names latch %d, which is not 0 in the first step and 1 after it", m.InitLatch)
	}
	if why := invertedTwice(m.Latches); why != "" {
		return why
	}
	return s.wiredElsewhere(m)
}

// invertedTwice says which latch is said to be inverted and not inverted; "" for none.
func invertedTwice(latches []yosys.Entry) string {
	inverted := map[int]bool{}
	for _, e := range latches {
		if old, has := inverted[e.Index]; has && old != e.Inverted {
			return fmt.Sprintf("line %d says of latch %d whether it is inverted, and another line says the contrary", e.Line, e.Index)
		}
		inverted[e.Index] = e.Inverted
	}
	return ""
}

// wiredElsewhere says which output, or which wire of a map of all wires, has another literal than the
// input or latch of its name; "" for none.
func (s *shape) wiredElsewhere(m *yosys.Map) string {
	if len(m.Wires) == 0 && len(m.Outputs) == 0 {
		return ""
	}
	lits, starts := map[yosys.Bit]uint32{}, map[yosys.Bit]bool{}
	for _, e := range m.Inputs {
		lits[e.Bit] = s.inputs[e.Index]
	}
	for _, e := range m.Inits {
		starts[e.Bit] = true
	}
	for _, e := range m.Latches {
		if l := s.latches[e.Index].lit; !starts[e.Bit] { // else a gate chooses
			if e.Inverted {
				l ^= 1
			}
			lits[e.Bit] = l
		}
	}
	for _, e := range m.Outputs {
		if l, has := lits[e.Bit]; has && l != s.outputs[e.Index] {
			return fmt.Sprintf("line %d calls output %d %s, which is the literal %d here, and other lines give %s the literal %d",
				e.Line, e.Index, e.Bit, s.outputs[e.Index], e.Bit, l)
		}
	}
	for _, e := range m.Wires {
		if l, has := lits[e.Bit]; has && l != uint32(e.Index) {
			return fmt.Sprintf("line %d gives %s the literal %d, where this circuit has %d", e.Line, e.Bit, e.Index, l)
		}
	}
	return ""
}

// disagree says where a map contradicts the other one of the same circuit; "" for nowhere.
func disagree(m *yosys.Map, w *yosys.WitnessMap, other string) string {
	isInit, isPort := map[int]bool{}, map[int]bool{}
	for _, b := range w.Inits {
		isInit[b.Input] = true
	}
	for _, b := range slices.Concat(w.Ports, w.Seqs) {
		isPort[b.Input] = true
	}
	for _, c := range w.Clocks {
		isPort[c.Input] = true
	}
	for _, e := range m.Inputs {
		if isInit[e.Index] {
			return fmt.Sprintf("line %d names input %d, which is the start of a flip-flop in %s", e.Line, e.Index, other)
		}
	}
	for _, e := range m.Inits {
		if isPort[e.Index] {
			return fmt.Sprintf("line %d makes input %d the start of a flip-flop, which it is not in %s", e.Line, e.Index, other)
		}
	}
	return lacksStartOf(m, w, other)
}

// lacksStartOf says which flip-flop without a start has one in a map only, which then is of the same
// source, written without -zinit; "" for none. Such a map tells nothing of inverted latches either.
// The start may be that of a private signal, as clk2fflogic makes it: then no latch has the name.
func lacksStartOf(m *yosys.Map, w *yosys.WitnessMap, other string) string {
	hasStart, latches := map[int]bool{}, map[string]yosys.Entry{}
	for _, e := range m.Inits {
		hasStart[e.Index] = true
	}
	for _, e := range m.Latches {
		latches[e.Bit.Name] = e
	}
	for _, b := range w.Inits {
		if e, isLatch := latches[b.Path.String()]; isLatch && !hasStart[b.Input] {
			return fmt.Sprintf("line %d calls latch %d %s, and no line names input %d, its start in %s: %s", e.Line, e.Index, e.Bit.Name, b.Input, other, noZinit)
		}
	}
	return ""
}

const noZinit = "the map is of a circuit written without -zinit"

// lacksStart says which latch a map names without the input for its first step, which the circuit
// has; "" for none. Gates of a source that choose between an input and a latch look the same. But
// Yosys numbers starts after all inputs, and the latch that chooses after all flip-flops, and neither
// has a name; and the latch has no other use. The other map knows all starts; it is nil for none.
func (s *shape) lacksStart(m *yosys.Map, w *yosys.WitnessMap) string {
	if len(s.choices) == 0 {
		return ""
	}
	isStart := func(position int) bool {
		return w == nil || slices.ContainsFunc(w.Inits, func(b yosys.PathBit) bool { return b.Input == position })
	}
	names, lastInput, lastLatch := map[uint32]yosys.Entry{}, uint32(0), uint32(0)
	hasStart := map[uint32]bool{}
	for _, e := range m.Inputs {
		lastInput = max(lastInput, s.inputs[e.Index])
	}
	for _, e := range m.Inits {
		hasStart[s.inputs[e.Index]] = true
	}
	for _, e := range m.Latches {
		l := s.latches[e.Index].lit
		names[l], lastLatch = e, max(lastLatch, l)
	}
	for _, c := range s.choices {
		if e, isNamed := names[c.latch]; isNamed && !hasStart[c.start] && c.start > lastInput && c.begun > lastLatch && c.isOnlyUse && isStart(int(c.start/2-1)) {
			return fmt.Sprintf("line %d calls latch %d %s, and no line names input %d, which is its start: %s", e.Line, e.Index, e.Bit.Name, c.start/2-1, noZinit)
		}
	}
	return ""
}

// agreement holds the names of a map against the symbols of a section. A symbol counts bits from 0
// on, a map from where the wire begins.
type agreement struct {
	shape    shape
	kind     syntax.SectionKind
	prefix   string                // of the symbols: startPrefix for starts
	names    map[int][]yosys.Entry // of elements with a symbol
	order    []int
	distance map[string]int // from the bits of symbols to those of the map, by wire
}

func newAgreement(s shape, k syntax.SectionKind, prefix string) *agreement {
	return &agreement{shape: s, kind: k, prefix: prefix, names: map[int][]yosys.Entry{}, distance: map[string]int{}}
}

func (a *agreement) add(e yosys.Entry) {
	if a.kind == syntax.SectionComment || a.shape.symbol(a.kind, e.Index) == "" {
		return
	}
	if _, has := a.names[e.Index]; !has {
		a.order = append(a.order, e.Index)
	}
	a.names[e.Index] = append(a.names[e.Index], e)
}

// fault says which element has a symbol that the map does not know; "" for none.
func (a *agreement) fault() string {
	for _, index := range a.order {
		entries := a.names[index]
		if symbol := a.shape.symbol(a.kind, index); !slices.ContainsFunc(entries, func(e yosys.Entry) bool { return a.agrees(symbol, e) }) {
			return fmt.Sprintf("line %d calls %s %d %s, and this circuit %s", entries[0].Line, a.kind.One(), index, entries[0].Bit.Name, symbol)
		}
	}
	return ""
}

func (a *agreement) agrees(symbol string, e yosys.Entry) bool {
	for _, name := range append(strings.Fields(symbol), symbol) {
		if name == e.Bit.Name {
			return true
		}
		name = strings.TrimPrefix(strings.TrimPrefix(name, a.prefix), "latch:")
		if e.Inverted {
			name = strings.TrimPrefix(name, "!")
		}
		if name == e.Bit.Name {
			return true
		}
		b := bitOf(name)
		if b.Name != e.Bit.Name {
			continue
		}
		distance, known := a.distance[b.Name]
		if !known {
			distance = e.Bit.Index - b.Index
			a.distance[b.Name] = distance
		}
		return e.Bit.Index-b.Index == distance
	}
	return false
}
