// Package examples_test holds the teaching circuits to what their comments say.
package examples_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/files"
	"aiglens/internal/source"
)

func TestExpected(t *testing.T) {
	listed := map[string]int{}
	for _, row := range table(t, "EXPECTED.csv") {
		name, property, want := row[0], row[1], verdict(row[2], row[3])
		listed[name]++
		t.Run(name+"/"+property, func(t *testing.T) {
			check(t, parse(t, name, read(t, name)), property, want)
		})
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !formats.All().HasCircuit(e.Name()) {
			continue
		}
		d := parse(t, e.Name(), read(t, e.Name()))
		if got, want := listed[e.Name()], len(d.Properties()); got != want {
			t.Errorf("EXPECTED.csv has %d rows for %s, which has %d properties", got, e.Name(), want)
		}
		if err := d.Lint(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, x := range d.Diagnostics() {
			if x.Severity == source.Hint {
				t.Errorf("%s: line %d: %s", e.Name(), d.Text.LineAt(x.Span.Start)+1, x.Message)
			}
		}
	}
}

// TestExperiments makes the changes that the comments suggest.
func TestExperiments(t *testing.T) {
	for _, row := range table(t, "EXPERIMENTS.csv") {
		name, edits, property, want := row[0], row[2], row[3], verdict(row[4], row[5])
		t.Run(name+"/"+row[1]+"/"+property, func(t *testing.T) {
			check(t, parse(t, name, edit(t, name, read(t, name), edits)), property, want)
		})
	}
}

// parse reads a file as every surface does, with the files beside it.
func parse(t *testing.T, name, content string) *design.Design {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := formats.All().Open(t.Context(), path, []byte(content), design.Opening{
		Disk: design.Disk{
			Read: func(ctx context.Context, path string) ([]byte, error) {
				return files.Read(ctx, path, files.DefaultLimit())
			},
			Limit: files.DefaultLimit(),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// check requires that a file has neither errors nor warnings, and that the
// property is judged as wanted.
func check(t *testing.T, d *design.Design, property, want string) {
	t.Helper()
	for _, x := range d.Diagnostics() {
		if x.Severity <= source.Warning {
			line, column := d.Text.LineColumn(x.Span.Start)
			t.Errorf("%d:%d: %v[%s]: %s", line, column, x.Severity, x.Code, x.Message)
		}
	}
	i := slices.IndexFunc(d.Properties(), func(p design.Property) bool { return p.Name == property })
	if i < 0 {
		t.Fatalf("no property is called %s", property)
	}
	p := d.Properties()[i].ID
	if fault := d.Fault(p); fault != nil {
		t.Fatalf("%s cannot be judged: %s", property, fault.Message)
	}
	r := verify.Run(context.Background(), verify.Job{Circuit: d.Circuit(), Property: p, Engine: engines.NewAuto()}, func(verify.Progress) {})
	if !r.Checked.Certified() {
		t.Errorf("%s: no certificate", property)
	}
	got := r.Checked.String()
	if r.Checked.Outcome() == cert.Proved {
		got = "proved" // depth and clauses are the engine's choice
	}
	if got != want {
		t.Errorf("%s is %s, want %s", property, got, want)
	}
}

// edit replaces lines: edits are "line=new text", counted from 1 and separated
// by ';'. The comment of the file has to name each new text.
func edit(t *testing.T, name, content, edits string) string {
	t.Helper()
	definitions, comment, end := content, "", ""
	if mark, ok := map[string]string{".blif": "#", ".btor2": ";"}[filepath.Ext(name)]; ok {
		for line := range strings.Lines(content) {
			if text, is := strings.CutPrefix(line, mark); is {
				comment += text
			}
		}
	} else {
		definitions, comment, _ = strings.Cut(content, "\nc\n")
		end = "\nc\n" + comment
	}
	lines := strings.Split(definitions, "\n")
	suggested := strings.ToLower(strings.Join(strings.Fields(comment), " "))
	for e := range strings.SplitSeq(edits, ";") {
		number, text, _ := strings.Cut(e, "=")
		line, err := strconv.Atoi(number)
		if err != nil || line < 1 || line > len(lines) {
			t.Fatalf("no line %q", number)
		}
		if !strings.Contains(suggested, `"`+text+`"`) || !strings.Contains(suggested, "line "+number) {
			t.Errorf("the comment does not suggest %q on line %s", text, number)
		}
		lines[line-1] = text
	}
	return strings.Join(lines, "\n") + end
}

// verdict says what is expected: of a run that ends its last step, of a loop its steps, "1-2".
func verdict(outcome, step string) string {
	if first, last, ok := strings.Cut(step, "-"); ok && first == last {
		return outcome + ": the loop of step " + first
	} else if ok {
		return outcome + ": the loop of steps " + first + " to " + last
	}
	if step != "" {
		return outcome + " at step " + step
	}
	return outcome
}

func table(t *testing.T, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, name))).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %v", name, err)
	}
	return slices.Delete(rows, 0, 1)
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
