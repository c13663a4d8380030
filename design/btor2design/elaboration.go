package btor2design

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"aiglens/btor2"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/internal/source"
)

// Elaborate builds the circuit of the text, in which each row is as many literals as its value has bits.
func (s *fileSyntax) Elaborate(ctx context.Context) (design.Elaboration, error) {
	built, err := btor2.Elaborate(ctx, s.file, btor2.Options{MaxArrayGates: s.option.ArrayGates})
	if err != nil {
		return nil, err
	}
	e := &elaboration{syntax: s, built: built}
	e.Flat = design.NewFlat(elaborated{e}, s.Text, s)
	e.sources, e.words = sync.OnceValue(e.findSources), sync.OnceValue(e.findWords)
	e.names = sync.OnceValue(e.findElements)
	return e, nil
}

// elaboration is the circuit of a text with the rows that its bits stem from.
type elaboration struct {
	design.Flat
	syntax  *fileSyntax
	built   *btor2.Elaboration
	sources func() []bitOf // by variable
	words   func() []design.Word
	names   func() compare.Names
}

// bitOf is a bit of the value of a row. A variable without one has number 0.
type bitOf struct {
	number  int32 // of the node, from 1
	bit     int32
	negated bool // the variable is the negation of the bit
}

// elaborated is what the circuit says for itself.
type elaborated struct{ *elaboration }

func (e elaborated) Circuit() *circuit.Circuit { return e.built.Circuit }

// LitOf knows rows of one bit, and bits of others.
func (e elaborated) LitOf(l design.Lit) (circuit.Lit, bool) {
	if l.Signal() == 0 {
		return circuit.Lit(l), true
	}
	node, bit, ok := e.syntax.bitOf(l)
	if !ok {
		return 0, false
	}
	bits, ok := e.built.Bits(node)
	if !ok || bit >= len(bits) {
		return 0, false
	}
	return bits[bit].NotIf(l.IsNegated()), true
}

func (e elaborated) Fault(p circuit.Property) *source.Diagnostic { return e.built.Fault(p) }

// IsCheckedByAbstraction is as that of btor2.Elaboration.
func (e *elaboration) IsCheckedByAbstraction(p circuit.Property) bool {
	return e.built.IsCheckedByAbstraction(p)
}

// Complete is as that of btor2.Elaboration.
func (e *elaboration) Complete(ctx context.Context, t cert.Trace) (cert.Trace, error) {
	return e.built.Complete(ctx, t)
}

// Violated is as that of btor2.Elaboration.
func (e *elaboration) Violated(p circuit.Property) (circuit.Lit, bool) { return e.built.Violated(p) }

// IsAuxiliary reports whether a literal is no bit of a row.
func (e *elaboration) IsAuxiliary(l circuit.Lit) bool { return e.sources()[l.Var()].number == 0 }

func (e elaborated) OriginLine(o circuit.Origin) int {
	m := e.syntax.file.Model()
	if node := btor2.NodeFromOrigin(o); node >= 0 && node < len(m.Nodes) {
		return m.Nodes[node].Line
	}
	return -1
}

// Broken returns the first error of the text, or else the first of what is too large: in place of both the circuit has
// free inputs, or lacks outputs.
func (e *elaboration) Broken() *source.Diagnostic {
	if d := e.Flat.Broken(); d != nil {
		return d
	}
	return e.built.FirstFault()
}

// TooLarge returns the first of what is too large in a text without errors.
func (e *elaboration) TooLarge() *source.Diagnostic {
	if e.Flat.Broken() != nil {
		return nil
	}
	return e.built.FirstFault()
}

// FaultAt returns the first error on which what is asked of literals in runs may depend: those of constraints count.
func (e *elaboration) FaultAt(lits ...circuit.Lit) *source.Diagnostic {
	return e.built.FaultIn(append(slices.Clip(lits), e.constrained()...)...)
}

// FaultIn is FaultAt without the constraints.
func (e *elaboration) FaultIn(lits ...circuit.Lit) *source.Diagnostic {
	return e.built.FaultIn(lits...)
}

func (e *elaboration) constrained() (lits []circuit.Lit) {
	for _, s := range e.Circuit().Constraints() {
		lits = append(lits, s.Lit)
	}
	return lits
}

// Sound refuses what Broken finds.
func (e *elaboration) Sound() (told []source.Diagnostic, err error) {
	if d := e.Broken(); d != nil {
		line, column := e.syntax.Text.LineColumn(d.Span.Start)
		return nil, fmt.Errorf("line %d, column %d: %s", line, column, d.Message)
	}
	return nil, nil
}

