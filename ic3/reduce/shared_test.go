package reduce_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/ic3/reduce"
	"aiglens/internal/shared"
)

// model is a benchmark with one safety property.
type model struct {
	name, folder, tier, expected string
	c                            *circuit.Circuit
	p                            circuit.Property
}

// models reads the benchmarks that are wanted.
func models(t testing.TB, want func(folder, tier string) bool) []model {
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
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	properties := map[string]circuit.PropertyKind{"b0": circuit.PropertyBad, "o0": circuit.PropertyOutput}
	var all []model
	for _, row := range rows[1:] {
		name := row[column["file"]]
		m := model{name: name, folder: filepath.Dir(name), tier: row[column["tier"]], expected: row[column["expected"]]}
		kind, safety := properties[row[column["property"]]]
		if !safety || !want(m.folder, m.tier) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		in, err := aiger.Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		m.c, m.p = in.Circuit(), circuit.Property{Kind: kind}
		if m.c == nil {
			t.Fatalf("%s: %v", name, in.Diagnostics)
		}
		if _, ok := m.c.Bad(m.p); !ok {
			continue // a file without properties
		}
		all = append(all, m)
	}
	return all
}

// TestBenchmarks: the easiest files keep their verdicts, and the lifted
// certificates pass.
func TestBenchmarks(t *testing.T) {
	all := models(t, func(_, tier string) bool { return tier == "smoke" })
	every := 2
	if testing.Short() {
		every = 10
	}
	outcomes := map[string]string{"proved": "safe", "refuted": "unsafe"}
	seen := map[string]int{}
	for i := 0; i < len(all); i += every {
		m := all[i]
		r, err := reduce.Reduce(context.Background(), m.c, m.p, reduce.Options{})
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		v, err := solve(context.Background(), m.c, m.p, r)
		if err != nil || outcomes[v.Outcome.String()] != m.expected {
			t.Errorf("%s: %s, %v, want %s", m.name, v.Outcome, err, m.expected)
		}
		seen[m.expected]++
	}
	if seen["safe"] < 5 || seen["unsafe"] < 2 {
		t.Errorf("too few files: %v", seen)
	}
}

// TestDeterministic: the same circuit is reduced the same way.
func TestDeterministic(t *testing.T) {
	for _, m := range models(t, func(folder, tier string) bool { return folder == "zipcpu-constraints" && tier == "smoke" }) {
		var stats []reduce.Stats
		var prints []circuit.Fingerprint
		for range 2 {
			r, err := reduce.Reduce(context.Background(), m.c, m.p, reduce.Options{})
			if err != nil {
				t.Fatal(err)
			}
			cone, err := r.Circuit.Cone(r.Property)
			if err != nil {
				t.Fatal(err)
			}
			stats, prints = append(stats, r.Stats), append(prints, cone.Fingerprint)
		}
		if stats[0] != stats[1] || prints[0] != prints[1] {
			t.Errorf("%s: %+v, then %+v", m.name, stats[0], stats[1])
		}
	}
}

// BenchmarkReduce reduces all files of each folder of benchmarks. Beside the
// time for all it reports what part of the latches and gates remains and the
// mean time for a file:
//
//	go test ./ic3/reduce -run - -bench . -benchtime 1x
func BenchmarkReduce(b *testing.B) {
	folders := []string{"hwmcc08", "hwmcc11-single", "hwmcc15", "hwmcc19", "hwmcc20", "nusmv26", "small-1.9", "xepic24", "zipcpu-constraints"}
	for _, folder := range folders {
		b.Run(folder, func(b *testing.B) {
			all := models(b, func(f, _ string) bool { return f == folder })
			if len(all) == 0 {
				b.Fatal("no files")
			}
			var before, after reduce.Size
			for b.Loop() {
				before, after = reduce.Size{}, reduce.Size{}
				for _, m := range all {
					r, err := reduce.Reduce(context.Background(), m.c, m.p, reduce.Options{})
					if err != nil {
						b.Fatalf("%s: %v", m.name, err)
					}
					before.Latches += r.Stats.Before.Latches
					before.Gates += r.Stats.Before.Gates
					after.Latches += r.Stats.After.Latches
					after.Gates += r.Stats.After.Gates
				}
			}
			b.ReportMetric(float64(len(all)), "files")
			b.ReportMetric(percent(after.Latches, before.Latches), "latches%")
			b.ReportMetric(percent(after.Gates, before.Gates), "gates%")
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N*len(all)), "ms/file")
		})
	}
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
