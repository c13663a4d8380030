package btor2

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"aiglens/btor2/replay"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/findings"
)

// Concrete returns the run of the text that chooses as a run of the circuit does, up to the first violation of a bad, as a run
// of the circuit. All arrays are complete in it: an element that was neither written nor chosen before takes the value
// that the run of the circuit has for the read, and the addresses are those of the violation. A value left open is 0. The
// error says why the text has no such run, or is that of ctx.
//
// It evaluates the rows with arrays as maps, and operators of words as in a circuit, where constants fold. What it returns is a
// proposal, as that of an engine: Verify judges it. Concrete of its own result is the same.
func (e *Elaboration) Concrete(ctx context.Context, p circuit.Property, initial []circuit.Value, inputs [][]circuit.Value) ([]circuit.Value, [][]circuit.Value, error) {
	if p.Kind == circuit.PropertyJustice && e.IsCheckedByAbstraction(p) {
		needed := e.neededBy(p)
		return nil, nil, fmt.Errorf("the loop found may be spurious: %s%s", e.described(needed), e.wayOut(needed))
	}
	r, err := e.newReplayed(p, initial, inputs, nil)
	if err != nil {
		return nil, nil, err
	}
	for range maxConcrete {
		last, err := r.run(ctx)
		if err != nil {
			return nil, nil, err
		}
		if r.wrong != "" {
			return nil, nil, e.spurious(r.needed, r.wrong)
		}
		r.inputs = r.inputs[:last+1]
		r.writeBack(r.predicted())
		if slices.Equal(r.initial, initial) && slices.EqualFunc(r.inputs, inputs, slices.Equal) {
			return initial, inputs, nil
		}
		initial, inputs = r.initial, r.inputs
		r.begin(initial, inputs)
	}
	return nil, nil, e.spurious(r.needed, "each replay is another one")
}

// maxConcrete bounds how often a run is replayed until it stays as it is. The second time its addresses are others as a rule, and
// elements that nothing reads are 0 there.
const maxConcrete = 5

// Verify implements circuit.Original: it tests that a run of the circuit is one of the text which violates a property in its
// last step, and that each row which the property depends on has the value in the circuit that it has in the text. What the
// run chooses is judged by btor2/replay, which evaluates the text apart; how those choices are found needs no trust.
func (e *Elaboration) Verify(ctx context.Context, p circuit.Property, initial []circuit.Value, inputs [][]circuit.Value) error {
	if p.Kind != circuit.PropertyBad {
		return errors.New("a loop cannot be replayed where arrays are too large")
	}
	steps, err := e.chosenIn(ctx, p, initial, inputs)
	if err != nil {
		return err
	}
	return replay.Violates(ctx, e.model, e.model.Bads[p.Index], steps, e.comparison(initial, inputs))
}

// comparison returns a function that compares, step by step, the values of rows in a run of the circuit with those in the text.
func (e *Elaboration) comparison(initial []circuit.Value, inputs [][]circuit.Value) func(t int, v replay.Values) error {
	c := e.Circuit
	sim := circuit.NewTernary(c)
	sim.Reset()
	for i, l := range c.Latches() {
		if l.IsFree() {
			sim.SetLatch(i, initial[i])
		}
	}
	addresses := map[syntax.Sort][]*big.Int{}
	for s, list := range e.abstraction.addresses {
		for _, address := range list {
			addresses[s] = append(addresses[s], numberIn(address, initial, c))
		}
	}
	return func(t int, v replay.Values) error {
		if t > 0 {
			sim.Advance()
		}
		sim.Eval(inputs[t])
		for node, word := range e.words {
			s := e.model.Nodes[node].Sort
			if word == nil {
				continue
			}
			if want := v.Word(node); want != nil && !agrees(word, want, sim) {
				return e.disagreement(node, t)
			}
			for k, address := range addresses[s] {
				if want := v.Element(node, address); want != nil && !agrees(word[k*s.Width:(k+1)*s.Width], want, sim) {
					return e.disagreement(node, t)
				}
			}
		}
		for i, bad := range c.Bads() { // a row of the circuit with conditions on addresses, which no text has
			if sim.Value(bad.Lit) == circuit.One && v.IsKnown(e.model.Bads[i]) && !v.Holds(e.model.Bads[i]) {
				return e.disagreement(e.model.Bads[i], t)
			}
		}
		return nil
	}
}

