package peers

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"aiglens/circuit"
)

// NotComparable is what Difference says of circuits that it cannot compare.
const NotComparable = "latches of other names and free initial values"

// Difference simulates two circuits of the same text and returns where they
// differ, or "". Inputs, outputs and latches are matched by name. Where the
// latches of b have other names (instances have no names in BLIF), both run
// from their initial states instead. b may lack latches: programs leave out what
// nothing uses.
func Difference(a, b Circuit, random *rand.Rand) string {
	if x, y := slices.Sorted(slices.Values(a.Outputs)), slices.Sorted(slices.Values(b.Outputs)); !slices.Equal(x, y) {
		return fmt.Sprintf("outputs %.200v and %.200v", x, y)
	}
	if len(a.Latches) < len(b.Latches) {
		return fmt.Sprintf("%d and %d latches", len(a.Latches), len(b.Latches))
	}
	for _, in := range b.Inputs {
		if !slices.Contains(a.Inputs, in) && !slices.Contains(a.Clocks, in) {
			return "input " + in + " of the other only"
		}
	}
	if b, ok := b.renamed(a.Latches); ok {
		return StepDifference(a, b, random)
	}
	return runDifference(a, b, random)
}

// renamed returns the circuit with latches named by want. A symbol may hold
// several names of a latch.
func (n Circuit) renamed(want []string) (Circuit, bool) {
	at := map[string]bool{}
	for _, name := range want {
		at[name] = true
	}
	latches := make([]string, len(n.Latches))
	for i, symbol := range n.Latches {
		for _, name := range strings.Fields(symbol) {
			name = NameFromYosys(name)
			if at[name] && latches[i] == "" {
				latches[i] = name
				at[name] = false
			}
		}
		if latches[i] == "" {
			return n, false
		}
	}
	n.Latches = latches
	return n, true
}

// words gives each name the same 64 random values in both circuits.
type words struct {
	random *rand.Rand
	known  map[string]uint64
}

func newWords(random *rand.Rand) words { return words{random, map[string]uint64{}} }

func (w words) of(name string) uint64 {
	if _, ok := w.known[name]; !ok {
		w.known[name] = w.random.Uint64()
	}
	return w.known[name]
}

func (w words) all(names []string) []uint64 {
	var values []uint64
	for _, name := range names {
		values = append(values, w.of(name))
	}
	return values
}

// observe adds what can be seen of a step: outputs, bads and constraints.
func (n Circuit) observe(p *circuit.Parallel, seen map[string]uint64) {
	for i, name := range n.Outputs {
		seen["output "+name] = p.Value(n.Lits[i].Lit)
	}
	var bads []uint64
	for _, b := range n.Bads {
		bads = append(bads, p.Value(b.Lit))
	}
	slices.Sort(bads)
	for i, b := range bads {
		seen[fmt.Sprint("bad ", i)] = b
	}
	for i, c := range n.Circuit.Constraints() {
		seen[fmt.Sprint("constraint ", i)] = p.Value(c.Lit)
	}
}

// StepDifference is Difference where the elements of both circuits have the same names:
// it compares resets, and steps from random states.
func StepDifference(a, b Circuit, random *rand.Rand) string {
	for range 8 {
		w := newWords(random)
		step := func(n Circuit) map[string]uint64 {
			p := circuit.NewParallel(n.Circuit)
			for i, name := range n.Latches {
				p.SetLatch(i, w.of("latch "+name))
			}
			p.Eval(w.all(n.Inputs))
			seen := map[string]uint64{}
			n.observe(p, seen)
			for i, l := range n.Circuit.Latches() {
				seen["next "+n.Latches[i]] = p.Value(l.Next)
				seen["reset "+n.Latches[i]] = uint64(l.Reset)
				if l.IsFree() {
					seen["reset "+n.Latches[i]] = 2
				}
			}
			return seen
		}
		if d := unequal(a, step(a), step(b)); d != "" {
			return d
		}
	}
	return ""
}

// runDifference compares what can be seen in runs from the initial states,
// which must be known.
func runDifference(a, b Circuit, random *rand.Rand) string {
	isFree := func(l circuit.Latch) bool { return l.Reset > circuit.True }
	if slices.ContainsFunc(a.Circuit.Latches(), isFree) || slices.ContainsFunc(b.Circuit.Latches(), isFree) {
		return NotComparable
	}
	p, q := circuit.NewParallel(a.Circuit), circuit.NewParallel(b.Circuit)
	p.Reset(nil)
	q.Reset(nil)
	for step := range 200 {
		w := newWords(random)
		p.Eval(w.all(a.Inputs))
		q.Eval(w.all(b.Inputs))
		x, y := map[string]uint64{}, map[string]uint64{}
		a.observe(p, x)
		b.observe(q, y)
		if d := unequal(a, x, y); d != "" {
			return fmt.Sprintf("step %d: %s", step, d)
		}
		p.Advance()
		q.Advance()
	}
	return ""
}

// unequal returns the first value that differs.
func unequal(a Circuit, x, y map[string]uint64) string {
	for _, k := range slices.Sorted(maps.Keys(x)) {
		w, ok := y[k]
		if latch := strings.HasPrefix(k, "next ") || strings.HasPrefix(k, "reset "); !ok && latch {
			continue // left out
		}
		if property := strings.HasPrefix(k, "bad ") || strings.HasPrefix(k, "constraint "); !ok && property && len(a.Outputs) > 0 {
			continue // programs write only outputs
		}
		if !ok || x[k] != w {
			return fmt.Sprintf("%s differs: %x and %x", k, x[k], w)
		}
	}
	return ""
}
