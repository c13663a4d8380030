package verilogdesign

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
	"aiglens/internal/yosys"
)

// Source is one file of a design.
type Source struct {
	Path string // or URI
	Text source.Text
}

// Synthesis is what Yosys has made of the sources of a design. It never changes.
type Synthesis struct {
	sources  []Source
	output   *synthesis.Output // nil where Yosys has failed
	messages []synthesis.Message
	reason   string // why there is no circuit

	model     *aiger.Model          // of the circuit
	circuit   *design.Design        // of the model
	text      func() *design.Design // of its text
	top       string
	signals   []*signal
	hierarchy *hierarchy
	byNet     map[yosys.NetBit]uint32 // literals of the model
	checks    map[circuit.Property]*check
	stored    stored
	reset     string // the input that is assumed to be active at first
}

// check is a statement that makes a property.
type check struct {
	statement string // assert, cover, live
	name      string // with its instances
	place     place
}

// Failed returns the outcome of a synthesis without a circuit.
func Failed(sources []Source, f *synthesis.Failure) *Synthesis {
	return &Synthesis{sources: sources, messages: f.Said, reason: f.Reason}
}

// AfterOther returns a failed outcome that has the top module of the synthesis before it.
func (s *Synthesis) AfterOther(before *Synthesis) *Synthesis {
	if s.model != nil || before.top == "" {
		return s
	}
	next := *s
	next.top = before.top
	return &next
}

// NewSynthesis returns the outcome of a synthesis. reset is the name of a reset that is active in
// the first step, with ! in front when it is active at 0; "" for none; see assumeReset. The error says that the
// files of Yosys do not belong together, or that there is no such reset.
func NewSynthesis(sources []Source, out *synthesis.Output, reset string) (*Synthesis, error) {
	model, diagnostics, ok := aiger.ParseBinary(string(out.Circuit))
	if !ok || model == nil {
		return nil, fmt.Errorf("the circuit that Yosys has written cannot be read: %s", firstOf(diagnostics))
	}
	s := &Synthesis{sources: sources, output: out, messages: out.Said, model: model, top: out.Netlist.Name, checks: map[circuit.Property]*check{}}
	if err := s.findLiterals(); err != nil {
		return nil, err
	}
	s.hierarchy = newHierarchy(out)
	s.findSignals()
	s.findStored()
	if err := s.findChecks(); err != nil {
		return nil, err
	}
	if err := s.assumeReset(reset); err != nil {
		return nil, err
	}
	s.nameElements()
	s.circuit, s.text = aigerdesign.FromModel(sources[0].Path, model), sync.OnceValue(s.findText)
	return s, nil
}

func firstOf(diagnostics []source.Diagnostic) string {
	if len(diagnostics) == 0 {
		return "it is no AIGER file"
	}
	return diagnostics[0].Message
}

// Sources returns the files, the first of which stands for the design.
func (s *Synthesis) Sources() []Source { return s.sources }

// TextOf returns the text of a source that the synthesis rests on.
func (s *Synthesis) TextOf(path string) source.Text {
	if i := s.indexOf(path); i >= 0 {
		return s.sources[i].Text
	}
	return source.Text{}
}

func (s *Synthesis) indexOf(path string) int {
	return slices.IndexFunc(s.sources, func(f Source) bool { return f.Path == path })
}

// Reason says why there is no circuit; "" where there is one.
func (s *Synthesis) Reason() string { return s.reason }

// Output returns what Yosys has made; nil where it has failed.
func (s *Synthesis) Output() *synthesis.Output { return s.output }

// Model returns the circuit as an AIGER file, with the names of the sources; nil for none.
func (s *Synthesis) Model() *aiger.Model { return s.model }

// Words say what the circuit is that of, for the user.
func (s *Synthesis) Words() string {
	words := "module " + s.top + ", as " + s.output.Version + " reads it"
	if s.reset != "" {
		words += ", with reset " + s.reset + " in the first step"
		if !s.output.Clocked {
			words += " and until each clock that is an input has had an edge"
		}
	}
	if !s.output.Clocked {
		words += "; it has several clocks or edges: each step is one of a clock that all follow, and the clocks are inputs"
	} else if s.output.Clock != "" {
		words += "; a step is a cycle of " + s.output.Clock
	}
	return words
}

// errMap says that files of Yosys contradict each other. Nothing is shown then.
func errMap(format string, args ...any) error {
	return fmt.Errorf("the circuit and the names that Yosys has written do not belong together: "+format, args...)
}

