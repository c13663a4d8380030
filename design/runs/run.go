// Package runs holds runs of a design: counterexamples of its properties, and runs of no
// property. It replays them, lists their signals with the values of all steps, explains values,
// and says steps and values in the words of the text. It writes and reads AIGER witnesses.
//
// The package knows no verdict beyond the checked one it is given, and no protocol.
package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/internal/lazy"
)

// Run is a run of the circuit of a text, or of a part of it, with its values at all steps.
// A Counterexample is one that a property has; a run of no property is one that was played,
// and stands for nothing but itself: see NewRun.
type Run struct {
	cone    *circuit.Cone
	trace   cert.Trace // of the cone
	values  values
	reasons func(context.Context) (*trace.Replay, error) // of the values; the error is that of ctx
	lits    map[circuit.Var]circuit.Lit                  // of the circuit → of the cone; nil for the whole circuit
	// instance is the one in which signals of a model with several are meant; "" for the top.
	instance string
}

// values are what a trace.Simulation or trace.Replay says of literals of the cone.
type values interface {
	Value(l circuit.Lit, step int) circuit.Value
	Values(ctx context.Context, steps int, lits ...circuit.Lit) ([][]circuit.Value, error)
	State(step int) []circuit.Value
	Loop() (first int, ok bool)
	Recorded(step int) int
	Period() (first, end int)
}

// NewRun simulates a run of no property, over the latches and inputs of a circuit. before is
// another run of the circuit, nil for none: what both have in common is not computed again. The
// error is trace.ErrForm, or that of ctx.
func NewRun(ctx context.Context, c *circuit.Circuit, t cert.Trace, before *Run) (*Run, error) {
	x := &Run{trace: t}
	var err error
	var s *trace.Simulation
	if before == nil {
		x.cone = c.Whole()
		s, err = trace.Simulate(ctx, c, t)
	} else {
		x.cone = before.cone
		s, err = before.values.(*trace.Simulation).Changed(ctx, t)
	}
	x.values = s
	x.reasons = lazy.New(func(ctx context.Context) (*trace.Replay, error) { return trace.New(ctx, c, t) }).Get
	return x, err
}

// newRunOfCone returns a run of a part of a circuit, once it is replayed.
func newRunOfCone(cone *circuit.Cone, t cert.Trace, r *trace.Replay) Run {
	x := Run{cone: cone, trace: t, values: r}
	x.reasons = func(context.Context) (*trace.Replay, error) { return r, nil }
	c := x.cone.Circuit
	x.lits = make(map[circuit.Var]circuit.Lit, c.NumVars())
	for v := range circuit.Var(c.NumVars()) {
		from := x.cone.LitFrom(v.Lit())
		x.lits[from.Var()] = v.Lit().NotIf(from.IsNegated())
	}
	return x
}

// InInstance returns the run with another instance in which signals of a model with several are meant.
func (x *Run) InInstance(path string) *Run {
	own := *x
	own.instance = path
	return &own
}

// Steps returns the number of steps. The violation of a counterexample is in the last one; of
// a lasso they go up to the end of the first round of its loop.
func (x *Run) Steps() int { return x.trace.Steps() }

// Value returns the value of a literal of the circuit at a step; ok is false when it
// lies outside the cone.
func (x *Run) Value(l circuit.Lit, step int) (v circuit.Value, ok bool) {
	lit, ok := x.litOf(l)
	if !ok {
		return circuit.X, false
	}
	return x.values.Value(lit, step), true
}

// Values returns the value of a literal of the circuit at each of the first so many steps.
// Of a step it computes what the literal depends on. Errors are ErrOutside and that of ctx.
func (x *Run) Values(ctx context.Context, l circuit.Lit, steps int) ([]circuit.Value, error) {
	lit, ok := x.litOf(l)
	if !ok {
		return nil, ErrOutside
	}
	values := make([]circuit.Value, steps)
	err := x.each(ctx, steps, []circuit.Lit{lit}, func(step int, now []circuit.Value) { values[step] = now[0] })
	for step := min(steps, x.Recorded()); step < steps; step++ {
		values[step] = values[x.values.Recorded(step)]
	}
	return values, err
}

// each calls visit for those of the first so many steps that are recorded, with the values of
// literals of the cone, which visit may not keep. Of a step it computes what these depend on. The
// error is that of ctx.
func (x *Run) each(ctx context.Context, steps int, lits []circuit.Lit, visit func(step int, values []circuit.Value)) error {
	c := x.cone.Circuit
	gates, leaves := c.Logic(lits...)
	sim := circuit.NewTernary(c)
	values := make([]circuit.Value, len(lits))
	for step := range min(steps, x.Recorded()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		given, _ := x.place(step)
		inputs := x.trace.Inputs[given]
		for _, v := range leaves {
			if i := c.InputIndex(v); i >= 0 {
				sim.SetInput(i, inputs[i])
			} else if i := c.LatchIndex(v); i >= 0 {
				sim.SetLatch(i, x.values.State(step)[i])
			}
		}
		sim.EvalGates(gates)
		for i, l := range lits {
			values[i] = sim.Value(l)
		}
		visit(step, values)
	}
	return nil
}

