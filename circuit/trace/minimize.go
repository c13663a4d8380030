package trace

import (
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/graph"
)

// Count is a number of values, and of those among them that are 0 or 1.
type Count struct{ All, Before, Justified, After int }

// Stats says what Minimize did.
type Stats struct {
	StepsBefore, Steps int
	// Inputs counts the values of all inputs in all steps that are left, Latches the
	// initial values of free latches. Before refers to the trace as given, with all its
	// steps, Justified of what the last round took for one justification.
	Inputs, Latches Count
	Work            int64 // values that changed and gates that were looked at for that
	// Bounded says that a bound was met: the trace is one, but was not shown to be
	// minimal.
	Bounded bool
}

// ErrNoViolation is returned for a trace that does not end in a violation under
// three-valued simulation.
var ErrNoViolation = errors.New("the trace violates nothing")

// valuesBytes bounds the values of all steps together, one byte each.
const valuesBytes = 64 << 20

// Minimize sets values of a counterexample to x, inputs and initial values of free
// latches, as long as three-valued simulation still shows bad at 1 in the last step
// and the constraints at 1 in every step. The result is minimal: setting any one
// more value to x loses that. What a latch with a fixed reset has stays; one with a
// reset function gets x, which stands for what that gives.
//
// First steps are left out, where bad is 1 earlier, and between two equal states.
// Then one justification of the violation is followed from the last step back, and
// what it does not need becomes x at once. The rest is tried one value at a time,
// from the last step back. As values only ever change to x, trying each once is
// enough, and a trial needs to look only at what its x reaches. States with more x
// may be equal: all of this is repeated until no step is left out.
//
// work bounds the trials, in changes and gates looked at; 0 is no bound. The error
// is ErrForm, ErrNoViolation or that of ctx, with the trace as it was given.
func Minimize(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, t cert.Trace, work int64) (cert.Trace, Stats, error) {
	s := Stats{StepsBefore: t.Steps()}
	kept := t
	for first := true; ; first = false {
		r, err := New(ctx, c, kept)
		if err != nil {
			return t, s, err
		}
		short, err := r.shorten(ctx, bad, kept)
		if err != nil {
			return t, s, err
		}
		if !first && short.Steps() == kept.Steps() {
			return kept, s, nil
		}
		if short.Steps() < kept.Steps() {
			if r, err = New(ctx, c, short); err != nil {
				return t, s, err
			}
		}
		if first {
			count(c, t, &s, func(n *Count) *int { return &n.Before })
		}
		if kept, err = r.reduce(ctx, bad, short, work, &s); err != nil {
			return t, s, err
		}
	}
}

// reduce sets values of t to x and says in s what became of them.
func (r *Replay) reduce(ctx context.Context, bad circuit.Lit, t cert.Trace, work int64, s *Stats) (cert.Trace, error) {
	kept, err := r.justify(ctx, bad, t)
	if err != nil {
		return t, err
	}
	s.Steps = t.Steps()
	count(r.c, kept, s, func(n *Count) *int { return &n.Justified })
	if s.Steps > valuesBytes/r.c.NumVars() {
		s.Bounded = true
	} else {
		m := newMinimizer(r.c, kept, []*goal{{lit: bad, from: s.Steps - 1}}, work)
		m.work = s.Work
		if err := m.simulate(ctx); err != nil {
			return t, err
		}
		m.prune()
		if err := m.run(ctx); err != nil {
			return t, err
		}
		s.Work, s.Bounded = m.work, m.bounded
	}
	count(r.c, kept, s, func(n *Count) *int { return &n.After })
	return kept, nil
}

// count counts the values of t that are not x.
func count(c *circuit.Circuit, t cert.Trace, s *Stats, field func(*Count) *int) {
	*field(&s.Inputs), *field(&s.Latches) = 0, 0
	s.Latches.All, s.Inputs.All = 0, t.Steps()*len(c.Inputs())
	for i, l := range c.Latches() {
		if l.IsFree() {
			s.Latches.All++
			if t.Initial[i] != circuit.X {
				*field(&s.Latches)++
			}
		}
	}
	for _, row := range t.Inputs {
		for _, v := range row {
			if v != circuit.X {
				*field(&s.Inputs)++
			}
		}
	}
}

