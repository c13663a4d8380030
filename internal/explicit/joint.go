package explicit

import "aiglens/circuit"

// Joint says how two circuits run side by side.
type Joint struct {
	A, B     *circuit.Circuit
	Inputs   [][2]int         // positions of inputs that have the same value in each step
	Starts   [][2]int         // positions of free latches that start with the same value
	Observed [][2]circuit.Lit // what should have the same value, in runs that both allow
}

// FirstDifferences returns the smallest step in which one circuit allows a step that the
// other forbids, after runs that both allow, and for each observed pair the smallest step
// of such a run in which it differs; NotViolated for what there is not. Both circuits must
// have at most 10 latches and 6 inputs.
func FirstDifferences(j Joint) (runs int, observed []int) {
	x := joint{Joint: j, a: newSide(j.A), b: newSide(j.B), runs: NotViolated, observed: make([]int, len(j.Observed))}
	for i := range x.observed {
		x.observed[i] = NotViolated
	}
	type pair struct{ a, b uint32 }
	seen := map[pair]bool{}
	var frontier, next []pair
	visit := func(step int, a, b outcome) {
		if x.compare(step, a, b) && !seen[pair{a.next, b.next}] {
			seen[pair{a.next, b.next}] = true
			next = append(next, pair{a.next, b.next})
		}
	}
	x.eachInput(func(inA, inB uint32) {
		for _, a := range x.a.starts(inA) {
			for _, b := range x.b.starts(inB) {
				if x.startsAgree(a.free, b.free) {
					visit(0, a, b)
				}
			}
		}
	})
	for step := 1; len(next) > 0; step++ {
		frontier, next = next, nil
		for _, s := range frontier {
			x.eachInput(func(inA, inB uint32) { visit(step, x.a.step(s.a, inA), x.b.step(s.b, inB)) })
		}
	}
	return x.runs, x.observed
}

// joint is a search in the making.
type joint struct {
	Joint
	a, b     *side
	runs     int
	observed []int
}

// compare notes what differs in a step and reports whether both sides allow it.
func (x *joint) compare(step int, a, b outcome) bool {
	if a.allowed != b.allowed && x.runs == NotViolated {
		x.runs = step
	}
	if !a.allowed || !b.allowed {
		return false
	}
	for i, p := range x.Observed {
		if x.observed[i] == NotViolated && a.value(p[0]) != b.value(p[1]) {
			x.observed[i] = step
		}
	}
	return true
}

// eachInput visits all values of the inputs of both.
func (x *joint) eachInput(visit func(a, b uint32)) {
	for a := range uint32(1) << len(x.A.Inputs()) {
	others:
		for b := range uint32(1) << len(x.B.Inputs()) {
			for _, p := range x.Inputs {
				if a>>p[0]&1 != b>>p[1]&1 {
					continue others
				}
			}
			visit(a, b)
		}
	}
}

func (x *joint) startsAgree(a, b uint32) bool {
	for _, p := range x.Starts {
		if a>>p[0]&1 != b>>p[1]&1 {
			return false
		}
	}
	return true
}

// outcome is what a step of one side comes to.
type outcome struct {
	values  []bool // by variable
	next    uint32
	allowed bool
	free    uint32 // of a start: the values of the free latches
}

func (s outcome) value(l circuit.Lit) bool { return s.values[l.Var()] != l.IsNegated() }

// side steps one circuit, and keeps what it has found.
type side struct {
	c     *circuit.Circuit
	sim   *circuit.Parallel
	steps map[[2]uint32]outcome
}

func newSide(c *circuit.Circuit) *side {
	return &side{c: c, sim: circuit.NewParallel(c), steps: map[[2]uint32]outcome{}}
}

func (s *side) eval(input uint32) outcome {
	words := make([]uint64, len(s.c.Inputs()))
	for i := range words {
		words[i] = uint64(input >> i & 1)
	}
	s.sim.Eval(words)
	r := outcome{values: make([]bool, s.c.NumVars()), allowed: true}
	for v := range r.values {
		r.values[v] = s.sim.Value(circuit.Var(v).Lit())&1 == 1
	}
	for i, l := range s.c.Latches() {
		if r.value(l.Next) {
			r.next |= 1 << i
		}
	}
	for _, c := range s.c.Constraints() {
		r.allowed = r.allowed && r.value(c.Lit)
	}
	return r
}

// starts returns step 0 under some inputs, for all values of the free latches.
func (s *side) starts(input uint32) (all []outcome) {
	var free uint32
	for i, l := range s.c.Latches() {
		if l.IsFree() {
			free |= 1 << i
		}
	}
	for chosen := free; ; chosen = (chosen - 1) & free {
		s.sim.Reset(func(i int) uint64 { return uint64(chosen >> i & 1) })
		r := s.eval(input)
		r.free = chosen
		all = append(all, r)
		if chosen == 0 {
			return all
		}
	}
}

func (s *side) step(state, input uint32) outcome {
	key := [2]uint32{state, input}
	r, known := s.steps[key]
	if !known {
		for i := range s.c.Latches() {
			s.sim.SetLatch(i, uint64(state>>i&1))
		}
		r = s.eval(input)
		s.steps[key] = r
	}
	return r
}
