package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/peers"
	"aiglens/lsp"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// keptRun is a run that was played by messages and kept in a file.
type keptRun struct {
	circuit, file string // paths
	model         *aiger.Model
	played        wire.Played
	start         string   // of the latches, as the file has it
	rows          []string // of the inputs by step, as the file has them
}

// keepRuns plays random runs on random circuits in a server and hands on what it keeps of them.
func keepRuns(t *testing.T, runs int, with func(k *keptRun)) {
	t.Helper()
	client := lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return lsp.Serve(ctx, in, out, lsp.Options{Engine: func(engines.Spec) verify.Engine { return engines.NewAuto() }, Clauses: auto.Check})
	})
	client.Initialize(map[string]any{}, map[string]any{"check": map[string]any{"trigger": "manual"}})
	command := func(name string, argument, answer any) {
		t.Helper()
		client.MustCall("workspace/executeCommand", map[string]any{"command": name, "arguments": []any{argument}}, answer)
	}
	dir := t.TempDir()
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 37))
		k := &keptRun{circuit: filepath.Join(dir, fmt.Sprintf("%d.aag", seed))}
		k.model = aiger.FromCircuit(explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 4, Latches: 5, Gates: 20, Constraints: int(seed % 3 / 2), FreeLatches: true, OneResets: true,
			ResetFunctions: seed%4 == 0, MoreBads: int(seed % 3),
		}))
		text := string(k.model.AppendASCII(nil))
		if err := os.WriteFile(k.circuit, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		u := uri.File(k.circuit)
		client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": u, "languageId": "aiger", "version": 1, "text": text,
		}})
		params := wire.PlayParams{URI: u}
		for range 2 + r.IntN(5) {
			var a wire.Played
			command(wire.CommandPlay.Name, params, &a)
			params.Run, params.Change, k.played = &a.Run, randomChange(r, a), a
		}
		keep := wire.ExportRunParams{URI: u, Run: k.played.Run, Format: wire.FormatWitness}
		var named, written wire.ExportedTrace
		command(wire.CommandExportRun.Name, keep, &named)
		k.file = filepath.Join(dir, named.Name)
		keep.Path = k.file
		command(wire.CommandExportRun.Name, keep, &written)
		client.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": u}})
		k.read(t)
		with(k)
		if t.Failed() {
			t.Fatalf("seed %d, %s:\n%s%s", seed, named.Name, text, written.Text)
		}
	}
}

func randomChange(r *rand.Rand, a wire.Played) *wire.RunChange {
	settable := slices.DeleteFunc(slices.Clone(a.Trace.Signals), func(s wire.TraceSignal) bool { return s.Settable == "" })
	switch k := r.IntN(4); {
	case k == 0 && len(settable) > 0:
		s := settable[r.IntN(len(settable))]
		x := &wire.RunChange{Kind: wire.ChangeFlip, Signal: s.Signal}
		if s.Settable == wire.SettableAlways {
			x.Step = r.IntN(a.Run.Steps)
		}
		return x
	case k == 1:
		return &wire.RunChange{Kind: wire.ChangeAdd, Steps: 1 + r.IntN(3)}
	}
	return &wire.RunChange{Kind: wire.ChangeRandom, Steps: 1 + r.IntN(6), Seed: 1 + r.Uint32N(1e9)}
}

// read takes the rows out of the file, with no code of the program.
func (k *keptRun) read(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(k.file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), ".\n"), "\n")
	lines = lines[:len(lines)-1]
	if k.isWitness() {
		k.start, k.rows = lines[2], lines[3:]
		return
	}
	_, k.start, _ = strings.Cut(lines[1], "latches start with ")
	k.rows = lines[2:]
}

func (k *keptRun) isWitness() bool { return strings.HasSuffix(k.file, ".wit") }

// shown returns the values of the signals of a group, in order, as they were shown in the steps
// that are kept.
func (k *keptRun) shown(group wire.SignalGroup) (values []string) {
	for _, s := range k.played.Trace.Signals {
		if s.Group == group {
			values = append(values, s.Values[:len(k.rows)])
		}
	}
	return values
}

