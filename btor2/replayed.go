package btor2

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"aiglens/btor2/bits"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/findings"
)

// maxReplay bounds the literals of all rows that are kept of a run in the making, each row with those that its header takes: some
// 64 MB.
const (
	maxReplay      = 16_000_000
	literalsPerRow = 12
)

// values are those of the nodes that are kept of a step, by their places among them.
type values struct {
	words  [][]circuit.Lit // constants
	arrays []*array
}

// replayed is a run of the text in the making.
type replayed struct {
	e       *Elaboration
	p       circuit.Property
	initial []circuit.Value
	inputs  [][]circuit.Value
	needed  []bool
	order   []int   // the nodes that are needed, each after those that it depends on in step 0
	kept    []int   // the nodes whose values are looked at after their step
	place   []int32 // by node: among those that are kept
	given   given   // of a witness that was read; nil for a run of the circuit
	steps   []values
	scratch *Elaboration // has the words of the step in the making
	arrays  []*array     // by node, in the step in the making
	toEnd   bool         // whatever holds
	wrong   string       // why the run violates nothing; "" where it does
}

// newReplayed returns a run about a property that chooses as one of the circuit does, or as given. The error says why it cannot
// be replayed.
func (e *Elaboration) newReplayed(p circuit.Property, initial []circuit.Value, inputs [][]circuit.Value, elements given) (*replayed, error) {
	if !e.IsCheckedByAbstraction(p) {
		return nil, fmt.Errorf("a run of %s cannot be replayed where arrays are too large", p)
	}
	r, err := e.newReplay(e.neededBy(p), initial, inputs, elements)
	if err != nil {
		return nil, err
	}
	r.p = p
	return r, nil
}

// newReplay returns a run of some nodes, as newReplayed does.
func (e *Elaboration) newReplay(needed []bool, initial []circuit.Value, inputs [][]circuit.Value, elements given) (*replayed, error) {
	if len(initial) != len(e.Circuit.Latches()) || slices.ContainsFunc(inputs, func(row []circuit.Value) bool { return len(row) != len(e.Circuit.Inputs()) }) {
		return nil, fmt.Errorf("the run is none of the circuit")
	}
	r := &replayed{e: e, needed: needed, given: elements, place: make([]int32, len(e.model.Nodes))}
	if err := r.sort(); err != nil {
		return nil, err
	}
	r.keep()
	if len(inputs) > r.maxSteps() {
		return nil, fmt.Errorf("a run of %s is too long to be replayed", findings.Count(len(inputs), "step", "steps"))
	}
	r.scratch = &Elaboration{model: e.model, words: make([][]circuit.Lit, len(e.model.Nodes)), abstraction: &abstraction{}}
	r.arrays = make([]*array, len(e.model.Nodes))
	r.begin(initial, inputs)
	return r, nil
}

// keep finds the nodes that are kept: those that say what a run chooses, reads and comparisons of arrays with their operands, what
// decides where the value of a state comes from, what a state has next, and what is asked.
func (r *replayed) keep() {
	isKept := make([]bool, len(r.place))
	keep := func(node int) {
		if !isKept[node] {
			isKept[node] = true
			r.place[node] = int32(len(r.kept))
			r.kept = append(r.kept, node)
		}
	}
	for node, isNeeded := range r.needed {
		if !isNeeded {
			continue
		}
		n := &r.e.model.Nodes[node]
		_, isRead := r.e.abstraction.inputs[node]
		switch {
		case n.Op == syntax.Input || n.Op == syntax.State:
			keep(node)
		case isRead:
			keep(node)
			for _, a := range n.Args {
				keep(a.Node())
			}
		case n.Op == syntax.Ite || n.Op == syntax.Bad || n.Op == syntax.Constraint:
			keep(n.Args[0].Node())
		case n.Op == syntax.Next:
			keep(n.Args[1].Node())
		}
	}
}

// maxSteps bounds the steps of a run.
func (r *replayed) maxSteps() int {
	size := 1
	for _, node := range r.kept {
		size += literalsPerRow
		if s := r.e.model.Nodes[node].Sort; !s.IsArray() {
			size += s.Width
		}
	}
	return maxReplay / size
}

