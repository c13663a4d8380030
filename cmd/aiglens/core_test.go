package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design/answers"
	"aiglens/ic3/verify"
)

// randomRows returns a model with rows that say the same as others, or nothing new.
func randomRows(r *rand.Rand) *aiger.Model {
	m := &aiger.Model{}
	last := uint32(0)
	number := func() uint32 { last += 2; return last }
	for range 2 {
		m.Inputs = append(m.Inputs, number())
	}
	for range 4 {
		m.Latches = append(m.Latches, syntax.Latch{Lit: number(), Reset: uint32(r.IntN(2))})
	}
	for range 24 {
		g := syntax.And{RHS0: uint32(r.IntN(int(last) + 2)), RHS1: uint32(r.IntN(int(last) + 2))}
		if len(m.Ands) > 0 && r.IntN(4) == 0 {
			other := m.Ands[r.IntN(len(m.Ands))]
			g.RHS0, g.RHS1 = other.RHS0, other.RHS1
		}
		g.LHS = number()
		m.Ands = append(m.Ands, g.Ordered())
	}
	someLit := func() uint32 { return uint32(r.IntN(int(last) + 2)) }
	for i := range m.Latches {
		m.Latches[i].Next = someLit()
	}
	m.Bads = []uint32{someLit()}
	m.Constraints = []uint32{max(2, someLit())}
	m.MaxVar = last / 2
	return m
}

// change replaces what a proof does not need by something random.
func change(r *rand.Rand, m *aiger.Model, u *jsonUnneeded) *aiger.Model {
	other := *m
	other.Ands, other.Latches, other.Constraints = slices.Clone(m.Ands), slices.Clone(m.Latches), nil
	for i, g := range m.Ands {
		if slices.Contains(u.Gates, fmt.Sprint("lit", g.LHS)) {
			other.Ands[i] = syntax.And{LHS: g.LHS, RHS0: uint32(r.IntN(int(g.LHS))), RHS1: uint32(r.IntN(int(g.LHS)))}.Ordered()
		}
	}
	for i, l := range m.Latches {
		if slices.Contains(u.Latches, fmt.Sprint("lit", l.Lit)) {
			other.Latches[i] = syntax.Latch{Lit: l.Lit, Next: uint32(r.IntN(int(2*m.MaxVar) + 2)), Reset: []uint32{0, 1, l.Lit}[r.IntN(3)]}
		}
	}
	for i, l := range m.Constraints {
		if !slices.Contains(u.Constraints, "c"+strconv.Itoa(i)) {
			other.Constraints = append(other.Constraints, l)
		}
	}
	return &other
}

// randomNets is a BLIF text of covers, some of which say the same, or are names for others.
type randomNets struct {
	covers map[string]string // by net: its statement
	nets   []string          // those of covers, in order
	tail   string
}

func newRandomNets(r *rand.Rand) *randomNets {
	x := &randomNets{covers: map[string]string{}}
	for i := range 10 {
		net := "n" + strconv.Itoa(i)
		x.nets = append(x.nets, net)
		x.covers[net] = x.cover(r, i)
		if i > 0 && r.IntN(4) == 0 { // the same once more
			other := x.nets[r.IntN(i)]
			x.covers[net] = strings.Replace(x.covers[other], " "+other+"\n", " "+net+"\n", 1)
		}
	}
	for i := range 4 {
		x.tail += fmt.Sprintf(".latch n%d l%d %d\n", r.IntN(len(x.nets)), i, r.IntN(2))
	}
	return x
}

// cover returns a random statement for the net at a position.
func (x *randomNets) cover(r *rand.Rand, at int) string {
	names := append([]string{"a", "b", "l0", "l1", "l2", "l3"}, x.nets[:at]...)
	n := 1 + r.IntN(3)
	text := ".names"
	for range n {
		text += " " + names[r.IntN(len(names))]
	}
	text += " " + x.nets[at] + "\n"
	for range 1 + r.IntN(2) {
		for range n {
			text += string("01-"[r.IntN(3)])
		}
		text += " 1\n"
	}
	return text
}

func (x *randomNets) text() string {
	text := ".model m\n.inputs a b\n.outputs " + x.nets[len(x.nets)-1] + "\n# prop: bad " + x.nets[len(x.nets)-1] + "\n" + x.tail
	for _, net := range x.nets {
		text += x.covers[net]
	}
	return text + ".end\n"
}

// change replaces what a proof does not need by something random.
func (x *randomNets) change(r *rand.Rand, u *jsonUnneeded) *randomNets {
	other := &randomNets{maps.Clone(x.covers), x.nets, ""}
	for at, net := range x.nets {
		if slices.Contains(u.Gates, net) {
			other.covers[net] = x.cover(r, at)
		}
	}
	for line := range strings.Lines(x.tail) {
		if words := strings.Fields(line); slices.Contains(u.Latches, words[2]) {
			line = fmt.Sprintf(".latch n%d %s %d\n", r.IntN(len(x.nets)), words[2], r.IntN(4))
		}
		other.tail += line
	}
	return other
}

