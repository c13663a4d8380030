package runs

import (
	"strings"
	"testing"

	"aiglens/circuit"
)

func TestWaveform(t *testing.T) {
	check := func(digits string, maxSteps int, want string) {
		t.Helper()
		var values []circuit.Value
		for _, d := range digits {
			values = append(values, circuit.Value(strings.IndexRune("01x", d)))
		}
		if got := waveform(values, maxSteps); got != want {
			t.Errorf("%s, at most %d: %q, expected %q", digits, maxSteps, got, want)
		}
	}
	check("1", 10, "[1]")
	check("01", 10, "0[1]")
	check("0123456789"[:2]+"x", 0, "01[x]")
	check(strings.Repeat("01", 5)+"1", 100, "0101010101 [1]")
	check(strings.Repeat("01", 10)+"01", 100, "0101010101 0101010101 0[1]")
	check(strings.Repeat("0", 30)+"1", 15, "0000000000 00000 … 15 more [1]")
	check(strings.Repeat("0", 30)+"1", 0, "0000000000 0000000000 0000000000 [1]")
}

func TestLoopWaveform(t *testing.T) {
	check := func(digits string, first, maxSteps int, want string) {
		t.Helper()
		var values []circuit.Value
		for _, d := range digits {
			values = append(values, circuit.Value(strings.IndexRune("01x", d)))
		}
		if got := loopWaveform(values, first, len(values), maxSteps); got != want {
			t.Errorf("%s from %d on, at most %d: %q, expected %q", digits, first, maxSteps, got, want)
		}
	}
	check("1", 0, 10, "(1)ω")
	check("111001", 4, 10, "1110(01)ω")
	check("0101010101"+"1x", 10, 0, "0101010101 (1x)ω")
	check(strings.Repeat("0", 5)+strings.Repeat("01", 4), 5, 0, "00000(01010 101)ω")
	check(strings.Repeat("0", 30)+"11", 30, 10, "00000000 … 22 more (11)ω")
	check("0"+strings.Repeat("1", 30), 1, 10, "0(111111111 … 21 more)ω")
	check(strings.Repeat("0", 30)+strings.Repeat("1", 30), 30, 10, "00000 … 25 more (11111 … 25 more)ω")
}
