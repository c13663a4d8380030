package classic

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic/classictest"
	"aiglens/ic3/sat"
	"aiglens/internal/explicit"
)

// table adds the frames of an engine to the enumeration of its circuit.
type table struct {
	*classictest.Table
	c *circuit.Circuit
}

func newTable(c *circuit.Circuit) *table { return &table{classictest.NewTable(c), c} }

func (m *table) inCube(s int, c cube) bool {
	for _, l := range c {
		if s>>m.c.LatchIndex(l.Var())&1 == 1 == l.IsNegated() {
			return false
		}
	}
	return true
}

// frame returns the states of F_i.
func (m *table) frame(e *engine, i int) []bool {
	in := make([]bool, len(m.Initial))
	for s := range in {
		in[s] = i > 0 || m.Initial[s]
		for _, f := range e.frames[max(1, i):] {
			for _, c := range f {
				in[s] = in[s] && !m.inCube(s, c)
			}
		}
	}
	return in
}

// checkFrames asserts I ⇒ F_i, F_i ⇒ F_{i+1}, F_i ∧ C ∧ T ⇒ F′_{i+1}, and that
// no state of F_i is bad for i < k.
func (m *table) checkFrames(t *testing.T, e *engine) {
	t.Helper()
	for i := 0; i < len(e.frames); i++ {
		f := m.frame(e, i)
		var above []bool
		if i+1 < len(e.frames) {
			above = m.frame(e, i+1)
		}
		for s := range f {
			if m.Initial[s] && !f[s] {
				t.Fatalf("initial state %b is not in F_%d", s, i)
			}
			if !f[s] {
				continue
			}
			if i < e.k && m.Bad[s] {
				t.Fatalf("state %b of F_%d is bad, k = %d", s, i, e.k)
			}
			if above == nil {
				continue
			}
			if !above[s] && i > 0 {
				t.Fatalf("state %b of F_%d is not in F_%d", s, i, i+1)
			}
			for _, n := range m.Successors[s] {
				if !above[n] {
					t.Fatalf("a step from %b in F_%d leaves F_%d to %b", s, i, i+1, n)
				}
			}
		}
	}
}

func sample(seed uint64) *circuit.Circuit {
	return classictest.Sample(rand.New(rand.NewPCG(5, seed)))
}

func solverFor(seed uint64) sat.Factory {
	if seed%2 == 1 {
		return sat.NewGini
	}
	return sat.NewCore
}

// TestFrameInvariants checks the invariants of the package comment, by
// enumeration, at every report: after every obligation and every frame. The
// lecture notes' repair breaks P4 on its way: TestBackwardChain looks at its
// frames when they are repaired. The bounded methods certify by Bradley's.
func TestFrameInvariants(t *testing.T) {
	for _, variant := range Variants() {
		switch variant {
		case Clausewise, SimplePaths, InvariantStrengthen:
			continue
		}
		t.Run(string(variant), func(t *testing.T) {
			checked := 0
			for seed := range uint64(60) {
				c := sample(seed)
				m := newTable(c)
				e := newEngine(context.Background(), c, Options{Variant: variant, Solver: solverFor(seed)}, nil, nil)
				e.progress = func(Progress) {
					checked++
					m.checkFrames(t, e)
				}
				if _, err := runs[variant](e); err != nil {
					t.Fatal(err)
				}
			}
			if checked < 200 {
				t.Errorf("the frames were looked at only %d times", checked)
			}
		})
	}
}