// Bounds of the runs of a sample: their number, their steps, and the rows of all steps, which one run may exceed.
const (
	sampleRuns  = 8
	sampleSteps = 5
	sampleRows  = 400_000
)

// Sample implements circuit.Original: it tests on some random runs of the text, with the addresses that the property is asked
// with in the last step, that the circuit has them. The text is evaluated as in Verify.
func (e *Elaboration) Sample(ctx context.Context, p circuit.Property) error {
	random := rand.New(rand.NewPCG(uint64(p.Kind), uint64(p.Index)))
	r, err := e.newReplayed(p, make([]circuit.Value, len(e.Circuit.Latches())), nil, nil)
	if err != nil {
		return err
	}
	steps, rows := min(sampleSteps, r.maxSteps()), len(r.order)+1
	if steps == 0 {
		return nil // too large for any
	}
	for n := range max(1, min(sampleRuns, sampleRows/(steps*rows))) {
		draw := func(size int) []circuit.Value {
			row := make([]circuit.Value, size)
			for i := range row {
				if row[i] = circuit.Zero; random.IntN(2+14*(n%2)) == 0 { // with few ones indices are equal
					row[i] = circuit.One
				}
			}
			return row
		}
		inputs := make([][]circuit.Value, steps)
		for t := range inputs {
			inputs[t] = draw(len(e.Circuit.Inputs()))
		}
		if err := e.sampled(ctx, p, draw(len(e.Circuit.Latches())), inputs); err != nil {
			return err
		}
	}
	return nil
}

// sampled tests that the circuit has the run of the text that chooses as one of the circuit does.
func (e *Elaboration) sampled(ctx context.Context, p circuit.Property, initial []circuit.Value, inputs [][]circuit.Value) error {
	r, err := e.newReplayed(p, initial, inputs, nil)
	if err != nil {
		return err
	}
	r.toEnd = true
	if _, err := r.run(ctx); err != nil {
		return err
	}
	r.writeBack(r.predicted())
	compare := e.comparison(r.initial, r.inputs)
	return replay.Run(ctx, e.model, e.rootsOf(p), e.chosenBy(r), func(t int, v replay.Values) error {
		if err := compare(t, v); err != nil || p.Kind != circuit.PropertyBad || t < len(r.inputs)-1 {
			return err
		}
		if bad := e.model.Bads[p.Index]; v.Holds(bad) && e.valueAtEnd(e.Circuit.Bads()[p.Index].Lit, r) != circuit.One {
			return e.disagreement(bad, t)
		}
		return nil
	})
}

// valueAtEnd returns the value of a literal in the last step of a run.
func (e *Elaboration) valueAtEnd(l circuit.Lit, r *replayed) circuit.Value {
	sim := circuit.NewTernary(e.Circuit)
	sim.Reset()
	for i, latch := range e.Circuit.Latches() {
		if latch.IsFree() {
			sim.SetLatch(i, r.initial[i])
		}
	}
	for t, row := range r.inputs {
		if t > 0 {
			sim.Advance()
		}
		sim.Eval(row)
	}
	return sim.Value(l)
}

func (e *Elaboration) disagreement(node, step int) error {
	return fmt.Errorf("row %d has another value in the circuit than in the text in step %d", e.model.Nodes[node].ID, step)
}

// agrees reports whether bits have a value where they have any.
func agrees(word []circuit.Lit, want *big.Int, sim *circuit.Ternary) bool {
	for i, l := range word {
		if v := sim.Value(l); v != circuit.X && (v == circuit.One) != (want.Bit(i) == 1) {
			return false
		}
	}
	return true
}

// numberIn returns the number of an address, with 0 for x.
func numberIn(word []circuit.Lit, initial []circuit.Value, c *circuit.Circuit) *big.Int {
	n := new(big.Int)
	for i, l := range word {
		if l == circuit.True || l > circuit.True && initial[c.LatchIndex(l.Var())] == circuit.One {
			n.SetBit(n, i, 1)
		}
	}
	return n
}