// TestUnneededRows changes the rows that check --unneeded names, all at once: the proof of before
// holds. With AIGLENS_LONG these are 2,000 proofs of either format.
func TestUnneededRows(t *testing.T) {
	for _, format := range []struct {
		name string
		// random returns a random file, and what changes it.
		random func(r *rand.Rand) (text string, change func(*jsonUnneeded) string)
	}{
		{"AIGER", func(r *rand.Rand) (string, func(*jsonUnneeded) string) {
			m := randomRows(r)
			return string(m.AppendASCII(nil)), func(u *jsonUnneeded) string { return string(change(r, m, u).AppendASCII(nil)) }
		}},
		{"BLIF", func(r *rand.Rand) (string, func(*jsonUnneeded) string) {
			x := newRandomNets(r)
			return x.text(), func(u *jsonUnneeded) string { return x.change(r, u).text() }
		}},
	} {
		t.Run(format.name, func(t *testing.T) { testUnneeded(t, format.random) })
	}
}

func testUnneeded(t *testing.T, random func(r *rand.Rand) (string, func(*jsonUnneeded) string)) {
	proofs := 60
	if os.Getenv("AIGLENS_LONG") != "" {
		proofs = 2000
	}
	flags := &checkFlags{}
	flags.engine.Engine = "auto"
	e := env{stderr: io.Discard}
	proved, gates, latches := 0, 0, 0
	for seed := uint64(0); proved < proofs; seed++ {
		text, change := random(rand.New(rand.NewPCG(41, seed)))
		all, err := answersOf(t.Context(), e, readText(t, text), flags)
		if err != nil {
			t.Fatal(err)
		}
		a := all[0]
		if a.result = new(verify.Run(t.Context(), a.job(flags), nil)); a.outcome() != cert.Proved {
			continue
		}
		proved++
		if err := a.findUnneeded(t.Context()); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		found := unneededIn(t, a.unneeded)
		if want := fmt.Sprintf("%d of %d gates, %d of %d latches", len(found.Gates), found.GatesOf, len(found.Latches), found.LatchesOf); found.GatesOf > 0 && !strings.Contains(a.unneeded.Shares(), want) {
			t.Errorf("seed %d: %s, listed are %s", seed, a.unneeded.Shares(), want)
		}
		gates, latches = gates+len(found.Gates), latches+len(found.Latches)
		small, _, _ := a.result.WithSmallProof(t.Context(), a.circuit, a.property)
		for range 3 {
			changed := change(found)
			other := circuitIn(t, readText(t, changed))
			inv := translated(small.Checked.Invariant(), func(l circuit.Lit) circuit.Lit {
				return other.Latches()[a.circuit.LatchIndex(l.Var())].Lit.NotIf(l.IsNegated())
			})
			if _, err := cert.Check(t.Context(), other, a.property, cert.Verdict{Outcome: cert.Proved, Invariant: inv}); err != nil {
				t.Errorf("seed %d: %v\n%s\nbecame\n%s\nthe proof %v does not need %v", seed, err, text, changed, small.Checked.Invariant(), a.unneeded)
			}
		}
	}
	t.Logf("%d proofs leave out %d gates and %d latches", proved, gates, latches)
	if gates < proved || latches < proved/2 {
		t.Errorf("too little is changed: %d gates and %d latches", gates, latches)
	}
}

// unneededIn returns what a proof does not need, as it is read from JSON.
func unneededIn(t *testing.T, u *answers.Unneeded) *jsonUnneeded {
	var all jsonUnneeded
	if err := json.Unmarshal(newUnneededLists(u.Parts).appendTo(nil, u), &all); err != nil {
		t.Fatal(err)
	}
	return &all
}

// TestUnneededWithin has gates that are the same as some within another cover or cell, which does
// not read the net: it cannot become something else.
func TestUnneededWithin(t *testing.T) {
	const reads = ".latch z q 0\n.names q z\n1 1\n.names a b n\n11 1\n"
	for name, c := range map[string]struct{ text, becomes string }{
		"cover": {
			reads + ".names n a b c y\n1--1 1\n-111 1\n.names y n q bad\n10- 1\n--1 1\n", ".names n\n",
		},
		"cell": {
			reads + ".names b no\n0 1\n.subckt $assume A=no EN=a\n.names n q bad\n1- 1\n-1 1\n", ".names n\n1\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := ".model t\n.inputs a b c\n.outputs bad\n" + c.text + ".end\n"
			check := func(text string) *answer {
				flags := &checkFlags{}
				flags.engine.Engine = "auto"
				answers, err := answersOf(t.Context(), env{stderr: io.Discard}, readText(t, text), flags)
				if err != nil {
					t.Fatal(err)
				}
				a := answers[0]
				a.result = new(verify.Run(t.Context(), a.job(flags), nil))
				return a
			}
			a := check(text)
			if err := a.findUnneeded(t.Context()); err != nil || a.outcome() != cert.Proved {
				t.Fatalf("%v, %v", a.outcome(), err)
			}
			changed := strings.Replace(text, ".names a b n\n11 1\n", c.becomes, 1)
			if got := check(changed).outcome(); got != cert.Refuted {
				t.Fatalf("%s\nis %s", changed, got)
			}
			if slices.Contains(unneededIn(t, a.unneeded).Gates, "n") {
				t.Errorf("the proof of\n%s\ndoes not need %v, and\n%s\nis refuted", text, a.unneeded.Gates, changed)
			}
		})
	}
}

// translated returns an invariant in the literals of another circuit.
func translated(inv cert.Invariant, lit func(circuit.Lit) circuit.Lit) cert.Invariant {
	var there cert.Invariant
	for _, clause := range inv {
		var lits []circuit.Lit
		for _, l := range clause {
			lits = append(lits, lit(l))
		}
		there = append(there, lits)
	}
	return there
}
