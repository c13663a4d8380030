package btor2

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/findings"
)

// maxReplay bounds the values of rows in all steps of a run that is replayed.
const maxReplay = 20_000_000

// Concrete returns the run of the text that chooses as a run of the circuit does, up to the first violation of a bad, as a run
// of the circuit. All arrays are complete in it: an element that was neither written nor chosen before takes the value
// that the run of the circuit has for the read, and the addresses are those of the violation. A value left open is 0. The
// error says why the text has no such run, or is that of ctx.
//
// It evaluates the rows one after the other, with arrays as maps. It shares the operators of words with the circuit, which
// fold to constants, and nothing of what is done about arrays. Concrete of its own result is the same.
func (e *Elaboration) Concrete(ctx context.Context, p circuit.Property, initial []circuit.Value, inputs [][]circuit.Value) ([]circuit.Value, [][]circuit.Value, error) {
	if p.Kind != circuit.PropertyBad || p.Index < 0 || p.Index >= len(e.model.Bads) || e.faultOf(p, nil) != nil {
		return nil, nil, fmt.Errorf("%s cannot be replayed", p)
	}
	if len(initial) != len(e.Circuit.Latches()) || slices.ContainsFunc(inputs, func(row []circuit.Value) bool { return len(row) != len(e.Circuit.Inputs()) }) {
		return nil, nil, fmt.Errorf("the run is none of the circuit")
	}
	if len(inputs) > e.maxSteps() {
		return nil, nil, fmt.Errorf("a counterexample of %s is too long to be replayed", findings.Count(len(inputs), "step", "steps"))
	}
	needed := e.neededBy(p)
	for range maxConcrete {
		r := replayed{e: e, initial: e.startOf(initial), needed: needed}
		if err := r.replay(ctx, p, inputs); err != nil {
			return nil, nil, err
		}
		if slices.Equal(r.initial, initial) && slices.EqualFunc(r.inputs, inputs, slices.Equal) {
			return initial, inputs, nil
		}
		initial, inputs = r.initial, r.inputs
	}
	return nil, nil, &SpuriousError{Arrays: e.followed(needed), Detail: "each replay is another one"}
}

// maxConcrete bounds how often a run is replayed until it stays as it is. The second time its addresses are others as a rule, and
// elements that nothing reads are 0 there.
const maxConcrete = 5

// replay makes the run that of the text.
func (r *replayed) replay(ctx context.Context, p circuit.Property, inputs [][]circuit.Value) error {
	for _, row := range inputs {
		r.inputs = append(r.inputs, known(row))
	}
	bad := r.e.model.Bads[p.Index]
	last, err := r.find(ctx, bad)
	if err != nil {
		return err
	}
	r.inputs = r.inputs[:last+1]
	r.writeBack(r.clues(bad))
	return nil
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

// neededBy returns the nodes that a property depends on.
func (e *Elaboration) neededBy(p circuit.Property) []bool {
	needed := make([]bool, len(e.model.Nodes))
	todo := append([]int{e.model.Bads[p.Index]}, e.model.Constraints...)
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if needed[node] {
			continue
		}
		needed[node] = true
		for _, a := range e.model.Nodes[node].Args {
			todo = append(todo, a.Node())
		}
		for _, rows := range []map[int]int{e.model.Init, e.model.Next} {
			if row, ok := rows[node]; ok {
				todo = append(todo, row)
			}
		}
	}
	return needed
}

// Fingerprint implements circuit.Original: it identifies the rows that a property depends on, whatever their numbers are,
// and the names of large arrays, which the error of Concrete has.
func (e *Elaboration) Fingerprint(p circuit.Property) (f circuit.Fingerprint) {
	if !e.IsFollowed(p) {
		return f
	}
	h := sha256.New()
	places := make(map[int]int) // by node: its place among those that are needed
	for i, isNeeded := range e.neededBy(p) {
		if !isNeeded {
			continue
		}
		places[i] = len(places)
		n := &e.model.Nodes[i]
		fmt.Fprintln(h, n.Op, n.Sort, n.Number, len(n.Args))
		for _, a := range n.Args {
			fmt.Fprintln(h, places[a.Node()], a.IsNegated())
		}
		if n.Op == syntax.Const || n.Op == syntax.Constd || n.Op == syntax.Consth {
			fmt.Fprintln(h, n.Value())
		}
		if e.isTrackedAt(i) && (n.Op == syntax.State || n.Op == syntax.Input) {
			if n.Symbol == "" {
				fmt.Fprintln(h, n.ID)
			}
			fmt.Fprintf(h, "%q\n", n.Symbol)
		}
	}
	fmt.Fprintln(h, places[e.model.Bads[p.Index]])
	h.Sum(f[:0])
	return f
}

