package runs

import (
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/trace"
)

// maxChanges bounds the steps that a hover lists.
const maxChanges = 12

// ChangesOf says in which steps values differ from those of the step before, up to the end
// of the first round of a loop.
func (x *Counterexample) ChangesOf(values []circuit.Value) string {
	goesBack := false // to another value, from the end of the loop to its beginning
	if first, end := x.repeated(values); end > 0 {
		goesBack = values[end-1] != values[first]
		values = values[:end]
	}
	steps := trace.Changes(values)
	if len(values) == 1 {
		return ""
	}
	if len(steps) == 0 {
		return " · never changes"
	}
	words := make([]string, 0, maxChanges)
	for _, step := range steps[:min(len(steps), maxChanges)] {
		words = append(words, fmt.Sprint(step))
	}
	text := " · changes at " + strings.Join(words, ", ")
	if more := len(steps) - maxChanges; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if goesBack {
		text += " and in each round"
	}
	return text
}

// waveform writes a value a step in groups of ten and marks the last one, which
// is where the property fails: "0011010111 01[1]". Of a longer trace the start
// and the last value are kept.
func waveform(values []circuit.Value, maxSteps int) string {
	last := len(values) - 1
	shown := last
	if maxSteps > 0 && shown > maxSteps {
		shown = maxSteps
	}
	var b strings.Builder
	for i, v := range values[:shown] {
		if i > 0 && i%10 == 0 {
			b.WriteByte(' ')
		}
		b.WriteString(v.String())
	}
	switch {
	case shown < last:
		fmt.Fprintf(&b, " … %d more ", last-shown)
	case last > 0 && last%10 == 0:
		b.WriteByte(' ')
	}
	return b.String() + "[" + values[last].String() + "]"
}

// Word writes the values of a signal, one for each step that is recorded, as a word: a
// lasso with what repeats in brackets, "1110(01)ω". See Recorded.
func (x *Counterexample) Word(values []circuit.Value) string {
	first, end := x.repeated(values)
	if end == 0 {
		return trace.Digits(values)
	}
	return trace.Digits(values[:first]) + "(" + trace.Digits(values[first:end]) + ")ω"
}

// repeated returns the steps whose values a signal repeats for ever: those of the loop,
// unless the first rounds differ. end is 0 for a run that ends.
func (x *Counterexample) repeated(values []circuit.Value) (first, end int) {
	first, isLasso := x.Loop()
	if !isLasso {
		return 0, 0
	}
	for step := x.Steps(); step < len(values); step++ {
		if given, _ := x.place(step); values[step] != values[given] {
			return x.values.Period()
		}
	}
	return first, x.Steps()
}

// Waveform writes the recorded values of a signal for a hover.
func (x *Counterexample) Waveform(values []circuit.Value, maxSteps int) string {
	if first, end := x.repeated(values); end > 0 {
		return loopWaveform(values, first, end, maxSteps)
	}
	return waveform(values, maxSteps)
}

// loopWaveform writes a lasso as the function waveform does a run, with what repeats in brackets:
// "0011010111 01(10)ω".
func loopWaveform(values []circuit.Value, first, end, maxSteps int) string {
	ofStem, ofLoop := first, end-first
	if maxSteps > 0 {
		ofLoop = min(ofLoop, max(maxSteps/2, maxSteps-ofStem))
		ofStem = min(ofStem, maxSteps-ofLoop)
	}
	var b strings.Builder
	write := func(from, to int) {
		for step := from; step < to; step++ {
			if step > from && step%10 == 0 {
				b.WriteByte(' ')
			}
			b.WriteString(values[step].String())
		}
	}
	write(0, ofStem)
	if ofStem < first {
		fmt.Fprintf(&b, " … %d more ", first-ofStem)
	} else if first > 0 && first%10 == 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('(')
	write(first, first+ofLoop)
	if first+ofLoop < end {
		fmt.Fprintf(&b, " … %d more", end-first-ofLoop)
	}
	b.WriteString(")ω")
	return b.String()
}
