package picture

import (
	"context"
	"slices"

	"aiglens/circuit"
)

// Kind says what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Root Kind = iota // what was asked for; no part of the circuit
	Constant
	Input
	Latch
	And
	Or
	Xor
	Mux
	Bus      // inputs of a word; see Schematic.Bundled
	Register // latches of a word
	Instance // what lies inside of a closed box
	Operator // a row that computes a bit; see Rows
	Word     // a row that computes a word
)

func (k Kind) String() string {
	return [...]string{"root", "constant", "input", "latch", "and", "or", "xor", "mux", "bus", "register", "instance", "operator", "word"}[k]
}

// Node is a box of the picture.
type Node struct {
	Kind Kind
	// Lit is the literal of the circuit whose value leaves the node. That of an Or is the
	// negation of a gate, that of a Xor or Mux may be.
	Lit circuit.Lit
	// Operands are the wires that enter: of a Mux the condition, what is taken where it
	// holds, and what elsewhere; of a Latch the next value and, if that is neither a constant
	// nor free, the value at the start; of a Root the one wire that it shows.
	Operands []Operand
	// Inside are the gates of the circuit that the node stands for beside that of Lit; of an Instance all that
	// is followed inside of it.
	Inside []circuit.Var
	// Bits are the literals of a Bus or Register, from the least significant on. Wires enter a
	// Register in no order.
	Bits []circuit.Lit
	List int // of a Bus or Register: which one it is of those that Bundled was given
	// Cut says that the picture ends here, although the node depends on more. Such a gate
	// has the kind that it will be drawn as, but for an And without a name: that may become
	// an Or, which leaves fewer bubbles.
	Cut bool
	// Box is the closed box that an Instance is, Pins are its pins: those where wires enter,
	// then those where they leave. Box is 0 of all other nodes.
	Box  int
	Pins []Pin
	// Symbol is what stands in an Operator, a Word or a Constant of Rows; Entries are what the wires that enter are
	// called there and in a Register; Type and Width are what its values are, in words and in short. All are empty
	// in a picture of gates.
	Symbol      string
	Entries     []string
	Type, Width string
}

// Pin is where wires enter or leave an Instance.
type Pin struct {
	Leaves bool
	Key    int           // as SchematicOptions.Pin gives it
	Word   bool          // it is that of a word
	Lits   []circuit.Lit // whose values the wires have there, without bubbles
}

// Operand is a wire from the node at a position, with a bubble where it is Negated.
type Operand struct {
	Node    int
	Negated bool
	Bit     int // of a Bus or Register, or of a pin for a word: 1 + which bit; 0 for several of them
	Pin     int // of an Instance that it leaves: 1 + the position of the pin
	To      int // of an Instance that it enters: 1 + the position of the pin
}

// Schematic is what there is to draw. Roots are the first nodes.
type Schematic struct{ Nodes []Node }

// SchematicOptions bound a picture, and say which signals have names that matter.
type SchematicOptions struct {
	// Limit is the number of nodes at which the picture ends; the roots and what they show
	// come in any case.
	Limit int
	// Depth is how many levels before what the roots show the picture goes on; 0 stands for any
	// number. Each of Expand adds as many.
	Depth int
	// Expand are signals after which the picture goes on by Further nodes, in this order.
	Expand []circuit.Var
	// Further is how many nodes each of Expand adds at most.
	Further int
	// Named returns the literal of a variable that has a name in the text. A gate with a name
	// is not made a part of a wide gate, and that literal leaves the node. nil stands for no names.
	Named func(circuit.Var) (circuit.Lit, bool)
	// Readers are those of the circuit, where the caller has them; nil to count them.
	Readers Readers
	// Scope returns what a variable lies inside of, a box or one that is open. A gate of another scope than what
	// reads it is not made a part of that. nil stands for one scope.
	Scope func(circuit.Var) int
	// Box returns the closed box that a variable lies inside of, from 1; 0 for none. What lies inside
	// of one is followed and not drawn: an Instance stands for it. nil stands for no boxes.
	Box func(circuit.Var) int
	// Pin says where a literal enters or leaves a box: pins with the same key are one. The literal is one of the
	// same variable, which the wire has inside of the pin. bit is 1 + the bit of a word, or 0.
	Pin func(box int, l circuit.Lit, leaves bool) (key, bit int, at circuit.Lit)
}

// maxOperands bounds how wide a gate becomes.
const maxOperands = 8

