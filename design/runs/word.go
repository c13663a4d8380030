package runs

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/internal/source"
)

// WordValue returns the value of a word at a step, x for bits outside of the cone; ok is false
// when all bits are there.
func (x *Run) WordValue(w *design.Word, step int) (value []circuit.Value, ok bool) {
	value = words.Value(w, func(l circuit.Lit) circuit.Value {
		v, inside := x.Value(l, step)
		ok = ok || inside
		return v
	})
	return value, ok
}

// WordsInText finds the words that signals of a text are bits of, in a run that takes part.
type WordsInText struct {
	d     *design.Design
	x     *Run
	words *words.Words
}

// WordsInText returns what finds words. The error is that of ctx.
func (x *Run) WordsInText(ctx context.Context, d *design.Design) (WordsInText, error) {
	all, err := words.Of(ctx, d)
	return WordsInText{d, x, all}, err
}

// At returns the word that the text shows a defined signal as a bit of: in the instance of its
// model that Copy finds, and for a bit outside of the run in one where other bits are inside.
func (t WordsInText) At(l design.Lit) (p words.Place, ok bool) {
	if copied, _, inside := t.x.Copy(t.d, l); inside {
		return t.in(copied, l)
	}
	common := -1
	for _, c := range t.d.Copies(l, MaxSought) {
		place, isBit := t.in(c, l)
		if !isBit {
			continue
		}
		n := commonScopes(c.Path, t.x.instance)
		if _, inside := t.x.WordValue(place.Word, 0); !inside {
			n = 0
		} else {
			n++
		}
		if n > common {
			p, ok, common = place, true, n
		}
	}
	if ok {
		return p, true
	}
	return t.whole(l)
}

// whole returns the word that a signal stands for which is no literal of the circuit: of several instances one that
// takes part in the run.
func (t WordsInText) whole(l design.Lit) (p words.Place, ok bool) {
	for _, w := range t.words.OfSignal(l.Signal()) {
		if _, inside := t.x.WordValue(w, 0); inside {
			return words.Place{Word: w}, true
		}
	}
	return p, false
}

// WholeWord returns the word that a signal stands for which is no literal of the circuit, as far as it takes part in the
// run; nil for none. The error is that of ctx.
func (x *Run) WholeWord(ctx context.Context, d *design.Design, l design.Lit) (*design.Word, error) {
	if len(d.Copies(l, 1)) > 0 {
		return nil, ctx.Err()
	}
	t, err := x.WordsInText(ctx, d)
	if err != nil {
		return nil, err
	}
	p, _ := t.whole(l)
	return p.Word, nil
}

// in returns the word that a signal is a bit of in an instance.
func (t WordsInText) in(copied design.Copy, l design.Lit) (p words.Place, ok bool) {
	name := t.d.Name(l.Signal())
	if copied.Path != "" {
		name = copied.Path + "/" + name
	}
	p, ok = t.words.AtName(copied.Lit, name)
	if ok && t.words.IsApart(l.Signal(), p) {
		return words.Place{}, false
	}
	return p, ok
}

// Changes returns the steps, of the first so many, in which what the text shows of a signal has another
// value than one step before: the word that it is a bit of, or the signal itself. The error is that of
// ctx.
func (t WordsInText) Changes(ctx context.Context, l design.Lit, steps int) (changes []int, err error) {
	if p, ok := t.At(l); ok {
		return t.x.changes(ctx, t.x.shownLits(p.Word, design.Copy{}), steps)
	}
	copied, _, inside := t.x.Copy(t.d, l)
	if !inside {
		return nil, nil
	}
	return t.x.changes(ctx, t.x.shownLits(nil, copied), steps)
}

// shownLits returns the literals of the cone that make what the text shows: the bits of a word, or of none a signal
// that takes part.
func (x *Run) shownLits(w *design.Word, copied design.Copy) (lits []circuit.Lit) {
	if w == nil {
		lit, _ := x.litOf(copied.Lit)
		return []circuit.Lit{lit}
	}
	for _, b := range w.Bits {
		if lit, inside := x.litOf(b.Lit); inside && !b.Missing {
			lits = append(lits, lit)
		}
	}
	return lits
}

// changes returns the steps in which a literal of the cone has another value than one step before.
func (x *Run) changes(ctx context.Context, lits []circuit.Lit, steps int) (all []int, err error) {
	again, end := x.values.Period()
	var before, repeated []circuit.Value
	err = x.each(ctx, steps, lits, func(step int, now []circuit.Value) {
		if step > 0 && !slices.Equal(before, now) {
			all = append(all, step)
		}
		if before = append(before[:0], now...); step == again {
			repeated = slices.Clone(now)
		}
	})
	if err != nil || end >= steps {
		return all, err
	}
	period, first := end-again, !slices.Equal(before, repeated) // whether the repetition begins with a change
	firstAfter, _ := slices.BinarySearch(all, again+1)
	inside := all[firstAfter:]
	for from := end; from < steps; from += period {
		if first {
			all = append(all, from)
		}
		for _, step := range inside {
			if step += from - again; step < steps {
				all = append(all, step)
			}
		}
	}
	return all, nil
}

// IsHighest reports whether a bit is the one at which the text says the value of its word.
func (t WordsInText) IsHighest(p words.Place) bool { return t.words.Highest(p.Word) == p.Position }

// IsSaidAt reports whether the text says the value of a word at the definition of a bit, which is the
// one of the whole word, or of its highest bit.
func (t WordsInText) IsSaidAt(p words.Place, definition source.Span) bool {
	return p.Word.Span.Length > 0 && p.Word.Span == definition || t.IsHighest(p)
}

// TraceWord is signals of a run that people read as one value.
type TraceWord struct {
	Word  *design.Word
	Group string     // of its highest bit
	Bits  []TraceBit // in the order of those of the word
}

// TraceBit is a bit of a word among the signals of a run.
type TraceBit struct {
	Signal  int  // its position; -1 where it is not shown
	Negated bool // it has the other values
}

// TraceWords returns the words of signals of a run, in the order of their first ones. The error
// is that of ctx.
func TraceWords(ctx context.Context, d *design.Design, signals []TraceSignal) ([]TraceWord, error) {
	known, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	var all []TraceWord
	seen := map[*design.Word]bool{}
	position := map[circuit.Var]int{}
	for i := range signals {
		t := &signals[i]
		if t.Group != GroupLatches && t.Group != GroupInputs && t.Group != GroupGates {
			continue
		}
		p, ok := known.At(t.Lit)
		if !ok {
			continue
		}
		if _, ok := position[t.Lit.Var()]; !ok {
			position[t.Lit.Var()] = i
		}
		if !seen[p.Word] {
			seen[p.Word] = true
			all = append(all, TraceWord{Word: p.Word, Bits: make([]TraceBit, len(p.Word.Bits))})
		}
	}
	for k := range all {
		w := &all[k]
		for b, bit := range w.Word.Bits {
			i, ok := position[bit.Lit.Var()]
			if !ok || bit.Missing {
				w.Bits[b].Signal = -1
				continue
			}
			w.Bits[b] = TraceBit{i, bit.Lit != signals[i].Lit}
			w.Group = signals[i].Group
		}
	}
	return all, nil
}
