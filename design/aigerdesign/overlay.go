package aigerdesign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/internal/yosys"
)

// overlay is the names that maps, or symbols as Yosys writes them, give to a file. Its literals are
// those of the file. nil is no names; an overlay never changes.
//
// Yosys stores a flip-flop that starts with 1 inverted, and gives one without a start an input
// for its first step. So the flip-flop q may have another literal than its latch, which then is
// called !q; see flipFlop.
type overlay struct {
	inputs, latches, outputs []string // "" for those without a name
	flipFlops                []flipFlop
	asserts, assumes         []string
	gates                    map[uint32]string   // by the literal of the variable
	byName                   map[string][]uint32 // all names, of aliases too
	words                    []wordOfMap
	witness                  *yosys.WitnessMap // of which some of the names are; nil for none
	faults                   []string
}

// flipFlop is what the latch at a position stands for.
type flipFlop struct {
	name string // "" for one without a name
	lit  uint32 // has its value: that of the latch, its negation, or that of a gate
}

// wordOfMap is a wire with the literals of its bits, some of which may have none.
type wordOfMap struct {
	name      string
	low, high int
	bits      map[int]uint32
}

// newOverlay returns the names of a file; nil where there are none, and nothing to say about them.
func newOverlay(s shape, maps *Maps) *overlay {
	own := symbolMap(s)
	if maps == nil && own == nil {
		return nil
	}
	o := &overlay{gates: map[uint32]string{}, byName: map[string][]uint32{}}
	of := own
	if maps != nil {
		o.faults = slices.Clone(maps.Faults)
		m, w := o.checkMaps(s, maps)
		if m == nil && w == nil && own == nil {
			if len(o.faults) == 0 {
				return nil
			}
			return o
		}
		if w != nil {
			o.witness, o.asserts, o.assumes = w, pathNames(w.Asserts), pathNames(w.Assumes)
		}
		if merged := merge(m, w); merged != nil {
			of = merged
		}
	}
	if of == nil {
		of = &yosys.Map{InitLatch: -1}
	}
	n := namer{overlay: o, shape: s, of: of}
	n.name()
	return o
}

// pathNames returns what cells are called: without the part that sby writes before the names of
// those that have none in the source.
func pathNames(paths []yosys.Path) []string {
	names := make([]string, len(paths))
	for i, p := range paths {
		p = slices.DeleteFunc(slices.Clone(p), func(id string) bool { return id == `\_witness_` })
		names[i] = p.String()
	}
	return names
}

// merge adds to a map the inputs that only the other one names.
func merge(m *yosys.Map, w *yosys.WitnessMap) *yosys.Map {
	if w == nil {
		return m
	}
	merged := &yosys.Map{InitLatch: -1}
	if m != nil {
		*merged = *m
	}
	known := map[int]bool{}
	for _, e := range slices.Concat(merged.Inputs, merged.Inits) {
		known[e.Index] = true
	}
	add := func(to *[]yosys.Entry, bits []yosys.PathBit) {
		*to = slices.Clip(*to)
		for _, b := range bits {
			if name := b.Path.String(); !known[b.Input] && isPublic(b.Path) {
				*to = append(*to, yosys.Entry{Index: b.Input, Bit: yosys.Bit{Name: name, Index: b.Offset}, Line: b.Line})
			}
		}
	}
	add(&merged.Inputs, w.Ports)
	add(&merged.Inputs, w.Seqs)
	add(&merged.Inits, w.Inits)
	return merged
}

// isPublic reports whether no part of a path is a name that Yosys has made up.
func isPublic(p yosys.Path) bool {
	return !slices.ContainsFunc(p, func(id string) bool { return strings.HasPrefix(id, "$") })
}

// startPrefix begins the symbol of an input that is the start of a flip-flop.
const startPrefix = "init:"

