package ic3

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// constraints are those of the circuit. They are part of the domain of every query, and where
// they read many gates, most matter to few queries. So a run may begin without: it then judges a
// circuit with more steps, whose proofs are proofs of this one. A counterexample is completed step by
// step to one that meets all constraints. Where that fails, those in the way become part of every
// query from then on, and the lemmas stay: abstraction refined by counterexamples (Clarke and
// others, CAV 2000), of constraints only. The infinite frame, which was there before, is judged
// under all of them.
type constraints struct {
	active    []circuit.Lit // part of every query
	postponed []circuit.Lit // the others
	// least is how many gates all together read at least, before any is postponed.
	least int
}

// postponeGates is the least of constraints. Below, they cost little: where they read 111 gates of
// 2,709, a circuit was proved with half of the effort that was not enough without them.
const postponeGates = 2_000

// postpone leaves out the constraints that are gates, if they read many. The frontier is 0.
func postpone(e *engine) {
	c := &e.constraints
	if !e.has(PostponeConstraints) || gatesOf(e.c, c.active) < c.least {
		return
	}
	isGate := func(l circuit.Lit) bool { return e.c.Kind(l.Var()) == circuit.KindAnd }
	for _, l := range c.active {
		if isGate(l) {
			c.postponed = append(c.postponed, l)
		}
	}
	if len(c.postponed) == 0 {
		return
	}
	c.active = slices.DeleteFunc(c.active, isGate)
	e.solvers, e.added, e.frames, e.models = nil, nil, nil, newModels(e.c)
	e.newFrame()
}

// gatesOf counts the gates that some literals read, themselves included.
func gatesOf(c *circuit.Circuit, lits []circuit.Lit) (count int) {
	read := make([]bool, c.NumVars())
	for _, l := range lits {
		read[l.Var()] = true
	}
	for v := c.NumVars() - 1; v > 0; v-- { // operands have lower variables
		if left, right, isGate := c.Operands(circuit.Var(v)); isGate && read[v] {
			read[left.Var()], read[right.Var()] = true, true
			count++
		}
	}
	return count
}

// completion is a trace on its way to one that meets the postponed constraints.
type completion struct {
	*engine
	trace *cert.Trace
	state []circuit.Value // before the present step; X where it may be chosen
}

// complete returns the trace that starts in the cube of o, so that it meets the postponed
// constraints; or nil, when some of these are now part of every query.
func complete(e *engine, o *obligation) (*cert.Trace, error) {
	x := &completion{engine: e, trace: e.trace(o)}
	if len(e.constraints.postponed) == 0 {
		return x.trace, nil
	}
	x.state = slices.Clone(x.trace.Initial)
	for i, l := range e.c.Latches() {
		if l.IsFree() && !o.cube.contains(l.Lit) && !o.cube.contains(l.Lit.Not()) {
			x.state[i] = circuit.X
		}
	}
	values := circuit.NewTernary(e.c)
	for step, inputs := range x.trace.Inputs {
		contradicting, err := x.choose(inputs)
		if err != nil {
			return nil, err
		}
		if len(contradicting) > 0 {
			x.constrain(contradicting)
			return nil, nil
		}
		if step == 0 {
			copy(x.trace.Initial, x.state)
		}
		for i, v := range x.state {
			values.SetLatch(i, v)
		}
		values.Eval(inputs)
		for i, l := range e.c.Latches() {
			x.state[i] = values.Value(l.Next)
		}
	}
	return x.trace, nil
}

// choose gives what is open in the state and in the inputs of a step values under which the
// postponed constraints hold, or returns those that contradict the others.
func (x *completion) choose(inputs []circuit.Value) (contradicting []circuit.Lit, err error) {
	var known, open []circuit.Lit
	var places []*circuit.Value // of open
	add := func(l circuit.Lit, v *circuit.Value) {
		if *v == circuit.X {
			open, places = append(open, l), append(places, v)
			return
		}
		known = append(known, l.NotIf(*v == circuit.Zero))
	}
	for i, l := range x.c.Latches() {
		add(l.Lit, &x.state[i])
	}
	for i, in := range x.c.Inputs() {
		add(in.Lit, &inputs[i])
	}
	known = append(known, x.constraints.active...)
	asked := slices.Clone(x.constraints.postponed)
	for {
		r, err := x.solve(x.lift, sat.Query{Assumptions: slices.Concat(known, asked)})
		if err != nil {
			return nil, err
		}
		if r == sat.Sat {
			break
		}
		before := len(contradicting)
		asked = slices.DeleteFunc(asked, func(l circuit.Lit) bool {
			if x.lift.InCore(l) {
				contradicting = append(contradicting, l)
			}
			return x.lift.InCore(l)
		})
		if len(contradicting) == before {
			panic("ic3: a step of a counterexample violates a constraint that it was found under")
		}
	}
	for i, l := range open {
		*places[i] = circuit.ValueOf(x.lift.Value(l) == circuit.One)
	}
	return contradicting, nil
}

// constrain makes postponed constraints part of every query from now on.
func (x *completion) constrain(needed []circuit.Lit) {
	c := &x.constraints
	c.postponed = slices.DeleteFunc(c.postponed, func(l circuit.Lit) bool { return slices.Contains(needed, l) })
	c.active = append(c.active, needed...)
	x.stats.Constrained += len(needed)
	for _, s := range x.solvers {
		for _, l := range needed {
			s.AddClause([]circuit.Lit{l})
		}
	}
	// The steps that were kept need not meet them.
	x.models = newModels(x.c)
	for range x.solvers {
		x.models.open()
	}
}
