package diagnose_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/internal/source"
)

// TestConstantProperties: a comment that makes a property of a constant net is told so, in the words
// that AIGER files get, and no other is.
func TestConstantProperties(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"cover", ".names a n", "the cover is constant 0: no run reaches it"},
		{"cover", ".names n\n1", "the cover is constant 1: every step reaches it"},
		{"lemma", ".names n", "the lemma is constant 0: it never holds"},
		{"lemma", ".names a n\n0 1\n1 1", "the lemma is constant 1: it says nothing"},
		{"bad", ".names n", "the property is constant 0: it always holds"},
		{"bad", ".names n\n1", "the property is constant 1: it is violated as soon as the constraints allow a step"},
		{"assert", ".names n\n1", "the property is constant 1: it always holds"},
		{"assert", ".names n", "the property is constant 0: it is violated as soon as the constraints allow a step"},
		// By way of other nets: constants, negations, covers of zeros, the same operand twice.
		{"cover", ".names zero\n.names a zero n\n-1 1\n11 1", "the cover is constant 0: no run reaches it"},
		{"cover", ".names a m\n0 1\n.names a m n\n11 1", "the cover is constant 0: no run reaches it"},
		{"cover", ".names a m\n0 1\n.names m k\n0 1\n.names a k n\n10 0\n01 0", "the cover is constant 1: every step reaches it"},
		{"cover", ".names zero\n.names zero n\n1 0", "the cover is constant 1: every step reaches it"},
		{"cover", ".names a b c d e f g n\n-------", ""}, // no cover
		{"cover", ".names zero\n.names a b c d e f g zero n\n1------1 1\n-111---1 1", "the cover is constant 0: no run reaches it"},
		// Not constant, not known, or not looked at.
		{"cover", ".names a n\n1 1", ""},
		{"lemma", ".names a b n\n11 1\n00 1", ""},
		{"cover", ".latch n n 0", ""},
		{"cover", ".names m n\n1 1\n.names n m\n1 1", ""},
		{"cover", ".names n\n1\n.names a n\n1 1", ""},
		{"assume", ".names n", ""},
		{"shown", ".names n", ""},
	} {
		text := fmt.Sprintf(".model m\n.inputs a b c d e f g\n.outputs n\n# prop: %s n\n%s\n.end\n", c.kind, c.body)
		if got := constant(t, text); strings.Join(got, "; ") != strings.TrimPrefix(c.want+" at n", " at n") {
			t.Errorf("%s of %q: %q, want %q", c.kind, c.body, got, c.want)
		}
	}
}

// TestConstantPropertiesDeep: a chain as long as a file is not a deep recursion.
func TestConstantPropertiesDeep(t *testing.T) {
	const depth = 200_000
	var b strings.Builder
	b.WriteString(".model m\n.outputs n\n# prop: cover n\n.names n0\n")
	for i := range depth {
		fmt.Fprintf(&b, ".names n%d n%d\n1 1\n", i, i+1)
	}
	fmt.Fprintf(&b, ".names n%d n\n1 1\n.end\n", depth)
	if got := constant(t, b.String()); !slices.Equal(got, []string{"the cover is constant 0: no run reaches it at n"}) {
		t.Errorf("%q", got)
	}
}

