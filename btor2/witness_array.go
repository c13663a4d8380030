package btor2

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"aiglens/btor2/replay"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

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

// giveSources gives the elements of arrays that start as free ones do to these, where the witness says nothing about them.
func (e *Elaboration) giveSources(all given) {
	for _, state := range e.model.States {
		c := all[[2]int{0, state}]
		if c == nil {
			continue
		}
		from := state
		for seen := 0; seen < len(e.model.States); seen++ { // inits on a cycle are faulty
			row, ok := e.model.Init[from]
			if !ok || !e.model.Nodes[row].Sound || !e.model.Nodes[e.model.Nodes[row].Args[1].Node()].Sort.IsArray() {
				break
			}
			from = e.model.Nodes[row].Args[1].Node()
		}
		if from == state || e.model.Nodes[from].Op != syntax.State {
			continue
		}
		at := [2]int{0, from}
		if all[at] == nil {
			all[at] = &content{chosen: map[string][]circuit.Lit{}}
		}
		if all[at].rest == nil {
			all[at].rest = c.rest
		}
		for index, element := range c.chosen {
			if all[at].chosen[index] == nil {
				all[at].chosen[index] = element
			}
		}
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

// withElements returns the run of a witness of properties with all that the circuit has in place of arrays. The error is that of
// ctx, or says why there is no such run.
func (e *Elaboration) withElements(ctx context.Context, t cert.Trace, properties []circuit.Property, elements given) (cert.Trace, error) {
	if len(properties) == 0 {
		return e.complete(ctx, t, elements)
	}
	if len(properties) > 1 {
		return t, errors.New("each property has addresses of its own: a witness of several is to be read for each of them")
	}
	p := properties[0]
	if p.Kind != circuit.PropertyBad {
		return t, errors.New("a loop cannot be replayed where arrays are too large")
	}
	r, err := e.newReplayed(p, t.Initial, t.Inputs, elements)
	if err != nil {
		return t, err
	}
	last, err := r.run(ctx)
	if err != nil {
		return t, err
	}
	if err := r.agrees(elements); err != nil {
		return t, err
	}
	r.inputs = r.inputs[:last+1]
	r.writeBack(r.predicted())
	if err := r.staysInCircuit(ctx); err != nil {
		return t, err
	}
	for i, l := range e.Circuit.Latches() {
		if v := t.Initial[i]; !l.IsFree() && v != circuit.X {
			r.initial[i] = v // which may be against the reset
		}
	}
	return cert.Trace{Initial: r.initial, Inputs: r.inputs}, nil
}

// staysInCircuit tests that a run of a witness, of which the circuit has the elements at some addresses, and what is read and
// compared, has the same values when it is replayed from these. The error says what is lost, or why the run violates nothing.
func (r *replayed) staysInCircuit(ctx context.Context) error {
	again, err := r.e.newReplay(r.needed, r.initial, r.inputs, nil)
	if err != nil {
		return err
	}
	again.toEnd = true
	if _, err := again.run(ctx); err != nil {
		return err
	}
	for t := range r.inputs {
		if slices.EqualFunc(r.steps[t].words, again.steps[t].words, slices.Equal) {
			continue
		}
		if r.wrong != "" {
			return errors.New(r.wrong)
		}
		if err := replay.Violates(ctx, r.e.model, r.e.model.Bads[r.p.Index], r.e.chosenBy(r)[:len(r.inputs)], nil); err != nil {
			return err
		}
		return fmt.Errorf("the run violates %s, but cannot be shown: %s, and it depends on others%s", r.p, r.e.described(r.needed), r.e.wayOut(r.needed))
	}
	return nil
}

// agrees says which element a witness gives an array in step 0 other than its init does.
func (r *replayed) agrees(elements given) error {
	for k, node := range r.e.model.States {
		said := elements[[2]int{0, node}]
		if said == nil || !r.needed[node] || r.isFree(0, node) {
			continue
		}
		wrong := func(index string, is, init []circuit.Lit) error {
			return fmt.Errorf("state %d starts with %s at [%s], but its init has %s", k, written(is), index, written(init))
		}
		starts, indices := r.array(0, node), map[string]bool{}
		others := starts.written(indices).rest
		for index := range said.chosen {
			indices[index] = true
		}
		for _, index := range slices.Sorted(maps.Keys(indices)) {
			is, ok := said.chosen[index]
			if !ok {
				is = said.rest
			}
			if is == nil {
				continue
			}
			if init := starts.at(index, is); !slices.Equal(is, init) {
				return wrong(written(indexOf(index)), is, init)
			}
		}
		width := r.e.model.Nodes[node].Sort.IndexWidth
		isWhole := width < 31 && len(indices) == 1<<width
		if said.rest != nil && others != nil && !isWhole && !slices.Equal(said.rest, others) {
			return wrong(AllIndices, said.rest, others)
		}
	}
	return nil
}

// elementsIn returns a run of the text, in which arrays that are abstracted have elements; nil where a property does not depend
// on them, and any elements do. The error is that of ctx, or says why there is no such run.
func (e *Elaboration) elementsIn(ctx context.Context, t cert.Trace, properties []circuit.Property) (*replayed, error) {
	if len(properties) == 0 || properties[0].Kind != circuit.PropertyBad || !e.IsCheckedByAbstraction(properties[0]) {
		return nil, nil
	}
	r, err := e.newReplayed(properties[0], t.Initial, t.Inputs, nil)
	if err != nil {
		return nil, err
	}
	if _, err := r.run(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// appendElements appends the elements, as far as they have a value, of an array that the run chooses in a step.
func (r *replayed) appendElements(to []Assignment, k, node int, header byte, step int) []Assignment {
	if r == nil || step >= len(r.steps) || !r.isFree(step, node) || !r.e.isAbstractedAt(node) {
		return to
	}
	c := r.array(step, node).content
	if c.rest != nil && slices.Contains(c.rest, circuit.True) { // others are 0 by default
		to = append(to, Assignment{Position: k, Index: AllIndices, Bits: written(c.rest), Name: nameIn(&r.e.model.Nodes[node], header, step)})
	}
	for _, index := range slices.Sorted(maps.Keys(c.chosen)) {
		to = append(to, Assignment{Position: k, Index: written(indexOf(index)), Bits: written(c.chosen[index]), Name: nameIn(&r.e.model.Nodes[node], header, step)})
	}
	return to
}

// written returns bits with the most significant one first.
func written(word []circuit.Lit) string {
	text := []byte(keyOf(word))
	slices.Reverse(text)
	return string(text)
}

// isAbstractedAt reports whether a row is an array of which the circuit has the elements at some addresses only.
func (e *Elaboration) isAbstractedAt(node int) bool {
	return e.abstraction.isAbstracted(e.model.Nodes[node].Sort)
}
