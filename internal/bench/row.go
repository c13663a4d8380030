package bench

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The verdicts of a row.
const (
	Proved  = "proved"
	Refuted = "refuted"
	Unknown = "unknown"
)

// What a row says of the certificate of a verdict.
const (
	Checked   = "checked"   // passed the check of the program itself
	Rejected  = "rejected"  // failed it: a fault of the engine
	Unchecked = "unchecked" // a verdict without a check
	// Recorded is a verdict from a table: neither was its certificate checked here, nor its
	// time measured.
	Recorded = "recorded"
)

// Row is one run of one checker on one task. Numbers that a checker does not
// tell are 0.
type Row struct {
	File, Property, Tier, Expected string

	Checker, Version, Options string
	Seed, Repeat              int64
	CPULimit                  float64 // seconds
	MemoryLimit               int64   // KiB; 0 is none

	Verdict     string
	Reason      string // of unknown
	Certificate string
	CPU, Wall   float64 // seconds of the whole process
	Peak        int64   // KiB resident

	Properties             int64 // that the run answered
	Frames, Clauses, Steps int64 // depth; size of the invariant; length of the trace
	Queries, Sat, Unsat    int64
	QueriesPerSecond       float64
	CTIs, Generalizations  int64
	CTGs                   int64
	Lemmas                 int64 // ever learnt
	LemmaSize              float64
	Rebuilds               int64
	Stats                  string // other counters: key=value, separated by spaces
}

// columns are those of the file, in order.
var columns = []struct {
	name  string
	field func(*Row) any
}{
	{"file", func(r *Row) any { return &r.File }},
	{"property", func(r *Row) any { return &r.Property }},
	{"tier", func(r *Row) any { return &r.Tier }},
	{"expected", func(r *Row) any { return &r.Expected }},
	{"checker", func(r *Row) any { return &r.Checker }},
	{"version", func(r *Row) any { return &r.Version }},
	{"options", func(r *Row) any { return &r.Options }},
	{"seed", func(r *Row) any { return &r.Seed }},
	{"repeat", func(r *Row) any { return &r.Repeat }},
	{"cpu_limit_s", func(r *Row) any { return &r.CPULimit }},
	{"memory_limit_kb", func(r *Row) any { return &r.MemoryLimit }},
	{"verdict", func(r *Row) any { return &r.Verdict }},
	{"reason", func(r *Row) any { return &r.Reason }},
	{"certificate", func(r *Row) any { return &r.Certificate }},
	{"cpu_s", func(r *Row) any { return &r.CPU }},
	{"wall_s", func(r *Row) any { return &r.Wall }},
	{"peak_kb", func(r *Row) any { return &r.Peak }},
	{"properties", func(r *Row) any { return &r.Properties }},
	{"frames", func(r *Row) any { return &r.Frames }},
	{"clauses", func(r *Row) any { return &r.Clauses }},
	{"steps", func(r *Row) any { return &r.Steps }},
	{"queries", func(r *Row) any { return &r.Queries }},
	{"queries_sat", func(r *Row) any { return &r.Sat }},
	{"queries_unsat", func(r *Row) any { return &r.Unsat }},
	{"queries_per_s", func(r *Row) any { return &r.QueriesPerSecond }},
	{"ctis", func(r *Row) any { return &r.CTIs }},
	{"generalizations", func(r *Row) any { return &r.Generalizations }},
	{"ctgs", func(r *Row) any { return &r.CTGs }},
	{"lemmas", func(r *Row) any { return &r.Lemmas }},
	{"lemma_size", func(r *Row) any { return &r.LemmaSize }},
	{"rebuilds", func(r *Row) any { return &r.Rebuilds }},
	{"stats", func(r *Row) any { return &r.Stats }},
}

func header() []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// fields returns the row as text, one line.
func (r *Row) fields() []string {
	text := make([]string, len(columns))
	for i, c := range columns {
		switch v := c.field(r).(type) {
		case *string:
			text[i] = strings.Join(strings.Fields(*v), " ")
		case *int64:
			text[i] = strconv.FormatInt(*v, 10)
		case *float64:
			text[i] = strconv.FormatFloat(math.Round(*v*1e4)/1e4, 'f', -1, 64)
		}
	}
	return text
}

// ReadRows reads rows with their header. Columns may stand in another order,
// be missing or be unknown, so that files of other versions can be compared.
func ReadRows(r io.Reader) ([]Row, error) {
	in := csv.NewReader(r)
	names, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("no header: %w", err)
	}
	if !slices.Contains(names, "checker") || !slices.Contains(names, "verdict") {
		return nil, errors.New("not a file of aiglens bench: no columns \"checker\" and \"verdict\"")
	}
	var rows []Row
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		var row Row
		for _, c := range columns {
			i := slices.Index(names, c.name)
			if i < 0 || fields[i] == "" {
				continue
			}
			if err := set(c.field(&row), fields[i]); err != nil {
				line, _ := in.FieldPos(i)
				return nil, fmt.Errorf("line %d, column %s: %w", line, c.name, err)
			}
		}
		rows = append(rows, row)
	}
}

func set(field any, text string) (err error) {
	switch v := field.(type) {
	case *string:
		*v = text
	case *int64:
		*v, err = strconv.ParseInt(text, 10, 64)
	case *float64:
		*v, err = strconv.ParseFloat(text, 64)
	}
	return err
}

// run says which run a row is of; a run that has a row is not made again.
type run struct {
	file, property             string
	checker, version, options  string
	seed, repeat, memory, msec int64
}

func (r *Row) run() run {
	return run{r.File, r.Property, r.Checker, r.Version, r.Options, r.Seed, r.Repeat, r.MemoryLimit,
		int64(math.Round(r.CPULimit * 1000))}
}

// Definite reports whether the run ended in proved or refuted.
func (r *Row) Definite() bool { return r.Verdict == Proved || r.Verdict == Refuted }

// Wrong reports whether the verdict contradicts what is expected.
func (r *Row) Wrong() bool {
	return r.Definite() && r.Expected != "" && r.Verdict != r.Expected
}

// Solved reports whether the run counts as solved: a verdict within the limits,
// not a wrong one, and not one whose certificate was never checked by a program
// that checks its own.
func (r *Row) Solved() bool {
	return r.Definite() && !r.Wrong() && r.CPU <= r.CPULimit &&
		(r.MemoryLimit == 0 || r.Peak <= r.MemoryLimit) &&
		(r.Certificate == Checked || r.Certificate == Recorded || r.Checker == ABC)
}

// Failed reports whether the run shows a fault of the checker other than a
// wrong verdict.
func (r *Row) Failed() bool {
	return r.Certificate == Rejected || strings.HasPrefix(r.Reason, crash) ||
		r.Definite() && r.Certificate == Unchecked && r.Checker != ABC
}

// Asked reports whether the checker was asked at all.
func (r *Row) Asked() bool { return !strings.HasPrefix(r.Reason, notAsked) }

// penalized is the time of the run in PAR2: unsolved counts twice the limit.
func (r *Row) penalized() float64 {
	if r.Solved() {
		return r.CPU
	}
	return 2 * r.CPULimit
}
