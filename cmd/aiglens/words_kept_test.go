package main

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/internal/explicit"
	"aiglens/internal/wordline"
)

// textWords returns the words that lines of a text make, with their values in a simulation of some
// steps, which has the same starts and inputs for circuits of the same elements.
func textWords(t *testing.T, in *design.Design) (all []string) {
	t.Helper()
	c := circuitIn(t, in)
	s := circuit.NewParallel(c)
	r := rand.New(rand.NewPCG(3, 1))
	s.Reset(func(int) uint64 { return r.Uint64() })
	inputs := make([]uint64, len(c.Inputs()))
	said := map[string]string{}
	for range 5 {
		for i := range inputs {
			inputs[i] = r.Uint64()
		}
		s.Eval(inputs)
		for _, w := range in.Names().Words() {
			if w.Origin != design.FromText {
				continue
			}
			for lane := range 8 {
				value := words.Value(&w, func(l circuit.Lit) circuit.Value { return circuit.ValueOf(s.Value(l)>>lane&1 == 1) })
				said[w.Name] += " " + words.Text(&w, value)
			}
		}
		s.Advance()
	}
	for _, w := range in.Names().Words() {
		all = append(all, fmt.Sprintf("%s signed %v radix %d values %v:%s", w.Name, w.Signed, w.Radix, w.Values, said[w.Name]))
	}
	return all
}

// TestConversionsKeepWords writes random circuits with lines of words in all formats, one after another: each
// has the words that the first did, with their values in the same simulation.
func TestConversionsKeepWords(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	seen := 0
	for range 150 {
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 4, Gates: 12, Constraints: 1, FreeLatches: true, OneResets: true, Constants: true})
		m, lit := aiger.WithLiterals(c)
		for i := range m.Latches {
			if r.IntN(2) == 0 {
				m.Symbols = append(m.Symbols, syntax.SymbolEntry{Kind: syntax.SectionLatches, Index: i, Name: []string{"a state ", "q", "1", "!x", "{", `"`, `{"`}[r.IntN(7)] + fmt.Sprint(i)})
			} else if r.IntN(4) == 0 {
				m.Symbols = append(m.Symbols, syntax.SymbolEntry{Kind: syntax.SectionLatches, Index: i, Name: "-"})
			}
		}
		var all []syntax.Word
		for i := range 1 + r.IntN(4) {
			w := syntax.Word{Line: wordline.Line{Name: wordline.Part{Text: []string{"w", "my word ", "u/state=", "-"}[r.IntN(4)] + fmt.Sprint(i)}}}
			w.Signed, w.Radix = r.IntN(3) == 0, []string{"", "dec", "hex", "bin"}[r.IntN(4)]
			for _, v := range r.Perm(c.NumVars())[:1+r.IntN(min(6, c.NumVars()))] {
				w.Bits = append(w.Bits, wordline.Bit{IsMissing: r.IntN(8) == 0 && len(w.Bits) > 0})
				w.Lits = append(w.Lits, lit(circuit.Var(v).Lit().NotIf(r.IntN(3) == 0)))
			}
			for k := range r.IntN(3) {
				n := wordline.Value{Name: wordline.Part{Text: []string{"idle", "to go,"}[k]}}
				n.Value = big.NewInt(int64(k + 2*r.IntN(1<<(len(w.Bits)-1))))
				w.Values = append(w.Values, n)
			}
			all = append(all, w)
		}
		aiger.AddWords(m, all)
		in := readText(t, string(m.AppendASCII(nil)))
		want := textWords(t, in)
		if len(want) != len(all) {
			t.Fatalf("%d words of %d\n%s", len(want), len(all), in.Text.Content())
		}
		seen += len(want)
		first := in.Text.Content()
		for _, format := range []string{"aig", "aag", "blif", "blif", "aig", "blif", "aag"} {
			in, _ = converted(t, in, format)
			if got := textWords(t, in); !slices.Equal(got, want) {
				t.Fatalf("as %s it has\n%s\nwas\n%s\n%s\nbecame\n%s", format, strings.Join(got, "\n"), strings.Join(want, "\n"), first, in.Text.Content())
			}
		}
	}
	if seen < 300 {
		t.Errorf("%d words", seen)
	}
}

// TestInstancesGiveWords converts two instances with words: each word has the name of its instance.
func TestInstancesGiveWords(t *testing.T) {
	in := readText(t, `.model top
.inputs a b
.outputs x y
.subckt pair i=a o=x
.subckt pair i=b o=y
.end
.model pair
.inputs i
.outputs o
# word: state (hex) = o !p i - {idle = 0, work = 0b1010}
.names p n
0 1
.latch i p 0
.names n p i o
11- 1
--1 1
.end
`)
	want := textWords(t, in)
	if len(want) != 2 || strings.Fields(want[0])[0] == strings.Fields(want[1])[0] {
		t.Fatalf("the text has %q", want)
	}
	for _, format := range []string{"aag", "blif", "aig", "blif"} {
		next, text := converted(t, in, format)
		if got := textWords(t, next); !slices.Equal(got, want) {
			t.Errorf("as %s it has %q, want %q\n%s", format, got, want, text)
		}
		in = next
	}
}

// TestConesKeepWords cuts a cone out of a circuit: a bit that it does not have is missing, and a word without
// bits is gone.
func TestConesKeepWords(t *testing.T) {
	in := readText(t, "aag 5 2 2 0 1\n2\n4\n6 10\n8 4\n10 6 2\ni0 go\ni1 stop\nl0 s0\nl1 s1\nc\nword: state = !s1 10 !s0 {idle = 5}\nword: other = s1 stop\n")
	for format, want := range map[string]string{"aag": "\nword: state = - 6 !s0 {idle = 5}\n", "blif": "\n# word: state = - n3 !s0 {idle = 5}\n"} {
		var stderr bytes.Buffer
		f := coneFlags{signals: stringList{"s0"}}
		data, err := f.cut(t.Context(), env{stderr: &stderr}, in, format)
		if err != nil || !strings.Contains(string(data), want) || strings.Contains(string(data), "other") {
			t.Errorf("%v; as %s, want %q:\n%s", err, format, want, data)
		}
		if d := readText(t, string(data)); d.Elaborate(t.Context()) != nil || len(d.Names().Words()) != 1 {
			t.Errorf("as %s it has no word", format)
		}
	}
}
