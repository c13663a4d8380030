package verify_test

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/shared"
)

// Flags of BenchmarkEdits, after -args.
var (
	editsJournal = flag.String("edits.journal", "", "CSV `file` that gets a row a pair; a file that has rows already is gone on with")
	editsTiers   = flag.String("edits.tiers", "small,mid", "`tiers` of the table")
	editsNumber  = flag.Int("edits.n", 10, "edits that count for each circuit")
	editsLimit   = flag.Duration("edits.limit", 10*time.Second, "CPU limit of a run")
	editsOnly    = flag.String("edits.only", "", "only files whose name contains one of these `parts`")
)

const (
	// leastTime is what a run from scratch takes at least for its pair to count.
	leastTime = 200 * time.Millisecond
	// grace is what a run may take longer than 1.2 times that from scratch.
	grace = 20 * time.Millisecond
)

// pair is a run from scratch and one with an earlier result, after an edit.
type pair struct {
	File, Change         string
	Edit                 int
	Base, Fresh, Again   string // outcomes: before the edit, from scratch, with the earlier result
	BaseTime             float64
	FreshTime, AgainTime float64 // CPU seconds
	FreshWall, AgainWall float64
	Reused               string
	Clauses, Seeds       float64 // of the earlier invariant, and those that the answer rests on
	Effort, AgainEffort  float64
}

var pairHeader = []string{"file", "edit", "change", "base", "fresh", "again", "base_s", "fresh_s", "again_s", "fresh_wall", "again_wall",
	"reused", "clauses", "seeds", "effort", "again_effort"}

func (p *pair) fields() []string {
	f := []string{p.File, strconv.Itoa(p.Edit), p.Change, p.Base, p.Fresh, p.Again}
	for _, s := range []float64{p.BaseTime, p.FreshTime, p.AgainTime, p.FreshWall, p.AgainWall} {
		f = append(f, strconv.FormatFloat(s, 'f', 4, 64))
	}
	f = append(f, p.Reused)
	for _, n := range []float64{p.Clauses, p.Seeds, p.Effort, p.AgainEffort} {
		f = append(f, strconv.FormatFloat(n, 'f', 0, 64))
	}
	return f
}

func pairFrom(f []string) *pair {
	n := func(i int) float64 { v, _ := strconv.ParseFloat(f[i], 64); return v }
	return &pair{File: f[0], Edit: int(n(1)), Change: f[2], Base: f[3], Fresh: f[4], Again: f[5], BaseTime: n(6), FreshTime: n(7),
		AgainTime: n(8), FreshWall: n(9), AgainWall: n(10), Reused: f[11], Clauses: n(12), Seeds: n(13), Effort: n(14), AgainEffort: n(15)}
}

// solved reports whether both runs came to an end.
func (p *pair) solved() bool {
	unknown := cert.Unknown.String()
	return p.Fresh != unknown && p.Again != unknown
}

// counts reports whether the pair counts for the ratio.
func (p *pair) counts() bool { return p.solved() && p.FreshTime >= leastTime.Seconds() }

func (p *pair) isSlower() bool { return p.AgainTime > 1.2*p.FreshTime+grace.Seconds() }

