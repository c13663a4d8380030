package picture_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/internal/explicit"
)

// TestBundled makes words of random inputs and latches: each wire of the picture is there as before,
// or is one of those that a register or bus has joined, and nothing else is.
func TestBundled(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 6, Latches: 8, Gates: 40, OneResets: true})
		g := of(t, c, []circuit.Lit{c.Bads()[0].Lit}, picture.SchematicOptions{Limit: 5 + r.IntN(60)})
		var lists [][]circuit.Var
		elements := make([][]circuit.Var, 2)
		for _, in := range c.Inputs() {
			elements[0] = append(elements[0], in.Lit.Var())
		}
		for _, l := range c.Latches() {
			elements[1] = append(elements[1], l.Lit.Var())
		}
		for _, vars := range elements {
			r.Shuffle(len(vars), func(i, j int) { vars[i], vars[j] = vars[j], vars[i] })
			n := r.IntN(len(vars) + 1)
			lists = append(lists, vars[:n], append([]circuit.Var{0}, vars[n:]...))
		}
		b := g.Bundled(lists)
		if len(b.Nodes) > len(g.Nodes) {
			t.Fatalf("seed %d: %d nodes became %d", seed, len(g.Nodes), len(b.Nodes))
		}
		before, after := wires(g, lists), wires(b, lists)
		for w := range before {
			if !after[w] {
				t.Fatalf("seed %d: there is no wire %s", seed, w)
			}
		}
		for w := range after {
			if !before[w] {
				t.Fatalf("seed %d: the wire %s is new", seed, w)
			}
		}
	}
}

// wires writes the wires of a picture as "from → to": gates by their literals, inputs and latches by
// their lists as far as the picture has two of these.
func wires(g *picture.Schematic, lists [][]circuit.Var) map[string]bool {
	present := map[circuit.Var]picture.Kind{}
	for _, n := range g.Nodes {
		present[n.Lit.Var()] = n.Kind
		for _, l := range n.Bits {
			present[l.Var()] = n.Kind
		}
	}
	list := func(n picture.Node) int {
		if len(n.Bits) > 0 {
			return n.List
		}
		for i, vars := range lists {
			members, own := 0, false
			for _, v := range vars {
				if k, ok := present[v]; ok && v != 0 && (k == picture.Input || k == picture.Latch) {
					members++
				}
				own = own || v == n.Lit.Var() && v != 0
			}
			if own && members > 1 && (n.Kind == picture.Input || n.Kind == picture.Latch) {
				return i
			}
		}
		return -1
	}
	name := func(n picture.Node) string {
		if i := list(n); i >= 0 {
			return fmt.Sprintf("word%d", i)
		}
		if n.Kind == picture.Root {
			return fmt.Sprintf("root%d", n.Lit)
		}
		return fmt.Sprint(n.Lit)
	}
	all := map[string]bool{}
	for _, n := range g.Nodes {
		for i, o := range n.Operands {
			from, to := g.Nodes[o.Node], n
			at, sign := fmt.Sprintf(".%d", i), fmt.Sprint(o.Negated)
			bit := ""
			if k := list(from); k >= 0 {
				for position, v := range lists[k] {
					if len(from.Bits) == 0 && v == from.Lit.Var() || len(from.Bits) > 0 && o.Bit == position+1 {
						bit = fmt.Sprintf("[%d]", position)
					}
				}
			}
			if list(to) >= 0 {
				at = ""
				if list(from) >= 0 {
					bit, sign = "", ""
				}
			}
			all[name(from)+bit+" "+sign+" → "+name(to)+at] = true
		}
	}
	return all
}
