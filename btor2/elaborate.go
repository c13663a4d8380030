package btor2

import (
	"context"
	"math/big"

	"aiglens/btor2/bits"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Options bound the size of a circuit.
type Options struct {
	MaxGates      int // inputs, latches and gates together, and the bits of outputs; 0 stands for DefaultMaxGates
	MaxArrayGates int // those that arrays take; 0 stands for DefaultMaxArrayGates, and less than 0 for none
}

// What is bounded by default.
const (
	DefaultMaxGates      = 1 << 24
	DefaultMaxArrayGates = 1 << 20
)

// heldPerGate is how many literals all words may have together for each gate that a circuit may have.
const heldPerGate = 4

// Elaboration is the circuit of a File. Whatever is faulty, or too large, is cut, so that there is always a circuit; Fault
// says which properties are affected by that.
type Elaboration struct {
	// Circuit has the properties of the text at their positions, an input for each bit of an input and of a state that
	// has neither init nor next, and a latch for each bit of the other states, in the order of the text. A state with init
	// alone has latches whose next values are inputs, after all others. Outputs, of which no one is a property, have a
	// literal for each bit; one that is faulty or too large is left out. The Origin of an element is 1 + the place of its node.
	Circuit *circuit.Circuit

	file   *syntax.File
	model  *syntax.Model
	words  [][]circuit.Lit            // by node; nil for one without a value
	faults map[int]*source.Diagnostic // by node: what this package finds
	// hasFaults says that a node is not sound or has one of faults.
	hasFaults   bool
	abstraction *abstraction
}

// NodeFromOrigin returns the place of the node that an element of the circuit comes from, or -1.
func NodeFromOrigin(o circuit.Origin) int { return int(o) - 1 }

func originOf(node int) circuit.Origin { return circuit.Origin(node + 1) }

// Bits returns the literals of a node's value, the least significant bit first; those of an array are the bits of its
// elements, one element after the other. ok is false for a node that has no value, is faulty or depends on what is too
// large, within a step. The list is shared and must not be changed.
func (e *Elaboration) Bits(node int) (word []circuit.Lit, ok bool) {
	if node < 0 || node >= len(e.words) || e.abstraction.isUnknown[node] {
		return nil, false
	}
	return e.words[node], e.words[node] != nil
}

// BitsOf is Bits of a node or of its negation.
func (e *Elaboration) BitsOf(r syntax.Ref) (word []circuit.Lit, ok bool) {
	if word, ok = e.Bits(r.Node()); ok && r.IsNegated() {
		word = bits.Not(word)
	}
	return word, ok
}

// Elaborate builds the circuit. The error is that of ctx.
func Elaborate(ctx context.Context, f *syntax.File, o Options) (*Elaboration, error) {
	if o.MaxGates == 0 {
		o.MaxGates = DefaultMaxGates
	}
	if o.MaxArrayGates == 0 {
		o.MaxArrayGates = DefaultMaxArrayGates
	}
	o.MaxArrayGates = min(o.MaxArrayGates, o.MaxGates)
	m := f.Model()
	x := elaborator{
		m: m, o: o, b: circuit.NewBuilder(min(4*len(m.Nodes), o.MaxGates)),
		e:      &Elaboration{file: f, model: m, words: make([][]circuit.Lit, len(m.Nodes)), faults: map[int]*source.Diagnostic{}},
		arrays: gatesForArrays(m),
		reads:  map[[2]syntax.Ref]int{},
	}
	if err := x.abstract(ctx); err != nil {
		return nil, err
	}
	for i := range m.Nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x.node(i)
		x.e.hasFaults = x.e.hasFaults || !m.Nodes[i].Sound
	}
	for _, state := range m.States {
		x.complete(state)
	}
	x.properties()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x.e.hasFaults = x.e.hasFaults || len(x.e.faults) > 0 || len(x.e.abstraction.rows) > 0
	if x.e.Circuit = x.b.Build(); len(x.e.abstraction.rows) > 0 {
		x.e.Circuit = circuit.WithOriginal(x.e.Circuit, x.e)
	}
	return x.e, nil
}