// named returns the values of a literal of the file as they were shown.
func (k *keptRun) named(lit uint32) string {
	for _, s := range k.played.Trace.Signals {
		if s.Name == fmt.Sprint(lit) && (s.Group == wire.GroupInputs || s.Group == wire.GroupLatches) {
			return s.Values[:len(k.rows)]
		}
	}
	return ""
}

// TestKeptRunsReplay: what the server keeps of a run that was played has the values in replay
// that were shown; as a witness it is accepted by the referee, too, for each property that it
// names. A run that breaks a constraint is none of the circuit.
func TestKeptRunsReplay(t *testing.T) {
	runs := 60
	if isLong() {
		runs = 1000
	}
	counts := map[wire.RunOutcome]int{}
	keepRuns(t, runs, func(k *keptRun) {
		outcome := k.played.Outcome
		counts[outcome]++
		if want := outcome == wire.RunFails; k.isWitness() != want {
			t.Errorf("%s, kept as %s", outcome, k.file)
		}
		code, out, errs := runCommand(t, "replay", "--witness", k.file, k.circuit)
		if outcome == wire.RunBroken {
			if code != exitNotViolated || !strings.Contains(out, "no run of") {
				t.Errorf("a broken run: exit %d: %s%s", code, out, errs)
			}
			return
		}
		if code != exitOK {
			t.Errorf("exit %d: %s%s", code, out, errs)
			return
		}
		if !k.isWitness() {
			k.compare(t, exportAs(t, k.file, k.circuit, "json"))
			return
		}
		k.askReferee(t)
		for _, p := range k.properties() {
			k.compare(t, exportAs(t, k.file, k.circuit, "json", "--index", "bad:"+p))
		}
	})
	for _, o := range []wire.RunOutcome{wire.RunOpen, wire.RunFails, wire.RunBroken} {
		if counts[o] == 0 {
			t.Errorf("no run ends as %s: %v", o, counts)
		}
	}
}

// properties are the numbers of the bads that the witness names.
func (k *keptRun) properties() (numbers []string) {
	data, _ := os.ReadFile(k.file)
	return strings.Split(strings.Split(string(data), "\n")[1], "b")[1:]
}

// compare checks that a run of replay has the values that were shown, as far as it goes.
func (k *keptRun) compare(t *testing.T, text string) {
	t.Helper()
	var w struct {
		Steps   int
		Signals []struct{ Name, Group, Values string }
	}
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	if w.Steps < 1 || w.Steps > len(k.rows) || !k.isWitness() && w.Steps != len(k.rows) {
		t.Errorf("%d steps of %d", w.Steps, len(k.rows))
	}
	for _, s := range w.Signals {
		var letter rune
		var index int
		var want string
		number, err := strconv.ParseUint(s.Name, 10, 32)
		if err != nil {
			if _, err := fmt.Sscanf(s.Name, "%c%d", &letter, &index); err != nil {
				t.Fatal(err)
			}
		}
		switch letter {
		case 0: // an input or latch goes by its literal
			want = k.named(uint32(number))
		case 'b':
			want = k.shown(wire.GroupProperty)[index]
		case 'c':
			want = k.shown(wire.GroupConstraints)[index]
		}
		if want == "" || s.Values != want[:w.Steps] {
			t.Errorf("%s is %s in replay, %s as shown", s.Name, s.Values, want)
		}
	}
}

// askReferee has the referee judge the witness for each of its properties.
func (k *keptRun) askReferee(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(k.circuit)
	if err != nil {
		t.Fatal(err)
	}
	all := refereeOf(t, data)
	for _, p := range k.properties() {
		var index int
		if _, err := fmt.Sscan(p, &index); err != nil {
			t.Fatal(err)
		}
		one := *all
		one.bads = all.bads[index : index+1]
		if err := one.accept("1\nb0\n" + k.start + "\n" + strings.Join(append(k.rows, "."), "\n")); err != nil {
			t.Errorf("bad %d: the referee says: %v", index, err)
		}
	}
}

