package runs

import (
	"context"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/words"
)

// maxChanges bounds the steps that a hover lists.
const maxChanges = 12

// ChangesOf says in which steps values differ from those of the step before, up to the end
// of the first round of a loop.
func (x *Counterexample) ChangesOf(values []circuit.Value) string { return changesOf(x, values) }

// ChangesOfWord is ChangesOf for the values of a word. See WordValues.
func (x *Counterexample) ChangesOfWord(values []string) string { return changesOf(x, values) }

func changesOf[V comparable](x *Counterexample, values []V) string {
	goesBack := false // to another value, from the end of the loop to its beginning
	if first, end := repeated(x, values); end > 0 {
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
	first, end := repeated(x, values)
	if end == 0 {
		return trace.Digits(values)
	}
	return trace.Digits(values[:first]) + "(" + trace.Digits(values[first:end]) + ")ω"
}

// repeated returns the steps whose values a signal repeats for ever: those of the loop,
// unless the first rounds differ. end is 0 for a run that ends.
func repeated[V comparable](x *Counterexample, values []V) (first, end int) {
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
	if first, end := repeated(x, values); end > 0 {
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

// WordValues returns the recorded values of a word, as numbers. ok is false where no bit of it takes part. The
// error is that of ctx.
func (x *Counterexample) WordValues(ctx context.Context, d *design.Design, w *design.Word) (all []string, ok bool, err error) {
	ofBit := map[circuit.Lit][]circuit.Value{}
	for _, b := range w.Bits {
		if values, err := x.Values(ctx, b.Lit, x.Recorded()); err == nil && !b.Missing {
			ofBit[b.Lit] = values
			_, inside := x.Value(b.Lit, 0)
			ok = ok || inside
		}
	}
	radix := words.Chosen(ctx, d, w)
	for step := range x.Recorded() {
		all = append(all, words.NumberIn(radix, w, words.Value(w, func(l circuit.Lit) circuit.Value {
			if values, has := ofBit[l]; has {
				return values[step]
			}
			return circuit.X
		})))
	}
	return all, ok, ctx.Err()
}

// WaveformOfWord is Waveform for the values of a word.
func (x *Counterexample) WaveformOfWord(values []string, maxSteps int) string {
	joined := func(values []string) string {
		text := ""
		if more := len(values) - maxSteps; maxSteps > 0 && more > 0 {
			values, text = values[:maxSteps], fmt.Sprintf(" … %d more", more)
		}
		return strings.Join(values, " ") + text
	}
	before, last := len(values)-1, "["+values[len(values)-1]+"]"
	if first, end := repeated(x, values); end > 0 {
		before, last = first, "("+joined(values[first:end])+")ω"
	}
	return strings.TrimSpace(joined(values[:before]) + " " + last)
}
