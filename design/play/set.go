package play

import (
	"context"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/words"
)

// WordNamed returns the word of a name. The error says that there is none, or several.
func WordNamed(ctx context.Context, d *design.Design, name string) (*design.Word, error) {
	all, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	switch found := all.Find(name); len(found) {
	case 0:
		return nil, fmt.Errorf("there is no word %q", name)
	case 1:
		return found[0], nil
	default:
		return nil, fmt.Errorf("%d words may be %q, such as %s: give the instance, too", len(found), name, found[0].Name)
	}
}

// FlipsOfWord returns the bits of a word that have the other value where it has the one that is
// typed in a step, instead of the one that it has now. The error says what is wrong with the
// value, or which bit cannot have another one.
func FlipsOfWord(d *design.Design, w *design.Word, now []circuit.Value, step int, typed string) (flips []circuit.Lit, err error) {
	wanted, err := words.Parse(w, typed)
	if err != nil {
		return nil, err
	}
	asked := map[circuit.Var]circuit.Value{}
	for i, b := range w.Bits {
		if wanted[i] == circuit.X {
			continue
		}
		if !b.Missing {
			value := wanted[i].NotIf(b.Lit.IsNegated())
			if before, again := asked[b.Lit.Var()]; again && before != value {
				return nil, fmt.Errorf("%s has one signal as several bits: it cannot have this value", w.Name)
			} else if again {
				continue
			}
			asked[b.Lit.Var()] = value
		}
		switch {
		case wanted[i] == now[i]:
		case b.Missing && wanted[i] == circuit.One:
			return nil, fmt.Errorf("%s has no bit %d", w.Name, w.Index(i))
		case b.Missing:
		case !CanSet(d, b.Lit, step):
			return nil, fmt.Errorf("bit %d of %s cannot be set here: only inputs can, and in step 0 latches without a reset", w.Index(i), w.Name)
		default:
			flips = append(flips, b.Lit)
		}
	}
	return flips, nil
}

// CanSet reports whether a run could have another value of a literal in a step.
func CanSet(d *design.Design, l circuit.Lit, step int) bool {
	settable := SettableAt(d, l)
	return settable == Always || settable == AtStart && step == 0
}

// WordSettableAt says where a run could have another value of all bits of a word that there are.
func WordSettableAt(d *design.Design, w *design.Word) (all Settable) {
	for _, b := range w.Bits {
		if b.Missing {
			continue
		}
		switch settable := SettableAt(d, b.Lit); {
		case settable == "":
			return ""
		case all != AtStart:
			all = settable
		}
	}
	return all
}

// set gives a word another value in a step.
func set(ctx context.Context, d *design.Design, t cert.Trace, x *Change) (cert.Trace, error) {
	w, err := WordNamed(ctx, d, x.Word)
	if err != nil {
		return t, err
	}
	return SetWord(ctx, d, t, w, x.Step, x.Value)
}

// SetWord returns a run in which a word has the value that is typed in a step. The error says why
// it cannot have it, or is that of ctx.
func SetWord(ctx context.Context, d *design.Design, t cert.Trace, w *design.Word, step int, typed string) (cert.Trace, error) {
	if step < 0 || step >= t.Steps() {
		return t, fmt.Errorf("the run has no step %d", step)
	}
	now, err := valueIn(ctx, d, t, w, step)
	if err != nil {
		return t, err
	}
	flips, err := FlipsOfWord(d, w, now, step, typed)
	for _, l := range flips {
		if err == nil {
			t, err = flip(d, t, &Change{Kind: Flip, Signal: l, Step: step})
		}
	}
	return t, err
}

// valueIn returns the value of a word in a step of a run. Where inputs are all of its bits nothing
// is simulated. The error is that of ctx.
func valueIn(ctx context.Context, d *design.Design, t cert.Trace, w *design.Word, step int) ([]circuit.Value, error) {
	c := d.Circuit()
	if !slices.ContainsFunc(w.Bits, func(b design.Bit) bool { return !b.Missing && c.InputIndex(b.Lit.Var()) < 0 }) {
		return words.Value(w, func(l circuit.Lit) circuit.Value { return t.Inputs[step][c.InputIndex(l.Var())].NotIf(l.IsNegated()) }), nil
	}
	replay, err := trace.New(ctx, c, t)
	if err != nil {
		return nil, err
	}
	return words.Value(w, func(l circuit.Lit) circuit.Value { return replay.Value(l, step) }), nil
}