// elaborator builds a circuit from the nodes of a model.
type elaborator struct {
	m      *syntax.Model
	o      Options
	b      *circuit.Builder
	e      *Elaboration
	arrays map[syntax.Sort]int // the gates that all arrays may take where those of the sort become bits
	held   int                 // literals of all words
	// historyRows is how many rows histories have looked at.
	historyRows int
	reads       map[[2]syntax.Ref]int // by array and index: the node that reads there
}

// becomesBits reports whether arrays of a sort do.
func (x *elaborator) becomesBits(s syntax.Sort) bool { return x.arrays[s] <= x.o.MaxArrayGates }

// node gives a node its value, if it has one.
func (x *elaborator) node(i int) {
	n := &x.m.Nodes[i]
	if !n.Sound || n.Op < syntax.Input || n.Op >= syntax.Init && n.Op <= syntax.Cover || !x.hasOperands(n) {
		return
	}
	s := arrayOf(x.m, n)
	if s.IsArray() && !x.becomesBits(s) && !x.e.abstraction.isAbstracted(s) {
		x.e.faults[i] = x.tooLargeArray(i)
		return
	}
	width := x.widthOf(n.Sort)
	if width > heldPerGate*x.o.MaxGates-x.held || x.cost(n) > x.o.MaxGates-x.b.NumVars() {
		x.e.faults[i] = x.tooLarge(i)
		return
	}
	if x.e.abstraction.isAbstracted(s) {
		x.e.abstraction.rows[i] = x.tooLargeArray(i)
		x.addressesOf(s) // each array has elements at all of them
		x.e.abstraction.isUnknown[i] = true
	}
	for _, a := range n.Args {
		x.e.abstraction.isUnknown[i] = x.e.abstraction.isUnknown[i] || x.e.abstraction.isUnknown[a.Node()]
	}
	x.e.words[i] = x.value(i)
	if n.Op == syntax.Read {
		x.reads[[2]syntax.Ref(n.Args)] = i
	}
	if !n.SharesBits() {
		x.held += width
	}
}

// hasOperands reports whether all operands have values.
func (x *elaborator) hasOperands(n *syntax.Node) bool {
	for _, a := range n.Args {
		if a == syntax.NoRef || x.e.words[a.Node()] == nil {
			return false
		}
	}
	return true
}

// widthOf returns how many bits a value has in the circuit.
func (x *elaborator) widthOf(s syntax.Sort) int {
	switch {
	case !s.IsArray():
		return s.Width
	case x.e.abstraction.isAbstracted(s):
		return s.Width * x.e.abstraction.count[s]
	}
	return s.Width << s.IndexWidth
}

// arg returns the value of an operand.
func (x *elaborator) arg(n *syntax.Node, i int) []circuit.Lit {
	word := x.e.words[n.Args[i].Node()]
	if n.Args[i].IsNegated() {
		word = bits.Not(word)
	}
	return word
}

// value returns the value of a node.
func (x *elaborator) value(i int) []circuit.Lit {
	n := &x.m.Nodes[i]
	width := x.widthOf(n.Sort)
	if x.e.abstraction.isAbstracted(arrayOf(x.m, n)) {
		switch n.Op {
		case syntax.Read:
			return x.readAbstracted(i)
		case syntax.Write:
			return x.writeAbstracted(n)
		case syntax.Eq:
			return bit(x.equalAbstracted(i))
		case syntax.Neq:
			return bit(x.equalAbstracted(i).Not())
		}
	}
	switch n.Op {
	case syntax.Input:
		return x.fresh(width, i)
	case syntax.State:
		return x.state(i, width)
	case syntax.Zero:
		return bits.Repeat(circuit.False, width)
	case syntax.Ones:
		return bits.Repeat(circuit.True, width)
	case syntax.One:
		return bits.Constant(big.NewInt(1), width)
	case syntax.Const, syntax.Constd, syntax.Consth:
		return bits.Constant(n.Value(), width)
	}
	switch len(n.Args) {
	case 1:
		if n.Op == syntax.Slice {
			return x.slice(n)
		}
		return x.unary(n, x.arg(n, 0))
	case 2:
		return x.binary(n, x.arg(n, 0), x.arg(n, 1))
	}
	return x.ternary(n, x.arg(n, 0), x.arg(n, 1), x.arg(n, 2))
}

