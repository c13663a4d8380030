package runs

import (
	"fmt"
	"slices"
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
// steps, of which limit can be shown; from is −1 when none is shown yet. changes are the steps
// in which the signal that counts has another value than before. In a lasso the way forward repeats its loop. What leads
// nowhere stays; ok is false for a word that is none.
func Move(word string, from, steps, limit int, changes []int) (step int, ok bool) {
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
		if i, _ := slices.BinarySearch(changes, from+1); i < len(changes) {
			return changes[i], true
		}
		return max(from, 0), true
	case MovePreviousChange:
		if i, _ := slices.BinarySearch(changes, from); i > 0 {
			return changes[i-1], true
		}
		return max(from, 0), true
	}
	if _, err := fmt.Sscanf(word, "%d", &step); err != nil || fmt.Sprint(step) != word {
		return 0, false
	}
	return min(max(step, 0), limit-1), true
}