// BenchmarkEdits compares a check after an edit of one gate from scratch with one
// that is given the result from before the edit, on circuits of the shared
// benchmarks that take leastTime. It goes on where its journal ends:
//
//	go test ./ic3/verify -run '^$' -bench Edits -benchtime 1x -timeout 0 -args -edits.journal FILE
func BenchmarkEdits(b *testing.B) {
	dir := shared.Dir(b)
	if *editsJournal == "" {
		b.Skip("needs -args -edits.journal FILE")
	}
	file, rows := openPairs(b)
	defer file.Close()
	done := map[string]int{} // pairs by file, that of edit −1 says that there are all
	var pairs []*pair
	for _, p := range rows {
		if p.Edit < 0 {
			done[p.File] = -1
		} else if done[p.File] >= 0 {
			done[p.File] = p.Edit + 1
			pairs = append(pairs, p)
		}
	}
	w := csv.NewWriter(file)
	write := func(p *pair) {
		_ = w.Write(p.fields())
		if w.Flush(); w.Error() != nil {
			b.Fatal(w.Error())
		}
	}
	for range b.N {
		for _, name := range benchmarkFiles(b, filepath.Join(dir, "benchmarks")) {
			if done[name] < 0 {
				continue
			}
			counted := 0
			for _, p := range pairs {
				if p.File == name && p.counts() {
					counted++
				}
			}
			base, r := baseOf(b, filepath.Join(dir, "benchmarks", name))
			last := &pair{File: name, Edit: -1, Change: "end"}
			if base != nil {
				last.Base, last.BaseTime = r.Checked.Outcome().String(), r.Elapsed.Seconds()
				earlier := r.Earlier(context.Background(), base, positionNames(base))
				for i := done[name]; i < 3**editsNumber && counted < *editsNumber; i++ {
					p := runPair(b, name, i, base, r, earlier)
					if p == nil {
						continue
					}
					if p.counts() {
						counted++
					}
					write(p)
					pairs = append(pairs, p)
				}
			}
			write(last)
			done[name] = -1
		}
	}
	summarize(b, pairs)
}

func openPairs(b *testing.B) (*os.File, []*pair) {
	file, err := os.OpenFile(*editsJournal, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		b.Fatal(err)
	}
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		b.Fatalf("%s: %v", *editsJournal, err)
	}
	if len(records) == 0 {
		fmt.Fprintln(file, strings.Join(pairHeader, ","))
		return file, nil
	}
	if !slices.Equal(records[0], pairHeader) {
		b.Fatalf("%s has other columns", *editsJournal)
	}
	var pairs []*pair
	for _, r := range records[1:] {
		pairs = append(pairs, pairFrom(r))
	}
	return file, pairs
}

