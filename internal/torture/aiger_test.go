package torture

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"slices"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/ic3/classic/classictest"
	"aiglens/internal/explicit"
)

var shapes = []explicit.Shape{
	{Inputs: 3, Latches: 6, Gates: 30, OneResets: true, FreeLatches: true, Constraints: 2, Constants: true},
	{Inputs: 1, Latches: 8, Gates: 40, OneResets: true},
	{Inputs: 4, Latches: 3, Gates: 12, Constraints: 3, FreeLatches: true, Constants: true},
	{Inputs: 0, Latches: 7, Gates: 30, FreeLatches: true, OneResets: true},
	{Inputs: 2, Latches: 6, Gates: 30, FreeLatches: true, OneResets: true, Constraints: 1, Hidden: 3},
	{Inputs: 3, Latches: 6, Gates: 30, OneResets: true, FreeLatches: true, Constraints: 1, ResetFunctions: true},
	{Inputs: 2, Latches: 5, Gates: 20, Constraints: 2, ResetFunctions: true, Constants: true},
}

// randomModel returns the numbers of a random AIGER file with everything in AIGER.
func randomModel(r *rand.Rand) *aiger.Model {
	var c *circuit.Circuit
	if r.IntN(8) == 0 {
		c = classictest.Sample(r)
	} else {
		c = explicit.RandomCircuit(r, shapes[r.IntN(len(shapes))])
	}
	x := roughener{r, aiger.FromCircuit(c)}
	x.inputs()
	x.gates()
	x.properties()
	if r.IntN(2) == 0 {
		x.renumber()
	}
	if r.IntN(2) == 0 {
		x.name()
	}
	return x.m
}

// roughener adds to a file what no writer makes and every reader must take.
type roughener struct {
	r *rand.Rand
	m *aiger.Model
}

// lit returns a literal that is defined, now and then a constant.
func (x roughener) lit() uint32 {
	if x.r.IntN(20) == 0 {
		return uint32(x.r.IntN(2))
	}
	return 2*(1+x.r.Uint32N(x.m.MaxVar)) + x.r.Uint32N(2)
}

// inputs adds inputs that nothing uses yet.
func (x roughener) inputs() {
	for len(x.m.Inputs) < maxInputs && x.r.IntN(3) == 0 {
		x.m.MaxVar++
		x.m.Inputs = append(x.m.Inputs, 2*x.m.MaxVar)
	}
}

// gates adds gates that may be constant, equal to others or of no use, and uses some
// of them in the place of others.
func (x roughener) gates() {
	for range x.r.IntN(6) {
		g := syntax.And{RHS0: x.lit(), RHS1: x.lit()}
		switch x.r.IntN(4) {
		case 0:
			g.RHS1 = g.RHS0 ^ x.r.Uint32N(2)
		case 1:
			if len(x.m.Ands) > 0 {
				g = x.m.Ands[x.r.IntN(len(x.m.Ands))]
			}
		}
		x.m.MaxVar++
		g.LHS = 2 * x.m.MaxVar
		x.m.Ands = append(x.m.Ands, g)
		if n := len(x.m.Latches); n > 0 && x.r.IntN(3) == 0 {
			x.m.Latches[x.r.IntN(n)].Next = g.LHS ^ x.r.Uint32N(2)
		} else if n > 0 && x.r.IntN(6) == 0 {
			x.reset(x.r.IntN(n), g.LHS^x.r.Uint32N(2))
		}
	}
}

// reset lets a latch start with the value of a literal, unless that depends on it.
func (x roughener) reset(latch int, lit uint32) {
	l := &x.m.Latches[latch]
	before := l.Reset
	l.Reset = lit
	if !isStratified(x.m) {
		l.Reset = before
	}
}