// content is the elements of an array that nothing has written to.
type content struct {
	chosen map[string][]circuit.Lit
	rest   []circuit.Lit // of all other indices; nil while each may have any value
}

// array is a content with what was written, the last one first.
type array struct {
	below   *array
	content *content // of the lowest one
	index   string
	value   []circuit.Lit
}

func keyOf(index []circuit.Lit) string {
	key := make([]byte, len(index))
	for i, l := range index {
		key[i] = '0' + byte(l)
	}
	return string(key)
}

// at returns an element. One that has no value yet gets the one wished.
func (a *array) at(index string, wish []circuit.Lit) []circuit.Lit {
	for ; a.below != nil; a = a.below {
		if a.index == index {
			return a.value
		}
	}
	value, ok := a.content.chosen[index]
	switch {
	case ok:
	case a.content.rest != nil:
		value = a.content.rest
	default:
		value = wish
		a.content.chosen[index] = wish
	}
	return value
}

// written adds the indices that an array is known at to a set, and returns its content.
func (a *array) written(to map[string]bool) *content {
	for ; a.below != nil; a = a.below {
		to[a.index] = true
	}
	for index := range a.content.chosen {
		to[index] = true
	}
	return a.content
}

// equalArrays compares two arrays. What has no value yet becomes 0.
func equalArrays(a, b *array, s syntax.Sort) bool {
	if a == b {
		return true
	}
	indices := map[string]bool{}
	zero := make([]circuit.Lit, s.Width)
	l, r := a.written(indices), b.written(indices)
	for _, index := range slices.Sorted(maps.Keys(indices)) {
		if !slices.Equal(a.at(index, zero), b.at(index, zero)) {
			return false
		}
	}
	if l == r {
		return true
	}
	for _, c := range []*content{l, r} {
		if c.rest == nil {
			c.rest = zero
		}
	}
	return slices.Equal(l.rest, r.rest) || s.IndexWidth < 31 && len(indices) == 1<<s.IndexWidth
}

// values are those of the nodes in a step.
type values struct {
	words  [][]circuit.Lit // constants
	arrays []*array
}

// replayed is a run of the text in the making.
type replayed struct {
	e       *Elaboration
	initial []circuit.Value
	inputs  [][]circuit.Value
	needed  []bool
	given   given // of a witness that was read; nil for a run of the circuit
	steps   []values
}

// given are the elements that a witness has of arrays, by step and node.
type given map[[2]int]*content

// add takes in a line of a witness.
func (g given) add(step, node int, a Assignment) {
	at := [2]int{step, node}
	if g[at] == nil {
		g[at] = &content{chosen: map[string][]circuit.Lit{}}
	}
	if word := literalsOf(a.Bits); a.Index == AllIndices {
		g[at].rest = word
	} else {
		g[at].chosen[keyOf(literalsOf(a.Index))] = word
	}
}

// literalsOf returns bits of which the most significant one comes first.
func literalsOf(bits string) []circuit.Lit {
	word := make([]circuit.Lit, len(bits))
	for i := range bits {
		word[len(bits)-1-i] = circuit.Lit(bits[i] - '0')
	}
	return word
}

// complete returns the run of a witness of a property with all that the circuit has in place of arrays. It stays as it is
// where it violates nothing.
func (e *Elaboration) complete(t cert.Trace, p circuit.Property, elements given) cert.Trace {
	r := replayed{e: e, initial: e.startOf(t.Initial), needed: e.neededBy(p), given: elements}
	if len(t.Inputs) > e.maxSteps() || r.replay(context.Background(), p, t.Inputs) != nil {
		return t
	}
	return cert.Trace{Initial: r.initial, Inputs: r.inputs}
}

// maxSteps bounds a run that is replayed.
func (e *Elaboration) maxSteps() int { return maxReplay / (len(e.model.Nodes) + 1) }

// find evaluates steps until bad holds, and returns that step.
func (r *replayed) find(ctx context.Context, bad int) (last int, err error) {
	m := r.e.model
	for t := range r.inputs {
		if err := r.step(ctx, t); err != nil {
			return 0, err
		}
		for i, node := range m.Constraints {
			if !r.holds(t, node) {
				return 0, r.spurious("constraint %d does not hold in step %d", i, t)
			}
		}
		if r.holds(t, bad) {
			return t, nil
		}
	}
	return 0, r.spurious("nothing is violated in %s", findings.Count(len(r.inputs), "step", "steps"))
}

