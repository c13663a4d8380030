package aiger

import (
	"fmt"
	"testing"
)

// TestStimulusEnd: after the dot there may be blank lines, as editors add them, and nothing else.
func TestStimulusEnd(t *testing.T) {
	const text = stimulusHead + "\n" + stimulusStart + "0x\n01\n11\n.\n"
	for _, blank := range []string{"", "\n", "\n\n"} {
		run, is, err := ReadStimulus([]byte(text + blank))
		if got := fmt.Sprint(run.Initial, run.Inputs); !is || err != nil || got != "[0 x] [[0 1] [1 1]]" {
			t.Errorf("%q: %s, %v", blank, got, err)
		}
	}
	for _, more := range []string{"01\n", "\n01\n", "c more\n", ".\n"} {
		if _, is, err := ReadStimulus([]byte(text + more)); !is || err == nil {
			t.Errorf("%q after the dot is taken", more)
		}
	}
}
