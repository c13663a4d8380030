//go:build unix

package engines_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic"
	"aiglens/ic3/sat"
	"aiglens/internal/shared"
)

var (
	strengtheningJournal = flag.String("strengthening.journal", "", "file to which BenchmarkStrengthening adds a line for each run; those that it has are not run again")
	strengtheningLatches = flag.Int("strengthening.latches", 60, "most latches of a cone")
	strengtheningEffort  = flag.Int64("strengthening.effort", 10_000_000, "propagations at which a run ends")
)

// BenchmarkStrengthening repeats Table 1 of Awedh and Somenzi, "Automatic Invariant
// Strengthening to Prove Properties in Bounded Model Checking" (DAC 2006): the depth at
// which induction over simple paths ends with and without strengthening, and what that
// takes. The bounded argument alone counts, as in the paper, and not that it is made an
// invariant. The files are all of three tiers whose cone has few latches; a run ends by
// the propagations of its solvers, so that the table comes again on another machine.
func BenchmarkStrengthening(b *testing.B) {
	if *strengtheningJournal == "" {
		b.Skip("-strengthening.journal FILE says where the runs go")
	}
	journal, done := openJournal(b, *strengtheningJournal, 2)
	defer journal.Close()
	dir := filepath.Join(shared.Dir(b), "benchmarks")
	for b.Loop() {
		for _, name := range tierFiles(b, dir, "smoke", "small", "mid") {
			c := coneOf(b, filepath.Join(dir, name))
			if len(c.Latches()) > *strengtheningLatches {
				continue
			}
			for _, variant := range []classic.Variant{classic.SimplePaths, classic.InvariantStrengthen} {
				if key := fmt.Sprintf("%s,%s", name, variant); !done[key] {
					fmt.Fprintf(journal, "%s,%s\n", key, argue(b, c, variant))
				}
			}
		}
	}
	strengtheningTable(b, *strengtheningJournal)
}

// argued is what a run of a bounded argument came to.
type argued struct {
	latches int
	outcome cert.Outcome
	bound   int
	effort  int64   // propagations
	seconds float64 // of processor time
}

func (a argued) String() string {
	return fmt.Sprintf("%d,%s,%d,%d,%.3f", a.latches, a.outcome, a.bound, a.effort, a.seconds)
}

// argue runs a variant until its argument has passed or its allowance is spent.
func argue(b *testing.B, c *circuit.Circuit, variant classic.Variant) argued {
	meter := &meter{allowed: *strengtheningEffort}
	begin := processorTime()
	v, stats, err := classic.Check(context.Background(), c, classic.Options{
		Variant: variant, Solver: meter.factory, MaxGates: 4_000_000,
	}, nil, nil)
	a := argued{latches: len(c.Latches()), outcome: v.Outcome, bound: stats.Bound, effort: meter.spent}
	a.seconds = (processorTime() - begin).Seconds()
	switch {
	case err != nil && !errors.Is(err, errSpent):
		b.Fatal(err)
	case err == nil && v.Outcome != cert.Unknown:
		if _, err := cert.Check(context.Background(), c, bad0, v); err != nil {
			b.Fatal(err)
		}
	}
	if stats.Argument.Queries > 0 {
		a.outcome, a.effort = cert.Proved, stats.Argument.Propagations
	}
	return a
}

// errSpent ends a run whose allowance is spent.
var errSpent = errors.New("allowance spent")

// meter makes solvers that count their propagations together.
type meter struct{ allowed, spent int64 }

func (m *meter) factory(d *sat.Definitions) sat.Solver { return &metered{sat.NewCore(d), m} }

type metered struct {
	sat.Solver
	meter *meter
}

// Solve implements sat.Solver. It looks at the meter between ever longer parts of a search.
func (s *metered) Solve(ctx context.Context, q sat.Query) (sat.Result, error) {
	for q.MaxConflicts = 1000; ; q.MaxConflicts *= 2 {
		before := s.Stats().Propagations
		r, err := s.Solver.Solve(ctx, q)
		s.meter.spent += s.Stats().Propagations - before
		if s.meter.spent > s.meter.allowed {
			return sat.Unsolved, errSpent
		}
		if err != nil || r != sat.Unsolved {
			return r, err
		}
	}
}

// leastBound is the depth from which on a file has a row in the table: what one of the two
// does not go to says little.
const leastBound = 3

// strengtheningTable prints a row for each file on which one of the two has ended, and
// what they come to together.
func strengtheningTable(b *testing.B, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var names []string
	runs := map[string][]argued{} // the plain one first
	for line := range strings.Lines(string(data)) {
		name, a := readArgued(b, strings.Split(strings.TrimSpace(line), ","))
		if len(runs[name]) == 0 {
			names = append(names, name)
		}
		runs[name] = append(runs[name], a)
	}
	var table strings.Builder
	fmt.Fprintln(&table, "| file | latches | result | plain: k, effort, s | strengthened: k, effort, s |\n| --- | --- | --- | --- | --- |")
	ended, logs, both, deeper := [2]int{}, 0.0, 0.0, map[int]int{}
	for _, name := range names {
		r := runs[name]
		if len(r) != 2 {
			continue
		}
		for i, a := range r {
			if a.outcome != cert.Unknown {
				ended[i]++
			}
		}
		outcome := max(r[0].outcome, r[1].outcome)
		if outcome == cert.Unknown {
			continue
		}
		if r[0].outcome == r[1].outcome {
			logs += math.Log(float64(max(1, r[1].effort)) / float64(max(1, r[0].effort)))
			both++
			deeper[cmp.Compare(r[1].bound, r[0].bound)]++
		}
		if max(r[0].bound, r[1].bound) < leastBound {
			continue
		}
		fmt.Fprintf(&table, "| %s | %d | %s | %s | %s |\n", strings.TrimSuffix(name, filepath.Ext(name)), r[0].latches, outcome, r[0].cell(), r[1].cell())
	}
	b.Logf("\n%s%d files; plain ends on %d, strengthened on %d; on the %g on which both end its effort is %.2f of that of plain, and it goes less deep on %d, deeper on %d",
		table.String(), len(names), ended[0], ended[1], both, math.Exp(logs/max(1, both)), deeper[-1], deeper[1])
}

// cell says what a run came to in a table.
func (a argued) cell() string {
	bound := strconv.Itoa(a.bound)
	if a.outcome == cert.Unknown {
		bound = "> " + bound
	}
	return fmt.Sprintf("%s, %.0f k, %.2f", bound, float64(a.effort)/1000, a.seconds)
}

// readArgued reads a line of the journal: the file, the variant, and what String writes.
func readArgued(b *testing.B, fields []string) (name string, a argued) {
	outcomes := map[string]cert.Outcome{}
	for _, o := range []cert.Outcome{cert.Unknown, cert.Proved, cert.Refuted} {
		outcomes[o.String()] = o
	}
	a.outcome = outcomes[fields[3]]
	var err error
	for i, n := range map[int]*int{2: &a.latches, 4: &a.bound} {
		if *n, err = strconv.Atoi(fields[i]); err != nil {
			b.Fatal(err)
		}
	}
	if a.effort, err = strconv.ParseInt(fields[5], 10, 64); err != nil {
		b.Fatal(err)
	}
	if a.seconds, err = strconv.ParseFloat(fields[6], 64); err != nil {
		b.Fatal(err)
	}
	return fields[0], a
}
