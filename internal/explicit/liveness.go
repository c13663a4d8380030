package explicit

import (
	"maps"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// edge is a step that meets the constraints.
type edge struct {
	input, to uint32
	goals     uint64 // bit i: goal i is 1
}

// graph holds the steps of a circuit with those that an infinite run can take after
// step 0.
type graph struct {
	c     *circuit.Circuit
	goals []circuit.Lit
	edges map[uint32][]edge // of each state that was asked for
}

// graphOf returns the graph of a justice property: its goals are the literals of the
// property, then the fairness conditions.
func graphOf(c *circuit.Circuit, p circuit.Property) *graph {
	g := &graph{c: c, edges: map[uint32][]edge{}}
	g.goals = append(g.goals, c.Justice()[p.Index].Lits...)
	for _, s := range c.Fairness() {
		g.goals = append(g.goals, s.Lit)
	}
	return g
}

// step returns what a state does under an input; ok when that meets the constraints.
func (g *graph) step(state, input uint32) (e edge, ok bool) {
	sim := evaluated(g.c, state, input)
	for _, s := range g.c.Constraints() {
		if sim.Value(s.Lit)&1 == 0 {
			return e, false
		}
	}
	e.input = input
	for i, l := range g.c.Latches() {
		e.to |= uint32(sim.Value(l.Next)&1) << i
	}
	for i, l := range g.goals {
		e.goals |= sim.Value(l) & 1 << i
	}
	return e, true
}

// from returns the steps of a state.
func (g *graph) from(state uint32) []edge {
	if found, ok := g.edges[state]; ok {
		return found
	}
	found := []edge{}
	for input := range uint32(1) << len(g.c.Inputs()) {
		if e, ok := g.step(state, input); ok {
			found = append(found, e)
		}
	}
	g.edges[state] = found
	return found
}

// begin returns the initial states, each with the edges that step 0 can take.
func (g *graph) begin() map[uint32][]edge {
	begin := map[uint32][]edge{}
	if g.c.HasResetFunctions() {
		for _, s := range starts(g.c) {
			if e, ok := g.step(s.state, s.input); ok {
				begin[s.state] = append(begin[s.state], e)
			}
		}
		return begin
	}
	for _, s := range initialStates(g.c) {
		begin[s] = g.from(s)
	}
	return begin
}

// reachable returns the states that step 1 or a later one can begin in.
func (g *graph) reachable() []uint32 {
	var list []uint32
	seen := map[uint32]bool{}
	add := func(edges []edge) {
		for _, e := range edges {
			if !seen[e.to] {
				seen[e.to] = true
				list = append(list, e.to)
			}
		}
	}
	for _, edges := range g.begin() {
		add(edges)
	}
	for i := 0; i < len(list); i++ {
		add(g.from(list[i]))
	}
	return list
}

// behind returns the states that can be reached from one in a step or more.
func (g *graph) behind(state uint32) map[uint32]bool {
	seen := map[uint32]bool{}
	todo := []uint32{state}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range g.from(s) {
			if !seen[e.to] {
				seen[e.to] = true
				todo = append(todo, e.to)
			}
		}
	}
	return seen
}

// fair returns a set of states between which an infinite run can go on so that all goals
// are 1 infinitely often: a strongly connected component with a step, among the steps in
// which is one for each goal. It is nil when there is none.
func (g *graph) fair() map[uint32]bool {
	states := g.reachable()
	behind := map[uint32]map[uint32]bool{}
	for _, s := range states {
		behind[s] = g.behind(s)
	}
	for _, s := range states {
		if !behind[s][s] {
			continue
		}
		component := map[uint32]bool{}
		for t := range behind[s] {
			if behind[t][s] {
				component[t] = true
			}
		}
		met := uint64(0)
		for t := range component {
			for _, e := range g.from(t) {
				if component[e.to] {
					met |= e.goals
				}
			}
		}
		if met == uint64(1)<<len(g.goals)-1 {
			return component
		}
	}
	return nil
}

// Violated reports whether a justice property of c is violated: whether the constraints
// can hold for ever while each of its literals, and each fairness condition, is 1 again
// and again. The bounds of FirstBadStep hold, and 63 goals.
func Violated(c *circuit.Circuit, p circuit.Property) bool { return graphOf(c, p).fair() != nil }

