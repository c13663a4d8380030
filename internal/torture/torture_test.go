package torture

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cache"
)

// Flags, after -args.
var (
	duration = flag.Duration("torture.time", 4*time.Second, "`time` for random circuits")
	seed     = flag.Uint64("torture.seed", 1, "the first `seed`; those after it follow")
	share    = flag.Uint64("torture.abc", 8, "ABC judges one file in `n`; 0 is none")
)

// TestDifferential judges random files and their edits. What differs is repeated by
// its seed alone:
//
//	go test ./internal/torture -run Differential -args -torture.time 1ns -torture.seed N
func TestDifferential(t *testing.T) {
	store, err := cache.Open(t.TempDir(), cache.Options{Limit: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("berkeley-abc")
	if err != nil {
		*share = 0
	}
	x := newPlayer(store)
	begin, files := time.Now(), 0
	for s := *seed; files == 0 || time.Since(begin) < *duration; s++ {
		files++
		x.abc = nil
		if *share > 0 && s%*share == 0 {
			x.abc = &abc{program, t.TempDir()}
		}
		if d := x.play(choices(s), versionsOf(s)); d != nil {
			small := reduced(d, x.again)
			path, err := keep(kept, s, small)
			t.Fatalf("seed %d: %v\nreduced: %v\nkept as %s, which is a test from now on %v", s, d, small, path, err)
		}
	}
	t.Logf("%d files from seed %d on, %.1f a second\n%s", files, *seed, float64(files)/time.Since(begin).Seconds(), table(x.counts))
}

// TestNotices: a program that lies is found out, whatever it lies about, and what shows
// it becomes small and is kept as it is.
func TestNotices(t *testing.T) {
	lies := map[string]func(engines.Spec, verify.Job, verify.Result) verify.Result{
		"proves what fails late": func(s engines.Spec, j verify.Job, r verify.Result) verify.Result {
			isBad := j.Property.Kind == circuit.PropertyBad || j.Property.Kind == circuit.PropertyOutput
			if isBad && r.Checked.Outcome() == cert.Refuted && r.Checked.Trace().Steps() > 2 {
				r.Checked = provedOf(j.Property)
			}
			return r
		},
		"does not know with a tactic": func(s engines.Spec, j verify.Job, r verify.Result) verify.Result {
			if strings.Contains(s.Tactics, "-reduce") && len(j.Circuit.Constraints()) > 0 {
				r.Checked = cert.CheckedUnknown(j.Property, "lost", 0)
			}
			return r
		},
		"reuses a wrong trace": func(s engines.Spec, j verify.Job, r verify.Result) verify.Result {
			if r.Reused == verify.ReusedTrace {
				r.Checked = provedOf(j.Property)
			}
			return r
		},
	}
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			x := newPlayer(nil)
			x.judge = func(ctx context.Context, s engines.Spec, j verify.Job) verify.Result {
				return lie(s, j, verify.Run(ctx, j, nil))
			}
			var found *difference
			var s uint64
			for s = range 2000 {
				if found = x.play(choices(s), versionsOf(s)); found != nil {
					break
				}
			}
			if found == nil {
				t.Fatal("nothing is noticed")
			}
			small := reduced(found, x.again)
			path, err := keep(t.TempDir(), s, small)
			if err != nil {
				t.Fatal(err)
			}
			versions, err := load(path)
			if err != nil || x.again(versions, small.spec) == nil {
				t.Errorf("%s shows nothing: %v", path, err)
			}
			last := small.versions[len(small.versions)-1]
			if m := last.model; m != nil && len(m.Latches)+len(m.Ands) > 8 {
				t.Errorf("reduced to\n%s", m.AppendASCII(nil))
			}
			if honest := newPlayer(nil).again(versions, small.spec); honest != nil {
				t.Error(honest)
			}
		})
	}
}

// provedOf returns a proof, of another circuit, for a property.
func provedOf(p circuit.Property) cert.Checked {
	b := circuit.NewBuilder(0)
	for range p.Index + 1 {
		b.Bad(circuit.False, 0)
		b.Output(circuit.False, 0)
	}
	checked, err := cert.Check(context.Background(), b.Build(), p, cert.Verdict{Outcome: cert.Proved})
	if err != nil {
		panic(err)
	}
	return checked
}

// versionsOf returns the file of a seed and its edits.
func versionsOf(seed uint64) []version {
	r := rand.New(rand.NewPCG(seed, 1))
	if r.IntN(3) == 0 {
		return blifVersions(r)
	}
	return aigerVersions(r)
}

// choices draws how the file of a seed is judged.
func choices(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) }

func table(counts map[string]int) string {
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "%9d %s\n", counts[what], what)
	}
	return b.String()
}