// inOrder yields the nodes, those first by which a bit goes that several of them have: inputs and states, then rows
// with names.
func (e *elaboration) inOrder() iter.Seq[int] {
	return func(yield func(int) bool) {
		m, names := e.syntax.file.Model(), e.syntax.names()
		for _, list := range [][]int{m.Inputs, m.States, names.nodes} {
			for _, node := range list {
				if !yield(node) {
					return
				}
			}
		}
		for node := range m.Nodes {
			if m.Nodes[node].Op.HasValue() && !yield(node) {
				return
			}
		}
	}
}

// findSources looks at each bit of a row once, however many aliases and slices have it.
func (e *elaboration) findSources() []bitOf {
	found := make([]bitOf, e.Circuit().NumVars())
	seen := newSeenBits(e.syntax.file.Model(), e.built)
	for node := range e.inOrder() {
		bits, ok := e.built.Bits(node)
		if !ok {
			continue
		}
		for i := range seen.look(node, len(bits)) {
			l := bits[i]
			if before := found[l.Var()]; l.Var() != 0 && (before.number == 0 || before.negated && !l.IsNegated()) {
				found[l.Var()] = bitOf{int32(node) + 1, int32(i), l.IsNegated()}
			}
		}
	}
	return found
}

// bitName returns the name of a bit of a row: of an array, whose elements follow each other, mem[2][7].
func (e *elaboration) bitName(node, bit int) string {
	name, sort := e.syntax.names().of(node), e.syntax.file.Model().Nodes[node].Sort
	if sort.IsArray() {
		name, bit = fmt.Sprintf("%s[%d]", name, bit/sort.Width), bit%sort.Width
	}
	if sort.Width == 1 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, bit)
}

func (e *elaboration) source(v circuit.Var) (found design.SourceSignal, ok bool) {
	b := e.sources()[v]
	if b.number == 0 {
		return found, false
	}
	node := int(b.number) - 1
	n := &e.syntax.file.Model().Nodes[node]
	return design.SourceSignal{
		Name: e.bitName(node, int(b.bit)), Lit: signalOf(node).Lit(), Bit: e.syntax.litOfBit(node, int(b.bit)), Negated: b.negated,
		Row: e.syntax.Text.LineSpan(n.Line), Span: e.syntax.idSpan(n.Line),
	}, true
}

// LatchSource returns a bit of a state.
func (e *elaboration) LatchSource(index int) (design.SourceSignal, bool) {
	return e.elementSource(e.Circuit().Latches()[index].Lit.Var(), fmt.Sprintf("latch %d", index))
}

// InputSource returns a bit of an input, or of a state without a next value.
func (e *elaboration) InputSource(index int) (design.SourceSignal, bool) {
	return e.elementSource(e.Circuit().Inputs()[index].Lit.Var(), fmt.Sprintf("input %d", index))
}

func (e *elaboration) elementSource(v circuit.Var, name string) (design.SourceSignal, bool) {
	found, ok := e.source(v)
	if !ok || found.Negated {
		return design.SourceSignal{Name: name}, true
	}
	return found, true
}

// LatchName returns the name of LatchSource.
func (e *elaboration) LatchName(index int) string {
	found, _ := e.LatchSource(index)
	return found.Name
}

// InputName returns the name of InputSource.
func (e *elaboration) InputName(index int) string {
	found, _ := e.InputSource(index)
	return found.Name
}

// Gates numbers the variables that are bits of rows by themselves.
func (e *elaboration) Gates() []uint32 {
	found := make([]uint32, e.Circuit().NumVars())
	for v, b := range e.sources() {
		if b.number == 0 {
			continue
		}
		if found[v] = uint32(v) << 1; b.negated {
			found[v] |= 1
		}
	}
	return found
}

// GateSource returns a bit of a row.
func (e *elaboration) GateSource(number uint32) (design.SourceSignal, bool) {
	found, ok := e.source(circuit.Var(number))
	found.Negated = false // it is the literal that Gates gives
	return found, ok
}

// Signal returns the name of a bit.
func (e *elaboration) Signal(v circuit.Var) (name string, isGiven bool) {
	b := e.sources()[v]
	if b.number == 0 || b.negated {
		return e.unnamed(v), false
	}
	return e.bitName(int(b.number)-1, int(b.bit)), e.syntax.names().isGiven(int(b.number - 1))
}

// unnamed is the name of an input or latch that is no bit of a row.
func (e *elaboration) unnamed(v circuit.Var) string {
	if i := e.Circuit().InputIndex(v); i >= 0 {
		return e.InputName(i)
	}
	if i := e.Circuit().LatchIndex(v); i >= 0 {
		return e.LatchName(i)
	}
	return ""
}

