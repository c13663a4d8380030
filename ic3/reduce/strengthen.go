package reduce

import (
	"context"
	"errors"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// ErrTooLarge says that the facts about gates an invariant rests on need too many
// clauses over latches, or too much effort to find them.
var ErrTooLarge = errors.New("an invariant needs too many clauses about gates")

// Bounds of the search for clauses.
const (
	strengthenClauses   = 20_000
	strengthenEffort    = 50_000_000
	strengthenConflicts = 10_000 // of a query
)

// facts are those about gates that hold in all reachable states of a circuit,
// whatever the inputs that meet the constraints, by induction over k steps.
type facts struct {
	before  *Reduced
	classes *partition // over the variables of before.Circuit
	k       int
	bound   int // on the clauses of an invariant
}

// strengthening is the search for clauses over latches that make an invariant of the
// circuit with gates merged one of the circuit before.
//
// Whenever a step leads out of the clauses, or a state in them is bad, some gates that
// are merged differ: that is what the two circuits differ in. The state cannot be
// reached then, nor can any other in which the gates differ under the same inputs, which
// must meet the constraints, for the same reason. That is a clause more, and so on. It
// ends, because the facts together are inductive and imply each such clause.
//
// Facts that are inductive over k steps say the same of the states from which the gates
// differ within k steps. A step that leads to such a state comes from one, too: else the
// gates were equal in k steps, and differed in the next.
type strengthening struct {
	ctx     context.Context
	c       *circuit.Circuit // before
	classes *partition
	solver  sat.Solver
	frames  []factFrame
	sim     *circuit.Parallel
	inv     cert.Invariant // over latches of c
	why     [][][]uint64   // by clause: inputs by step, under which gates differ from each state that it excludes; or nil
	used    []bool         // by variable: a latch in a clause
	roots   []circuit.Lit  // those latches
	bound   int            // on the clauses
}

// factFrame is the circuit in one of k steps.
type factFrame struct {
	inputs  []circuit.Lit
	allowed circuit.Lit                 // the constraints hold up to here
	differ  map[circuit.Var]circuit.Lit // by merged variable: it differs from its representative, and allowed
}

// strengthen returns an invariant of the circuit before, and the effort that it took.
func (r *Reduced) strengthen(ctx context.Context, inv cert.Invariant) (_ cert.Invariant, effort int64, err error) {
	before := r.facts.before
	c := before.Circuit
	x := &strengthening{
		ctx:     ctx,
		c:       c,
		classes: r.facts.classes,
		sim:     circuit.NewParallel(c),
		used:    make([]bool, c.NumVars()),
		bound:   r.facts.bound,
	}
	if err := x.unroll(r.facts.k); err != nil {
		return nil, 0, err
	}
	at := map[int]circuit.Lit{} // by position in the cone: the latch
	for i, l := range c.Latches() {
		at[before.latchesOf[i]] = l.Lit
	}
	for _, clause := range inv {
		var own []circuit.Lit
		for _, l := range clause {
			position, err := r.latchOf(l)
			if err != nil {
				return nil, 0, err
			}
			own = append(own, at[position].NotIf(l.IsNegated()))
		}
		x.add(own, nil)
	}
	err = x.close(c.Bads()[0].Lit)
	return x.inv, x.effort(), err
}

// unroll makes the frames and the solver over them, in which the variables of the circuit
// are those of the first step.
func (x *strengthening) unroll(k int) error {
	b := circuit.NewBuilder(k * x.c.NumVars())
	to := make([]circuit.Lit, x.c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	allowed := circuit.True
	for step := range k {
		f := factFrame{differ: map[circuit.Var]circuit.Lit{}}
		next := make([]circuit.Lit, len(x.c.Latches()))
		for i, l := range x.c.Latches() {
			next[i] = lit(l.Next) // of the step before
		}
		for i := range to {
			v := circuit.Var(i)
			if i%pollEvery == 0 && x.ctx.Err() != nil {
				return x.ctx.Err()
			}
			left, right, isGate := x.c.Operands(v)
			switch {
			case isGate:
				to[v] = b.And(lit(left), lit(right))
			case x.c.Kind(v) == circuit.KindInput:
				to[v] = b.Input(0)
				f.inputs = append(f.inputs, to[v])
			case x.c.Kind(v) == circuit.KindLatch && step == 0:
				to[v] = b.Latch(0)
			case x.c.Kind(v) == circuit.KindLatch:
				to[v] = next[x.c.LatchIndex(v)]
			}
		}
		for _, s := range x.c.Constraints() {
			allowed = b.And(allowed, lit(s.Lit))
		}
		f.allowed = allowed
		for _, v := range x.classes.members {
			f.differ[v] = b.And(allowed, b.Xor(to[v], lit(x.classes.literal(v))))
		}
		x.frames = append(x.frames, f)
	}
	x.solver = sat.NewCore(encode.Gates(b.Build()))
	return nil
}

// add adds a clause, with what it is excluded for.
func (x *strengthening) add(clause []circuit.Lit, why [][]uint64) {
	x.inv, x.why = append(x.inv, clause), append(x.why, why)
	x.solver.AddClause(clause)
	for _, l := range clause {
		if v := l.Var(); !x.used[v] {
			x.used[v] = true
			x.roots = append(x.roots, v.Lit())
		}
	}
}

// effort returns what was spent.
func (x *strengthening) effort() int64 { return work(x.solver.Stats()) }

// solve asks the solver within the bounds.
func (x *strengthening) solve(q sat.Query) (sat.Result, error) {
	if len(x.inv) > x.bound || x.effort() > strengthenEffort {
		return sat.Unsolved, ErrTooLarge
	}
	q.MaxConflicts = strengthenConflicts
	return x.solver.Solve(x.ctx, q)
}

// close adds clauses until no state in them is bad and no step leads out of them.
func (x *strengthening) close(bad circuit.Lit) error {
	if err := x.exclude([]circuit.Lit{bad}, nil); err != nil {
		return err
	}
	for i := 0; i < len(x.inv); i++ {
		after := make([]circuit.Lit, len(x.inv[i])) // the clause is violated
		for j, l := range x.inv[i] {
			after[j] = x.c.Latches()[x.c.LatchIndex(l.Var())].Next.NotIf(!l.IsNegated())
		}
		if err := x.exclude(after, x.why[i]); err != nil {
			return err
		}
	}
	return nil
}

// exclude adds clauses until no state meets all, and all literals, under any inputs that
// meet the constraints. From the state after it, gates differ under the inputs that
// follow, if there are any.
func (x *strengthening) exclude(literals []circuit.Lit, follow [][]uint64) error {
	var near []bool
	for {
		result, err := x.solve(sat.Query{
			Assumptions: append([]circuit.Lit{x.frames[0].allowed}, literals...),
			Roots:       x.roots,
		})
		switch {
		case err != nil:
			return err
		case result == sat.Unsat:
			return nil
		case result == sat.Unsolved:
			return ErrTooLarge
		}
		if near == nil {
			near = x.cone(literals)
		}
		clause, why, err := x.reason(near, follow)
		if err != nil {
			return err
		}
		x.add(clause, why)
	}
}

// cone returns what literals depend on, where a merged variable depends on its
// representative, too.
func (x *strengthening) cone(literals []circuit.Lit) []bool {
	in := make([]bool, x.c.NumVars())
	for _, l := range literals {
		in[l.Var()] = true
	}
	for i := x.c.NumVars() - 1; i > 0; i-- {
		v := circuit.Var(i)
		if !in[v] {
			continue
		}
		in[x.classes.rep[v]] = true
		if left, right, isGate := x.c.Operands(v); isGate {
			in[left.Var()], in[right.Var()] = true, true
		}
	}
	return in
}

// reason returns a clause that excludes the state of the model, and that the facts
// imply, with the inputs for which that is so: those of the model and some of those that
// follow.
func (x *strengthening) reason(near []bool, follow [][]uint64) (clause []circuit.Lit, why [][]uint64, err error) {
	word := func(l circuit.Lit) uint64 {
		if x.solver.Value(l) == circuit.One {
			return 1
		}
		return 0
	}
	inputs := make([]uint64, len(x.c.Inputs()))
	for i, in := range x.frames[0].inputs {
		inputs[i] = word(in)
	}
	latches := make([]circuit.Lit, len(x.c.Latches()))
	for i, l := range x.c.Latches() {
		w := word(l.Lit)
		x.sim.SetLatch(i, w)
		latches[i] = l.Lit.NotIf(w == 0)
	}
	violated := circuit.Var(0)
	var given []circuit.Lit
	for step, f := range x.frames {
		if step > 0 {
			if step > len(follow) {
				break
			}
			x.sim.Advance()
			inputs, near = follow[step-1], nil
		}
		x.sim.Eval(inputs)
		why = append(why, inputs)
		for i, in := range f.inputs {
			given = append(given, in.NotIf(inputs[i] == 0))
		}
		if violated = x.violated(near); violated != 0 {
			break
		}
	}
	if violated == 0 {
		return nil, nil, fmt.Errorf("a state violates an invariant and no fact about %s", cert.Count(len(x.classes.members), "signal", "signals"))
	}
	differ := x.frames[len(why)-1].differ[violated]
	switch latches, err = x.needed(differ, given, latches); {
	case err != nil:
		return nil, nil, err
	case latches == nil:
		return nil, nil, ErrTooLarge
	}
	for i := len(latches) - 1; i >= 0; i-- {
		without := append(append([]circuit.Lit(nil), latches[:i]...), latches[i+1:]...)
		fewer, err := x.needed(differ, given, without)
		if err != nil {
			return nil, nil, err
		}
		if fewer != nil {
			latches = fewer
			i = min(i, len(latches))
		}
	}
	for i, l := range latches {
		latches[i] = l.Not()
	}
	return latches, why, nil
}

// violated returns a merged variable that differs from its representative in the
// simulated step, if possible one that is near, or 0.
func (x *strengthening) violated(near []bool) circuit.Var {
	first := circuit.Var(0)
	for _, v := range x.classes.members {
		if (x.sim.Value(v.Lit())^x.sim.Value(x.classes.literal(v)))&1 == 0 {
			continue
		}
		if near == nil || near[v] {
			return v
		}
		if first == 0 {
			first = v
		}
	}
	return first
}

// needed returns those of the values of latches that let a literal be true under given
// inputs, or nil when they do not, or that is hard to see.
func (x *strengthening) needed(differ circuit.Lit, given, latches []circuit.Lit) ([]circuit.Lit, error) {
	assumptions := append(append([]circuit.Lit{differ.Not()}, given...), latches...)
	result, err := x.solve(sat.Query{Assumptions: assumptions})
	if err != nil || result != sat.Unsat {
		return nil, err
	}
	core := []circuit.Lit{}
	for _, l := range latches {
		if x.solver.InCore(l) {
			core = append(core, l)
		}
	}
	return core, nil
}
