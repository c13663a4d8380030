package aiger

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// TestFault checks which properties a fault forbids a verdict on. The bads
// stand on lines 3 to 5 of a file with inputs 2 and 4.
func TestFault(t *testing.T) {
	bad := func(i int) circuit.Property { return circuit.Property{Kind: circuit.PropertyBad, Index: i} }
	tests := []struct {
		name  string
		lines []string
		want  []string // code by bad, "" for none
	}{
		{"undefined operand", []string{"aag 9 2 0 0 2 2", "2", "4", "6", "8", "6 2 4", "8 2 18"}, []string{"", "undefined-literal"}},
		{"undefined bad", []string{"aag 9 2 0 0 1 2", "2", "4", "6", "18", "6 2 4"}, []string{"", "undefined-literal"}},
		{"through a latch", []string{"aag 9 1 1 0 2 2", "2", "4 8", "4", "6", "6 2 3", "8 2 18"}, []string{"undefined-literal", ""}},
		{"undefined reset", []string{"aag 5 2 2 0 0 2", "2", "4", "6 2 10", "8 2", "6", "8"}, []string{"undefined-literal", ""}},
		{"through a reset", []string{"aag 6 1 3 0 0 2 0 0 0", "2", "4 2 6", "6 2 12", "8 2", "4", "8"}, []string{"undefined-literal", ""}},
		{"cycle of resets", []string{"aag 6 1 3 0 1 2", "2", "4 2 6", "6 2 10", "8 2 2", "4", "8", "10 5 2"}, []string{"reset-cycle", ""}},
		{"a reset of its own", []string{"aag 3 1 2 0 0 2", "2", "4 2 5", "6 2 2", "4", "6"}, []string{"reset-cycle", ""}},
		{"after a constant", []string{"aag 9 1 0 0 1 2", "2", "4", "2", "4 0 18"}, []string{"undefined-literal", ""}},
		{"defined twice", []string{"aag 9 2 0 0 3 2", "2", "4", "6", "8", "6 2 4", "8 2 5", "6 2 5"}, []string{"definition-twice", ""}},
		{"cycle", []string{"aag 9 2 0 0 4 3", "2", "4", "6", "10", "12", "6 8 2", "8 6 4", "10 2 4", "12 8 10"}, []string{"and-cycle", "", "and-cycle"}},
		{"in a constraint", []string{"aag 9 2 0 0 0 1 1", "2", "4", "2", "18"}, []string{"undefined-literal"}},
		{"malformed bad", []string{"aag 2 2 0 0 0 3", "2", "4", "2", "x", "4"}, []string{"", "not-a-number", ""}},
		{"malformed gate", []string{"aag 4 2 0 0 2 2", "2", "4", "6", "8", "6 2", "8 2 4"}, []string{"and-operand-missing", ""}},
		{"counts", []string{"aag 2 2 0 0 0 1", "2", "4", "2", "4"}, []string{"count-mismatch", "count-mismatch"}},
		{"broken header", []string{"aag x 2 0 0 0 1", "2", "4", "2"}, []string{"header-number"}},
		{"white space", []string{"aag 2 2 0 0 0 1", "2", "4 ", "2"}, []string{""}},
		{"symbols", []string{"aag 2 2 0 0 0 1", "2", "4", "2", "i9 x"}, []string{""}},
		{"elsewhere in an output", []string{"aag 9 2 0 1 0 1", "2", "4", "18", "2"}, []string{""}},
	}
	for _, test := range tests {
		f := parseLines(test.lines...)
		e := Elaborate(f)
		if n := len(e.Circuit.Bads()); n != len(test.want) {
			t.Errorf("%s: %d bads, want %d", test.name, n, len(test.want))
		}
		if !slices.Equal(Properties(f), e.Circuit.Properties()) {
			t.Errorf("%s: properties %v of the file, %v of the circuit", test.name, Properties(f), e.Circuit.Properties())
		}
		for i, want := range test.want {
			got := ""
			if diag := e.Fault(bad(i)); diag != nil {
				got = string(diag.Code)
			}
			if got != want {
				t.Errorf("%s: bad %d has fault %q, want %q", test.name, i, got, want)
			}
		}
	}
}

