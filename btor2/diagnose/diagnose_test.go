package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/btor2/btor2test"
	"aiglens/btor2/syntax"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

func parse(text string) *syntax.File { return syntax.Parse(source.NewText(text), nil) }

func run(t *testing.T, f *syntax.File) []source.Diagnostic {
	t.Helper()
	found, err := Run(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestFindings gives small texts with what is found in them.
func TestFindings(t *testing.T) {
	const head = "1 sort bitvec 1/2 sort bitvec 8/3 input 1 a/4 input 2 x/5 input 2 y/"
	const shown = "/90 output 3/91 output 4/92 output 5"
	for _, test := range []struct {
		name, rows string
		want       []string
	}{
		{"nothing", "6 add 2 4 5/7 output 6", nil},
		{"wiring of constants", "6 zero 2/7 slice 1 6 0 0/8 output 7", nil},
		{"what follows is said once", "6 ult 1 4 4/7 and 1 6 3/8 not 1 7/9 ite 2 8 4 5/10 output 9", []string{"6 constant-comparison: ult is always 0: both sides are the same value"}},
		{"negation", "6 not 2 4/7 eq 1 4 -6/8 eq 1 4 6/9 output 7/10 output 8", []string{
			"7 constant-comparison: eq is always 1: both sides are the same value", "8 constant-comparison: eq is always 0: one side is the negation of the other"}},
		{"ranges", "6 constd 2 10/7 urem 2 4 6/8 ugte 1 7 6/9 output 8", []string{"8 constant-comparison: ugte is always 0: the left side is at most 9, the right side 10"}},
		{"signs", "6 slice 1 4 0 0/7 uext 2 6 7/8 constd 2 -1/9 slt 1 7 8/10 output 9", []string{"9 constant-comparison: slt is always 0: the left side is at most 1, the right side 255"}},
		{"shift", "6 constd 2 8/7 sll 2 4 6/8 output 7", []string{"7 constant-row: the value is always 0"}},
		{"division", "6 zero 2/7 srem 2 4 6/8 output 7", []string{"7 division-by-zero: the divisor is always 0: the remainder is the number itself"}},
		{"choice", "6 zero 1/7 ite 2 6 4 5/8 output 7", []string{"7 constant-condition: the condition is always 0: the value is that of 5"}},
		{"repeated", "6 add 2 4 5/7 add 2 5 4/8 sub 2 4 5/9 sub 2 5 4/10 mul 2 6 8/11 mul 2 7 9/12 output 10/13 output 11", []string{"7 row-repeated: the same value as 6"}},
		{"properties", "6 and 1 3 -3/7 bad 6/8 bad -6/9 bad 3/10 bad 3/11 justice 2 3 6", []string{
			"6 constant-row: the value is always 0", "7 constant-property: the condition is always 0: the property holds",
			"8 constant-property: the condition is always 1: the property is violated as soon as the constraints allow a step",
			"10 duplicate-property: the same condition as in row 9: both have the same verdict", "11 constant-property: the condition is always 0: the property holds"}},
		{"constraints", "6 zero 2/7 state 2/8 init 2 7 6/9 next 2 7 4/10 ugt 1 7 6/11 constraint 10/12 neq 1 7 7/13 constraint 12", []string{
			"11 constraint-contradicts-init: no start meets the constraint: every property holds, and proofs mean nothing",
			"12 constant-comparison: neq is always 0: both sides are the same value",
			"13 constant-constraint: the constraint is never met: every property holds, and proofs mean nothing"}},
		{"a start that another state decides", "6 one 1/7 state 1/8 init 1 7 6/9 state 1/10 init 1 9 -7/11 next 1 9 3/12 next 1 7 9/13 constraint 9", []string{
			"13 constraint-contradicts-init: no start meets the constraint: every property holds, and proofs mean nothing"}},
		{"unused", "6 sort bitvec 3/7 input 1/8 add 2 4 5/9 state 2/10 next 2 9 8/11 mul 2 4 5/12 uext 2 11 0 product/13 not 1 3", []string{
			"6 sort-unused: no row has this sort", "7 row-unused: nothing that is asked or shown depends on these 4 rows", "13 row-unused: nothing that is asked or shown depends on this row"}},
		{"an error", "6 not 1 3/7 add 2 4 80", nil},
		{"sorts of arrays", "6 sort bitvec 3/7 sort array 6 2/8 input 7/9 eq 1 8 8/10 output 9", []string{"9 constant-comparison: eq is always 1: both sides are the same value"}},
	} {
		f := parse(strings.ReplaceAll(head+test.rows+shown, "/", "\n") + "\n")
		var got []string
		for _, d := range run(t, f) {
			row, _ := f.RowAt(f.Text().LineAt(d.Span.Start))
			got = append(got, fmt.Sprintf("%d %s: %s", f.Model().Nodes[row].ID, d.Code, d.Message))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
	if found := run(t, parse("1 sort bitvec 1\n2 input 1\n3 not 1 2\n")); len(found) > 0 {
		t.Errorf("a text without properties: %v", found)
	}
}

// TestManyHints: many of a kind are one, which says how many there are, also where the list does not keep them.
func TestManyHints(t *testing.T) {
	for _, count := range []int{30, 3000} {
		var b strings.Builder
		b.WriteString("1 sort bitvec 1\n2 input 1\n")
		for i := range count {
			fmt.Fprintf(&b, "%d ult 1 2 2\n%d output %d\n", 3+2*i, 4+2*i, 3+2*i)
		}
		found := run(t, parse(b.String()))
		want := fmt.Sprintf("ult is always 0: both sides are the same value; the same kind at %d more places", count-1)
		if len(found) != 1 || len(found[0].Related) != min(count-1, maxPlaces) || found[0].Message != want {
			t.Errorf("%v", found)
		}
	}
}

// TestManyUnused: a writer that leaves many rows without a reader gets one hint, which offers what it would at any of them.
func TestManyUnused(t *testing.T) {
	for _, count := range []int{maxHints, maxHints + 1} {
		var b strings.Builder
		b.WriteString("1 sort bitvec 1\n2 input 1\n3 output 2\n4 input 1\n5 output 2\n")
		for i := range count - 1 {
			fmt.Fprintf(&b, "%d not 1 2\n%d output 2\n", 6+2*i, 7+2*i)
		}
		found := run(t, parse(b.String()))
		if count <= maxHints {
			if len(found) != count || len(found[0].Fixes) != 0 || len(found[1].Fixes) != 1 {
				t.Errorf("%v", found)
			}
			continue
		}
		want := fmt.Sprintf("nothing that is asked or shown depends on this row; the same kind at %d more places", count-1)
		if len(found) != 1 || len(found[0].Related) != count-1 || found[0].Message != want || len(found[0].Fixes) != 1 || !found[0].Unnecessary {
			t.Errorf("%v", found)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, parse("1 sort bitvec 1\n2 input 1\n3 bad 2\n")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestRealFiles: what is found in real files is true in the steps of a run, no warning is among it, and what the fix deletes
// was needed by no row. A file has few hints.
func TestRealFiles(t *testing.T) {
	count := map[source.Code]int{}
	files := 0
	err := filepath.WalkDir(filepath.Join(shared.Dir(t), "benchmarks", "btor2"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(filepath.Ext(path), ".btor") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		f := parse(string(data))
		hints, deleted := 0, false
		for _, d := range run(t, f) {
			count[d.Code]++
			if d.Severity != source.Hint {
				t.Errorf("%s: %s: %s", path, d.Code, d.Message)
			}
			hints++
			if len(d.Fixes) > 0 && !deleted {
				text, err := f.Text().Apply(d.Fixes[0].AllEdits())
				if err != nil {
					t.Fatal(err)
				}
				deleted = true
				for _, e := range syntax.Parse(text, f).Diagnostics() {
					if e.Severity == source.Error {
						t.Errorf("%s: %s: %s", path, d.Fixes[0].Title, e.Message)
					}
				}
			}
		}
		if hints > 3*maxHints {
			t.Errorf("%s: %d hints", path, hints)
		}
		if files%10 != 0 && os.Getenv("AIGLENS_LONG") == "" || len(data) > 300_000 {
			return nil
		}
		always, err := newValues(t.Context(), f.Model(), false)
		if err != nil {
			return err
		}
		r := rand.New(rand.NewPCG(1, 1))
		for _, step := range btor2test.Simulate(string(data), 3, func(_ int, _ int64, s btor2test.Sort) btor2test.Value { return btor2test.RandomValue(r, s) }) {
			agree(t, f, always, step, map[string]int{})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files: %v", files, count)
}

// TestUnused deletes what no row needs from random texts: properties and outputs say the same in each step.
func TestUnused(t *testing.T) {
	deletions := 0
	for seed := range uint64(400) {
		text := btor2test.Random(seed, btor2test.Tiny)
		f := parse(text)
		for _, d := range run(t, f) {
			if d.Code != syntax.CodeRowUnused || len(d.Fixes) == 0 {
				continue
			}
			after, err := f.Text().Apply(d.Fixes[0].AllEdits())
			if err != nil {
				t.Fatal(err)
			}
			deletions++
			value := func(step int, id int64, s btor2test.Sort) btor2test.Value {
				return btor2test.RandomValue(rand.New(rand.NewPCG(uint64(step), uint64(id))), s)
			}
			a, b := btor2test.Simulate(text, 4, value), btor2test.Simulate(after.Content(), 4, value)
			for i := range a {
				if fmt.Sprint(a[i].Bads, a[i].Constraints, a[i].Fairs, a[i].Justice) != fmt.Sprint(b[i].Bads, b[i].Constraints, b[i].Fairs, b[i].Justice) {
					t.Fatalf("seed %d, step %d:\n%s\nafter\n%s", seed, i, text, after.Content())
				}
			}
			break
		}
	}
	if deletions < 50 {
		t.Errorf("%d deletions", deletions)
	}
}

// BenchmarkRun looks at 100,000 rows.
func BenchmarkRun(b *testing.B) {
	var text strings.Builder
	text.WriteString("1 sort bitvec 1\n2 sort bitvec 16\n3 input 2\n4 state 2\n")
	const rows = 100_000
	for i := 5; i < rows; i++ {
		fmt.Fprintf(&text, "%d %s 2 %d %d\n", i, []string{"add", "xor", "and", "mul"}[i%4], i-1, max(3, i-2-i%7))
	}
	fmt.Fprintf(&text, "%d eq 1 %d 3\n%d bad %d\n", rows, rows-1, rows+1, rows)
	f := parse(text.String())
	f.Model()
	for b.Loop() {
		if _, err := Run(b.Context(), f); err != nil {
			b.Fatal(err)
		}
	}
}

// TestValues simulates random texts: in each step a row has the value of that which is said to be the same, and lies
// within its range.
func TestValues(t *testing.T) {
	decided := map[string]int{}
	for seed := range uint64(1000) {
		text := btor2test.Random(seed, []btor2test.Shape{btor2test.Tiny, btor2test.Wide}[seed%2])
		f := parse(text)
		always, err := newValues(t.Context(), f.Model(), false)
		if err != nil {
			t.Fatal(err)
		}
		atStart, err := newValues(t.Context(), f.Model(), true)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 1))
		steps := btor2test.Simulate(text, 4, func(_ int, _ int64, s btor2test.Sort) btor2test.Value { return btor2test.RandomValue(r, s) })
		for i, step := range steps {
			agree(t, f, always, step, decided)
			if i == 0 {
				agree(t, f, atStart, step, decided)
			}
			if t.Failed() {
				t.Fatalf("seed %d, step %d\n%s", seed, i, text)
			}
		}
	}
	t.Log(decided)
	if len(decided) < 40 {
		t.Errorf("only %d operators are decided", len(decided))
	}
}

func agree(t *testing.T, f *syntax.File, v *values, step btor2test.Step, decided map[string]int) {
	t.Helper()
	nodes := f.Model().Nodes
	for row := range nodes {
		n := &nodes[row]
		if !n.Sound || !n.Op.HasValue() || n.Sort.IsArray() {
			continue
		}
		value := step.Values[n.ID]
		if same := v.same[row]; same.Node() != row {
			other := step.Values[nodes[same.Node()].ID]
			if same.IsNegated() {
				other = btor2test.Apply("not", []btor2test.Value{other})
			}
			if value.Bits.Cmp(other.Bits) != 0 {
				t.Errorf("row %d is %v, and not %v, the value of %d", n.ID, value.Bits, other.Bits, same)
			}
			decided["same"]++
		}
		if !isNarrow(n.Sort) {
			continue
		}
		in := v.within[row]
		if got := value.Bits.Uint64(); got < in.low || got > in.high {
			t.Errorf("row %d is %d, and not within %v", n.ID, got, in)
		}
		if in.isPoint() && n.Op.IsOperator() {
			decided[n.Op.String()]++
		}
	}
}