// findLiterals says which literals of the model the nets of the netlist are, by the names of the
// map. All names of a net must agree.
func (s *Synthesis) findLiterals() error {
	s.byNet = map[yosys.NetBit]uint32{}
	wires := map[string]*yosys.Wire{}
	for i := range s.output.Netlist.Wires {
		w := &s.output.Netlist.Wires[i]
		wires[w.Name] = w
	}
	m := s.output.Map
	for _, list := range []struct {
		entries []yosys.Entry
		lit     func(index int) (uint32, bool)
	}{
		{m.Inputs, func(i int) (uint32, bool) { return at(s.model.Inputs, i) }},
		{m.Latches, func(i int) (uint32, bool) {
			if i < 0 || i >= len(s.model.Latches) {
				return 0, false
			}
			return s.model.Latches[i].Lit, true
		}},
		{m.Wires, func(i int) (uint32, bool) { return uint32(i), i >= 0 && i/2 <= int(s.model.MaxVar) }},
	} {
		for _, e := range list.entries {
			lit, ok := list.lit(e.Index)
			w := wires[e.Bit.Name]
			if !ok || w == nil || e.Inverted || e.Bit.Index < w.Offset || e.Bit.Index-w.Offset >= len(w.Bits) {
				return errMap("line %d of the map", e.Line)
			}
			net := w.Bits[e.Bit.Index-w.Offset]
			if known, has := s.byNet[net]; has && known != lit {
				return errMap("%s is literal %d and %d", e.Bit, known, lit)
			}
			if net.IsNet() {
				s.byNet[net] = lit
			}
		}
	}
	s.findUnread()
	return nil
}

// findUnread says which literals the nets are that nothing reads, such as an output of which only the
// negation is used: write_aiger leaves them out. A gate that no other net has is not in the circuit,
// and its net stays without a literal.
func (s *Synthesis) findUnread() {
	gates := map[[2]uint32]uint32{}
	for _, g := range s.model.Ands {
		gates[[2]uint32{max(g.RHS0, g.RHS1), min(g.RHS0, g.RHS1)}] = g.LHS
	}
	readers := map[yosys.NetBit][]*yosys.Cell{}
	var todo []*yosys.Cell
	for i := range s.output.Netlist.Cells {
		c := &s.output.Netlist.Cells[i]
		a, b, y := c.Ports["A"], c.Ports["B"], c.Ports["Y"]
		if c.Type != "$_NOT_" && c.Type != "$_AND_" || len(a) != 1 || len(y) != 1 || !y[0].IsNet() || (c.Type == "$_AND_") != (len(b) == 1) {
			continue
		}
		if _, known := s.byNet[y[0]]; known {
			continue
		}
		todo = append(todo, c)
		for _, operand := range append(a[:1:1], b...) {
			readers[operand] = append(readers[operand], c)
		}
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		y := c.Ports["Y"][0]
		lit, ok := s.litOf(c.Ports["A"][0])
		if c.Type == "$_AND_" && ok {
			var right uint32
			if right, ok = s.litOf(c.Ports["B"][0]); ok {
				lit, ok = gates[[2]uint32{max(lit, right), min(lit, right)}]
			}
		} else {
			lit ^= 1
		}
		if _, known := s.byNet[y]; known || !ok {
			continue
		}
		s.byNet[y] = lit
		todo = append(todo, readers[y]...)
	}
}

func at(list []uint32, i int) (uint32, bool) {
	if i < 0 || i >= len(list) {
		return 0, false
	}
	return list[i], true
}

// litOf returns the literal of a bit; ok is false for a net that the circuit does not have.
func (s *Synthesis) litOf(b yosys.NetBit) (lit uint32, ok bool) {
	if !b.IsNet() {
		return uint32(max(b, 0)), b != yosys.BitUnknown
	}
	lit, ok = s.byNet[b]
	return lit, ok
}

