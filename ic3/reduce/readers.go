package reduce

import (
	"aiglens/circuit"
	"aiglens/circuit/graph"
)

// readers knows, for each variable, the gates that have it as operand and the
// latches whose next state it is.
type readers struct{ graph.Edges[circuit.Var] }

func newReaders(c *circuit.Circuit) readers {
	return readers{graph.NewEdges(c.NumVars(), func(add func(from, to circuit.Var)) {
		for reader := range circuit.Var(c.NumVars()) {
			if left, right, isGate := c.Operands(reader); isGate {
				add(left.Var(), reader)
				add(right.Var(), reader)
			}
		}
		for _, l := range c.Latches() {
			add(l.Next.Var(), l.Lit.Var())
		}
	})}
}

// reach returns what depends on the given variables, themselves among it, in the same
// step, and the latches that it is the next state of.
func (r readers) reach(c *circuit.Circuit, from []circuit.Var) (reached []bool, latches []circuit.Var) {
	reached = make([]bool, c.NumVars())
	todo := append([]circuit.Var(nil), from...)
	for _, v := range todo {
		reached[v] = true
	}
	stepped := make([]bool, len(c.Latches()))
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, w := range r.Of(v) {
			switch {
			case c.Kind(w) == circuit.KindLatch:
				if i := c.LatchIndex(w); !stepped[i] {
					stepped[i] = true
					latches = append(latches, w)
				}
			case !reached[w]:
				reached[w] = true
				todo = append(todo, w)
			}
		}
	}
	return reached, latches
}