// pollEvery is the number of variables between two looks at a context.
const pollEvery = 1 << 14

// NewSchematic returns the schematic of what roots depend on, through latches, nearest first. The
// error is that of ctx.
func NewSchematic(ctx context.Context, c *circuit.Circuit, roots []circuit.Lit, o SchematicOptions) (*Schematic, error) {
	d := &drawer{c: c, named: o.Named, readers: o.Readers, box: o.Box, scope: o.Scope, at: map[circuit.Lit]int{}, raw: map[int][]circuit.Lit{}, boxes: map[int]bool{}}
	if d.box == nil {
		d.box = func(circuit.Var) int { return 0 }
	}
	if d.scope == nil {
		d.scope = d.box
	}
	if d.named == nil {
		d.named = func(circuit.Var) (circuit.Lit, bool) { return 0, false }
	}
	if d.readers == nil {
		var err error
		if d.readers, err = CountReaders(ctx, c); err != nil {
			return nil, err
		}
	}
	for _, l := range roots {
		d.g.Nodes = append(d.g.Nodes, Node{Kind: Root, Lit: l})
		d.levels = append(d.levels, 0)
		d.raw[len(d.g.Nodes)-1] = []circuit.Lit{l}
	}
	for _, l := range roots {
		d.add(l, 0)
	}
	d.grow(len(roots), bound{o.Limit, o.Depth})
	for _, v := range o.Expand {
		if at, ok := d.at[v.Lit()]; ok && d.g.Nodes[at].Cut {
			d.expandFrom(at, o)
		}
	}
	d.orient()
	if len(d.boxes) > 0 {
		return d.g.boxed(o.Pin), ctx.Err()
	}
	return &d.g, ctx.Err()
}

// Readers are how many gates and latches read each variable.
type Readers []uint32

// CountReaders counts the readers of a circuit. The error is that of ctx.
func CountReaders(ctx context.Context, c *circuit.Circuit) (Readers, error) {
	readers := make(Readers, c.NumVars())
	for v := range circuit.Var(c.NumVars()) {
		if v%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if l, r, ok := c.Operands(v); ok {
			readers[l.Var()]++
			readers[r.Var()]++
		}
	}
	for _, l := range c.Latches() {
		readers[l.Next.Var()]++
		readers[l.Reset.Var()]++
	}
	return readers, nil
}

// drawer makes a Graph: first the nodes and the literals that enter them, then which literal
// leaves each.
type drawer struct {
	c       *circuit.Circuit
	named   func(circuit.Var) (circuit.Lit, bool)
	readers Readers
	g       Schematic
	box     func(circuit.Var) int
	scope   func(circuit.Var) int
	boxes   map[int]bool          // that the graph has nodes in
	inside  int                   // nodes in boxes
	levels  []int                 // by node: how far it is before what a root shows
	at      map[circuit.Lit]int   // nodes by their positive literal, constants by their own
	raw     map[int][]circuit.Lit // by node, once it is drawn: the literals that enter
}

// key is by what nodes are found.
func key(l circuit.Lit) circuit.Lit {
	if l.Var() == 0 {
		return l
	}
	return l.Positive()
}

// bound is where a picture ends: at a number of nodes, or before a level unless that is 0.
type bound struct{ nodes, level int }

// add makes the node of a literal, not yet with what enters it.
func (d *drawer) add(l circuit.Lit, level int) {
	k := key(l)
	if _, ok := d.at[k]; ok {
		return
	}
	d.at[k] = len(d.g.Nodes)
	n := Node{Lit: k, Box: d.boxOf(k)}
	if n.Box > 0 {
		d.boxes[n.Box] = true
		d.inside++
	}
	switch d.c.Kind(k.Var()) {
	case circuit.KindConstant:
		n.Kind = Constant
	case circuit.KindInput:
		n.Kind = Input
	case circuit.KindLatch:
		n.Kind, n.Cut = Latch, true
	case circuit.KindAnd:
		n.Kind, n.Cut = And, true
	}
	d.g.Nodes = append(d.g.Nodes, n)
	d.levels = append(d.levels, level)
}

// boxOf returns the box that a literal lies in.
func (d *drawer) boxOf(l circuit.Lit) int {
	if l.Var() == 0 {
		return 0
	}
	return d.box(l.Var())
}

// shown returns how many nodes are drawn.
func (d *drawer) shown() int { return len(d.g.Nodes) - d.inside + len(d.boxes) }

