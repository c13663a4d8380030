package ic3

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
	"aiglens/internal/explicit"
)

var property0 = circuit.Property{Kind: circuit.PropertyBad}

// TestFrameInvariants checks, after every obligation and every frame, what the
// papers promise of the frames, by enumeration of all states: I ⇒ F_i,
// F_i ⇒ F_{i+1}, F_i ∧ C ∧ T ⇒ F′_{i+1}, and no bad state in F_i for i < k. Verdicts
// agree with explicit search; half of the runs have every tactic on, without the
// bounds that keep small circuits from it.
func TestFrameInvariants(t *testing.T) {
	shape := explicit.Shape{Inputs: 2, Latches: 5, Gates: 25, Constraints: 1, FreeLatches: true, OneResets: true}
	checked := 0
	var sum Stats
	for seed := range uint64(400) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(5, seed)), shape)
		m := newModel(c)
		solver := sat.NewCore
		if seed%2 == 1 {
			solver = sat.NewGini
		}
		e := newEngine(context.Background(), c, encode.Eliminated(c), Options{Solver: solver}, nil)
		if seed%4 > 1 {
			e = newEngine(context.Background(), c, encode.Eliminated(c), Options{Solver: solver, Switched: ^DefaultTactics}, nil)
			e.reachedAfter, e.lateAfter, e.renewLeast = 0, 0, -1<<20 // at once
		}
		e.progress = func(Progress) {
			checked++
			m.checkFrames(t, seed, e)
		}
		v, err := e.run(Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := explicit.FirstBadStep(c, property0); (v.Outcome == cert.Proved) != (want == explicit.NotViolated) {
			t.Fatalf("seed %d: %s, first bad step by search %d", seed, v.Outcome, want)
		}
		if _, err := cert.Check(context.Background(), c, property0, v); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s := e.finalStats()
		sum.Predicted += s.Predicted
		sum.ModelsFound += s.ModelsFound
		sum.Infinite += s.Infinite
		sum.ReachedSkips += s.ReachedSkips
		sum.Solver.Rebuilds += s.Solver.Rebuilds
	}
	if min(sum.Predicted, sum.ModelsFound, sum.Infinite, sum.ReachedSkips, int(sum.Solver.Rebuilds)) < 5 {
		t.Errorf("a tactic was hardly used: %+v", sum)
	}
	if checked < 500 {
		t.Errorf("the frames were looked at only %d times", checked)
	}
}

// TestResumedFrames: a run that begins with the frames of another one, on a circuit with
// fewer runs and fewer bad states, has frames that are as they should be, and the verdict
// of explicit search.
func TestResumedFrames(t *testing.T) {
	shape := explicit.Shape{Inputs: 2, Latches: 5, Gates: 25, Constraints: 1, FreeLatches: true, OneResets: true}
	resumed, further, proved := 0, 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(11, seed))
		c := explicit.RandomCircuit(r, shape)
		_, frames, _, err := CheckFrom(context.Background(), c, nil, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := circuit.NewBuilder(0)
		lit := c.CopyTo(b)
		some := func() circuit.Lit { return lit(circuit.Lit(r.IntN(2 * c.NumVars()))) }
		for _, s := range c.Constraints() {
			b.Constraint(lit(s.Lit), 0)
		}
		b.Constraint(b.Or(some(), some()), 0)
		b.Bad(b.And(lit(c.Bads()[0].Lit), some()), 0)
		narrower := b.Build()
		m := newModel(narrower)
		e := newEngine(context.Background(), narrower, encode.Eliminated(narrower), Options{}, nil)
		e.progress = func(Progress) { m.checkFrames(t, seed, e) }
		// Inputs and latches are the same variables in both.
		v, err := e.run(Options{}, frames)
		if err != nil {
			t.Fatal(err)
		}
		if want := explicit.FirstBadStep(narrower, property0); (v.Outcome == cert.Proved) != (want == explicit.NotViolated) {
			t.Fatalf("seed %d: %s, first bad step by search %d", seed, v.Outcome, want)
		}
		if _, err := cert.Check(context.Background(), narrower, property0, v); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(frames) > 2 {
			resumed++
			if e.depth() > len(frames)-1 {
				further++
			}
			if v.Outcome == cert.Proved {
				proved++
			}
		}
	}
	if resumed < 100 || further < 30 || proved < 50 {
		t.Errorf("%d runs went on from frames, %d to further ones, %d to a proof", resumed, further, proved)
	}
}

