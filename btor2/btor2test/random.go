package btor2test

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// Shape says what a random text has at most.
type Shape struct {
	Width       int // of a bit-vector
	Rows        int // of operators
	Inputs      int
	InputBits   int // of all inputs together
	States      int
	StateBits   int // of all states together
	Index       int // bits of the index of an array; 0 is no array
	Constraints int
	Liveness    bool
	Arrays      bool // half of the operators are of arrays
	// NoOverflow leaves out what btorsim cannot do: the flags of overflow, liveness, and bit-vectors that an array starts
	// with.
	NoOverflow bool
}

// Tiny texts can be searched, and Wide ones simulated.
var (
	Tiny = Shape{Width: 3, Rows: 14, Inputs: 2, InputBits: 3, States: 3, StateBits: 6, Index: 1, Constraints: 1, Liveness: true}
	// Arrays are texts that can be searched, with arrays in most places.
	Arrays = Shape{Width: 2, Rows: 16, Inputs: 2, InputBits: 3, States: 4, StateBits: 7, Index: 2, Constraints: 1, Arrays: true}
	Wide   = Shape{Width: 70, Rows: 40, Inputs: 4, InputBits: 1000, States: 5, StateBits: 4000, Index: 3, Constraints: 2, Liveness: true}
)

// term is a row that can be used.
type term struct {
	id       int64
	sort     Sort
	constant bool
	input    bool // it depends on one
	on       uint // states that it depends on, a bit for each
}

type generator struct {
	*rand.Rand
	Shape
	text   strings.Builder
	last   int64 // number
	sorts  map[Sort][]int64
	pool   []term
	states []term
	late   []term // states of which the init is to come
	begun  uint   // states whose start is known
	isLate bool   // inits may name rows after their states
	named  int
}

// Random returns the sound text of a seed.
func Random(seed uint64, shape Shape) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2)), Shape: shape, sorts: map[Sort][]int64{}}
	if g.one(2) {
		g.text.WriteString("; BTOR2 of a test\n")
	}
	g.isLate = !shape.NoOverflow && g.one(4) // which btorsim refuses
	g.width1()
	g.leaves()
	for range 2 + g.IntN(g.Rows) {
		g.operator()
	}
	for _, s := range g.late {
		g.begin(s, g.start(s.sort))
	}
	for _, s := range g.states {
		if g.one(6) {
			continue // any value in each step
		}
		next := g.operand(s.sort)
		g.row("", "next %d %d %s", g.sort(s.sort), s.id, next)
	}
	g.properties()
	if g.one(4) {
		g.text.WriteString("; end\n")
	}
	return g.text.String()
}

// one reports true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func (g *generator) pick(words ...string) string { return words[g.IntN(len(words))] }

// row writes a row, and returns its number. Rows have gaps between their numbers, symbols and comments.
func (g *generator) row(symbol, format string, args ...any) int64 {
	g.last++
	if g.one(8) {
		g.last += int64(g.IntN(20))
	}
	switch g.IntN(30) {
	case 0:
		g.text.WriteString("; a comment 1 2 3\n")
	case 1:
		g.text.WriteString("\n")
	case 2:
		g.text.WriteString("  ")
	}
	fmt.Fprintf(&g.text, "%d ", g.last)
	fmt.Fprintf(&g.text, format, args...)
	if symbol != "" {
		g.text.WriteString(" " + symbol)
	}
	if g.one(12) {
		g.text.WriteString(" ; x.v:3.1-3.9")
	}
	g.text.WriteString("\n")
	return g.last
}

// symbol returns one of which no other row has, or none.
func (g *generator) symbol() string {
	if g.one(2) {
		return ""
	}
	g.named++
	return fmt.Sprintf(g.pick("n%d", "top.u%d", "a[%d]", "$auto$%d", "\\q%d'", "s%d.v:9.5-9.30"), g.named)
}

// sort returns the number of a sort, which may have several rows.
func (g *generator) sort(s Sort) int64 {
	if rows := g.sorts[s]; len(rows) > 0 && !g.one(40) {
		return rows[g.IntN(len(rows))]
	}
	var id int64
	if s.Index == 0 {
		id = g.row("", "sort bitvec %d", s.Width)
	} else {
		index, element := g.sort(Sort{Width: s.Index}), g.sort(Sort{Width: s.Width})
		id = g.row("", "sort array %d %d", index, element)
	}
	g.sorts[s] = append(g.sorts[s], id)
	return id
}