// maxInside bounds the nodes in closed boxes.
const maxInside = 50_000

// grow draws nodes from a position on, in the order in which they are met, up to a bound.
func (d *drawer) grow(from int, b bound) {
	for at := from; at < len(d.g.Nodes); at++ {
		if d.g.Nodes[at].Cut {
			d.open(at, b)
		}
	}
}

// expandFrom draws a node that was cut, or what is in the same box, and what it depends on within Further
// and Depth.
func (d *drawer) expandFrom(at int, o SchematicOptions) {
	first, box := len(d.g.Nodes), d.g.Nodes[at].Box
	b := bound{nodes: d.shown() + o.Further}
	if o.Depth > 0 {
		b.level = d.levels[at] + o.Depth
	}
	for i := range first {
		if n := &d.g.Nodes[i]; i == at || box > 0 && n.Box == box && n.Cut {
			d.open(i, bound{max(b.nodes, d.shown()+maxOperands), b.level})
		}
	}
	d.grow(first, b)
}

// open draws what enters a node, as far as that stays within a bound. What lies inside of a closed box
// counts as one node.
func (d *drawer) open(at int, b bound) {
	kind, operands, inside := d.shape(d.g.Nodes[at].Lit.Var())
	fresh, hidden, level := map[circuit.Lit]bool{}, 0, d.levels[at]
	boxes := map[int]bool{}
	for _, l := range operands {
		if _, ok := d.at[key(l)]; ok || fresh[key(l)] {
			continue
		}
		if box := d.boxOf(l); box > 0 {
			hidden++
			if !d.boxes[box] {
				boxes[box] = true
			}
			continue
		}
		fresh[key(l)] = true
	}
	n := &d.g.Nodes[at]
	n.Kind = kind
	if d.shown()+len(fresh)+len(boxes) > b.nodes || b.level > 0 && level >= b.level || d.inside+hidden > maxInside {
		return
	}
	n.Cut, n.Inside = false, inside
	d.raw[at] = operands
	box := n.Box
	for _, l := range operands {
		if box > 0 && d.boxOf(l) == box {
			d.add(l, level)
			continue
		}
		d.add(l, level+1)
	}
}

// shape says how a variable is drawn. The operands are those of its positive literal; those
// of a Mux as MuxOf gives them.
func (d *drawer) shape(v circuit.Var) (kind Kind, operands []circuit.Lit, inside []circuit.Var) {
	if i := d.c.LatchIndex(v); i >= 0 {
		l := d.c.Latches()[i]
		if l.HasFunction() {
			return Latch, []circuit.Lit{l.Next, l.Reset}, nil
		}
		return Latch, []circuit.Lit{l.Next}, nil
	}
	left, right, _ := d.c.Operands(v)
	isOne := d.scope(left.Var()) == d.scope(v) && d.scope(right.Var()) == d.scope(v)
	if x, y, ok := d.c.XorOf(v); ok && isOne {
		return Xor, []circuit.Lit{x, y}, []circuit.Var{left.Var(), right.Var()}
	}
	if cond, then, els, ok := d.c.MuxOf(v); ok && isOne {
		return Mux, []circuit.Lit{cond, then, els}, []circuit.Var{left.Var(), right.Var()}
	}
	operands = []circuit.Lit{left, right}
	for i := 0; i < len(operands) && len(operands) < maxOperands; {
		if l := operands[i]; d.isPart(l) && d.scope(l.Var()) == d.scope(v) {
			a, b, _ := d.c.Operands(l.Var())
			inside = append(inside, l.Var())
			operands = slices.Replace(operands, i, i+1, a, b)
			continue
		}
		i++
	}
	return And, operands, inside
}

// isPart reports whether a conjunct is drawn as a part of the gate that reads it.
func (d *drawer) isPart(l circuit.Lit) bool {
	v := l.Var()
	if l.IsNegated() || d.c.Kind(v) != circuit.KindAnd || d.readers[v] != 1 {
		return false
	}
	_, hasNode := d.at[l]
	_, hasName := d.named(v)
	_, _, isXor := d.c.XorOf(v)
	_, _, _, isMux := d.c.MuxOf(v)
	return !hasNode && !hasName && !isXor && !isMux
}