// shorten ends t where bad is first 1 and leaves out the steps between two equal
// states. It fails when there is no violation. The result may share rows with t.
func (r *Replay) shorten(ctx context.Context, bad circuit.Lit, t cert.Trace) (cert.Trace, error) {
	kept := cert.Trace{Initial: t.Initial}
	var states []string    // by step of kept
	at := map[string]int{} // state → step of kept
	for step := range r.steps {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		state := r.state(step)
		if step == 0 && r.c.HasResetFunctions() {
			state = "" // what else follows from its inputs than the state after them
		}
		if earlier, ok := at[state]; ok {
			for _, left := range states[earlier:] {
				delete(at, left)
			}
			states, kept.Inputs = states[:earlier], kept.Inputs[:earlier]
		}
		at[state] = len(states)
		states = append(states, state)
		kept.Inputs = append(kept.Inputs, t.Inputs[step])
		f := r.frame(step)
		for _, s := range r.c.Constraints() {
			if f.value(s.Lit) != circuit.One {
				return t, ErrNoViolation
			}
		}
		if f.value(bad) == circuit.One {
			return kept, nil
		}
	}
	return t, ErrNoViolation
}

// state returns the values of the latches at a step, one byte each.
func (r *Replay) state(step int) string {
	n := len(r.c.Latches())
	state := make([]byte, n)
	for i, v := range r.states[step*n : (step+1)*n] {
		state[i] = byte(v)
	}
	return string(state)
}

// justify returns a copy of t in which what one justification of the violation does
// not need is x.
func (r *Replay) justify(ctx context.Context, bad circuit.Lit, t cert.Trace) (cert.Trace, error) {
	var roots []Event
	for step := range r.steps {
		for _, s := range r.c.Constraints() {
			roots = append(roots, Event{Lit: s.Lit, Step: step})
		}
	}
	roots = append(roots, Event{Lit: bad, Step: r.steps - 1})
	kept := cert.Trace{Initial: append([]circuit.Value(nil), t.Initial...), Inputs: make([][]circuit.Value, r.steps)}
	for step := range kept.Inputs {
		kept.Inputs[step] = make([]circuit.Value, len(r.c.Inputs()))
		for i := range kept.Inputs[step] {
			kept.Inputs[step][i] = circuit.X
		}
	}
	for i, l := range r.c.Latches() {
		if l.IsFree() || l.HasFunction() { // x is what the function gives
			kept.Initial[i] = circuit.X
		}
	}
	err := r.mark(ctx, roots, true, 0, func(step int, needed []bool) {
		for i, in := range r.c.Inputs() {
			if needed[in.Lit.Var()] {
				kept.Inputs[step][i] = t.Inputs[step][i]
			}
		}
		if step > 0 {
			return
		}
		for i, l := range r.c.Latches() {
			if needed[l.Lit.Var()] && !l.HasFunction() {
				kept.Initial[i] = t.Initial[i]
			}
		}
	})
	return kept, err
}

// minimizer tries values of a trace one by one. It holds the values of all steps and
// changes them only to x, so the order in which a change spreads does not matter.
type minimizer struct {
	c       *circuit.Circuit
	t       cert.Trace               // changed in place
	loop    int                      // the step that follows the last one; −1: none
	goals   []*goal                  // the trace is a violation as long as each is met
	goalsOf [][]*goal                // by variable
	values  []circuit.Value          // by step·variables + variable
	gates   graph.Edges[circuit.Var] // by variable: those that it is an operand of
	latches graph.Edges[circuit.Var] // by variable: those whose next value it gives
	starts  graph.Edges[circuit.Var] // by variable: those whose reset function it gives
	// watched are the variables of the constraints.
	watched []bool
	trail   []change
	work    int64
	limit   int64
	bounded bool
}

// goal is a literal that must be 1 in a step from one on.
type goal struct {
	lit  circuit.Lit
	from int
	ones int // number of these steps in which it is 1
}

// change is a variable of a step that was set to x, and its value before.
type change struct {
	step, v int
	value   circuit.Value
}

