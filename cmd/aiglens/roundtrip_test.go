package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/internal/shared"
)

// corpusFiles returns circuits of the corpora with an extension: our own and those that
// tools have generated, and all of them when AIGLENS_LONG is set.
func corpusFiles(t *testing.T, kind, extension string) []string {
	t.Helper()
	root := filepath.Join(shared.Dir(t), "corpus", kind)
	patterns := []string{"own/*" + extension, "gen-*" + extension}
	if os.Getenv("AIGLENS_LONG") != "" {
		patterns = []string{"*" + extension, "*/*" + extension}
	}
	var all []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		t.Fatal("no files")
	}
	return all
}

// sizes returns how many elements of each kind an AIGER text has: inputs, latches,
// outputs, constraints and fairness constraints, then properties, which may have been
// outputs and be bads.
func sizes(t *testing.T, in *design.Design) string {
	t.Helper()
	h, _, _ := strings.Cut(in.Text.Content(), "\n")
	fields := append(strings.Fields(h)[1:], "0", "0", "0", "0")[:9]
	return fmt.Sprint(fields[1:4], fields[6], fields[8], len(in.Properties()))
}

// TestRoundTrips checks that from AIGER to BLIF and back every circuit keeps its
// inputs, latches, outputs and properties in number, that another conversion of the BLIF
// changes nothing, and that ABC and Yosys read what is written.
func TestRoundTrips(t *testing.T) {
	dir := t.TempDir()
	var written []string
	for _, name := range corpusFiles(t, "aiger", ".aag") {
		in, err := read(context.Background(), env{}, name, &readFlags{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := encode(t.Context(), env{stderr: &strings.Builder{}}, in, "blif", nil)
		if err != nil {
			continue // with errors, or resets that BLIF cannot say
		}
		asBLIF := readText(t, string(data))
		back, _ := converted(t, asBLIF, "aag")
		if got, want := sizes(t, back), sizes(t, in); got != want {
			t.Errorf("%s: I L O, C, F and properties were %s and are %s", filepath.Base(name), want, got)
		}
		if _, again := converted(t, asBLIF, "blif"); len(blifOf(readText(t, again)).Top().Outputs()) != len(blifOf(asBLIF).Top().Outputs()) {
			t.Errorf("%s: another conversion changes the outputs:\n%.300s", filepath.Base(name), again)
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.blif", len(written)))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		written = append(written, file)
	}
	readByABC(t, written)
	readByYosys(t, written)
}

var abcStats = regexp.MustCompile(`i/o = *(\d+)/ *(\d+) *lat = *(\d+)`)

// readByABC reads files with ABC and compares the numbers of ports and latches.
func readByABC(t *testing.T, files []string) {
	abc, err := exec.LookPath("berkeley-abc")
	if err != nil {
		t.Log("no berkeley-abc: its part is left out")
		return
	}
	for part := range slices.Chunk(files, 50) {
		var script, want []string
		for _, name := range part {
			in, err := read(context.Background(), env{}, name, &readFlags{})
			if err != nil {
				t.Fatal(err)
			}
			if len(blifOf(in).Top().Outputs()) == 0 {
				continue // strash of ABC crashes when there is nothing to keep
			}
			script = append(script, "read_blif "+name, "strash", "print_stats")
			want = append(want, fmt.Sprint(len(blifOf(in).Top().Inputs()), len(blifOf(in).Top().Outputs()), len(circuitIn(t, in).Latches())))
		}
		out, err := exec.Command(abc, "-c", strings.Join(script, "; ")).CombinedOutput()
		var got []string
		for _, m := range abcStats.FindAllStringSubmatch(string(out), -1) {
			got = append(got, strings.Join(m[1:], " "))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("ABC: %v\n%v, expected\n%v\n%.2000s", err, got, want, out)
		}
	}
}

// readByYosys reads files with Yosys.
func readByYosys(t *testing.T, files []string) {
	yosys, err := exec.LookPath("yosys")
	if err != nil {
		t.Log("no yosys: its part is left out")
		return
	}
	for part := range slices.Chunk(files, 50) {
		var script []string
		for _, name := range part {
			script = append(script, "read_blif "+name, "design -reset")
		}
		if out, err := exec.Command(yosys, "-q", "-p", strings.Join(script, "; ")).CombinedOutput(); err != nil {
			t.Errorf("Yosys: %v\n%.2000s", err, out)
		}
	}
}