// add writes a row that has a value.
func (g *generator) add(s Sort, symbol, format string, args ...any) term {
	sort := g.sort(s)
	tag, rest, _ := strings.Cut(format, " ")
	line := fmt.Sprintf("%s %d", tag, sort)
	if rest != "" {
		line += " " + fmt.Sprintf(rest, args...)
	}
	t := term{id: g.row(symbol, "%s", line), sort: s}
	for _, a := range args {
		if o, ok := a.(operand); ok {
			t.input, t.on = t.input || o.input, t.on|o.on
		}
	}
	g.pool = append(g.pool, t)
	return t
}

// operand is how a row is used.
type operand struct {
	term
	negated bool
}

func (o operand) String() string {
	if o.negated {
		return fmt.Sprintf("-%d", o.id)
	}
	return fmt.Sprint(o.id)
}

// width1 makes sure that there is something of one bit.
func (g *generator) width1() {
	g.constant(1)
	g.constant(1 + g.IntN(g.Width))
}

func (g *generator) constant(width int) term {
	bits := new(big.Int)
	for i := range width {
		bits.SetBit(bits, i, uint(g.IntN(2)))
	}
	if g.one(3) {
		bits.SetInt64(int64(g.IntN(1 << min(width, 4))))
	}
	s := Sort{Width: width}
	var t term
	switch g.IntN(6) {
	case 0:
		t = g.add(s, "", "zero")
	case 1:
		t = g.add(s, "", "one")
	case 2:
		t = g.add(s, "", "ones")
	case 3:
		t = g.add(s, "", "const %s", fmt.Sprintf("%0*b", width, bits))
	case 4:
		if g.one(2) {
			bits = Vector(width, bits).signed()
		}
		t = g.add(s, "", "constd %s", bits.String())
	case 5:
		t = g.add(s, "", "consth %s", g.pick("", "0")+bits.Text(16))
	}
	t.constant = true
	g.pool[len(g.pool)-1] = t
	return t
}

// newSort returns one for an input or state with at most some bits.
func (g *generator) newSort(bits int) Sort {
	s := Sort{Width: 1 + g.IntN(g.Width)}
	if g.one(3) {
		s.Width = 1 + g.IntN(min(4, g.Width))
	}
	if g.Index > 0 && (g.Arrays && g.one(2) || g.one(4)) {
		s.Index = 1 + g.IntN(g.Index)
	}
	for s.Bits() > bits && s.Index > 0 {
		s.Index--
	}
	s.Width = min(s.Width, bits)
	return s
}

// leaves adds inputs, states, and what states start with.
func (g *generator) leaves() {
	bits := g.InputBits
	for range g.IntN(g.Inputs + 1) {
		if bits == 0 {
			break
		}
		s := g.newSort(bits)
		bits -= s.Bits()
		t := g.add(s, g.symbol(), "input")
		t.input = true
		g.pool[len(g.pool)-1] = t
	}
	bits = g.StateBits
	for range 1 + g.IntN(g.States) {
		if bits == 0 {
			break
		}
		s := g.newSort(bits)
		bits -= s.Bits()
		g.state(s)
	}
}

// state adds a state, often with an init, whose value stands before it as a rule.
func (g *generator) state(s Sort) {
	isLate := g.isLate && g.one(2)
	var value *operand
	if !isLate {
		value = g.start(s)
	}
	t := g.add(s, g.symbol(), "state")
	t.on = 1 << len(g.states)
	g.pool[len(g.pool)-1] = t
	g.states = append(g.states, t)
	if isLate {
		g.late = append(g.late, t)
	} else {
		g.begin(t, value)
	}
}

// begin writes what a state starts with; nil is any value.
func (g *generator) begin(t term, value *operand) {
	g.begun |= t.on
	if value != nil {
		g.row("", "init %d %d %s", g.sort(t.sort), t.id, *value)
	}
}