// symbolMap returns the symbols of a file that Yosys has written as a map: each may hold several
// names, of an input for a start with init: in front, of an inverted latch with '!'. nil for others.
func symbolMap(s shape) *yosys.Map {
	if !s.isYosys {
		return nil
	}
	m, found := &yosys.Map{InitLatch: -1}, false
	each := func(k syntax.SectionKind, count int, add func(index int, name string)) {
		for i := range count {
			for name := range strings.FieldsSeq(s.symbol(k, i)) {
				found = true
				add(i, name)
			}
		}
	}
	each(syntax.SectionInputs, len(s.inputs), func(i int, name string) {
		if name, isInit := strings.CutPrefix(name, startPrefix); isInit {
			m.Inits = append(m.Inits, yosys.Entry{Index: i, Bit: bitOf(name)})
		} else {
			m.Inputs = append(m.Inputs, yosys.Entry{Index: i, Bit: bitOf(name)})
		}
	})
	each(syntax.SectionLatches, len(s.latches), func(i int, name string) {
		name, isInverted := strings.CutPrefix(name, "!")
		m.Latches = append(m.Latches, yosys.Entry{Index: i, Bit: bitOf(name), Inverted: isInverted})
	})
	each(syntax.SectionOutputs, len(s.outputs), func(i int, name string) {
		m.Outputs = append(m.Outputs, yosys.Entry{Index: i, Bit: bitOf(name)})
	})
	if !found {
		return nil
	}
	return m
}

// bitOf takes the name of a bit apart as Yosys has joined it.
func bitOf(name string) yosys.Bit {
	if open := strings.LastIndexByte(name, '['); open > 0 && strings.HasSuffix(name, "]") {
		var index int
		digits := name[open+1 : len(name)-1]
		if _, err := fmt.Sscanf(digits, "%d", &index); err == nil && fmt.Sprint(index) == digits {
			return yosys.Bit{Name: name[:open], Index: index}
		}
	}
	return yosys.Bit{Name: name, Index: noIndex}
}

// noIndex is the index of a symbol that has none.
const noIndex = -1 << 31

// namer names the elements of a file.
type namer struct {
	*overlay
	shape shape
	of    *yosys.Map
	wide  map[string]bool // wires with more bits than one, or one that is not bit 0
	at    map[string]int  // the place of each word among words
	known map[yosys.Bit]uint32
}

func (n *namer) name() {
	n.wide, n.at, n.known = map[string]bool{}, map[string]int{}, map[yosys.Bit]uint32{}
	for _, section := range [][]yosys.Entry{n.of.Inputs, n.of.Inits, n.of.Outputs, n.of.Latches, n.of.Wires} {
		for _, e := range section {
			if e.Bit.Index != 0 && e.Bit.Index != noIndex {
				n.wide[e.Bit.Name] = true
			}
		}
	}
	n.inputs = n.named(n.of.Inputs, len(n.shape.inputs), "", func(e yosys.Entry) (uint32, bool) { return n.shape.inputs[e.Index], true })
	starts := n.named(n.of.Inits, len(n.shape.inputs), startPrefix, func(e yosys.Entry) (uint32, bool) { return n.shape.inputs[e.Index], true })
	for i, name := range starts {
		if name != "" {
			n.inputs[i] = name
		}
	}
	n.nameLatches()
	n.outputs = n.named(n.of.Outputs, len(n.shape.outputs), "", func(e yosys.Entry) (uint32, bool) { return n.shape.outputs[e.Index], true })
	n.nameWires()
}

// bitName is what a bit is called.
func (n *namer) bitName(b yosys.Bit) string {
	if b.Index == noIndex || b.Index == 0 && !n.wide[b.Name] {
		return b.Name
	}
	return fmt.Sprintf("%s[%d]", b.Name, b.Index)
}

// named returns the names of elements: of several that of fewest levels of the hierarchy, and the
// shortest of these. All names are found. lit returns the literal with the value of the bit; ok
// is false where no literal has it.
func (n *namer) named(entries []yosys.Entry, count int, prefix string, lit func(yosys.Entry) (l uint32, ok bool)) []string {
	names, best := make([]string, count), make([]string, count)
	for _, e := range entries {
		if isPrivate(e.Bit.Name) {
			continue
		}
		name := n.bitName(e.Bit)
		if best[e.Index] == "" || isBetter(e.Bit.Name, best[e.Index]) {
			names[e.Index], best[e.Index] = prefix+name, e.Bit.Name
		}
		if l, ok := lit(e); ok {
			n.add(prefix, e.Bit, l)
		} else if e.Bit.Index != noIndex {
			n.word(prefix+e.Bit.Name, e.Bit.Index) // which is missing
		}
	}
	return names
}

func isPrivate(name string) bool { return strings.HasPrefix(name, "$") }

// isBetter reports whether a name is preferred to another one of the same element.
func isBetter(name, other string) bool {
	return cmp.Or(
		cmp.Compare(strings.Count(name, "."), strings.Count(other, ".")), cmp.Compare(len(name), len(other)), cmp.Compare(name, other),
	) < 0
}

