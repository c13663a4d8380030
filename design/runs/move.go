package runs

import (
	"fmt"

	"aiglens/circuit"
)

// Moves are the words for the steps to go to, as far as they are not numbers.
const (
	MoveFirst          = "first"
	MoveLast           = "last"
	MoveNext           = "next"
	MovePrevious       = "previous"
	MoveNextChange     = "nextChange"     // of a signal
	MovePreviousChange = "previousChange" // of a signal
	MoveHide           = "hide"
)

// Move returns the step to which a word leads from one of a counterexample of so many
// steps, of which limit can be shown; from is −1 when none is shown yet. values are those of
// the signal whose changes count. In a lasso the way forward repeats its loop. What leads
// nowhere stays; ok is false for a word that is none.
func Move(word string, from, steps, limit int, values []circuit.Value) (step int, ok bool) {
	last := steps - 1
	from = min(from, limit-1) // the counterexample may have been a longer one
	switch word {
	case MoveFirst:
		return 0, true
	case MoveLast:
		return last, true
	case MoveNext:
		if from < 0 {
			return 0, true
		}
		return min(from+1, limit-1), true
	case MovePrevious:
		if from < 0 {
			return last, true
		}
		return max(from-1, 0), true
	case MoveNextChange:
		for i := max(from+1, 1); i < len(values); i++ {
			if values[i] != values[i-1] {
				return i, true
			}
		}
		return max(from, 0), true
	case MovePreviousChange:
		for i := min(from, len(values)) - 1; i > 0; i-- {
			if values[i] != values[i-1] {
				return i, true
			}
		}
		return max(from, 0), true
	}
	if _, err := fmt.Sscanf(word, "%d", &step); err != nil || fmt.Sprint(step) != word {
		return 0, false
	}
	return min(max(step, 0), limit-1), true
}
