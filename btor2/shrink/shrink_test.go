package shrink_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/btor2/shrink"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/internal/minimize"
	"aiglens/internal/source"
)

func parse(text string) *syntax.File { return syntax.Parse(source.NewText(text), nil) }

// refuted returns in how many steps the first bad of a file is refuted; −1 where it is not.
func refuted(t *testing.T, f *syntax.File) int {
	t.Helper()
	e, err := btor2.Elaborate(t.Context(), f, btor2.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Circuit.Bads()) == 0 {
		return -1
	}
	cone, err := e.Circuit.Cone(circuit.Property{Kind: circuit.PropertyBad})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := ic3.Check(t.Context(), cone.Circuit, ic3.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Outcome != cert.Refuted {
		return -1
	}
	return v.Trace.Steps()
}

// reduced makes a file small while its first bad is refuted in as many steps, or is not refuted.
func reduced(t *testing.T, f *syntax.File, passes []minimize.Pass[*syntax.File]) *syntax.File {
	t.Helper()
	steps := refuted(t, f)
	min := minimize.Minimizer[*syntax.File]{Passes: passes, Tidy: shrink.Tidy(), Try: func(_ context.Context, f *syntax.File) (*syntax.File, bool) {
		return f, shrink.Sound(f) && len(f.Model().Bads) > 0 && refuted(t, f) == steps
	}}
	f, err := min.Run(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReducedRandom: what is left of random texts is refuted as the text was, no pass finds more, and every candidate of a pass
// is smaller in the end, since the run ends.
func TestReducedRandom(t *testing.T) {
	texts := uint64(400)
	if os.Getenv("AIGLENS_LONG") != "" {
		texts = 10000
	}
	shape := btor2test.Shape{Width: 5, Rows: 60, Inputs: 3, InputBits: 8, States: 6, StateBits: 14, Index: 1, Constraints: 1, Liveness: true}
	rows, left := 0, 0
	for seed := range texts {
		f := parse(btor2test.Random(seed, shape))
		if steps := refuted(t, f); steps < 2 {
			continue
		}
		f = shrink.Only(f, circuit.Property{Kind: circuit.PropertyBad})
		rows += f.NumRows()
		small := reduced(t, f, append(shrink.Passes(), shrink.Names()))
		left += small.NumRows()
		if again := reduced(t, small, shrink.Passes()); again.NumRows() < small.NumRows() {
			t.Errorf("seed %d: another reduction makes it smaller\n%s\n%s", seed, small.Text().Content(), again.Text().Content())
		}
	}
	t.Logf("%d rows, %d left", rows, left)
	if left == 0 || 2*left > rows {
		t.Errorf("%d rows are left of %d", left, rows)
	}
}

// TestCandidates: what passes leave of sound files can be read, and is sound where the pass is no change of operands or widths.
func TestCandidates(t *testing.T) {
	sound := []string{"outputs", "bads", "justice properties", "constraints", "fairness conditions", "names", "comments"}
	for seed := range uint64(60) {
		text := btor2test.Random(seed, btor2test.Wide)
		f := parse(text)
		for _, p := range append(append(shrink.Passes(), shrink.Tidy()...), shrink.Names()) {
			for lo := range p.Units(f) {
				small := p.Without(f, lo, lo+1)
				for _, name := range sound {
					if p.Name == name && !shrink.Sound(small) {
						t.Fatalf("seed %d, %s %d: %s\n%s\n%s", seed, p.Name, lo, small.Diagnostics()[0].Message, text, small.Text().Content())
					}
				}
			}
		}
		if f.Text().Content() != text {
			t.Fatal("a pass has changed its argument")
		}
	}
}

// TestReduced reduces a file in which a word has more bits than the property needs, with a memory that does not matter.
func TestReduced(t *testing.T) {
	f := parse(`; a counter
1 sort bitvec 1
2 sort bitvec 8
3 sort array 1 2
4 zero 2
5 input 1 enable
6 state 2
7 init 2 6 4
8 uext 2 6 0 count ; t.v:3
9 inc 2 8
10 ite 2 5 9 8
11 next 2 6 10
12 state 3 memory
13 write 3 12 5 8
14 next 3 12 13
15 constd 2 3
16 eq 1 8 15
17 bad 16 three
18 read 2 12 5
19 output 18
`)
	got := reduced(t, f, shrink.Passes()).Text().Content()
	want := `1 sort bitvec 1
2 sort bitvec 2
4 zero 2
6 state 2 count
7 init 2 6 4
9 inc 2 6
11 next 2 6 9
15 constd 2 3
16 eq 1 6 15
17 bad 16 three
`
	if got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
}

// TestCommentsOfNames: a name goes and its comment stays, whatever is between them.
func TestCommentsOfNames(t *testing.T) {
	f := parse("1 sort bitvec 1\n2 input 1 a\t; one ; two\n3 input 1 b ;three\n4 output 2\t;four\n")
	p := shrink.Names()
	got := p.Without(f, 0, p.Units(f)).Text().Content()
	if want := "1 sort bitvec 1\n2 input 1 ; one ; two\n3 input 1 ;three\n4 output 2\t;four\n"; got != want {
		t.Errorf("%q", got)
	}
}

// TestLongChains: a long chain of other names is left out as a whole, and what is negated on the way stays negated.
func TestLongChains(t *testing.T) {
	const count = 20001
	var b strings.Builder
	b.WriteString("1 sort bitvec 1\n2 input 1\n")
	for i := range count {
		fmt.Fprintf(&b, "%d uext 1 %d 0\n%d output %d\n", 3+2*i, -max(2, 1+2*i), 4+2*i, 3+2*i)
	}
	f := parse(strings.Replace(b.String(), "uext 1 -2", "uext 1 2", 1))
	for _, p := range shrink.Passes() {
		if p.Name != "aliases" {
			continue
		}
		m := p.Without(f, 0, p.Units(f)).Model()
		if len(m.Nodes) != 2+count {
			t.Fatalf("%d rows", len(m.Nodes))
		}
		for i, row := range m.Outputs {
			if r := m.Nodes[row].Args[0]; r.Node() != 1 || r.IsNegated() != (i%2 == 1) {
				t.Fatalf("output %d is %v", i, r)
			}
		}
	}
}

func ExampleOnly() {
	f := parse("1 sort bitvec 1\n2 input 1 a\n3 bad 2 first\n4 bad -2 second ; t.v:7\n5 output 2\n")
	fmt.Print(strings.TrimSpace(shrink.Only(f, circuit.Property{Kind: circuit.PropertyBad, Index: 1}).Text().Content()))
	// Output:
	// 1 sort bitvec 1
	// 2 input 1 a
	// 4 bad -2 second ; t.v:7
}