// begin starts with a run of the circuit.
func (r *replayed) begin(initial []circuit.Value, inputs [][]circuit.Value) {
	r.initial, r.inputs, r.steps, r.wrong = r.e.startOf(initial), nil, nil, ""
	for _, row := range inputs {
		r.inputs = append(r.inputs, known(row))
	}
}

// sort finds the order of nodes. The init of a state may name later rows; a state has no other operands in step 0.
func (r *replayed) sort() error {
	m := r.e.model
	const (
		isOpen = 1
		isDone = 2
	)
	state := make([]uint8, len(m.Nodes))
	var todo []int
	for root := range m.Nodes {
		if !r.needed[root] {
			continue
		}
		todo = append(todo, root)
		for len(todo) > 0 {
			node := todo[len(todo)-1]
			n := &m.Nodes[node]
			before := n.Args
			switch row, ok := m.Init[node]; {
			case n.Op == syntax.Init || n.Op == syntax.Next:
				before = nil // these have no value of their own
			case n.Op == syntax.State && ok:
				before = m.Nodes[row].Args[1:2]
			}
			if state[node] == 0 {
				state[node] = isOpen
				for _, a := range before {
					switch {
					case a == syntax.NoRef:
						return fmt.Errorf("row %d has an operand without a value", n.ID)
					case state[a.Node()] == 0:
						todo = append(todo, a.Node())
					case state[a.Node()] == isOpen:
						return fmt.Errorf("row %d depends on its own value", n.ID)
					}
				}
				continue
			}
			todo = todo[:len(todo)-1]
			if state[node] != isDone {
				state[node] = isDone
				r.order = append(r.order, node)
			}
		}
	}
	return nil
}

// array returns the value of an array that is kept in a step; nil for a word.
func (r *replayed) array(t, node int) *array { return r.steps[t].arrays[r.place[node]] }

// word returns the value of a word that is kept in a step.
func (r *replayed) word(t, node int) []circuit.Lit { return r.steps[t].words[r.place[node]] }

// operand returns the value of an operand in a step that was evaluated.
func (r *replayed) operand(t int, ref syntax.Ref) []circuit.Lit {
	return negatedIf(r.word(t, ref.Node()), ref)
}

// now returns the value of an operand in the step in the making.
func (r *replayed) now(ref syntax.Ref) []circuit.Lit {
	return negatedIf(r.scratch.words[ref.Node()], ref)
}

func negatedIf(word []circuit.Lit, ref syntax.Ref) []circuit.Lit {
	if !ref.IsNegated() {
		return word
	}
	return bits.Not(word)
}

// run evaluates steps until bad holds, and returns that step. wrong says why there is none, or why it counts for nothing; what
// a witness says is evaluated to its end all the same. With toEnd nothing is asked.
func (r *replayed) run(ctx context.Context) (last int, err error) {
	m := r.e.model
	for t := range r.inputs {
		if err := r.step(ctx, t); err != nil {
			return 0, err
		}
		if r.toEnd {
			continue
		}
		for i, node := range m.Constraints {
			if r.wrong == "" && !r.holds(t, node) {
				r.wrong = fmt.Sprintf("constraint %d does not hold in step %d", i, t)
			}
		}
		if r.wrong != "" && r.given == nil {
			return t, nil
		}
		if r.holds(t, m.Bads[r.p.Index]) {
			return t, nil
		}
	}
	if r.wrong == "" {
		r.wrong = "the text violates nothing in " + findings.Count(len(r.inputs), "step", "steps")
	}
	return len(r.inputs) - 1, nil
}

// holds returns the value of the operand of a bad or constraint.
func (r *replayed) holds(t, node int) bool {
	return r.operand(t, r.e.model.Nodes[node].Args[0])[0] == circuit.True
}

