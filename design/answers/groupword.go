package answers

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"aiglens/circuit"
	"aiglens/circuit/facts"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// GroupWord is a word that a text may be given of a group of latches.
type GroupWord struct {
	Title string
	Edits []source.Edit
}

// Bounds of the groups that become words.
const (
	maxGroupClauses = 5000 // of the invariant
	maxGroupNames   = 64   // bits of a word whose values get names
)

// GroupWords returns words of the groups with a latch of which exactly one is 1, as the proof of a property
// says that has been made small before. Those that the text has already are left out.
func GroupWords(ctx context.Context, d *design.Design, p circuit.Property, r *verify.Result, latch circuit.Var) (all []GroupWord) {
	if r == nil || !r.HasSmallProof() || d.Elaborate(ctx) != nil {
		return nil
	}
	small, _, ok := r.WithSmallProof(ctx, d.Circuit(), p)
	if !ok || len(small.Checked.Invariant()) > maxGroupClauses {
		return nil
	}
	found, err := facts.Of(ctx, small.Checked.Invariant())
	if err != nil {
		return nil
	}
	known, err := words.Of(ctx, d)
	if err != nil {
		return nil
	}
	f := factsIn(d, found.About(latch))
	for _, g := range f.Groups {
		if !g.Exactly || slices.ContainsFunc(known.All(), func(w *design.Word) bool { return isWordOf(w, g) }) {
			continue
		}
		if w, ok := f.wordOf(d, g); ok {
			if edits, err := design.AddWord(d, w); err == nil {
				all = append(all, GroupWord{shortened("Make a word of this group: " + f.group(g).String()), edits})
			}
		}
	}
	return all
}

// isWordOf reports whether the bits of a word are the literals of a group.
func isWordOf(w *design.Word, g facts.Group) bool {
	return len(w.Bits) == len(g.Lits) && !slices.ContainsFunc(w.Bits, func(b design.Bit) bool { return b.Missing || !slices.Contains(g.Lits, b.Lit) })
}

// wordOf returns the word of a group in the literals of the text, the first latch as the least significant bit. Its values
// have the names of latches that have names. ok is false where the text has no word for one of them.
func (f *Facts) wordOf(d *design.Design, g facts.Group) (w design.NewWord, ok bool) {
	lits, ok := clausesIn(d, [][]circuit.Lit{g.Lits})
	if !ok {
		return w, false
	}
	w.Lits = slices.Clone(lits[0])
	slices.Reverse(w.Lits)
	if len(g.Lits) > maxGroupNames {
		return w, true
	}
	named := map[string]bool{}
	for i, s := range f.signals(g.Lits) {
		name := s.Name
		if s.Negated {
			name = "!" + name
		}
		if _, err := strconv.ParseInt(s.Name, 0, 64); err == nil || named[name] {
			continue
		}
		named[name] = true
		n := new(big.Int).Lsh(big.NewInt(1), uint(i))
		number := wordline.Part{Text: fmt.Sprintf("0b%0*b", len(g.Lits), n)}
		w.Values = append(w.Values, wordline.Value{Name: wordline.Part{Text: name}, Number: number, Value: n})
	}
	return w, true
}
