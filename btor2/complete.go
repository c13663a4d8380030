package btor2

import (
	"context"
	"fmt"
	"slices"

	"aiglens/btor2/replay"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Complete returns the run of the text that chooses as a run of an abstraction does, whatever it violates, as a run of the
// circuit. All arrays are complete in it, as in Concrete, and so each row has the value that it has in the text, whichever the
// addresses are. A value left open is 0. Steps in which a constraint does not hold are there, too.
//
// The error says where the text has no value, as in the place of an error, or is that of ctx.
func (e *Elaboration) Complete(ctx context.Context, t cert.Trace) (cert.Trace, error) {
	return e.complete(ctx, t, nil)
}

// complete is Complete, or has the elements of arrays that are given.
func (e *Elaboration) complete(ctx context.Context, t cert.Trace, elements given) (cert.Trace, error) {
	roots := make([]int, len(e.model.Nodes))
	for i := range roots {
		roots[i] = i
	}
	if d := e.faultIn(nil, roots); d != nil {
		line, _ := e.model.Text.LineColumn(d.Span.Start)
		return t, fmt.Errorf("line %d: %s", line, d.Message)
	}
	r, err := e.newReplay(slices.Repeat([]bool{true}, len(roots)), t.Initial, t.Inputs, elements)
	if err != nil {
		return t, err
	}
	r.toEnd = true
	if _, err := r.run(ctx); err != nil {
		return t, err
	}
	if err := r.agrees(elements); err != nil {
		return t, err
	}
	r.writeBack(r.addresses())
	return cert.Trace{Initial: r.initial, Inputs: r.inputs}, replay.Run(ctx, e.model, roots, e.chosenBy(r), e.comparison(r.initial, r.inputs))
}

// Violated returns the literal that is 1 where a bad is violated in a step of a complete run. The one of the circuit is 1 only where
// the addresses are those that it is asked with, too. ok is false for a property that is no bad of the text.
func (e *Elaboration) Violated(p circuit.Property) (l circuit.Lit, ok bool) {
	if p.Kind != circuit.PropertyBad || p.Index < 0 || p.Index >= len(e.model.Bads) {
		return circuit.False, false
	}
	n := &e.model.Nodes[e.model.Bads[p.Index]]
	if len(n.Args) == 0 || n.Args[0] == syntax.NoRef || e.words[n.Args[0].Node()] == nil {
		return e.Circuit.Bad(p)
	}
	return e.words[n.Args[0].Node()][0].NotIf(n.Args[0].IsNegated()), true
}