// fresh returns inputs for bits of a node.
func (x *elaborator) fresh(width, node int) []circuit.Lit {
	word := make([]circuit.Lit, width)
	for i := range word {
		word[i] = x.b.Input(originOf(node))
	}
	return word
}

// state returns the bits of a state; those without next and init are inputs.
func (x *elaborator) state(i, width int) []circuit.Lit {
	_, hasInit := x.m.Init[i]
	_, hasNext := x.m.Next[i]
	if !hasInit && !hasNext {
		return x.fresh(width, i)
	}
	word := make([]circuit.Lit, width)
	for k := range word {
		word[k] = x.b.Latch(originOf(i))
	}
	return word
}

// slice returns bits of a word, and negates no others.
func (x *elaborator) slice(n *syntax.Node) []circuit.Lit {
	word := x.e.words[n.Args[0].Node()][n.Number[1] : n.Number[0]+1 : n.Number[0]+1]
	if n.Args[0].IsNegated() {
		return bits.Not(word)
	}
	return word
}

// unary returns the value of an operator with one operand.
func (x *elaborator) unary(n *syntax.Node, a []circuit.Lit) []circuit.Lit {
	switch b := x.b; n.Op {
	case syntax.Not:
		return bits.Not(a)
	case syntax.Inc:
		return bits.Inc(b, a)
	case syntax.Dec:
		return bits.Dec(b, a)
	case syntax.Neg:
		return bits.Neg(b, a)
	case syntax.Redand:
		return bit(bits.Redand(b, a))
	case syntax.Redor:
		return bit(bits.Redor(b, a))
	case syntax.Redxor:
		return bit(bits.Redxor(b, a))
	case syntax.Sext:
		if n.Number[0] > 0 {
			return bits.Sext(a, n.Number[0])
		}
	case syntax.Uext:
		if n.Number[0] > 0 {
			return bits.Uext(a, n.Number[0])
		}
	}
	return a
}

// binary returns the value of an operator with two operands.
func (x *elaborator) binary(n *syntax.Node, l, r []circuit.Lit) []circuit.Lit {
	b := x.b
	switch n.Op {
	case syntax.And:
		return bits.And(b, l, r)
	case syntax.Nand:
		return bits.Not(bits.And(b, l, r))
	case syntax.Or:
		return bits.Or(b, l, r)
	case syntax.Nor:
		return bits.Not(bits.Or(b, l, r))
	case syntax.Xor:
		return bits.Xor(b, l, r)
	case syntax.Xnor:
		return bits.Not(bits.Xor(b, l, r))
	case syntax.Sll:
		return bits.Sll(b, l, r)
	case syntax.Srl:
		return bits.Srl(b, l, r)
	case syntax.Sra:
		return bits.Sra(b, l, r)
	case syntax.Rol:
		return bits.Rol(b, l, r)
	case syntax.Ror:
		return bits.Ror(b, l, r)
	case syntax.Concat:
		return append(r[:len(r):len(r)], l...)
	case syntax.Read:
		return readArray(b, l, r, n.Sort.Width)
	}
	if word, ok := x.arithmetic(n.Op, l, r); ok {
		return word
	}
	return bit(x.comparison(n.Op, l, r))
}

