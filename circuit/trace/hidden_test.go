package trace_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// place is a variable at a step.
type place struct {
	v    circuit.Var
	step int
}

// plainTree writes an explanation as a recursion over the hidden literals finds it.
func plainTree(r *trace.Replay, l circuit.Lit, step int, limit trace.Limit, hidden func(circuit.Lit) bool) string {
	shown := func(l circuit.Lit, step int) (all []trace.Event) {
		met := map[place]bool{}
		var visit func(l circuit.Lit, step int)
		visit = func(l circuit.Lit, step int) {
			_, causes := r.Causes(l, step)
			for _, e := range causes {
				switch at := (place{e.Lit.Var(), e.Step}); {
				case met[at]:
				case hidden(e.Lit):
					met[at] = true
					visit(e.Lit, e.Step)
				default:
					met[at] = true
					all = append(all, e)
				}
			}
		}
		visit(l, step)
		return all
	}
	root := &trace.Node{Event: trace.Event{Lit: l, Step: step, Value: r.Value(l, step)}}
	nodes, explained := 1, map[place]bool{}
	for depth, level := 0, []*trace.Node{root}; len(level) > 0; depth++ {
		var next []*trace.Node
		for _, n := range level {
			causes, at := shown(n.Lit, n.Step), place{n.Lit.Var(), n.Step}
			n.Reason, _ = r.Causes(n.Lit, n.Step)
			switch {
			case len(causes) == 0:
			case explained[at]:
				n.Repeated = true
			case limit.Depth > 0 && depth >= limit.Depth || limit.Nodes > 0 && nodes+len(causes) > limit.Nodes:
				n.Cut = true
			default:
				explained[at] = true
				nodes += len(causes)
				for _, e := range causes {
					n.Causes = append(n.Causes, &trace.Node{Event: e})
				}
				next = append(next, n.Causes...)
			}
		}
		level = next
	}
	return treeText(root)
}

func treeText(root *trace.Node) string {
	var b strings.Builder
	var write func(n *trace.Node, depth int)
	write = func(n *trace.Node, depth int) {
		fmt.Fprintf(&b, "%s%v %s", strings.Repeat(" ", depth), n.Event, n.Reason)
		if n.Repeated {
			b.WriteString(" repeated")
		}
		if n.Cut {
			b.WriteString(" cut")
		}
		b.WriteByte('\n')
		for _, c := range n.Causes {
			write(c, depth+1)
		}
	}
	write(root, 0)
	return b.String()
}

// TestExplainPassesOver compares trees with those of a plain recursion, whatever is
// hidden and wherever the tree is cut.
func TestExplainPassesOver(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		r, err := trace.New(t.Context(), c, run)
		if err != nil {
			t.Fatal(err)
		}
		share := rnd.IntN(5)
		isHidden := make([]bool, c.NumVars())
		for v := range isHidden {
			isHidden[v] = rnd.IntN(4) < share
		}
		hidden := func(l circuit.Lit) bool { return isHidden[l.Var()] }
		limit := trace.Limit{Depth: rnd.IntN(5), Nodes: rnd.IntN(20)}
		l, step := circuit.Lit(rnd.IntN(2*c.NumVars())), rnd.IntN(run.Steps())
		root, err := r.Explain(t.Context(), l, step, limit, hidden)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := treeText(root), plainTree(r, l, step, limit, hidden); got != want {
			t.Errorf("%+v\n%s, want\n%s", limit, got, want)
		}
	})
}

// wideAnd returns a replay of the conjunction of some inputs, all 1, and its literal.
func wideAnd(t *testing.T, n int) (*trace.Replay, circuit.Lit) {
	t.Helper()
	b := circuit.NewBuilder(0)
	run := cert.Trace{Inputs: [][]circuit.Value{make([]circuit.Value, n)}}
	all := circuit.True
	for i := range n {
		all = b.And(all, b.Input(0))
		run.Inputs[0][i] = circuit.One
	}
	b.Bad(all, 0)
	c := b.Build()
	r, err := trace.New(t.Context(), c, run)
	if err != nil {
		t.Fatal(err)
	}
	return r, c.Bads()[0].Lit
}

// TestExplainIsBounded asks for the causes of a signal that depends on very many hidden gates.
func TestExplainIsBounded(t *testing.T) {
	check := func(inputs int, limit trace.Limit, causes int, cut bool) {
		t.Helper()
		r, bad := wideAnd(t, inputs)
		asked := 0
		gates := func(l circuit.Lit) bool { asked++; reason, _ := r.Causes(l, 0); return reason == trace.Gate }
		root, err := r.Explain(t.Context(), bad, 0, limit, gates)
		if err != nil || len(root.Causes) != causes || root.Cut != cut {
			t.Fatalf("%d inputs, %+v: %d causes, cut %v, error %v", inputs, limit, len(root.Causes), root.Cut, err)
		}
		if asked > 400_000 { // some for each of 100,000 gates
			t.Errorf("%d inputs: asked about %d literals", inputs, asked)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := r.Explain(ended, bad, 0, limit, gates); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v after the end of the context", err)
		}
	}
	check(1_000, trace.Limit{}, 1_000, false)
	check(1_000, trace.Limit{Nodes: 1_001}, 1_000, false)
	check(1_000, trace.Limit{Nodes: 1_000}, 0, true)
	check(100_002, trace.Limit{}, 100_002, false) // 100,000 gates are passed over
	check(100_003, trace.Limit{}, 0, true)
	check(2_000_000, trace.Limit{Depth: 5, Nodes: 100}, 0, true)
}

func TestValuesHeedContext(t *testing.T) {
	r, bad := wideAnd(t, 10)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := r.Values(ended, r.Steps(), bad); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