// start returns a value for a state to start with, or nil.
func (g *generator) start(s Sort) (value *operand) {
	switch k := g.IntN(4); {
	case k == 0: // any value
	case s.Index > 0 && k == 1 && !g.NoOverflow:
		value = &operand{term: g.constant(s.Width)}
	case s.Index > 0:
		if o, ok := g.existing(s, true); ok {
			value = &o
			if g.one(2) {
				index, element := operand{term: g.constant(s.Index)}, operand{term: g.constant(s.Width)}
				value.term = g.add(s, "", "write %s %s %s", o, index, element)
			}
		}
	case k == 1:
		value = &operand{term: g.constant(s.Width)}
	default:
		if o, ok := g.existing(s, true); ok {
			value = &o
			if p, ok := g.existing(s, true); ok && g.one(2) {
				value.term = g.add(s, "", g.pick("add", "xor", "sub", "udiv")+" %s %s", o, p)
			}
		}
	}
	return value
}

// existing returns a row of a sort, late ones more often; of starts one that depends on no input and on states that have
// theirs.
func (g *generator) existing(s Sort, ofStart bool) (operand, bool) {
	var fit []term
	for _, t := range g.pool {
		if t.sort == s && !(ofStart && (t.input || t.on&^g.begun != 0)) {
			fit = append(fit, t)
		}
	}
	if len(fit) == 0 {
		return operand{}, false
	}
	i := max(g.IntN(len(fit)), g.IntN(len(fit)))
	return operand{term: fit[i], negated: s.Index == 0 && g.one(5)}, true
}

// operand returns a row of a sort, which is made where there is none.
func (g *generator) operand(s Sort) operand {
	if o, ok := g.existing(s, false); ok && !g.one(20) {
		return o
	}
	if s.Index > 0 {
		if o, ok := g.existing(s, false); ok {
			return o
		}
		panic("btor2test: no array")
	}
	from := g.vector()
	var t term
	switch width := from.sort.Width; {
	case g.one(4):
		t = g.constant(s.Width)
	case width > s.Width:
		low := g.IntN(width - s.Width + 1)
		t = g.add(s, g.symbol(), "slice %s %d %d", from, low+s.Width-1, low)
	default:
		t = g.add(s, g.symbol(), g.pick("uext", "sext")+" %s %d", from, s.Width-width)
	}
	return operand{term: t, negated: g.one(5)}
}

// vector returns any bit-vector.
func (g *generator) vector() operand {
	for {
		t := g.pool[max(g.IntN(len(g.pool)), g.IntN(len(g.pool)))]
		if t.sort.Index == 0 {
			return operand{term: t, negated: g.one(5)}
		}
	}
}

// array returns any array; ok is false where there is none.
func (g *generator) array() (operand, bool) {
	var fit []term
	for _, t := range g.pool {
		if t.sort.Index > 0 {
			fit = append(fit, t)
		}
	}
	if len(fit) == 0 {
		return operand{}, false
	}
	return operand{term: fit[g.IntN(len(fit))]}, true
}

// operator adds a row with an operator.
func (g *generator) operator() {
	bit := Sort{Width: 1}
	array, hasArray := g.array()
	k := g.IntN(14)
	if g.Arrays && hasArray && g.one(2) {
		k = g.IntN(4)
	}
	switch {
	case k == 0 && hasArray:
		index := g.operand(Sort{Width: array.sort.Index})
		g.add(Sort{Width: array.sort.Width}, g.symbol(), "read %s %s", array, index)
	case k == 1 && hasArray:
		index, element := g.operand(Sort{Width: array.sort.Index}), g.operand(Sort{Width: array.sort.Width})
		g.add(array.sort, g.symbol(), "write %s %s %s", array, index, element)
	case k == 2 && hasArray:
		g.add(bit, g.symbol(), g.pick("eq", "neq")+" %s %s", array, g.operand(array.sort))
	case k == 3 && hasArray:
		g.add(array.sort, g.symbol(), "ite %s %s %s", g.operand(bit), array, g.operand(array.sort))
	case k == 4:
		g.add(bit, g.symbol(), g.pick("iff", "implies")+" %s %s", g.operand(bit), g.operand(bit))
	case k == 5:
		x := g.vector()
		g.add(x.sort, g.symbol(), "ite %s %s %s", g.operand(bit), x, g.operand(x.sort))
	case k == 6:
		high := g.vector()
		if room := g.Width - high.sort.Width; room > 0 {
			low := g.operand(Sort{Width: 1 + g.IntN(room)})
			g.add(Sort{Width: high.sort.Width + low.sort.Width}, g.symbol(), "concat %s %s", high, low)
		}
	case k == 7:
		x := g.vector()
		low := g.IntN(x.sort.Width)
		high := low + g.IntN(x.sort.Width-low)
		g.add(Sort{Width: high - low + 1}, g.symbol(), "slice %s %d %d", x, high, low)
	case k == 8:
		x := g.vector()
		more := g.IntN(g.Width - x.sort.Width + 1)
		if g.one(3) {
			more = 0
		}
		g.add(Sort{Width: x.sort.Width + more}, g.symbol(), g.pick("uext", "sext")+" %s %d", x, more)
	default:
		g.simple(g.vector())
	}
}

