package proof

import (
	"context"
	"errors"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Core is what an invariant needs of a circuit to prove a property.
type Core struct {
	Gates       map[circuit.Var]bool // the gates
	Next, Reset []bool               // by latch: its next state, its initial value
	Constraints []bool               // by position
	// Bounded says that the effort ended the search: a smaller core may be found with more.
	Bounded bool
	Effort  int64 // about as many as propagations
	Queries int64
}

// CoreEffort is that of a search for which the user waits: about two seconds.
const CoreEffort = 20_000_000

// ErrNoProof is returned for an invariant that does not prove the property, as far as the effort
// allows to say.
var ErrNoProof = errors.New("the invariant does not prove the property within the effort")

// FindCore returns what of a circuit a proof rests on: the inductive validity core of Ghassabani,
// Gacek and Whalen, "Efficient Generation of Inductive Validity Cores for Safety Properties" (FSE
// 2016), for one invariant that is given. Whatever is outside of it may become anything, all of it
// at once, and the invariant still proves the property.
//
// The obligations of package cert become one formula, in which each gate, next state, reset and
// constraint counts only under a literal of its own. That it has no model under all of these is
// the proof; those that a refutation uses are a core, and what the formula does without is left
// out of it one group after another. A core can be checked by package cert on a circuit in which
// the rest is free (Freed).
//
// It returns what inv needs to prove that the bad literal is never 1, within about the effort
// given. inv is over latches of the circuit; with reset functions it holds from step 1 on, as
// cert.Invariant says. Errors are ErrNoProof and that of ctx.
func FindCore(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv cert.Invariant, effort int64) (*Core, error) {
	f := formulaOf(c, bad, inv)
	s := &coreSearch{ctx: ctx, solver: sat.NewCore(encode.Gates(f.circuit)), violated: f.violated, effort: effort}
	core := &Core{
		Gates: map[circuit.Var]bool{}, Next: make([]bool, len(c.Latches())), Reset: make([]bool, len(c.Latches())),
		Constraints: make([]bool, len(c.Constraints())),
	}
	needed, err := s.smallest(f.selectors)
	if err != nil {
		return nil, err
	}
	for _, l := range needed {
		f.parts[l](core)
	}
	core.Bounded, core.Effort, core.Queries = s.spent >= effort, s.spent, s.queries
	return core, nil
}

// CheckedCore is FindCore, with the core checked by package cert: the invariant proves the property with
// the rest of the circuit free. The error may also be that of the check. It looks at what the
// obligations refer to alone: of many properties of a large circuit each costs what its own part
// does.
func CheckedCore(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv cert.Invariant, effort int64) (*Core, error) {
	x := extract(c, bad, inv)
	there := x.invariant(inv)
	found, err := FindCore(ctx, x.circuit, x.lit(bad), there, effort)
	if err != nil {
		return nil, err
	}
	freed, lit := found.Freed(x.circuit, x.lit(bad))
	for i, clause := range there {
		for j, l := range clause {
			there[i][j] = lit(l)
		}
	}
	_, err = cert.Check(ctx, freed, circuit.Property{Kind: circuit.PropertyBad}, cert.Verdict{Outcome: cert.Proved, Invariant: there})
	return x.core(found, c), err
}

// coreFormula says that an invariant does not prove a property.
type coreFormula struct {
	circuit   *circuit.Circuit            // combinational
	violated  circuit.Lit                 // 1 where an obligation fails
	selectors []circuit.Lit               // inputs: with 1 a part of the circuit is as it is, with 0 anything
	parts     map[circuit.Lit]func(*Core) // by selector: notes in a core what it stands for
}

// formulaOf states the obligations of cert.Check.
func formulaOf(c *circuit.Circuit, bad circuit.Lit, inv cert.Invariant) *coreFormula {
	b := circuit.NewBuilder(4 * c.NumVars())
	f := &coreFormula{parts: map[circuit.Lit]func(*Core){}}
	selector := func(note func(*Core)) circuit.Lit {
		l := b.Input(0)
		f.selectors = append(f.selectors, l)
		f.parts[l] = note
		return l
	}
	inCone := coneOf(c, bad, inv)
	now := make([]circuit.Lit, c.NumVars())
	now[0] = circuit.False
	lit := func(l circuit.Lit) circuit.Lit { return now[l.Var()].NotIf(l.IsNegated()) }
	for v := range circuit.Var(c.NumVars()) {
		left, right, isGate := c.Operands(v)
		switch {
		case v == 0 || !inCone.At(v):
		case isGate:
			now[v] = b.Mux(selector(func(k *Core) { k.Gates[v] = true }), b.And(lit(left), lit(right)), b.Input(0))
		default:
			now[v] = b.Input(0)
		}
	}
	start, next := circuit.True, map[circuit.Var]circuit.Lit{}
	inInvariant := map[circuit.Var]bool{}
	for _, clause := range inv {
		for _, l := range clause {
			inInvariant[l.Var()] = true
		}
	}
	for i, l := range c.Latches() {
		v := l.Lit.Var()
		if inInvariant[v] {
			next[v] = b.Mux(selector(func(k *Core) { k.Next[i] = true }), lit(l.Next), b.Input(0))
		}
		if inCone.At(v) && !l.IsFree() {
			isReset := b.Xor(now[v], lit(l.Reset)).Not()
			start = b.And(start, b.Or(selector(func(k *Core) { k.Reset[i] = true }).Not(), isReset))
		}
	}
	allowed := circuit.True
	for i, s := range c.Constraints() {
		allowed = b.And(allowed, b.Or(selector(func(k *Core) { k.Constraints[i] = true }).Not(), lit(s.Lit)))
	}
	within := b.Clauses(inv, lit)
	after := b.Clauses(inv, func(l circuit.Lit) circuit.Lit { return next[l.Var()].NotIf(l.IsNegated()) })
	leaves := b.Or(after.Not(), lit(bad))
	starts := within.Not()
	if c.HasResetFunctions() {
		starts = leaves
	}
	f.violated = b.And(allowed, b.Or(b.And(start, starts), b.And(within, leaves)))
	f.circuit = b.Build()
	return f
}

// coneOf returns what the obligations refer to, by variable: the step that they are about,
// without what its next states lead to.
func coneOf(c *circuit.Circuit, bad circuit.Lit, inv cert.Invariant) *circuit.Table[bool] {
	in, _ := reach(c, obligations(c, bad, inv))
	return in
}

// obligations returns the literals that they refer to.
func obligations(c *circuit.Circuit, bad circuit.Lit, inv cert.Invariant) []circuit.Lit {
	all := []circuit.Lit{bad}
	for _, s := range c.Constraints() {
		all = append(all, s.Lit)
	}
	for _, clause := range inv {
		all = append(all, clause...)
		for _, l := range clause {
			all = append(all, c.Latches()[c.LatchIndex(l.Var())].Next)
		}
	}
	return all
}

// reach returns what some literals depend on in one step, and in the first one: by variable, and
// as a list.
func reach(c *circuit.Circuit, todo []circuit.Lit) (in *circuit.Table[bool], vars []circuit.Var) {
	in = circuit.NewTable[bool](c)
	for len(todo) > 0 {
		v := todo[len(todo)-1].Var()
		todo = todo[:len(todo)-1]
		if in.At(v) {
			continue
		}
		in.Set(v, true)
		vars = append(vars, v)
		if left, right, isGate := c.Operands(v); isGate {
			todo = append(todo, left, right)
		}
		if i := c.LatchIndex(v); i >= 0 && c.Latches()[i].HasFunction() {
			todo = append(todo, c.Latches()[i].Reset)
		}
	}
	return in, vars
}

// Freed returns the circuit with nothing but the core as it is: every other gate and next state
// is an input, other resets are free, other constraints are gone. Inputs and latches of the
// circuit keep their positions, further inputs come after them; lit says where literals went. The
// invariant proves the property there, which package cert can test.
func (k *Core) Freed(c *circuit.Circuit, bad circuit.Lit) (freed *circuit.Circuit, lit func(circuit.Lit) circuit.Lit) {
	b := circuit.NewBuilder(2 * c.NumVars())
	to := make([]circuit.Lit, c.NumVars())
	lit = func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for _, in := range c.Inputs() {
		to[in.Lit.Var()] = b.Input(in.Origin)
	}
	for _, l := range c.Latches() {
		to[l.Lit.Var()] = b.Latch(l.Origin)
	}
	for v := range circuit.Var(c.NumVars()) {
		left, right, isGate := c.Operands(v)
		switch {
		case isGate && k.Gates[v]:
			to[v] = b.And(lit(left), lit(right))
		case isGate:
			to[v] = b.Input(0)
		}
	}
	for i, l := range c.Latches() {
		at := lit(l.Lit)
		switch {
		case k.Reset[i]:
			b.SetReset(at, lit(l.Reset))
		case l.HasFunction(): // a circuit with reset functions has other obligations
			b.SetReset(at, b.Input(0))
		default:
			b.SetReset(at, at)
		}
		if k.Next[i] {
			b.SetNext(at, lit(l.Next))
		} else {
			b.SetNext(at, b.Input(0))
		}
	}
	for i, s := range c.Constraints() {
		if k.Constraints[i] {
			b.Constraint(lit(s.Lit), s.Origin)
		}
	}
	b.Bad(lit(bad), 0)
	return b.Build(), lit
}