// Lasso returns a counterexample to a justice property that is violated, with a value for
// everything.
func Lasso(c *circuit.Circuit, p circuit.Property) *cert.Lasso {
	g := graphOf(c, p)
	component := g.fair()
	if component == nil {
		return nil
	}
	l := &cert.Lasso{}
	anywhere := func(edge) bool { return true }
	var state uint32
	begin := g.begin()
	for _, start := range sorted(begin) { // the one with the shortest way
		if component[start] && !c.HasResetFunctions() {
			l.Initial, l.Inputs, l.Loop = valuesOf(start, len(c.Latches())), [][]circuit.Value{}, 0
			state = start
		}
		for _, first := range begin[start] {
			stem, last, ok := g.path(first.to, anywhere, func(s uint32, _ edge) bool { return component[s] })
			if ok && (l.Inputs == nil || len(stem) < l.Loop) {
				l.Initial = valuesOf(start, len(c.Latches()))
				l.Inputs, state = g.rows(append([]uint32{first.input}, stem...)), last
				l.Loop = len(l.Inputs)
			}
		}
	}
	loop := state
	within := func(e edge) bool { return component[e.to] }
	take := func(wanted func(s uint32, e edge) bool) {
		way, last, _ := g.path(state, within, wanted)
		l.Inputs = append(l.Inputs, g.rows(way)...)
		state = last
	}
	through := func(meets func(edge) bool) {
		take(func(s uint32, _ edge) bool { // up to a state with such a step
			for _, e := range g.from(s) {
				if within(e) && meets(e) {
					return true
				}
			}
			return false
		})
		for _, e := range g.from(state) {
			if within(e) && meets(e) {
				l.Inputs = append(l.Inputs, g.rows([]uint32{e.input})...)
				state = e.to
				return
			}
		}
	}
	if len(g.goals) == 0 {
		through(anywhere)
	}
	for i := range g.goals {
		through(func(e edge) bool { return e.goals>>i&1 == 1 })
	}
	take(func(s uint32, _ edge) bool { return s == loop })
	return l
}

// Holds reports whether the property of a problem holds.
func Holds(p circuit.Problem) bool {
	if p.Question == circuit.Liveness {
		return !Violated(p.Circuit, p.Property())
	}
	return FirstBadStep(p.Circuit, p.Property()) == NotViolated
}

// Answer judges a problem of liveness.
func Answer(p circuit.Problem) cert.Verdict {
	if l := Lasso(p.Circuit, p.Property()); l != nil {
		return cert.Verdict{Outcome: cert.Refuted, Lasso: l}
	}
	return cert.Verdict{Outcome: cert.Proved, Ranking: Ranking(p.Circuit, p.Property())}
}

func sorted(m map[uint32][]edge) []uint32 { return slices.Sorted(maps.Keys(m)) }

// path returns the inputs of a shortest way from one state to a wanted one, over steps
// that are allowed.
func (g *graph) path(from uint32, allowed func(edge) bool, wanted func(uint32, edge) bool) (inputs []uint32, to uint32, ok bool) {
	type visit struct {
		state  uint32
		before int
		by     edge
	}
	seen := map[uint32]bool{from: true}
	list := []visit{{state: from, before: -1}}
	for i := 0; i < len(list); i++ {
		if v := list[i]; wanted(v.state, v.by) {
			for at := i; list[at].before >= 0; at = list[at].before {
				inputs = append(inputs, list[at].by.input)
			}
			slices.Reverse(inputs)
			return inputs, v.state, true
		}
		for _, e := range g.from(list[i].state) {
			if allowed(e) && !seen[e.to] {
				seen[e.to] = true
				list = append(list, visit{e.to, i, e})
			}
		}
	}
	return nil, 0, false
}

func (g *graph) rows(inputs []uint32) [][]circuit.Value {
	rows := make([][]circuit.Value, len(inputs))
	for i, input := range inputs {
		rows[i] = valuesOf(input, len(g.c.Inputs()))
	}
	return rows
}

func valuesOf(bits uint32, n int) []circuit.Value {
	values := make([]circuit.Value, n)
	for i := range values {
		values[i] = circuit.Value(bits >> i & 1)
	}
	return values
}

// Ranking returns a proof of a justice property that holds: the rank of a state is told by
// the number of rounds that a run can still end from there.
func Ranking(c *circuit.Circuit, p circuit.Property) *cert.Ranking {
	rep, err := c.Repetition(p)
	if err != nil {
		panic(err)
	}
	g := &graph{c: rep.Circuit, goals: []circuit.Lit{rep.Round()}, edges: map[uint32][]edge{}}
	states := g.reachable()
	for _, s := range sorted(g.begin()) {
		if len(g.from(s)) > 0 {
			states = append(states, s)
		}
	}
	rounds, most := map[uint32]int{}, 0
	for changed := true; changed; {
		changed = false
		for _, s := range states {
			for _, e := range g.from(s) {
				if n := rounds[e.to] + int(e.goals); n > rounds[s] {
					rounds[s], changed = n, true
					most = max(most, n)
				}
			}
		}
		if most > len(states) {
			return nil // violated
		}
	}
	if len(states) == 0 {
		return &cert.Ranking{}
	}
	r := &cert.Ranking{}
	for n := most; n >= 0; n-- {
		within := map[uint32]bool{}
		for _, s := range states {
			if rounds[s] == n {
				within[s] = true
			}
		}
		r.Ranks = append(r.Ranks, statesOf(rep.Circuit, within))
	}
	return r
}

