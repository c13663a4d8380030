package engines_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

var justice0 = circuit.Property{Kind: circuit.PropertyJustice}

// found counts what answers look like.
type found struct {
	refuted, farLoop int // farLoop: a stem and a loop of at least two steps each
	proved, ranked   int // ranked: with two ranks or more
	by               map[string]int
}

// judge runs an engine on a circuit with a justice property through verify.Run, which has
// the certificate checked, and compares with a search of all states.
func (f *found) judge(t *testing.T, seed uint64, c *circuit.Circuit, e verify.Engine) verify.Result {
	t.Helper()
	r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: justice0, Engine: e}, nil)
	want := cert.Proved
	if explicit.Violated(c, justice0) {
		want = cert.Refuted
	}
	if r.Internal != nil || r.Checked.Outcome() != want || !r.Checked.Certified() {
		t.Fatalf("seed %d: %s by %s, want %s; %v", seed, r, r.Engine, want, r.Internal)
	}
	f.by[r.Engine]++
	if want == cert.Proved {
		f.proved++
		if len(r.Checked.Ranking().Ranks) > 1 {
			f.ranked++
		}
		return r
	}
	f.refuted++
	if loop, _ := r.Checked.Loop(); loop >= 2 && r.Checked.Trace().Steps()-loop >= 2 {
		f.farLoop++
	}
	return r
}

// randomJustice returns a circuit with a justice property of no to four literals. In one of
// twelve it is as random as the rest. Else there is a walk through states in no order that
// a literal could show: either the literals are 1 in the last of them alone, and one after
// the other, or each round makes it go on.
func randomJustice(seed uint64) *circuit.Circuit {
	r := rand.New(rand.NewPCG(seed, 23))
	c := explicit.RandomCircuit(r, explicit.Shape{
		Inputs: r.IntN(4), Latches: 1 + r.IntN(5), Gates: 8 + r.IntN(24), Justice: r.IntN(4), Fairness: r.IntN(3), Constraints: r.IntN(2),
		FreeLatches: r.IntN(3) == 0, OneResets: true, Constants: r.IntN(8) == 0, ResetFunctions: r.IntN(3) == 0,
	})
	shape := r.IntN(12)
	if shape == 0 && len(c.Justice()) > 0 {
		return c
	}
	b := circuit.NewBuilder(c.NumVars())
	lit := c.CopyTo(b)
	pick := func() circuit.Lit { return lit(circuit.Var(r.IntN(c.NumVars())).Lit()).NotIf(r.IntN(2) == 0) }
	often := func() circuit.Lit { return b.Or(b.Or(pick(), pick()), b.Or(pick(), pick())) }
	walk := newWalk(r, b, 3+r.IntN(4))
	var goals []circuit.Lit
	goesOn := often()
	if shape < 6 {
		turn := b.Latch(0)
		b.SetNext(turn, b.Xor(turn, often()))
		goals = []circuit.Lit{b.And(walk.last, b.And(turn, often())), b.And(walk.last, turn.Not())}
	} else {
		goals = []circuit.Lit{b.And(goesOn, walk.last.Not())}
		if r.IntN(2) == 0 {
			goals = append(goals, often())
		}
	}
	walk.goOn(b, goesOn)
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), 0)
	}
	if r.IntN(3) == 0 {
		b.Fairness(often(), 0)
	}
	b.Justice(goals, 0)
	return b.Build()
}

// walk is a way through some of the states of three latches.
type walk struct {
	latches []circuit.Lit
	states  []int // in the order of the walk, the first is that of the reset
	last    circuit.Lit
}

func newWalk(r *rand.Rand, b *circuit.Builder, steps int) *walk {
	w := &walk{states: r.Perm(8)[:steps+1]}
	for i := range 3 {
		l := b.Latch(0)
		w.latches = append(w.latches, l)
		if w.states[0]>>i&1 == 1 {
			b.SetReset(l, circuit.True)
		}
	}
	w.last = w.is(b, w.states[steps])
	return w
}

// is says that the latches have a state.
func (w *walk) is(b *circuit.Builder, state int) circuit.Lit {
	all := circuit.True
	for i, l := range w.latches {
		all = b.And(all, l.NotIf(state>>i&1 == 0))
	}
	return all
}

// goOn has the walk go on where a literal is 1, and stay in its last state.
func (w *walk) goOn(b *circuit.Builder, when circuit.Lit) {
	for i, l := range w.latches {
		next := l
		for j, state := range w.states[:len(w.states)-1] {
			next = b.Mux(b.And(when, w.is(b, state)), circuit.False.NotIf(w.states[j+1]>>i&1 == 1), next)
		}
		b.SetNext(l, next)
	}
}

// TestJustice: the default engine answers justice properties of small random circuits,
// all of them and rightly. AIGLENS_LONG is the number of circuits.
func TestJustice(t *testing.T) {
	circuits := 1000
	if n, err := strconv.Atoi(os.Getenv("AIGLENS_LONG")); err == nil {
		circuits = max(circuits, n)
	}
	f := &found{by: map[string]int{}}
	for seed := range uint64(circuits) {
		f.judge(t, seed, randomJustice(seed), engines.NewAuto())
	}
	t.Logf("%d refuted, %d with a stem and a loop of two steps or more; %d proved, %d with two ranks or more; by %v",
		f.refuted, f.farLoop, f.proved, f.ranked, f.by)
	if min(f.farLoop, f.ranked)*10 < circuits*3 {
		t.Error("most of them are easy")
	}
}

// TestJusticeAlone: what each part of package live says alone is right, too. It may not
// know, and is given up then.
func TestJusticeAlone(t *testing.T) {
	for _, row := range engines.All() {
		if row.Answers(circuit.Safety) {
			continue
		}
		t.Run(row.Name, func(t *testing.T) {
			found := 0
			for seed := range uint64(150) {
				ctx, stop := context.WithCancel(context.Background())
				e, err := engines.Spec{Engine: row.Name}.New()
				if err != nil {
					t.Fatal(err)
				}
				c, reports := randomJustice(seed), 0
				r := verify.Run(ctx, verify.Job{Circuit: c, Property: justice0, Engine: e}, func(verify.Progress) {
					if reports++; reports == 10 {
						stop()
					}
				})
				stop()
				violated := explicit.Violated(c, justice0)
				if r.Internal != nil || r.Checked.Outcome() != cert.Unknown && violated != (r.Checked.Outcome() == cert.Refuted) {
					t.Fatalf("seed %d: %s, violated %v; %v", seed, r, violated, r.Internal)
				}
				if r.Checked.Certified() {
					found++
				}
			}
			t.Logf("%d answers of 150", found)
			if found < 40 {
				t.Errorf("%d answers of 150", found)
			}
		})
	}
}