// TestConstantPropertiesOfModels: the comments of the top model count.
func TestConstantPropertiesOfModels(t *testing.T) {
	text := ".model m\n.outputs n\n# prop: cover n\n.subckt k y=n\n.end\n.model k\n.outputs y\n# prop: cover y\n.names y\n.end\n"
	if got := constant(t, text); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// TestConstantPropertiesWide: the bounds on what is tried do not hide a cube that always holds, or that
// none ever does.
func TestConstantPropertiesWide(t *testing.T) {
	const width, rows = 100, 300
	inputs := ""
	for i := range width {
		inputs += fmt.Sprintf(" i%d", i)
	}
	wide := strings.Repeat(strings.Repeat("1", width)+"- 1\n", rows)
	for _, c := range []struct{ last, rows, want string }{
		{"i0", wide, ""},
		{"i0", wide + strings.Repeat("-", width+1) + " 1\n", "the cover is constant 1: every step reaches it at n"},
		{"i0", strings.Repeat(strings.Repeat("1", width)+"0 1\n", rows), "the cover is constant 0: no run reaches it at n"},
		{"zero", strings.Repeat(strings.Repeat("1", width)+"1 1\n", rows), "the cover is constant 0: no run reaches it at n"},
	} {
		text := ".model m\n.inputs" + inputs + "\n.outputs n\n# prop: cover n\n.names zero\n.names" + inputs + " " + c.last + " n\n" + c.rows + ".end\n"
		if got := strings.Join(constant(t, text), "; "); got != c.want {
			t.Errorf("%q, want %q of\n%s", got, c.want, text)
		}
	}
}

// countedContext counts how often it is asked whether it has ended, which it has after a number of times.
type countedContext struct {
	context.Context
	asked, end int
}

func (c *countedContext) Err() error {
	if c.asked++; c.asked > c.end {
		return context.Canceled
	}
	return nil
}

// TestConstantPropertiesEnd: the analysis of a large cover ends with its context.
func TestConstantPropertiesEnd(t *testing.T) {
	const rows = 1000
	lint := func(text string, end int) (asked int, err error) {
		ctx := &countedContext{Context: context.Background(), end: end}
		_, err = diagnose.Lint(ctx, blif.Options{}.Parse(source.NewText(text)))
		return ctx.asked, err
	}
	text := ".model m\n.inputs a b\n.outputs n\n# prop: cover n\n.names a b n\n" + strings.Repeat("10 1\n", rows) + ".end\n"
	without, err := lint(strings.Replace(text, "# prop: cover n\n", "", 1), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if asked, err := lint(text, 1<<30); err != nil || asked < without+rows {
		t.Errorf("asked %d times about %d rows, %d times without the comment: %v", asked, rows, without, err)
	}
	if asked, err := lint(text, without+rows/2); err != context.Canceled || asked > without+rows/2+10 {
		t.Errorf("asked %d times, %d without the comment: %v", asked, without, err)
	}
}

// constant lists what is said of constant properties, and of which words.
func constant(t *testing.T, text string) (all []string) {
	t.Helper()
	found, err := diagnose.Lint(context.Background(), blif.Options{}.Parse(source.NewText(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found {
		if d.Code == codes.ConstantProperty {
			all = append(all, d.Message+" at "+text[d.Span.Start:d.Span.End()])
		}
	}
	return all
}

// TestConstantPropertiesRandom: of random models, what is said to be constant is so for all values of
// the inputs.
func TestConstantPropertiesRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	const inputs, nets = 3, 8
	said := 0
	for range 3000 {
		head, body := ".model m\n.inputs s0 s1 s2\n.outputs s10\n", ""
		values := [][]bool{} // by signal, for all values of the inputs
		for i := range inputs {
			var table []bool
			for at := range 1 << inputs {
				table = append(table, at>>i&1 == 1)
			}
			values = append(values, table)
		}
		for n := inputs; n < inputs+nets; n++ {
			var operands []int
			for range random.IntN(4) {
				operands = append(operands, random.IntN(n))
			}
			names, output, table := ".names", random.IntN(2), make([]bool, 1<<inputs)
			for _, o := range operands {
				names += fmt.Sprintf(" s%d", o)
			}
			body += fmt.Sprintf("%s s%d\n", names, n)
			rows := random.IntN(4)
			for range rows {
				cube := ""
				for range operands {
					cube += string("01-"[random.IntN(3)])
				}
				body += strings.TrimSpace(fmt.Sprintf("%s %d", cube, output)) + "\n"
				for at := range table {
					holds := true
					for i, o := range operands {
						holds = holds && (cube[i] == '-' || values[o][at] == (cube[i] == '1'))
					}
					table[at] = table[at] || holds
				}
			}
			if rows > 0 && output == 0 {
				for at := range table {
					table[at] = !table[at]
				}
			}
			values = append(values, table)
			head += fmt.Sprintf("# prop: cover s%d\n", n)
		}
		for _, words := range constant(t, head+body+".end\n") {
			var value, signal int
			if _, err := fmt.Sscanf(words, "the cover is constant %d:", &value); err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Sscan(words[strings.LastIndex(words, "s")+1:], &signal); err != nil {
				t.Fatal(err)
			}
			if said++; slices.Contains(values[signal], value == 0) {
				t.Fatalf("%s in\n%s%s", words, head, body)
			}
		}
	}
	if said < 1000 {
		t.Errorf("%d constants were found", said)
	}
}