// Literal returns the name of a bit, and says so where it is negated.
func (e *elaboration) Literal(l circuit.Lit) string {
	b := e.sources()[l.Var()]
	name := e.unnamed(l.Var())
	if b.number != 0 {
		name = e.bitName(int(b.number)-1, int(b.bit))
	}
	if name != "" && b.negated != l.IsNegated() {
		return "not " + name
	}
	return name
}

// Elements returns the names that symbols give.
func (e *elaboration) Elements() compare.Names { return e.names() }

func (e *elaboration) findElements() (n compare.Names) {
	c, m := e.Circuit(), e.syntax.file.Model()
	given := func(v circuit.Var) string {
		name, isGiven := e.Signal(v)
		if !isGiven {
			return ""
		}
		return name
	}
	for _, in := range c.Inputs() {
		n.Inputs = append(n.Inputs, given(in.Lit.Var()))
	}
	for _, latch := range c.Latches() {
		n.Latches = append(n.Latches, given(latch.Lit.Var()))
	}
	n.Bads, n.Justice = make([]string, len(c.Bads())), make([]string, len(c.Justice()))
	n.Lemmas, n.Covers = make([]string, len(c.Lemmas())), make([]string, len(c.Covers()))
	lists := map[circuit.PropertyKind][]string{
		circuit.PropertyBad: n.Bads, circuit.PropertyJustice: n.Justice, circuit.PropertyLemma: n.Lemmas, circuit.PropertyCover: n.Covers,
	}
	for _, p := range e.syntax.Properties() {
		list := lists[p.ID.Kind]
		if p.Given != "" && p.ID.Index < len(list) {
			list[p.ID.Index] = p.Name
		}
	}
	n.Outputs = e.outputNames(maxBits)
	n.Constraints = symbols(m, m.Constraints, len(c.Constraints()))
	n.Fairness = symbols(m, m.Fairs, len(c.Fairness()))
	return n
}

func symbols(m *syntax.Model, nodes []int, size int) []string {
	all := make([]string, size)
	for i, node := range nodes {
		if i < size {
			all[i] = m.Nodes[node].Symbol
		}
	}
	return all
}

// outputNames returns the names of the outputs of the circuit, which are bits of those of the text; so many of the first
// have one.
func (e *elaboration) outputNames(most int) []string {
	m, outputs := e.syntax.file.Model(), e.Circuit().Outputs()
	all := make([]string, len(outputs))
	bit := 0
	for i, o := range outputs[:min(most, len(outputs))] {
		if bit++; i == 0 || outputs[i-1].Origin != o.Origin {
			bit = 0
		}
		n := &m.Nodes[btor2.NodeFromOrigin(o.Origin)]
		switch {
		case n.Symbol == "":
		case m.Nodes[n.Args[0].Node()].Sort.Width == 1:
			all[i] = n.Symbol
		default:
			all[i] = n.Symbol + "[" + strconv.Itoa(bit) + "]"
		}
	}
	return all
}

// nodeNamed returns the node that a name stands for.
func (e *elaboration) nodeNamed(name string) (node int, ok bool) {
	names := e.syntax.names()
	if node, ok = names.first[name]; ok {
		return node, true
	}
	id, err := strconv.ParseInt(strings.TrimRight(strings.TrimPrefix(name, "n"), "_"), 10, 64)
	if err != nil {
		return 0, false
	}
	node, ok = e.syntax.file.NodeOf(id)
	return node, ok && names.of(node) == name
}

// Find returns a row of one bit by its name, or a bit of another: count[3].
func (e *elaboration) Find(name string) []circuit.Lit {
	node, has := e.nodeNamed(name)
	bit := 0
	if i := strings.LastIndexByte(name, '['); !has && i > 0 && strings.HasSuffix(name, "]") {
		var err error
		if bit, err = strconv.Atoi(name[i+1 : len(name)-1]); err != nil || bit < 0 {
			return nil
		}
		node, has = e.nodeNamed(name[:i])
	}
	if !has {
		return nil
	}
	bits, ok := e.built.Bits(node)
	if sort := e.syntax.file.Model().Nodes[node].Sort; !ok || bit >= len(bits) || sort.IsArray() || len(bits) > 1 && !strings.HasSuffix(name, "]") {
		return nil
	}
	return bits[bit : bit+1]
}

