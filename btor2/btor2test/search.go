package btor2test

import (
	"math/big"
	"slices"
)

// NotViolated is the step of a bad that holds in no run.
const NotViolated = -1

// Answers says of each property of a text whether some run violates it.
type Answers struct {
	// Bads has the first step in which a run can violate the bad, or NotViolated.
	Bads []int
	// Justice says whether some run without end has each condition, and each fairness condition, infinitely often.
	Justice []bool
}

// Search finds the answers by all states and all inputs, of which there are 2^bits: ok is false when there are more than
// limit steps from state to state.
func Search(text string, limit int) (answers Answers, ok bool) {
	g := &graph{System: Parse(text), edges: map[string][]edge{}}
	if !g.lay(limit) {
		return answers, false
	}
	starts := g.starts()
	g.answerBads(starts, &answers)
	g.answerJustice(starts, &answers)
	return answers, true
}

// edge is a step that meets the constraints.
type edge struct {
	to    string // the state after it
	bads  uint64 // bit i: bad i is violated in the step
	fairs uint64
	goals []uint64 // of each justice property
}

// graph has the steps of a system between its states. A state is written as the values of all state rows.
type graph struct {
	*System
	held  []int64 // states with next
	fresh []int64 // states without next: after step 0 they have any value, as the inputs
	open  []int64 // inputs
	edges map[string][]edge
}

// lay sorts the rows, and reports whether the search stays below a limit.
func (g *graph) lay(limit int) bool {
	bits := 0
	for _, id := range slices.Concat(g.Inputs, g.States) {
		s := g.Sort(id)
		if s.Index > 6 || s.Width > 64 {
			return false
		}
		bits += s.Bits()
	}
	if bits > 40 || 1<<bits > limit {
		return false
	}
	g.open = g.Inputs
	for _, id := range g.States {
		if _, ok := g.Next[id]; ok {
			g.held = append(g.held, id)
		} else {
			g.fresh = append(g.fresh, id)
		}
	}
	return true
}

// each visits all values of some rows.
func (g *graph) each(rows []int64, visit func(values map[int64]Value)) {
	bits := 0
	for _, id := range rows {
		bits += g.Sort(id).Bits()
	}
	for all := range int64(1) << bits {
		values := make(map[int64]Value, len(rows))
		rest := big.NewInt(all)
		for _, id := range rows {
			s := g.Sort(id)
			values[id] = FromFlat(s, modulo(rest, s.Bits()))
			rest = new(big.Int).Rsh(rest, uint(s.Bits()))
		}
		visit(values)
	}
}

// key writes the values of all states.
func (g *graph) key(values map[int64]Value) string {
	var k []byte
	for _, id := range g.States {
		k = append(values[id].Flat().Append(k, 16), ' ')
	}
	return string(k)
}

// state reads what key has written.
func (g *graph) state(key string) map[int64]Value {
	values := make(map[int64]Value, len(g.States))
	at := 0
	for _, id := range g.States {
		end := at + slices.Index([]byte(key[at:]), ' ')
		n, _ := new(big.Int).SetString(key[at:end], 16)
		values[id] = FromFlat(g.Sort(id), n)
		at = end + 1
	}
	return values
}

// starts returns the states that runs begin in.
func (g *graph) starts() []string {
	var free []int64
	for _, id := range g.States {
		if _, ok := g.Init[id]; !ok {
			free = append(free, id)
		}
	}
	var found []string
	g.each(free, func(values map[int64]Value) {
		e := &evaluation{System: g.System, values: map[int64]Value{}}
		e.leaf = func(id int64, r row) Value {
			return g.startOf(e, id, r, func(_ int, id int64, _ Sort) Value { return values[id] })
		}
		start := map[int64]Value{}
		for _, id := range g.States {
			start[id] = e.row(id)
		}
		found = append(found, g.key(start))
	})
	return found
}

