package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func open(t *testing.T, path string) *Journal {
	t.Helper()
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// TestJournalKeepsRows: rows are read as they were written, whatever is in them.
func TestJournalKeepsRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	want := []Row{
		{File: `a "b", c.aig`, Property: "bad:0", Checker: "aiglens", Verdict: Proved, CPU: 0.1234, Queries: 1 << 40, Stats: "x=1 y=2"},
		{File: "ä", Checker: ABC, Verdict: Unknown, Reason: "CPU limit", Seed: -1, CPULimit: 2.5},
	}
	j := open(t, path)
	for _, r := range want {
		if err := j.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if got := open(t, path).Rows(); !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	r := Row{Reason: "two\nlines, \ta tab"}
	if fields := r.fields(); !slices.Contains(fields, "two lines, a tab") {
		t.Errorf("a row of several lines: %q", fields)
	}
}

// TestJournalDropsTornLine cuts the file at every byte: what is left is a valid
// journal with the rows that were complete, and can be written on.
func TestJournalDropsTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	j := open(t, path)
	row := Row{File: "f", Checker: "c", Verdict: Proved, Reason: `quoted, "so"`}
	for range 2 {
		if err := j.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		complete := max(0, strings.Count(string(whole[:cut]), "\n")-1)
		j := open(t, path)
		if len(j.Rows()) != complete {
			t.Fatalf("cut at %d: %d rows, want %d", cut, len(j.Rows()), complete)
		}
		if err := j.Add(row); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if rows, err := ReadRows(strings.NewReader(string(data))); err != nil || len(rows) != complete+1 {
			t.Fatalf("cut at %d: %d rows after the next one, %v", cut, len(rows), err)
		}
	}
}

func TestJournalRefusesOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	for _, text := range []string{"file,verdict\nf,proved\n", strings.Join(header(), ",") + ",more\n", "one\ntwo\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenJournal(path); err == nil {
			t.Errorf("%q was opened for appending", text)
		}
		if data, _ := os.ReadFile(path); string(data) != text {
			t.Errorf("%q became %q", text, data)
		}
	}
}

