package aiger

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// globs returns the files of the test material that match any pattern.
func globs(t testing.TB, patterns ...string) []string {
	t.Helper()
	dir := shared.Dir(t)
	var names []string
	for _, p := range patterns {
		matches, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil || len(matches) == 0 {
			t.Fatalf("no files match %s: %v", p, err)
		}
		names = append(names, matches...)
	}
	return names
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// errorCodes returns the codes of the errors, each once.
func errorCodes(diags []source.Diagnostic) []source.Code {
	var codes []source.Code
	seen := map[source.Code]bool{}
	for _, diag := range diags {
		if diag.Severity == source.Error && !seen[diag.Code] {
			seen[diag.Code] = true
			codes = append(codes, diag.Code)
		}
	}
	return codes
}

// hasResetFunction lists the valid files that use what AIGER 1.9 does not have.
var hasResetFunction = map[string]bool{
	"reset-function.aag":                    true,
	"certifaiger-negated_reset_witness.aag": true,
	"negated_reset_witness.aag":             true,
}

func checkNoErrors(t *testing.T, name string, diags []source.Diagnostic) {
	t.Helper()
	codes := errorCodes(diags)
	if hasResetFunction[filepath.Base(name)] {
		if len(codes) != 1 || codes[0] != CodeResetFunction {
			t.Errorf("%s: errors %v, want %s alone", name, codes, CodeResetFunction)
		}
		return
	}
	if len(codes) > 0 {
		t.Errorf("%s: errors %v in a valid file", name, codes)
	}
}

// TestValid reads valid ASCII files: no error, text unchanged, and all views of
// the file agree.
func TestValid(t *testing.T) {
	for _, name := range globs(t, "corpus/aiger/*.aag", "corpus/aiger/own/*.aag", "corpus/fuzz/*.aag", "benchmarks/certifaiger-examples/*.aag") {
		data := read(t, name)
		f := Parse(source.NewText(string(data)))
		if f.Text().Content() != string(data) {
			t.Errorf("%s: text changed", name)
		}
		checkNoErrors(t, name, f.Diagnostics())
		checkViews(t, name, f)
	}
}

// checkViews compares the occurrences with definitions, look-ups by place, the
// model and the circuit.
func checkViews(t *testing.T, name string, f *File) {
	t.Helper()
	model, err := f.Model()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	n := 0
	for o := range f.Occurrences() {
		if n++; n%97 != 1 && n > 200 {
			continue
		}
		if at, ok := f.OccurrenceAt(o.Span.Start); !ok || at != o {
			t.Fatalf("%s: occurrence %v found as %v", name, o, at)
		}
		if def, ok := f.Definition(o.Var()); o.Var() > 0 && (!ok || o.Role.IsDefinition() && def.Span != o.Span) {
			t.Fatalf("%s: occurrence %v defined by %v", name, o, def)
		}
	}
	want := 0
	model.eachLit(func(*uint32) { want++ })
	for _, l := range model.Latches {
		if l.Reset == 0 {
			want--
		}
	}
	for r := range f.counts[SectionLatches] {
		if row, _ := f.Row(SectionLatches, r); row.Count == 3 && row.Numbers[2] == 0 {
			want++
		}
	}
	if n != want {
		t.Errorf("%s: %d occurrences, %d literals", name, n, want)
	}
	c, err := model.Elaborate()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	checkSameBehaviour(t, name, f.Elaborate().Circuit, c)
}

// TestEncodings turns each file into the other encoding and back and simulates
// all of them side by side.
func TestEncodings(t *testing.T) {
	for _, name := range globs(t, "corpus/aiger/*.aag", "corpus/aiger/own/*.aag", "corpus/fuzz/*.a?g", "benchmarks/*/*.aig") {
		in, err := Read(name, read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		checkNoErrors(t, name, in.Diagnostics)
		if in.Binary && !strings.HasSuffix(name, ".aig") {
			t.Errorf("%s: read as binary", name)
		}
		model := in.Model
		if in.File != nil {
			if model, err = in.File.Model(); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
		}
		checkRoundTrip(t, name, model, in)
	}
}

func checkRoundTrip(t *testing.T, name string, model *Model, in *Input) {
	t.Helper()
	want, err := model.Elaborate()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	packed, err := model.AppendBinary(nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if in.Binary && !bytes.Equal(packed, in.Data) && isMinimal(in) {
		t.Errorf("%s: binary file changed by reading and writing", name)
	}
	unpacked, diags := ReadBinary(packed)
	if unpacked == nil {
		t.Errorf("%s: cannot read what was written: %v", name, diags)
		return
	}
	again := Parse(source.NewText(string(unpacked.AppendASCII(nil))))
	checkNoErrors(t, name, again.Diagnostics())
	checkSameBehaviour(t, name, want, again.Elaborate().Circuit)
	back, err := FromCircuit(want).Elaborate()
	if err != nil {
		t.Errorf("%s: model from circuit: %v", name, err)
		return
	}
	checkSameBehaviour(t, name, want, back)
}

// isMinimal reports whether a file is written as this package writes it: the
// header without trailing zeros, no reset 0, symbols in order. Others cannot
// come back byte for byte.
func isMinimal(in *Input) bool {
	header, body, _ := strings.Cut(string(in.Data), "\n")
	if len(strings.Fields(header)) > 6 && strings.HasSuffix(header, " 0") {
		return false
	}
	for range in.Model.Latches {
		var line string
		if line, body, _ = strings.Cut(body, "\n"); strings.HasSuffix(line, " 0") {
			return false
		}
	}
	last := SymbolEntry{}
	for _, s := range in.Model.Symbols {
		if s.Kind < last.Kind || s.Kind == last.Kind && s.Index < last.Index {
			return false
		}
		last = s
	}
	return true
}

// checkSameBehaviour simulates 64 random runs of both circuits and compares
// every output, property and constraint.
func checkSameBehaviour(t testing.TB, name string, a, b *circuit.Circuit) {
	t.Helper()
	if len(a.Inputs()) != len(b.Inputs()) || len(a.Latches()) != len(b.Latches()) {
		t.Errorf("%s: %d inputs and %d latches became %d and %d", name,
			len(a.Inputs()), len(a.Latches()), len(b.Inputs()), len(b.Latches()))
		return
	}
	random := rand.New(rand.NewPCG(1, 2))
	free := make([]uint64, len(a.Latches()))
	for i := range free {
		free[i] = random.Uint64()
	}
	pa, pb := circuit.NewParallel(a), circuit.NewParallel(b)
	pa.Reset(func(i int) uint64 { return free[i] })
	pb.Reset(func(i int) uint64 { return free[i] })
	inputs := make([]uint64, len(a.Inputs()))
	for range 6 {
		for i := range inputs {
			inputs[i] = random.Uint64()
		}
		pa.Eval(inputs)
		pb.Eval(inputs)
		la, lb := observed(a), observed(b)
		if len(la) != len(lb) {
			t.Errorf("%s: %d observed literals became %d", name, len(la), len(lb))
			return
		}
		for i := range la {
			if pa.Value(la[i]) != pb.Value(lb[i]) {
				t.Errorf("%s: observed literal %d differs", name, i)
				return
			}
		}
		pa.Advance()
		pb.Advance()
	}
}

// observed lists what can be seen of a circuit: outputs, bads, constraints,
// justice, fairness.
func observed(c *circuit.Circuit) []circuit.Lit {
	var ls []circuit.Lit
	for _, list := range [][]circuit.Signal{c.Outputs(), c.Bads(), c.Constraints(), c.Fairness()} {
		for _, s := range list {
			ls = append(ls, s.Lit)
		}
	}
	for _, j := range c.Justice() {
		ls = append(ls, j.Lits...)
	}
	return ls
}

// TestWitnesses reads witnesses and writes them again.
func TestWitnesses(t *testing.T) {
	for _, name := range globs(t, "benchmarks/witnesses/*", "corpus/aiger/*.wit", "corpus/aiger/own/*.wit") {
		data := read(t, name)
		ws, diags := ReadWitnesses(data)
		if len(ws) == 0 || len(diags) > 0 {
			t.Errorf("%s: %d witnesses, diagnostics %v", name, len(ws), diags)
			continue
		}
		var out []byte
		for _, w := range ws {
			out = w.Append(out)
		}
		again, diags := ReadWitnesses(out)
		if len(again) != len(ws) || len(diags) > 0 {
			t.Errorf("%s: %d witnesses became %d, diagnostics %v", name, len(ws), len(again), diags)
		}
		if !bytes.ContainsAny(data, "cu") && !bytes.Equal(out, data) {
			t.Errorf("%s: changed by reading and writing", name)
		}
	}
}
