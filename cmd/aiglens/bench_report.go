package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"aiglens/design/answers"
	"aiglens/internal/bench"
)

// benchReport prints what a set of runs shows.
type benchReport struct {
	w         io.Writer
	flags     *benchFlags
	groups    []bench.Group
	questions int // that were asked; 0 when not known
	earlier   []bench.Group
	medians   []map[bench.Question]bench.Row // by group
	notes     []string                       // on what is recorded
}

// listed is how many questions are named where something differs.
const listed = 10

// loadEarlier reads the file of --compare, before hours are spent on runs.
func (b *benchReport) loadEarlier() error {
	if b.flags.compare == "" {
		return nil
	}
	rows, err := readRows(b.flags.compare)
	b.earlier = bench.Groups(rows)
	return err
}

// print writes the report and the plots and returns the exit code.
func (b *benchReport) print(e env) int {
	for _, g := range b.groups {
		b.medians = append(b.medians, bench.Medians(g.Rows))
	}
	code := exitOK
	if faults := bench.Faults(b.groups); len(faults) > 0 {
		code = exitFaults
		b.faults(faults)
	}
	b.table()
	for i := 1; i < len(b.groups); i++ {
		if isPeer(b.groups[i]) {
			for j := range i {
				b.pair(b.groups[j].Name, b.groups[i].Name, b.medians[j], b.medians[i])
			}
		} else {
			b.pair(b.groups[i].Name, b.groups[0].Name, b.medians[i], b.medians[0])
		}
	}
	b.changes()
	if b.flags.plots == "" {
		return code
	}
	if err := b.plot(); err != nil {
		return problem(e, "%v", err)
	}
	return code
}

func (b *benchReport) faults(faults []bench.Fault) {
	fmt.Fprintln(b.w, "WRONG OR FAILED")
	for _, f := range faults {
		fmt.Fprintf(b.w, "  %s: %s (seed %d): %s\n", f.Row.Checker, question(f.Row.File, f.Row.Property), f.Row.Seed, f.What)
	}
	fmt.Fprintln(b.w)
}

func question(file, property string) string { return strings.TrimSpace(file + " " + property) }

// table prints a line for each checker, of each tier and of all.
func (b *benchReport) table() {
	out := tabwriter.NewWriter(b.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "tier\tchecker\tsolved\tof\tproved\trefuted\tPAR2 s\tmedian s\tmedian MB\tratio\tpairs\t")
	var tiers []string
	for _, m := range b.medians {
		for _, r := range m {
			if r.Tier != "" && !slices.Contains(tiers, r.Tier) {
				tiers = append(tiers, r.Tier)
			}
		}
	}
	slices.Sort(tiers)
	for _, tier := range tiers {
		b.rows(out, tier, func(m map[bench.Question]bench.Row) map[bench.Question]bench.Row {
			return bench.Restrict(m, tier)
		})
	}
	b.rows(out, "all", func(m map[bench.Question]bench.Row) map[bench.Question]bench.Row { return m })
	out.Flush()
	for i, g := range b.groups {
		count := bench.Unsolved(b.medians[i])
		for _, reason := range slices.Sorted(maps.Keys(count)) {
			fmt.Fprintf(b.w, "not solved by %s: %d, %s\n", g.Name, count[reason], reason)
		}
		if asked := b.questions * b.flags.seeds * b.flags.repeat; len(g.Rows) < asked {
			fmt.Fprintf(b.w, "incomplete: %s has %d of %s\n", g.Name, len(g.Rows), answers.Count(asked, "run", "runs"))
		}
	}
	fmt.Fprintf(b.w, "PAR2: mean CPU time, unsolved counted twice the limit; median of what is solved.\n"+
		"ratio: geometric mean of CPU time over that of %s, over pairs: solved by both, one above %g s.\n", b.first(), bench.MinSeconds)
	b.noted()
}

// noted prints where recorded times come from.
func (b *benchReport) noted() {
	for _, n := range b.notes {
		fmt.Fprintln(b.w, n)
	}
}

func (b *benchReport) first() string {
	if len(b.groups) == 0 {
		return "the first"
	}
	return b.groups[0].Name
}

func (b *benchReport) rows(out io.Writer, tier string, of func(map[bench.Question]bench.Row) map[bench.Question]bench.Row) {
	for i, g := range b.groups {
		m := of(b.medians[i])
		s := bench.Summarize(m)
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%d\t%.2f\t%.3f\t%.0f\t", tier, g.Name, s.Solved, s.Questions, s.Proved, s.Refuted, s.PAR2, s.Median, s.Peak/1024)
		if i == 0 {
			fmt.Fprint(out, "\t\t\n")
			continue
		}
		p := bench.Pair(m, of(b.medians[0]))
		fmt.Fprintf(out, "%s\t%d\t\n", ratio(p.Ratio), p.Pairs)
	}
}

