package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aiglens/internal/agents/scripted"
	"aiglens/internal/shared"
)

// scriptedAgent is the agent that is a program, with a server that may read a folder.
func scriptedAgent(t *testing.T, folder, cache string) (*scripted.Agent, *exec.Cmd) {
	t.Setenv(cacheVariable, cache)
	session, server := startAgents(t, folder)
	return &scripted.Agent{Tools: func(ctx context.Context, tool string, arguments map[string]any) (json.RawMessage, error) {
		r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			return nil, err
		}
		text := r.Content[0].(*mcp.TextContent).Text
		if r.StructuredContent == nil {
			return nil, errors.New(text)
		}
		return json.RawMessage(text), nil
	}}, server
}

// openProperties are files of the benchmarks that scripts/suggest.mjs draws, with properties that a check of 20 s leaves
// open there. AIGLENS_PROOFS has others, separated by commas.
var openProperties = []string{
	"hwmcc11-single/boblivear.aig", "hwmcc11-single/pdtpmsudc8.aig", "hwmcc08/nusmvtcastp3.aig",
	"hwmcc08/nusmvtcasp3.aig", "hwmcc08/pdtpmsviper.aig", "hwmcc11-single/bobsmhdlc3.aig", "hwmcc11-single/pdtswvtma6x6p3.aig",
	"hwmcc11-single/pdtswvsam4x8p4.aig", "hwmcc11-single/pdtswvrod6x8p2.aig", "hwmcc11-single/pdtswvqis8x8p2.aig",
	"hwmcc11-single/pdtswvqis10x6p2.aig", "hwmcc11-single/6s48p0.aig", "hwmcc11-single/pdtpmsudc16.aig",
}

// TestScriptedProofs: an agent that follows docs/agents.md proves properties that a check leaves open. What it proves a
// check without lemmas gets as much processor time for.
func TestScriptedProofs(t *testing.T) {
	if os.Getenv("AIGLENS_LONG") == "" {
		t.Skip("set AIGLENS_LONG to run it: an hour")
	}
	folder := filepath.Join(shared.Dir(t), "benchmarks")
	names := openProperties
	if chosen := os.Getenv("AIGLENS_PROOFS"); chosen != "" {
		names = strings.Split(chosen, ",")
	}
	took := map[string]time.Duration{} // processor time of what was proved
	for _, name := range names {
		var server *exec.Cmd
		t.Run(filepath.Base(name), func(t *testing.T) { server = proveOpen(t, folder, name) })
		if server != nil {
			took[name] = server.ProcessState.UserTime() + server.ProcessState.SystemTime() // its calls are children
		}
	}
	t.Logf("%d of %d proved", len(took), len(names))
	for _, name := range slices.Sorted(maps.Keys(took)) {
		cpu := took[name].Round(time.Second).String()
		said, err := exec.Command("aiglens", "check", "--no-cache", "--timeout", "0", "--cpu", cpu, filepath.Join(folder, filepath.FromSlash(name))).Output()
		t.Logf("%s, with lemmas in %s; without, in as much: %s%v", name, cpu, said, err)
	}
}