// TestBackwardChain: without generalisation and pushing forward, the frames of the
// lecture notes are the backward chain, F_{k−i} = T_i; with them, they keep P1 to
// P4.
func TestBackwardChain(t *testing.T) {
	compared := 0
	for seed := range uint64(150) {
		c := sample(seed)
		m := newTable(c)
		general := newEngine(context.Background(), c, Options{Solver: solverFor(seed)}, nil, nil)
		lecture := &clausewise{engine: general}
		if _, err := general.mainLoop(lecture.addLevel, func() (int, error) {
			m.checkFrames(t, general)
			return lecture.pushForward()
		}); err != nil {
			t.Fatal(err)
		}
		e := newEngine(context.Background(), c, Options{Solver: solverFor(seed)}, nil, nil)
		w := &clausewise{engine: e, exact: true}
		stop := context.Canceled // any error ends the loop
		_, err := e.mainLoop(w.addLevel, func() (int, error) {
			m.checkFrames(t, e)
			chain := make([]bool, len(m.Bad))
			for s := range chain {
				chain[s] = !m.Bad[s]
			}
			for i := e.k; i > 0; i-- {
				if f := m.frame(e, i); !reflect.DeepEqual(f, chain) {
					t.Fatalf("seed %d: F_%d is %v, T_%d is %v", seed, i, f, e.k-i, chain)
				}
				compared++
				chain = m.inverse(chain)
			}
			if e.k == 6 {
				return -1, stop
			}
			return w.pushForward()
		})
		if err != nil && err != stop {
			t.Fatal(err)
		}
	}
	if compared < 500 {
		t.Errorf("only %d frames compared", compared)
	}
}

// inverse returns N_A(X) ∩ X.
func (m *table) inverse(x []bool) []bool {
	y := make([]bool, len(x))
	for s := range x {
		y[s] = x[s]
		for _, n := range m.Successors[s] {
			y[s] = y[s] && x[n]
		}
	}
	return y
}

// TestBoundedArgument: the bounded argument alone, before anything is certified,
// decides as explicit search does, and R holds no state that is reached without
// a bad step.
func TestBoundedArgument(t *testing.T) {
	for _, strengthens := range []bool{false, true} {
		passed, failed, useless := 0, 0, 0
		for seed := range uint64(500) {
			c := sample(seed)
			if len(c.Latches()) > 5 {
				continue // simple paths can be as long as there are states
			}
			want := explicit.FirstBadStep(c, circuit.Property{}) == explicit.NotViolated
			b := &bounded{engine: newEngine(context.Background(), c, Options{Solver: solverFor(seed)}, nil, nil), strengthens: strengthens}
			_, empty, err := b.openInitial()
			if err != nil {
				t.Fatal(err)
			}
			if empty {
				continue
			}
			for ; ; b.k++ {
				cex, pass, err := b.bound()
				if err != nil {
					t.Fatal(err)
				}
				if cex == nil && !pass {
					continue
				}
				if pass != want {
					t.Fatalf("seed %d, strengthened %v: passes %v, holds %v", seed, strengthens, pass, want)
				}
				if pass {
					passed++
					reachable := explicit.Reachable(c)
					m := newTable(c)
					for _, u := range b.useless {
						useless++
						for s := range reachable {
							if reachable[s] && m.inCube(s, u) {
								t.Fatalf("seed %d: state %b is reachable, but in R", seed, s)
							}
						}
					}
				} else {
					failed++
				}
				break
			}
		}
		if passed < 50 || failed < 50 || strengthens && useless < 30 {
			t.Errorf("strengthened %v: %d passed, %d failed, %d cubes in R: too few", strengthens, passed, failed, useless)
		}
	}
}

// TestRules replays the rules that Gurfinkel's variant reports and requires that
// each was allowed.
func TestRules(t *testing.T) {
	seen := map[Rule]int{}
	for seed := range uint64(300) {
		c := sample(seed)
		r := &replay{t: t, c: c, seen: seen}
		v, _, err := Check(context.Background(), c, Options{Variant: Gurfinkel, Solver: solverFor(seed)}, nil, r.apply)
		if err != nil {
			t.Fatal(err)
		}
		want := map[cert.Outcome]Rule{cert.Proved: Unreachable, cert.Refuted: Reachable}[v.Outcome]
		if vacuous := len(v.Invariant) == 1 && len(v.Invariant[0]) == 0; r.last != want && !vacuous {
			t.Fatalf("seed %d: %s after the rule %s", seed, v.Outcome, r.last)
		}
	}
	for _, rule := range []Rule{Unreachable, Reachable, Unfold, Candidate, Decide, Conflict, Leaf, Induction} {
		if seen[rule] < 5 {
			t.Errorf("%s was applied only %d times", rule, seen[rule])
		}
	}
}

