package compare_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/compare"
)

// side returns a circuit with so many elements as there are names; "-" is not a name.
func side(inputs, outputs, bads string) compare.Side {
	b := circuit.NewBuilder(0)
	split := func(words string, add func()) (names []string) {
		for _, w := range strings.Fields(words) {
			add()
			names = append(names, strings.Trim(w, "-"))
		}
		return names
	}
	var s compare.Side
	var last circuit.Lit
	s.Names.Inputs = split(inputs, func() { last = b.Input(0) })
	s.Names.Outputs = split(outputs, func() { b.Output(last, 0) })
	s.Names.Bads = split(bads, func() { b.Bad(last.Not(), 0) })
	s.Circuit = b.Build()
	return s
}

// anded returns a circuit whose output y is the conjunction of its inputs but the first few;
// "-" is not a name.
func anded(inputs string, unused int) compare.Side {
	b := circuit.NewBuilder(0)
	all := circuit.True
	names := strings.Fields(inputs)
	for i, name := range names {
		in := b.Input(0)
		if names[i] = strings.Trim(name, "-"); i >= unused {
			all = b.And(all, in)
		}
	}
	b.Output(all, 0)
	return compare.Side{Circuit: b.Build(), Names: compare.Names{Inputs: names, Outputs: []string{"y"}}}
}

// otherBad returns a circuit whose bad is none of its outputs.
func otherBad() compare.Side {
	b := circuit.NewBuilder(0)
	x, y := b.Input(0), b.Input(0)
	b.Output(x, 0)
	b.Bad(y, 0)
	return compare.Side{Circuit: b.Build(), Names: compare.Names{Inputs: []string{"a", "b"}, Outputs: []string{"x"}, Bads: []string{"bad"}}}
}

// says writes a matching as text.
func says(m *compare.Matching) string {
	var parts []string
	for _, list := range [][]compare.Pair{m.Inputs, m.Latches, m.Observed} {
		for _, p := range list {
			word := fmt.Sprintf("%s=%s", p.A, p.B)
			if p.Negated {
				word = fmt.Sprintf("%s=!%s", p.A, p.B)
			}
			parts = append(parts, word+" by "+p.How.String())
		}
	}
	for i, list := range m.Unmatched {
		for _, e := range list {
			parts = append(parts, fmt.Sprintf("%c %s alone", 'A'+i, e))
		}
	}
	for i, list := range m.Covered {
		for _, e := range list {
			parts = append(parts, fmt.Sprintf("%c %s covered", 'A'+i, e))
		}
	}
	return strings.Join(parts, "; ")
}

