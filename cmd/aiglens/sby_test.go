package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/internal/explicit"
)

// sbyHeard is what SymbiYosys hears of a solver: it reads standard output and standard error as one
// stream, line by line.
type sbyHeard struct {
	code    int
	bounds  []int    // of lines u<k>
	status  string   // "" when there was none
	witness []string // what it keeps of the lines after the status, up to the dot
	more    []string // the lines after that
	text    string
}

// hearSBY reads a stream as sbysrc/sby_engine_aiger.py does (f57802a1).
func hearSBY(t *testing.T, text string) (h sbyHeard) {
	t.Helper()
	h.text = text
	ended := false
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue // as SymbiYosys does, also with a row without latches
		}
		switch {
		case h.status != "" && ended:
			h.more = append(h.more, line)
		case h.status != "":
			h.witness = append(h.witness, line)
			ended = line == "."
		case strings.HasPrefix(line, "u"):
			k, err := strconv.Atoi(line[1:])
			if err != nil {
				t.Fatalf("SymbiYosys breaks off at the line %q", line)
			}
			h.bounds = append(h.bounds, k)
		case slices.Contains([]string{"0", "1", "2"}, line):
			h.status = line
		}
	}
	if h.status != "" && !ended {
		t.Errorf("the answer does not end:\n%s", text)
	}
	return h
}

// askSBY runs a program as SymbiYosys does, under its name.
func askSBY(t *testing.T, dir, program string, args ...string) sbyHeard {
	t.Helper()
	exe, err := exec.LookPath(program) // that of TestMain
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	text, err := allOutputOf(t, cmd)
	h := hearSBY(t, text)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		h.code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return h
}

const (
	// counterOfTwo has two bits and an input that does nothing; bad 1 is its highest value, in step 3, and bad 0 none.
	counterOfTwo = "aag 7 1 2 0 4 2\n14\n2 3\n4 13\n0\n6\n6 4 2\n8 5 3\n10 7 9\n12 11 11\n"
	// sbyHolds has two bads that hold, sbyLive a justice property that fails and one that holds.
	sbyHolds = "aag 2 1 1 0 0 2\n2\n4 4\n4\n0\n"
	sbyLive  = "aag 2 1 1 0 0 0 0 2\n4\n2 3\n1\n1\n2\n0\n"
)