// isStratified reports whether no reset function depends on its own latch.
func isStratified(m *aiger.Model) bool {
	below := map[uint32][]uint32{} // by variable: what it follows from in step 0
	for _, g := range m.Ands {
		below[g.LHS/2] = []uint32{g.RHS0 / 2, g.RHS1 / 2}
	}
	for _, l := range m.Latches {
		if l.Reset != l.Lit {
			below[l.Lit/2] = []uint32{l.Reset / 2}
		}
	}
	const open, done = 1, 2
	state := map[uint32]int{}
	var visit func(v uint32) bool
	visit = func(v uint32) bool {
		if state[v] != 0 {
			return state[v] == done
		}
		state[v] = open
		for _, w := range below[v] {
			if !visit(w) {
				return false
			}
		}
		state[v] = done
		return true
	}
	for _, l := range m.Latches {
		if !visit(l.Lit / 2) {
			return false
		}
	}
	return true
}

// hasResetFunctions reports whether a latch starts with a literal of the file.
func hasResetFunctions(m *aiger.Model) bool {
	return slices.ContainsFunc(m.Latches, func(l syntax.Latch) bool { return l.Reset > 1 && l.Reset != l.Lit })
}

// properties adds properties of all kinds.
func (x roughener) properties() {
	m, add := x.m, func(to *[]uint32, most int) {
		for range x.r.IntN(most + 1) {
			*to = append(*to, x.lit())
		}
	}
	if x.r.IntN(2) == 0 { // rare, so that runs are long
		other := x.lit()
		m.MaxVar++
		m.Ands = append(m.Ands, syntax.And{LHS: 2 * m.MaxVar, RHS0: m.Bads[0], RHS1: other})
		m.Bads = append(m.Bads, 2*m.MaxVar)
	}
	add(&m.Bads, 2)
	switch x.r.IntN(5) {
	case 0: // the convention of AIGER 1.0
		m.Outputs, m.Bads = m.Bads, nil
		return
	case 1:
		m.Outputs, m.Bads = m.Bads, nil
	case 2:
		add(&m.Outputs, 3)
	}
	if x.r.IntN(4) == 0 {
		add(&m.Constraints, 1)
	}
	if x.r.IntN(6) == 0 {
		for range 1 + x.r.IntN(2) {
			var lits []uint32
			add(&lits, 3)
			if len(lits) > 1 && x.r.IntN(6) == 0 {
				lits[0] = lits[1]
			}
			m.Justice = append(m.Justice, lits)
		}
		add(&m.Fairness, 2)
	}
}

// renumber gives the variables other numbers, with gaps, and puts the rows of inputs,
// latches and gates in another order where the format allows it.
func (x roughener) renumber() {
	m := x.m
	largest := m.MaxVar + x.r.Uint32N(10)
	to := []uint32{0}
	for _, v := range x.r.Perm(int(largest)) {
		to = append(to, uint32(v+1))
	}
	eachLit(m, func(lit *uint32) { *lit = 2*to[*lit/2] + *lit&1 })
	m.MaxVar = largest
	x.r.Shuffle(len(m.Ands), func(i, j int) { m.Ands[i], m.Ands[j] = m.Ands[j], m.Ands[i] })
	x.r.Shuffle(len(m.Inputs), func(i, j int) { m.Inputs[i], m.Inputs[j] = m.Inputs[j], m.Inputs[i] })
	x.r.Shuffle(len(m.Latches), func(i, j int) { m.Latches[i], m.Latches[j] = m.Latches[j], m.Latches[i] })
}

// eachLit calls f for every literal of a file.
func eachLit(m *aiger.Model, f func(lit *uint32)) {
	lists := [][]uint32{m.Inputs, m.Outputs, m.Bads, m.Constraints, m.Fairness}
	for _, list := range slices.Concat(lists, m.Justice) {
		for i := range list {
			f(&list[i])
		}
	}
	for i := range m.Latches {
		l := &m.Latches[i]
		f(&l.Lit)
		f(&l.Next)
		f(&l.Reset)
	}
	for i := range m.Ands {
		g := &m.Ands[i]
		f(&g.LHS)
		f(&g.RHS0)
		f(&g.RHS1)
	}
}

