package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/explicit"
)

// asideVerdicts returns, by name and kind, the first step in which a lemma fails or a cover is
// reached, −1 for never, as a search of all states finds it.
func asideVerdicts(t *testing.T, in *design.Design) (all []string) {
	t.Helper()
	c := circuitIn(t, in)
	for _, p := range in.PropertyIDs() {
		if isAside(p.Kind) {
			all = append(all, fmt.Sprintf("%s %q at %d", p.Kind, in.PropertyName(p), explicit.FirstBadStep(c, p)))
		}
	}
	slices.Sort(all)
	return all
}

// TestConversionsKeepAsides writes random circuits with lemmas and covers in all formats, one
// after another: each of these says of every one of them what the first did.
func TestConversionsKeepAsides(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 1))
	seen := map[string]int{}
	for range 150 {
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 4, Gates: 12, Constraints: 1, FreeLatches: true, OneResets: true, Constants: true})
		m, lit := aiger.WithLiterals(c)
		for i := range m.Latches {
			if r.IntN(2) == 0 {
				m.Symbols = append(m.Symbols, syntax.SymbolEntry{Kind: syntax.SectionLatches, Index: i, Name: []string{"a state ", "q", "1", "!x"}[r.IntN(4)] + fmt.Sprint(i)})
			}
		}
		for i := range 1 + r.IntN(5) {
			l := circuit.Var(r.IntN(c.NumVars())).Lit().NotIf(r.IntN(2) == 0)
			m.AddAside(syntax.AsideKind(r.IntN(2)), lit(l), fmt.Sprintf("no %d", i))
		}
		in := readText(t, string(m.AppendASCII(nil)))
		want := asideVerdicts(t, in)
		for _, one := range want {
			seen[one[:5]]++
		}
		first := in.Text.Content()
		for _, format := range []string{"aig", "aag", "blif", "blif", "btor2", "aig", "btor2", "blif", "btor2", "aag"} {
			in, _ = converted(t, in, format)
			if got := asideVerdicts(t, in); !slices.Equal(got, want) {
				t.Fatalf("as %s it is\n%q, was\n%q\n%s\nbecame\n%s", format, got, want, first, in.Text.Content())
			}
		}
	}
	if seen["lemma"] < 100 || seen["cover"] < 100 {
		t.Errorf("seen were %v", seen)
	}
}

// TestConversionsMakeNoAsides: a line of the comment whose name two latches have is no
// property, nor does it become one where a format has to tell the latches apart.
func TestConversionsMakeNoAsides(t *testing.T) {
	in := readText(t, "aag 3 1 2 0 0 1\n2\n4 4\n6 2\n4\nl0 x\nl1 x\nb0 never\nc\nprop: cover x\n")
	for _, format := range []string{"aig", "aag", "blif", "aig"} {
		next, text := converted(t, in, format)
		if got := asideVerdicts(t, next); len(got) > 0 {
			t.Errorf("as %s it has %q\n%s", format, got, text)
		}
		in = next
	}
}
