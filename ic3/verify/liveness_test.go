package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/shared"
)

// searching answers questions of liveness by a search of all states.
func searching(runs *int) verify.Engine {
	return verify.Engine{Name: "search", Liveness: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		if runs != nil {
			*runs++
		}
		if t.Problem.Circuit.HasResetFunctions() {
			panic("an engine was given reset functions")
		}
		return verify.Report{Verdict: explicit.Answer(t.Problem), Err: ctx.Err()}
	}}
}

// withRest returns a circuit of which only a part matters to a justice property, and that
// property.
func withRest(r *rand.Rand, resetFunctions bool) (*circuit.Circuit, circuit.Property) {
	base := explicit.RandomCircuit(r, explicit.Shape{
		Inputs: 2, Latches: 4, Gates: 14, Constraints: 1, FreeLatches: true, OneResets: true,
		ResetFunctions: resetFunctions, Justice: 2, Fairness: 1,
	})
	b := circuit.NewBuilder(0)
	unread := b.Input(0)
	counter := []circuit.Lit{b.Latch(0), b.Latch(0)}
	lit := base.CopyTo(b)
	b.SetNext(counter[0], counter[0].Not())
	b.SetNext(counter[1], b.Xor(counter[1], b.And(counter[0], unread)))
	if resetFunctions {
		b.SetReset(counter[1], unread.Not())
	}
	for _, s := range base.Constraints() {
		b.Constraint(lit(s.Lit), 0)
	}
	for _, s := range base.Fairness() {
		b.Fairness(lit(s.Lit), 0)
	}
	b.Bad(counter[1], 0)
	b.Justice([]circuit.Lit{counter[0]}, 0)
	var goals []circuit.Lit
	for _, l := range base.Justice()[0].Lits {
		goals = append(goals, lit(l))
	}
	b.Justice(goals, 0)
	return b.Build(), circuit.Property{Kind: circuit.PropertyJustice, Index: 1}
}

// TestLiveness: an answer on a cone without reset functions becomes one on the whole, and
// so it does from the cache and for a circuit in another order.
func TestLiveness(t *testing.T) {
	outcomes, vacuous := map[cert.Outcome]int{}, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(5, seed))
		c, p := withRest(r, seed%2 == 0)
		want := cert.Proved
		if explicit.Violated(c, p) {
			want = cert.Refuted
		}
		runs, m := 0, &memory{}
		job := verify.Job{Circuit: c, Property: p, Engine: searching(&runs), Cache: m}
		first := verify.Run(t.Context(), job, nil)
		again := verify.Run(t.Context(), job, nil)
		for _, r := range []verify.Result{first, again} {
			if r.Checked.Outcome() != want || !r.Checked.Certified() || r.Checked.Property() != p || r.Internal != nil {
				t.Fatalf("seed %d: %s, want %s; internal error %v", seed, r.Checked, want, r.Internal)
			}
		}
		if runs != 1 || !again.Cached {
			t.Fatalf("seed %d: %d runs", seed, runs)
		}
		other := reordered(c, p)
		moved, ok := first.TransferTo(t.Context(), other, circuit.Property{Kind: circuit.PropertyJustice})
		if !ok || moved.Checked.Outcome() != want || !moved.Checked.Certified() {
			t.Fatalf("seed %d: %s, transferred %v, want %s", seed, moved.Checked, ok, want)
		}
		if want == cert.Refuted && !first.IsMinimal() {
			t.Fatalf("seed %d: %s is not minimal", seed, first.Checked)
		}
		outcomes[want]++
		if first.HasNoRun {
			vacuous++
		}
	}
	if outcomes[cert.Proved] < 100 || outcomes[cert.Refuted] < 100 || vacuous == 0 || vacuous == outcomes[cert.Proved] {
		t.Errorf("%v, %d vacuous", outcomes, vacuous)
	}
}

