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
	"aiglens/aiger/syntax"
	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design/hierarchy"
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
	files, err := filepath.Glob("*.a[ai]g")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("*.blif")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, more...) {
		if got, want := listed[name], parse(t, name, read(t, name)).count; got != want {
			t.Errorf("EXPECTED.csv has %d rows for %s, which has %d properties", got, name, want)
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

// example is a file of either format.
type example struct {
	text        source.Text
	diagnostics []source.Diagnostic
	circuit     *circuit.Circuit
	fault       func(circuit.Property) *source.Diagnostic
	properties  map[string]circuit.Property // by name
	count       int                         // of properties, named or not
}

func parse(t *testing.T, name, content string) example {
	t.Helper()
	text := source.NewText(content)
	properties := map[string]circuit.Property{}
	if filepath.Ext(name) == ".blif" {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		f := blif.Options{Library: hierarchy.New(hierarchy.NewDisk(files.DefaultLimit()), blif.Options{}, nil).For(path)}.Parse(text)
		for _, p := range f.Properties() {
			properties[p.Name] = p.ID
		}
		e := flat.Elaborate(f)
		return example{text, diagnose.Diagnostics(f), e.Circuit, e.Fault, properties, len(f.Properties())}
	}
	f := syntax.Parse(text)
	e := aiger.Elaborate(f)
	for _, p := range e.Circuit.Properties() {
		section := syntax.SectionBads
		if p.Kind == circuit.PropertyJustice {
			section = syntax.SectionJustice
		}
		if s, ok := f.Symbol(section, p.Index); ok {
			properties[s.Name] = p
		}
	}
	return example{text, f.Diagnostics(), e.Circuit, e.Fault, properties, len(aiger.Properties(f))}
}

// check requires that a file has neither errors nor warnings, and that the
// property is judged as wanted.
func check(t *testing.T, x example, property, want string) {
	t.Helper()
	for _, d := range x.diagnostics {
		if d.Severity <= source.Warning {
			line, column := x.text.LineColumn(d.Span.Start)
			t.Errorf("%d:%d: %v[%s]: %s", line, column, d.Severity, d.Code, d.Message)
		}
	}
	p, ok := x.properties[property]
	if !ok {
		t.Fatalf("no property is called %s", property)
	}
	if fault := x.fault(p); fault != nil {
		t.Fatalf("%s cannot be judged: %s", property, fault.Message)
	}
	r := verify.Run(context.Background(), verify.Job{Circuit: x.circuit, Property: p, Engine: engines.NewAuto()}, func(verify.Progress) {})
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
	if filepath.Ext(name) == ".blif" {
		for line := range strings.Lines(content) {
			if text, is := strings.CutPrefix(line, "#"); is {
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
