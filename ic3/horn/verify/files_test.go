package verify_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"aiglens/horn/cert"
	"aiglens/horn/syntax"
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
	dir := filepath.Join(shared.Dir(t), "benchmarks", "horn")
	table, err := os.Open(filepath.Join(dir, "verdicts.csv"))
	if os.IsNotExist(err) {
		t.Skip("the files are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	records, err := csv.NewReader(table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	families := map[string]*family{}
	for i, record := range records[1:] {
		if i%step != 0 || !only.MatchString(record[0]) {
			continue
		}
		name := filepath.Dir(record[0])
		if families[name] == nil {
			families[name] = &family{counts: map[string]int{}}
		}
		t.Run(record[0], func(t *testing.T) {
			families[name].add(t, filepath.Join(dir, record[0]), record[1], limit)
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
func (f *family) add(t *testing.T, path, want string, limit time.Duration) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file := syntax.Parse(source.NewText(string(data)), nil)
	if file.Structural() != nil { // horn/syntax knows which these are
		return
	}
	if other := map[string]string{"sat": "unsat", "unsat": "sat"}[want]; file.HasRules() && other != "" {
		want = other // z3 says whether a query can be derived
	}
	ctx, stop := shared.WithCPUTime(t, limit)
	r := verify.Check(ctx, file.System(), verify.Options{Variant: os.Getenv("AIGLENS_VARIANT")})
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
	t.Logf("%s in %v, z3 %s: %+v", r.Words(), took.Round(time.Millisecond), want, r.Stats)
	f.counts[fmt.Sprintf("%s, z3 %s", got, want)]++
}
