package replay_test

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"aiglens/btor2/btor2test"
	"aiglens/btor2/replay"
	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

func parse(text string) *syntax.Model { return syntax.Parse(source.NewText(text), nil).Model() }

// chosen returns the value of a leaf as a step of a run has it.
func chosen(v btor2test.Value, node int, step replay.Step) {
	if v.Sort.Index == 0 {
		step.Words[node] = v.Bits
		return
	}
	c := &replay.Content{At: map[string]*big.Int{}, Rest: v.Bits}
	for index, element := range v.At {
		n, _ := new(big.Int).SetString(index, 10)
		c.At[replay.Key(n)] = element
	}
	step.Arrays[node] = c
}

// TestAgainstReference: each row has the value that the reference has in random runs of random texts, and a run violates a bad
// when it does there. With AIGLENS_LONG these are 20,000 texts of each shape.
func TestAgainstReference(t *testing.T) {
	texts := uint64(300)
	if os.Getenv("AIGLENS_LONG") != "" {
		texts = 20_000
	}
	violated, others, values := 0, 0, 0
	for seed := range texts {
		for _, shape := range []btor2test.Shape{btor2test.Tiny, btor2test.Arrays, btor2test.Wide} {
			text := btor2test.Random(seed, shape)
			m := parse(text)
			nodes := map[int64]int{}
			for i := range m.Nodes {
				nodes[m.Nodes[i].ID] = i
			}
			const length = 5
			steps := make([]replay.Step, length)
			for i := range steps {
				steps[i] = replay.Step{Words: map[int]*big.Int{}, Arrays: map[int]*replay.Content{}}
			}
			r := rand.New(rand.NewPCG(seed, 8))
			run := btor2test.Simulate(text, length, func(step int, id int64, s btor2test.Sort) btor2test.Value {
				v := btor2test.RandomValue(r, s)
				chosen(v, nodes[id], steps[step])
				return v
			})
			for i, bad := range m.Bads {
				steps := steps[:1+r.IntN(length)]
				want := run[len(steps)-1].Bads[i]
				for _, s := range run[:len(steps)] {
					want = want && s.IsAllowed()
				}
				err := replay.Violates(t.Context(), m, bad, steps, func(step int, v replay.Values) error {
					for id, value := range run[step].Values {
						if compare(v, nodes[id], value, &values) {
							continue
						}
						t.Errorf("seed %d, step %d: row %d is not %v\n%s", seed, step, id, value, text)
					}
					return nil
				})
				if want {
					violated++
				} else {
					others++
				}
				if _, isNone := errors.AsType[*replay.NoRunError](err); (err == nil) != want || err != nil && !isNone {
					t.Errorf("seed %d: bad %d in %d steps: %v, expected a violation: %t\n%s", seed, i, len(steps), err, want, text)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	if t.Logf("%d violations, %d others, %d values", violated, others, values); violated == 0 || others == 0 || values == 0 {
		t.Error("too little was compared")
	}
}

// compare reports whether a row has a value, where it matters.
func compare(v replay.Values, node int, want btor2test.Value, values *int) bool {
	if want.Sort.Index == 0 {
		got := v.Word(node)
		if got != nil {
			*values++
		}
		return got == nil || got.Cmp(want.Bits) == 0
	}
	for i := range int64(1) << want.Sort.Index {
		index := big.NewInt(i)
		got := v.Element(node, index)
		if got != nil {
			*values++
		}
		if got != nil && got.Cmp(want.Element(index)) != 0 {
			return false
		}
	}
	return true
}

// TestNoRun: what is no run of the text, or has no value, is refused.
func TestNoRun(t *testing.T) {
	const bits = "1 sort bitvec 1\n2 sort bitvec 4\n"
	for name, test := range map[string]struct {
		text, want string
		steps      int
		word       int64 // of the first input
	}{
		"violated":        {bits + "3 input 2\n4 redor 1 3\n5 bad 4\n", "", 1, 3},
		"not violated":    {bits + "3 input 2\n4 redor 1 3\n5 bad 4\n", "not violated", 1, 0},
		"no step":         {bits + "3 input 2\n4 redor 1 3\n5 bad 4\n", "not violated", 0, 0},
		"constraint":      {bits + "3 input 2\n4 redor 1 3\n5 bad 4\n6 constraint -4\n", "constraint 0 does not hold in step 0", 1, 3},
		"too wide":        {bits + "3 input 2\n4 redor 1 3\n5 bad 4\n", "too wide", 1, 16},
		"late init":       {bits + "3 state 2\n4 one 2\n5 init 2 3 4\n6 next 2 3 3\n7 redor 1 3\n8 bad 7\n", "", 1, 0},
		"late init, held": {bits + "3 state 2\n4 one 2\n5 init 2 3 4\n6 next 2 3 3\n7 redor 1 3\n8 bad 7\n", "", 3, 0},
		"cycle of inits":  {bits + "3 state 2\n4 inc 2 3\n5 init 2 3 4\n6 next 2 3 3\n7 redor 1 3\n8 bad 7\n", "row 3", 1, 0},
		"faulty operand":  {bits + "3 input 2\n4 redor 1 9\n5 bad 4\n", "value", 1, 0},
	} {
		m := parse(test.text)
		steps := make([]replay.Step, test.steps)
		for i := range steps {
			steps[i].Words = map[int]*big.Int{}
			for _, node := range m.Inputs {
				steps[i].Words[node] = big.NewInt(test.word)
			}
		}
		err := replay.Violates(t.Context(), m, m.Bads[0], steps, nil)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, expected %q", name, err, test.want)
		}
	}
}

// TestManyWrites: an array that a run has written to in many steps has each element as it was written last.
func TestManyWrites(t *testing.T) {
	m := parse("1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 2\n4 zero 2\n5 state 3\n6 init 3 5 4\n7 state 2\n8 init 2 7 4\n" +
		"9 inc 2 7\n10 next 2 7 9\n11 consth 2 3f\n12 and 2 7 11\n13 write 3 5 12 7\n14 next 3 5 13\n15 input 2\n16 read 2 5 15\n17 constd 2 193\n18 eq 1 16 17\n19 bad 18\n")
	steps := make([]replay.Step, 200)
	for i := range steps {
		steps[i].Words = map[int]*big.Int{m.Inputs[0]: big.NewInt(1)} // which was written in steps 1, 65, 129 and 193
	}
	for n, want := range map[int]bool{194: false, 195: true, 200: true} {
		if err := replay.Violates(t.Context(), m, m.Bads[0], steps[:n], nil); (err == nil) != want {
			t.Errorf("%d steps: %v", n, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := replay.Violates(ctx, m, m.Bads[0], steps, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