// Rows returns the values of literals of the circuit at all steps of a run: by literal, then by
// step. What lies outside the cone is x. The error is that of ctx.
func (x *Run) Rows(ctx context.Context, lits []circuit.Lit) ([][]circuit.Value, error) {
	inside := make([]circuit.Lit, len(lits))
	for i, l := range lits {
		inside[i], _ = x.litOf(l) // a constant is 0 in both
	}
	rows, err := x.values.Values(ctx, x.Steps(), inside...)
	for i, l := range lits {
		if _, ok := x.litOf(l); !ok && err == nil {
			for step := range rows[i] {
				rows[i][step] = circuit.X
			}
		}
	}
	return rows, err
}

// MaxSought bounds the instances in which a signal is looked for.
const MaxSought = 100

// Copy returns a signal of the text in an instance of its model that takes part in the
// counterexample: the one that is nearest to the instance that is meant, else the first; only
// says that the model has no other instance.
func (x *Run) Copy(d *design.Design, l design.Lit) (best design.Copy, only, ok bool) {
	copies := d.Copies(l, MaxSought)
	common := -1
	for _, c := range copies {
		if _, inside := x.litOf(c.Lit); !inside {
			continue
		}
		if n := commonScopes(c.Path, x.instance); n > common {
			best, common = c, n
		}
	}
	return best, len(copies) == 1, common >= 0
}

// Copies returns the instances in which a signal of the text takes part in the counterexample.
func (x *Run) Copies(d *design.Design, l design.Lit) []design.Copy {
	return slices.DeleteFunc(d.Copies(l, MaxSought), func(c design.Copy) bool {
		_, inside := x.litOf(c.Lit)
		return !inside
	})
}

// commonScopes counts the scopes that the paths of two instances begin with.
func commonScopes(a, b string) int {
	if a == b {
		return len(a) + 1 // more than any other path has in common with it
	}
	n := 0
	for inA, inB := strings.Split(a, "/"), strings.Split(b, "/"); n < len(inA) && n < len(inB) && inA[n] == inB[n]; n++ {
	}
	return n
}

// litOf returns the literal of the cone for one of the circuit.
func (x *Run) litOf(l circuit.Lit) (circuit.Lit, bool) {
	if x.lits == nil {
		return l, int(l.Var()) < x.cone.Circuit.NumVars()
	}
	lit, ok := x.lits[l.Var()]
	return lit.NotIf(l.IsNegated()), ok
}

// maxShown bounds the steps of a lasso that can be shown: it has no last one.
const maxShown = 1_000_000

// Loop returns the first step of the loop of a counterexample of a justice property: the
// steps from there on, up to the last one, repeat for ever. ok is false for a run that ends.
func (x *Run) Loop() (first int, ok bool) { return x.values.Loop() }

// LoopSteps returns how many of the steps, the last ones, repeat for ever; 0 for a run that
// ends.
func (x *Run) LoopSteps() int {
	if first, ok := x.Loop(); ok {
		return x.Steps() - first
	}
	return 0
}

// Limit returns the number of steps that can be shown: those of a run that ends, those of
// many rounds of a lasso.
func (x *Run) Limit() int {
	if x.LoopSteps() > 0 {
		return max(maxShown, x.Steps())
	}
	return x.Steps()
}

// Within returns the step nearest to one that can be shown.
func (x *Run) Within(step int) int { return min(max(step, 0), x.Limit()-1) }

// StepsOf returns the number of steps up to the end of a round of the loop, but at least
// one round and no more than can be shown; of a run that ends, that of all.
func (x *Run) StepsOf(rounds int) int {
	length := x.LoopSteps()
	if length == 0 || rounds <= 1 {
		return x.Steps()
	}
	return x.Steps() + min(rounds-1, (x.Limit()-x.Steps())/length)*length
}

// place returns the step of the counterexample that a step stands for, and in which round
// of the loop it is: from 1; 0 for one that is in none.
func (x *Run) place(step int) (given, round int) {
	first, isLasso := x.Loop()
	if !isLasso || step < first {
		return step, 0
	}
	length := x.LoopSteps()
	return first + (step-first)%length, 1 + (step-first)/length
}

// StepName says a step in words: "step 3", beyond the first round of a loop "step 3 of
// round 2".
func (x *Run) StepName(step int) string {
	given, round := x.place(step)
	if round > 1 {
		return fmt.Sprintf("step %d of round %d", given, round)
	}
	return fmt.Sprintf("step %d", given)
}

// Recorded returns the number of steps by whose values those of all later ones are known.
func (x *Run) Recorded() int {
	_, end := x.values.Period()
	return end
}