// ratio prints a ratio, or a dash for none.
func ratio(r float64) string {
	if r == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", r)
}

// pair prints how one set of runs stands against another.
func (b *benchReport) pair(nameA, nameB string, a, other map[bench.Question]bench.Row) {
	p := bench.Pair(a, other)
	fmt.Fprintf(b.w, "\n%s against %s, %d questions\n", nameA, nameB, p.Questions)
	fmt.Fprintf(b.w, "  CPU time %s (geometric mean over %d pairs of %d that both solve), memory %s (median)\n",
		ratio(p.Ratio), p.Pairs, p.Both, ratio(p.Memory))
	b.list("only "+nameA+" solves", p.OnlyA, func(c bench.Change) string { return fmt.Sprintf("%s in %.2f s", c.A.Verdict, c.A.CPU) })
	b.list("only "+nameB+" solves", p.OnlyB, func(c bench.Change) string { return fmt.Sprintf("%s in %.2f s", c.B.Verdict, c.B.CPU) })
	times := func(c bench.Change) string {
		return fmt.Sprintf("%.2f s, %.2f s, ratio %.2f", c.A.CPU, c.B.CPU, c.Ratio)
	}
	b.list("faster by a quarter or more", p.Faster, times)
	b.list("slower by a quarter or more", p.Slower, times)
}

func (b *benchReport) list(title string, changes []bench.Change, words func(bench.Change) string) {
	if len(changes) == 0 {
		return
	}
	fmt.Fprintf(b.w, "  %s: %d\n", title, len(changes))
	for i, c := range changes {
		if i == listed {
			fmt.Fprintf(b.w, "    … and %d more\n", len(changes)-listed)
			break
		}
		fmt.Fprintf(b.w, "    %s: %s\n", question(c.File, c.Property), words(c))
	}
}

// changes compares each checker with what the file of --compare says of one of
// the same name.
func (b *benchReport) changes() {
	if b.flags.compare == "" {
		return
	}
	for i, g := range b.groups {
		j := slices.IndexFunc(b.earlier, func(o bench.Group) bool { return o.Name == g.Name })
		if j < 0 {
			fmt.Fprintf(b.w, "\n%s has no rows in %s\n", g.Name, b.flags.compare)
			continue
		}
		old := b.earlier[j].Rows
		b.pair(g.Name, g.Name+" before", b.medians[i], bench.Medians(old))
		if len(g.Rows) > 0 && (g.Rows[0].CPULimit != old[0].CPULimit || g.Rows[0].MemoryLimit != old[0].MemoryLimit) {
			fmt.Fprintf(b.w, "  the limits differ: %g s and %g s, %d MB and %d MB\n",
				g.Rows[0].CPULimit, old[0].CPULimit, g.Rows[0].MemoryLimit/1024, old[0].MemoryLimit/1024)
		}
	}
}

// plot writes cactus.svg, and scatter.svg with one more for each further pair.
func (b *benchReport) plot() error {
	if err := os.MkdirAll(b.flags.plots, 0o777); err != nil {
		return err
	}
	var curves []bench.Curve
	for i, g := range b.groups {
		curves = append(curves, bench.Curve{Name: g.Name, Medians: b.medians[i]})
	}
	err := b.draw("cactus.svg", func(w io.Writer) error { return bench.WriteCactus(w, curves) })
	for i := 1; err == nil && i < len(curves); i++ {
		err = b.scatter(curves[0], curves[i])
	}
	for i, c := range curves {
		if err != nil {
			return err
		}
		if j := slices.IndexFunc(b.earlier, func(g bench.Group) bool { return g.Name == c.Name }); j >= 0 {
			err = b.scatter(curves[i], bench.Curve{Name: c.Name + " before", Medians: bench.Medians(b.earlier[j].Rows)})
		}
	}
	return err
}

func (b *benchReport) scatter(a, other bench.Curve) error {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ' ' {
			return '-'
		}
		return r
	}, "scatter-"+a.Name+"-"+other.Name+".svg")
	p := bench.Pair(a.Medians, other.Medians)
	return b.draw(name, func(w io.Writer) error { return bench.WriteScatter(w, a.Name, other.Name, p) })
}

func (b *benchReport) draw(name string, write func(io.Writer) error) error {
	path := filepath.Join(b.flags.plots, name)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		fmt.Fprintf(b.w, "wrote %s\n", path)
	}
	return err
}