func TestReadRowsAcrossVersions(t *testing.T) {
	rows, err := ReadRows(strings.NewReader("verdict,news,checker,cpu_s,queries\nproved,1,c,2.5,\n"))
	if err != nil || len(rows) != 1 || rows[0] != (Row{Verdict: Proved, Checker: "c", CPU: 2.5}) {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, bad := range []string{"", "file\nf\n", "checker,verdict,cpu_s\nc,proved,fast\n", "checker,verdict\nc\n"} {
		if _, err := ReadRows(strings.NewReader(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// plan is two files, two checkers and two seeds; do is what a checker does.
func planOf(do func(ctx context.Context, t Task, r *Row) error) *Plan {
	p := &Plan{
		Tasks: []Task{{Name: "f1", Tier: "small"}, {Name: "f2", Expected: Proved}},
		Seeds: []int64{0, 1}, Repeats: 1, Limits: Limits{CPU: time.Second}, Cores: 1,
	}
	for _, name := range []string{"a", "b"} {
		p.Checkers = append(p.Checkers, Checker{Name: name, Version: "v  1", run: func(ctx context.Context, t Task, _ Limits, r *Row) error {
			return do(ctx, t, r)
		}})
	}
	return p
}

func proves(_ context.Context, _ Task, r *Row) error {
	r.Verdict, r.Certificate = Proved, Checked
	return nil
}

// TestInterruptAndResume ends a session within its n-th run, for every n: the
// journal holds the runs before, and the next session makes exactly the others.
func TestInterruptAndResume(t *testing.T) {
	total := planOf(proves).Total()
	if total != 8 {
		t.Fatalf("%d runs", total)
	}
	for n := range total {
		path := filepath.Join(t.TempDir(), "rows.csv")
		ctx, cancel := context.WithCancel(context.Background())
		started := 0
		p := planOf(func(ctx context.Context, task Task, r *Row) error {
			if started++; started == n+1 {
				cancel()
				return ctx.Err()
			}
			return proves(ctx, task, r)
		})
		j := open(t, path)
		if err := p.Run(ctx, j, func(Row) {}); !errors.Is(err, context.Canceled) {
			t.Fatalf("n = %d: %v", n, err)
		}
		if len(j.Rows()) != n {
			t.Fatalf("n = %d: %d rows", n, len(j.Rows()))
		}
		j = open(t, path)
		reported := 0
		p = planOf(proves)
		if err := p.Run(context.Background(), j, func(Row) { reported++ }); err != nil {
			t.Fatal(err)
		}
		seen := map[run]bool{}
		for _, r := range open(t, path).Rows() {
			seen[r.run()] = true
		}
		if reported != total-n || len(seen) != total || len(j.Rows()) != total {
			t.Errorf("n = %d: %d runs more, %d different ones, %d rows", n, reported, len(seen), len(j.Rows()))
		}
	}
}

// TestOptionsDiffer: a row is that of a run only when checker, version, options,
// limits, seed and repeat are the same; the summary takes only such rows.
func TestOptionsDiffer(t *testing.T) {
	for name, change := range map[string]func(*Plan){
		"options": func(p *Plan) { p.Checkers[0].Options, p.Checkers[1].Options = "--x", "--x" },
		"version": func(p *Plan) { p.Checkers[0].Version, p.Checkers[1].Version = "2", "2" },
		"cpu":     func(p *Plan) { p.Limits.CPU *= 2 },
		"memory":  func(p *Plan) { p.Limits.Memory = 1 << 30 },
		"seed":    func(p *Plan) { p.Seeds = []int64{2, 3} },
	} {
		j := open(t, filepath.Join(t.TempDir(), "rows.csv"))
		if err := planOf(proves).Run(context.Background(), j, func(Row) {}); err != nil {
			t.Fatal(err)
		}
		p := planOf(proves)
		change(p)
		if err := p.Run(context.Background(), j, func(Row) {}); err != nil {
			t.Fatal(err)
		}
		groups := p.Select(j.Rows())
		if len(j.Rows()) != 16 || len(groups) != 2 || len(groups[0].Rows) != 4 || len(groups[1].Rows) != 4 {
			t.Errorf("%s: %d rows, groups %+v", name, len(j.Rows()), groups)
		}
	}
	// More repeats keep what is there.
	j := open(t, filepath.Join(t.TempDir(), "rows.csv"))
	p := planOf(proves)
	for p.Repeats = 1; p.Repeats < 3; p.Repeats++ {
		if err := p.Run(context.Background(), j, func(Row) {}); err != nil {
			t.Fatal(err)
		}
		if len(j.Rows()) != p.Total() {
			t.Errorf("%d repeats: %d rows, want %d", p.Repeats, len(j.Rows()), p.Total())
		}
	}
}

// TestSelectTakesTable: what the table says now goes before what a row says.
func TestSelectTakesTable(t *testing.T) {
	j := open(t, filepath.Join(t.TempDir(), "rows.csv"))
	p := planOf(proves)
	if err := p.Run(context.Background(), j, func(Row) {}); err != nil {
		t.Fatal(err)
	}
	p.Tasks[0].Expected = Refuted
	wrong := 0
	for _, g := range p.Select(j.Rows()) {
		for _, r := range g.Rows {
			if r.Wrong() {
				wrong++
			}
		}
	}
	if wrong != 4 {
		t.Errorf("%d wrong rows, want 4", wrong)
	}
}

// TestRunStopsOnError: a run that cannot be made ends the session with an error
// that names it.
func TestRunStopsOnError(t *testing.T) {
	broken := errors.New("no such program")
	j := open(t, filepath.Join(t.TempDir(), "rows.csv"))
	err := planOf(func(context.Context, Task, *Row) error { return broken }).Run(context.Background(), j, func(Row) {})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "a on ") {
		t.Errorf("error %v", err)
	}
	if len(j.Rows()) != 0 {
		t.Errorf("%d rows", len(j.Rows()))
	}
}

// TestOtherFilesStay: a file of something else is no journal, also one without a line end, and neither
// is a device, which may have no end.
func TestOtherFilesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(path, []byte("do not lose this"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal(path); err == nil {
		t.Error("a file without a line end was taken")
	}
	if text, err := os.ReadFile(path); string(text) != "do not lose this" {
		t.Errorf("it holds %q, %v", text, err)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no such device here")
	}
	if _, err := OpenJournal("/dev/full"); err == nil {
		t.Error("a device was taken")
	}
}
