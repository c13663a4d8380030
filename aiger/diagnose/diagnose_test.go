package diagnose_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/aigertest"
	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// TestLint gives files with what Run says about them, as line:column code.
func TestLint(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "aag 3 2 0 1 1/2/4/6/6 2 4", nil},
		{"unused", "aag 6 3 1 1 2/2/4/6/8 4/2/10 2 4/12 10 4", []string{"3:1 input-unused", "4:1 input-unused", "5:1 latch-unused", "7:1 and-unused", "8:1 and-unused"}},
		{"unused but for a latch in use", "aag 3 1 1 1 1/2/4 6/4/6 2 4", nil},
		{"nothing to depend on", "aag 3 2 0 0 1/2/4/6 2 4", nil},
		{"duplicates", "aag 5 2 0 2 3/2/4/8/10/6 2 4/8 4 2/10 6 9", []string{"5:1 constant-property", "7:1 and-duplicate", "8:1 and-constant"}},
		{"duplicates of duplicates", "aag 6 3 0 1 3/2/4/6/12/8 2 4/10 4 2/12 8 10", []string{"4:1 input-unused", "7:1 and-duplicate", "8:1 and-duplicate"}},
		{"properties", "aag 3 2 0 0 1 4/2/4/0/6/1/6/6 2 4", []string{"4:1 constant-property", "6:1 constant-property", "7:1 duplicate-property"}},
		{"properties by structure", "aag 4 2 0 0 2 2/2/4/6/8/6 2 4/8 4 2", []string{"5:1 duplicate-property", "7:1 and-duplicate"}},
		{"constraints", "aag 3 1 1 0 1 1 3/2/4 2/6/0/1/4/6 2 4", []string{"5:1 constant-constraint", "6:1 constant-constraint", "7:1 constraint-contradicts-reset"}},
		{"constraint on a free latch", "aag 2 1 1 0 0 1 1/2/4 2 4/2/4", nil},
		{"maximum", "aag 9 1 0 1 0/2/2", []string{"1:5 max-larger-than-needed"}},
		{"cycle", "aag 4 1 0 1 3/2/4/4 6 2/6 8 2/8 4 3", []string{"4:1 and-cycle"}},
		{"misaligned", "aag 9 1 0 1 3/2/4/4 4 2", []string{"4:3 and-cycle"}},
		{"header only", "aag", nil},
		{"out of order", "aag 4 2 0 1 2/2/4/8/8 6 2/6 2 4", nil},
	} {
		f := syntax.Parse(source.NewText(strings.ReplaceAll(test.text, "/", "\n") + "\n"))
		diags, err := diagnose.Run(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		aigertest.CheckDiagnostics(t, syntax.Codes(), f.Text(), diags)
		var got []string
		for _, d := range diags {
			line, column := f.Text().LineColumn(d.Span.Start)
			got = append(got, fmt.Sprintf("%d:%d %s", line, column, d.Code))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestLintCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := syntax.Parse(source.NewText(aigertest.Generated(5000, 1)))
	if diags, err := diagnose.Run(ctx, f); !errors.Is(err, context.Canceled) || diags != nil {
		t.Errorf("%d findings and %v after cancelling", len(diags), err)
	}
}

// TestLintBounded checks that a file full of findings gets a thousand, the last of which
// counts the rest, and that errors are among those shown.
func TestLintBounded(t *testing.T) {
	var b strings.Builder
	const n = 3000
	fmt.Fprintf(&b, "aag %d 1 0 1 %d\n2\n2\n", n+2, n+1)
	for i := range n {
		fmt.Fprintf(&b, "%d 2 %d\n", 2*(i+2), 2*(i+1))
	}
	fmt.Fprintf(&b, "%d %d 2\n", 2*(n+2), 2*(n+2))
	f := syntax.Parse(source.NewText(b.String()))
	diags, err := diagnose.Run(context.Background(), f)
	if err != nil || len(diags) != 1000 {
		t.Fatalf("%d findings, %v", len(diags), err)
	}
	has := func(code source.Code) bool {
		return slices.ContainsFunc(diags, func(d source.Diagnostic) bool { return d.Code == code })
	}
	if last := diags[len(diags)-1].Message; !strings.HasSuffix(last, " more findings about the circuit)") || !has(syntax.CodeAndCycle) {
		t.Errorf("the count of the rest, or the cycle, is missing: %s", last)
	}
}

// TestLintIsTrue simulates files and checks that gates reported as constant or
// repeated are, and that removing what is reported as unused changes nothing.
func TestLintIsTrue(t *testing.T) {
	for seed := range uint64(30) {
		f := syntax.Parse(source.NewText(aigertest.Generated(400, seed)))
		diags, err := diagnose.Run(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		e := aiger.Elaborate(f)
		sim := circuit.NewParallel(e.Circuit)
		random := rand.New(rand.NewPCG(seed, 1))
		sim.Reset(func(int) uint64 { return random.Uint64() })
		inputs := make([]uint64, len(e.Circuit.Inputs()))
		for range 8 {
			for i := range inputs {
				inputs[i] = random.Uint64()
			}
			sim.Eval(inputs)
			value := func(lit uint32) uint64 {
				l, ok := e.LitOf(lit)
				if !ok {
					t.Fatalf("no literal for %d", lit)
				}
				return sim.Value(l)
			}
			for _, d := range diags {
				if d.Code != syntax.CodeAndConstant && d.Code != syntax.CodeAndDuplicate {
					continue
				}
				row, _ := f.RowAt(f.Text().LineAt(d.Span.Start))
				same, ok := diagnose.SameAs(d)
				if !ok || value(row.Numbers[0]) != value(same) {
					t.Fatalf("seed %d: %s, but the values differ", seed, d.Message)
				}
			}
			sim.Advance()
		}
	}
}

func BenchmarkLint(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		f := syntax.Parse(source.NewText(aigertest.Generated(n, 1)))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := diagnose.Run(context.Background(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