// newMinimizer returns one that has no values yet.
func newMinimizer(c *circuit.Circuit, t cert.Trace, goals []*goal, limit int64) *minimizer {
	n := c.NumVars()
	m := &minimizer{c: c, t: t, loop: -1, goals: goals, goalsOf: make([][]*goal, n), limit: limit, watched: make([]bool, n)}
	for _, g := range goals {
		m.goalsOf[g.lit.Var()] = append(m.goalsOf[g.lit.Var()], g)
	}
	m.gates = graph.NewEdges(n, func(add func(from, to circuit.Var)) {
		for v := range circuit.Var(n) {
			if left, right, ok := c.Operands(v); ok {
				add(left.Var(), v)
				add(right.Var(), v)
			}
		}
	})
	m.latches = graph.NewEdges(n, func(add func(from, to circuit.Var)) {
		for _, l := range c.Latches() {
			add(l.Next.Var(), l.Lit.Var())
		}
	})
	m.starts = graph.NewEdges(n, func(add func(from, to circuit.Var)) {
		for _, l := range c.Latches() {
			if l.HasFunction() {
				add(l.Reset.Var(), l.Lit.Var())
			}
		}
	})
	for _, s := range c.Constraints() {
		m.watched[s.Lit.Var()] = true
	}
	return m
}

// simulate computes the values of all steps, and counts where the goals are met. The
// state at the beginning of a loop is made weaker until it stands for that after the loop,
// too. The error is that of ctx.
func (m *minimizer) simulate(ctx context.Context) error {
	n := m.c.NumVars()
	m.values = make([]circuit.Value, 0, n*m.t.Steps())
	sim := start(m.c, m.t)
	if err := m.record(ctx, sim, 0); err != nil {
		return err
	}
	if m.loop >= 0 {
		if err := m.weaken(ctx, sim); err != nil {
			return err
		}
	}
	for _, g := range m.goals {
		g.ones = 0
		for step := g.from; step < m.t.Steps(); step++ {
			if valueIn(m.values[step*n:], g.lit) == circuit.One {
				g.ones++
			}
		}
	}
	return nil
}

// record appends the values of the steps from one on, whose state sim has.
func (m *minimizer) record(ctx context.Context, sim *circuit.Ternary, from int) error {
	for step := from; step < m.t.Steps(); step++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if step > from {
			sim.Advance()
		}
		sim.Eval(m.t.Inputs[step])
		for v := range circuit.Var(m.c.NumVars()) {
			m.values = append(m.values, sim.Value(v.Lit()))
		}
	}
	return nil
}

// prune sets values of a finite run to x through which no change reaches the violation. It
// keeps those of bad in the last step, of the constraints, and of what these rest on by any
// reason: both operands of a gate that is 1, and each operand that is 0 of a gate that is 0.
// An operand of 1 beside one of 0 has no effect even when that one becomes x.
func (m *minimizer) prune() {
	n := m.c.NumVars()
	kept, before := make([]bool, n), make([]bool, n)
	for _, g := range m.goals {
		kept[g.lit.Var()] = true
	}
	for step := m.t.Steps() - 1; step >= 0; step-- {
		values := m.values[step*n : (step+1)*n]
		for v := n - 1; v > 0; v-- {
			if !kept[v] && !m.watched[v] {
				continue
			}
			kept[v] = true
			if left, right, isGate := m.c.Operands(circuit.Var(v)); isGate {
				keepReasons(kept, values, circuit.Var(v), left, right)
			} else if m.c.Kind(circuit.Var(v)) == circuit.KindLatch {
				before[m.c.Latches()[m.c.LatchIndex(circuit.Var(v))].Next.Var()] = true
			}
		}
		if step == 0 {
			m.keepStart(kept, values)
		}
		for v := 1; v < n; v++ {
			if !kept[v] {
				values[v] = circuit.X
			}
		}
		clear(kept)
		kept, before = before, kept
	}
}

// keepReasons keeps the operands of a gate that its value may rest on.
func keepReasons(kept []bool, values []circuit.Value, gate circuit.Var, left, right circuit.Lit) {
	if values[gate] != circuit.X {
		kept[left.Var()] = kept[left.Var()] || valueIn(values, left) == values[gate]
		kept[right.Var()] = kept[right.Var()] || valueIn(values, right) == values[gate]
	}
}

