package ic3

import (
	"math/bits"
	"slices"
	"unsafe"

	"aiglens/circuit"
)

const (
	blockWords  = 8 // of 64 models each
	blockModels = 64 * blockWords
	// maxModels bounds the models, and maxModelBytes about what they take.
	maxModels     = 1 << 13
	maxModelBytes = 64 << 20
)

// models holds the last models of queries whether a clause is inductive relative to a
// frame, that is, steps from a state of the frame into the cube that the clause excludes.
// Such a step may answer many other queries: a literal that cannot be dropped from one
// cube can often not be dropped from the next one for the same reason. Up to half of all
// queries that fail are answered so.
//
// What is kept of a step is what its model says: under the inputs, every state that agrees
// with it is followed by one that agrees with what is known of that. Lemmas may exclude all
// these states together and yet none of them all by itself. So not every answer is that of a
// solver: a clause that is inductive may look as if it were not, but never the other way
// round. Triggered pushing (Suda, "Triggered Clause Pushing for IC3", 2013) keeps one such
// model for each lemma.
type models struct {
	blocks []*modelBlock // each full but for the last, before the first model is replaced
	levels int
	next   int // the model that is to be replaced next
	marks  int // and inputs, of all
	// The latches whose next state is a literal of a variable: those of v are in readers
	// from readersOf[v] to readersOf[v+1], as position and sign.
	readersOf []uint32
	readers   []uint32
	latchOf   []int32       // by variable: position of the latch, or isInput or isGate
	literals  []circuit.Lit // of the latches
	scratch   []circuit.Lit
}

// modelBlock holds some of the models.
type modelBlock struct {
	latches []latchModels
	valid   []modelSet // by level: those whose state no lemma of the frame excludes
	// marks are what is set of a model: position of the latch, by whether it is the
	// value in the next step, and the value.
	marks [blockModels][]uint32
	// inputs are the true literals of inputs.
	inputs [blockModels][]circuit.Lit
}

// modelSet is a set of models of a block.
type modelSet = [blockWords]uint64

// latchModels are the models in which a latch has a value, now and in the next step, by
// the value.
type latchModels struct {
	now, then [2]modelSet
}

const (
	isGate  = -1
	isInput = -2
)

func newModels(c *circuit.Circuit) *models {
	m := &models{
		readersOf: make([]uint32, c.NumVars()+1),
		readers:   make([]uint32, len(c.Latches())),
		latchOf:   make([]int32, c.NumVars()),
		literals:  make([]circuit.Lit, len(c.Latches())),
	}
	for i := range m.latchOf {
		m.latchOf[i] = isGate
	}
	for _, in := range c.Inputs() {
		m.latchOf[in.Lit.Var()] = isInput
	}
	for i, l := range c.Latches() {
		m.literals[i] = l.Lit
		m.latchOf[l.Lit.Var()] = int32(i)
		m.readersOf[l.Next.Var()+1]++
	}
	for v := range c.NumVars() {
		m.readersOf[v+1] += m.readersOf[v]
	}
	end := slices.Clone(m.readersOf)
	for i, l := range c.Latches() {
		v := l.Next.Var()
		m.readers[end[v]] = uint32(i)<<1 | sign(l.Next)
		end[v]++
	}
	return m
}

func sign(l circuit.Lit) uint32 {
	if l.IsNegated() {
		return 1
	}
	return 0
}

// open adds a level. Its frame holds the states of the one below.
func (m *models) open() {
	for _, b := range m.blocks {
		b.valid = append(b.valid, b.valid[m.levels-1])
	}
	m.levels++
}

// find returns a step from a state of a frame, but none of the cube, into the cube.
func (m *models) find(c cube, level int) (model int, ok bool) {
	for i, b := range m.blocks {
		if j, ok := m.findIn(b, c, level); ok {
			return i*blockModels + j, true
		}
	}
	return 0, false
}

func (m *models) findIn(b *modelBlock, c cube, level int) (model int, ok bool) {
	live := b.valid[level]
	var outside modelSet
	for _, l := range c {
		latch, value := &b.latches[m.latchOf[l.Var()]], 1-sign(l)
		in, out := &latch.then[value], &latch.now[1-value]
		left := uint64(0)
		for w := range live {
			live[w] &= in[w]
			outside[w] |= out[w]
			left |= live[w]
		}
		if left == 0 {
			return 0, false
		}
	}
	for w := range live {
		if found := live[w] & outside[w]; found != 0 {
			return w<<6 | bits.TrailingZeros64(found), true
		}
	}
	return 0, false
}

