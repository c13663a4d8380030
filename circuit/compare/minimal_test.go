package compare_test

import (
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
)

// randomRuns returns runs of both sides under the same inputs, from starts that are the same
// where they have to be.
func randomRuns(r *rand.Rand, m *compare.Matching, steps int) (runs [2]cert.Trace) {
	values := func(n int) []circuit.Value {
		row := make([]circuit.Value, n)
		for i := range row {
			row[i] = [...]circuit.Value{circuit.Zero, circuit.One}[r.IntN(2)]
		}
		return row
	}
	for side := range runs {
		c := m.Sides[side].Circuit
		runs[side].Initial = values(len(c.Latches()))
		for range steps {
			runs[side].Inputs = append(runs[side].Inputs, values(len(c.Inputs())))
		}
	}
	for _, p := range m.Latches {
		runs[1].Initial[p.B.Index] = runs[0].Initial[p.A.Index]
	}
	for _, p := range m.Inputs {
		for step := range steps {
			runs[1].Inputs[step][p.B.Index] = runs[0].Inputs[step][p.A.Index]
		}
	}
	return runs
}

// without returns copies of runs with one value X, on both sides where it is one of both.
func without(m *compare.Matching, runs [2]cert.Trace, side, step, index int) (left [2]cert.Trace) {
	for i, t := range runs {
		left[i].Initial = append([]circuit.Value(nil), t.Initial...)
		for _, row := range t.Inputs {
			left[i].Inputs = append(left[i].Inputs, append([]circuit.Value(nil), row...))
		}
	}
	row := func(side int) []circuit.Value {
		if step < 0 {
			return left[side].Initial
		}
		return left[side].Inputs[step]
	}
	row(side)[index] = circuit.X
	pairs := m.Inputs
	if step < 0 {
		pairs = m.Latches
	}
	for _, p := range pairs {
		if p.On(side).Index == index {
			row(1 - side)[p.On(1-side).Index] = circuit.X
		}
	}
	return left
}

// TestMinimal takes differences that random runs show: each still shows once it is minimal,
// with no more steps, and with no further value X.
func TestMinimal(t *testing.T) {
	minimal, values, left := 0, 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		a, b := pairs(r)
		m, err := compare.Match(a, b, compare.Options{})
		if err != nil {
			continue
		}
		replayed, err := m.Replay(t.Context(), randomRuns(r, m, 5))
		if err != nil {
			t.Fatal(err)
		}
		found := replayed.Differences
		if replayed.Forbidden != nil {
			found = append(found, *replayed.Forbidden)
		}
		for i := range found {
			d, err := m.Minimal(t.Context(), &found[i], 0)
			if err != nil || d.Pair != found[i].Pair || d.Step > found[i].Step || d.Traces[0].Steps() != d.Step+1 {
				t.Fatalf("seed %d: %+v became %+v, %v", seed, found[i], d, err)
			}
			if !shows(t, m, d, d.Traces) {
				t.Fatalf("seed %d: the difference does not show", seed)
			}
			minimal++
			for side, run := range d.Traces {
				for step, row := range append([][]circuit.Value{run.Initial}, run.Inputs...) {
					for index, v := range row {
						if step == 0 && !m.Sides[side].Circuit.Latches()[index].IsFree() {
							continue
						}
						values++
						if v == circuit.X {
							continue
						}
						left++
						if shows(t, m, d, without(m, d.Traces, side, step-1, index)) {
							t.Fatalf("seed %d: pair %d of step %d on side %d does not need value %d of row %d", seed, d.Pair, d.Step, side, index, step)
						}
					}
				}
			}
		}
	}
	if minimal < 200 || left*4 > values*3 {
		t.Errorf("%d differences, %d of %d values left", minimal, left, values)
	}
}

// shows reports whether runs show a difference for each choice of what is X. A difference that
// shows for 0 in place of X only has no X left in its runs.
func shows(t *testing.T, m *compare.Matching, d *compare.Difference, runs [2]cert.Trace) bool {
	t.Helper()
	replayed, err := m.Replay(t.Context(), runs)
	if err != nil {
		t.Fatal(err)
	}
	isX := func(own *compare.Difference) bool {
		return own != nil && own.Step == d.Step && equalTraces(own.Traces, runs)
	}
	if d.Pair < 0 {
		return isX(replayed.Forbidden)
	}
	for i := range replayed.Differences {
		if replayed.Differences[i].Pair == d.Pair {
			return isX(&replayed.Differences[i])
		}
	}
	return false
}

func equalTraces(a, b [2]cert.Trace) bool {
	for side := range a {
		rows, others := append([][]circuit.Value{a[side].Initial}, a[side].Inputs...), append([][]circuit.Value{b[side].Initial}, b[side].Inputs...)
		for i, row := range rows {
			for k, v := range row {
				if others[i][k] != v {
					return false
				}
			}
		}
	}
	return true
}
