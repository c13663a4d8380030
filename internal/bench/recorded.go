package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// ReadRecorded returns a row for each row of a table that has a peer's CPU seconds, in the
// column NAME_s, with its verdict in NAME_verdict and, if known, its peak KiB in NAME_kb. The
// rows have no limit yet: see Cut.
func ReadRecorded(table, name string) ([]Row, error) {
	f, err := os.Open(table)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []Row
	err = eachTask(f, filepath.Dir(table), func(t Task, column func(...string) string) error {
		seconds := column(name + "_s")
		if seconds == "" {
			return nil
		}
		r := Row{
			File: t.Name, Property: t.Property, Tier: t.Tier, Expected: t.Expected,
			Checker: name, Verdict: verdictFrom(column(name+"_verdict"), t.Name), Certificate: Recorded,
		}
		if r.Verdict == "" {
			r.Verdict, r.Reason, r.Certificate = Unknown, "recorded as unknown", ""
		}
		var err error
		if r.CPU, err = strconv.ParseFloat(seconds, 64); err != nil {
			return fmt.Errorf("%s, column %s_s: %w", t.Name, name, err)
		}
		if peak := column(name + "_kb"); peak != "" {
			if r.Peak, err = strconv.ParseInt(peak, 10, 64); err != nil {
				return fmt.Errorf("%s, column %s_kb: %w", t.Name, name, err)
			}
		}
		rows = append(rows, r)
		return nil
	})
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("no row has anything in a column %s_s", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", table, err)
	}
	return rows, nil
}

// Scale multiplies the CPU time of rows.
func Scale(rows []Row, factor float64) {
	for i := range rows {
		rows[i].CPU *= factor
	}
}

// Cut counts rows as with a limit of so many CPU seconds: what took longer is not solved.
// What ended at a lower limit is not solved either.
func Cut(rows []Row, limit float64) {
	for i := range rows {
		rows[i].CPULimit = limit
	}
}

// Only keeps the rows about some questions.
func Only(rows []Row, questions map[Question]Row) []Row {
	var kept []Row
	for _, r := range rows {
		if _, ok := questions[r.question()]; ok {
			kept = append(kept, r)
		}
	}
	return kept
}