// reordered returns a circuit with one justice property of c and latches of another kind
// between.
func reordered(c *circuit.Circuit, p circuit.Property) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	b.Input(0)
	in := b.Input(0)
	for range 3 {
		b.SetNext(b.Latch(0), in)
	}
	lit := c.CopyTo(b)
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), 0)
	}
	for _, s := range c.Fairness() {
		b.Fairness(lit(s.Lit), 0)
	}
	var goals []circuit.Lit
	for _, l := range c.Justice()[p.Index].Lits {
		goals = append(goals, lit(l))
	}
	b.Justice(goals, 0)
	return b.Build()
}

// TestRepetitionOfWhatIsAsked: a ranking of what engines are asked refers to the same
// latches as one of the cone.
func TestRepetitionOfWhatIsAsked(t *testing.T) {
	for seed := range uint64(100) {
		c, p := withRest(rand.New(rand.NewPCG(6, seed)), true)
		cone, err := c.Cone(p)
		if err != nil {
			t.Fatal(err)
		}
		own, err := cone.Circuit.Repetition(cone.Property())
		if err != nil {
			t.Fatal(err)
		}
		constant, _ := cone.Circuit.ConstantResets()
		asked, err := constant.Repetition(cone.Property())
		if err != nil {
			t.Fatal(err)
		}
		if !cone.Circuit.HasResetFunctions() {
			continue
		}
		if !reflect.DeepEqual(own.Circuit, asked.Circuit) {
			t.Fatalf("seed %d: two circuits", seed)
		}
	}
}

// TestShortLasso: a lasso with detours becomes the shortest there is.
func TestShortLasso(t *testing.T) {
	b := circuit.NewBuilder(0)
	in := b.Input(0)
	bits := []circuit.Lit{b.Latch(0), b.Latch(0), b.Latch(0)}
	carry := circuit.True
	for _, l := range bits {
		b.SetNext(l, b.And(b.Xor(l, carry), in.Not())) // counts, or begins again
		carry = b.And(carry, l)
	}
	b.Justice([]circuit.Lit{b.And(bits[0], bits[1].Not())}, 0) // at 1 and 5
	c := b.Build()
	long := cert.Lasso{Trace: cert.Trace{Initial: make([]circuit.Value, 3), Inputs: make([][]circuit.Value, 8)}}
	for i := range long.Inputs {
		long.Inputs[i] = []circuit.Value{circuit.Zero}
	}
	p := circuit.Property{Kind: circuit.PropertyJustice}
	job := verify.Job{Circuit: c, Property: p, Engine: claiming(cert.Verdict{Outcome: cert.Refuted, Lasso: &long})}
	r := verify.Run(t.Context(), job, nil)
	if got := r.Checked.String(); got != "refuted: the loop of steps 0 to 1" || !r.IsMinimal() {
		t.Errorf("%s, minimal %v, internal error %v", got, r.IsMinimal(), r.Internal)
	}
}

// TestEarlierLiveness compares with a search of all states: an earlier lasso or ranking, of
// whatever circuit and under whatever names, never makes a verdict wrong, and spares runs.
func TestEarlierLiveness(t *testing.T) {
	reused := map[string]int{}
	for seed := range uint64(1200) {
		r := rand.New(rand.NewPCG(7, seed))
		old := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 2, Latches: 4, Gates: 14, Constraints: 1, FreeLatches: true, OneResets: true,
			ResetFunctions: seed%3 == 0, Justice: 2, Fairness: 1,
		})
		c, _ := explicit.Edit(r, old)
		names, own := ownNames(r, old), ownNames(r, c)
		switch seed % 8 {
		case 0: // names come to mean something else
			r.Shuffle(len(own.Latches), func(i, j int) { own.Latches[i], own.Latches[j] = own.Latches[j], own.Latches[i] })
		case 1:
			names.Latches[0] = ""
		case 2:
			names, own = verify.Names{}, verify.Names{}
		}
		p := circuit.Property{Kind: circuit.PropertyJustice}
		before := verify.Run(t.Context(), verify.Job{Circuit: old, Property: p, Engine: searching(nil)}, nil)
		if !before.Checked.Certified() {
			t.Fatalf("seed %d: %s", seed, before.Checked)
		}
		want := cert.Proved
		if explicit.Violated(c, p) {
			want = cert.Refuted
		}
		runs := 0
		job := verify.Job{Circuit: c, Property: p, Engine: searching(&runs), Earlier: []*verify.Earlier{nil, before.Earlier(t.Context(), old, names)}, Names: own}
		after := verify.Run(t.Context(), job, nil)
		if after.Checked.Outcome() != want || !after.Checked.Certified() || after.Internal != nil {
			t.Fatalf("seed %d: %s, want %s; internal error %v", seed, after.Checked, want, after.Internal)
		}
		if (runs == 0) != (after.Reused != verify.ReusedNothing) {
			t.Fatalf("seed %d: %d runs, reused %q", seed, runs, after.Reused)
		}
		reused[fmt.Sprintf("%s %s", after.Reused, want)]++
		// Nor does it harm a question of safety.
		job.Property, job.Engine = bad0, engines.NewAuto()
		if r := verify.Run(t.Context(), job, nil); !r.Checked.Certified() || r.Reused != verify.ReusedNothing {
			t.Fatalf("seed %d: %s, reused %q", seed, r.Checked, r.Reused)
		}
	}
	for _, kind := range []string{"lemmas proved", "trace refuted", " proved", " refuted"} {
		if reused[kind] < 50 {
			t.Errorf("reused: %v", reused)
		}
	}
}