// step evaluates the rows that are needed.
func (r *replayed) step(ctx context.Context, t int) error {
	m := r.e.model
	x := elaborator{m: m, b: circuit.NewBuilder(0), e: r.scratch}
	clear(r.scratch.words)
	clear(r.arrays)
	for k, i := range r.order {
		if k%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n := &m.Nodes[i]
		switch {
		case n.Op < syntax.Input || n.Op >= syntax.Init && n.Op <= syntax.Cover:
			continue
		case n.Op == syntax.Input || n.Op == syntax.State:
			r.leaf(t, i)
		case arrayOf(m, n).IsArray():
			r.onArrays(t, i)
		default:
			r.scratch.words[i] = x.value(i)
		}
		word := r.scratch.words[i]
		isWord := !n.Sort.IsArray() && len(word) == n.Sort.Width
		if !isWord && r.arrays[i] == nil || slices.ContainsFunc(word, func(l circuit.Lit) bool { return l > circuit.True }) {
			return fmt.Errorf("row %d has no value in the replay", n.ID)
		}
	}
	now := values{make([][]circuit.Lit, len(r.kept)), make([]*array, len(r.kept))}
	for k, i := range r.kept {
		now.words[k], now.arrays[k] = r.scratch.words[i], r.arrays[i]
	}
	r.steps = append(r.steps, now)
	return nil
}

// onArrays evaluates an operator on arrays.
func (r *replayed) onArrays(t, i int) {
	n := &r.e.model.Nodes[i]
	array1 := func(k int) *array { return r.arrays[n.Args[k].Node()] }
	switch n.Op {
	case syntax.Read:
		r.scratch.words[i] = array1(0).at(keyOf(r.now(n.Args[1])), r.wish(t, i, n.Sort.Width))
	case syntax.Write:
		r.arrays[i] = array1(0).write(keyOf(r.now(n.Args[1])), r.now(n.Args[2]))
	case syntax.Ite:
		r.arrays[i] = array1(2)
		if r.now(n.Args[0])[0] == circuit.True {
			r.arrays[i] = array1(1)
		}
	case syntax.Eq, syntax.Neq:
		wished := r.wish(t, i, 1)[0] == circuit.True
		equal := equalArrays(array1(0), array1(1), arrayOf(r.e.model, n), wished)
		r.scratch.words[i] = bit(circuit.False.NotIf(equal == (n.Op == syntax.Eq)))
	default: // another name
		r.arrays[i] = array1(0)
	}
}

// wish returns the value that the run of the circuit has for a read that finds nothing.
func (r *replayed) wish(t, i, width int) []circuit.Lit {
	if open, ok := r.e.abstraction.inputs[i]; ok && r.given == nil {
		return r.chosen(open, r.inputs[t])
	}
	return make([]circuit.Lit, width)
}

// chosen returns the values that a row of a run has for inputs, or the initial ones of latches.
func (r *replayed) chosen(bits []circuit.Lit, row []circuit.Value) []circuit.Lit {
	c, word := r.e.Circuit, make([]circuit.Lit, len(bits))
	for i, l := range bits {
		if l <= circuit.True {
			word[i] = l
			continue
		}
		at := c.InputIndex(l.Var())
		if at < 0 {
			at = c.LatchIndex(l.Var())
		}
		word[i] = circuit.False.NotIf(row[at] == circuit.One)
	}
	return word
}

// isFree reports whether a node that is needed has a value that the run chooses in a step.
func (r *replayed) isFree(t, i int) bool {
	m := r.e.model
	_, hasInit := m.Init[i]
	_, hasNext := m.Next[i]
	switch op := m.Nodes[i].Op; {
	case !r.needed[i]:
		return false
	case op == syntax.State && t == 0:
		return !hasInit
	case op == syntax.State:
		return !hasNext
	default:
		return op == syntax.Input
	}
}

// leaf gives an input or state its value.
func (r *replayed) leaf(t, i int) {
	m := r.e.model
	n := &m.Nodes[i]
	if r.isFree(t, i) {
		bits, row := r.free(t, i)
		word := r.chosen(bits, row)
		if n.Sort.IsArray() {
			r.arrays[i] = &array{content: r.contentOf(t, i, word)}
		} else {
			r.scratch.words[i] = word
		}
		return
	}
	var word []circuit.Lit
	var from *array
	if t == 0 {
		ref := m.Nodes[m.Init[i]].Args[1]
		if from = r.arrays[ref.Node()]; from == nil {
			word = r.now(ref)
		}
	} else {
		ref := m.Nodes[m.Next[i]].Args[1]
		if from = r.array(t-1, ref.Node()); from == nil {
			word = r.operand(t-1, ref)
		}
	}
	switch {
	case !n.Sort.IsArray():
		r.scratch.words[i] = word
	case from != nil:
		r.arrays[i] = from
	default: // the word is that of each element
		r.arrays[i] = &array{content: &content{chosen: map[string][]circuit.Lit{}, rest: word}}
	}
}

