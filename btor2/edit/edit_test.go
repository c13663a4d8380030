package edit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/btor2/edit"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// randomTexts yields the texts of the tests.
func randomTexts(yield func(seed uint64, text string) bool) {
	for seed := range uint64(60) {
		shape := btor2test.Tiny
		if seed%2 == 1 {
			shape = btor2test.Wide
			shape.Rows, shape.Width, shape.Index = 15, 12, 2
		}
		if !yield(seed, btor2test.Random(seed, shape)) {
			return
		}
	}
}

func parse(text string) *syntax.File { return syntax.Parse(source.NewText(text), nil) }

// applied returns a file after edits. It has no more errors and warnings than before.
func applied(t *testing.T, f *syntax.File, edits []source.Edit) *syntax.File {
	t.Helper()
	text, err := f.Text().Apply(edits)
	if err != nil {
		t.Fatalf("%v\n%v\n%s", err, edits, f.Text().Content())
	}
	g := f.Reparse(text)
	if had, has := errorsOf(f), errorsOf(g); len(has) > len(had) {
		t.Fatalf("%q\n%s\nafter\n%s", has, text.Content(), f.Text().Content())
	}
	return g
}

func errorsOf(f *syntax.File) (all []string) {
	for _, d := range f.Diagnostics() {
		if d.Severity <= source.Warning {
			all = append(all, d.Message)
		}
	}
	return all
}