// spurious says that a run of the circuit is none of the text.
func (r *replayed) spurious(format string, args ...any) error {
	return &SpuriousError{Arrays: r.e.followed(r.needed), Detail: fmt.Sprintf(format, args...)}
}

// SpuriousError says that a run of the circuit is none of the text.
type SpuriousError struct {
	Arrays string // how these are followed
	Detail string // what is wrong with the run
}

func (s *SpuriousError) Error() string {
	return "a counterexample was found that is none, since " + s.Arrays
}

// holds returns the value of the operand of a bad or constraint.
func (r *replayed) holds(t, node int) bool {
	return r.operand(t, r.e.model.Nodes[node].Args[0])[0] == circuit.True
}

func (r *replayed) operand(t int, ref syntax.Ref) []circuit.Lit {
	word := r.steps[t].words[ref.Node()]
	if !ref.IsNegated() {
		return word
	}
	word = slices.Clone(word)
	for i, l := range word {
		word[i] = l.Not()
	}
	return word
}

// step evaluates the rows that are needed.
func (r *replayed) step(ctx context.Context, t int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m := r.e.model
	now := values{make([][]circuit.Lit, len(m.Nodes)), make([]*array, len(m.Nodes))}
	r.steps = append(r.steps, now)
	x := elaborator{m: m, o: Options{}, b: circuit.NewBuilder(0), e: &Elaboration{model: m, words: now.words, tracked: &tracking{}}}
	for i := range m.Nodes {
		n := &m.Nodes[i]
		switch {
		case !r.needed[i] || n.Op < syntax.Input || n.Op >= syntax.Init && n.Op <= syntax.Justice:
		case n.Op == syntax.Input || n.Op == syntax.State:
			r.leaf(t, i)
		case arrayOf(m, n).IsArray():
			r.onArrays(t, i)
		default:
			now.words[i] = x.value(i)
		}
		if slices.ContainsFunc(now.words[i], func(l circuit.Lit) bool { return l > circuit.True }) {
			return fmt.Errorf("row %d has no value in the replay", n.ID)
		}
	}
	return nil
}

// onArrays evaluates an operator on arrays.
func (r *replayed) onArrays(t, i int) {
	n, now := &r.e.model.Nodes[i], r.steps[t]
	array1 := func(k int) *array { return now.arrays[n.Args[k].Node()] }
	switch n.Op {
	case syntax.Read:
		now.words[i] = array1(0).at(keyOf(r.operand(t, n.Args[1])), r.wish(t, i, n.Sort.Width))
	case syntax.Write:
		now.arrays[i] = &array{below: array1(0), index: keyOf(r.operand(t, n.Args[1])), value: r.operand(t, n.Args[2])}
	case syntax.Ite:
		now.arrays[i] = array1(2)
		if r.operand(t, n.Args[0])[0] == circuit.True {
			now.arrays[i] = array1(1)
		}
	case syntax.Eq, syntax.Neq:
		equal := equalArrays(array1(0), array1(1), arrayOf(r.e.model, n))
		now.words[i] = bit(circuit.False.NotIf(equal == (n.Op == syntax.Eq)))
	default: // another name
		now.arrays[i] = array1(0)
	}
}

// wish returns the value that the run of the circuit has for a read that finds nothing.
func (r *replayed) wish(t, i, width int) []circuit.Lit {
	if guess, ok := r.e.tracked.guesses[i]; ok && r.given == nil {
		return r.chosen(guess, r.inputs[t])
	}
	return make([]circuit.Lit, width)
}

// chosen returns the values that a row of a run has for inputs, or the initial ones of latches.
func (r *replayed) chosen(bits []circuit.Lit, row []circuit.Value) []circuit.Lit {
	c, word := r.e.Circuit, make([]circuit.Lit, len(bits))
	for i, l := range bits {
		at := c.InputIndex(l.Var())
		if at < 0 {
			at = c.LatchIndex(l.Var())
		}
		word[i] = circuit.False.NotIf(row[at] == circuit.One)
	}
	return word
}