// TestLiveLies: what does not show the outcome is a fault of the engine, and unknown.
func TestLiveLies(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	b.Justice([]circuit.Lit{l}, 0)
	c := b.Build()
	p := circuit.Property{Kind: circuit.PropertyJustice}
	row := [][]circuit.Value{{circuit.One}}
	for name, lie := range map[string]cert.Verdict{
		"no ranking":        {Outcome: cert.Proved},
		"all states":        {Outcome: cert.Proved, Ranking: &cert.Ranking{Ranks: []cert.Invariant{{}}}},
		"a literal outside": {Outcome: cert.Proved, Ranking: &cert.Ranking{Ranks: []cert.Invariant{{{1000}}}}},
		"an input":          {Outcome: cert.Proved, Ranking: &cert.Ranking{Monotone: []cert.Invariant{{{in}}}}},
		"no lasso":          {Outcome: cert.Refuted},
		"a trace":           {Outcome: cert.Refuted, Trace: cert.Trace{Initial: row[0], Inputs: row}},
		"too many latches":  {Outcome: cert.Refuted, Lasso: &cert.Lasso{Trace: cert.Trace{Initial: make([]circuit.Value, 5), Inputs: row}}},
		"a loop nowhere":    {Outcome: cert.Refuted, Lasso: &cert.Lasso{Trace: cert.Trace{Initial: make([]circuit.Value, 1), Inputs: row}, Loop: 7}},
		"no such loop":      {Outcome: cert.Refuted, Lasso: &cert.Lasso{Trace: cert.Trace{Initial: make([]circuit.Value, 1), Inputs: row}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := verify.Run(t.Context(), verify.Job{Circuit: c, Property: p, Engine: claiming(lie)}, nil)
			if r.Checked.Outcome() != cert.Unknown || r.Internal == nil {
				t.Errorf("%s, internal error %v", r.Checked, r.Internal)
			}
		})
	}
}

// claiming returns an engine that claims the same of everything.
func claiming(v cert.Verdict) verify.Engine {
	return verify.Engine{Name: "claims", Safety: true, Liveness: true, Check: func(context.Context, verify.Task) verify.Report {
		return verify.Report{Verdict: v}
	}}
}

