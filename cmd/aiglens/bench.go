package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"aiglens/design/answers"
	"aiglens/internal/bench"
)

const (
	// exitFaults is the code of bench for a wrong verdict, a contradiction
	// between checkers, a crash or a rejected certificate.
	exitFaults = 1
	// exitInterrupted is what shells report of a program that SIGINT ended.
	exitInterrupted = 130
)

// benchFlags are the flags of bench, as the user gave them.
type benchFlags struct {
	csv, table, tiers string
	limits            bench.Limits
	cores             int
	seeds, repeat     int
	engine, solver    string
	against, ablate   string
	compare, plots    string
	// What the report is about beside the runs of the plan.
	reportOnly bool
	with       stringList
	cut        time.Duration
	recorded   recordedList
	calibrate  string
	// check are the flags after --, which every run of check gets.
	check []string
}

func (f *benchFlags) register(fs *flag.FlagSet) {
	f.limits = bench.Limits{CPU: 20 * time.Second, Memory: 4 << 30}
	fs.StringVar(&f.csv, "csv", "bench.csv", "append a row for each run to this `file`; runs that have a row are not made again")
	fs.StringVar(&f.table, "table", "", "CSV `file` with a column file and, if known, property, expected and tier")
	fs.StringVar(&f.tiers, "tier", "", "only these `tiers` of the table, separated by commas")
	fs.Var((*duration)(&f.limits.CPU), "cpu", "CPU `time` for each run")
	fs.Var((*size)(&f.limits.Memory), "memory", "memory `size` for each run; 0 is no limit")
	fs.IntVar(&f.cores, "cores", 1, "runs at a time, each on a core of its own")
	fs.IntVar(&f.seeds, "seeds", 1, "`number` of seeds, from 0 on; the median run counts")
	fs.IntVar(&f.repeat, "repeat", 1, "make each run so many `times`; the median counts")
	fs.StringVar(&f.engine, "engine", "", "`engine` of check; without it check's default")
	fs.StringVar(&f.solver, "solver", "", "`solver` of check; without it check's default")
	fs.StringVar(&f.against, "against", "", "also run this `checker` on each file: abc, which is Debian's berkeley-abc")
	fs.StringVar(&f.ablate, "ablate", "", "run several sets of check's flags: `NAME=FLAGS;NAME=FLAGS`")
	fs.StringVar(&f.compare, "compare", "", "say what changed since an earlier CSV `file`")
	fs.BoolVar(&f.reportOnly, "report", false, "run nothing, only report on the rows of --csv")
	fs.Var(&f.with, "with", "with --report: report also on the rows of this `file`; may be repeated")
	fs.Var((*duration)(&f.cut), "cut", "judge all runs as if this CPU `time` had been their limit")
	fs.Var(&f.recorded, "against-table", "compare with a checker whose times are in the table: `NAME=COLUMN` or NAME=COLUMN/FACTOR; may be repeated, needs --cut")
	fs.StringVar(&f.calibrate, "calibrate", "", "scale recorded times by the ratio of the times of a checker here to those in the table: `CHECKER=COLUMN`")
	fs.StringVar(&f.plots, "plot", "", "write plots as SVG into this `directory`")
}

// benchmarks runs sets of circuits under limits and reports on them.
func benchmarks(ctx context.Context, e env, args []string) int {
	var flags benchFlags
	if i := slices.Index(args, "--"); i >= 0 {
		args, flags.check = args[:i], args[i+1:]
	}
	fs := newFlags("bench")
	flags.register(fs)
	paths, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if err := flags.validateReport(paths); err != nil {
		return problem(e, "%v", err)
	}
	if flags.reportOnly || len(paths) == 0 && flags.table == "" {
		return reportOnly(e, &flags)
	}
	plan, err := flags.plan(ctx, paths)
	if err != nil {
		return problem(e, "%v", err)
	}
	report := &benchReport{w: e.stdout, flags: &flags}
	if err := report.loadEarlier(); err != nil {
		return problem(e, "%v", err)
	}
	journal, err := bench.OpenJournal(flags.csv)
	if err != nil {
		return problem(e, "%v", err)
	}
	defer journal.Close()
	err = runPlan(ctx, e, plan, journal)
	report.questions = len(plan.Tasks)
	missing := report.use(plan.Select(journal.Rows()))
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(e.stderr, "aiglens: interrupted; run the same command again to continue after %s\n", flags.csv)
		code = exitInterrupted
	case err != nil:
		return problem(e, "%v", err)
	case missing != nil:
		return problem(e, "%v", missing)
	}
	return max(code, report.print(e))
}

// reportOnly reports on the rows of a CSV without running anything.
func reportOnly(e env, flags *benchFlags) int {
	rows, err := readRows(flags.csv)
	if errors.Is(err, os.ErrNotExist) {
		return problem(e, "bench needs a directory, a file or --table; or --csv with rows to report on")
	}
	for _, name := range flags.with {
		more, moreErr := readRows(name)
		rows, err = append(rows, more...), cmp.Or(err, moreErr)
	}
	if flags.cut > 0 { // rows that differ in their limits alone belong together then
		bench.Cut(rows, flags.cut.Seconds())
	}
	report := &benchReport{w: e.stdout, flags: flags}
	if err == nil {
		err = report.use(bench.Groups(rows))
	}
	if err == nil {
		err = report.loadEarlier()
	}
	if err != nil {
		return problem(e, "%v", err)
	}
	return report.print(e)
}

