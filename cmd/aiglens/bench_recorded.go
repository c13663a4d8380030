package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"aiglens/internal/bench"
)

// recorded is a peer of --against-table.
type recorded struct {
	name, column string
	// slower says how much longer everything took on the machine where it was measured than
	// on that of the other columns.
	slower float64
}

// recordedList is a flag that may be repeated.
type recordedList []recorded

func (l *recordedList) String() string { return "" }

func (l *recordedList) Set(text string) error {
	name, rest, ok := strings.Cut(text, "=")
	column, factor, hasFactor := strings.Cut(rest, "/")
	r := recorded{name, column, 1}
	var err error
	if hasFactor {
		r.slower, err = strconv.ParseFloat(factor, 64)
	}
	if !ok || name == "" || column == "" || err != nil || !(r.slower > 0) || math.IsInf(r.slower, 0) {
		return errors.New("expected NAME=COLUMN or NAME=COLUMN/FACTOR")
	}
	if slices.ContainsFunc(*l, func(o recorded) bool { return o.name == name }) {
		return fmt.Errorf("the name %q is taken", name)
	}
	*l = append(*l, r)
	return nil
}

// validateReport says what is wrong with the flags that say what is reported.
func (f *benchFlags) validateReport(paths []string) error {
	switch {
	case f.reportOnly && len(paths) > 0:
		return errors.New("--report runs nothing: leave the files out")
	case len(f.with) > 0 && !f.reportOnly:
		return errors.New("--with needs --report")
	case len(f.recorded) > 0 && (f.table == "" || f.cut == 0):
		return errors.New("--against-table needs --table, which has the times, and --cut, a limit for all")
	case f.calibrate != "" && len(f.recorded) == 0:
		return errors.New("--calibrate needs --against-table")
	}
	return nil
}

// use takes what has been measured, with the peers that the table has beside it. They are
// asked what the first checker was.
func (b *benchReport) use(groups []bench.Group) error {
	b.groups = groups
	if b.flags.cut > 0 {
		for _, g := range groups {
			bench.Cut(g.Rows, b.flags.cut.Seconds())
		}
	}
	if len(b.flags.recorded) == 0 {
		return nil
	}
	factor, err := b.calibrate()
	if err != nil {
		return err
	}
	if len(b.groups) == 0 {
		return errors.New("--against-table: there are no rows to compare with")
	}
	asked := bench.Medians(b.groups[0].Rows)
	for _, peer := range b.flags.recorded {
		if slices.ContainsFunc(b.groups, func(g bench.Group) bool { return g.Name == peer.name }) {
			return fmt.Errorf("--against-table: the name %q is taken", peer.name)
		}
		rows, err := bench.ReadRecorded(b.flags.table, peer.column)
		if err != nil {
			return fmt.Errorf("--against-table: %w", err)
		}
		bench.Scale(rows, factor/peer.slower)
		bench.Cut(rows, b.flags.cut.Seconds())
		for i := range rows {
			rows[i].Checker = peer.name
		}
		b.groups = append(b.groups, bench.Group{Name: peer.name, Rows: bench.Only(rows, asked)})
		b.notes = append(b.notes, fmt.Sprintf("%s is recorded: the times of column %s_s, multiplied by %.2f", peer.name, peer.column, factor/peer.slower))
	}
	return nil
}

// calibrate returns how much longer runs take here than the table says. The checker of
// --calibrate serves for that alone and is not reported on.
func (b *benchReport) calibrate() (float64, error) {
	if b.flags.calibrate == "" {
		return 1, nil
	}
	name, column, _ := strings.Cut(b.flags.calibrate, "=")
	i := slices.IndexFunc(b.groups, func(g bench.Group) bool { return g.Name == name })
	if i < 0 {
		return 0, fmt.Errorf("--calibrate: there are no rows of %q; expected CHECKER=COLUMN", name)
	}
	rows, err := bench.ReadRecorded(b.flags.table, column)
	if err != nil {
		return 0, fmt.Errorf("--calibrate: %w", err)
	}
	bench.Cut(rows, math.Inf(1))
	p := bench.Pair(bench.Medians(b.groups[i].Rows), bench.Medians(rows))
	if p.Pairs == 0 {
		return 0, fmt.Errorf("--calibrate: %s solves nothing here that takes more than %g s and is in column %s_s", name, bench.MinSeconds, column)
	}
	b.groups = slices.Delete(slices.Clone(b.groups), i, i+1)
	b.notes = append(b.notes, fmt.Sprintf("%s takes %.2f times as long here as in column %s_s (geometric mean over %d pairs)", name, p.Ratio, column, p.Pairs))
	return p.Ratio, nil
}

// isPeer reports whether a group is of another program.
func isPeer(g bench.Group) bool {
	return g.Name == bench.ABC || slices.ContainsFunc(g.Rows, func(r bench.Row) bool { return r.Certificate == bench.Recorded })
}
