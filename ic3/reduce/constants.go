package reduce

import (
	"context"

	"aiglens/circuit"
)

// markConstants puts the latches that three-valued simulation shows to keep
// their reset value into the class of the constants and returns their number.
// All inputs are x in every step, and a latch that can get another value is x
// from the start, so the others are constant together: a step from any state in
// which they have their values leads to one. The error is that of ctx.
func markConstants(ctx context.Context, c *circuit.Circuit, r readers, p *partition) (int, error) {
	values, err := widened(ctx, c, r)
	if err != nil {
		return 0, err
	}
	constants := 0
	for _, l := range c.Latches() {
		if v := l.Lit.Var(); values[v] != circuit.X {
			p.join(v, 0, l.Reset == circuit.True)
			constants++
		}
	}
	return constants, nil
}

// widened returns by variable the value that it has in every step, or x. The
// values start as those of the first step and only ever become x, each once, so
// that the work is linear in the size of the circuit.
func widened(ctx context.Context, c *circuit.Circuit, readers readers) ([]circuit.Value, error) {
	t := circuit.NewTernary(c)
	t.Reset()
	t.Eval(nil)
	values := make([]circuit.Value, c.NumVars())
	for v := range values {
		values[v] = t.Value(circuit.Var(v).Lit())
	}
	value := func(l circuit.Lit) circuit.Value { return values[l.Var()].NotIf(l.IsNegated()) }
	var todo []circuit.Var // x, and their readers not yet looked at
	for v := range values {
		if values[v] == circuit.X {
			todo = append(todo, circuit.Var(v))
		}
	}
	for _, l := range c.Latches() {
		if v := l.Lit.Var(); values[v] != circuit.X && value(l.Next) != values[v] {
			values[v] = circuit.X
			todo = append(todo, v)
		}
	}
	for looks := 0; len(todo) > 0; looks++ {
		if looks%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, r := range readers.Of(v) {
			left, right, isGate := c.Operands(r)
			decided := isGate && (value(left) == circuit.Zero || value(right) == circuit.Zero)
			if values[r] != circuit.X && !decided {
				values[r] = circuit.X
				todo = append(todo, r)
			}
		}
	}
	return values, nil
}
