package btor2

import (
	"context"
	"fmt"
	"slices"

	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/source"
)

// bitsOfNode are the positions of the bits of an input or state among the inputs and the latches of a circuit. A state that has
// init and no next has both: its inputs are the values of the next step.
type bitsOfNode struct{ inputs, latches []int }

// bitsOfNodes returns those of all nodes.
func (e *Elaboration) bitsOfNodes() map[int]bitsOfNode {
	all := map[int]bitsOfNode{}
	for i, in := range e.Circuit.Inputs() {
		node := NodeFromOrigin(in.Origin)
		b := all[node]
		b.inputs = append(b.inputs, i)
		all[node] = b
	}
	for i, l := range e.Circuit.Latches() {
		node := NodeFromOrigin(l.Origin)
		b := all[node]
		b.latches = append(b.latches, i)
		all[node] = b
	}
	return all
}

// at returns where a step of a trace has the bits; nil where these follow from the step before.
func (b bitsOfNode) at(t *cert.Trace, step int) (row []circuit.Value, places []int) {
	switch {
	case b.latches == nil:
		return t.Inputs[step], b.inputs
	case step == 0:
		return t.Initial, b.latches
	case b.inputs != nil:
		return t.Inputs[step-1], b.inputs
	}
	return nil, nil
}

// WitnessFromTrace returns a run of the circuit as a witness of properties. It has all values that a run can choose: those of
// inputs, of states without init in step 0, and of states without next later. Where any value will do, it is 0;
// for a lasso the caller has trace.Written choose first. The error is that of ctx, or says why arrays have no elements in the run.
func (e *Elaboration) WitnessFromTrace(ctx context.Context, t cert.Trace, properties ...circuit.Property) (Witness, error) {
	w := Witness{Properties: properties, Frames: make([]Frame, len(t.Inputs))}
	nodes := e.bitsOfNodes()
	arrays, err := e.elementsIn(ctx, t, properties)
	if err != nil {
		return w, err
	}
	for step := range w.Frames {
		f := &w.Frames[step]
		for k, node := range e.model.States {
			if _, hasInit := e.model.Init[node]; step > 0 || !hasInit {
				row, places := nodes[node].at(&t, step)
				f.States = e.appendAssignments(f.States, k, node, '#', step, row, places)
				f.States = arrays.appendElements(f.States, k, node, '#', step)
			}
		}
		for k, node := range e.model.Inputs {
			row, places := nodes[node].at(&t, step)
			f.Inputs = e.appendAssignments(f.Inputs, k, node, '@', step, row, places)
			f.Inputs = arrays.appendElements(f.Inputs, k, node, '@', step)
		}
	}
	return w, nil
}

// appendAssignments appends the value of a node, of which a row of a trace has the bits.
func (e *Elaboration) appendAssignments(to []Assignment, k, node int, header byte, step int, row []circuit.Value, places []int) []Assignment {
	n := &e.model.Nodes[node]
	if e.isAbstractedAt(node) {
		return to // see appendElements
	}
	name, width := nameIn(n, header, step), n.Sort.Width
	for i := 0; i+width <= len(places); i += width {
		a := Assignment{Position: k, Name: name}
		if n.Sort.IsArray() {
			a.Index = fmt.Sprintf("%0*b", n.Sort.IndexWidth, i/width)
		}
		bits := make([]byte, width)
		for bit, place := range places[i : i+width] {
			bits[width-1-bit] = '0'
			if row[place] == circuit.One {
				bits[width-1-bit] = '1'
			}
		}
		a.Bits = string(bits)
		to = append(to, a)
	}
	return to
}

func nameIn(n *syntax.Node, header byte, step int) string {
	if n.Symbol == "" {
		return ""
	}
	return fmt.Sprintf("%s%c%d", n.Symbol, header, step)
}

// TraceFromWitness returns the run of a witness, with x for what it does not say. A value of a state that follows from the step
// before says nothing. Whether the run violates anything is not looked at. The diagnostic says what does not fit the file, or
// why the run cannot be replayed. The error is that of ctx.
func (e *Elaboration) TraceFromWitness(ctx context.Context, w Witness) (cert.Trace, *source.Diagnostic, error) {
	t := cert.Trace{Initial: unknown(len(e.Circuit.Latches())), Inputs: make([][]circuit.Value, len(w.Frames))}
	for step := range t.Inputs {
		t.Inputs[step] = unknown(len(e.Circuit.Inputs()))
	}
	nodes, elements := e.bitsOfNodes(), given{}
	for step, f := range w.Frames {
		for _, part := range []struct {
			what   string
			nodes  []int
			values []Assignment
		}{{"state", e.model.States, f.States}, {"input", e.model.Inputs, f.Inputs}} {
			said := map[[2]string]bool{}
			for _, pass := range []bool{true, false} { // what stands for all indices first
				for _, a := range part.values {
					if (a.Index == AllIndices) != pass {
						continue
					}
					if d := e.fits(a, part.what, part.nodes, said); d != nil {
						return t, d, nil
					}
					node := part.nodes[a.Position]
					if e.isAbstractedAt(node) {
						elements.add(step, node, a)
					} else if row, places := nodes[node].at(&t, step); row != nil {
						assign(row, places, a)
					}
				}
			}
		}
	}
	if len(w.Frames) > 0 {
		e.startSources(&t)
		e.giveSources(elements)
	}
	if slices.ContainsFunc(w.Properties, func(p circuit.Property) bool { return p.Kind == circuit.PropertyJustice }) {
		e.closeLoop(&t, nodes)
	}
	isRun := len(w.Properties) == 0 && len(e.abstraction.rows) > 0
	if !isRun && !slices.ContainsFunc(w.Properties, e.IsCheckedByAbstraction) || len(w.Frames) == 0 {
		return t, nil, nil
	}
	t, err := e.withElements(ctx, t, w.Properties, elements)
	if err != nil && ctx.Err() == nil {
		return t, &source.Diagnostic{Span: w.Claims, Severity: source.Error, Code: CodeWitness, Message: err.Error()}, nil
	}
	return t, nil, err
}

