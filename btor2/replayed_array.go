package btor2

import (
	"maps"
	"slices"

	"aiglens/btor2/syntax"
	"aiglens/circuit"
)

// content is the elements of an array that nothing has written to.
type content struct {
	chosen map[string][]circuit.Lit
	rest   []circuit.Lit // of all other indices; nil while each may have any value
}

// array is a content with what was written.
type array struct {
	below   *array // before the last write; nil for none
	content *content
	writes  map[string][]circuit.Lit // before the last ones
	index   string
	value   []circuit.Lit
	count   int // of the last writes
}

func keyOf(index []circuit.Lit) string {
	key := make([]byte, len(index))
	for i, l := range index {
		key[i] = '0' + byte(l)
	}
	return string(key)
}

// indexOf returns the index of a key.
func indexOf(key string) []circuit.Lit {
	index := make([]circuit.Lit, len(key))
	for i := range index {
		index[i] = circuit.Lit(key[i] - '0')
	}
	return index
}

// maxWrites bounds how many writes stand on one another before they become a map.
const maxWrites = 32

// write returns the array with a value at an index.
func (a *array) write(index string, value []circuit.Lit) *array {
	next := &array{below: a, content: a.content, writes: a.writes, index: index, value: value, count: a.count + 1}
	if next.count < maxWrites {
		return next
	}
	all := maps.Clone(a.writes)
	if all == nil {
		all = map[string][]circuit.Lit{}
	}
	var last []*array
	for b := next; b.below != nil; b = b.below {
		last = append(last, b)
	}
	for _, b := range slices.Backward(last) {
		all[b.index] = b.value
	}
	return &array{content: a.content, writes: all}
}

// at returns an element. One that has no value yet gets the one wished.
func (a *array) at(index string, wish []circuit.Lit) []circuit.Lit {
	for ; a.below != nil; a = a.below {
		if a.index == index {
			return a.value
		}
	}
	if value, ok := a.writes[index]; ok {
		return value
	}
	value, ok := a.content.chosen[index]
	switch {
	case ok:
	case a.content.rest != nil:
		value = a.content.rest
	default:
		value = wish
		a.content.chosen[index] = wish
	}
	return value
}

// written adds the indices that an array is known at to a set, and returns its content.
func (a *array) written(to map[string]bool) *content {
	for ; a.below != nil; a = a.below {
		to[a.index] = true
	}
	for index := range a.writes {
		to[index] = true
	}
	for index := range a.content.chosen {
		to[index] = true
	}
	return a.content
}

// has returns an element that has a value; nil for another one.
func (a *array) has(index string) []circuit.Lit {
	for ; a.below != nil; a = a.below {
		if a.index == index {
			return a.value
		}
	}
	if value, ok := a.writes[index]; ok {
		return value
	}
	if value, ok := a.content.chosen[index]; ok {
		return value
	}
	return a.content.rest
}

// equalArrays compares two arrays. What has no value yet becomes 0, or what the other array has where they are to be equal.
func equalArrays(a, b *array, s syntax.Sort, toBeEqual bool) bool {
	if a == b {
		return true
	}
	indices := map[string]bool{}
	zero := make([]circuit.Lit, s.Width)
	l, r := a.written(indices), b.written(indices)
	for _, index := range slices.Sorted(maps.Keys(indices)) {
		wish := zero
		if toBeEqual {
			wish = first(a.has(index), b.has(index), zero)
		}
		if !slices.Equal(a.at(index, wish), b.at(index, wish)) {
			return false
		}
	}
	if l == r {
		return true
	}
	rest := zero
	if toBeEqual {
		rest = first(l.rest, r.rest, zero)
	}
	for _, c := range []*content{l, r} {
		if c.rest == nil {
			c.rest = rest
		}
	}
	return slices.Equal(l.rest, r.rest) || s.IndexWidth < 31 && len(indices) == 1<<s.IndexWidth
}

// first returns the first of some words that is there.
func first(words ...[]circuit.Lit) []circuit.Lit {
	return words[slices.IndexFunc(words, func(w []circuit.Lit) bool { return w != nil })]
}

// difference returns an index at which two arrays differ, or another one where there is none.
func difference(a, b *array, other []circuit.Lit, s syntax.Sort) []circuit.Lit {
	indices := map[string]bool{}
	zero := make([]circuit.Lit, s.Width)
	a.written(indices)
	b.written(indices)
	for k := range len(indices) + 1 { // of so many numbers one is not among them
		index := make([]circuit.Lit, s.IndexWidth)
		for i := range min(s.IndexWidth, 62) {
			index[i] = circuit.False.NotIf(k>>i&1 == 1)
		}
		indices[keyOf(index)] = true
	}
	for _, key := range slices.Sorted(maps.Keys(indices)) {
		if !slices.Equal(a.at(key, zero), b.at(key, zero)) {
			return indexOf(key)
		}
	}
	return other
}