// keepStart keeps what the reset functions of kept latches may rest on, which may have
// higher numbers than the latches.
func (m *minimizer) keepStart(kept []bool, values []circuit.Value) {
	for _, v := range slices.Backward(m.c.StartOrder()) {
		if !kept[v] {
			continue
		}
		if left, right, isGate := m.c.Operands(v); isGate {
			keepReasons(kept, values, v, left, right)
		} else {
			kept[m.c.Latches()[m.c.LatchIndex(v)].Reset.Var()] = true
		}
	}
}

// run tries every value that is not x, from the last step back.
func (m *minimizer) run(ctx context.Context) error {
	for step := m.t.Steps() - 1; step >= 0; step-- {
		row := m.t.Inputs[step]
		for i, in := range m.c.Inputs() {
			if err := m.try(ctx, &row[i], in.Lit.Var(), step); err != nil {
				return err
			}
		}
	}
	for i, l := range m.c.Latches() {
		if l.IsFree() {
			if err := m.try(ctx, &m.t.Initial[i], l.Lit.Var(), 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// try sets a value to x if the violation stays.
func (m *minimizer) try(ctx context.Context, value *circuit.Value, v circuit.Var, step int) error {
	if *value == circuit.X || m.bounded {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.limit > 0 && m.work >= m.limit {
		m.bounded = true
		return nil
	}
	if m.spread(v, step) {
		*value = circuit.X
		return nil
	}
	for _, c := range m.trail {
		m.values[c.step*m.c.NumVars()+c.v] = c.value
		for _, g := range m.goalsOf[c.v] {
			g.ones += g.metBy(c)
		}
	}
	return nil
}

// spread sets a variable of a step to x with all that follows from it, which stands
// in the trail. It ends with false where the violation is lost.
func (m *minimizer) spread(v circuit.Var, step int) bool {
	m.trail = m.trail[:0]
	if !m.set(v, step) {
		return false
	}
	for done := 0; done < len(m.trail); done++ {
		if !m.spreadFrom(m.trail[done], true) {
			return false
		}
	}
	return true
}

// spreadFrom sets to x what a change makes x at once. Where it is strict, it ends with false
// when the violation is lost; else it is one of the state in front of a later round, which
// no reset function reads.
func (m *minimizer) spreadFrom(at change, strict bool) bool {
	values := m.values[at.step*m.c.NumVars():][:m.c.NumVars()]
	for _, g := range m.gates.Of(circuit.Var(at.v)) {
		m.work++
		if values[g] == circuit.X {
			continue
		}
		left, right, _ := m.c.Operands(g)
		if valueIn(values, left) != circuit.Zero && valueIn(values, right) != circuit.Zero && !m.set(g, at.step) && strict {
			return false
		}
	}
	if at.step == 0 && strict {
		for _, l := range m.starts.Of(circuit.Var(at.v)) {
			if values[l] != circuit.X && !m.set(l, 0) {
				return false
			}
		}
	}
	next := at.step + 1
	if next == m.t.Steps() {
		next = m.loop
	}
	if next < 0 {
		return true
	}
	for _, l := range m.latches.Of(circuit.Var(at.v)) {
		if m.values[next*m.c.NumVars()+int(l)] != circuit.X && !m.set(l, next) && strict {
			return false
		}
	}
	return true
}

func valueIn(values []circuit.Value, l circuit.Lit) circuit.Value {
	return values[l.Var()].NotIf(l.IsNegated())
}

// set puts a variable of a step to x, and reports whether the violation stays.
func (m *minimizer) set(v circuit.Var, step int) bool {
	m.work++
	value := &m.values[step*m.c.NumVars()+int(v)]
	was := change{step, int(v), *value}
	m.trail = append(m.trail, was)
	*value = circuit.X
	stays := !m.watched[v]
	for _, g := range m.goalsOf[v] {
		g.ones -= g.metBy(was)
		stays = stays && g.ones > 0
	}
	return stays
}

// metBy returns 1 for a value with which the goal is met, else 0.
func (g *goal) metBy(c change) int {
	if c.step >= g.from && c.value.NotIf(g.lit.IsNegated()) == circuit.One {
		return 1
	}
	return 0
}