// proveOpen tries to prove a property that a check leaves open, and tests the certificate. It returns the server, which
// has ended when the test has; nil where there is no proof.
func proveOpen(t *testing.T, folder, name string) *exec.Cmd {
	a, server := scriptedAgent(t, folder, t.TempDir())
	text, err := a.Text(t.Context(), filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	limits := scripted.Limits{Check: 20 * time.Second, Again: 400 * time.Second, Lemma: 5 * time.Second, Cover: 2 * time.Second, Obstacles: 2}
	p, err := a.Prove(t.Context(), text, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, then %s with %d lemmas, %d calls\n  %s", p.First, p.Last, len(p.Lemmas), a.Calls, strings.Join(p.Steps, "\n  "))
	if p.First != "unknown" || p.Certificate == "" {
		return nil
	}
	model, certificate := filepath.Join(t.TempDir(), "model.aag"), filepath.Join(t.TempDir(), "certificate.aag")
	for path, content := range map[string]string{model: text, certificate: p.Certificate} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var said strings.Builder
	if code := run(t.Context(), env{stdin: strings.NewReader(""), stdout: &said, stderr: &said}, []string{"certify", model, certificate}); code != exitOK {
		t.Errorf("certify: exit code %d: %s", code, said.String())
	}
	return server
}

// faulty is a circuit with one fault.
type faulty struct {
	name, original, text string
	fault                scripted.Edit
}

// soundCircuits are small circuits whose properties are all proved: examples and files of the corpus.
func soundCircuits(t *testing.T) (all []faulty) {
	corpus := filepath.Join(shared.Dir(t), "corpus")
	for _, pattern := range []string{
		filepath.Join("..", "..", "examples", "*.aag"), filepath.Join("..", "..", "examples", "*.blif"),
		filepath.Join(corpus, "aiger", "own", "*.aag"), filepath.Join(corpus, "aiger", "gen-*.aag"),
		filepath.Join(corpus, "blif", "own", "*.blif"), filepath.Join(corpus, "blif", "gen-*.blif"),
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := faulty{name: filepath.Base(path), original: string(text), text: string(text)}
			if wrong, _, ok := unprovedIn(t, f); ok && wrong == 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// unprovedIn counts the properties of a text that are not proved, or are for no reason, and those that are refuted; ok is
// false where it has none, or is no circuit.
func unprovedIn(t *testing.T, f faulty) (wrong, failing int, ok bool) {
	path := filepath.Join(t.TempDir(), f.name)
	if err := os.WriteFile(path, []byte(f.text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, said strings.Builder
	code := run(t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: &said}, []string{"check", "--no-cache", "--cpu", "5s", "--format", "json", path})
	if code == exitUsage || out.Len() == 0 {
		return 0, 0, false
	}
	for line := range strings.Lines(out.String()) {
		var v struct {
			Verdict string
			Vacuous bool
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil || v.Verdict == "" {
			return 0, 0, false
		}
		if v.Verdict != "proved" || v.Vacuous {
			wrong++
		}
		if v.Verdict == "refuted" {
			failing++
		}
	}
	return wrong, failing, true
}

// faults draws circuits with one fault each, with which a property is refuted.
func faults(t *testing.T, seed uint64, count int) (all []faulty) {
	r := rand.New(rand.NewPCG(seed, 0))
	sound := soundCircuits(t)
	known := map[string]bool{}
	for len(all) < count {
		f := sound[r.IntN(len(sound))]
		rows := scripted.Read(f.original)
		byKind := map[scripted.Kind][]scripted.Edit{}
		for _, e := range rows.Edits() {
			byKind[e.Kind] = append(byKind[e.Kind], e)
		}
		kinds := slices.Sorted(maps.Keys(byKind))
		edits := byKind[kinds[r.IntN(len(kinds))]]
		f.fault = edits[r.IntN(len(edits))]
		f.text = f.fault.Apply(rows.Lines)
		if known[f.text] {
			continue
		}
		known[f.text] = true
		if _, failing, ok := unprovedIn(t, f); ok && failing > 0 {
			all = append(all, f)
		}
	}
	return all
}

// TestScriptedRepairs: an agent that follows docs/agents.md repairs circuits with one fault.
func TestScriptedRepairs(t *testing.T) {
	seeds, count := []uint64{1}, 6
	if os.Getenv("AIGLENS_LONG") != "" {
		seeds, count = []uint64{1, 2, 3}, 40
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { repairAll(t, seed, count) })
	}
}

func repairAll(t *testing.T, seed uint64, count int) {
	a, _ := scriptedAgent(t, t.TempDir(), cacheOff)
	repaired, equal := 0, 0
	for i, f := range faults(t, seed, count) {
		a.Calls = 0
		got, err := a.Repair(t.Context(), f.name, f.text, 4000)
		if err != nil {
			t.Fatalf("%s, %s: %v", f.name, f.fault, err)
		}
		came := got.Why
		if got.After != "" {
			f.text = got.After
			if wrong, _, ok := unprovedIn(t, f); !ok || wrong > 0 {
				t.Errorf("%s: the repaired text has %d properties that are not proved", f.name, wrong)
				continue
			}
			repaired++
			came = "repaired"
			if isEqual(t, f.name, f.original, got.After) {
				equal++
				came = "equal"
			}
			came += ", " + got.Edit.String()
		}
		t.Logf("%d. %s: %s; %s; %d calls, %d checked, %d fit", i+1, f.name, f.fault, came, a.Calls, got.Tried, got.Fit)
	}
	t.Logf("%d of %d repaired, %d of them equal to the original", repaired, count, equal)
	if repaired*4 < count*3 {
		t.Errorf("%d of %d repaired, expected three quarters", repaired, count)
	}
}

// isEqual reports whether two texts are equal circuits.
func isEqual(t *testing.T, name, a, b string) bool {
	folder := t.TempDir()
	var paths []string
	for i, text := range []string{a, b} {
		path := filepath.Join(folder, fmt.Sprintf("%d-%s", i, name))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	var out, said strings.Builder
	return run(t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: &said}, append([]string{"equiv", "--combinational", "--cpu", "10s"}, paths...)) == exitOK
}
