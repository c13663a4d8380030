package picture_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/internal/explicit"
)

// TestSearchFindsAllStates compares the states of random circuits, their successors, and the
// length of the path with what the referee of the engines says.
func TestSearchFindsAllStates(t *testing.T) {
	paths := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(21, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 4, Latches: 6, Gates: 30, Constraints: 2, FreeLatches: true, OneResets: true, Constants: true})
		p := circuit.Property{Kind: circuit.PropertyBad}
		bad, _ := c.Bad(p)
		g, err := picture.SearchStates(context.Background(), c, bad, 500)
		if err != nil {
			t.Fatal(err)
		}
		reached := map[uint32]bool{}
		for _, s := range g.States {
			number := uint32(0)
			for i, v := range s.Values {
				if v {
					number |= 1 << i
				}
			}
			reached[number] = true
		}
		want := 0
		for number, is := range explicit.Reachable(c) {
			if is {
				want++
			}
			if is != reached[uint32(number)] {
				t.Fatalf("seed %d: state %b: %v, the referee says %v", seed, number, reached[uint32(number)], is)
			}
		}
		if want != len(g.States) {
			t.Fatalf("seed %d: %d states, the referee has %d", seed, len(g.States), want)
		}
		path, first := g.Path(), explicit.FirstBadStep(c, p)
		if len(path) != first+1 { // NotViolated is −1
			t.Fatalf("seed %d: a path of %d states, the referee says step %d", seed, len(path), first)
		}
		checkPath(t, c, g, path)
		if first > 0 {
			paths++
		}
	}
	if paths < 30 {
		t.Errorf("only %d paths with a step: the test shows little", paths)
	}
}

// checkPath goes along a path.
func checkPath(t *testing.T, c *circuit.Circuit, g *picture.StateGraph, path []int) {
	t.Helper()
	for i, at := range path {
		if i == 0 && !g.States[at].Initial || i == len(path)-1 && !g.States[at].Bad {
			t.Fatal("a path that does not begin or end where it should")
		}
		follows := i == 0
		for _, to := range g.States[path[max(i-1, 0)]].Next {
			follows = follows || to == at
		}
		if !follows {
			t.Fatal("a path with a step that is none")
		}
	}
}

func TestBounds(t *testing.T) {
	counter := func(bits, inputs int) *circuit.Circuit {
		b := circuit.NewBuilder(100)
		carry := circuit.True
		for range inputs {
			b.Input(0)
		}
		for range bits {
			l := b.Latch(0)
			b.SetNext(l, b.Xor(l, carry))
			carry = b.And(l, carry)
		}
		return b.Build()
	}
	for _, test := range []struct {
		c    *circuit.Circuit
		want error
	}{{counter(8, 1), nil}, {counter(9, 1), picture.ErrTooMany}, {counter(2, 20), picture.ErrInputs}} {
		if _, err := picture.SearchStates(context.Background(), test.c, circuit.False, 500); !errors.Is(err, test.want) {
			t.Errorf("%v, expected %v", err, test.want)
		}
	}
	ended, stop := context.WithCancel(context.Background())
	stop()
	if _, err := picture.SearchStates(ended, counter(8, 1), circuit.False, 500); err == nil {
		t.Error("no error once the context has ended")
	}
}
