package aiger

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/aiger/syntax"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

func FuzzParse(f *testing.F) {
	aigertest.SeedFiles(f, "*")
	f.Add([]byte("aag 9 2 3 1 4 2 2 2 2\n2\n4\n6 13\n8 8 1\n10 15 10\n18\n12\n13\n5\n1\n1\n2\n6\n8\n11\n3\n10\n12 2 6\n14 4 9\n16 12 15\n18 16 11\ni0 req\nl0 a\nb0 b\nc0 c\nj1 j\nf0 f\nc\ntext\n"))
	f.Add([]byte("aag 2 0 2 0 0 1\n2 2 4 9\n4 4 2\n2\n")) // resets that depend on each other, one in a malformed row
	f.Add([]byte("aag 2 0 2 0 0 1\n2 2 4x\n4 4 2\n2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := source.NewText(string(data))
		file := syntax.Parse(text)
		diags := file.Diagnostics()
		aigertest.CheckDiagnostics(t, syntax.Codes(), text, diags)
		checkPlaces(t, file)
		checkFaults(t, file)
		checkWhitespace(t, file)
		elaborated := Elaborate(file) // of whatever it is
		model, err := ModelOf(file)
		if err != nil {
			return
		}
		checkModel(t, model)
		if c, err := model.Elaborate(); err != nil {
			t.Fatalf("no errors reported, but %v", err)
		} else {
			aigertest.CheckSameBehaviour(t, "circuit", elaborated.Circuit, c)
		}
	})
}

// checkPlaces tests that an occurrence stands where its literal is written.
func checkPlaces(t *testing.T, f *syntax.File) {
	end := 0
	for o := range f.Occurrences() {
		lit, err := strconv.ParseUint(f.Text().Slice(o.Span), 10, 32)
		if err != nil || uint32(lit) != o.Lit || o.Span.Start < end {
			t.Fatalf("occurrence %+v stands on %q, the last one ended at %d", o, f.Text().Slice(o.Span), end)
		}
		end = o.Span.End()
		if at, ok := f.OccurrenceAt(o.Span.Start); !ok || at != o {
			t.Fatalf("occurrence %+v found as %+v", o, at)
		}
		if o.Role.IsDefinition() && o.Lit > 1 {
			if _, ok := f.Definition(o.Var()); !ok {
				t.Fatalf("occurrence %+v defines nothing", o)
			}
		}
	}
	for _, s := range f.Symbols() {
		if at, ok := f.SymbolAt(s.Span.Start); !ok || at.Line != s.Line {
			t.Fatalf("symbol %+v found as %+v", s, at)
		}
	}
	for _, s := range f.Sections() {
		if s.Span.Length < 0 || s.Span.End() > f.Text().Len() {
			t.Fatalf("section %+v", s)
		}
	}
}

// checkFaults tests that the circuit has the properties of the file and that
// one is forbidden only in a file with errors.
func checkFaults(t *testing.T, f *syntax.File) {
	e := Elaborate(f)
	ps := e.Circuit.Properties()
	if len(ps) != len(Properties(f)) {
		t.Fatalf("%d properties in the circuit, %d in the file", len(ps), len(Properties(f)))
	}
	for _, p := range ps {
		if diag := e.Fault(p); diag != nil && diag.Severity != source.Error {
			t.Fatalf("%s forbids a verdict on %s", diag.Code, p)
		}
		if _, ok := PropertySpan(f, p); !ok {
			t.Fatalf("no place for %s", p)
		}
	}
}

// checkWhitespace tests that the edits that normalise white space do, and
// change no number.
func checkWhitespace(t *testing.T, f *syntax.File) {
	text, err := f.Text().Apply(f.WhitespaceEdits())
	if err != nil {
		t.Fatal(err)
	}
	if !f.HeaderIsSound() || len(f.Header()) == 0 {
		return
	}
	again := syntax.Parse(text)
	for _, diag := range again.Diagnostics() {
		switch diag.Code {
		case syntax.CodeTab, syntax.CodeExtraSpace, syntax.CodeTrailingSpace, syntax.CodeCRLF, syntax.CodeBlankLine:
			t.Fatalf("%q becomes %q: still %s", f.Text().Content(), text.Content(), diag.Code)
		}
	}
}

// checkModel tests that both encodings give back what was written.
func checkModel(t *testing.T, m *Model) {
	ascii := m.AppendASCII(nil)
	again, err := ModelOf(syntax.Parse(source.NewText(string(ascii))))
	if err != nil {
		t.Fatalf("written as %q: %v", ascii, err)
	}
	if second := again.AppendASCII(nil); !bytes.Equal(ascii, second) {
		t.Fatalf("%q became %q", ascii, second)
	}
	packed, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, diags := ReadBinary(packed)
	if unpacked == nil {
		t.Fatalf("%q: %v", packed, diags)
	}
	if second, err := unpacked.AppendBinary(nil); err != nil || !bytes.Equal(packed, second) {
		t.Fatalf("%q became %q: %v", packed, second, err)
	}
	a, errA := m.Elaborate()
	b, errB := unpacked.Elaborate()
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	aigertest.CheckSameBehaviour(t, "binary", a, b)
}

func FuzzReadBinary(f *testing.F) {
	aigertest.SeedFiles(f, "*.aig")
	f.Add([]byte("aig 3 1 1 0 1 1 1 1 1\n4 1\n6\n2\n1\n3\n5\n\x02\x02i0 x\nl0 y\nc\ntext\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, diags := ReadBinary(data)
		aigertest.CheckDiagnostics(t, syntax.Codes(), source.NewText(string(data)), diags)
		if m != nil && len(m.Inputs) < 1000 {
			checkModel(t, m)
		}
	})
}

func FuzzReadWitnesses(f *testing.F) {
	f.Add([]byte("1\nb0\n0x1\n01\n11\n.\n"))
	f.Add([]byte("c comment\n0\nb0b1j2\n.\nu3\n2\nb1\n.\n1\nb0\n\n\n.\n"))
	shared.Seeds(f, func(data []byte) { f.Add(data) }, "aiger/*.wit", "aiger/own/*.wit")
	f.Fuzz(func(t *testing.T, data []byte) {
		ws, diags := ReadWitnesses(data)
		aigertest.CheckDiagnostics(t, syntax.Codes(), source.NewText(string(data)), diags)
		var out []byte
		for _, w := range ws {
			var err error
			if out, err = w.Append(out); err != nil {
				t.Fatal(err)
			}
		}
		again, diags := ReadWitnesses(out)
		if len(again) != len(ws) || len(diags) > 0 {
			t.Fatalf("%q: %d witnesses became %d: %v", out, len(ws), len(again), diags)
		}
		for i, w := range again {
			if w.Status != ws[i].Status || !slices.Equal(w.Properties, ws[i].Properties) || w.Status == '1' && !reflect.DeepEqual(w.Trace(), ws[i].Trace()) {
				t.Fatalf("%q: witness %d was read as %+v, then as %+v", data, i, ws[i], w)
			}
		}
	})
}
