package play

import (
	"context"
	"fmt"
	"math"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/expression"
	"aiglens/design/runs"
	"aiglens/ic3/inquiry"
	"aiglens/internal/findings"
)

// Goal is what a run is looked for: a signal with a value, or an expression that holds.
type Goal struct {
	Name  string
	Value int // of the signal; 1 for an expression
	// Lit is 1 where the goal is reached. That of an expression is one of Circuit, which is the
	// circuit of the text with gates for it.
	Lit     circuit.Lit
	Circuit *circuit.Circuit
	expr    *expression.Expr // nil for a signal
	isZero  bool             // the expression is not to hold
}

func (g *Goal) String() string {
	if g.expr != nil {
		return g.Name
	}
	return fmt.Sprintf("%s = %d", g.Name, g.Value)
}

// SignalGoal returns the goal that a literal of the circuit of a text, which has a name, has a
// value.
func SignalGoal(d *design.Design, l circuit.Lit, name string, value int) Goal {
	return Goal{Name: name, Value: value, Lit: l.NotIf(value == 0), Circuit: d.Circuit()}
}

// GoalFrom reads what the user wants to be 1, or 0: the name of a signal, or an expression over
// one step. Of an expression the literal is one of c with more gates, c being the circuit of the
// text or that of another goal. The error is a sentence for the user.
func GoalFrom(d *design.Design, c *circuit.Circuit, text string, value int) (g Goal, err error) {
	l, name, none := LitNamed(d, text)
	if none == nil {
		g = SignalGoal(d, l, name, value)
		g.Circuit = c
		return g, nil
	}
	names := expression.NewDictionary(d).Names(math.MaxInt32)
	isName := expression.NameLength(text) == len(text)
	g.expr, err = names.OneStep(text)
	switch {
	case isName && (err != nil || len(g.Signals()) == 0) && len(names.Words(text)) == 0:
		return Goal{}, none
	case err != nil:
		return Goal{}, fmt.Errorf("%s, %w", text, err)
	}
	g.Name, g.Value = text, 1
	if g.isZero = value == 0; g.isZero {
		g.Name = "!(" + text + ")"
	}
	g.Circuit, g.Lit = circuit.WithGates(c, g.expr.Gates)
	g.Lit = g.Lit.NotIf(value == 0)
	return g, nil
}

// Signals returns the signals of the circuit of the text that the goal is about.
func (g *Goal) Signals() (all []circuit.Lit) {
	if g.expr == nil {
		return []circuit.Lit{g.Lit}
	}
	for l := range g.expr.Names() {
		all = append(all, l)
	}
	return all
}

// keptGoal returns the goal of a run that a client has kept, or nil. An expression is left out
// where names of the text have changed and it is none any more.
func keptGoal(d *design.Design, r *Kept) *Goal {
	switch {
	case r.Expression != "":
		if g, err := GoalFrom(d, d.Circuit(), r.Expression, 1); err == nil && g.expr != nil {
			return &g
		}
	case r.Goal != nil && *r.Goal != circuit.False:
		g := SignalGoal(d, *r.Goal, nameOf(d, *r.Goal), 1)
		return &g
	}
	return nil
}

// keep writes a goal, which may be nil, to what a client keeps.
func (g *Goal) keep(r *Kept) {
	switch {
	case g == nil:
	case g.expr != nil:
		r.Expression = g.Name
	default:
		l := g.Lit
		r.Goal = &l
	}
}

// valuesIn returns whether a goal, which may be nil, is reached in each step of a run. The error is
// that of ctx.
func (g *Goal) valuesIn(ctx context.Context, run *runs.Run) (values []circuit.Value, err error) {
	switch {
	case g == nil:
		return make([]circuit.Value, run.Steps()), nil
	case g.expr == nil:
		rows, err := run.Rows(ctx, []circuit.Lit{g.Lit})
		if err != nil {
			return nil, err
		}
		return rows[0], nil
	}
	signals := g.Signals()
	rows, err := run.Rows(ctx, signals)
	if err != nil {
		return nil, err
	}
	t := table{}
	for i, l := range signals {
		t[l] = rows[i]
	}
	for step := range run.Steps() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values = append(values, g.expr.Eval(t, step))
	}
	return values, nil
}

// table is the values of literals by step.
type table map[circuit.Lit][]circuit.Value

// Value implements expression.Run.
func (t table) Value(l circuit.Lit, step int) circuit.Value {
	if values := t[l]; step >= 0 && step < len(values) {
		return values[step]
	}
	return circuit.X
}

// does, did and so say of the goal that it is reached, without a step, that it was, and what it
// may become.
func (g *Goal) does() string {
	if g.expr != nil {
		return g.Name + " holds"
	}
	return fmt.Sprintf("%s is %d", g.Name, g.Value)
}

func (g *Goal) did() string {
	if g.expr != nil {
		return g.Name + " held"
	}
	return fmt.Sprintf("%s was %d", g.Name, g.Value)
}

func (g *Goal) so() string {
	if g.expr != nil {
		return "hold"
	}
	return fmt.Sprint(g.Value)
}

// Words say what was found of the goal, without the period, and to what the text leaves open a run
// may be due.
func (g *Goal) Words(found inquiry.LiteralReach, open design.LeftOpen) string {
	is := func(format, holds string) string {
		if g.expr != nil {
			return g.Name + " " + holds
		}
		return fmt.Sprintf(format, g.Name, g.Value)
	}
	switch {
	case found.Verdict == inquiry.Never && found.HasNoRun:
		return is("%s is never %d", "never holds") + ", because no run meets the constraints, not even in its first step"
	case found.Verdict == inquiry.Never:
		return fmt.Sprintf("%s: proved, at depth %d with %s", is("%s is never %d", "never holds"), found.Depth, findings.Count(found.Clauses, "clause", "clauses"))
	case found.Verdict == inquiry.Reached:
		return fmt.Sprintf("%s in step %d%s", g.does(), found.Trace.Steps()-1, open.Words())
	}
	return fmt.Sprintf("It is not known whether %s: %s, at depth %d", is("%s is ever %d", "ever holds"), found.Reason, found.Depth)
}

// Confirm reports where a run that is said to reach an expression does not: that is a fault of
// this program. The gates for the expression are not asked.
func (g *Goal) Confirm(ctx context.Context, d *design.Design, found inquiry.LiteralReach) error {
	if g.expr == nil || found.Verdict != inquiry.Reached {
		return nil
	}
	t := trace.Concrete(d.Circuit(), found.Trace)
	replay, err := trace.New(ctx, d.Circuit(), t)
	if err != nil {
		return err
	}
	if got := g.expr.Eval(replay, t.Steps()-1); got != circuit.ValueOf(!g.isZero) {
		return fmt.Errorf("internal error, please report it: %s is %s in step %d of the run that was found", g.Name, got, t.Steps()-1)
	}
	return nil
}