// findChecks finds the statements behind the properties. Yosys writes both files in the order of
// the cells; each is held against the gate of its property.
func (s *Synthesis) findChecks() error {
	gates := map[uint32]syntax.And{}
	for _, g := range s.model.Ands {
		gates[g.LHS] = g
	}
	names := nameSet{}
	var bads, covers []*check
	var badLits, coverLits []uint32
	numBads, numConstraints, numJustice, numFairness := 0, 0, 0, 0
	for i := range s.output.Netlist.Cells {
		c := &s.output.Netlist.Cells[i]
		switch c.Type {
		case "$assert":
			lit, ok := at(s.model.Bads, numBads)
			if !ok || !s.fits(c, lit, gates) {
				return errMap("assert %s is not bad %d", c.Name, numBads)
			}
			numBads++
			if c.Attributes.IsSet(synthesis.CoverAttribute) {
				covers, coverLits = append(covers, s.checkOf(c, "cover", names)), append(coverLits, lit)
			} else {
				bads, badLits = append(bads, s.checkOf(c, "assert", names)), append(badLits, lit)
			}
		case "$assume":
			lit, ok := at(s.model.Constraints, numConstraints)
			if !ok || !s.fits(c, lit^1, gates) {
				return errMap("assume %s is not constraint %d", c.Name, numConstraints)
			}
			s.name(syntax.SectionConstraints, numConstraints, s.checkOf(c, "assume", names).name)
			numConstraints++
		case "$live":
			s.checks[circuit.Property{Kind: circuit.PropertyJustice, Index: numJustice}] = s.checkOf(c, "live", names)
			numJustice++
		case "$fair":
			s.name(syntax.SectionFairness, numFairness, s.checkOf(c, "fair", names).name)
			numFairness++
		}
	}
	m := s.model
	if numBads != len(m.Bads) || numConstraints != len(m.Constraints) || numJustice != len(m.Justice) || numFairness != len(m.Fairness) {
		return errMap("the circuit has another number of properties: assert %d for %d, assume %d for %d, live %d for %d, fair %d for %d",
			numBads, len(m.Bads), numConstraints, len(m.Constraints), numJustice, len(m.Justice), numFairness, len(m.Fairness))
	}
	m.Bads = badLits
	for i, k := range bads {
		s.checks[circuit.Property{Kind: circuit.PropertyBad, Index: i}] = k
	}
	for i, k := range covers {
		m.AddAside(syntax.AsideCover, coverLits[i], k.name)
		s.checks[circuit.Property{Kind: circuit.PropertyCover, Index: i}] = k
	}
	return nil
}

// fits reports whether a literal is the conjunction of the enable of a cell and the negation of
// what it states, where both have literals.
func (s *Synthesis) fits(c *yosys.Cell, lit uint32, gates map[uint32]syntax.And) bool {
	if len(c.Ports["A"]) != 1 || len(c.Ports["EN"]) != 1 {
		return false
	}
	states, knownA := s.litOf(c.Ports["A"][0])
	enabled, knownEN := s.litOf(c.Ports["EN"][0])
	g, isGate := gates[lit]
	switch {
	case !knownA && !knownEN:
		return true
	case !isGate:
		return false
	}
	has := func(l uint32) bool { return g.RHS0 == l || g.RHS1 == l }
	return (!knownA || has(states^1)) && (!knownEN || has(enabled))
}

// assumeReset adds a constraint: the reset is active in the first step, and with several clocks until
// each of those that are inputs has had an edge. A clock that the design makes may wait for the end of
// the reset.
func (s *Synthesis) assumeReset(reset string) error {
	if reset == "" {
		return nil
	}
	name, isLow := strings.CutPrefix(reset, "!")
	i := slices.IndexFunc(s.output.Netlist.Ports, func(p yosys.Port) bool { return p.Name == name && p.Direction == "input" })
	if i < 0 || len(s.output.Netlist.Ports[i].Bits) != 1 {
		return fmt.Errorf("reset %s: the module %s has no input of one bit with this name", name, s.top)
	}
	lit, ok := s.litOf(s.output.Netlist.Ports[i].Bits[0])
	if !ok {
		return errors.New("reset " + name + ": the circuit does not have this input")
	}
	if isLow {
		lit ^= 1
	}
	s.reset = reset
	m := s.model
	m.Latches, m.Ands, m.Constraints = slices.Clone(m.Latches), slices.Clone(m.Ands), slices.Clone(m.Constraints)
	var ended uint32 // 1 where the reset need not be active
	if s.output.Clocked {
		ended = s.addLatch("$started", 0)
		m.Latches[len(m.Latches)-1].Next = 1
	} else if ended, ok = s.edgesSeen(lit &^ 1); !ok {
		return errors.New("reset " + name + ": no clock is an input, so that no step is known in which registers are reset")
	}
	m.Constraints = append(m.Constraints, s.addAnd(ended^1, lit^1)^1)
	s.name(syntax.SectionConstraints, len(m.Constraints)-1, "reset "+reset)
	return nil
}