// Nets yields the bits of rows with names of their own that are neither inputs nor states.
func (e *elaboration) Nets() iter.Seq2[string, circuit.Lit] {
	return func(yield func(string, circuit.Lit) bool) {
		for node, bits := range e.named(maxBits) {
			if !e.syntax.file.Model().Nodes[node].Op.IsOperator() {
				continue
			}
			for i := range bits {
				if !yield(e.bitName(node, i), bits[i]) {
					return
				}
			}
		}
	}
}

// Bounds of words, of their bits and those of nets, and of the elements of arrays that are words.
const (
	maxWords    = 200_000
	maxBits     = 4_000_000
	maxElements = 4096
)

// named yields the inputs, states and rows with names that have values, as long as they have no more than so many bits
// together: many rows may be names of one.
func (e *elaboration) named(most int) iter.Seq2[int, []circuit.Lit] {
	return func(yield func(int, []circuit.Lit) bool) {
		m, names := e.syntax.file.Model(), e.syntax.names()
		for i, list := range [][]int{m.Inputs, m.States, names.nodes} {
			for _, node := range list {
				bits, ok := e.built.Bits(node)
				if op := m.Nodes[node].Op; !ok || i == 2 && (op == syntax.Input || op == syntax.State) {
					continue
				}
				if most -= len(bits); most < 0 || !yield(node, bits) {
					return
				}
			}
		}
	}
}

// Words returns inputs, states and rows with names, as far as they have several bits, and the elements of small
// arrays.
func (e *elaboration) Words() []design.Word { return e.words() }

func (e *elaboration) findWords() []design.Word { return e.wordsWithin(maxWords, maxBits) }

// wordsWithin returns so many of the words as have, with the rows of one bit before them, so many bits.
func (e *elaboration) wordsWithin(most, size int) (all []design.Word) {
	elements := 0
	for node, bits := range e.named(size) {
		sort := e.syntax.file.Model().Nodes[node].Sort
		if len(all) >= most {
			break
		}
		if sort.Width < 2 {
			continue
		}
		if !sort.IsArray() {
			all = append(all, e.word(node, bits))
			continue
		}
		if elements += len(bits) / sort.Width; elements > maxElements {
			continue
		}
		for i := 0; i*sort.Width < len(bits); i++ {
			w := e.word(node, bits[i*sort.Width:(i+1)*sort.Width])
			w.Name, w.Span = fmt.Sprintf("%s[%d]", w.Name, i), source.Span{}
			all = append(all, w)
		}
	}
	return all
}

func (e *elaboration) word(node int, bits []circuit.Lit) design.Word {
	w := design.Word{
		Name: e.syntax.names().of(node), Bits: make([]design.Bit, len(bits)), Origin: design.FromLanguage,
		Span: e.syntax.idSpan(e.syntax.file.Model().Nodes[node].Line),
	}
	for i, l := range bits {
		w.Bits[i] = design.Bit{Lit: l}
	}
	return w
}

// Word returns a row of several bits, with or without a symbol.
func (e *elaboration) Word(s design.Signal) (w design.Word, ok bool) {
	n := e.syntax.node(s)
	if n == nil || n.Sort.IsArray() || n.Sort.Width < 2 || n.Op.IsConstant() {
		return w, false
	}
	bits, ok := e.built.Bits(int(s) - 1)
	if !ok {
		return w, false
	}
	return e.word(int(s)-1, bits), true
}

// WordNamed returns a row without a symbol by its number: n12.
func (e *elaboration) WordNamed(name string) (w design.Word, ok bool) {
	node, has := e.nodeNamed(name)
	if !has {
		return w, false
	}
	return e.Word(signalOf(node))
}

// Parts returns the states with the latches of their bits, and the constraints. What other rows state is more than a
// gate, and shared.
func (e *elaboration) Parts(ctx context.Context) ([]design.Part, error) {
	var parts []design.Part
	c, m := e.Circuit(), e.syntax.file.Model()
	for _, node := range m.States {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		bits, ok := e.built.Bits(node)
		if !ok {
			continue
		}
		p := design.Part{Span: e.syntax.Text.LineSpan(m.Nodes[node].Line), Name: e.syntax.names().of(node)}
		for _, l := range bits {
			if i := c.LatchIndex(l.Var()); i >= 0 {
				p.Latches = append(p.Latches, i)
			}
		}
		if len(p.Latches) > 0 {
			parts = append(parts, p)
		}
	}
	return append(parts, design.ConstraintParts(c, func(i int) (source.Span, bool) {
		line := e.OriginLine(c.Constraints()[i].Origin)
		if line < 0 {
			return source.Span{}, false
		}
		return e.syntax.Text.LineSpan(line), true
	})...), nil
}