// TestKeptRunsReplayInABC: ABC, given the start and the inputs of a run that was kept, finds
// each property and each constraint to have the value that was shown, step by step; so it
// accepts the witness of a violation, too. It knows no reset functions, and starts where it is told:
// that this fits the resets is for the referee to say.
func TestKeptRunsReplayInABC(t *testing.T) {
	peers.Program(t, "berkeley-abc")
	runs := 60
	if isLong() {
		runs = 1000
	}
	values := map[byte]int{}
	witnesses := 0
	keepRuns(t, runs, func(k *keptRun) {
		if len(k.model.Inputs) == 0 || hasResetFunction(k.model) {
			return // ABC reads no run without inputs
		}
		var script, want []string
		ask := func(lit uint32, shown string) {
			circuit := fmt.Sprintf("%s.%d.aig", k.circuit, len(script))
			k.writeOnly(t, circuit, lit)
			script = append(script, "read "+circuit)
			for step, value := range []byte(shown) {
				status := fmt.Sprintf("%s.%d.status", k.circuit, len(script))
				k.writeStatus(t, status, step)
				script = append(script, "read_status "+status, "testcex -a")
				want = append(want, map[byte]string{'0': "does not fail any outputs.", '1': "is correct."}[value])
				values[value]++
			}
		}
		for i, shown := range k.shown(wire.GroupProperty) {
			ask(k.model.Bads[i], shown)
		}
		for i, shown := range k.shown(wire.GroupConstraints) {
			ask(k.model.Constraints[i], shown)
		}
		if k.isWitness() {
			witnesses++
		}
		said, err := peers.ABC(t, strings.Join(script, "; "))
		var got []string
		for line := range strings.Lines(said) {
			if _, says, ok := strings.Cut(strings.TrimSpace(line), "Main AIG: The cex "); ok {
				got = append(got, says)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("ABC says %v, expected %v: %v\n%.2000s", got, want, err, said)
		}
	})
	t.Logf("%d values 0, %d values 1, %d witnesses", values['0'], values['1'], witnesses)
	if values['0'] < runs || values['1'] < runs/2 || witnesses < runs/6 {
		t.Error("too few")
	}
}

func hasResetFunction(m *aiger.Model) bool {
	return slices.ContainsFunc(m.Latches, func(l syntax.Latch) bool { return l.Reset > 1 && l.Reset != l.Lit })
}

// writeOnly writes the circuit with a literal as its only output, as ABC reads it.
func (k *keptRun) writeOnly(t *testing.T, path string, lit uint32) {
	t.Helper()
	only := *k.model
	only.Outputs, only.Bads, only.Constraints = []uint32{lit}, nil, nil
	data, err := only.AppendBinary(nil)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// writeStatus writes the run up to a step as a counterexample of ABC.
func (k *keptRun) writeStatus(t *testing.T, path string, step int) {
	t.Helper()
	text := fmt.Sprintf("snl_SAT 0 unknown 0 %d\n%s\n%s\n# DONE\n", step, k.start, strings.Join(k.rows[:step+1], ""))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestKeptRunsReplayInAigsim: aigsim accepts each witness, and gives a stimulus the values that
// were shown where all latches have a constant reset.
func TestKeptRunsReplayInAigsim(t *testing.T) {
	aigsim, err := exec.LookPath("aigsim")
	if err != nil {
		t.Skip("aigsim is not installed: nothing to compare with")
	}
	keepRuns(t, 60, func(k *keptRun) {
		isOpen := slices.ContainsFunc(k.model.Latches, func(l syntax.Latch) bool { return l.Reset > 1 })
		switch {
		case k.isWitness():
			if said, err := exec.Command(aigsim, "-c", k.circuit, k.file).CombinedOutput(); err != nil {
				t.Errorf("aigsim refuses the witness: %v: %s", err, said)
			}
		case k.played.Outcome != wire.RunBroken && !isOpen:
			said, err := exec.Command(aigsim, k.circuit, k.file).CombinedOutput()
			lines := strings.Split(string(said), "\n")
			if err != nil || len(lines) < len(k.rows) {
				t.Errorf("aigsim: %v: %s", err, said)
				return
			}
			for step := range k.rows {
				var latches []byte
				for _, l := range k.model.Latches {
					latches = append(latches, k.named(l.Lit)[step])
				}
				if !strings.HasPrefix(lines[step], string(latches)+" "+k.rows[step]+" ") {
					t.Errorf("aigsim has %s in step %d, expected %s %s", lines[step], step, latches, k.rows[step])
				}
			}
		}
	})
}