// orient decides which literal leaves each node, operands before the gates that read them.
func (d *drawer) orient() {
	negated, positive := make([]int, len(d.g.Nodes)), make([]int, len(d.g.Nodes)) // how often each is read
	order := make([]int, 0, len(d.g.Nodes))
	for at := range d.g.Nodes {
		order = append(order, at)
		for _, l := range d.raw[at] {
			switch to := d.at[key(l)]; {
			case l.Var() == 0:
			case l.IsNegated():
				negated[to]++
			default:
				positive[to]++
			}
		}
	}
	slices.SortFunc(order, func(a, b int) int { return int(d.g.Nodes[a].Lit.Var()) - int(d.g.Nodes[b].Lit.Var()) })
	for _, at := range order {
		switch n := &d.g.Nodes[at]; n.Kind {
		case And:
			d.orientAnd(at, positive[at], negated[at])
		case Xor:
			d.orientXor(at)
		case Mux:
			d.orientMux(at, positive[at], negated[at])
		}
	}
	for at := range d.g.Nodes {
		n := &d.g.Nodes[at]
		if n.Kind == Root || n.Kind == Latch {
			n.Operands = d.wires(d.raw[at])
		}
	}
}

// wire returns the wire that carries a literal. Its node must have been oriented.
func (d *drawer) wire(l circuit.Lit) Operand {
	at := d.at[key(l)]
	return Operand{Node: at, Negated: d.g.Nodes[at].Lit != l}
}

func (d *drawer) wires(lits []circuit.Lit) (all []Operand) {
	for _, l := range lits {
		all = append(all, d.wire(l))
	}
	return all
}

// isNegated reports whether the negation of a gate is what has a name.
func (d *drawer) isNegated(at int) (negated, named bool) {
	l, named := d.named(d.g.Nodes[at].Lit.Var())
	return l.IsNegated(), named
}

// orientAnd makes an Or of a gate where that leaves fewer bubbles, or has the name.
func (d *drawer) orientAnd(at, positive, negated int) {
	n := &d.g.Nodes[at]
	wires := d.wires(d.raw[at])
	bubbles := 0
	for _, w := range wires {
		if w.Negated {
			bubbles++
		}
	}
	isOr := len(wires)-bubbles+positive < bubbles+negated
	if n.Cut {
		isOr = false
	}
	if negation, ok := d.isNegated(at); ok {
		isOr = negation
	}
	if isOr {
		n.Kind, n.Lit = Or, n.Lit.Not()
		for i := range wires {
			wires[i].Negated = !wires[i].Negated
		}
	}
	n.Operands = wires
}

// orientXor takes all bubbles away by the choice of the literal that leaves, unless the
// other one has a name.
func (d *drawer) orientXor(at int) {
	n := &d.g.Nodes[at]
	wires := d.wires(d.raw[at])
	odd := false
	for i := range wires {
		odd = odd != wires[i].Negated
		wires[i].Negated = false
	}
	n.Operands = wires
	negation, named := d.isNegated(at)
	switch {
	case named && negation != odd && !n.Cut:
		wires[0].Negated = true
		n.Lit = n.Lit.NotIf(negation)
	case named:
		n.Lit = n.Lit.NotIf(negation)
	default:
		n.Lit = n.Lit.NotIf(odd)
	}
}

// orientMux has the condition enter without a bubble, and the data with few.
func (d *drawer) orientMux(at, positive, negated int) {
	n := &d.g.Nodes[at]
	wires := d.wires(d.raw[at])
	bubbles := 0
	if !n.Cut {
		if wires[0].Negated {
			wires[0].Negated = false
			wires[1], wires[2] = wires[2], wires[1]
		}
		for _, w := range wires[1:] {
			if w.Negated {
				bubbles++
			}
		}
	}
	flip := !n.Cut && 2-bubbles+positive < bubbles+negated
	if negation, ok := d.isNegated(at); ok {
		flip = negation
	}
	if flip {
		n.Lit = n.Lit.Not()
		for i := 1; i < len(wires); i++ {
			wires[i].Negated = !wires[i].Negated
		}
	}
	n.Operands = wires
}

// Shown returns the literals that a picture of a property ends at: those that a check asks
// about, but of a lemma the lemma itself.
func Shown(c *circuit.Circuit, p circuit.Property) []circuit.Lit {
	if p.Kind == circuit.PropertyJustice {
		if p.Index >= 0 && p.Index < len(c.Justice()) {
			return c.Justice()[p.Index].Lits
		}
		return nil
	}
	l, ok := c.Bad(p)
	if !ok {
		return nil
	}
	return []circuit.Lit{l.NotIf(p.Kind == circuit.PropertyLemma)}
}