// edgesSeen adds latches that say which clocks have had an edge before a step, and returns the
// literal of all; ok is false if no clock is an input. The reset, which has no edge while it is active,
// counts as none.
func (s *Synthesis) edgesSeen(reset uint32) (all uint32, ok bool) {
	wires := map[string]*yosys.Wire{}
	for i, w := range s.output.Netlist.Wires {
		wires[w.Name] = &s.output.Netlist.Wires[i]
	}
	all = 1
	known := map[uint32]bool{}
	for _, c := range s.output.Clocks() {
		for _, name := range c.Names {
			w := wires[name.Wire]
			if w == nil || name.Bit >= len(w.Bits) {
				continue
			}
			lit, has := s.litOf(w.Bits[name.Bit])
			if c.Falls {
				lit ^= 1
			}
			if !has || known[lit] || lit&^1 == reset || !slices.Contains(s.model.Inputs, lit&^1) {
				continue
			}
			known[lit] = true
			past := s.addLatch("$past "+name.Wire, 1) // as clk2fflogic starts it: no edge in the first step
			s.model.Latches[len(s.model.Latches)-1].Next = lit
			seen := s.addLatch("$started "+name.Wire, 0)
			at := len(s.model.Latches) - 1
			s.model.Latches[at].Next = s.addAnd(seen^1, s.addAnd(lit, past^1)^1) ^ 1
			all = s.addAnd(all, seen)
		}
	}
	return all, len(known) > 0
}

// addLatch adds a latch without a next state.
func (s *Synthesis) addLatch(name string, start uint32) (lit uint32) {
	m := s.model
	m.MaxVar++
	lit = 2 * m.MaxVar
	m.Latches = append(m.Latches, syntax.Latch{Lit: lit, Reset: start})
	s.name(syntax.SectionLatches, len(m.Latches)-1, name)
	return lit
}

func (s *Synthesis) addAnd(left, right uint32) (lit uint32) {
	m := s.model
	m.MaxVar++
	lit = 2 * m.MaxVar
	m.Ands = append(m.Ands, syntax.And{LHS: lit, RHS0: left, RHS1: right}.Ordered())
	return lit
}

func (s *Synthesis) name(k syntax.SectionKind, index int, name string) {
	s.model.Symbols = append(s.model.Symbols, syntax.SymbolEntry{Kind: k, Index: index, Name: name})
}

// nameElements gives inputs, latches and properties their names as symbols of the model.
func (s *Synthesis) nameElements() {
	names := map[uint32]string{}
	for _, x := range s.signals {
		for i, lit := range x.lits {
			if x.known[i] && lit&1 == 0 && names[lit] == "" {
				names[lit] = x.bitName(i)
			}
		}
	}
	for i, lit := range s.model.Inputs {
		if names[lit] != "" {
			s.name(syntax.SectionInputs, i, names[lit])
		}
	}
	for i, l := range s.model.Latches {
		switch b, isStored := s.stored.bits[l.Lit]; {
		case names[l.Lit] != "":
			s.name(syntax.SectionLatches, i, names[l.Lit])
		case isStored:
			s.name(syntax.SectionLatches, i, b.name())
		}
	}
	for id, k := range s.checks {
		switch id.Kind {
		case circuit.PropertyBad:
			s.name(syntax.SectionBads, id.Index, k.name)
		case circuit.PropertyJustice:
			s.name(syntax.SectionJustice, id.Index, k.name)
		}
	}
	slices.SortFunc(s.model.Symbols, func(a, b syntax.SymbolEntry) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return a.Index - b.Index
	})
}

// checkOf returns the statement that a cell stems from.
func (s *Synthesis) checkOf(c *yosys.Cell, statement string, names nameSet) *check {
	path := s.cellPath(c)
	k := &check{statement: statement, place: s.placeOf(s.hierarchy.cellOf(path), c.Attributes)}
	if c.Private {
		local := statement
		if k.place.isKnown() {
			local = fmt.Sprintf("line%d", k.place.text.LineAt(k.place.span.Start)+1)
		}
		path = append(path[:len(path)-1:len(path)-1], local)
	}
	k.name = names.unique(joined(path))
	for _, p := range c.Attributes.Places() {
		if path := s.output.PathOf(p.File); !k.place.isKnown() && path != "" {
			k.place = s.includeOf(path)
		}
	}
	return k
}

// nameSet is names that are taken.
type nameSet map[string]bool

// unique returns the name, with a number after it if it is taken.
func (n nameSet) unique(name string) string {
	unique := name
	for i := 2; n[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	n[unique] = true
	return unique
}
