package trace_test

import (
	"errors"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// rows reads lines of 0, 1 and x.
func rows(lines ...string) [][]circuit.Value {
	list := make([][]circuit.Value, len(lines))
	for i, line := range lines {
		list[i] = make([]circuit.Value, len(line))
		for j, c := range line {
			list[i][j] = circuit.Value(strings.IndexRune("01x", c))
		}
	}
	return list
}

func run(initial string, inputs ...string) cert.Trace {
	return cert.Trace{Initial: rows(initial)[0], Inputs: rows(inputs...)}
}

// TestViolationAgreesWithChecker: what is accepted passes the checker; what is refused
// does not violate with 0 for each x either.
func TestViolationAgreesWithChecker(t *testing.T) {
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, good cert.Trace) {
		bad := c.Bads()[0].Lit
		for i := -1; i < len(choices(c, good)); i++ {
			mutated := clone(good)
			if i >= 0 {
				v := choices(c, mutated)[i]
				*v = (*v + 1) % 3
			}
			mutated.Inputs = append(mutated.Inputs, make([]circuit.Value, len(c.Inputs())))
			kept, _, err := trace.Violation(t.Context(), c, bad, mutated)
			var refusal *trace.Refusal
			switch {
			case err == nil:
				if !violates(t, c, kept) {
					t.Error("the checker does not accept what was accepted here")
				}
			case errors.As(err, &refusal):
				for _, v := range choices(c, mutated) {
					*v %= 2 // x is 2
				}
				for n := range mutated.Steps() {
					if violates(t, c, cert.Trace{Initial: mutated.Initial, Inputs: mutated.Inputs[:n+1]}) {
						t.Errorf("refused (%v), but violated in step %d", err, n)
					}
				}
			default:
				t.Fatal(err)
			}
			if i < 0 && err != nil {
				t.Errorf("a trace is refused: %v", err)
			}
		}
	})
}

func TestViolationSaysWhere(t *testing.T) {
	// The latches are a shift register that the input feeds; the second one starts
	// with 1. Bad: the last latch, while the input is not both 0 and 1.
	b := circuit.NewBuilder(0)
	in, enable := b.Input(0), b.Input(0)
	first, second := b.Latch(0), b.Latch(0)
	b.SetNext(first, in)
	b.SetNext(second, first)
	b.SetReset(second, circuit.True)
	b.Constraint(enable, 0)
	b.Bad(b.And(b.And(second, first.Not()), b.Or(b.And(in, enable), in.Not())), 0)
	c := b.Build()
	for _, test := range []struct {
		run    cert.Trace
		steps  int
		zeroed bool
		step   int
		want   string
	}{
		{run: run("01", "01", "00"), steps: 1},
		{run: run("xx", "01"), steps: 1},
		{run: run("01", "x1"), steps: 1, zeroed: true},
		{run: run("01", "00"), step: 0, want: "constraint 0 is 0 in step 0"},
		{run: run("01", "0x"), step: 0, want: "constraint 0 is 0 in step 0"},
		{run: run("0", "01"), step: -1, want: "the initial state has 1 value for 2 latches"},
		{run: run("01"), step: -1, want: "there is no step"},
		{run: run("01", "011"), step: 0, want: "step 0 has 3 values for 2 inputs"},
		{run: run("00", "01"), step: -1, want: "latch 1 starts with 0, but its reset is 1"},
	} {
		kept, zeroed, err := trace.Violation(t.Context(), c, c.Bads()[0].Lit, test.run)
		checkRefusal(t, err, test.step, test.want)
		if err == nil && (kept.Steps() != test.steps || zeroed != test.zeroed) {
			t.Errorf("%d steps, zeroed %v, want %d and %v", kept.Steps(), zeroed, test.steps, test.zeroed)
		}
	}
	_, _, err := trace.Violation(t.Context(), c, c.Bads()[0].Lit.Not(), run("xx", "01"))
	checkRefusal(t, err, 0, "the bad literal is never 1; it is 0 in the last step, 0")
}

func checkRefusal(t *testing.T, err error, step int, want string) {
	t.Helper()
	var refusal *trace.Refusal
	switch {
	case want == "" && err == nil:
	case !errors.As(err, &refusal) || refusal.Step != step || refusal.Reason != want:
		t.Errorf("%v, want %q at step %d", err, want, step)
	}
}

func TestLasso(t *testing.T) {
	// A latch that the input sets and clears. It must be 1 infinitely often; fairness:
	// so must the input be 0.
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	b.Justice([]circuit.Lit{l}, 0)
	b.Fairness(in.Not(), 0)
	c := b.Build()
	for _, test := range []struct {
		property int
		run      cert.Trace
		loop     int
		step     int
		want     string
	}{
		{run: run("0", "1", "0"), loop: 0},
		{run: run("x", "1", "x"), loop: 0},
		{run: run("0", "0", "1", "0", "1"), loop: 2},
		{run: run("0", "1", "1", "1"), step: 2, want: "fairness condition 0 is never 1 in the loop, which begins at step 1"},
		{run: run("0", "0"), step: 0, want: "literal 0 of the property is never 1 in the loop, which begins at step 0"},
		{run: run("0", "0", "1"), step: 1, want: "the state after the last step, 1, is not the state of an earlier step: there is no loop"},
		{run: run("1", "0"), step: -1, want: "latch 0 starts with 1, but its reset is 0"},
		{property: 1, run: run("0", "0"), step: -1, want: "there is no justice property 1"},
	} {
		_, loop, err := trace.Lasso(t.Context(), c, test.property, test.run)
		checkRefusal(t, err, test.step, test.want)
		if err == nil && loop != test.loop {
			t.Errorf("the loop begins at step %d, want %d", loop, test.loop)
		}
	}
}