// startSources gives the values of states that start as free ones do to these, where the witness says nothing about them.
func (e *Elaboration) startSources(t *cert.Trace) {
	c := e.Circuit
	for i := range c.Latches() {
		for at := i; t.Initial[at] != circuit.X && c.Latches()[at].HasFunction(); {
			from, value := c.Latches()[at].Reset, t.Initial[at]
			row, of := t.Initial, c.LatchIndex(from.Var())
			next := of
			if of < 0 {
				row, of = t.Inputs[0], c.InputIndex(from.Var())
			}
			if of < 0 || row[of] != circuit.X {
				break
			}
			if row[of] = value.NotIf(from.IsNegated()); next < 0 {
				break
			}
			at = next
		}
	}
}

// closeLoop gives states with init and without next, after the last step, the values of an earlier step that all others have
// reached again: the first such step, since the longest loop has most steps. No frame says these values. Where there is no such
// step, t stays as it is.
func (e *Elaboration) closeLoop(t *cert.Trace, nodes map[int]bitsOfNode) {
	inputOf := map[int]int{} // of such a latch
	for _, b := range nodes {
		for i := range min(len(b.inputs), len(b.latches)) {
			inputOf[b.latches[i]] = b.inputs[i]
		}
	}
	if len(inputOf) == 0 {
		return
	}
	p := circuit.NewParallel(e.Circuit)
	latches := e.Circuit.Latches()
	p.Reset(func(i int) uint64 { return ones(t.Initial[i]) })
	var states [][]uint64
	for _, row := range t.Inputs {
		inputs := make([]uint64, len(row))
		for i, v := range row {
			inputs[i] = ones(v)
		}
		p.Eval(inputs)
		states = append(states, valuesOf(p, latches))
		p.Advance()
	}
	after, last := valuesOf(p, latches), t.Inputs[len(t.Inputs)-1]
	for _, s := range states {
		fits := true
		for i := range s {
			_, isFree := inputOf[i]
			fits = fits && (isFree || s[i] == after[i])
		}
		if !fits {
			continue
		}
		for latch, input := range inputOf {
			if last[input] = circuit.Zero; s[latch] != 0 {
				last[input] = circuit.One
			}
		}
		return
	}
}

func ones(v circuit.Value) uint64 {
	if v == circuit.One {
		return 1
	}
	return 0
}

// valuesOf returns the values of latches in one run of a simulation.
func valuesOf(p *circuit.Parallel, latches []circuit.Latch) []uint64 {
	all := make([]uint64, len(latches))
	for i, l := range latches {
		all[i] = p.Value(l.Lit) & 1
	}
	return all
}

func unknown(n int) []circuit.Value {
	row := make([]circuit.Value, n)
	for i := range row {
		row[i] = circuit.X
	}
	return row
}

// fits says what is wrong with an assignment, by its position and its widths, and notes that it was given.
func (e *Elaboration) fits(a Assignment, what string, nodes []int, given map[[2]string]bool) *source.Diagnostic {
	wrong := func(format string, args ...any) *source.Diagnostic {
		return &source.Diagnostic{Span: a.Span, Severity: source.Error, Code: CodeWitness, Message: fmt.Sprintf(format, args...)}
	}
	if a.Position >= len(nodes) {
		return wrong("expected the position of one of %s, found %d; positions begin at 0", cert.Count(len(nodes), what, what+"s"), a.Position)
	}
	n := &e.model.Nodes[nodes[a.Position]]
	name := fmt.Sprintf("%s %d", what, a.Position)
	if n.Symbol != "" {
		name += " (" + n.Symbol + ")"
	}
	switch {
	case !n.Sort.IsArray() && a.Index != "":
		return wrong("expected a value without index, since %s is no array", name)
	case n.Sort.IsArray() && a.Index == "":
		return wrong("expected an index in brackets, since %s is an array", name)
	case n.Sort.IsArray() && a.Index != AllIndices && len(a.Index) != n.Sort.IndexWidth:
		return wrong("expected an index of %s, found %d: %s", cert.Count(n.Sort.IndexWidth, "bit", "bits"), len(a.Index), name)
	case len(a.Bits) != n.Sort.Width:
		return wrong("expected a value of %s, found %d: %s", cert.Count(n.Sort.Width, "bit", "bits"), len(a.Bits), name)
	}
	key := [2]string{name, a.Index}
	if given[key] {
		return wrong("expected one value of %s in a frame, found a second one", name)
	}
	given[key] = true
	return nil
}

// assign sets the bits of a value in a row of a trace. An array that is not in the circuit has none.
func assign(row []circuit.Value, places []int, a Assignment) {
	width := len(a.Bits)
	from, to := 0, len(places)
	if a.Index != "" && a.Index != AllIndices {
		index := 0
		for _, bit := range a.Index {
			if index = 2*index + int(bit-'0'); index >= len(places) {
				return
			}
		}
		from = index * width
		to = min(from+width, to)
	}
	for i := from; i < to; i++ {
		row[places[i]] = circuit.Zero
		if a.Bits[width-1-(i-from)%width] == '1' {
			row[places[i]] = circuit.One
		}
	}
}
