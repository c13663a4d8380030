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
// clauses over latches.
var ErrTooLarge = errors.New("an invariant needs too many clauses about gates")

// Bounds of the search for clauses.
const (
	strengthenClauses = 20_000
	strengthenEffort  = 50_000_000
)

// facts are those about gates that hold in all reachable states of a circuit,
// whatever its inputs.
type facts struct {
	before  *Reduced
	classes *partition // over the variables of before.Circuit
	bound   int        // on the clauses of an invariant
}

// strengthening is the search for clauses over latches that make an invariant of the
// circuit with gates merged one of the circuit before.
//
// Whenever a step leads out of the clauses, or a state in them is bad, some gates that
// are merged differ: that is what the two circuits differ in. The state cannot be
// reached then, nor can any other in which the gates differ under the same inputs for
// the same reason. That is a clause more, and so on. It ends, for the facts together
// are inductive and imply each such clause.
type strengthening struct {
	ctx     context.Context
	c       *circuit.Circuit // before
	classes *partition
	solver  sat.Solver
	differ  map[circuit.Var]circuit.Lit // by merged variable: it differs from its representative
	sim     *circuit.Parallel
	inv     cert.Invariant // over latches of c
	used    []bool         // by variable: a latch in a clause
	roots   []circuit.Lit  // those latches
	bound   int            // on the clauses
}

// strengthen returns an invariant of the circuit before.
func (r *Reduced) strengthen(ctx context.Context, inv cert.Invariant) (cert.Invariant, error) {
	before := r.facts.before
	c := before.Circuit
	b := circuit.NewBuilder(c.NumVars())
	to := c.CopyTo(b)
	x := &strengthening{
		ctx:     ctx,
		c:       c,
		classes: r.facts.classes,
		differ:  map[circuit.Var]circuit.Lit{},
		sim:     circuit.NewParallel(c),
		used:    make([]bool, c.NumVars()),
		bound:   r.facts.bound,
	}
	for _, v := range x.classes.members {
		x.differ[v] = b.Xor(to(v.Lit()), to(x.classes.literal(v)))
	}
	x.solver = sat.NewCore(encode.Gates(b.Build()))
	at := map[int]circuit.Lit{} // by position in the cone: the latch
	for i, l := range c.Latches() {
		at[before.latchesOf[i]] = l.Lit
	}
	for _, clause := range inv {
		var own []circuit.Lit
		for _, l := range clause {
			position, err := r.latchOf(l)
			if err != nil {
				return nil, err
			}
			own = append(own, at[position].NotIf(l.IsNegated()))
		}
		x.add(own)
	}
	if err := x.close(c.Bads()[0].Lit); err != nil {
		return nil, err
	}
	return x.inv, nil
}

// add adds a clause.
func (x *strengthening) add(clause []circuit.Lit) {
	x.inv = append(x.inv, clause)
	x.solver.AddClause(clause)
	for _, l := range clause {
		if v := l.Var(); !x.used[v] {
			x.used[v] = true
			x.roots = append(x.roots, v.Lit())
		}
	}
}

// close adds clauses until no state in them is bad and no step leads out of them.
func (x *strengthening) close(bad circuit.Lit) error {
	if err := x.exclude([]circuit.Lit{bad}); err != nil {
		return err
	}
	for i := 0; i < len(x.inv); i++ {
		after := make([]circuit.Lit, len(x.inv[i])) // the clause is violated
		for j, l := range x.inv[i] {
			after[j] = x.c.Latches()[x.c.LatchIndex(l.Var())].Next.NotIf(!l.IsNegated())
		}
		if err := x.exclude(after); err != nil {
			return err
		}
	}
	return nil
}

// exclude adds clauses until no state meets all, and all literals, under any inputs.
func (x *strengthening) exclude(literals []circuit.Lit) error {
	var near []bool
	for {
		if len(x.inv) > x.bound || work(x.solver.Stats()) > strengthenEffort {
			return ErrTooLarge
		}
		result, err := x.solver.Solve(x.ctx, sat.Query{Assumptions: literals, Roots: x.roots})
		if err != nil || result == sat.Unsat {
			return err
		}
		if near == nil {
			near = x.cone(literals)
		}
		clause, err := x.reason(near)
		if err != nil {
			return err
		}
		x.add(clause)
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
// imply.
func (x *strengthening) reason(near []bool) ([]circuit.Lit, error) {
	inputs := make([]uint64, len(x.c.Inputs()))
	word := func(l circuit.Lit) uint64 {
		if x.solver.Value(l) == circuit.One {
			return 1
		}
		return 0
	}
	for i, in := range x.c.Inputs() {
		inputs[i] = word(in.Lit)
	}
	for i, l := range x.c.Latches() {
		x.sim.SetLatch(i, word(l.Lit))
	}
	x.sim.Eval(inputs)
	violated := circuit.Var(0)
	for _, v := range x.classes.members {
		if (x.sim.Value(v.Lit())^x.sim.Value(x.classes.literal(v)))&1 == 0 {
			continue
		}
		if near[v] {
			violated = v
			break
		}
		if violated == 0 {
			violated = v
		}
	}
	if violated == 0 {
		return nil, fmt.Errorf("a state violates an invariant and no fact about %d signals", len(x.classes.members))
	}
	value := func(l circuit.Lit) circuit.Lit { return l.NotIf(x.sim.Value(l)&1 == 0) }
	var given, latches []circuit.Lit
	for _, in := range x.c.Inputs() {
		given = append(given, value(in.Lit))
	}
	for _, l := range x.c.Latches() {
		latches = append(latches, value(l.Lit))
	}
	latches, err := x.needed(violated, given, latches)
	if err != nil {
		return nil, err
	}
	for i := len(latches) - 1; i >= 0; i-- {
		without := append(append([]circuit.Lit(nil), latches[:i]...), latches[i+1:]...)
		fewer, err := x.needed(violated, given, without)
		if err != nil {
			return nil, err
		}
		if fewer != nil {
			latches = fewer
			i = min(i, len(latches))
		}
	}
	for i, l := range latches {
		latches[i] = l.Not()
	}
	return latches, nil
}

// needed returns those of the values of latches that let v differ from its
// representative under given inputs, or nil when they do not.
func (x *strengthening) needed(v circuit.Var, given, latches []circuit.Lit) ([]circuit.Lit, error) {
	assumptions := append(append([]circuit.Lit{x.differ[v].Not()}, given...), latches...)
	result, err := x.solver.Solve(x.ctx, sat.Query{Assumptions: assumptions})
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
