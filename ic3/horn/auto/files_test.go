package auto_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"aiglens/horn/cert"
	"aiglens/horn/horntest"
	"aiglens/horn/syntax"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/horn/verify"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// TestFiles answers about real files that others wrote: about every fourth within half a second, and about all within
// 20 seconds where AIGLENS_LONG is set. No answer contradicts that of z3, and no certificate is rejected. Files with
// rules of fixed points are counted by what their clauses mean.
//
// Time is that of the processor, and the garbage collector is counted. AIGLENS_SECONDS is another limit,
// AIGLENS_VARIANT another variant than auto, and AIGLENS_FILES a regular expression for the names of the only files.
func TestFiles(t *testing.T) {
	limit, step := 500*time.Millisecond, 4
	if os.Getenv("AIGLENS_LONG") != "" {
		limit, step = 20*time.Second, 1
	}
	if seconds := os.Getenv("AIGLENS_SECONDS"); seconds != "" {
		var err error
		if limit, err = time.ParseDuration(seconds + "s"); err != nil {
			t.Fatal(err)
		}
	}
	only, err := regexp.Compile(os.Getenv("AIGLENS_FILES"))
	if err != nil {
		t.Fatal(err)
	}
	families := map[string]*family{}
	for i, file := range horntest.Files(t) {
		if i%step != 0 || !only.MatchString(file.Name) {
			continue
		}
		name := filepath.Dir(file.Name)
		if families[name] == nil {
			families[name] = &family{counts: map[string]int{}}
		}
		t.Run(file.Name, func(t *testing.T) {
			families[name].add(t, file, limit)
		})
	}
	for _, name := range slices.Sorted(maps.Keys(families)) {
		t.Logf("%-16s %s", name, families[name])
	}
}

// family counts the answers about files of one origin.
type family struct {
	counts map[string]int // by what is said, and what z3 says
	solved []time.Duration
}

func (f *family) String() string {
	if len(f.solved) == 0 {
		return fmt.Sprint(f.counts)
	}
	slices.Sort(f.solved)
	return fmt.Sprintf("median %v, %v", f.solved[len(f.solved)/2].Round(time.Millisecond), f.counts)
}

// add answers about a file, of which z3 says what is wanted.
func (f *family) add(t *testing.T, real horntest.File, limit time.Duration) {
	file, want := syntax.Parse(source.NewText(real.Read(t)), nil), real.Answer
	if file.Structural() != nil { // horn/syntax knows which these are
		return
	}
	if other := map[string]string{"sat": "unsat", "unsat": "sat"}[want]; file.HasRules() && other != "" {
		want = other // z3 says whether a query can be derived
	}
	ctx, stop := shared.WithCPUTime(t, limit)
	r := auto.Check(ctx, file.System(), verify.Options{Variant: os.Getenv("AIGLENS_VARIANT")})
	took := stop()
	got := r.Checked.Outcome()
	if r.Internal != nil {
		t.Error(r.Internal)
	}
	if got != cert.Unknown {
		f.solved = append(f.solved, took)
		if want != "unknown" && got.String() != want {
			t.Errorf("%s, z3 says %s", got, want)
		}
	}
	t.Logf("%s in %v, z3 %s: %v", r.Words(), took.Round(time.Millisecond), want, r.Stats)
	f.counts[fmt.Sprintf("%s, z3 %s", got, want)]++
}