func TestMatch(t *testing.T) {
	respelled := side("a_b a_b_2", "y", "")
	respelled.Names.Inputs[0], respelled.Names.Inputs[1] = "a b", "a_b"
	respelled.Respelled = []compare.Names{{Inputs: []string{"a_b", "a_b_2"}}}
	asserted := side("a", "", "ok")
	asserted.Names.Asserts = []bool{true}
	hidden := side("a", "b y", "b")
	hidden.Names.Hidden = []bool{true}
	other := otherBad()
	for _, test := range []struct {
		name    string
		a, b    compare.Side
		options compare.Options
		want    string
	}{
		{"names in another order", side("a b", "x y", ""), side("b a", "y x", ""), compare.Options{},
			"input:0=input:1 by name; input:1=input:0 by name; output:0=output:1 by name; output:1=output:0 by name"},
		{"no names", side("- -", "-", "-"), side("- -", "-", "-"), compare.Options{},
			"input:0=input:0 by position; input:1=input:1 by position; output:0=output:0 by position; bad:0=bad:0 by position"},
		{"names on one side", side("a b", "x", ""), side("- -", "-", ""), compare.Options{},
			"input:0=input:0 by position; input:1=input:1 by position; output:0=output:0 by position"},
		{"names of some on one side", side("a - -", "x", ""), side("n0 n1 a", "x", ""), compare.Options{},
			"input:0=input:2 by name; output:0=output:0 by name; A input:1 alone; A input:2 alone; B input:0 alone; B input:1 alone"},
		{"names of some on one side, in their places", side("a - -", "x", ""), side("a n1 n2", "x", ""), compare.Options{},
			"input:0=input:0 by name; input:1=input:1 by position; input:2=input:2 by position; output:0=output:0 by name"},
		{"a name of few in another place", side("a b c", "x", ""), side("c - -", "x", ""), compare.Options{},
			"input:2=input:0 by name; output:0=output:0 by name; A input:0 alone; A input:1 alone; B input:1 alone; B input:2 alone"},
		{"a name of few in another place, by position", side("a b c", "x", ""), side("c - -", "x", ""), compare.Options{Positions: true},
			"input:1=input:1 by position; input:2=input:0 by name; output:0=output:0 by name; A input:0 alone; B input:2 alone"},
		{"a map that moves one of few names", side("a b c", "x", ""), side("z - -", "x", ""), compare.Options{Map: [][2]string{{"c", "z"}}},
			"input:2=input:0 by map; output:0=output:0 by name; A input:0 alone; A input:1 alone; B input:1 alone; B input:2 alone"},
		{"other names", side("a b", "x", ""), side("a c", "x", ""), compare.Options{},
			"input:0=input:0 by name; output:0=output:0 by name; A input:1 alone; B input:1 alone"},
		{"other names, by position", side("a b", "x", ""), side("a c", "z", ""), compare.Options{Positions: true},
			"input:0=input:0 by name; input:1=input:1 by position; output:0=output:0 by position"},
		{"a map", side("a b", "x y", ""), side("a c", "y x", ""), compare.Options{Map: [][2]string{{"b", "c"}, {"x", "y"}}},
			"input:0=input:0 by name; input:1=input:1 by map; output:0=output:0 by map; A output:1 alone; B output:1 alone"},
		{"a map of places", side("- -", "-", ""), side("- -", "-", ""), compare.Options{Map: [][2]string{{"input:0", "input:1"}}},
			"input:0=input:1 by map; output:0=output:0 by position; A input:1 alone; B input:0 alone"},
		{"lists of different lengths", side("- -", "-", ""), side("-", "-", ""), compare.Options{},
			"output:0=output:0 by position; A input:0 alone; A input:1 alone; B input:0 alone"},
		{"of different lengths, one pruned", side("- -", "-", ""), side("-", "-", ""), compare.Options{Pruned: true},
			"input:1=input:0 by position; output:0=output:0 by position; A input:0 alone"},
		{"some names of different lengths, one pruned", anded("u a - -", 1), anded("a p q", 0), compare.Options{Pruned: true},
			"input:1=input:0 by name; input:2=input:1 by position; input:3=input:2 by position; output:0=output:0 by name; A input:0 alone"},
		{"the same in another order", anded("u a - -", 1), anded("p q a", 0), compare.Options{Pruned: true},
			"input:1=input:2 by name; output:0=output:0 by name; A input:0 alone; A input:2 alone; A input:3 alone; B input:0 alone; B input:1 alone"},
		{"no names beside one that moves", side("a - -", "x", ""), side("- - a", "x", ""), compare.Options{},
			"input:0=input:2 by name; output:0=output:0 by name; A input:1 alone; A input:2 alone; B input:0 alone; B input:1 alone"},
		{"a name that stands twice", side("a a", "x", ""), side("a b", "x", ""), compare.Options{},
			"input:0=input:0 by position; output:0=output:0 by name; A input:1 alone; B input:1 alone"},
		{"names that stand twice in the same places", side("a b a", "x", ""), side("a b a", "x", ""), compare.Options{},
			"input:0=input:0 by position; input:1=input:1 by name; input:2=input:2 by position; output:0=output:0 by name"},
		{"a missing output", side("a", "x y", ""), side("a", "y", ""), compare.Options{},
			"input:0=input:0 by name; output:1=output:0 by name; A output:0 alone"},
		{"respelled", respelled, side("a_b a_b_2", "y", ""), compare.Options{},
			"input:0=input:0 by respelled name; input:1=input:1 by respelled name; output:0=output:0 by name"},
		{"a bad as an output", side("a", "x", "b"), side("a", "b x", ""), compare.Options{},
			"input:0=input:0 by name; output:0=output:1 by name; bad:0=output:0 by name"},
		{"bads after outputs", side("-", "- -", "-"), side("-", "- - -", ""), compare.Options{},
			"input:0=input:0 by position; output:0=output:0 by position; output:1=output:1 by position; bad:0=output:2 by position"},
		{"bads after outputs, names of some in their places", side("-", "x y", "-"), side("-", "x y p2", ""), compare.Options{},
			"input:0=input:0 by position; output:0=output:0 by name; output:1=output:1 by name; bad:0=output:2 by position"},
		{"bads after outputs, names of some in other places", side("-", "x y", "-"), side("-", "y x p2", ""), compare.Options{},
			"input:0=input:0 by position; output:0=output:1 by name; output:1=output:0 by name; B output:2 alone; A bad:0 covered"},
		{"outputs as bads", side("-", "- -", ""), side("-", "", "- -"), compare.Options{},
			"input:0=input:0 by position; output:0=bad:0 by position; output:1=bad:1 by position"},
		{"an assertion as an output", asserted, side("a", "ok", ""), compare.Options{},
			"input:0=input:0 by name; bad:0=!output:0 by name"},
		{"an output that shows a bad", hidden, side("a", "y", "b"), compare.Options{},
			"input:0=input:0 by name; output:1=output:0 by name; bad:0=bad:0 by name"},
		{"bads of other names, of an output", side("a", "x", "p"), side("a", "x", "q"), compare.Options{},
			"input:0=input:0 by name; output:0=output:0 by name; A bad:0 alone; B bad:0 alone"},
		{"a bad that is an output, too", side("a", "x", "x"), side("a", "x", ""), compare.Options{},
			"input:0=input:0 by name; output:0=output:0 by name; A bad:0 covered"},
		{"a bad that is not an output", other, side("a b", "x", ""), compare.Options{},
			"input:0=input:0 by name; input:1=input:1 by name; output:0=output:0 by name; A bad:0 alone"},
	} {
		m, err := compare.Match(test.a, test.b, test.options)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := says(m); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestMatchFails(t *testing.T) {
	for _, test := range []struct {
		name string
		a, b compare.Side
		pair [2]string
		want string
	}{
		{"other outputs", side("a", "x", ""), side("a", "y", ""), [2]string{"a", "a"}, compare.ErrNothing.Error()},
		{"no outputs", side("a", "", ""), side("a", "", ""), [2]string{"a", "a"}, compare.ErrNothing.Error()},
		{"outputs on one side", side("a", "x", ""), side("a", "", ""), [2]string{"a", "a"}, compare.ErrNothing.Error()},
		{"a name of nothing", side("a", "x", ""), side("a", "x", ""), [2]string{"b", "a"}, `the first circuit has nothing named "b"`},
		{"another name of nothing", side("a", "x", ""), side("a", "x", ""), [2]string{"a", "b"}, `the second circuit has nothing named "b"`},
		{"kinds", side("a", "x", ""), side("a", "x", ""), [2]string{"a", "x"}, `"a" and "x" are elements of different kinds`},
		{"a name that stands twice", side("a a", "x", ""), side("a", "x", ""), [2]string{"a", "a"}, `"a" is the name of 2 elements of kind input`},
	} {
		_, err := compare.Match(test.a, test.b, compare.Options{Map: [][2]string{test.pair}})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, not %s", test.name, err, test.want)
		}
	}
	x := side("a b", "x", "")
	if _, err := compare.Match(x, x, compare.Options{Map: [][2]string{{"a", "a"}, {"b", "a"}}}); err == nil {
		t.Error("an input is mapped twice")
	}
	if _, err := compare.Match(side("a", "x", ""), side("a", "y", ""), compare.Options{}); !errors.Is(err, compare.ErrNothing) {
		t.Errorf("%v", err)
	}
}

// TestMatchIsOneToOne matches random lists of names and holds the result against what a
// matching is: each element in one pair or left over, pairs of the same name, and no
// element left over that another one of its name, which stands once, is left over for.
func TestMatchIsOneToOne(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		words := func() string {
			var all []string
			for range r.IntN(5) {
				all = append(all, []string{"-", "p", "q", "r", "s", "t"}[r.IntN(6)])
			}
			return strings.Join(all, " ")
		}
		a, b := side("a "+words(), "out "+words(), words()), side("a "+words(), "out "+words(), words())
		m, err := compare.Match(a, b, compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range m.Sides {
			seen := map[compare.Element]int{}
			for _, list := range [][]compare.Pair{m.Inputs, m.Latches, m.Observed} {
				for _, p := range list {
					seen[p.On(i)]++
				}
			}
			for _, e := range append(m.Unmatched[i], m.Covered[i]...) {
				seen[e]++
			}
			c := m.Sides[i].Circuit
			if n := len(c.Inputs()) + len(c.Outputs()) + len(c.Bads()); len(seen) != n {
				t.Fatalf("seed %d: %d elements of %d: %s", seed, len(seen), n, says(m))
			}
			for e, times := range seen {
				if times != 1 {
					t.Fatalf("seed %d: %s stands %d times: %s", seed, e, times, says(m))
				}
			}
		}
		for _, p := range append(m.Inputs, m.Observed...) {
			if p.How == compare.ByName && m.Sides[0].Name(p.A) != m.Sides[1].Name(p.B) {
				t.Fatalf("seed %d: %s", seed, says(m))
			}
		}
		for _, e := range m.Unmatched[0] {
			for _, f := range m.Unmatched[1] {
				name := m.Sides[0].Name(e)
				if e.Kind == f.Kind && name != "" && name == m.Sides[1].Name(f) && once(m, 0, e) && once(m, 1, f) {
					t.Fatalf("seed %d: %s and %s are left: %s", seed, e, f, says(m))
				}
			}
		}
	}
}

// once reports whether an element is the only one of its kind and name.
func once(m *compare.Matching, side int, e compare.Element) bool {
	names := map[compare.Kind][]string{compare.Input: m.Sides[side].Names.Inputs, compare.Output: m.Sides[side].Names.Outputs, compare.Bad: m.Sides[side].Names.Bads}[e.Kind]
	n := 0
	for _, name := range names {
		if name == m.Sides[side].Name(e) {
			n++
		}
	}
	return n == 1
}

// TestCombinationalKinds matches single steps of circuits without names: an input with an
// input, a latch with a latch, an output with an output, even where the lists of all of them
// together have the same length.
func TestCombinationalKinds(t *testing.T) {
	build := func(inputs, latches, outputs int) compare.Side {
		b := circuit.NewBuilder(0)
		last := circuit.False
		for range inputs {
			last = b.Input(0)
		}
		for range latches {
			last = b.Latch(0)
			b.SetNext(last, last)
		}
		for range outputs {
			b.Output(last, 0)
		}
		return compare.Side{Circuit: b.Build()}
	}
	options := compare.Options{Combinational: true, Positions: true}
	if m, err := compare.Match(build(2, 1, 3), build(1, 2, 1), options); !errors.Is(err, compare.ErrNothing) {
		t.Errorf("lists of different lengths: %v, matched %s", err, says(m))
	}
	m, err := compare.Match(build(2, 1, 1), build(1, 1, 1), options)
	if err != nil {
		t.Fatal(err)
	}
	want := "input:2=input:1 by position; output:0=output:0 by position; output:1=output:1 by position; output:2=output:2 by position; " +
		"A input:0 alone; A input:1 alone; B input:0 alone"
	if got := says(m); got != want {
		t.Errorf("matched %s\nwant %s", got, want)
	}
	m, err = compare.Match(build(1, 2, 1), build(1, 1, 1), options)
	if err != nil {
		t.Fatal(err)
	}
	if alone := m.NotCompared(0); len(alone) != 4 || len(m.NotCompared(1)) != 2 {
		t.Errorf("latches without a partner: %v and %v", alone, m.NotCompared(1))
	}
	if got := m.Sides[0].Label(compare.Element{Kind: compare.Output, Index: 4}); got != "reset of latch:1" {
		t.Errorf("the reset of the second latch is called %q", got)
	}
}
