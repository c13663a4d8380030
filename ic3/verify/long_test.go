package verify_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/classic"
	"aiglens/ic3/classic/classictest"
	"aiglens/ic3/engines"
	"aiglens/ic3/live"
	"aiglens/ic3/sat"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/source"
)

// contender is an engine as it is compared.
type contender struct {
	name   string
	engine func() verify.Engine
	// latches is the size up to which it is compared: simple paths can be as long
	// as there are states.
	latches int
}

func contenders() []contender {
	var all []contender
	for _, s := range []struct {
		name    string
		factory sat.Factory
	}{{"core", sat.NewCore}, {"gini", sat.NewGini}} {
		for _, noReduce := range []bool{false, true} {
			name := fmt.Sprintf("ic3, reduced %v, %s", !noReduce, s.name)
			all = append(all, contender{name, func() verify.Engine {
				return engines.IC3{Options: ic3.Options{Solver: s.factory}, NoReduce: noReduce}.Engine()
			}, 8})
		}
		for _, v := range classic.Variants() {
			latches := 8
			if v == classic.SimplePaths || v == classic.InvariantStrengthen {
				latches = 5
			}
			all = append(all, contender{string(v) + ", " + s.name, func() verify.Engine {
				e, err := engines.Spec{Variant: string(v), Solver: s.name}.New()
				if err != nil {
					panic(err)
				}
				return e
			}, latches})
		}
	}
	return all
}

// tally counts what an engine answered.
type tally struct{ runs, wrong, unknown, proved, deep, refuted, long int }

func (a *tally) add(b tally) {
	a.runs += b.runs
	a.wrong += b.wrong
	a.unknown += b.unknown
	a.proved += b.proved
	a.deep += b.deep
	a.refuted += b.refuted
	a.long += b.long
}

func (a tally) String() string {
	return fmt.Sprintf("%d runs: %d wrong, %d unknown; %d proved, %d with two frames and more; %d refuted, %d first violated in step 3 or later",
		a.runs, a.wrong, a.unknown, a.proved, a.deep, a.refuted, a.long)
}

// TestEnginesAgreeWithSearch compares every engine with explicit search on random
// circuits; every certificate is checked. With AIGLENS_LONG there are 20,000 runs,
// and the shares of deep proofs and long counterexamples are required.
func TestEnginesAgreeWithSearch(t *testing.T) {
	all := contenders()
	circuits, long := 20, os.Getenv("AIGLENS_LONG") != ""
	if long {
		circuits = 730
	}
	tallies := make([]tally, len(all))
	for seed := range uint64(circuits) {
		c := classictest.Sample(rand.New(rand.NewPCG(11, seed)))
		first := explicit.FirstBadStep(c, bad0)
		for i, e := range all {
			if len(c.Latches()) <= e.latches {
				tallies[i].add(compare(t, fmt.Sprintf("%s, seed %d", e.name, seed), e.engine(), c, first))
			}
		}
	}
	var sum tally
	for i, e := range all {
		t.Logf("%s: %s", e.name, tallies[i])
		sum.add(tallies[i])
	}
	t.Logf("all: %s", sum)
	if long && (sum.runs < 20_000 || sum.deep*10 < sum.runs*3 || sum.long*10 < sum.runs*3) {
		t.Error("too few runs, deep proofs or long counterexamples")
	}
}

// compare runs an engine on a circuit that is first bad in a given step.
func compare(t *testing.T, what string, e verify.Engine, c *circuit.Circuit, first int) tally {
	t.Helper()
	result := tally{runs: 1}
	r := e.Check(context.Background(), verify.Task{Problem: circuit.Problem{Circuit: c}, Progress: func(verify.Progress) {}})
	v := r.Verdict
	if r.Err != nil {
		t.Errorf("%s: %v", what, r.Err)
		result.unknown++
		return result
	}
	_, rejected := cert.Check(context.Background(), c, bad0, v)
	switch {
	case v.Outcome == cert.Unknown:
		t.Errorf("%s: unknown: %s", what, v.Reason)
		result.unknown++
	case rejected != nil, v.Outcome == cert.Proved != (first == explicit.NotViolated), v.Outcome == cert.Refuted && v.Depth > first:
		t.Errorf("%s: %s, certificate %v, depth %d, first bad step by search %d", what, v.Outcome, rejected, v.Depth, first)
		result.wrong++
	case v.Outcome == cert.Proved:
		result.proved++
		if v.Depth >= 2 {
			result.deep++
		}
	default:
		result.refuted++
		if first >= 3 {
			result.long++
		}
	}
	return result
}

