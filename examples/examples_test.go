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

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

func TestExpected(t *testing.T) {
	listed := map[string]int{}
	for _, row := range table(t, "EXPECTED.csv") {
		name, property, want := row[0], row[1], verdict(row[2], row[3])
		listed[name]++
		t.Run(name+"/"+property, func(t *testing.T) {
			check(t, read(t, name), property, want)
		})
	}
	files, err := filepath.Glob("*.a[ai]g")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if got, want := listed[name], len(aiger.Parse(source.NewText(read(t, name))).Properties()); got != want {
			t.Errorf("EXPECTED.csv has %d rows for %s, which has %d properties", got, name, want)
		}
	}
}

// TestExperiments makes the changes that the comments suggest.
func TestExperiments(t *testing.T) {
	for _, row := range table(t, "EXPERIMENTS.csv") {
		name, edits, property, want := row[0], row[2], row[3], verdict(row[4], row[5])
		t.Run(name+"/"+row[1]+"/"+property, func(t *testing.T) {
			check(t, edit(t, read(t, name), edits), property, want)
		})
	}
}

// check requires that content has neither errors nor warnings, and that the
// property is judged as wanted.
func check(t *testing.T, content, property, want string) {
	t.Helper()
	file := aiger.Parse(source.NewText(content))
	for _, d := range file.Diagnostics() {
		if d.Severity <= source.Warning {
			line, column := file.Text().LineColumn(d.Span.Start)
			t.Errorf("%d:%d: %v[%s]: %s", line, column, d.Severity, d.Code, d.Message)
		}
	}
	e := file.Elaborate()
	p, ok := propertyNamed(file, e.Circuit, property)
	if !ok {
		t.Fatalf("no property is called %s", property)
	}
	if fault := e.Fault(p); fault != nil {
		t.Fatalf("%s cannot be judged: %s", property, fault.Message)
	}
	r := verify.Run(context.Background(), verify.Job{Circuit: e.Circuit, Property: p, Engine: &verify.IC3{}}, func(verify.Progress) {})
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

func propertyNamed(f *aiger.File, c *circuit.Circuit, name string) (circuit.Property, bool) {
	for _, p := range c.Properties() {
		if s, ok := f.Symbol(aiger.SectionBads, p.Index); ok && s.Name == name && p.Kind == circuit.PropertyBad {
			return p, true
		}
	}
	return circuit.Property{}, false
}

// edit replaces lines: edits are "line=new text", counted from 1 and separated
// by ';'. The comment of the file has to name each new text.
func edit(t *testing.T, content, edits string) string {
	t.Helper()
	definitions, comment, _ := strings.Cut(content, "\nc\n")
	lines := strings.Split(definitions, "\n")
	for e := range strings.SplitSeq(edits, ";") {
		number, text, _ := strings.Cut(e, "=")
		line, err := strconv.Atoi(number)
		if err != nil || line < 1 || line > len(lines) {
			t.Fatalf("no line %q", number)
		}
		suggested := strings.ToLower(strings.Join(strings.Fields(comment), " "))
		if !strings.Contains(suggested, `"`+text+`"`) || !strings.Contains(suggested, "line "+number) {
			t.Errorf("the comment does not suggest %q on line %s", text, number)
		}
		lines[line-1] = text
	}
	return strings.Join(lines, "\n") + "\nc\n" + comment
}

func verdict(outcome, step string) string {
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
