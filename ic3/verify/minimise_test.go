package verify_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
)

// refuted returns the cones of the benchmarks of tiers smoke and small whose property
// is violated, by file: without AIGLENS_LONG the small files of tier smoke.
func refuted(t *testing.T) (files []string, cones map[string]*circuit.Cone) {
	t.Helper()
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
	cones = map[string]*circuit.Cone{}
	for _, row := range rows[1:] {
		p, safety := map[string]circuit.Property{
			"o0": {Kind: circuit.PropertyOutput}, "b0": {Kind: circuit.PropertyBad},
		}[field(row, "property")]
		tier := field(row, "tier")
		if !safety || field(row, "expected") != "unsafe" || tier != "smoke" && (tier != "small" || !long) {
			continue
		}
		file := field(row, "file")
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if !long && len(data) > 5000 {
			continue
		}
		in, err := aiger.Read(file, data)
		if err != nil {
			t.Fatal(err)
		}
		if cones[file], err = in.Circuit().Cone(p); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files, cones
}

// TestBenchmarksMinimised makes the counterexamples of real circuits minimal, tests
// each value that is left by simulation from the start of its step, and logs what
// became shorter. With AIGLENS_LONG these are all of the tiers smoke and small.
func TestBenchmarksMinimised(t *testing.T) {
	files, cones := refuted(t)
	if len(files) < 10 {
		t.Fatalf("%d benchmarks only", len(files))
	}
	var before, justified, after, spent, part []float64
	share := func(n, all int) float64 { return float64(n) / float64(max(all, 1)) }
	found, shortened, left := 0, 0, 0
	for _, file := range files {
		c := cones[file].Circuit
		start := time.Now()
		run := engines.NewAuto().Check(t.Context(), verify.Task{Problem: cones[file].Problem, Progress: func(verify.Progress) {}})
		v := run.Verdict
		if run.Err != nil || v.Outcome != cert.Refuted {
			t.Errorf("%s: %s, %v", file, v.Outcome, run.Err)
			continue
		}
		short := verify.Shorten(t.Context(), c, v)
		elapsed := time.Since(start)
		start = time.Now()
		got, s, err := trace.Minimize(t.Context(), c, c.Bads()[0].Lit, short.Trace, verify.MinimiseWork)
		took := time.Since(start)
		if err != nil || s.Bounded {
			t.Errorf("%s: %+v, %v", file, s, err)
			continue
		}
		checkMinimal(t, file, c, got)
		found, shortened, left = found+v.Trace.Steps(), shortened+short.Trace.Steps(), left+got.Steps()
		spent, part = append(spent, took.Seconds()*1000), append(part, took.Seconds()/elapsed.Seconds())
		if s.Inputs.All > 0 {
			before = append(before, share(s.Inputs.Before, s.StepsBefore*len(c.Inputs())))
			justified = append(justified, share(s.Inputs.Justified, s.Inputs.All))
			after = append(after, share(s.Inputs.After, s.Inputs.All))
		}
		t.Logf("%s: steps %d, %d by bounded search, %d; inputs %+v, free latches %+v; run %.1f ms, minimised in %.1f ms, work %d",
			file, v.Trace.Steps(), short.Trace.Steps(), got.Steps(), s.Inputs, s.Latches, elapsed.Seconds()*1000, spent[len(spent)-1], s.Work)
	}
	for _, list := range [][]float64{before, justified, after, spent, part} {
		slices.Sort(list)
	}
	median := func(list []float64) float64 { return list[len(list)/2] }
	t.Logf("%d counterexamples, steps of all: %d found, %d after bounded search, %d at last", len(files), found, shortened, left)
	t.Logf("median share of input values determined: %.3f, %.3f in one justification, %.3f at last", median(before), median(justified), median(after))
	t.Logf("minimised in %.2f ms (median), %.1f ms (most); part of the run %.3f (median), %.2f (most)",
		median(spent), spent[len(spent)-1], median(part), part[len(part)-1])
}

// checkMinimal fails when the trace violates nothing, or still does when one more
// value is x.
func checkMinimal(t *testing.T, file string, c *circuit.Circuit, run cert.Trace) {
	t.Helper()
	sim := circuit.NewTernary(c)
	// states[i] is the state at step i.
	var states [][]circuit.Value
	sim.Reset()
	for i, l := range c.Latches() {
		if l.IsFree() {
			sim.SetLatch(i, run.Initial[i])
		}
	}
	violatesFrom := func(step int, keep bool) bool {
		for ; step < run.Steps(); step++ {
			if keep {
				var state []circuit.Value
				for _, l := range c.Latches() {
					state = append(state, sim.Value(l.Lit))
				}
				states = append(states, state)
			}
			sim.Eval(run.Inputs[step])
			for _, s := range c.Constraints() {
				if sim.Value(s.Lit) != circuit.One {
					return false
				}
			}
			if step < run.Steps()-1 {
				sim.Advance()
			}
		}
		return sim.Value(c.Bads()[0].Lit) == circuit.One
	}
	if !violatesFrom(0, true) {
		t.Errorf("%s: the trace violates nothing", file)
		return
	}
	try := func(what string, value *circuit.Value, step int) {
		if *value == circuit.X {
			return
		}
		was := *value
		*value = circuit.X
		for i := range c.Latches() {
			sim.SetLatch(i, states[step][i])
		}
		if violatesFrom(step, false) {
			t.Errorf("%s: %s does not matter at step %d", file, what, step)
		}
		*value = was
	}
	for step, row := range run.Inputs {
		for i := range row {
			try("an input", &row[i], step)
		}
	}
	for i, l := range c.Latches() {
		if l.IsFree() {
			try("a free latch", &states[0][i], 0)
		}
	}
}

// TestRunMinimises: what leaves a run is minimal, in a circuit with more than the
// cone, from an engine, an earlier trace and the cache.
func TestRunMinimises(t *testing.T) {
	// A counter of three bits runs while its input is 1; bad is 4. Nothing else matters.
	b := circuit.NewBuilder(0)
	other, enable, noise := b.Input(0), b.Input(0), b.Input(0)
	free := b.Latch(0)
	b.SetNext(free, other)
	b.SetReset(free, free)
	carry := enable
	var last circuit.Lit
	for range 3 {
		l := b.Latch(0)
		b.SetNext(l, b.Xor(l, carry))
		carry = b.And(carry, l)
		last = l
	}
	b.Bad(b.And(last, b.Or(noise, b.And(noise.Not(), last))), 0)
	c := b.Build()
	run := func(job verify.Job) verify.Result {
		t.Helper()
		job.Circuit, job.Property, job.Engine = c, circuit.Property{}, engines.NewAuto()
		job.Names = verify.Names{Latches: []string{"free", "a", "b", "c"}, Inputs: []string{"other", "enable", "noise"}}
		r := verify.Run(t.Context(), job, nil)
		got := r.Checked.Trace()
		if !r.Checked.Certified() || got.Steps() != 5 || !r.IsMinimal() {
			t.Fatalf("%s, minimal %v", r, r.IsMinimal())
		}
		checkMinimal(t, "counter", c, got)
		for step, row := range got.Inputs {
			if row[0] != circuit.X || step < 4 && (row[1] != circuit.One || row[2] != circuit.X) {
				t.Errorf("step %d: %v", step, row)
			}
		}
		return r
	}
	first := run(verify.Job{})
	earlier := run(verify.Job{Earlier: []*verify.Earlier{first.Earlier(t.Context(), c, verify.Names{
		Latches: []string{"free", "a", "b", "c"}, Inputs: []string{"other", "enable", "noise"},
	})}})
	if earlier.Reused != verify.ReusedTrace {
		t.Errorf("the second run reused %q", earlier.Reused)
	}
	// A cache whose trace has a value everywhere, as those of older programs do.
	full := first.Claim()
	full.Trace = cert.Trace{Initial: first.Claim().Trace.Initial}
	for _, row := range first.Claim().Trace.Inputs {
		full.Trace.Inputs = append(full.Trace.Inputs, make([]circuit.Value, len(row)))
		for i, v := range row {
			full.Trace.Inputs[len(full.Trace.Inputs)-1][i] = v % 2 // x is 2
		}
	}
	if cached := run(verify.Job{Cache: oneEntry{full}}); !cached.Cached {
		t.Error("the third run did not ask the cache")
	}
}

// oneEntry is a cache with one answer.
type oneEntry struct{ verdict cert.Verdict }

func (o oneEntry) Lookup(circuit.Fingerprint, circuit.Problem) (verify.Entry, bool) {
	return verify.Entry{Verdict: o.verdict, Engine: "ic3"}, true
}
func (oneEntry) Store(circuit.Fingerprint, circuit.Problem, verify.Entry) {}
func (oneEntry) Drop(circuit.Fingerprint)                                 {}