func structureOf(t *testing.T, f *syntax.File) circuit.Fingerprint {
	t.Helper()
	e, err := btor2.Elaborate(t.Context(), f, btor2.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e.Circuit.Structure()
}

// sameCircuit expects the same inputs, latches, gates and properties.
func sameCircuit(t *testing.T, f, g *syntax.File) {
	t.Helper()
	if structureOf(t, f) != structureOf(t, g) {
		t.Fatalf("another circuit:\n%s\nbefore\n%s", g.Text().Content(), f.Text().Content())
	}
}

// meaning returns what a text says in some steps of a run. What is free gets values by its position.
func meaning(f *syntax.File, seed uint64) (steps []btor2test.Step, outputs [][]string) {
	s := btor2test.Parse(f.Text().Content())
	steps = s.Run(4, func(step int, id int64, sort btor2test.Sort) btor2test.Value {
		at, kind := slices.Index(s.Inputs, id), 0
		if at < 0 {
			at, kind = slices.Index(s.States, id), 1
		}
		r := rand.New(rand.NewPCG(seed, uint64(step)<<32|uint64(at)<<1|uint64(kind)))
		return btor2test.RandomValue(r, sort)
	})
	for _, step := range steps {
		var all []string
		for _, o := range s.Outputs {
			v := step.Values[max(o, -o)]
			all = append(all, fmt.Sprint(v.Sort, v.Bits, o < 0))
		}
		outputs = append(outputs, all)
	}
	return steps, outputs
}

// sameMeaning expects the same properties in each step of some runs. parts says for a bad or a constraint of f by how
// many rows of g it is said.
func sameMeaning(t *testing.T, f, g *syntax.File, parts func(op syntax.Op, index int) int) {
	t.Helper()
	grouped := func(op syntax.Op, values []bool, count int, join func(a, b bool) bool) (all []bool) {
		for i := range count {
			n := parts(op, i)
			value := values[0]
			for _, v := range values[1:n] {
				value = join(value, v)
			}
			all, values = append(all, value), values[n:]
		}
		if len(values) > 0 {
			t.Fatalf("%d rows too many", len(values))
		}
		return all
	}
	for seed := range uint64(4) {
		before, outputs := meaning(f, seed)
		after, outputsAfter := meaning(g, seed)
		for step := range before {
			a, b := before[step], after[step]
			bads := grouped(syntax.Bad, b.Bads, len(a.Bads), func(a, b bool) bool { return a || b })
			constraints := grouped(syntax.Constraint, b.Constraints, len(a.Constraints), func(a, b bool) bool { return a && b })
			if !slices.Equal(a.Bads, bads) || !slices.Equal(a.Constraints, constraints) || !slices.Equal(a.Fairs, b.Fairs) ||
				fmt.Sprint(a.Lemmas, a.Covers) != fmt.Sprint(b.Lemmas, b.Covers) ||
				fmt.Sprint(a.Justice) != fmt.Sprint(b.Justice) || !slices.Equal(outputs[step], outputsAfter[step]) {
				t.Fatalf("another meaning in step %d:\n%s\nbefore\n%s", step, g.Text().Content(), f.Text().Content())
			}
		}
	}
}

func one(syntax.Op, int) int { return 1 }

// TestChangesKeepMeaning makes each change of each row of random texts, and those of the whole file. All but a split and
// another order of rows leave the circuit as it is.
func TestChangesKeepMeaning(t *testing.T) {
	made := map[string]int{}
	for seed, text := range randomTexts {
		if seed%3 == 0 { // those of a random text are disjunctions
			text = strings.ReplaceAll(strings.ReplaceAll(text, " constraint ", " constraint -"), "--", "")
		}
		f := parse(text)
		for row := range f.NumRows() {
			offset := f.Text().LineStart(f.LineOf(row))
			for _, c := range edit.Changes(t.Context(), f, offset, row == 0) {
				edits, err := c.Edits()
				if err != nil {
					t.Fatalf("seed %d: %s: %v\n%s", seed, c.Title, err, text)
				}
				g := applied(t, f, edits)
				made[c.ID]++
				switch c.ID {
				case "split-bad", "split-constraint":
					sameMeaning(t, f, g, splitOf(f, g, row))
				case "sort-rows":
					sameMeaning(t, f, g, one)
				case "add-lemma", "add-cover":
					if m, n := f.Model(), g.Model(); len(n.Lemmas)+len(n.Covers) != len(m.Lemmas)+len(m.Covers)+1 {
						t.Fatalf("%s adds none", c.Title)
					}
				default:
					sameCircuit(t, f, g)
				}
				if got, want := comments(g), comments(f); !slices.Equal(got, want) && c.ID != "sort-rows" {
					t.Fatalf("%s: comments %q, before %q", c.Title, got, want)
				}
			}
		}
	}
	for _, id := range []string{"inline-alias", "name-row", "split-bad", "split-constraint", "add-zero", "add-one", "renumber-rows", "inline-aliases", "sort-rows", "add-lemma", "add-cover"} {
		if made[id] == 0 {
			t.Errorf("no %s was made", id)
		}
	}
}

// splitOf returns into how many rows each bad and constraint is split when a row is.
func splitOf(f, g *syntax.File, row int) func(op syntax.Op, index int) int {
	more := g.NumRows() - f.NumRows()
	m := f.Model()
	return func(op syntax.Op, index int) int {
		list := m.Bads
		if op == syntax.Constraint {
			list = m.Constraints
		}
		if list[index] == row {
			return 1 + more
		}
		return 1
	}
}

// comments returns all of a text that make no property.
func comments(f *syntax.File) (all []string) {
	for line := range strings.Lines(f.Text().Content()) {
		if _, comment, ok := strings.Cut(line, ";"); ok && !strings.HasPrefix(comment, " prop:") {
			all = append(all, strings.TrimSpace(comment))
		}
	}
	return all
}

// TestSections: sorted rows stand in sections, each after what it uses, and comments with the rows that follow them.
func TestSections(t *testing.T) {
	f := parse("; head\n1 sort bitvec 1\n3 state 1 s\n4 sort bitvec 8\n; of a\n5 input 4 a\n7 zero 1\n9 init 1 3 7\n10 redor 1 5\n12 next 1 3 -10\n13 bad 3\n; end\n")
	want := "; head\n1 sort bitvec 1\n2 sort bitvec 8\n; of a\n3 input 2 a\n4 zero 1\n5 state 1 s\n6 init 1 5 4\n7 redor 1 3\n8 next 1 5 -7\n9 bad 5\n; end\n"
	for _, c := range edit.Changes(t.Context(), f, 0, true) {
		if c.ID != "sort-rows" {
			continue
		}
		edits, err := c.Edits()
		if err != nil {
			t.Fatal(err)
		}
		if got := applied(t, f, edits).Text().Content(); got != want {
			t.Errorf("sorted: %s", got)
		}
		return
	}
	t.Error("sorting is not offered")
}

// TestChangesAtPlaces shows what changes make of small texts.
func TestChangesAtPlaces(t *testing.T) {
	check := func(text string, line int, id, want string) {
		t.Helper()
		f := parse(text)
		for _, c := range edit.Changes(t.Context(), f, f.Text().LineStart(line), true) {
			if c.ID != id {
				continue
			}
			edits, err := c.Edits()
			got := text
			if err != nil {
				got = err.Error()
			} else {
				got = applied(t, f, edits).Text().Content()
			}
			if got != want {
				t.Errorf("%s:\n%s\nwant\n%s", c.Title, got, want)
			}
			return
		}
		if want != "" {
			t.Errorf("%s is not offered", id)
		}
	}
	const alias = "1 sort bitvec 1\n2 input 1\n3 uext 1 2 0 a ; here\n4 and 1 3 -3\n5 bad 4\n"
	check(alias, 2, "inline-alias", "1 sort bitvec 1\n2 input 1 a\n; here\n4 and 1 2 -2\n5 bad 4\n")
	check("1 sort bitvec 1\n2 input 1 x\n3 uext 1 -2 0 a\n4 and 1 3 -3\n5 bad 4", 2, "inline-alias", "1 sort bitvec 1\n2 input 1 x\n4 and 1 -2 2\n5 bad 4")
	const aliases = "1 sort bitvec 1\n2 input 1\n3 uext 1 2 0 a\n4 uext 1 -3 0 not_a ; of a\n5 uext 1 4 0 same\n6 bad -5\n"
	check(aliases, 0, "inline-aliases", "1 sort bitvec 1\n2 input 1 a\n; of a\n6 bad 2\n")
	check(alias, 3, "name-row", "1 sort bitvec 1\n2 input 1\n3 uext 1 2 0 a ; here\n4 and 1 3 -3 and_4\n5 bad 4\n")
	check(alias, 0, "add-one", "1 sort bitvec 1\n2 one 1\n3 input 1\n4 uext 1 3 0 a ; here\n5 and 1 4 -4\n6 bad 5\n")
	check("1 sort bitvec 1\n2 input 1\n3 input 1\n4 input 1\n5 or 1 2 3\n6 nor 1 4 -5\n9 bad -6 p ; src", 6, "split-bad",
		"1 sort bitvec 1\n2 input 1\n3 input 1\n4 input 1\n5 or 1 2 3\n6 nor 1 4 -5\n9 bad 4 p_1 ; src\n10 bad -5 p_2")
	check("1 sort bitvec 1\n2 input 1\n3 input 1\n4 or 1 2 3\n5 constraint -4\n6 bad 2\n", 4, "split-constraint",
		"1 sort bitvec 1\n2 input 1\n3 input 1\n4 or 1 2 3\n5 constraint -2\n6 constraint -3\n7 bad 2\n")
	check("1 sort bitvec 1\n2 input 1\n3 and 1 2 -2\n4 bad 3\n", 3, "split-bad", "")
	check("1 sort bitvec 1\n3 input 1\n2 uext 1 3 0 a\n4 bad 2\n", 2, "inline-alias", "")
	const unclear = "6 nothing 1 2\n"
	check(alias+unclear, 2, "inline-alias", "")
	check(alias+unclear, 0, "add-one", "")
	check("1 sort bitvec 1\n2 input 1\n3 input 1\n4 or 1 2 3\n5 bad 4\n"+unclear, 4, "split-bad", "")
	check(alias+unclear, 3, "name-row", strings.Replace(alias, "and 1 3 -3", "and 1 3 -3 and_4", 1)+unclear)
}