// TestSBY holds the command to the protocol of SymbiYosys, under each name.
func TestSBY(t *testing.T) {
	dir := t.TempDir()
	later := counter(12)                          // 4095 steps
	hard := strings.SplitAfter(counter(60), "\n") // bad 0 has no answer, and stands before one that fails in step 4
	hard[0] = "aag 5000 1" + strings.TrimSuffix(hard[0][strings.Index(hard[0], " 0 ")+2:], "1\n") + "2\n"
	hard = slices.Insert(slices.Insert(hard, 62, "6\n"), 1, "10000\n")
	for name, text := range map[string]string{
		"two.aag": counterOfTwo, "holds.aag": sbyHolds, "live.aag": sbyLive, "later.aag": later, "hard.aag": strings.Join(hard, ""),
		"u7.aag": sbyHolds + "i0 x\nl0 x\n", "1": counterOfTwo,
		"outputs.aag": "aag 2 1 1 1 0\n4\n2 3\n2\n", "none.aag": "aag 1 1 0 0 0\n2\n", "cut.aag": "aag 9 9 9 9 9\n2\n", "small.aag": "aag 1 1 1 0 0 2\n2\n4 4\n2\n5\n", "plain.blif": ".model m\n.end\n",
		"gate.aag":   "aag 3 2 0 0 1 2\n2\n4\n0\n6\n6 2 5\n",
		"mapped.aag": "aag 7 1 2 0 4 2\n2\n4 5\n6 15\n0\n8\n8 6 4\n10 7 5\n12 9 11\n14 13 13\n", "mapped.ywa": `{"version": "Yosys Witness Aiger map", "latch_count": 2, "input_count": 1, "clocks": [], "inputs": [], "seqs": [], "inits": []}`,
		"constrained.aag": "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		call   string
		code   int
		status string
		answer string // the witness, with its lines joined by blanks
		more   string // the answers after that
		bound  int    // the last one at least; −1 for none at all
	}{
		{call: "aiglens sby two.aag", status: "1", answer: "b1 00 0 0 0 0 ."},
		{call: "suprove two.aag", status: "1", answer: "b1 00 0 0 0 0 ."},
		{call: "suprove +deep two.aag", status: "1", answer: "b1 00 0 0 0 0 ."},
		{call: "aiglens sby --keep-going two.aag", status: "0", answer: "b0 .", more: "1 b1 00 0 0 0 0 ."},
		{call: "aiglens sby holds.aag", status: "0", answer: "b0b1 ."},
		{call: "aiglens sby u7.aag", status: "0", answer: "b0b1 ."},
		{call: "aiglens sby 1", status: "1", answer: "b1 00 0 0 0 0 ."},
		{call: "aiglens sby constrained.aag", status: "0", answer: "b0 ."},
		{call: "aiglens sby outputs.aag", status: "1", answer: "b0 0 0 0 ."},
		{call: "aiglens sby mapped.aag", status: "1", answer: "b1 00 x x x x ."},
		{call: "aiglens sby gate.aag", status: "1", answer: "b1 0 10 ."},
		{call: "aiglens sby --keep-going gate.aag", status: "0", answer: "b0 .", more: "1 b1 10 ."},
		{call: "aiglens sby --workers 1 hard.aag", status: "1", answer: "b1 " + strings.Repeat("0", 60) + " 0 0 0 0 0 ."},
		{call: "aiglens sby --workers 1 --mode bmc --depth 1000000 hard.aag", status: "1", answer: "b1 " + strings.Repeat("0", 60) + " 0 0 0 0 0 ."},
		{call: "aiglens sby --timeout 1ns holds.aag", status: "2", answer: "b0 .", bound: -1},
		{call: "aiglens sby --keep-going --timeout 1ns holds.aag", status: "2", answer: "b0 .", more: "2 b1 .", bound: -1},

		{call: "aiglens sby --mode bmc --depth 3 two.aag", status: "2", answer: "b1 .", bound: 2},
		{call: "aiglens sby --mode bmc --depth 3 holds.aag", status: "0", answer: "b0b1 ."},
		{call: "aiglens sby --mode bmc --depth 4 two.aag", status: "1", answer: "b1 00 0 0 0 0 ."},
		{call: "aigbmc 2 two.aag", status: "2", answer: "b1 .", bound: 2},
		{call: "aigbmc 3 -v two.aag", status: "1", answer: "b1 00 0 0 0 0 ."},
		{call: "aiglens sby --mode bmc later.aag", status: "2", answer: "b0 .", bound: 19},
		{call: "aiglens sby --mode bmc --keep-going --depth 3 two.aag", status: "0", answer: "b0 .", more: "2 b1 ."},
		{call: "aiglens sby --mode bmc --keep-going --depth 30 two.aag", status: "0", answer: "b0 .", more: "1 b1 00 0 0 0 0 ."},

		{call: "aiglens sby --mode live live.aag", status: "1", answer: "j0 0 0 0 .", bound: -1},
		{call: "suprove +simple_liveness live.aag", status: "1", answer: "j0 0 0 0 .", bound: -1},
		{call: "aiglens sby --mode live --keep-going live.aag", status: "1", answer: "j0 0 0 0 .", more: "0 j1 .", bound: -1},

		{call: "aiglens sby", code: exitUsage, bound: -1},
		{call: "aiglens sby missing.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby cut.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby small.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby none.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby plain.blif", code: exitUsage, bound: -1},
		{call: "aiglens sby live.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby two.aag holds.aag", code: exitUsage, bound: -1},
		{call: "suprove +simple_liveness two.aag", code: exitUsage, bound: -1},
		{call: "aigbmc -n 3 two.aag", code: exitUsage, bound: -1},
		{call: "aigbmc 3 4 two.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby --mode bmc --engine ic3 two.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby --depth 3 two.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby --mode bmc --depth 0 two.aag", code: exitUsage, bound: -1},
		{call: "aiglens sby --mode cover two.aag", code: exitUsage, bound: -1},
	} {
		t.Run(c.call, func(t *testing.T) {
			words := strings.Fields(c.call)
			h := askSBY(t, dir, words[0], words[1:]...)
			var more []string
			for _, line := range h.more {
				if !strings.HasPrefix(line, "aiglens: ") && !strings.HasPrefix(line, "u") {
					more = append(more, line)
				}
			}
			if h.code != c.code || h.status != c.status || strings.Join(h.witness, " ") != c.answer || strings.Join(more, " ") != c.more {
				t.Errorf("exit code %d, status %q, %q, %q of\n%s", h.code, h.status, h.witness, more, h.text)
			}
			if !slices.IsSorted(h.bounds) || len(h.bounds) > 0 && c.bound < 0 || c.bound > 0 && (len(h.bounds) == 0 || slices.Max(h.bounds) < c.bound) {
				t.Errorf("bounds %v, expected the last to be %d:\n%s", h.bounds, c.bound, h.text)
			}
			for line := range strings.Lines(h.text) {
				if c.code != 0 && !strings.HasPrefix(line, "aiglens: ") {
					t.Errorf("the line %q has no program that says it", line)
				}
			}
		})
	}
}

