package verify_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/ic3/horn/verify"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// TestFiles answers about real files that others wrote: about every fourth within half a second, and about all within
// 20 seconds where AIGLENS_LONG is set. No answer contradicts that of z3, and no certificate is rejected. Files with rules of fixed
// points are counted by what their clauses mean.
func TestFiles(t *testing.T) {
	limit, step := 500*time.Millisecond, 4
	if os.Getenv("AIGLENS_LONG") != "" {
		limit, step = 20*time.Second, 1
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
	counts := map[string]map[string]int{}
	for i, record := range records[1:] {
		if i%step != 0 {
			continue
		}
		name, want := record[0], record[1]
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		file := syntax.Parse(source.NewText(string(data)), nil)
		if file.Structural() != nil { // horn/syntax knows which these are
			continue
		}
		if other := map[string]string{"sat": "unsat", "unsat": "sat"}[want]; file.HasRules() && other != "" {
			want = other // z3 says whether a query can be derived
		}
		ctx, stop := context.WithTimeout(context.Background(), limit)
		r := verify.Check(ctx, file.System(), verify.Options{})
		stop()
		got := r.Checked.Outcome()
		if r.Internal != nil {
			t.Errorf("%s: %v", name, r.Internal)
		}
		if got != cert.Unknown && want != "unknown" && got.String() != want {
			t.Errorf("%s: %s, z3 says %s", name, got, want)
		}
		family := filepath.Dir(name)
		if counts[family] == nil {
			counts[family] = map[string]int{}
		}
		counts[family][fmt.Sprintf("%s, z3 %s", got, want)]++
	}
	for family, c := range counts {
		t.Logf("%-16s %v", family, c)
	}
}
