package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/engines"
	"aiglens/ic3/sat"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// reuser is how a run gets and uses an earlier result.
type reuser struct {
	names  func(r *rand.Rand, c *circuit.Circuit) verify.Names
	before func(r *rand.Rand, c *circuit.Circuit) *circuit.Circuit // that the earlier result is about
}

var reusers = map[string]reuser{
	"an edit before": {ownNames, randomEdit},
	"names permuted": {
		func(r *rand.Rand, c *circuit.Circuit) verify.Names {
			n := ownNames(r, c)
			r.Shuffle(len(n.Latches), func(i, j int) { n.Latches[i], n.Latches[j] = n.Latches[j], n.Latches[i] })
			r.Shuffle(len(n.Inputs), func(i, j int) { n.Inputs[i], n.Inputs[j] = n.Inputs[j], n.Inputs[i] })
			return n
		}, randomEdit,
	},
	"few names, some twice": {
		func(r *rand.Rand, c *circuit.Circuit) verify.Names {
			n := ownNames(r, c)
			for _, names := range [][]string{n.Latches, n.Inputs} {
				for i := range names {
					names[i] = []string{"", "x", names[i], names[0]}[r.IntN(4)]
				}
			}
			n.Latches = n.Latches[:r.IntN(len(n.Latches)+1)]
			return n
		}, randomEdit,
	},
	"another circuit": {ownNames, func(r *rand.Rand, _ *circuit.Circuit) *circuit.Circuit { return explicit.RandomCircuit(r, reuseShape) }},
}

var reuseShape = explicit.Shape{Inputs: 3, Latches: 6, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true, Constants: true, ResetFunctions: true, Hidden: 1}

func randomEdit(r *rand.Rand, c *circuit.Circuit) *circuit.Circuit {
	edited, _ := explicit.Edit(r, c)
	return edited
}

func ownNames(_ *rand.Rand, c *circuit.Circuit) verify.Names {
	var n verify.Names
	for i := range c.Latches() {
		n.Latches = append(n.Latches, fmt.Sprintf("l%d", i))
	}
	for i := range c.Inputs() {
		n.Inputs = append(n.Inputs, fmt.Sprintf("i%d", i))
	}
	return n
}

// TestEarlier compares with explicit search: an earlier result, of whatever circuit
// and under whatever names, never makes a verdict wrong, and none is without a
// certificate. AIGLENS_LONG is the number of circuits for each way to reuse it.
func TestEarlier(t *testing.T) {
	circuits := uint64(600)
	if n, err := strconv.ParseUint(os.Getenv("AIGLENS_LONG"), 10, 64); err == nil {
		circuits = max(circuits, n)
	}
	reused := map[verify.Reuse]int{}
	for name, u := range reusers {
		for seed := range circuits {
			r := rand.New(rand.NewPCG(41, seed))
			c := explicit.RandomCircuit(r, reuseShape)
			old := u.before(r, c)
			var earlier []*verify.Earlier
			for _, before := range []*circuit.Circuit{old, nil, randomEdit(r, old)} {
				if before == nil {
					earlier = append(earlier, nil)
					continue
				}
				result := checkEarlier(t, before, nil, verify.Names{}, seed)
				earlier = append(earlier, result.Earlier(t.Context(), before, ownNames(r, before)))
			}
			result := checkEarlier(t, c, earlier, u.names(r, c), seed)
			reused[result.Reused]++
			if t.Failed() {
				t.Fatalf("%s, seed %d", name, seed)
			}
		}
	}
	if reused[verify.ReusedTrace] < 100 || reused[verify.ReusedLemmas] < 100 || reused[verify.ReusedNothing] < 50 {
		t.Errorf("reused: %v", reused)
	}
}

// checkEarlier runs a check and compares its verdict.
func checkEarlier(t *testing.T, c *circuit.Circuit, earlier []*verify.Earlier, names verify.Names, seed uint64) verify.Result {
	t.Helper()
	auto := engines.Auto()
	if seed%2 == 1 {
		auto.Options.Solver = sat.NewGini
	}
	auto.NoReduce = seed%3 == 0
	got := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: auto.Engine(), Earlier: earlier, Names: names}, nil)
	want := cert.Refuted
	if explicit.FirstBadStep(c, bad0) == explicit.NotViolated {
		want = cert.Proved
	}
	if got.Checked.Outcome() != want || !got.Checked.Certified() || got.Internal != nil {
		t.Errorf("%s, internal error %v, want %s", got.Checked, got.Internal, want)
	}
	return got
}

// chain returns a circuit in which a latch counts the steps in which the input is 1,
// one-hot and up to n; bad when the count is at. A spare latch stands in front when
// asked for.
func chain(n, at int, spare bool) (*circuit.Circuit, verify.Names) {
	b := circuit.NewBuilder(0)
	var names verify.Names
	if spare {
		l := b.Latch(0)
		b.SetNext(l, b.Input(0))
		names.Latches, names.Inputs = append(names.Latches, "spare"), append(names.Inputs, "other")
	}
	in := b.Input(0)
	names.Inputs = append(names.Inputs, "in")
	var latches []circuit.Lit
	for i := range n {
		latches = append(latches, b.Latch(0))
		names.Latches = append(names.Latches, fmt.Sprint("count", i))
	}
	before := circuit.True
	for _, l := range latches {
		b.SetNext(l, b.Or(l, b.And(in, before)))
		before = l
	}
	b.Bad(b.And(latches[at], b.Or(latches[0], in)), 0)
	return b.Build(), names
}