// simple adds a row with one of Operators.
func (g *generator) simple(x operand) {
	tags := slices.Sorted(maps.Keys(Operators))
	tag := tags[g.IntN(len(tags))]
	for g.NoOverflow && strings.HasSuffix(tag, "o") && strings.ContainsAny(tag[:1], "us") {
		tag = tags[g.IntN(len(tags))]
	}
	s := x.sort
	if IsPredicate(tag) {
		s = Sort{Width: 1}
	}
	if Operators[tag] == 1 {
		g.add(s, g.symbol(), tag+" %s", x)
	} else {
		g.add(s, g.symbol(), tag+" %s %s", x, g.operand(x.sort))
	}
}

// properties adds what is asked, and what holds.
func (g *generator) properties() {
	bit := Sort{Width: 1}
	for range g.IntN(g.Constraints + 1) {
		g.row(g.symbol(), "constraint %s", operand{term: g.add(bit, "", "or %s %s", g.operand(bit), g.operand(bit))})
	}
	for range 1 + g.IntN(3) {
		bad := g.operand(bit)
		for range g.IntN(3) { // a rare bad makes longer runs
			bad = operand{term: g.add(bit, "", "and %s %s", bad, g.operand(bit))}
		}
		g.row(g.symbol(), "bad %s", bad)
	}
	for range g.IntN(2) {
		g.row(g.symbol(), "output %s", g.vector())
	}
	for range g.IntN(3) {
		node := g.operand(bit)
		fmt.Fprintf(&g.text, "; prop: %s %s%s\n", g.pick("lemma", "cover"), node, g.pick("", ` "a label"`))
	}
	if !g.Liveness || g.NoOverflow || g.one(2) {
		return
	}
	for range g.IntN(3) {
		g.row("", "fair %s", g.operand(bit))
	}
	for range 1 + g.IntN(2) {
		goals := make([]string, 1+g.IntN(3))
		for i := range goals {
			goals[i] = g.operand(bit).String()
		}
		g.row(g.symbol(), "justice %d %s", len(goals), strings.Join(goals, " "))
	}
}

// RandomValue returns any value of a sort; small and extreme ones more often.
func RandomValue(r *rand.Rand, s Sort) Value {
	if s.Index > 0 {
		v := Value{Sort: s, Bits: RandomValue(r, Sort{Width: s.Width}).Bits}
		for range r.IntN(4) {
			index := RandomValue(r, Sort{Width: s.Index}).Bits
			v = v.With(index, RandomValue(r, Sort{Width: s.Width}).Bits)
		}
		return v
	}
	switch r.IntN(6) {
	case 0:
		return vector(s.Width, int64(r.IntN(5))-2)
	case 1: // about the middle
		return Vector(s.Width, new(big.Int).Add(power(s.Width-1), big.NewInt(int64(r.IntN(5))-2)))
	case 2: // few bits
		return Vector(s.Width, power(r.IntN(s.Width)))
	}
	bits := new(big.Int)
	for range s.Width/64 + 1 {
		bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(r.Uint64()))
	}
	return Vector(s.Width, bits)
}