// free returns the bits of the circuit that have the value of an input or state that is free in a step, and the row of the run
// that has their values.
func (r *replayed) free(t, i int) (bits []circuit.Lit, row []circuit.Value) {
	c := r.e.Circuit
	bits = r.e.words[i]
	switch {
	case len(bits) > 0 && c.LatchIndex(bits[0].Var()) < 0:
		return bits, r.inputs[t]
	case t == 0:
		return bits, r.initial
	}
	inputs := make([]circuit.Lit, len(bits))
	for k, l := range bits {
		inputs[k] = c.Latches()[c.LatchIndex(l.Var())].Next
	}
	return inputs, r.inputs[t-1]
}

// contentOf returns that of an array that is free in a step: what is given of it, or from its bits in the circuit.
func (r *replayed) contentOf(t, i int, word []circuit.Lit) *content {
	s, c := r.e.model.Nodes[i].Sort, &content{chosen: map[string][]circuit.Lit{}}
	if r.given != nil && r.e.abstraction.isAbstracted(s) {
		if found := r.given[[2]int{t, i}]; found != nil {
			c = &content{maps.Clone(found.chosen), found.rest}
		}
		return c
	}
	if !r.e.abstraction.isAbstracted(s) {
		for k := 0; k*s.Width < len(word); k++ {
			index := make([]circuit.Lit, s.IndexWidth)
			for i := range index {
				index[i] = circuit.False.NotIf(k>>i&1 == 1)
			}
			c.chosen[keyOf(index)] = word[k*s.Width : (k+1)*s.Width]
		}
		return c
	}
	for k, address := range r.e.abstraction.addresses[s] {
		key := keyOf(r.chosen(address, r.initial))
		if _, again := c.chosen[key]; !again {
			c.chosen[key] = word[k*s.Width : (k+1)*s.Width]
		}
	}
	return c
}

// addresses returns those of the run of the circuit.
func (r *replayed) addresses() map[syntax.Sort][][]circuit.Lit {
	all := map[syntax.Sort][][]circuit.Lit{}
	for s, list := range r.e.abstraction.addresses {
		for _, address := range list {
			all[s] = append(all[s], r.chosen(address, r.initial))
		}
	}
	return all
}

// put sets bits in a row of the run, but for latches whose reset says what they begin with.
func (r *replayed) put(bits []circuit.Lit, row []circuit.Value, word []circuit.Lit) {
	c := r.e.Circuit
	for i, l := range bits {
		if l <= circuit.True {
			continue
		}
		at := c.InputIndex(l.Var())
		if at < 0 {
			if at = c.LatchIndex(l.Var()); !c.Latches()[at].IsFree() {
				continue
			}
		}
		if row[at] = circuit.Zero; word[i] == circuit.True {
			row[at] = circuit.One
		}
	}
}

// writeBack makes the run of the circuit that of the text, with arrays abstracted to some addresses. What the property does not
// depend on is x: the circuit would have another value for it than the text.
func (r *replayed) writeBack(addresses map[syntax.Sort][][]circuit.Lit) {
	e, m := r.e, r.e.model
	for s, list := range e.abstraction.addresses {
		for k, bits := range list {
			r.put(bits, r.initial, addresses[s][k])
		}
	}
	for t := range r.inputs {
		for i, open := range e.abstraction.inputs {
			if !r.needed[i] {
				r.unset(open, r.inputs[t])
				continue
			}
			word := r.word(t, i)
			if m.Nodes[i].Op == syntax.Neq {
				word = bit(word[0].Not())
			}
			r.put(open, r.inputs[t], word)
		}
		for _, list := range [][]int{m.Inputs, m.States} {
			for _, i := range list {
				if e.isAbstractedAt(i) && e.words[i] != nil {
					r.writeArray(t, i, addresses[m.Nodes[i].Sort])
				}
			}
		}
	}
}