// TestSBYOfRandomCircuits compares answers with a search of all states: the status, the property that a
// witness is about, the bounds, and what each property is answered with --keep-going.
func TestSBYOfRandomCircuits(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(31, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 7, Gates: 30, Constraints: 1, OneResets: true, FreeLatches: true, MoreBads: 3})
		file := filepath.Join(dir, fmt.Sprintf("u%d.aag", seed))
		if err := os.WriteFile(file, aiger.FromCircuit(c).AppendASCII(nil), 0o600); err != nil {
			t.Fatal(err)
		}
		var first []int // step in which each bad fails
		for i := range c.Bads() {
			first = append(first, explicit.FirstBadStep(c, circuit.Property{Kind: circuit.PropertyBad, Index: i}))
		}
		for _, depth := range []int{0, 1 + int(seed%5)} {
			fails := func(i int) bool { return first[i] != explicit.NotViolated && (depth == 0 || first[i] < depth) }
			args := []string{"sby"}
			if depth > 0 {
				args = append(args, "--mode", "bmc", "--depth", strconv.Itoa(depth))
			}
			isRefuted := false
			for i := range first {
				isRefuted = isRefuted || fails(i)
			}
			want := map[bool]string{true: "1", false: "0"}[isRefuted]
			h := answerInProcess(t, append(args, file)...)
			if !isRefuted && (slices.Max(first) != explicit.NotViolated || depth > 0 && h.status == "2") {
				want = "2" // a search that has come to its end need not have a proof
			}
			seen[fmt.Sprint(want, depth > 0)]++
			if h.status != want || len(h.more) > 0 {
				t.Fatalf("seed %d: status %q, expected %q; the bads fail in %d:\n%s", seed, h.status, want, first, h.text)
			}
			if want == "1" {
				found, _ := aiger.ReadWitnesses([]byte(onlyProtocol(h.text)))
				about := found[0].Properties[0].Index
				if steps := found[0].Trace().Steps(); !fails(about) || steps <= first[about] || depth > 0 && steps > depth {
					t.Errorf("seed %d: b%d in %d steps; the bads fail in %d", seed, about, steps, first)
				}
				if slices.ContainsFunc(h.witness, func(line string) bool { return strings.Contains(line, "x") }) {
					t.Errorf("seed %d: a value is not given:\n%s", seed, h.text)
				}
			}
			for _, k := range h.bounds {
				for i := range first {
					if first[i] != explicit.NotViolated && first[i] <= k {
						t.Errorf("seed %d: u%d, and b%d fails in step %d:\n%s", seed, k, i, first[i], h.text)
					}
				}
			}
			each := answerInProcess(t, append(args, "--keep-going", file)...)
			found, diagnostics := aiger.ReadWitnesses([]byte(onlyProtocol(each.text)))
			if len(diagnostics) > 0 || len(found) != len(first) {
				t.Fatalf("seed %d: %v, %d answers\n%s", seed, diagnostics, len(found), each.text)
			}
			for _, w := range found {
				i := w.Properties[0].Index
				if (w.Status == '1') != fails(i) || w.Status == '0' && first[i] != explicit.NotViolated {
					t.Errorf("seed %d: b%d has status %c, and the bads fail in %d", seed, i, w.Status, first)
				}
			}
		}
	}
	for _, kind := range []string{"0false", "1false", "0true", "1true"} {
		if seen[kind] < 20 {
			t.Errorf("seen were %v", seen)
		}
	}
}

// answerInProcess runs a command, with its two outputs as one.
func answerInProcess(t *testing.T, args ...string) sbyHeard {
	t.Helper()
	var text bytes.Buffer
	code := run(context.Background(), env{stdin: strings.NewReader(""), stdout: &text, stderr: &text}, args)
	h := hearSBY(t, text.String())
	h.code = code
	return h
}

// onlyProtocol leaves out what is for people.
func onlyProtocol(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "aiglens: ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