func readRows(name string) ([]bench.Row, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := bench.ReadRows(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// plan turns the flags into what is to be run.
func (f *benchFlags) plan(ctx context.Context, paths []string) (*bench.Plan, error) {
	switch {
	case f.limits.CPU <= 0:
		return nil, errors.New("--cpu: each run needs a limit")
	case f.seeds < 1 || f.repeat < 1:
		return nil, errors.New("--seeds and --repeat: expected 1 or more")
	case f.tiers != "" && f.table == "":
		return nil, errors.New("--tier needs --table, which says the tier of a file")
	}
	if err := bench.CheckCores(f.cores); err != nil {
		return nil, fmt.Errorf("--cores: %w", err)
	}
	var tiers []string
	if f.tiers != "" {
		tiers = strings.Split(f.tiers, ",")
	}
	tasks, err := bench.Tasks(paths, f.table, tiers)
	if err != nil {
		return nil, err
	}
	plan := &bench.Plan{Tasks: tasks, Repeats: f.repeat, Limits: f.limits, Cores: f.cores}
	for seed := range f.seeds {
		plan.Seeds = append(plan.Seeds, int64(seed))
	}
	plan.Checkers, err = f.checkers(ctx)
	return plan, err
}

// checkers returns the programs to run: check with each set of flags, then the
// peer.
func (f *benchFlags) checkers(ctx context.Context) ([]bench.Checker, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	version, err := buildVersion(program)
	if err != nil {
		return nil, err
	}
	var common []string
	for _, option := range [][2]string{{"--engine", f.engine}, {"--solver", f.solver}} {
		if option[1] != "" {
			common = append(common, option[0], option[1])
		}
	}
	common = append(common, f.check...)
	sets, err := flagSets(f.ablate)
	if err != nil {
		return nil, err
	}
	var checkers []bench.Checker
	for _, set := range sets {
		options := slices.Concat(common, set.flags)
		if err := checkable(options); err != nil {
			return nil, err
		}
		checkers = append(checkers, bench.NewAiglens(set.name, program, version, options))
	}
	switch f.against {
	case "":
		return checkers, nil
	case bench.ABC:
	default:
		return nil, fmt.Errorf("--against: there is no checker %q; choose abc", f.against)
	}
	abc, err := exec.LookPath("berkeley-abc")
	if err != nil {
		if abc, err = exec.LookPath("abc"); err != nil {
			return nil, errors.New("--against abc: neither berkeley-abc nor abc is installed")
		}
	}
	peer, err := bench.NewABC(ctx, abc, program)
	if err != nil {
		return nil, fmt.Errorf("--against abc: %w", err)
	}
	return append(checkers, peer), nil
}

// buildVersion tells builds apart also where the version does not, so that the
// rows of one are not taken for those of another.
func buildVersion(program string) (string, error) {
	f, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %x", versionText(), hash.Sum(nil)[:6]), nil
}

type flagSet struct {
	name  string
	flags []string
}

// flagSets reads --ablate; without it there is one set, which adds nothing.
func flagSets(ablate string) ([]flagSet, error) {
	if ablate == "" {
		return []flagSet{{name: "aiglens"}}, nil
	}
	var sets []flagSet
	for part := range strings.SplitSeq(ablate, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, flags, ok := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		switch {
		case !ok || name == "" || strings.HasPrefix(name, "-"):
			return nil, fmt.Errorf("--ablate: expected NAME=FLAGS in %q", part)
		case name == bench.ABC || slices.ContainsFunc(sets, func(s flagSet) bool { return s.name == name }):
			return nil, fmt.Errorf("--ablate: the name %q is taken", name)
		}
		sets = append(sets, flagSet{name, strings.Fields(flags)})
	}
	if len(sets) == 0 {
		return nil, errors.New("--ablate: expected NAME=FLAGS;NAME=FLAGS")
	}
	return sets, nil
}

// benchOwn are the flags of check that bench gives itself.
var benchOwn = []string{"property", "index", "timeout", "cpu", "memory", "seed", "workers", "format", "witness", "certificate", "stats", "trace-log", "version"}

// checkable says what is wrong with flags for check, before hundreds of runs
// find out.
func checkable(options []string) error {
	var flags checkFlags
	fs := newFlags("check")
	flags.register(fs)
	if err := fs.Parse(options); err != nil {
		return fmt.Errorf("flags of check: %w", flagError(fs, err))
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("flags of check: %q is not a flag", fs.Arg(0))
	}
	var err error
	fs.Visit(func(f *flag.Flag) {
		if slices.Contains(benchOwn, f.Name) {
			err = fmt.Errorf("flags of check: bench sets --%s itself", f.Name)
		}
	})
	if err != nil {
		return err
	}
	return flags.validate()
}

// runPlan makes the runs that are missing and shows on a terminal how far it is.
func runPlan(ctx context.Context, e env, plan *bench.Plan, journal *bench.Journal) error {
	total, done := plan.Total(), 0
	for _, g := range plan.Select(journal.Rows()) {
		done += len(g.Rows)
	}
	if done > 0 {
		fmt.Fprintf(e.stderr, "aiglens: %d of %s done already\n", done, answers.Count(total, "run", "runs"))
	}
	err := plan.Run(ctx, journal, func(r bench.Row) {
		done++
		e.terminal.show(func() statusLine {
			return statusLine{fmt.Sprintf("%d of %d · %s: ", done, total, r.Checker), r.File, fmt.Sprintf(": %s %.2f s", r.Verdict, r.CPU)}
		})
	})
	e.terminal.clear()
	return err
}