// benchmarkFiles returns the files of the tiers.
func benchmarkFiles(b *testing.B, dir string) []string {
	f, err := os.Open(filepath.Join(dir, "peers.csv"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	tier := slices.Index(records[0], "tier")
	var files []string
	for _, r := range records[1:] {
		wanted := *editsOnly == "" || slices.ContainsFunc(strings.Split(*editsOnly, ","), func(part string) bool { return strings.Contains(r[0], part) })
		if wanted && slices.Contains(strings.Split(*editsTiers, ","), r[tier]) {
			files = append(files, r[0])
		}
	}
	return files
}

// baseOf returns the cone of the first property of a file and its result, or nil when
// that takes too long or too short.
func baseOf(b *testing.B, path string) (*circuit.Circuit, verify.Result) {
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	in, err := aiger.Read(path, data)
	if err != nil {
		b.Fatal(err)
	}
	if in.Model == nil {
		b.Fatalf("%s is not a binary AIGER", path)
	}
	c, err := in.Model.Elaborate()
	if err != nil {
		b.Fatal(err)
	}
	properties := c.Properties()
	if len(properties) == 0 || properties[0].Kind == circuit.PropertyJustice {
		return nil, verify.Result{}
	}
	cone, err := c.Cone(properties[0])
	if err != nil {
		b.Fatal(err)
	}
	r, cpu := timed(cone.Circuit, nil)
	if !r.Checked.Certified() || cpu < leastTime {
		return nil, verify.Result{}
	}
	return cone.Circuit, r
}

func positionNames(c *circuit.Circuit) verify.Names {
	var n verify.Names
	for i := range c.Latches() {
		n.Latches = append(n.Latches, fmt.Sprintf("l%d", i))
	}
	for i := range c.Inputs() {
		n.Inputs = append(n.Inputs, fmt.Sprintf("i%d", i))
	}
	return n
}

// timed runs a check and returns its CPU time.
func timed(c *circuit.Circuit, earlier *verify.Earlier) (verify.Result, time.Duration) {
	job := verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto(), Limits: verify.Limits{CPU: *editsLimit}}
	if earlier != nil {
		job.Earlier, job.Names = []*verify.Earlier{earlier}, positionNames(c)
	}
	runtime.GC()
	start := verify.CPUTime()
	r := verify.Run(context.Background(), job, nil)
	return r, verify.CPUTime() - start
}

// runPair makes edit number i of a circuit and both runs, or returns nil when the
// edit leaves the cone as it was.
func runPair(b *testing.B, name string, i int, base *circuit.Circuit, before verify.Result, earlier *verify.Earlier) *pair {
	h := fnv.New64()
	h.Write([]byte(name))
	c, change := explicit.Edit(rand.New(rand.NewPCG(h.Sum64(), uint64(i))), base)
	if cone, err := c.Cone(bad0); err != nil || cone.Fingerprint == before.Fingerprint {
		return nil
	}
	p := &pair{File: name, Edit: i, Change: change, Base: before.Checked.Outcome().String(), BaseTime: before.Elapsed.Seconds(),
		Clauses: float64(len(before.Checked.Invariant()))}
	p.measure(i, c, earlier)
	for range retries {
		if !p.counts() || !p.isSlower() {
			break
		}
		q := *p // other programs may have been at work
		q.measure(i, c, earlier)
		if q.solved() {
			p.FreshTime, p.FreshWall = min(p.FreshTime, q.FreshTime), min(p.FreshWall, q.FreshWall)
			p.AgainTime, p.AgainWall = min(p.AgainTime, q.AgainTime), min(p.AgainWall, q.AgainWall)
		}
	}
	if p.solved() && p.Fresh != p.Again {
		b.Errorf("%s, edit %d (%s): %s from scratch, %s with the earlier result", name, i, change, p.Fresh, p.Again)
	}
	return p
}

// retries is how often a pair that is slower with the earlier result is measured
// again; the shortest time of each side counts.
const retries = 2

// measure makes both runs, one after the other.
func (p *pair) measure(i int, c *circuit.Circuit, earlier *verify.Earlier) {
	for turn := range 2 {
		if (turn+i)%2 == 0 {
			r, cpu := timed(c, nil)
			p.Fresh, p.FreshTime, p.FreshWall = r.Checked.Outcome().String(), cpu.Seconds(), r.Elapsed.Seconds()
			p.Effort = r.Stats["effort"]
			continue
		}
		r, cpu := timed(c, earlier)
		p.Again, p.AgainTime, p.AgainWall = r.Checked.Outcome().String(), cpu.Seconds(), r.Elapsed.Seconds()
		p.Reused, p.Seeds, p.AgainEffort = string(r.Reused), r.Stats["reused_lemmas"], r.Stats["effort"]
	}
}

// summarize reports on the pairs that count.
func summarize(b *testing.B, pairs []*pair) {
	files := map[string]bool{}
	kinds := map[string][]float64{} // ratios
	var all []float64
	slower, short, open, gained := 0, 0, 0, 0
	var worst *pair
	excess := func(p *pair) float64 { return (p.AgainTime - grace.Seconds()) / p.FreshTime }
	for _, p := range pairs {
		switch {
		case !p.solved():
			open++
			if p.Again != cert.Unknown.String() {
				gained++
			}
			continue
		case !p.counts():
			short++
			continue
		}
		files[p.File] = true
		ratio := p.FreshTime / max(p.AgainTime, 1e-4)
		kinds[p.Base+" → "+p.Fresh] = append(kinds[p.Base+" → "+p.Fresh], ratio)
		all = append(all, ratio)
		if p.isSlower() {
			slower++
			b.Logf("slower: %s, edit %d (%s), %s → %s: %.2f s from scratch, %.2f s", p.File, p.Edit, p.Change, p.Base, p.Fresh, p.FreshTime, p.AgainTime)
		}
		if worst == nil || excess(p) > excess(worst) {
			worst = p
		}
	}
	if len(all) == 0 {
		b.Log("no pair counts")
		return
	}
	for kind, ratios := range kinds {
		b.Logf("%s: %d pairs, median %.1f times faster", kind, len(ratios), median(ratios))
	}
	b.Logf("%d circuits, %d pairs count; %d took too short from scratch; %d ran out of time, %d of them only from scratch", len(files), len(all), short, open, gained)
	b.Logf("worst: %s, edit %d: %.2f s from scratch, %.2f s", worst.File, worst.Edit, worst.FreshTime, worst.AgainTime)
	b.ReportMetric(median(all), "speedup")
	b.ReportMetric(100*float64(slower)/float64(len(all)), "%slower")
	b.ReportMetric(0, "ns/op")
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}
