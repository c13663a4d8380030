package reduce

import "aiglens/circuit"

// readers knows, for each variable, the gates that have it as operand and the
// latches whose next state it is.
type readers struct {
	all   []circuit.Var
	start []int // by variable, in all
}

func newReaders(c *circuit.Circuit) *readers {
	each := func(yield func(v, reader circuit.Var)) {
		for i := range c.NumVars() {
			reader := circuit.Var(i)
			if left, right, isGate := c.Operands(reader); isGate {
				yield(left.Var(), reader)
				yield(right.Var(), reader)
			}
		}
		for _, l := range c.Latches() {
			yield(l.Next.Var(), l.Lit.Var())
		}
	}
	// start[v+1] is first where the readers of v begin, and in the end where they
	// end, which is where those of v+1 begin.
	start := make([]int, c.NumVars()+2)
	each(func(v, _ circuit.Var) { start[v+2]++ })
	for v := 2; v < len(start); v++ {
		start[v] += start[v-1]
	}
	all := make([]circuit.Var, start[len(start)-1])
	each(func(v, reader circuit.Var) {
		all[start[v+1]] = reader
		start[v+1]++
	})
	return &readers{all, start}
}

// of returns the readers of v.
func (r *readers) of(v circuit.Var) []circuit.Var { return r.all[r.start[v]:r.start[v+1]] }

// reach returns what depends on the given variables, themselves among it, in the same
// step, and the latches that it is the next state of.
func (r *readers) reach(c *circuit.Circuit, from []circuit.Var) (reached []bool, latches []circuit.Var) {
	reached = make([]bool, c.NumVars())
	todo := append([]circuit.Var(nil), from...)
	for _, v := range todo {
		reached[v] = true
	}
	stepped := make([]bool, len(c.Latches()))
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, w := range r.of(v) {
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
