package answers

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/design"
	"aiglens/design/words"
)

// pictureIndex is what all pictures of a design need, so that a small one takes no more time in a
// large circuit than in a small one.
type pictureIndex struct {
	readers picture.Readers
	words   []*design.Word
	ofVar   map[circuit.Var][]int32 // the words that a variable is a bit of, in their order
}

var pictureIndexes = design.NewDerived(newPictureIndex)

func newPictureIndex(ctx context.Context, d *design.Design) (*pictureIndex, error) {
	all, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	x := &pictureIndex{words: all.All(), ofVar: map[circuit.Var][]int32{}}
	if x.readers, err = picture.CountReaders(ctx, d.Circuit()); err != nil {
		return nil, err
	}
	for i, w := range x.words {
		for _, b := range w.Bits {
			if v := b.Lit.Var(); !b.Missing && v != 0 {
				x.ofVar[v] = append(x.ofVar[v], int32(i))
			}
		}
	}
	return x, nil
}

// bits returns the variables of the bits of a word; that of a missing one is the constant, which no
// list of a picture makes a part of a bundle.
func (x *pictureIndex) bits(word int32) (all []circuit.Var) {
	for _, b := range x.words[word].Bits {
		all = append(all, b.Lit.Var())
	}
	return all
}

// together returns the variables that are drawn in one box with one.
func (x *pictureIndex) together(v circuit.Var) (all []circuit.Var) {
	if len(x.ofVar[v]) == 0 {
		return []circuit.Var{v}
	}
	return slices.DeleteFunc(x.bits(x.ofVar[v][0]), func(v circuit.Var) bool { return v == 0 })
}

// wordsIn returns the words that a picture has bits of, in their order.
func (x *pictureIndex) wordsIn(g *picture.Schematic) (all []*design.Word, lists [][]circuit.Var) {
	var found []int32
	for _, n := range g.Nodes {
		found = append(found, x.ofVar[n.Lit.Var()]...)
	}
	slices.Sort(found)
	for _, i := range slices.Compact(found) {
		all, lists = append(all, x.words[i]), append(lists, x.bits(i))
	}
	return all, lists
}
