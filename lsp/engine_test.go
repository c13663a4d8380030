package lsp

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// explicit is an engine that looks at every state. It is exact for circuits of
// a few latches and inputs and reports what real engines report.
func explicit(_ context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
	type arrival struct {
		from   int // state before, −1 for an initial one
		inputs []circuit.Value
	}
	latches, inputs := len(c.Latches()), len(c.Inputs())
	seen := map[int]arrival{}
	var queue []int
	for s := range 1 << latches {
		if isInitial(c, s) {
			seen[s] = arrival{from: -1}
			queue = append(queue, s)
		}
	}
	progress(verify.Progress{Depth: 1, Lemmas: len(queue)})
	sim := circuit.NewTernary(c)
	for i := 0; i < len(queue); i++ {
		for x := range 1 << inputs {
			in := bits(x, inputs)
			for l, v := range bits(queue[i], latches) {
				sim.SetLatch(l, v)
			}
			sim.Eval(in)
			if !holds(sim, c.Constraints()) {
				continue
			}
			if sim.Value(c.Bads()[0].Lit) == circuit.One {
				trace := cert.Trace{Inputs: [][]circuit.Value{in}}
				s := queue[i]
				for seen[s].from >= 0 {
					trace.Inputs = append([][]circuit.Value{seen[s].inputs}, trace.Inputs...)
					s = seen[s].from
				}
				trace.Initial = bits(s, latches)
				return cert.Verdict{Outcome: cert.Refuted, Trace: trace}, nil
			}
			sim.Advance()
			next := 0
			for l, latch := range c.Latches() {
				if sim.Value(latch.Lit) == circuit.One {
					next |= 1 << l
				}
			}
			if _, known := seen[next]; !known {
				seen[next] = arrival{queue[i], in}
				queue = append(queue, next)
			}
		}
	}
	v := cert.Verdict{Outcome: cert.Proved, Depth: len(queue)}
	for s := range 1 << latches {
		if _, reachable := seen[s]; !reachable {
			var clause []circuit.Lit
			for l, latch := range c.Latches() {
				clause = append(clause, latch.Lit.NotIf(s>>l&1 == 1))
			}
			v.Invariant = append(v.Invariant, clause)
		}
	}
	return v, nil
}

func isInitial(c *circuit.Circuit, state int) bool {
	for l, latch := range c.Latches() {
		if !latch.IsFree() && (latch.Reset == circuit.True) != (state>>l&1 == 1) {
			return false
		}
	}
	return true
}

func holds(sim *circuit.Ternary, constraints []circuit.Signal) bool {
	for _, s := range constraints {
		if sim.Value(s.Lit) != circuit.One {
			return false
		}
	}
	return true
}

func bits(word, n int) []circuit.Value {
	values := make([]circuit.Value, n)
	for i := range values {
		values[i] = circuit.ValueOf(word>>i&1 == 1)
	}
	return values
}

// gate makes an engine wait before it answers until the test lets it.
type gate struct {
	started chan struct{} // receives one value a run
	open    chan struct{} // one value lets one run go on
}

func newGate() *gate {
	return &gate{started: make(chan struct{}, 100), open: make(chan struct{}, 100)}
}

// behind returns engine after the gate. It reports progress first.
func (g *gate) behind(engine engineFunc) engineFunc {
	return func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		progress(verify.Progress{Depth: 7, Lemmas: 41})
		g.started <- struct{}{}
		select {
		case <-ctx.Done():
			return cert.Verdict{Depth: 7}, ctx.Err()
		case <-g.open:
			return engine(ctx, c, progress)
		}
	}
}