// name gives some elements names.
func (x roughener) name() {
	for kind, n := range map[syntax.SectionKind]int{
		syntax.SectionInputs: len(x.m.Inputs), syntax.SectionLatches: len(x.m.Latches), syntax.SectionBads: len(x.m.Bads),
		syntax.SectionOutputs: len(x.m.Outputs), syntax.SectionConstraints: len(x.m.Constraints),
	} {
		for i := range n {
			if i%3 != 2 {
				x.m.Symbols = append(x.m.Symbols, syntax.SymbolEntry{Kind: kind, Index: i, Name: fmt.Sprintf("%c%d", kind.Letter(), i)})
			}
		}
	}
	x.m.Comment, x.m.HasComment = "made by a test\n", true
}

// editModel changes one thing, as an edit of the file might.
func editModel(r *rand.Rand, before *aiger.Model) *aiger.Model {
	x := roughener{r, clone(before)}
	defined := append([]uint32{0}, x.m.Inputs...)
	for _, l := range x.m.Latches {
		defined = append(defined, l.Lit)
	}
	leaf := func() uint32 { return defined[r.IntN(len(defined))] ^ r.Uint32N(2) }
	switch ands, latches := len(x.m.Ands), len(x.m.Latches); {
	case ands > 0 && r.IntN(2) == 0:
		g := &x.m.Ands[r.IntN(ands)]
		switch r.IntN(4) {
		case 0:
			g.RHS0 ^= 1
		case 1:
			g.RHS1 ^= 1
		case 2:
			g.RHS0 = leaf() // no cycle
		case 3:
			g.RHS0, g.RHS1 = g.RHS1, g.RHS0 // the same circuit
		}
	case latches > 0 && r.IntN(2) == 0:
		l := &x.m.Latches[r.IntN(latches)]
		switch r.IntN(4) {
		case 0:
			l.Next = leaf()
		case 1:
			l.Next ^= 1
		case 2:
			l.Reset = []uint32{0, 1, l.Lit}[r.IntN(3)]
		case 3:
			x.reset(slices.IndexFunc(x.m.Latches, func(o syntax.Latch) bool { return o.Lit == l.Lit }), leaf())
		}
	case len(x.m.Constraints) > 0 && r.IntN(2) == 0:
		x.m.Constraints = x.m.Constraints[1:]
		x.m.Symbols = nil
	case r.IntN(2) == 0:
		x.m.Constraints = append(x.m.Constraints, leaf())
	case len(x.m.Bads) > 0:
		x.m.Bads[r.IntN(len(x.m.Bads))] ^= 1
	}
	if !isStratified(x.m) {
		return clone(before)
	}
	return x.m
}

func clone(m *aiger.Model) *aiger.Model {
	n := *m
	n.Inputs, n.Latches, n.Ands = slices.Clone(m.Inputs), slices.Clone(m.Latches), slices.Clone(m.Ands)
	n.Outputs, n.Bads = slices.Clone(m.Outputs), slices.Clone(m.Bads)
	n.Constraints, n.Fairness = slices.Clone(m.Constraints), slices.Clone(m.Fairness)
	n.Symbols = slices.Clone(m.Symbols)
	n.Justice = nil
	for _, lits := range m.Justice {
		n.Justice = append(n.Justice, slices.Clone(lits))
	}
	return &n
}

// aigerVersions returns a file and what edits make of it, in one of the forms that
// AIGER has.
func aigerVersions(r *rand.Rand) []version {
	m, form := randomModel(r), aigerForm(r.IntN(6))
	var all []version
	for range 1 + r.IntN(3) {
		all = append(all, version{model: m, form: form})
		m = editModel(r, m)
	}
	return all
}

// aigerForm is how a file is written; those not named are text.
type aigerForm int

const (
	packedText aigerForm = iota
	binary
	packedBinary
)

// write returns a file and a name that fits.
func (form aigerForm) write(m *aiger.Model) (name, data string) {
	name, data = "c.aag", string(m.AppendASCII(nil))
	if form == binary || form == packedBinary {
		bytes, err := m.AppendBinary(nil)
		if err != nil {
			panic(err)
		}
		name, data = "c.aig", string(bytes)
	}
	if form == packedText || form == packedBinary {
		name, data = name+".gz", packed(data)
	}
	return name, data
}

func packed(data string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(data)); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}
