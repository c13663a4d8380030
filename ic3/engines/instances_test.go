package engines_test

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/reduce"
	"aiglens/internal/shared"
)

var (
	instancesJournal = flag.String("instances.journal", "", "file to which BenchmarkInstances adds a line for each run; those that it has are not run again")
	instancesTier    = flag.String("instances.tier", "mid", "tier of the files")
	instancesEvery   = flag.Int("instances.every", 1, "take the first of so many files each time")
	instancesRuns    = flag.Int("instances.runs", 8, "runs of each kind, with other seeds")
	instancesEffort  = flag.Int64("instances.effort", 20_000_000, "effort of each instance at which a run ends")
)

// BenchmarkInstances repeats Figures 1 and 2 of Bradley, "SAT-Based Model Checking without
// Unrolling" (VMCAI 2011), section 8: the time of 1, 2, 4 and 8 instances of IC3 that
// differ in their seeds, communicating and not, until the first of them has an answer. Time
// is effort, which each instance spends in turns of equal size, so that other work on
// the machine and the number of its processors do not matter.
func BenchmarkInstances(b *testing.B) {
	if *instancesJournal == "" {
		b.Skip("-instances.journal FILE says where the runs go")
	}
	journal, done := openJournal(b, *instancesJournal, 4)
	defer journal.Close()
	dir := filepath.Join(shared.Dir(b), "benchmarks")
	for b.Loop() {
		for i, name := range tierFiles(b, dir, *instancesTier) {
			if i%*instancesEvery != 0 {
				continue
			}
			c := reducedCircuit(b, filepath.Join(dir, name))
			for run := range *instancesRuns {
				for _, n := range []int{1, 2, 4, 8} {
					for _, talk := range []bool{false, true} {
						key := fmt.Sprintf("%s,%d,%d,%v", name, n, run, talk)
						if done[key] || n == 1 && talk {
							continue
						}
						r := instances{n: n, seed: uint64(run), talk: talk}
						v := r.check(b, c)
						fmt.Fprintf(journal, "%s,%s,%d,%d\n", key, v.Outcome, r.effort, r.taken)
					}
				}
			}
		}
	}
	summarise(b, *instancesJournal)
}

// openJournal opens a file to which runs are added, a line each, and says which it has by
// their first fields.
func openJournal(b *testing.B, name string, fields int) (io.WriteCloser, map[string]bool) {
	done := map[string]bool{}
	if data, err := os.ReadFile(name); err == nil {
		for line := range strings.Lines(string(data)) {
			if all := strings.Split(line, ","); len(all) > fields && strings.HasSuffix(line, "\n") {
				done[strings.Join(all[:fields], ",")] = true
			}
		}
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		b.Fatal(err)
	}
	return f, done
}

// tierFiles returns the files of some tiers that have one property of safety.
func tierFiles(b *testing.B, dir string, tiers ...string) (names []string) {
	f, err := os.Open(filepath.Join(dir, "peers.csv"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		if slices.Contains(tiers, row[column["tier"]]) && row[column["justice"]] == "0" {
			names = append(names, row[column["file"]])
		}
	}
	return names
}

// coneOf returns the cone of the first property of a file.
func coneOf(b *testing.B, path string) *circuit.Circuit {
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	in, err := aiger.Read(path, data)
	if err != nil {
		b.Fatal(err)
	}
	cone, err := in.Circuit().Cone(in.Circuit().Properties()[0])
	if err != nil {
		b.Fatal(err)
	}
	return cone.Circuit
}

func reducedCircuit(b *testing.B, path string) *circuit.Circuit {
	r, err := reduce.Reduce(context.Background(), coneOf(b, path), bad0, reduce.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return r.Circuit
}

// instances are runs of IC3 on one circuit, by turns.
type instances struct {
	n      int
	seed   uint64
	talk   bool  // they exchange lemmas
	effort int64 // of the one that was first; of each when none had an answer
	taken  int   // lemmas, by the one that was first
}

// turnEffort is what each spends before the next one goes on.
const turnEffort = 20_000

func (r *instances) check(b *testing.B, c *circuit.Circuit) (v cert.Verdict) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var hub portfolio.Hub
	next := make([]func() (ic3.Stats, bool), r.n)
	answers := make([]cert.Verdict, r.n)
	for i := range next {
		o := ic3.Options{Seed: r.seed*64 + uint64(i) + 1}
		if r.talk {
			o.Exchange = hub.Join()
		}
		var stop func()
		next[i], stop = iter.Pull(func(yield func(ic3.Stats) bool) {
			allowed := int64(turnEffort)
			v, stats, err := ic3.Check(ctx, c, o, func(p ic3.Progress) {
				for ; p.Effort > allowed && ctx.Err() == nil; allowed += turnEffort {
					if !yield(ic3.Stats{}) {
						cancel()
					}
				}
			})
			if err == nil {
				answers[i] = v
			}
			yield(stats)
		})
		defer stop()
	}
	for turn := int64(1); turn*turnEffort <= *instancesEffort; turn++ {
		for i := range next {
			stats, _ := next[i]()
			if answers[i].Outcome == cert.Unknown {
				continue
			}
			if _, err := cert.Check(context.Background(), c, bad0, answers[i]); err != nil {
				b.Fatal(err)
			}
			r.effort, r.taken = stats.Effort, stats.Taken
			return answers[i]
		}
	}
	r.effort = *instancesEffort
	return v
}

// summarise prints how many files are solved, and the geometric mean of the effort by
// that of one instance with the same seed, with what is not solved at the bound.
func summarise(b *testing.B, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	effort, solved := map[string]float64{}, map[string]int{}
	var keys [][]string
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), ",")
		e, err := strconv.ParseFloat(f[5], 64)
		if err != nil {
			b.Fatal(err)
		}
		effort[strings.Join(f[:4], ",")] = e
		keys = append(keys, f)
		if f[4] != cert.Unknown.String() {
			solved[f[1]+","+f[3]]++
		}
	}
	logs, count := map[string]float64{}, map[string]float64{}
	for _, f := range keys {
		if alone, ok := effort[f[0]+",1,"+f[2]+",false"]; ok && alone > 5*turnEffort {
			kind := f[1] + "," + f[3]
			logs[kind] += math.Log(effort[strings.Join(f[:4], ",")] / alone)
			count[kind]++
		}
	}
	for _, n := range []string{"1", "2", "4", "8"} {
		for _, talk := range []string{"false", "true"} {
			if kind := n + "," + talk; count[kind] > 0 {
				b.Logf("%s instances, communicating %s: %d runs solved; effort %.2f of that of one, over %g runs",
					n, talk, solved[kind], math.Exp(logs[kind]/count[kind]), count[kind])
			}
		}
	}
}