// chosenIn returns what a run chooses in the text.
func (e *Elaboration) chosenIn(ctx context.Context, p circuit.Property, initial []circuit.Value, inputs [][]circuit.Value) ([]replay.Step, error) {
	r, err := e.newReplayed(p, initial, inputs, nil)
	if err != nil {
		return nil, err
	}
	last, err := r.run(ctx)
	switch {
	case err != nil:
		return nil, err
	case r.wrong != "":
		return nil, errors.New(r.wrong)
	case last != len(inputs)-1:
		return nil, fmt.Errorf("the run goes on after the violation in step %d", last)
	}
	return e.chosenBy(r), nil
}

// chosenBy returns what a run that was replayed chooses in the text.
func (e *Elaboration) chosenBy(r *replayed) []replay.Step {
	m, steps := e.model, make([]replay.Step, len(r.steps))
	for t := range steps {
		steps[t] = replay.Step{Words: map[int]*big.Int{}, Arrays: map[int]*replay.Content{}}
		for _, list := range [][]int{m.Inputs, m.States} {
			for _, node := range list {
				if !r.isFree(t, node) {
					continue
				}
				if a := r.array(t, node); a != nil {
					steps[t].Arrays[node] = a.content.asNumbers()
				} else {
					steps[t].Words[node] = numberOf(r.word(t, node))
				}
			}
		}
	}
	return steps
}

// numberOf returns the number of constant bits.
func numberOf(word []circuit.Lit) *big.Int {
	n := new(big.Int)
	for i, l := range word {
		n.SetBit(n, i, uint(l))
	}
	return n
}

func (c *content) asNumbers() *replay.Content {
	n := &replay.Content{At: map[string]*big.Int{}, Rest: numberOf(c.rest)}
	for key, element := range c.chosen {
		n.At[replay.Key(numberOf(indexOf(key)))] = numberOf(element)
	}
	return n
}

// neededBy returns the nodes that a property depends on.
func (e *Elaboration) neededBy(p circuit.Property) []bool {
	needed := make([]bool, len(e.model.Nodes))
	todo := e.rootsOf(p)
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
// with the names of large arrays and whether these could be bits, which the error of Concrete has.
func (e *Elaboration) Fingerprint(p circuit.Property) (f circuit.Fingerprint) {
	if !e.IsCheckedByAbstraction(p) {
		return f
	}
	h := sha256.New()
	places, needed := make(map[int]int), e.neededBy(p) // by node: its place among those that are needed
	fmt.Fprintln(h, e.wayOut(needed))
	for i, isNeeded := range needed {
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
		if e.isAbstractedAt(i) && (n.Op == syntax.State || n.Op == syntax.Input) {
			if n.Symbol == "" {
				fmt.Fprintln(h, n.ID)
			}
			fmt.Fprintf(h, "%q\n", n.Symbol)
		}
	}
	for _, root := range e.rootsOf(p) {
		fmt.Fprintln(h, places[root])
	}
	h.Sum(f[:0])
	return f
}

// spurious returns the error about a run of the circuit that is none of the text, with the way out where there is one.
func (e *Elaboration) spurious(needed []bool, why string) error {
	return fmt.Errorf("the counterexample found is spurious: %s (%s)%s", e.described(needed), why, e.wayOut(needed))
}

// wayOut returns what helps: all arrays that some nodes depend on can be bits. Else it is empty.
func (e *Elaboration) wayOut(needed []bool) string {
	for i := range e.model.Nodes {
		if needed[i] && e.isAbstractedAt(i) && !e.abstraction.canBeBits[e.model.Nodes[i].Sort] {
			return ""
		}
	}
	return "; allow arrays more gates as bits (--array-gates, aiglens.btor2.arrayGates)"
}

// described says how the array is abstracted that some nodes depend on. It depends on these nodes alone.
func (e *Elaboration) described(needed []bool) string {
	for i := range e.model.Nodes {
		n := &e.model.Nodes[i]
		if !needed[i] || n.Op != syntax.State && n.Op != syntax.Input || !e.abstraction.isAbstracted(n.Sort) {
			continue
		}
		name := n.Symbol
		if name == "" {
			name = fmt.Sprintf("in row %d", n.ID)
		}
		return fmt.Sprintf("the array %s of 2^%d × %s is abstracted to some addresses", name, n.Sort.IndexWidth,
			findings.Count(n.Sort.Width, "bit", "bits"))
	}
	return "large arrays are abstracted to some addresses"
}