// TestReachedStates: all that a simulation has reached is reachable, and what it
// says of a cube is true.
func TestReachedStates(t *testing.T) {
	shape := explicit.Shape{Inputs: 2, Latches: 5, Gates: 20, Constraints: 2, FreeLatches: true, OneResets: true}
	cubes := 0
	for seed := range uint64(200) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(6, seed)), shape)
		e := newEngine(context.Background(), c, encode.Gates(c), Options{}, nil)
		r := simulate(c, e.reset)
		reachable := explicit.Reachable(c)
		m := &model{c: c}
		for t1 := range r.words {
			for bit := range 64 {
				if r.valid[t1]>>bit&1 == 0 {
					continue
				}
				state := uint32(0)
				for i, l := range c.Latches() {
					state |= uint32(r.values[l.Lit.Var()][t1]>>bit&1) << i
				}
				if !reachable[state] {
					t.Fatalf("seed %d: state %b is not reachable", seed, state)
				}
			}
		}
		for range 20 {
			cube := cube{}
			for _, l := range c.Latches() {
				if rand.IntN(2) == 0 {
					cube = append(cube, l.Lit.NotIf(rand.IntN(2) == 0))
				}
			}
			if !r.holds(cube) {
				continue
			}
			cubes++
			found := false
			for state, ok := range reachable {
				found = found || ok && m.inCube(uint32(state), cube)
			}
			if !found {
				t.Fatalf("seed %d: no reachable state lies in %v", seed, cube)
			}
		}
	}
	if cubes < 500 {
		t.Errorf("only %d cubes hold a reached state", cubes)
	}
}

// model is a circuit as a table: for each state its successors under the
// constraints, whether it is initial and whether it is bad.
type model struct {
	c          *circuit.Circuit
	successors [][]uint32
	initial    []bool
	bad        []bool
}

func newModel(c *circuit.Circuit) *model {
	states := 1 << len(c.Latches())
	m := &model{c: c, successors: make([][]uint32, states), initial: make([]bool, states), bad: make([]bool, states)}
	sim := circuit.NewParallel(c)
	inputs := make([]uint64, len(c.Inputs()))
	for s := range states {
		m.initial[s] = true
		for i, l := range c.Latches() {
			if !l.IsFree() && circuit.Lit(s>>i&1) != l.Reset {
				m.initial[s] = false
			}
		}
		for in := range 1 << len(inputs) {
			for i := range inputs {
				inputs[i] = -uint64(in >> i & 1)
			}
			for i := range c.Latches() {
				sim.SetLatch(i, -uint64(s>>i&1))
			}
			sim.Eval(inputs)
			allowed := true
			for _, k := range c.Constraints() {
				allowed = allowed && sim.Value(k.Lit) != 0
			}
			if !allowed {
				continue
			}
			next := uint32(0)
			for i, l := range c.Latches() {
				next |= uint32(sim.Value(l.Next)&1) << i
			}
			m.successors[s] = append(m.successors[s], next)
			m.bad[s] = m.bad[s] || sim.Value(c.Bads()[0].Lit) != 0
		}
	}
	return m
}

// frame returns the states of F_i.
func (m *model) frame(e *engine, i int) []bool {
	in := make([]bool, len(m.initial))
	for s := range in {
		in[s] = i > 0 || m.initial[s]
		for j := max(1, i); j < len(e.frames); j++ {
			for _, l := range e.frames[j] {
				in[s] = in[s] && !m.inCube(uint32(s), l.cube)
			}
		}
		for _, l := range e.infinite {
			in[s] = in[s] && (i == 0 || !m.inCube(uint32(s), l.cube))
		}
	}
	return in
}

func (m *model) inCube(s uint32, c cube) bool {
	for _, l := range c {
		if s>>m.c.LatchIndex(l.Var())&1 == 1 == l.IsNegated() {
			return false
		}
	}
	return true
}

func (m *model) checkFrames(t *testing.T, seed uint64, e *engine) {
	t.Helper()
	k := e.depth()
	for i := 0; i <= k; i++ {
		f := m.frame(e, i)
		var above []bool
		if i < k {
			above = m.frame(e, i+1)
		}
		for s := range f {
			if m.initial[s] && !f[s] {
				t.Fatalf("seed %d: initial state %b is not in F_%d", seed, s, i)
			}
			if !f[s] || i == k {
				continue
			}
			if i > 0 && !above[s] {
				t.Fatalf("seed %d: state %b of F_%d is not in F_%d", seed, s, i, i+1)
			}
			if m.bad[s] {
				t.Fatalf("seed %d: state %b of F_%d is bad, k = %d", seed, s, i, k)
			}
			for _, n := range m.successors[s] {
				if !above[n] {
					t.Fatalf("seed %d: a step from %b in F_%d leaves F_%d to %b", seed, s, i, i+1, n)
				}
			}
		}
	}
}

// TestDeterministic: same circuit, same options, same run.
func TestDeterministic(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 10, Gates: 60, OneResets: true}
	for seed := range uint64(20) {
		var first []Progress
		var firstStats Stats
		for run := range 3 {
			c := explicit.RandomCircuit(rand.New(rand.NewPCG(6, seed)), shape)
			var trail []Progress
			v, stats, err := Check(context.Background(), c, Options{}, func(p Progress) { trail = append(trail, p) })
			if err != nil || v.Outcome == cert.Unknown {
				t.Fatal(v, err)
			}
			if run == 0 {
				first, firstStats = trail, stats
				continue
			}
			if stats != firstStats || len(trail) != len(first) {
				t.Fatalf("seed %d: %+v, then %+v", seed, firstStats, stats)
			}
			for i := range trail {
				if trail[i] != first[i] {
					t.Fatalf("seed %d, report %d: %+v, then %+v", seed, i, first[i], trail[i])
				}
			}
		}
	}
}