// arithmetic returns the value of an operator on numbers that gives a number.
func (x *elaborator) arithmetic(op syntax.Op, l, r []circuit.Lit) (word []circuit.Lit, ok bool) {
	switch b := x.b; op {
	case syntax.Add:
		word = bits.Add(b, l, r)
	case syntax.Sub:
		word = bits.Sub(b, l, r)
	case syntax.Mul:
		word = bits.Mul(b, l, r)
	case syntax.Udiv:
		word, _ = bits.Udivrem(b, l, r)
	case syntax.Urem:
		_, word = bits.Udivrem(b, l, r)
	case syntax.Sdiv:
		word = bits.Sdiv(b, l, r)
	case syntax.Srem:
		word = bits.Srem(b, l, r)
	case syntax.Smod:
		word = bits.Smod(b, l, r)
	}
	return word, word != nil
}

// comparison returns the value of an operator that gives one bit of two words.
func (x *elaborator) comparison(op syntax.Op, l, r []circuit.Lit) circuit.Lit {
	b := x.b
	switch op {
	case syntax.Eq, syntax.Iff:
		return bits.Eq(b, l, r)
	case syntax.Neq:
		return bits.Eq(b, l, r).Not()
	case syntax.Implies:
		return b.Or(l[0].Not(), r[0])
	case syntax.Ult:
		return bits.Ult(b, l, r)
	case syntax.Ulte:
		return bits.Ult(b, r, l).Not()
	case syntax.Ugt:
		return bits.Ult(b, r, l)
	case syntax.Ugte:
		return bits.Ult(b, l, r).Not()
	case syntax.Slt:
		return bits.Slt(b, l, r)
	case syntax.Slte:
		return bits.Slt(b, r, l).Not()
	case syntax.Sgt:
		return bits.Slt(b, r, l)
	case syntax.Sgte:
		return bits.Slt(b, l, r).Not()
	case syntax.Uaddo:
		return bits.Uaddo(b, l, r)
	case syntax.Umulo:
		return bits.Umulo(b, l, r)
	case syntax.Usubo:
		return bits.Ult(b, l, r)
	case syntax.Saddo:
		return bits.Saddo(b, l, r)
	case syntax.Smulo:
		return bits.Smulo(b, l, r)
	case syntax.Ssubo:
		return bits.Ssubo(b, l, r)
	case syntax.Sdivo:
		return bits.Sdivo(b, l, r)
	}
	panic("btor2: no operator " + op.String())
}

// ternary returns the value of ite or write.
func (x *elaborator) ternary(n *syntax.Node, first, second, third []circuit.Lit) []circuit.Lit {
	if n.Op == syntax.Ite {
		return bits.Ite(x.b, first[0], second, third)
	}
	var read []circuit.Lit
	if i, ok := x.reads[[2]syntax.Ref(n.Args)]; ok {
		read = x.e.words[i]
	}
	return writeArray(x.b, first, second, third, read)
}

func bit(l circuit.Lit) []circuit.Lit { return []circuit.Lit{l} }

// cost returns a bound on the gates of a node, or on its inputs and latches.
func (x *elaborator) cost(n *syntax.Node) int {
	width := x.widthOf(n.Sort)
	if s := arrayOf(x.m, n); x.e.abstraction.isAbstracted(s) {
		cost := abstractCost(n, s)
		if len(x.e.abstraction.addresses[s]) == 0 { // they come with the first array
			cost += s.IndexWidth
		}
		return cost * x.e.abstraction.count[s]
	}
	switch n.Op {
	case syntax.Slice, syntax.Uext, syntax.Sext, syntax.Concat, syntax.Not, syntax.Zero, syntax.One, syntax.Ones,
		syntax.Const, syntax.Constd, syntax.Consth, syntax.Read, syntax.Write: // of the last two all are counted beforehand
		return 0
	case syntax.Input, syntax.State:
		return width
	}
	word := len(x.arg(n, 0))
	stages := 1
	for 1<<stages < word {
		stages++
	}
	switch n.Op {
	case syntax.Mul:
		return bits.MulSize(x.arg(n, 0), x.arg(n, 1))
	case syntax.Umulo, syntax.Smulo:
		return bits.MulSize(x.arg(n, 0), x.arg(n, 1)) + 32*(word+1)
	case syntax.Udiv, syntax.Urem:
		return bits.DivSize(word, bits.Length(x.arg(n, 1)))
	case syntax.Sdiv, syntax.Srem, syntax.Smod:
		return bits.DivSize(word, word) + 40*word
	case syntax.Sll, syntax.Srl, syntax.Sra:
		return 4 * word * stages
	case syntax.Rol, syntax.Ror:
		return 4*word*stages + bits.DivSize(word, stages+1)
	}
	return 8 * max(word, width)
}

