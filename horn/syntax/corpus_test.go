package syntax

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/internal/peers"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// realFiles reads the table of the files that others wrote: a record for each, with its name and the answer of z3.
func realFiles(t *testing.T) (dir string, records [][]string) {
	t.Helper()
	dir = filepath.Join(shared.Dir(t), "benchmarks", "horn")
	table, err := os.Open(filepath.Join(dir, "verdicts.csv"))
	if os.IsNotExist(err) {
		t.Skip("the files are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	records, err = csv.NewReader(table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return dir, records[1:]
}

func readFile(t testing.TB, path string) *File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(source.NewText(string(data)), nil)
}

// TestCorpus reads real files and expects no error and no warning, but where some multiply variables. Each other one
// is read back from what is printed.
func TestCorpus(t *testing.T) {
	dir, records := realFiles(t)
	clauses := 0
	nonlinear := map[string]bool{}
	// Its rules use variables that it does not declare: z3 says so, too.
	faulty := map[string]source.Code{"kind2/reconfiguration_small.smt2": codeUndeclared}
	for _, record := range records {
		f := readFile(t, filepath.Join(dir, record[0]))
		for _, d := range f.Diagnostics() {
			if d.Code == codeNonlinear {
				nonlinear[record[0]] = true
			} else if d.Severity <= source.Warning && d.Code != faulty[record[0]] {
				line, column := f.Text().LineColumn(d.Span.Start)
				t.Errorf("%s:%d:%d: %s %s: %s", record[0], line, column, d.Severity, d.Code, d.Message)
			}
		}
		if status := record[3]; f.Status() != status && f.Status() != "" {
			t.Errorf("%s has the status %q, in the table %q", record[0], f.Status(), status)
		}
		checkFile(t, f)
		clauses += len(f.System().Clauses)
	}
	t.Logf("%d files with %d clauses; %d multiply variables: %v", len(records), clauses, len(nonlinear), nonlinear)
	if len(nonlinear) > len(records)/20 {
		t.Errorf("%d files are not linear", len(nonlinear))
	}
}

// TestPrinted asks z3 about files and about what is printed of them, 20 of each family, and expects the same
// answers. It takes many minutes, and is made when AIGLENS_LONG is set.
func TestPrinted(t *testing.T) {
	if os.Getenv("AIGLENS_LONG") == "" {
		t.Skip("AIGLENS_LONG is not set")
	}
	z3 := peers.Program(t, "z3")
	dir, records := realFiles(t)
	answer := func(file string) string {
		out, _ := exec.Command(z3, "-T:5", file).Output() // the exit code tells of timeouts
		line, _, _ := strings.Cut(string(out), "\n")
		return strings.TrimSpace(line)
	}
	seen, same := map[string]int{}, 0
	for _, record := range records {
		family := filepath.Dir(record[0])
		path := filepath.Join(dir, record[0])
		f := readFile(t, path)
		if f.Structural() != nil { // not linear: clauses are left out
			continue
		}
		if seen[family]++; seen[family] > 20 {
			continue
		}
		var b bytes.Buffer
		if err := f.System().WriteSMT(&b); err != nil {
			t.Fatal(err)
		}
		printed := filepath.Join(t.TempDir(), "printed.smt2")
		if err := os.WriteFile(printed, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		want, got := answer(path), answer(printed)
		if f.HasRules() { // whose query asks for what can be derived
			want = map[string]string{"sat": "unsat", "unsat": "sat"}[want]
		}
		isAnswer := func(s string) bool { return s == "sat" || s == "unsat" }
		if isAnswer(got) && isAnswer(want) {
			if same++; got != want {
				t.Errorf("%s: %s, printed %s", record[0], want, got)
			}
		}
	}
	t.Logf("%d files were answered both times, of %v", same, seen)
}