// TestFaultOfJustice checks that justice properties see the fairness
// constraints.
func TestFaultOfJustice(t *testing.T) {
	f := parseLines("aag 9 1 0 0 0 1 0 2 1", "2", "2", "1", "2", "2", "3", "2", "18")
	e := Elaborate(f)
	if diag := e.Fault(circuit.Property{Kind: circuit.PropertyBad}); diag != nil {
		t.Errorf("fairness spoils a bad: %s", diag.Message)
	}
	for i := range 2 {
		if e.Fault(circuit.Property{Kind: circuit.PropertyJustice, Index: i}) == nil {
			t.Errorf("justice %d does not see the fairness constraint", i)
		}
	}
}

func TestOrigin(t *testing.T) {
	f := parseLines("aag 3 1 1 0 1 1", "2", "4 6", "7", "6 2 4", "i0 in", "l0 state", "b0 broken", "c", "text")
	e := Elaborate(f)
	if line := LineFromOrigin(e.Circuit.Bads()[0].Origin); line != 3 {
		t.Errorf("bad from line %d, want 3", line)
	}
	if line := LineFromOrigin(e.Circuit.Latches()[0].Origin); line != 2 {
		t.Errorf("latch from line %d, want 2", line)
	}
	if l, ok := e.LitOf(7); !ok || l != e.Circuit.Bads()[0].Lit {
		t.Errorf("literal 7 is %d, %v", l, ok)
	}
	if _, ok := e.LitOf(9); ok {
		t.Error("an undefined literal has a circuit literal")
	}
	if f.Name(1) != "in" || f.Name(2) != "state" || f.Name(3) != "" || f.PropertyName(7) != "broken" {
		t.Errorf("names %q %q %q %q", f.Name(1), f.Name(2), f.Name(3), f.PropertyName(7))
	}
	var uses []string
	for o := range f.Uses(3) {
		line, column := f.Text().LineColumn(o.Span.Start)
		uses = append(uses, fmt.Sprintf("%d:%d %s", line, column, o.Role))
	}
	if want := []string{"3:3 next", "4:1 bad", "5:1 and"}; !slices.Equal(uses, want) {
		t.Errorf("uses %v, want %v", uses, want)
	}
	var sections []string
	for _, s := range f.Sections() {
		sections = append(sections, fmt.Sprintf("%s@%d+%d", s.Kind, s.Line, s.Rows))
	}
	want := []string{"inputs@1+1", "latches@2+1", "bads@3+1", "ANDs@4+1", "symbols@5+3", "comment@8+2"}
	if !slices.Equal(sections, want) {
		t.Errorf("sections %v, want %v", sections, want)
	}
}

// TestManyFaults checks that the number of diagnostics is bounded and that the
// faults beyond are still known.
func TestManyFaults(t *testing.T) {
	var b strings.Builder
	const n = 3000
	fmt.Fprintf(&b, "aag %d 1 0 0 0 %d\n2\n", n+9, n)
	for i := range n {
		fmt.Fprintln(&b, 2*(i+2))
	}
	f := syntax.Parse(source.NewText(b.String()))
	if got := len(f.Diagnostics()); got > 2*findings.MaxPerCode {
		t.Errorf("%d diagnostics", got)
	}
	if Elaborate(f).Fault(circuit.Property{Index: n - 1}) == nil {
		t.Error("no fault on the last property")
	}
}

func BenchmarkElaborate(b *testing.B) {
	content := aigertest.Million(1_000_000)
	f := syntax.Parse(source.NewText(content))
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		Elaborate(f)
	}
}

func BenchmarkReadBinary(b *testing.B) {
	m, err := ModelOf(syntax.Parse(source.NewText(aigertest.Million(1_000_000))))
	if err != nil {
		b.Fatal(err)
	}
	data, err := m.AppendBinary(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		m, _ := ReadBinary(data)
		if _, err := m.Elaborate(); err != nil {
			b.Fatal(err)
		}
	}
}

func parseLines(lines ...string) *syntax.File {
	return syntax.Parse(source.NewText(strings.Join(lines, "\n") + "\n"))
}

// TestHostileHeader reads headers that announce far more than there is.
func TestHostileHeader(t *testing.T) {
	for _, text := range []string{
		"aag 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647\n",
		"aag 2147483647 1 0 1 0\n4294967294\n4294967295\n",
		"aag 2 1 0 0 0 0 0 2\n2\n4294967295\n4294967295\n2\n",
		"aig 2147483647 2147483647 0 0 0\n",
		"aig 2147483647 0 2147483647 0 0\n",
		"aig 2147483647 0 0 0 2147483647\n",
		"aig 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647\n",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if in, err := Read("", []byte(text)); err == nil {
			in.Circuit()
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%.40q: %d bytes allocated", text, n)
		}
	}
}