// TestReplay: a counterexample is found again by names, where it stands now, ends at
// the first violation and may take a step more than before.
func TestReplay(t *testing.T) {
	old, names := chain(8, 6, false)
	before := verify.Run(context.Background(), verify.Job{Circuit: old, Property: bad0, Engine: engines.NewAuto()}, nil)
	if before.Reused != verify.ReusedNothing || before.Checked.Trace().Steps() != 8 {
		t.Fatalf("%s, reused %q", before.Checked, before.Reused)
	}
	earlier := before.Earlier(t.Context(), old, names)
	for _, at := range []int{6, 3, 7, 14} {
		c, names := chain(15, at, true)
		r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: never(t, at == 14), Earlier: []*verify.Earlier{nil, earlier}, Names: names}, nil)
		if at == 14 { // the old trace is far too short
			if r.Reused != verify.ReusedNothing || r.Checked.Outcome() != cert.Refuted {
				t.Errorf("at %d: %s, reused %q", at, r.Checked, r.Reused)
			}
			continue
		}
		if r.Reused != verify.ReusedTrace || r.Checked.Trace().Steps() != at+2 || !r.Checked.Certified() || r.Engine != "replay" {
			t.Errorf("at %d: %s by %s, reused %q", at, r.Checked, r.Engine, r.Reused)
		}
	}
}

// never returns an engine that should not be asked, but where it may.
func never(t *testing.T, may bool) verify.Engine {
	return verify.Engine{Name: "never", Safety: true, Check: func(ctx context.Context, task verify.Task) verify.Report {
		if !may {
			t.Error("the engine was asked")
		}
		return engines.NewAuto().Check(ctx, task)
	}}
}

// TestNothingEarlier: an unknown result leaves nothing.
func TestNothingEarlier(t *testing.T) {
	c, names := chain(3, 2, false)
	r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: circuit.Property{Kind: circuit.PropertyJustice}, Engine: engines.NewAuto()}, nil)
	if e := r.Earlier(t.Context(), c, names); e != nil {
		t.Errorf("%+v", e)
	}
	if e := (verify.Result{}).Earlier(t.Context(), c, names); e != nil {
		t.Errorf("%+v", e)
	}
}

// TestSeededDeterministic: with an earlier result, too, same circuit, same run.
func TestSeededDeterministic(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 10, Gates: 80, OneResets: true}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(42, seed))
		c := explicit.RandomCircuit(r, shape)
		before := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil)
		job := verify.Job{Property: bad0, Earlier: []*verify.Earlier{before.Earlier(t.Context(), c, ownNames(r, c))}}
		job.Circuit = randomEdit(r, c)
		job.Names = ownNames(r, job.Circuit)
		var trails [2][]verify.Progress
		for i := range trails {
			job.Engine = engines.NewAuto()
			verify.Run(context.Background(), job, func(p verify.Progress) { trails[i] = append(trails[i], p) })
		}
		if !slices.Equal(trails[0], trails[1]) {
			t.Fatalf("seed %d: two runs differ", seed)
		}
	}
}

// liar returns an engine that claims that the clauses given to it are an invariant, and notes them.
func liar(given *verify.Seeds) verify.Engine {
	return verify.Engine{Name: "liar", Safety: true, TakesSeeds: true, Check: func(_ context.Context, t verify.Task) verify.Report {
		*given = t.Seeds
		return verify.Report{Verdict: cert.Verdict{Outcome: cert.Proved, Invariant: t.Seeds.Clauses}}
	}}
}

// TestSeedsAreNoProof: an earlier invariant that is none any more proves nothing,
// whatever an engine says.
func TestSeedsAreNoProof(t *testing.T) {
	old, names := chain(4, 2, false)
	b := circuit.NewBuilder(0)
	in := b.Input(0)
	for range 4 {
		l := b.Latch(0)
		b.SetNext(l, in)
		b.SetReset(l, circuit.True)
	}
	b.Bad(b.And(old.Latches()[0].Lit, old.Latches()[1].Lit.Not()), 0)
	proved := b.Build()
	before := verify.Run(context.Background(), verify.Job{Circuit: proved, Property: bad0, Engine: engines.IC3{Options: ic3.Options{}, NoReduce: true}.Engine()}, nil)
	if before.Checked.Outcome() != cert.Proved || len(before.Checked.Invariant()) == 0 {
		t.Fatal(before.Checked)
	}
	var given verify.Seeds
	r := verify.Run(context.Background(), verify.Job{Circuit: old, Property: bad0, Engine: liar(&given), Names: names,
		Earlier: []*verify.Earlier{before.Earlier(t.Context(), proved, names)}}, nil)
	if len(given.Clauses) == 0 || r.Checked.Outcome() != cert.Unknown || r.Internal == nil {
		t.Errorf("%d clauses, %s, %v", len(given.Clauses), r.Checked, r.Internal)
	}
}

// TestEffortIsInherited: after several edits, the effort of the run from scratch still
// says what the clauses are worth.
func TestEffortIsInherited(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 10, Gates: 80, OneResets: true}
	reused := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(62, seed))
		c := explicit.RandomCircuit(r, shape)
		names := verify.Names{Latches: make([]string, len(c.Latches()))}
		for i := range names.Latches {
			names.Latches[i] = string(rune('a' + i))
		}
		result := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil)
		for range 3 {
			before := result.Earlier(t.Context(), c, names)
			c, _ = explicit.Edit(r, c)
			result = verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto(), Earlier: []*verify.Earlier{before}, Names: names}, nil)
			if result.Reused != verify.ReusedLemmas {
				break
			}
			reused++
			if after := result.Earlier(t.Context(), c, names); result.Checked.Outcome() == cert.Proved && (before.Effort() == 0 || after.Effort() < before.Effort()) {
				t.Fatalf("seed %d: effort %d, then %d", seed, before.Effort(), after.Effort())
			}
		}
	}
	if reused < 10 {
		t.Errorf("clauses were used again only %d times", reused)
	}
}
