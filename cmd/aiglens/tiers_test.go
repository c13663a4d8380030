package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aiglens/internal/shared"
)

// benchmark is a row of peers.csv.
type benchmark struct {
	file, property, expected, tier string
}

// result is what a checker said of a benchmark.
type result struct {
	verdict string
	checked bool
	cpu     time.Duration
	output  string
}

// tierLimit is the time for each file: CPU time of ours, wall time of ABC.
const tierLimit = 20 * time.Second

// TestTiers checks real circuits with the program as users run it, with either
// solver, against the verdicts in peers.csv: all of tier smoke, or the tiers that
// AIGLENS_TIERS names, joined by commas. Where berkeley-abc is installed and AIGLENS_ABC is
// set, its pdr runs beside, file by file, for comparison.
func TestTiers(t *testing.T) {
	tiers := strings.Split(os.Getenv("AIGLENS_TIERS"), ",")
	if tiers[0] == "" {
		tiers = []string{"smoke"}
	}
	dir := filepath.Join(shared.Dir(t), "benchmarks")
	program := buildProgram(t)
	benchmarks := readBenchmarks(t, filepath.Join(dir, "peers.csv"), tiers)
	if len(benchmarks) == 0 {
		t.Fatalf("no benchmark of the tiers %v", tiers)
	}
	abc := ""
	if os.Getenv("AIGLENS_ABC") != "" {
		path, err := exec.LookPath("berkeley-abc")
		if err != nil {
			t.Fatal("AIGLENS_ABC is set, but berkeley-abc is not installed")
		}
		abc = path
	}
	for _, solver := range []string{"core", "gini"} {
		t.Run(solver, func(t *testing.T) {
			ours, theirs := make([]result, len(benchmarks)), make([]result, len(benchmarks))
			parallel(len(benchmarks), func(i int) {
				file := filepath.Join(dir, benchmarks[i].file)
				ours[i] = runAiglens(program, file, solver, benchmarks[i])
				if abc != "" {
					theirs[i] = runABC(abc, file)
				}
			})
			compareVerdicts(t, benchmarks, ours)
			for _, tier := range tiers {
				t.Log(summary(tier, benchmarks, ours, theirs, abc != ""))
			}
		})
	}
}

// compareVerdicts fails the test for every wrong or unchecked answer, and in tier
// smoke for every missing one.
func compareVerdicts(t *testing.T, benchmarks []benchmark, ours []result) {
	t.Helper()
	for i, b := range benchmarks {
		switch r := ours[i]; {
		case r.verdict == "unknown":
			t.Logf("%s: unknown after %.1f s of CPU", b.file, r.cpu.Seconds())
			if b.tier == "smoke" {
				t.Errorf("%s: %s, want %s", b.file, r.output, b.expected)
			}
		case r.verdict != b.expected && b.expected != "unknown" || !r.checked:
			t.Errorf("%s: %s, certificate checked %v, want %s\n%s", b.file, r.verdict, r.checked, b.expected, r.output)
		}
	}
}

func buildProgram(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "aiglens")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

func readBenchmarks(t *testing.T, path string, tiers []string) []benchmark {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	header, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	column := func(row []string, name string) string { return row[slices.Index(header, name)] }
	var list []benchmark
	for {
		row, err := r.Read()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		b := benchmark{column(row, "file"), column(row, "property"), column(row, "expected"), column(row, "tier")}
		if slices.Contains(tiers, b.tier) && (b.property == "o0" || b.property == "b0") {
			b.expected = map[string]string{"safe": "proved", "unsafe": "refuted"}[b.expected]
			if b.expected == "" {
				b.expected = "unknown"
			}
			list = append(list, b)
		}
	}
}

// parallel calls do for 0 … n−1, two at a time.
func parallel(n int, do func(int)) {
	next := make(chan int)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
}

func runAiglens(program, file, solver string, b benchmark) result {
	index := "bad:0"
	if b.property == "o0" {
		index = "output:0"
	}
	cmd := exec.Command(program, "check", "--format", "json", "--solver", solver, "--index", index, "--cpu", tierLimit.String(), "--timeout", "0", file)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	var line jsonAnswer
	if json.Unmarshal(out, &line) != nil {
		return result{verdict: "crash", output: fmt.Sprint(err, string(out))}
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return result{line.Verdict, line.Checked, cpu, string(out)}
}

func runABC(abc, file string) result {
	ctx, cancel := context.WithTimeout(context.Background(), tierLimit+10*time.Second)
	defer cancel()
	script := fmt.Sprintf("read %s; logic; undc; strash; zero; fold; pdr -T %d", file, int(tierLimit.Seconds()))
	cmd := exec.CommandContext(ctx, abc, "-q", script)
	out, _ := cmd.CombinedOutput()
	r := result{verdict: "unknown", cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), output: string(out)}
	switch {
	case strings.Contains(r.output, "Property proved"):
		r.verdict = "proved"
	case strings.Contains(r.output, "was asserted in frame"):
		r.verdict = "refuted"
	}
	return r
}

// summary says how many of a tier were solved, and the geometric mean of the
// ratio of CPU times on those that both solve, one of them above 0.1 s.
func summary(tier string, benchmarks []benchmark, ours, theirs []result, abc bool) string {
	total, solved, abcSolved, pairs := 0, 0, 0, 0
	logSum := 0.0
	var times []float64
	for i, b := range benchmarks {
		if b.tier != tier {
			continue
		}
		total++
		us, them := ours[i].verdict == b.expected, theirs[i].verdict == b.expected
		if us {
			solved++
			times = append(times, ours[i].cpu.Seconds())
		}
		if them {
			abcSolved++
		}
		if us && them && max(ours[i].cpu, theirs[i].cpu) > 100*time.Millisecond {
			pairs++
			logSum += math.Log(ours[i].cpu.Seconds() / max(theirs[i].cpu, time.Millisecond).Seconds())
		}
	}
	slices.Sort(times)
	s := "tier " + tier + ": solved " + strconv.Itoa(solved) + " of " + strconv.Itoa(total)
	if len(times) > 0 {
		s += fmt.Sprintf(", median %.0f ms of CPU", 1000*times[len(times)/2])
	}
	if abc {
		s += fmt.Sprintf("; ABC solved %d; geometric mean of our CPU time over ABC's %.2f on %d files", abcSolved, math.Exp(logSum/float64(max(1, pairs))), pairs)
	}
	return s
}
