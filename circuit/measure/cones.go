package measure

import (
	"context"
	"slices"

	"aiglens/circuit"
)

// cones counts what each property depends on. A word has a bit for each of 64 properties;
// words go from what depends to what is depended on, a component at a time, and each kind
// of variables is counted for all 64 at once.
func cones(ctx context.Context, c *circuit.Circuit, properties []circuit.Property, x *components, isLeftOut func(circuit.Lit) bool) ([]Cone, error) {
	if len(properties) == 0 {
		return nil, nil
	}
	if c.HasResetFunctions() {
		var err error
		if x, err = findComponents(ctx, c, true); err != nil {
			return nil, err
		}
	}
	order := x.order()
	var all []Cone
	for part := range slices.Chunk(properties, 64) {
		words := make([]uint64, c.NumVars())
		for i, p := range part {
			lits, err := rootsOf(c, p)
			if err != nil {
				return nil, err
			}
			for _, l := range lits {
				words[l.Var()] |= 1 << i
			}
		}
		if err := x.spread(ctx, c, order, words); err != nil {
			return nil, err
		}
		var inputs, latches, gates counters
		for v, w := range words {
			switch kind := c.Kind(circuit.Var(v)); {
			case kind == circuit.KindAnd:
				gates.add(w)
			case isLeftOut(circuit.Var(v).Lit()):
			case kind == circuit.KindInput:
				inputs.add(w)
			case kind == circuit.KindLatch:
				latches.add(w)
			}
		}
		for i, p := range part {
			all = append(all, Cone{p, inputs.of(i), latches.of(i), gates.of(i)})
		}
	}
	return all, nil
}

// rootsOf returns the literals whose cones make up that of a property.
func rootsOf(c *circuit.Circuit, p circuit.Property) ([]circuit.Lit, error) {
	var lits []circuit.Lit
	signals := func(list []circuit.Signal) {
		for _, s := range list {
			lits = append(lits, s.Lit)
		}
	}
	bad, ok := c.Bad(p)
	switch {
	case ok:
		lits = append(lits, bad)
	case p.Kind == circuit.PropertyJustice && p.Index >= 0 && p.Index < len(c.Justice()):
		lits = append(lits, c.Justice()[p.Index].Lits...)
		signals(c.Fairness())
	default:
		return nil, circuit.ErrNoProperty
	}
	signals(c.Constraints())
	return lits, nil
}

// order returns the variables by component.
func (x *components) order() []circuit.Var {
	start := make([]int32, x.count+1)
	for _, at := range x.of {
		start[at+1]++
	}
	for i := range x.count {
		start[i+1] += start[i]
	}
	order := make([]circuit.Var, len(x.of))
	for v, at := range x.of {
		order[start[at]] = circuit.Var(v)
		start[at]++
	}
	return order
}

// spread gives each variable the bits of all that depends on it.
func (x *components) spread(ctx context.Context, c *circuit.Circuit, order []circuit.Var, words []uint64) error {
	for end, visited := len(order), 0; end > 0; visited++ {
		if visited%pollEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		begin, at := end, x.of[order[end-1]]
		word := uint64(0)
		for begin > 0 && x.of[order[begin-1]] == at {
			begin--
			word |= words[order[begin]]
		}
		for _, v := range order[begin:end] {
			words[v] = word
			if word == 0 {
				continue
			}
			for _, w := range operands(c, v, x.resets) {
				words[w] |= word
			}
		}
		end = begin
	}
	return nil
}

// counters are 64 numbers, the bits of the same weight in one word: adding a word takes
// two steps on average.
type counters struct{ bits [32]uint64 }

// add counts, for each bit of w, one more.
func (n *counters) add(w uint64) {
	for i := 0; w != 0; i++ {
		n.bits[i], w = n.bits[i]^w, n.bits[i]&w
	}
}

// of returns the number that belongs to bit i.
func (n *counters) of(i int) int {
	sum := 0
	for weight, w := range n.bits {
		sum |= int(w>>i&1) << weight
	}
	return sum
}