// replay follows the frames and the queue by the rules alone.
type replay struct {
	t     *testing.T
	c     *circuit.Circuit
	seen  map[Rule]int
	last  Rule
	n     int            // N
	queue map[string]int // cubes ever queued, by their highest level
}

func (r *replay) apply(e Event) {
	r.t.Helper()
	r.seen[e.Rule]++
	r.last = e.Rule
	if r.queue == nil {
		r.queue = map[string]int{}
	}
	key := ""
	for _, l := range e.Cube {
		key += string(rune(l)) + " "
	}
	level, queued := r.queue[key]
	ok := true
	switch e.Rule {
	case Unfold:
		r.n++
		ok = e.Frame == r.n
	case Candidate:
		ok = e.Frame == r.n
		r.queue[key] = e.Frame
	case Decide:
		ok = e.Frame < r.n
		r.queue[key] = max(level, e.Frame)
	case Leaf:
		ok = queued && e.Frame <= r.n && e.Frame > 1
		r.queue[key] = max(level, e.Frame)
	case Conflict:
		ok = len(e.Cube) > 0 && e.Frame >= 1 && e.Frame <= r.n
	case Induction:
		ok = len(e.Cube) > 0 && e.Frame >= 2 && e.Frame <= r.n+1
	case Reachable:
		ok = queued && e.Frame == 0
	case Unreachable:
		ok = e.Frame >= 1 && e.Frame <= r.n
	}
	if !ok {
		r.t.Fatalf("%s at level %d with %v is out of order, N = %d", e.Rule, e.Frame, e.Cube, r.n)
	}
}

// TestEquivalences: latches that are equal, opposite or constant are found, and
// held from the first frame on; free ones and different ones are not.
func TestEquivalences(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, free := b.Input(0), b.Latch(0)
	b.SetReset(free, free)
	x, equal, opposite, constant, other := b.Latch(0), b.Latch(0), b.Latch(0), b.Latch(0), b.Latch(0)
	b.SetNext(x, in)
	b.SetNext(equal, b.And(in, constant.Not()))
	b.SetNext(opposite, in.Not())
	b.SetReset(opposite, circuit.True)
	b.SetNext(constant, b.And(constant, in))
	b.SetNext(other, b.Xor(in, x))
	b.Bad(b.And(b.Xor(x, equal), other), 0)
	c := b.Build()
	v, stats, err := Check(context.Background(), c, Options{Variant: BradleyEquivalences}, nil, nil)
	if err != nil || v.Outcome != cert.Proved {
		t.Fatal(v.Outcome, err)
	}
	if stats.Candidates != 3 {
		t.Errorf("%d candidates hold, want 3", stats.Candidates)
	}
}

// TestDeterministic: same circuit, same options, same run; another seed, another
// run of Bradley's.
func TestDeterministic(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 9, Gates: 60, OneResets: true}
	differ := false
	for _, variant := range Variants() {
		for seed := range uint64(10) {
			c := explicit.RandomCircuit(rand.New(rand.NewPCG(6, seed)), shape)
			run := func(seed uint64) (cert.Verdict, Stats) {
				v, stats, err := Check(context.Background(), c, Options{Variant: variant, Seed: seed}, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				return v, stats
			}
			v, stats := run(1)
			if w, again := run(1); again != stats || !reflect.DeepEqual(v, w) {
				t.Fatalf("%s, circuit %d: %+v, then %+v", variant, seed, stats, again)
			}
			if _, other := run(2); other != stats {
				differ = true
			}
		}
	}
	if !differ {
		t.Error("no seed made a difference")
	}
}
