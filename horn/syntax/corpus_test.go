package syntax

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/horn/horntest"
	"aiglens/internal/peers"
	"aiglens/internal/source"
)

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
	clauses := 0
	nonlinear := map[string]bool{}
	// Its rules use variables that it does not declare: z3 says so, too.
	faulty := map[string]source.Code{"kind2/reconfiguration_small.smt2": codeUndeclared}
	files := horntest.Files(t)
	for _, file := range files {
		f := readFile(t, file.Path)
		for _, d := range f.Diagnostics() {
			if d.Code == codeNonlinear {
				nonlinear[file.Name] = true
			} else if d.Severity <= source.Warning && d.Code != faulty[file.Name] {
				line, column := f.Text().LineColumn(d.Span.Start)
				t.Errorf("%s:%d:%d: %s %s: %s", file.Name, line, column, d.Severity, d.Code, d.Message)
			}
		}
		if status := file.Status; f.Status() != status && f.Status() != "" {
			t.Errorf("%s has the status %q, in the table %q", file.Name, f.Status(), status)
		}
		checkFile(t, f)
		clauses += len(f.System().Clauses)
	}
	t.Logf("%d files with %d clauses; %d multiply variables: %v", len(files), clauses, len(nonlinear), nonlinear)
	if len(nonlinear) > len(files)/20 {
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
	answer := func(file string) string {
		out, _ := exec.Command(z3, "-T:5", file).Output() // the exit code tells of timeouts
		line, _, _ := strings.Cut(string(out), "\n")
		return strings.TrimSpace(line)
	}
	seen, same := map[string]int{}, 0
	for _, file := range horntest.Files(t) {
		family, path := filepath.Dir(file.Name), file.Path
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
				t.Errorf("%s: %s, printed %s", file.Name, want, got)
			}
		}
	}
	t.Logf("%d files were answered both times, of %v", same, seen)
}