// TestGranted: what is proved of a bad is taken for granted by a run about a justice
// property, whose proof then holds it; the answers are those of a search of all states.
func TestGranted(t *testing.T) {
	outcomes, granted := map[cert.Outcome]int{}, map[bool]int{}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(6, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 2, Latches: 5, Gates: 14, Constraints: 1, FreeLatches: true, OneResets: true,
			ResetFunctions: seed%2 == 0, Justice: 2, Fairness: 1,
		})
		common := verify.NewCommon(c)
		bad := verify.Run(context.Background(), verify.Job{Circuit: c, Property: circuit.Property{}, Engine: engines.NewAuto(), Common: common}, nil)
		p := circuit.Property{Kind: circuit.PropertyJustice}
		engine := searching(nil)
		if seed%3 == 0 {
			engine = engines.NewAuto()
		}
		got := verify.Run(context.Background(), verify.Job{Circuit: c, Property: p, Engine: engine, Common: common}, nil)
		want := cert.Proved
		if explicit.Violated(c, p) {
			want = cert.Refuted
		}
		if got.Checked.Outcome() != want || got.Internal != nil {
			t.Fatalf("seed %d: %v, want %v: %v", seed, got.Checked, want, got.Internal)
		}
		outcomes[want]++
		if len(got.Granted) == 0 {
			continue
		}
		granted[c.HasResetFunctions()]++
		if want != cert.Proved || bad.Checked.Outcome() != cert.Proved || got.Granted[0] != bad.Fingerprint {
			t.Errorf("seed %d: %v rests on %v, and that is %v", seed, got.Checked, got.Granted, bad.Checked)
		}
		for _, rank := range got.Checked.Ranking().Ranks {
			if len(rank) < len(bad.Checked.Invariant()) {
				t.Errorf("seed %d: a rank of %d clauses does not hold the %d of the bad", seed, len(rank), len(bad.Checked.Invariant()))
			}
		}
	}
	t.Logf("%v, granted %v", outcomes, granted)
	if min(outcomes[cert.Proved], outcomes[cert.Refuted]) < 200 || min(granted[false], granted[true]) < 20 {
		t.Errorf("%v, granted %v", outcomes, granted)
	}
}

// TestGrantedSeveral: several invariants may be granted at once, and in a circuit with reset
// functions to a cone that has none; no certificate is rejected for that.
func TestGrantedSeveral(t *testing.T) {
	granted := map[bool]int{} // by whether the circuit has reset functions
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(77, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 3, Latches: 8, Gates: 50, MoreBads: 6, Constraints: r.IntN(2), FreeLatches: r.IntN(2) == 0,
			OneResets: true, ResetFunctions: r.IntN(3) > 0, Justice: 1 + r.IntN(3),
		})
		common := verify.NewCommon(c)
		for _, p := range c.Properties() {
			got := verify.Run(t.Context(), verify.Job{Circuit: c, Property: p, Engine: engines.NewAuto(), Common: common}, nil)
			if p.Kind != circuit.PropertyJustice {
				continue
			}
			want := cert.Proved
			if explicit.Violated(c, p) {
				want = cert.Refuted
			}
			if got.Checked.Outcome() != want || got.Internal != nil {
				t.Fatalf("seed %d: %v, want %v: %v", seed, got.Checked, want, got.Internal)
			}
			if len(got.Granted) > 0 {
				granted[c.HasResetFunctions()]++
			}
		}
	}
	if min(granted[false], granted[true]) < 20 {
		t.Errorf("granted %v", granted)
	}
}

// TestEndDuringLift: a context that ends while a ranking is lifted or checked leaves an
// unknown verdict, and no internal error.
func TestEndDuringLift(t *testing.T) {
	build := func() *circuit.Circuit {
		b := circuit.NewBuilder(0)
		in, x, y := b.Input(0), b.Latch(0), b.Latch(0)
		b.SetNext(x, b.And(x, in))
		b.SetReset(y, in)
		g := in
		for range 20_000 { // what the property does not depend on
			g = b.And(g, b.Input(0))
		}
		b.SetNext(b.Latch(0), g)
		b.Justice([]circuit.Lit{x, y}, 0)
		return b.Build()
	}
	p := circuit.Property{Kind: circuit.PropertyJustice}
	r := verify.Run(t.Context(), verify.Job{Circuit: build(), Property: p, Engine: searching(nil)}, nil)
	if r.Checked.Ranking() == nil {
		t.Fatalf("the property is %s", r.Checked)
	}
	ends := 0
	for ; ; ends++ {
		// A circuit of its own, for which nothing was worked out yet.
		got, ok := r.TransferTo(shared.NewPolls(ends+1), build(), p)
		if got.Internal != nil {
			t.Fatalf("look %d: %v", ends+1, got.Internal)
		}
		if ok {
			break
		}
	}
	if ends < 20 {
		t.Errorf("done after %d looks", ends)
	}
}
