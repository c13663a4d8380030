package runs

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
)

// Moment is what a signal of the text does around a step of a run, in the instance of its
// model that is meant.
type Moment struct {
	// Copy is the signal in that instance. Where it has no part in the run itself, as other bits of its
	// word have, Outside holds, there is none, and its values are x.
	Copy    design.Copy
	Outside bool
	Value   circuit.Value
	// Values are those of the steps from First on, around the step.
	First  int
	Values []circuit.Value
	// Word is the one that the text shows the signal as a bit of; nil for none. WordValues are its values at
	// the steps of Values.
	Word       *design.Word
	WordValues [][]circuit.Value
	// Next and Previous are the steps in which what the text shows of the signal changes next, and
	// has changed last before the step; -1 for none.
	Next, Previous int
}

// Bounds of the steps around one.
const (
	mostAround   = 16
	fewestAround = 2
	valuesAround = 1 << 24 // of all signals at these steps
)

// MomentOf returns what a signal does around a step. Changes are looked for in so many steps. inside is
// false for a signal that has no part in the run, as no bit of its word has. The error is that of ctx.
func (x *Run) MomentOf(ctx context.Context, d *design.Design, l design.Lit, step, searched int) (m Moment, inside bool, err error) {
	l = l.Signal().Lit()
	inWords, err := x.WordsInText(ctx, d)
	if err != nil {
		return m, false, err
	}
	copied, _, isInside := x.Copy(d, l)
	place, isBit := inWords.At(l)
	if !isInside && !isBit {
		return m, false, nil
	}
	m = Moment{Copy: copied, Outside: !isInside, Value: circuit.X, Next: -1, Previous: -1}
	if isBit {
		m.Word = place.Word
	}
	inside, err = x.look(ctx, step, searched, &m)
	return m, inside, err
}

// MomentOfWord is MomentOf for a word, of which no bit is meant more than the others: Outside holds.
func (x *Run) MomentOfWord(ctx context.Context, w *design.Word, step, searched int) (m Moment, inside bool, err error) {
	m = Moment{Outside: true, Value: circuit.X, Word: w, Next: -1, Previous: -1}
	inside, err = x.look(ctx, step, searched, &m)
	return m, inside, err
}

// look adds the values around a step, and the changes next to it. inside is false for a word that has no part in
// the run.
func (x *Run) look(ctx context.Context, step, searched int, m *Moment) (inside bool, err error) {
	around := min(max(valuesAround/x.cone.Circuit.NumVars()/2, fewestAround), mostAround)
	m.First = max(step-around, 0)
	last := min(step+around, x.Limit()-1)
	for s := m.First; s <= last; s++ {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		value := circuit.X
		if !m.Outside {
			value, _ = x.Value(m.Copy.Lit, s)
		}
		m.Values = append(m.Values, value)
		if m.Word != nil {
			word, ok := x.WordValue(m.Word, s)
			if !ok {
				return false, nil
			}
			m.WordValues = append(m.WordValues, word)
		}
	}
	m.Value = m.Values[step-m.First]
	return true, x.findChanges(ctx, step, searched, m)
}

// findChanges looks for the changes next to a step, first among the values that are there.
func (x *Run) findChanges(ctx context.Context, step, searched int, m *Moment) error {
	changes := func(i int) bool {
		if m.Word != nil {
			return !slices.Equal(m.WordValues[i], m.WordValues[i-1])
		}
		return m.Values[i] != m.Values[i-1]
	}
	at := step - m.First
	for i := at + 1; i < len(m.Values) && m.Next < 0; i++ {
		if changes(i) && m.First+i < searched {
			m.Next = m.First + i
		}
	}
	for i := at - 1; i > 0 && m.Previous < 0; i-- {
		if changes(i) {
			m.Previous = m.First + i
		}
	}
	isWhole := m.First == 0 && m.First+len(m.Values) >= searched
	if isWhole || m.Next >= 0 && m.Previous >= 0 {
		return nil
	}
	all, err := x.changes(ctx, x.shownLits(m.Word, m.Copy), searched)
	if err != nil {
		return err
	}
	if i, _ := slices.BinarySearch(all, step+1); i < len(all) {
		m.Next = all[i]
	}
	if i, _ := slices.BinarySearch(all, step); i > 0 {
		m.Previous = all[i-1]
	}
	return nil
}