// add notes a bit with its literal. Of two literals the first counts in a word: outputs and wires
// come after what they are wired to.
func (n *namer) add(prefix string, b yosys.Bit, l uint32) {
	name := prefix + n.bitName(b)
	if !slices.Contains(n.byName[name], l) {
		n.byName[name] = append(n.byName[name], l)
	}
	if b.Index == noIndex {
		return
	}
	w := n.word(prefix+b.Name, b.Index)
	if _, has := w.bits[b.Index]; !has {
		w.bits[b.Index] = l
	}
}

// word returns the word with a name, which has a bit with an index.
func (n *namer) word(name string, index int) *wordOfMap {
	at, ok := n.at[name]
	if !ok {
		at = len(n.words)
		n.at[name], n.words = at, append(n.words, wordOfMap{name, index, index, map[int]uint32{}})
	}
	w := &n.words[at]
	w.low, w.high = min(w.low, index), max(w.high, index)
	return w
}

// nameLatches names the latches, and finds what has the values of their flip-flops.
func (n *namer) nameLatches() {
	starts := map[yosys.Bit]uint32{}
	for _, e := range n.of.Inits {
		starts[e.Bit] = n.shape.inputs[e.Index]
	}
	chosen := n.chosen(starts)
	n.flipFlops = make([]flipFlop, len(n.shape.latches))
	for i, l := range n.shape.latches {
		n.flipFlops[i].lit = l.lit
	}
	isInverted, hasNoLit := map[int]bool{}, map[int]bool{}
	names := n.named(n.of.Latches, len(n.shape.latches), "", func(e yosys.Entry) (uint32, bool) {
		l := n.shape.latches[e.Index].lit
		if e.Inverted {
			isInverted[e.Index] = true
			n.flipFlops[e.Index].lit = l ^ 1
			return l ^ 1, true
		}
		if _, hasStart := starts[e.Bit]; hasStart {
			gate, ok := chosen[l]
			if !ok {
				hasNoLit[e.Index] = true
				return 0, false
			}
			n.flipFlops[e.Index].lit = gate
			return gate, true
		}
		return l, true
	})
	n.latches = make([]string, len(names))
	for i, name := range names {
		switch {
		case name == "":
		case hasNoLit[i]:
			n.latches[i] = "latch:" + name // which is not the flip-flop in the first step
			n.flipFlops[i].name = n.latches[i]
		case isInverted[i]:
			n.latches[i], n.flipFlops[i].name = "!"+name, name
		default:
			n.latches[i], n.flipFlops[i].name = name, name
		}
	}
}

// chosen returns, by the literals of latches, the literals of the gates that choose between an input
// for the first step and the latch.
func (n *namer) chosen(starts map[yosys.Bit]uint32) map[uint32]uint32 {
	latchOf := map[uint32]uint32{} // by the start: the literal of the latch
	for _, e := range n.of.Latches {
		if start, ok := starts[e.Bit]; ok && !e.Inverted {
			latchOf[start] = n.shape.latches[e.Index].lit
		}
	}
	found := map[uint32]uint32{}
	for _, c := range n.shape.choices {
		if latchOf[c.start] == c.latch {
			found[c.latch] = c.gate
		}
	}
	return found
}

// nameWires names gates: those that choose the first value of a flip-flop, and those that a map
// of all wires names.
func (n *namer) nameWires() {
	for i, f := range n.flipFlops {
		if f.name != "" && f.lit|1 != n.shape.latches[i].lit|1 {
			n.nameGate(f.name, f.lit)
		}
	}
	best := map[uint32]string{}
	for _, e := range n.of.Wires {
		l := uint32(e.Index)
		if isPrivate(e.Bit.Name) || l < 2 {
			continue
		}
		n.add("", e.Bit, l)
		if old, has := best[l&^1]; !has || isBetter(e.Bit.Name, old) {
			best[l&^1] = e.Bit.Name
			if _, isChosen := n.gates[l&^1]; !isChosen || has {
				n.nameGate(n.bitName(e.Bit), l)
			}
		}
	}
}

// nameGate names the variable of a literal.
func (n *namer) nameGate(name string, l uint32) {
	if l&1 == 1 {
		name = "!" + name
	}
	n.gates[l&^1] = name
}
