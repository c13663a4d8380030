package runs

import (
	"context"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/internal/wave"
)

// Folding puts the signals of a wave into the words of a design. A word of which one bit is put
// has all of them.
type Folding struct {
	d      *design.Design
	known  *words.Words
	scopes []string // around those of the words
	folded map[*design.Word]*wave.Word
	order  []*design.Word       // of folded
	stored map[circuit.Var]bool // latches, and what stands for them
}

// NewFolding returns one for a wave in which the words stand in some scopes. The error is that of ctx.
func NewFolding(ctx context.Context, d *design.Design, scopes ...string) (*Folding, error) {
	known, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	f := &Folding{d, known, scopes, map[*design.Word]*wave.Word{}, nil, map[circuit.Var]bool{}}
	for i := range d.Circuit().Latches() {
		l, _, _ := design.FlipFlop(d, i)
		f.stored[l.Var()] = true
	}
	return f, nil
}

// Put puts a signal into its word.
func (f *Folding) Put(s *wave.Signal, name string, l circuit.Lit) {
	if name == "" || s.Group == wave.Constraint || s.Group == wave.Property {
		return
	}
	if place, ok := WordOf(f.known, name, l); ok {
		f.put(s, place)
	}
}

// WordOf returns the word in which a signal is shown: the one whose bit has its name, else the
// first one of the text that lists it, under whatever name. Other words have no such bits: a signal may
// have several names.
func WordOf(known *words.Words, name string, l circuit.Lit) (words.Place, bool) {
	place, ok := known.Bit(name)
	if !ok || place.Word.Bits[place.Position].Lit != l {
		place, ok = known.At(l)
		ok = ok && !place.Negated && place.Word.Origin == design.FromText
	}
	return place, ok
}

func (f *Folding) put(s *wave.Signal, place words.Place) {
	w := place.Word
	word, has := f.folded[w]
	if !has {
		word = &wave.Word{
			Path: append(f.scopes[:len(f.scopes):len(f.scopes)], w.Path...), Name: w.Local, Group: s.Group,
			High: w.Index(len(w.Bits) - 1), Low: w.Low, IsSigned: w.Signed,
		}
		if f.isMixed(w) {
			word.Group = wave.Gate
		}
		for _, v := range w.Values {
			word.Names = append(word.Names, words.Number(w, v.Value)+" = "+v.Name)
		}
		f.folded[w] = word
		f.order = append(f.order, w)
	}
	s.Word, s.Bit = word, w.Index(place.Position)
}

// isMixed reports whether bits of a word are of several kinds. A bit that is constant is of any.
func (f *Folding) isMixed(w *design.Word) bool {
	kinds := map[circuit.Kind]bool{}
	for _, b := range w.Bits {
		switch v := b.Lit.Var(); {
		case b.Missing || v == 0:
		case f.stored[v]:
			kinds[circuit.KindLatch] = true
		default:
			kinds[f.d.Circuit().Kind(v)] = true
		}
	}
	return len(kinds) > 1
}

// Has reports whether a bit of a word was put.
func (f *Folding) Has(w *design.Word) bool { return f.folded[w] != nil }

// Lits returns the literals of all bits of the words.
func (f *Folding) Lits() (all []circuit.Lit) {
	seen := map[circuit.Lit]bool{}
	for _, w := range f.order {
		for _, b := range w.Bits {
			if !b.Missing && !seen[b.Lit] {
				seen[b.Lit] = true
				all = append(all, b.Lit)
			}
		}
	}
	return all
}

// Set gives the words the values of their bits, written as those of a signal.
func (f *Folding) Set(digits map[circuit.Lit]string) {
	for _, w := range f.order {
		word := f.folded[w]
		word.Bits = make([]string, len(w.Bits))
		for i, b := range w.Bits {
			if !b.Missing {
				word.Bits[i] = digits[b.Lit]
			}
		}
		word.Text = func(step int) string { return words.Text(w, valueAt(word.Bits, step)) }
	}
}

// valueAt reads the value of a word in a step.
func valueAt(bits []string, step int) []circuit.Value {
	value := make([]circuit.Value, len(bits))
	for i, values := range bits {
		value[i] = circuit.X
		if values != "" && values[step] != 'x' {
			value[i] = circuit.ValueOf(values[step] == '1')
		}
	}
	return value
}
