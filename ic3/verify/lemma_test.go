package verify_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// withAside returns a circuit with some of its literals as lemmas, right and wrong ones, and
// one as a cover.
func withAside(r *rand.Rand, c *circuit.Circuit, lemmas int) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	lit := c.CopyTo(b)
	c.CopyRoles(b, lit)
	any := func() circuit.Lit { return lit(circuit.Var(r.IntN(c.NumVars())).Lit()).NotIf(r.IntN(2) == 0) }
	for range lemmas {
		l := b.Or(any(), any())
		if r.IntN(2) == 0 {
			l = b.Or(l, any())
		}
		b.Lemma(l, 0)
	}
	b.Cover(b.And(any(), any()), 0)
	return b.Build()
}

// TestLemmas: with lemmas, true and false ones, properties and covers have the answers of a
// search of all states, and so have the lemmas. The proof of a property that was given a
// lemma is complete: it passes without it.
func TestLemmas(t *testing.T) {
	circuits := uint64(1000)
	if os.Getenv("AIGLENS_LONG") != "" {
		circuits = 10_000
	}
	outcomes, used, later := map[circuit.PropertyKind]map[cert.Outcome]int{}, 0, 0
	for seed := range circuits {
		r := rand.New(rand.NewPCG(31, seed))
		c := withAside(r, explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 2, Latches: 5, Gates: 14, Constraints: 1, FreeLatches: true, OneResets: true, Constants: true,
			ResetFunctions: seed%5 == 0, MoreBads: 1,
		}), 1+r.IntN(3))
		common := verify.NewCommon(c)
		all := c.Properties()
		slices.SortStableFunc(all, func(a, b circuit.Property) int { return isAside(a) - isAside(b) })
		for _, p := range all {
			got := verify.Run(context.Background(), verify.Job{Circuit: c, Property: p, Engine: engines.NewAuto(), Common: common}, nil)
			want := cert.Proved
			if explicit.FirstBadStep(c, p) >= 0 {
				want = cert.Refuted
			}
			if got.Checked.Outcome() != want || got.Internal != nil {
				t.Fatalf("seed %d: %s is %v, want %v: %v", seed, p, got.Checked, want, got.Internal)
			}
			if outcomes[p.Kind] == nil {
				outcomes[p.Kind] = map[cert.Outcome]int{}
			}
			outcomes[p.Kind][want]++
			if len(got.Granted) == 0 {
				continue
			}
			used++
			if cone, err := c.Cone(p); err == nil && cone.Circuit.HasResetFunctions() {
				later++
			}
			for _, l := range common.LemmasOf(got) {
				if l == p || explicit.FirstBadStep(c, l) >= 0 {
					t.Errorf("seed %d: %s rests on %s", seed, p, l)
				}
			}
			if v := (cert.Verdict{Outcome: cert.Proved, Invariant: got.Checked.Invariant()}); !explicit.Certifies(c, p, v) {
				t.Errorf("seed %d: %s: the invariant does not prove it", seed, p)
			}
		}
	}
	t.Logf("%v, %d proofs were given lemmas, %d about reset functions", outcomes, used, later)
	for _, kind := range []circuit.PropertyKind{circuit.PropertyBad, circuit.PropertyLemma, circuit.PropertyCover} {
		if min(outcomes[kind][cert.Proved], outcomes[kind][cert.Refuted]) < 100 {
			t.Errorf("%s: %v", kind, outcomes[kind])
		}
	}
	if used < 100 || later < 20 {
		t.Errorf("%d proofs were given lemmas, %d about reset functions", used, later)
	}
}

// isAside orders lemmas before all others.
func isAside(p circuit.Property) int {
	if p.Kind == circuit.PropertyLemma {
		return 0
	}
	return 1
}

// TestLemmasFirst: a job waits for the first turn of a lemma, be it smaller or asked for
// first, and uses its proof; a lemma that takes long is not waited for again.
func TestLemmasFirst(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, p, q := b.Input(0), b.Latch(0), b.Latch(0)
	b.SetNext(p, b.And(in, p.Not()))
	b.SetNext(q, p)
	b.Bad(b.And(b.And(p, q), in), 0)
	b.Lemma(b.And(p, q).Not(), 0)
	b.Lemma(b.Or(p, q), 0) // wrong
	c := b.Build()
	lemma := func(i int) circuit.Property { return circuit.Property{Kind: circuit.PropertyLemma, Index: i} }
	l := newLog()
	s := verify.NewScheduler(t.Context(), 2, l.add)
	defer s.Close()
	common := verify.NewCommon(c)
	submit := func(p circuit.Property, size int, e verify.Engine) uint64 {
		return s.Submit(verify.ID{Document: "a", Property: p}, verify.Job{Circuit: c, Property: p, Engine: e, Size: size, Common: common})
	}
	resume := s.Pause()
	asked := submit(bad(0), 0, engines.NewAuto())
	wrong, right := submit(lemma(1), 5, engines.NewAuto()), submit(lemma(0), 9, engines.NewAuto())
	resume()
	if got := l.wait(wrong, verify.Done).Result; got.Checked.Outcome() != cert.Refuted {
		t.Errorf("the wrong lemma: %s", got)
	}
	if got := l.wait(right, verify.Done).Result; got.Checked.Outcome() != cert.Proved {
		t.Errorf("the right lemma: %s", got)
	}
	got := l.wait(asked, verify.Done).Result
	if used := common.LemmasOf(got); got.Checked.Outcome() != cert.Proved || !slices.Equal(used, []circuit.Property{lemma(0)}) {
		t.Errorf("%s with %v", got, used)
	}
	// One that never ends has a turn, and is then not waited for.
	common = verify.NewCommon(c)
	endless := s.Submit(verify.ID{Document: "b", Property: lemma(0)}, verify.Job{Circuit: c, Property: lemma(0), Engine: seeded(engine(waiting)), Common: common, Limits: verify.Limits{Wall: time.Hour}})
	alone := s.Submit(verify.ID{Document: "b", Property: bad(0)}, verify.Job{Circuit: c, Property: bad(0), Engine: engines.NewAuto(), Common: common})
	if got := l.wait(alone, verify.Done).Result; got.Checked.Outcome() != cert.Proved || len(got.Granted) > 0 {
		t.Errorf("%s with %v", got, got.Granted)
	}
	s.Cancel(verify.ID{Document: "b", Property: lemma(0)})
	l.wait(endless, verify.Done)
}