// slot returns the model to be replaced next: a new one while there is room.
func (m *models) slot() int {
	if m.next%blockModels == 0 {
		m.shrink()
	}
	if m.next == len(m.blocks)*blockModels {
		if len(m.blocks) == maxModels/blockModels || len(m.blocks) > 0 && m.bytes() > maxModelBytes {
			m.next = 0
		} else {
			m.blocks = append(m.blocks, &modelBlock{latches: make([]latchModels, len(m.literals)), valid: make([]modelSet, m.levels)})
		}
	}
	m.next++
	return m.next - 1
}

// bytes returns about what the models take.
func (m *models) bytes() int {
	return len(m.blocks)*len(m.literals)*int(unsafe.Sizeof(latchModels{})) + 4*m.marks
}

// shrink drops the last blocks when the models, of which those of high frames say more, have
// become twice as large as they should.
func (m *models) shrink() {
	for n := len(m.blocks) - 1; n > 0 && m.bytes() > 2*maxModelBytes; n-- {
		for i, marks := range m.blocks[n].marks {
			m.marks -= len(marks) + len(m.blocks[n].inputs[i])
		}
		m.blocks = slices.Delete(m.blocks, n, n+1)
	}
	m.next = min(m.next, len(m.blocks)*blockModels)
}

// keep puts a model of a query about a frame in the place of the oldest one. isTrue holds
// the literals that are true in it.
func (m *models) keep(isTrue []circuit.Lit, level int) (model int) {
	model = m.slot()
	b, i := m.at(model)
	w, bit := i>>6, uint64(1)<<(i&63)
	marks := b.marks[i]
	for _, mark := range marks {
		b.latches[mark>>2].with(mark)[w] &^= bit
	}
	m.marks -= len(marks) + len(b.inputs[i])
	marks = marks[:0]
	inputs := b.inputs[i][:0]
	add := func(mark uint32) {
		marks = append(marks, mark)
		b.latches[mark>>2].with(mark)[w] |= bit
	}
	for _, r := range m.readers[:m.readersOf[1]] { // constants
		add(r>>1<<2 | markThen | r&1)
	}
	for _, l := range isTrue {
		v := l.Var()
		switch i := m.latchOf[v]; {
		case i >= 0:
			add(uint32(i)<<2 | 1 - sign(l))
		case i == isInput:
			inputs = append(inputs, l)
		}
		for _, r := range m.readers[m.readersOf[v]:m.readersOf[v+1]] {
			add(r>>1<<2 | markThen | 1 - sign(l) ^ r&1)
		}
	}
	b.marks[i], b.inputs[i] = marks, inputs
	m.marks += len(marks) + len(inputs)
	for i := range b.valid {
		if i < level {
			b.valid[i][w] &^= bit
		} else {
			b.valid[i][w] |= bit
		}
	}
	return model
}

// at returns the block of a model, and its position there.
func (m *models) at(model int) (b *modelBlock, i int) {
	return m.blocks[model/blockModels], model % blockModels
}

// markThen is the bit of a mark that is a value in the next step.
const markThen = 2

// with returns the models that have a mark.
func (l *latchModels) with(mark uint32) *modelSet {
	if mark&markThen != 0 {
		return &l.then[mark&1]
	}
	return &l.now[mark&1]
}

// holds reports whether a latch literal is true before the step of a model.
func (m *models) holds(model int, l circuit.Lit) bool {
	b, i := m.at(model)
	return b.latches[m.latchOf[l.Var()]].now[1-sign(l)][i>>6]>>(i&63)&1 == 1
}

// state returns the state before the step of a model, as far as it is known.
func (m *models) state(model int) cube { return m.cube(model, 0) }

// successor returns the state after the step of a model, as far as it is known.
func (m *models) successor(model int) cube { return m.cube(model, markThen) }

func (m *models) cube(model int, when uint32) cube {
	lits := m.scratch[:0]
	b, i := m.at(model)
	for _, mark := range b.marks[i] {
		if mark&markThen == when {
			lits = append(lits, m.literals[mark>>2].NotIf(mark&1 == 0))
		}
	}
	m.scratch = lits
	return newCube(lits)
}

// appendInputs appends the literals of inputs that are true in a model.
func (m *models) appendInputs(dst []circuit.Lit, model int) []circuit.Lit {
	b, i := m.at(model)
	return append(dst, b.inputs[i]...)
}

// exclude says that the frames of a level and below hold the lemma ¬c.
func (m *models) exclude(c cube, level int) {
	for _, b := range m.blocks {
		m.excludeIn(b, c, level)
	}
}

func (m *models) excludeIn(b *modelBlock, c cube, level int) {
	excluded := b.valid[m.levels-1]
	for _, l := range c {
		in := &b.latches[m.latchOf[l.Var()]].now[1-sign(l)]
		left := uint64(0)
		for w := range excluded {
			excluded[w] &= in[w]
			left |= excluded[w]
		}
		if left == 0 {
			return
		}
	}
	for i := range b.valid[:level+1] {
		for w := range excluded {
			b.valid[i][w] &^= excluded[w]
		}
	}
}