// from returns the steps of a state.
func (g *graph) from(key string) []edge {
	if found, ok := g.edges[key]; ok {
		return found
	}
	found := []edge{}
	now := g.state(key)
	g.each(g.open, func(inputs map[int64]Value) {
		step := g.step(func(_ *evaluation, id int64, r row) Value {
			if r.tag == "input" {
				return inputs[id]
			}
			return now[id]
		})
		if !step.IsAllowed() {
			return
		}
		e := edge{bads: set(step.Bads), fairs: set(step.Fairs)}
		for _, goals := range step.Justice {
			e.goals = append(e.goals, set(goals))
		}
		g.each(g.fresh, func(next map[int64]Value) {
			for _, id := range g.held {
				next[id] = step.operand(g.Next[id])
			}
			e.to = g.key(next)
			found = append(found, e)
		})
	})
	g.edges[key] = found
	return found
}

func set(truths []bool) (bits uint64) {
	for i, is := range truths {
		if is {
			bits |= 1 << i
		}
	}
	return bits
}

// answerBads searches the states in the order of the steps that reach them.
func (g *graph) answerBads(frontier []string, answers *Answers) {
	for range g.Bads {
		answers.Bads = append(answers.Bads, NotViolated)
	}
	seen := map[string]bool{}
	for step := 0; len(frontier) > 0; step++ {
		var next []string
		for _, s := range frontier {
			if seen[s] {
				continue
			}
			seen[s] = true
			for _, e := range g.from(s) {
				for i := range g.Bads {
					if e.bads>>i&1 == 1 && answers.Bads[i] == NotViolated {
						answers.Bads[i] = step
					}
				}
				next = append(next, e.to)
			}
		}
		frontier = next
	}
}

// answerJustice asks of each set of states that reach each other whether the steps within it have all conditions.
func (g *graph) answerJustice(starts []string, answers *Answers) {
	answers.Justice = make([]bool, len(g.Justice))
	allFair := uint64(1)<<len(g.Fairs) - 1
	for _, c := range g.components(starts) {
		within := map[string]bool{}
		for _, s := range c {
			within[s] = true
		}
		hasStep, fairs, goals := false, uint64(0), make([]uint64, len(g.Justice))
		for _, s := range c {
			for _, e := range g.from(s) {
				if !within[e.to] {
					continue
				}
				hasStep, fairs = true, fairs|e.fairs
				for i := range goals {
					goals[i] |= e.goals[i]
				}
			}
		}
		for i := range goals {
			if hasStep && fairs == allFair && goals[i] == 1<<len(g.Justice[i])-1 {
				answers.Justice[i] = true
			}
		}
	}
}

// components returns the strongly connected components that are reached: those states that reach each other. It is
// Kosaraju's algorithm.
func (g *graph) components(starts []string) [][]string {
	order := postorder(starts, func(s string) (to []string) {
		for _, e := range g.from(s) {
			to = append(to, e.to)
		}
		return to
	})
	before := map[string][]string{}
	for _, s := range order {
		for _, e := range g.from(s) {
			before[e.to] = append(before[e.to], s)
		}
	}
	seen := map[string]bool{}
	var all [][]string
	for _, s := range slices.Backward(order) {
		if seen[s] {
			continue
		}
		seen[s] = true
		component := []string{s}
		for i := 0; i < len(component); i++ {
			for _, b := range before[component[i]] {
				if !seen[b] {
					seen[b] = true
					component = append(component, b)
				}
			}
		}
		all = append(all, component)
	}
	return all
}

// postorder returns what is reached, each after all that a search in depth first reaches from it.
func postorder(starts []string, from func(string) []string) (order []string) {
	type visit struct {
		state string
		rest  []string
	}
	seen := map[string]bool{}
	stack := []visit{{rest: starts}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.rest) == 0 {
			if len(stack) > 1 {
				order = append(order, top.state)
			}
			stack = stack[:len(stack)-1]
			continue
		}
		next := top.rest[0]
		top.rest = top.rest[1:]
		if !seen[next] {
			seen[next] = true
			stack = append(stack, visit{next, from(next)})
		}
	}
	return order
}