// statesOf returns a set of states as clauses, each of which excludes another state.
func statesOf(c *circuit.Circuit, within map[uint32]bool) cert.Invariant {
	inv := cert.Invariant{}
	for s := range uint32(1) << len(c.Latches()) {
		if within[s] {
			continue
		}
		clause := make([]circuit.Lit, len(c.Latches()))
		for i, l := range c.Latches() {
			clause[i] = l.Lit.NotIf(s>>i&1 == 1)
		}
		inv = append(inv, clause)
	}
	return inv
}

// holds reports whether a state is in a set.
func holds(c *circuit.Circuit, state uint32, set cert.Invariant) bool {
	for _, clause := range set {
		satisfied := false
		for _, l := range clause {
			satisfied = satisfied || state>>c.LatchIndex(l.Var())&1 == 1 != l.IsNegated()
		}
		if !satisfied {
			return false
		}
	}
	return true
}

// certifiesRanking tries the obligations of a ranking in all states, under all inputs. What
// they ask of the latest rank of a state is the most that they ask of any.
func certifiesRanking(c *circuit.Circuit, p circuit.Property, r *cert.Ranking) bool {
	rep, err := c.Repetition(p)
	if err != nil {
		return false
	}
	g := &graph{c: rep.Circuit, goals: []circuit.Lit{rep.Round()}, edges: map[uint32][]edge{}}
	states := uint32(1) << len(rep.Circuit.Latches())
	const none = -1
	ranks, signals := make([]int, states), make([][]bool, states) // by state
	for s := range states {
		ranks[s] = none
		for d, rank := range r.Ranks {
			if holds(rep.Circuit, s, rank) {
				ranks[s] = d
			}
		}
		for _, signal := range r.Monotone {
			signals[s] = append(signals[s], holds(rep.Circuit, s, signal))
		}
	}
	for s, edges := range g.begin() {
		if len(edges) > 0 && ranks[s] == none {
			return false
		}
	}
	for s := range states {
		if ranks[s] == none {
			continue
		}
		for _, e := range g.from(s) {
			changed := none // the first signal that does
			for i, v := range signals[s] {
				if v != signals[e.to][i] {
					changed = i
					break
				}
			}
			least := ranks[s]
			if e.goals == 1 && changed == none {
				least++
			}
			if changed != none && signals[s][changed] || ranks[e.to] < least {
				return false
			}
		}
	}
	return true
}

// certifiesLasso follows all infinite runs that agree with the lasso at once: what is x is
// chosen in each step, and in each round of the loop, again.
func certifiesLasso(c *circuit.Circuit, p circuit.Property, l *cert.Lasso) bool {
	if l.Loop < 0 || l.Loop >= l.Steps() {
		return false
	}
	g := graphOf(c, p)
	type place struct {
		step  int
		state uint32
		begin bool // step 0, for the first time
	}
	type move struct {
		to    place
		goals uint64
	}
	after := func(step int) int {
		if step++; step == l.Steps() {
			step = l.Loop
		}
		return step
	}
	moves := map[place][]move{}
	var list []place
	for _, s := range initialStates(c) {
		if agrees(s, l.Initial, c) {
			list = append(list, place{0, s, true})
		}
	}
	isTried := false
	for i := 0; i < len(list); i++ {
		at := list[i]
		if _, seen := moves[at]; seen {
			continue
		}
		moves[at] = []move{}
		for input := range uint32(1) << len(c.Inputs()) {
			if !matches(input, l.Inputs[at.step]) || at.begin && !isStart(c, at.state, input) {
				continue
			}
			isTried = true
			e, ok := g.step(at.state, input)
			if !ok {
				return false
			}
			m := move{place{after(at.step), e.to, false}, e.goals}
			moves[at] = append(moves[at], m)
			list = append(list, m.to)
		}
	}
	if !isTried {
		return false
	}
	for i := range g.goals {
		// Without the steps that meet a goal no run goes on for ever: take away places from
		// which none leads on until none is left.
		left := maps.Clone(moves)
		for removed := true; removed; {
			removed = false
			for at, list := range left {
				if !slices.ContainsFunc(list, func(m move) bool { _, ok := left[m.to]; return ok && m.goals>>i&1 == 0 }) {
					delete(left, at)
					removed = true
				}
			}
		}
		if len(left) > 0 {
			return false
		}
	}
	return true
}