// complete gives the latches of a state their next and initial values.
func (x *elaborator) complete(state int) {
	word := x.e.words[state]
	if word == nil {
		return
	}
	if row, ok := x.m.Init[state]; ok {
		initial := x.rowValue(row, len(word))
		for i, l := range word {
			if initial == nil {
				x.b.SetReset(l, l)
			} else {
				x.b.SetReset(l, initial[i])
			}
		}
	} else if _, ok := x.m.Next[state]; ok {
		for _, l := range word {
			x.b.SetReset(l, l)
		}
	} else {
		return
	}
	var next []circuit.Lit
	if row, ok := x.m.Next[state]; ok {
		next = x.rowValue(row, len(word))
	}
	if next == nil {
		next = x.fresh(len(word), state)
	}
	for i, l := range word {
		x.b.SetNext(l, next[i])
	}
}

// rowValue returns the value that an init or next row gives to a state; nil where it is faulty. That of a word to an
// array goes to all elements.
func (x *elaborator) rowValue(row, width int) []circuit.Lit {
	if !x.isBuilt(row) {
		return nil
	}
	value := x.arg(&x.m.Nodes[row], 1)
	if len(value) == width {
		return value
	}
	all := make([]circuit.Lit, 0, width)
	for len(all) < width {
		all = append(all, value...)
	}
	return all
}

// outputs adds the outputs whose operands have values, as long as all have no more bits than the circuit may have gates.
func (x *elaborator) outputs() {
	left := x.o.MaxGates
	for _, i := range x.m.Outputs {
		if !x.isBuilt(i) || x.e.abstraction.isUnknown[i] {
			continue
		}
		n := &x.m.Nodes[i]
		if left -= len(x.e.words[n.Args[0].Node()]); left < 0 {
			x.e.faults[i], left = x.tooLarge(i), 0
			continue
		}
		for _, l := range x.arg(n, 0) {
			x.b.Output(l, originOf(i))
		}
	}
}

// properties adds what is asked and assumed, each at its position.
func (x *elaborator) properties() {
	x.outputs()
	for _, list := range []struct {
		nodes []int
		add   func(circuit.Lit, circuit.Origin)
	}{{x.m.Bads, x.b.Bad}, {x.m.Constraints, x.b.Constraint}, {x.m.Fairs, x.b.Fairness}, {x.m.Lemmas, x.b.Lemma}, {x.m.Covers, x.b.Cover}} {
		for _, i := range list.nodes {
			for _, l := range x.asked(i) {
				if x.m.Nodes[i].Op == syntax.Bad {
					l = x.b.And(l, x.predicted(i))
				}
				list.add(l, originOf(i))
			}
		}
	}
	for _, i := range x.m.Justice {
		x.b.Justice(x.asked(i), originOf(i))
	}
}

// asked returns the bits of all operands of a property; one that is faulty is a fresh input.
func (x *elaborator) asked(i int) []circuit.Lit {
	if !x.isBuilt(i) {
		return x.fresh(1, i)
	}
	n := &x.m.Nodes[i]
	var all []circuit.Lit
	for k := range n.Args {
		all = append(all, x.arg(n, k)...)
	}
	return all
}

// isBuilt reports whether the operands of a row have values.
func (x *elaborator) isBuilt(i int) bool { return x.m.Nodes[i].Sound && x.hasOperands(&x.m.Nodes[i]) }