// leaf gives an input or state its value.
func (r *replayed) leaf(t, i int) {
	m, now := r.e.model, r.steps[t]
	initRow, hasInit := m.Init[i]
	nextRow, hasNext := m.Next[i]
	isState := m.Nodes[i].Op == syntax.State
	switch {
	case isState && t == 0 && hasInit:
		r.assign(i, now, m.Nodes[initRow].Args[1], now, t)
	case isState && t > 0 && hasNext:
		r.assign(i, now, m.Nodes[nextRow].Args[1], r.steps[t-1], t-1)
	default:
		bits, row := r.free(t, i)
		word := r.chosen(bits, row)
		if s := m.Nodes[i].Sort; s.IsArray() {
			now.arrays[i] = &array{content: r.contentOf(t, i, word)}
		} else {
			now.words[i] = word
		}
	}
}

// assign gives a state the value of an operand in some step. That of a word to an array goes to all elements.
func (r *replayed) assign(state int, now values, ref syntax.Ref, from values, step int) {
	n := &r.e.model.Nodes[state]
	switch {
	case !n.Sort.IsArray():
		now.words[state] = r.operand(step, ref)
	case from.arrays[ref.Node()] != nil:
		now.arrays[state] = from.arrays[ref.Node()]
	default:
		now.arrays[state] = &array{content: &content{chosen: map[string][]circuit.Lit{}, rest: r.operand(step, ref)}}
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
	if r.given != nil && r.e.tracked.isTracked(s) {
		if found := r.given[[2]int{t, i}]; found != nil {
			return found
		}
		return c
	}
	if !r.e.tracked.isTracked(s) {
		for k := 0; k*s.Width < len(word); k++ {
			index := make([]circuit.Lit, s.IndexWidth)
			for i := range index {
				index[i] = circuit.False.NotIf(k>>i&1 == 1)
			}
			c.chosen[keyOf(index)] = word[k*s.Width : (k+1)*s.Width]
		}
		return c
	}
	for k, address := range r.e.tracked.addresses[s] {
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
	for s, list := range r.e.tracked.addresses {
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

// writeBack makes the run of the circuit that of the text, with arrays followed at some addresses.
func (r *replayed) writeBack(addresses map[syntax.Sort][][]circuit.Lit) {
	e, m := r.e, r.e.model
	for s, list := range e.tracked.addresses {
		for k, bits := range list {
			r.put(bits, r.initial, addresses[s][k])
		}
	}
	for t := range r.inputs {
		for i := range m.Nodes {
			n := &m.Nodes[i]
			if !r.needed[i] {
				continue
			}
			if guess, ok := e.tracked.guesses[i]; ok {
				word := r.steps[t].words[i]
				if n.Op == syntax.Neq {
					word = bit(word[0].Not())
				}
				r.put(guess, r.inputs[t], word)
			}
			if (n.Op == syntax.Input || n.Op == syntax.State) && e.tracked.isTracked(n.Sort) {
				r.writeArray(t, i, addresses[n.Sort])
			}
		}
	}
}

// writeArray writes the elements of an array at addresses, where the run has any.
func (r *replayed) writeArray(t, i int, addresses [][]circuit.Lit) {
	m := r.e.model
	if _, hasNext := m.Next[i]; m.Nodes[i].Op == syntax.State && t > 0 && hasNext {
		return
	}
	width := m.Nodes[i].Sort.Width
	var elements []circuit.Lit
	for _, address := range addresses {
		elements = append(elements, r.steps[t].arrays[i].at(keyOf(address), make([]circuit.Lit, width))...)
	}
	bits, row := r.free(t, i)
	r.put(bits, row, elements)
}

// clues returns the addresses that a bad is asked with in the last step, and gives the histories of indices their start.
func (r *replayed) clues(bad int) map[syntax.Sort][][]circuit.Lit {
	all, used := r.addresses(), map[syntax.Sort]int{}
	t := len(r.inputs) - 1
	for _, c := range r.e.tracked.clues[bad] {
		k := used[c.sort]
		used[c.sort]++
		n := &r.e.model.Nodes[c.path[len(c.path)-1]]
		if n.Op != syntax.Read {
			l, right := r.steps[t].arrays[n.Args[0].Node()], r.steps[t].arrays[n.Args[1].Node()]
			all[c.sort][k] = difference(l, right, all[c.sort][k], c.sort)
			continue
		}
		index, ok := r.indexOn(c.path, t)
		if ok {
			all[c.sort][k] = index
		}
		for i := range len(c.path) - 1 {
			if l, has := r.e.tracked.histories[keyOn(c.path[i:], k)]; has {
				r.put(bit(l), r.initial, bit(circuit.False.NotIf(!ok)))
			}
		}
	}
	return all
}

// indexOn returns the index that the value of the first node on a path stems from in a step; ok is false where it is any.
func (r *replayed) indexOn(path []int, t int) (index []circuit.Lit, ok bool) {
	if len(path) == 1 {
		return slices.Clone(r.operand(t, r.e.model.Nodes[path[0]].Args[1])), true
	}
	m, stems := r.e.model, newStemsFrom(r.e.model, path)
	for t--; t >= 0; t-- {
		node := m.Nodes[m.Next[path[0]]].Args[1].Node()
		way := stems.of(node)
		for ; way == wayThen || way == wayInside; way = stems.of(node) {
			n, k := &m.Nodes[node], 0
			if way == wayThen {
				if k = 2; r.operand(t, n.Args[0])[0] == circuit.True {
					k = 1
				}
			}
			node = n.Args[k].Node()
		}
		if way == wayPath {
			return r.indexOn(path[1:], t)
		}
	}
	return nil, false
}

// difference returns an index at which two arrays differ, or another one where there is none.
func difference(a, b *array, other []circuit.Lit, s syntax.Sort) []circuit.Lit {
	indices := map[string]bool{}
	zero := make([]circuit.Lit, s.Width)
	a.written(indices)
	b.written(indices)
	for k := range len(indices) + 1 { // of so many numbers one is not among them
		index := make([]circuit.Lit, s.IndexWidth)
		for i := range min(s.IndexWidth, 62) {
			index[i] = circuit.False.NotIf(k>>i&1 == 1)
		}
		indices[keyOf(index)] = true
	}
	for _, key := range slices.Sorted(maps.Keys(indices)) {
		if !slices.Equal(a.at(key, zero), b.at(key, zero)) {
			index := make([]circuit.Lit, len(key))
			for i := range index {
				index[i] = circuit.Lit(key[i] - '0')
			}
			return index
		}
	}
	return other
}

// contentsIn returns the arrays that are followed at some addresses in a run of the text that violates a property; nil where
// that does not depend on them, and any elements do.
func (e *Elaboration) contentsIn(t cert.Trace, properties []circuit.Property) *replayed {
	if len(properties) == 0 || !e.IsFollowed(properties[0]) {
		return nil
	}
	r := &replayed{e: e, initial: e.startOf(t.Initial), needed: e.neededBy(properties[0])}
	for _, row := range t.Inputs {
		r.inputs = append(r.inputs, known(row))
	}
	for step := range r.inputs {
		if err := r.step(context.Background(), step); err != nil {
			return nil
		}
	}
	return r
}

// appendElements appends the elements, as far as they have a value, of an array that is free in a step.
func (r *replayed) appendElements(to []Assignment, k, node int, header byte, step int) []Assignment {
	if r == nil {
		return to
	}
	if _, hasNext := r.e.model.Next[node]; step > 0 && hasNext || r.steps[step].arrays[node] == nil || !r.e.tracked.isTracked(r.e.model.Nodes[node].Sort) {
		return to
	}
	chosen := r.steps[step].arrays[node].content.chosen
	for _, index := range slices.Sorted(maps.Keys(chosen)) {
		word := []byte(keyOf(chosen[index]))
		slices.Reverse(word)
		high := []byte(index)
		slices.Reverse(high)
		to = append(to, Assignment{Position: k, Index: string(high), Bits: string(word), Name: nameIn(&r.e.model.Nodes[node], header, step)})
	}
	return to
}

// isTrackedAt reports whether a row is an array of which the circuit has the elements at some addresses only.
func (e *Elaboration) isTrackedAt(node int) bool {
	return e.tracked.isTracked(e.model.Nodes[node].Sort)
}

// followed says how the arrays that some nodes depend on are followed.
func (e *Elaboration) followed(needed []bool) string {
	for i := range e.model.Nodes {
		n := &e.model.Nodes[i]
		if !needed[i] || n.Op != syntax.State && n.Op != syntax.Input || !e.tracked.isTracked(n.Sort) {
			continue
		}
		name := n.Symbol
		if name == "" {
			name = fmt.Sprintf("in row %d", n.ID)
		}
		return fmt.Sprintf("the array %s of 2^%d × %s is followed at %s only", name, n.Sort.IndexWidth,
			findings.Count(n.Sort.Width, "bit", "bits"), findings.Count(e.tracked.count[n.Sort], "address", "addresses"))
	}
	return "large arrays are followed at some addresses only"
}