// justiceContenders are the engines for justice properties, with each solver. Some prove
// or refute alone.
func justiceContenders(t *testing.T, outcome cert.Outcome) []contender {
	t.Helper()
	alone := map[string]cert.Outcome{live.Lasso: cert.Refuted, live.LivenessToSafety: cert.Refuted, live.KLiveness: cert.Proved}
	var all []contender
	for _, row := range engines.All() {
		if only, ok := alone[row.Name]; !row.Answers(circuit.Liveness) || ok && only != outcome {
			continue
		}
		for _, solver := range row.Solvers {
			spec := engines.Spec{Engine: row.Name, Solver: solver}
			all = append(all, contender{row.Name + ", " + solver, func() verify.Engine {
				e, err := spec.New()
				if err != nil {
					t.Fatal(err)
				}
				return e
			}, 0})
		}
	}
	return all
}

// propertyNamed returns the property with a symbol.
func propertyNamed(t *testing.T, file *syntax.File, c *circuit.Circuit, name string) circuit.Property {
	t.Helper()
	sections := map[circuit.PropertyKind]syntax.SectionKind{
		circuit.PropertyBad: syntax.SectionBads, circuit.PropertyOutput: syntax.SectionOutputs, circuit.PropertyJustice: syntax.SectionJustice,
	}
	for _, p := range c.Properties() {
		if s, ok := file.Symbol(sections[p.Kind], p.Index); ok && s.Name == name {
			return p
		}
	}
	t.Fatalf("no property %q", name)
	return circuit.Property{}
}

// TestExamples: every variant, with both solvers, judges the teaching circuits as
// their table says, and so does every engine for justice properties.
func TestExamples(t *testing.T) {
	dir := filepath.Join("..", "..", "examples")
	table, err := os.Open(filepath.Join(dir, "EXPECTED.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	rows, err := csv.NewReader(table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	judged, justice := 0, 0
	for _, row := range rows[1:] {
		if !strings.HasSuffix(row[0], ".aag") {
			continue // the other format reads into the same circuits
		}
		text, err := os.ReadFile(filepath.Join(dir, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		file := syntax.Parse(source.NewText(string(text)))
		c := aiger.Elaborate(file).Circuit
		p, want := propertyNamed(t, file, c, row[1]), row[2]
		all := contenders()
		switch {
		case p.Kind == circuit.PropertyJustice && want == cert.Refuted.String():
			var first, last int
			if _, err := fmt.Sscanf(row[3], "%d-%d", &first, &last); err != nil {
				t.Fatal(err)
			}
			all, want = justiceContenders(t, cert.Refuted), "refuted: "+cert.LoopWords(first, last)
		case p.Kind == circuit.PropertyJustice:
			all = justiceContenders(t, cert.Proved)
		case want == cert.Refuted.String():
			want = "refuted at step " + row[3]
		}
		if p.Kind == circuit.PropertyJustice {
			justice += len(all)
		}
		for _, e := range all {
			r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: p, Engine: e.engine()}, nil)
			if got := r.Checked.String(); !r.Checked.Certified() || got != want && !strings.HasPrefix(got, want+" ·") {
				t.Errorf("%s: %s of %s is %s, want %s", e.name, row[1], row[0], got, want)
			}
			judged++
		}
	}
	if judged < 500 || justice < 14 {
		t.Errorf("only %d answers, %d of them about justice properties", judged, justice)
	}
}