// writeArray writes the elements of an array at addresses, where the run chooses any.
func (r *replayed) writeArray(t, i int, addresses [][]circuit.Lit) {
	m := r.e.model
	_, hasInit := m.Init[i]
	_, hasNext := m.Next[i]
	if m.Nodes[i].Op == syntax.State && (t > 0 && hasNext || t == 0 && hasInit) {
		return
	}
	bits, row := r.free(t, i)
	if !r.needed[i] {
		r.unset(bits, row)
		return
	}
	width := m.Nodes[i].Sort.Width
	var elements []circuit.Lit
	for _, address := range addresses {
		elements = append(elements, r.array(t, i).at(keyOf(address), make([]circuit.Lit, width))...)
	}
	r.put(bits, row, elements)
}

// unset sets bits in a row of the run to x.
func (r *replayed) unset(bits []circuit.Lit, row []circuit.Value) {
	c := r.e.Circuit
	for _, l := range bits {
		at := c.InputIndex(l.Var())
		if at < 0 {
			at = c.LatchIndex(l.Var())
		}
		row[at] = circuit.X
	}
}

// predicted returns the addresses that a bad is asked with in the last step, and gives the histories of indices their start. For
// another property they are those of the run.
func (r *replayed) predicted() map[syntax.Sort][][]circuit.Lit {
	all, used := r.addresses(), map[syntax.Sort]int{}
	if r.p.Kind != circuit.PropertyBad {
		return all
	}
	t := len(r.inputs) - 1
	for _, p := range r.e.abstraction.prophecies[r.e.model.Bads[r.p.Index]] {
		k := len(r.e.abstraction.fixed[p.sort]) + used[p.sort]
		used[p.sort]++
		last := p.path[len(p.path)-1]
		n := &r.e.model.Nodes[last]
		if !r.needed[last] || k >= len(all[p.sort]) {
			continue
		}
		if n.Op != syntax.Read {
			all[p.sort][k] = difference(r.array(t, n.Args[0].Node()), r.array(t, n.Args[1].Node()), all[p.sort][k], p.sort)
			continue
		}
		index, ok := r.indexOn(p.path, t)
		if ok {
			all[p.sort][k] = index
		}
		for i := range len(p.path) - 1 {
			if l, has := r.e.abstraction.histories[historyOn(p.path[i:], k)]; has {
				r.put(bit(l), r.initial, bit(circuit.False.NotIf(!ok)))
			}
		}
	}
	return all
}

// indexOn returns the index that the value of the first node on a path comes from in a step; ok is false where it is any.
func (r *replayed) indexOn(path []int, t int) (index []circuit.Lit, ok bool) {
	if len(path) == 1 {
		return slices.Clone(r.operand(t, r.e.model.Nodes[path[0]].Args[1])), true
	}
	m, on := r.e.model, newDependence(r.e.model, path)
	for t--; t >= 0; t-- {
		node := m.Nodes[m.Next[path[0]]].Args[1].Node()
		part := on.of(node)
		for ; part == partOfCase || part == partOfOperand; part = on.of(node) {
			n, k := &m.Nodes[node], 0
			if part == partOfCase {
				if k = 2; r.operand(t, n.Args[0])[0] == circuit.True {
					k = 1
				}
			}
			node = n.Args[k].Node()
		}
		if part == partOfPath {
			return r.indexOn(path[1:], t)
		}
	}
	return nil, false
}

func known(row []circuit.Value) []circuit.Value {
	row = slices.Clone(row)
	for i, v := range row {
		if v == circuit.X {
			row[i] = circuit.Zero
		}
	}
	return row
}

// startOf returns initial values in one form: of a latch that is free its value, of others what the reset says, or x for a
// function.
func (e *Elaboration) startOf(initial []circuit.Value) []circuit.Value {
	initial = known(initial)
	for i, l := range e.Circuit.Latches() {
		switch {
		case l.IsFree():
		case l.HasFunction():
			initial[i] = circuit.X
		default:
			initial[i] = circuit.Zero
			if l.Reset == circuit.True {
				initial[i] = circuit.One
			}
		}
	}
	return initial
}
