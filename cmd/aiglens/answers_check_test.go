package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"aiglens/internal/shared"
)

// waysToCheck are flags of check that say how it finds its answers. What it says does not depend on
// them. The first way fills the cache that the last ones find.
var waysToCheck = []struct {
	name  string
	flags []string
}{
	{"in this process", nil},
	{"in nodes", []string{"--no-cache", "--on", "local:2"}},
	{"by a portfolio", []string{"--no-cache", "--engine", "portfolio", "--jobs", "2"}},
	{"by a portfolio of processes", []string{"--no-cache", "--engine", "portfolio", "--jobs", "2", "--processes"}},
	{"by a portfolio of nodes", []string{"--no-cache", "--on", "local:2", "--engine", "portfolio"}},
	{"from the cache", nil},
	{"from the cache, or of nodes", []string{"--on", "local:2"}},
}

// TestWaysToCheck checks circuits that are proved vacuously, the examples and every third file of tier smoke
// of the benchmarks (with AIGLENS_LONG every one) in every way, and finds the same answers: in JSON, and in text
// for what is not of the benchmarks.
func TestWaysToCheck(t *testing.T) {
	own, benchmarks := waysFiles(t)
	program, cache := buildProgram(t), t.TempDir()
	said := func(flags []string, format string, files []string) (stdout, beside string) {
		args := append([]string{"check", "--timeout", "50s", "--format", format}, flags...)
		cmd := exec.Command(program, append(args, files...)...)
		cmd.Env = append(os.Environ(), cacheVariable+"="+cache)
		out, stderr, err := outputOf(t, cmd)
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok || ok && exit.ExitCode() < 0 {
			t.Fatalf("%q: %v\n%s", flags, err, stderr)
		}
		return out, cmd.ProcessState.String() + "\n" + stderr
	}
	var want map[string][]string // by format
	for _, way := range waysToCheck {
		text, besideText := said(way.flags, "text", own)
		data, besideData := said(way.flags, "json", slices.Concat(own, benchmarks))
		got := map[string][]string{
			"text": comparableText(text), "json": comparableJSON(t, data), "stderr": strings.Split(besideText+besideData, "\n"),
		}
		if want == nil {
			want = got
			continue
		}
		for _, format := range slices.Sorted(maps.Keys(got)) {
			compareLines(t, way.name+", "+format, got[format], want[format])
		}
	}
	for format, least := range map[string]int{"text": 18, "json": 22} {
		if n := strings.Count(strings.Join(want[format], "\n"), map[string]string{"text": "vacuous: ", "json": `"vacuous":true`}[format]); n < least {
			t.Errorf("%s: only %d answers say that a proof means little", format, n)
		}
	}
}

// waysFiles returns the files that TestWaysToCheck checks.
func waysFiles(t *testing.T) (own, benchmarks []string) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "vacuity.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(dir, f.Name)
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		own = append(own, name)
	}
	own = append(own, exampleFiles(t)...)
	folder := filepath.Join(shared.Dir(t), "benchmarks")
	for i, b := range readBenchmarks(t, filepath.Join(folder, "peers.csv"), []string{"smoke"}) {
		if i%3 > 0 && os.Getenv("AIGLENS_LONG") == "" {
			continue
		}
		benchmarks = append(benchmarks, filepath.Join(folder, b.file))
	}
	return own, benchmarks
}

// howFound is what a line of text says of how a verdict was found.
var howFound = regexp.MustCompile(`depth \d+|\d+ (clauses?|ranks?)|\d+\.\d s| at step \d+|, loop from \d+| · from an earlier run$`)

func comparableText(text string) (lines []string) {
	for _, line := range strings.Split(text, "\n") {
		line = howFound.ReplaceAllString(line, "")
		lines = append(lines, strings.ReplaceAll(line, " ·  · ", " · "))
	}
	return lines
}

func comparableJSON(t *testing.T, text string) (lines []string) {
	for line := range strings.Lines(text) {
		var a map[string]any
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v\n%s", err, line)
		}
		for _, how := range []string{"engine", "solver", "depth", "clauses", "ranks", "steps", "loop", "seconds", "cached", "options"} {
			delete(a, how)
		}
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(data))
	}
	return lines
}

// compareLines compares what was said line by line.
func compareLines(t *testing.T, where string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d lines, want %d\n%s", where, len(got), len(want), strings.Join(got, "\n"))
		return
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s:\n%s\nwant\n%s", where, got[i], want[i])
		}
	}
}
