package aiger

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// notStratified lists the files whose resets depend on themselves, which Certifaiger
// refuses.
var notStratified = map[string]bool{
	"certifaiger-negated_reset_witness.aag": true,
	"negated_reset_witness.aag":             true,
}

func checkNoErrors(t *testing.T, name string, diags []source.Diagnostic) {
	t.Helper()
	codes := aigertest.ErrorCodes(diags)
	if len(codes) > 0 {
		t.Errorf("%s: errors %v in a valid file", name, codes)
	}
}

// checkNotStratified tests that the reset is the only error.
func checkNotStratified(t *testing.T, name string, f *syntax.File) {
	t.Helper()
	found, err := diagnose.FindCycles(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	cycles := found.Diagnostics
	if codes := aigertest.ErrorCodes(f.Diagnostics()); len(codes) > 0 || len(cycles) != 1 || cycles[0].Code != syntax.CodeResetCycle {
		t.Errorf("%s: errors %v, cycles %v", name, codes, cycles)
	}
	if m, err := ModelOf(f); err == nil {
		t.Errorf("%s: a model with latches %v", name, m.Latches)
	}
}

// TestBinaryNotStratified: a binary file whose resets depend on themselves has the error on
// the line of the latch, before anything is folded.
func TestBinaryNotStratified(t *testing.T) {
	for data, want := range map[string]string{
		"aig 2 0 2 0 0 1\n2\n0 5\n2\n":         "0 5",
		"aig 3 1 1 0 1 1\n0 6\n6\n\x02\x02":    "0 6", // 6 = 4 ∧ 2
		"aig 2 0 1 0 1 1\n0 4\n4\n\x02\x01c\n": "0 4", // 4 = 2 ∧ 1
	} {
		m, diagnostics := ReadBinary([]byte(data))
		if m != nil || len(diagnostics) != 1 || diagnostics[0].Code != syntax.CodeResetCycle {
			t.Errorf("%q: a model %v, %v", data, m != nil, diagnostics)
			continue
		}
		if span := diagnostics[0].Span; data[span.Start:span.End()] != want {
			t.Errorf("%q: the error is on %q", data, data[span.Start:span.End()])
		}
	}
}

// TestMappedConstantResets: numbers that a comment refers to do not change.
func TestMappedConstantResets(t *testing.T) {
	m, err := ModelOf(syntax.Parse(source.NewText("aag 4 1 1 0 0 1\n2\n8 8 2\n8\nc\nMAPPING 1\n8 2\n")))
	if err == nil {
		_, err = m.ConstantResets()
	}
	if !errors.Is(err, ErrMapped) {
		t.Errorf("%v", err)
	}
}

// TestValid reads valid ASCII files: no error, text unchanged, and all views of
// the file agree.
func TestValid(t *testing.T) {
	for _, name := range aigertest.Globs(t, "corpus/aiger/*.aag", "corpus/aiger/own/*.aag", "corpus/fuzz/*.aag", "benchmarks/certifaiger-examples/*.aag") {
		data := aigertest.Read(t, name)
		f := syntax.Parse(source.NewText(string(data)))
		if notStratified[filepath.Base(name)] {
			checkNotStratified(t, name, f)
			continue
		}
		if f.Text().Content() != string(data) {
			t.Errorf("%s: text changed", name)
		}
		checkNoErrors(t, name, f.Diagnostics())
		checkViews(t, name, f)
	}
}

// checkViews compares the occurrences with definitions, look-ups by place, the
// model and the circuit.
func checkViews(t *testing.T, name string, f *syntax.File) {
	t.Helper()
	model, err := ModelOf(f)
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
	for r := range sizeOf(f, syntax.SectionLatches) {
		if row, _ := f.Row(syntax.SectionLatches, r); row.Count == 3 && row.Numbers[2] == 0 {
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
	aigertest.CheckSameBehaviour(t, name, Elaborate(f).Circuit, c)
}

// TestEncodings turns each file into the other encoding and back and simulates
// all of them side by side.
func TestEncodings(t *testing.T) {
	for _, name := range aigertest.Globs(t, "corpus/aiger/*.aag", "corpus/aiger/own/*.aag", "corpus/fuzz/*.a?g", "benchmarks/*/*.aig") {
		data := aigertest.Read(t, name)
		in, err := Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if notStratified[filepath.Base(name)] {
			checkNotStratified(t, name, in.File)
			continue
		}
		checkNoErrors(t, name, in.Diagnostics)
		if in.File == nil && !strings.HasSuffix(name, ".aig") {
			t.Errorf("%s: read as binary", name)
		}
		model := in.Model
		if in.File != nil {
			if model, err = ModelOf(in.File); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
		}
		checkRoundTrip(t, name, model, in, data)
	}
}

func checkRoundTrip(t *testing.T, name string, model *Model, in *Input, data []byte) {
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
	if in.File == nil && !bytes.Equal(packed, data) && isMinimal(in, data) {
		t.Errorf("%s: binary file changed by reading and writing", name)
	}
	unpacked, diags := ReadBinary(packed)
	if unpacked == nil {
		t.Errorf("%s: cannot read what was written: %v", name, diags)
		return
	}
	again := syntax.Parse(source.NewText(string(unpacked.AppendASCII(nil))))
	checkNoErrors(t, name, again.Diagnostics())
	aigertest.CheckSameBehaviour(t, name, want, Elaborate(again).Circuit)
	back, err := FromCircuit(want).Elaborate()
	if err != nil {
		t.Errorf("%s: model from circuit: %v", name, err)
		return
	}
	aigertest.CheckSameBehaviour(t, name, want, back)
}

// isMinimal reports whether a file is written as this package writes it: the
// header without trailing zeros, no reset 0, symbols in order. Others cannot
// come back byte for byte.
func isMinimal(in *Input, data []byte) bool {
	header, body, _ := strings.Cut(string(data), "\n")
	if len(strings.Fields(header)) > 6 && strings.HasSuffix(header, " 0") {
		return false
	}
	for range in.Model.Latches {
		var line string
		if line, body, _ = strings.Cut(body, "\n"); strings.HasSuffix(line, " 0") {
			return false
		}
	}
	last := syntax.SymbolEntry{}
	for _, s := range in.Model.Symbols {
		if s.Kind < last.Kind || s.Kind == last.Kind && s.Index < last.Index {
			return false
		}
		last = s
	}
	return true
}

// TestWitnesses reads witnesses and writes them again.
func TestWitnesses(t *testing.T) {
	for _, name := range aigertest.Globs(t, "benchmarks/witnesses/*", "corpus/aiger/*.wit", "corpus/aiger/own/*.wit") {
		data := aigertest.Read(t, name)
		ws, diags := ReadWitnesses(data)
		if len(ws) == 0 || len(diags) > 0 {
			t.Errorf("%s: %d witnesses, diagnostics %v", name, len(ws), diags)
			continue
		}
		var out []byte
		for _, w := range ws {
			var err error
			if out, err = w.Append(out); err != nil {
				t.Fatal(err)
			}
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
