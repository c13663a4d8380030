package replay

import (
	"math/big"

	"aiglens/btor2/syntax"
)

// Content is the elements of an array that nothing has written to: those At some indices, by Key, and Rest at all others.
type Content struct {
	At   map[string]*big.Int
	Rest *big.Int // nil is 0
}

// Key identifies an index.
func Key(index *big.Int) string { return string(index.Bytes()) }

func (c *Content) at(key string) *big.Int {
	if element, ok := c.At[key]; ok {
		return element
	}
	return c.rest()
}

func (c *Content) rest() *big.Int {
	if c.Rest == nil {
		return new(big.Int)
	}
	return c.Rest
}

// maxWrites bounds how many writes stand on one another before they become a map.
const maxWrites = 32

// array is a content with what was written to it.
type array struct {
	content *Content
	writes  map[string]*big.Int // before the last ones
	below   *array              // the array before the last write; nil for none
	count   int                 // of the last writes
	key     string
	element *big.Int
}

// write returns an array with another element at an index.
func (a *array) write(key string, element *big.Int) *array {
	next := &array{content: a.content, writes: a.writes, below: a, count: a.count + 1, key: key, element: element}
	if next.count < maxWrites {
		return next
	}
	all := map[string]*big.Int{}
	next.eachWrite(func(key string, element *big.Int) {
		if _, isOver := all[key]; !isOver {
			all[key] = element
		}
	})
	return &array{content: a.content, writes: all}
}

// eachWrite visits what was written, the last one first.
func (a *array) eachWrite(visit func(key string, element *big.Int)) {
	for b := a; b.below != nil; b = b.below {
		visit(b.key, b.element)
	}
	for key, element := range a.writes {
		visit(key, element)
	}
}

// read returns an element.
func (a *array) read(key string) *big.Int {
	for b := a; b.below != nil; b = b.below {
		if b.key == key {
			return b.element
		}
	}
	if element, ok := a.writes[key]; ok {
		return element
	}
	return a.content.at(key)
}

// equal compares two arrays at all indices.
func (a *array) equal(b *array, s syntax.Sort) bool {
	keys := map[string]bool{}
	for _, of := range []*array{a, b} {
		of.eachWrite(func(key string, _ *big.Int) { keys[key] = true })
		for key := range of.content.At {
			keys[key] = true
		}
	}
	for key := range keys {
		if a.read(key).Cmp(b.read(key)) != 0 {
			return false
		}
	}
	isAll := s.IndexWidth < 31 && len(keys) == 1<<s.IndexWidth
	return isAll || a.content.rest().Cmp(b.content.rest()) == 0
}
