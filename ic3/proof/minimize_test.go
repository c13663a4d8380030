package proof_test

import (
	"context"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/ic3/engines"
	"aiglens/ic3/proof"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/shared"
)

// invariantOf returns a proof of the only bad of a circuit; ok is false when there is none.
func invariantOf(t *testing.T, c *circuit.Circuit) (inv cert.Invariant, ok bool) {
	t.Helper()
	r := verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil)
	return r.Checked.Invariant(), r.Checked.Outcome() == cert.Proved
}

// TestMinimizeRandom minimises the proofs of random circuits, with all kinds of resets and with
// constraints, and has each result judged by explicit search. Proofs of all reachable
// states make it harder than those of an engine: each state that cannot be reached is a
// clause.
func TestMinimizeRandom(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 5, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true, Constants: true, ResetFunctions: true}
	before, after, functions, bounded := 0, 0, 0, 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(19, seed))
		c := explicit.RandomCircuit(r, shape)
		inv, ok := invariantOf(t, c)
		if !ok {
			continue
		}
		if seed%2 == 0 {
			inv = allUnreachable(c)
		}
		p := circuit.Problem{Circuit: c}
		effort := []int64{1_000_000, 1_000_000, int64(r.IntN(5_000))}[seed%3]
		small, stats, err := proof.Minimize(t.Context(), p, inv, effort)
		if err != nil {
			t.Fatal(err)
		}
		if v := (cert.Verdict{Outcome: cert.Proved, Invariant: small}); !explicit.Certifies(c, bad0, v) {
			t.Fatalf("seed %d: %v made of %v is not an invariant", seed, small, inv)
		}
		if stats.After > stats.Before || stats.After != facts.Literals(small) || stats.ClausesAfter != len(small) {
			t.Errorf("seed %d: %+v, %v", seed, stats, small)
		}
		again, statsAgain, _ := proof.Minimize(t.Context(), p, inv, effort)
		if !reflect.DeepEqual(again, small) || stats != statsAgain {
			t.Errorf("seed %d: another run, another result", seed)
		}
		before, after = before+stats.Before, after+stats.After
		if c.HasResetFunctions() {
			functions++
		}
		if stats.Bounded {
			bounded++
		}
	}
	t.Logf("literals %d, then %d; %d circuits with reset functions, %d bounded", before, after, functions, bounded)
	if after*2 > before || functions < 20 || bounded < 20 {
		t.Errorf("literals %d, then %d; %d circuits with reset functions, %d bounded", before, after, functions, bounded)
	}
}

// allUnreachable returns the invariant of exactly the reachable states, from step 1 on in
// a circuit with reset functions.
func allUnreachable(c *circuit.Circuit) cert.Invariant {
	var inv cert.Invariant
	for state, reached := range explicit.Reachable(c) {
		if reached {
			continue
		}
		var clause []circuit.Lit
		for i, l := range c.Latches() {
			clause = append(clause, l.Lit.NotIf(state>>i&1 == 1))
		}
		inv = append(inv, clause)
	}
	return inv
}

func TestMinimizeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := circuit.NewBuilder(4)
	x := b.Latch(0)
	b.SetNext(x, x)
	b.Bad(x, 0)
	if _, _, err := proof.Minimize(ctx, circuit.Problem{Circuit: b.Build()}, cert.Invariant{{x.Not()}}, 1000); err != context.Canceled {
		t.Error(err)
	}
}

// TestMinimizeBenchmarks minimises the proofs of real circuits within a share of their runs, and
// logs what became smaller. With AIGLENS_LONG these are all of the tiers in
// AIGLENS_TIERS, smoke, small and mid when that is empty.
func TestMinimizeBenchmarks(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "benchmarks")
	f, err := os.Open(filepath.Join(dir, "peers.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	field := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	long := os.Getenv("AIGLENS_LONG") != ""
	tiers := strings.Split("smoke,small,mid", ",")
	if s := os.Getenv("AIGLENS_TIERS"); s != "" {
		tiers = strings.Split(s, ",")
	}
	var before, after, large, smaller int
	for _, row := range rows[1:] {
		file := field(row, "file")
		if field(row, "expected") != "safe" || !slices.Contains(tiers, field(row, "tier")) || strings.HasPrefix(field(row, "property"), "j") {
			continue
		}
		if size, err := strconv.Atoi(field(row, "bytes")); !long && (err != nil || size > 1500 || field(row, "tier") != "smoke") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		in, err := aiger.Read(file, data)
		if err != nil {
			t.Fatal(err)
		}
		cone, err := in.Circuit().Cone(in.Circuit().Properties()[0])
		if err != nil {
			t.Fatal(err)
		}
		c := cone.Circuit
		r := verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto(), Limits: verify.Limits{CPU: 60 * time.Second}}, nil)
		if r.Checked.Outcome() != cert.Proved {
			continue
		}
		effort := int64(r.Stats[verify.StatEffort])
		begin := time.Now()
		small, s, err := proof.Minimize(t.Context(), circuit.Problem{Circuit: c}, r.Checked.Invariant(), proof.MinimizeEffort(effort))
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(begin)
		if _, err := cert.Check(t.Context(), c, bad0, cert.Verdict{Outcome: cert.Proved, Invariant: small}); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if s.Before > 100 {
			large++
			before, after = before+s.Before, after+s.After
			if 10*s.After <= 7*s.Before {
				smaller++
			}
		}
		t.Logf("%s: %d literals, then %d (%d clauses, %d); run %.2f s, effort %d; %.3f s, effort %d, bounded %t",
			file, s.Before, s.After, s.ClausesBefore, s.ClausesAfter, r.Elapsed.Seconds(), effort, took.Seconds(), s.Effort, s.Bounded)
	}
	if long && 10*after > 7*before {
		t.Errorf("%d literals, then %d", before, after)
	}
	t.Logf("%d invariants with more than 100 literals: %d, then %d, ratio %.2f; %d at most 0.7", large, before, after, float64(after)/float64(max(before, 1)), smaller)
}
