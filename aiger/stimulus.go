package aiger

import (
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// StimulusEnding is how names of files with a stimulus end.
const StimulusEnding = ".stim"

// A stimulus is a run that violates nothing: a row of inputs a step, and a dot, as aigsim reads
// it. The format has no place for the start of the latches, so comments say it, which aigsim
// passes over: it starts latches without a reset with x, or 0.
const (
	stimulusHead  = "c run of aiglens, which stands for no property"
	stimulusStart = "c latches start with "
)

// AppendStimulus appends a run with the inputs and latches of a file.
func AppendStimulus(dst []byte, t cert.Trace) []byte {
	dst = append(dst, stimulusHead+"\n"+stimulusStart...)
	dst = appendValues(dst, t.Initial)
	for _, step := range t.Inputs {
		dst = appendValues(dst, step)
	}
	return append(dst, ".\n"...)
}

// ReadStimulus reads what AppendStimulus writes; is is false for any other file. The error says
// what is wrong with one.
func ReadStimulus(data []byte) (t cert.Trace, is bool, err error) {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	rest, is := strings.CutPrefix(text, stimulusHead+"\n")
	if !is {
		return t, false, nil
	}
	var ok bool
	hasStart, hasEnd := false, false
	for i, line := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
		start, isStart := strings.CutPrefix(line, stimulusStart)
		switch {
		case hasEnd && line == "":
		case hasEnd:
			return t, true, fmt.Errorf("line %d: expected nothing after the dot", i+2)
		case isStart && !hasStart:
			hasStart = true
			if t.Initial, ok = parseValues(start, true); !ok {
				return t, true, fmt.Errorf("line %d: expected the start of the latches as 0, 1 and x", i+2)
			}
		case strings.HasPrefix(line, "c"):
		case line == ".":
			hasEnd = true
		default:
			row, ok := parseValues(line, true)
			if !ok || len(t.Inputs) > 0 && len(row) != len(t.Inputs[0]) {
				return t, true, fmt.Errorf("line %d: expected inputs as 0, 1 and x, as many as in the first step", i+2)
			}
			t.Inputs = append(t.Inputs, row)
		}
	}
	switch {
	case !hasEnd:
		return t, true, fmt.Errorf("expected a dot on its own line at the end")
	case len(t.Inputs) == 0:
		return t, true, fmt.Errorf("the run has no step")
	case t.Initial == nil:
		t.Initial = []circuit.Value{}
	}
	return t, true, nil
}
