package statement

import (
	"math/bits"
	"sync"
)

// Name is the number of an interned word; 0 is the empty word.
type Name uint32

// interner gives numbers to words. It is shared by the versions of a file and
// only grows; a version reads from a nameList, which is a snapshot.
type interner struct {
	mu    sync.Mutex
	list  nameList // guarded by mu
	slots []slot   // guarded by mu; open addressing, length a power of two, id 0 = empty
}

// slot holds a word and its key, so that a look-up of a short word touches nothing
// else.
type slot struct {
	key uint64
	id  Name
}

// nameList holds the words by their numbers: word id is
// bytes[ends[id-1]:ends[id]].
type nameList struct {
	bytes []byte
	ends  []uint32
}

func newInterner(capacity int) *interner {
	n := 1 << bits.Len(uint(2*capacity+64))
	return &interner{slots: make([]slot, n), list: nameList{bytes: make([]byte, 0, 8*capacity), ends: make([]uint32, 1, capacity+64)}}
}

// keyOf returns a number that is the word's own, with its length in the top
// byte, when the word has at most 7 bytes. That of a longer word has a top byte
// above 7 and is a hash, eight bytes at a time, that several words may share.
func keyOf(s string) uint64 {
	if len(s) <= 7 {
		key := uint64(len(s)) << 56
		for i := 0; i < len(s); i++ {
			key |= uint64(s[i]) << (8 * i)
		}
		return key
	}
	h := uint64(len(s)) * mixer
	for rest := s; len(rest) >= 8; rest = rest[8:] {
		h = (h ^ word(rest)) * mixer
		h ^= h >> 32
	}
	h = (h ^ word(s[len(s)-8:])) * mixer
	return h>>1 | 1<<63
}

// isShort reports whether a key is the word itself.
func isShort(key uint64) bool { return key>>56 <= 7 }

const mixer = 0x9E3779B97F4A7C15

// hashOf spreads a key over the table. Short words that differ in the last
// characters only, such as n120 and n121, come to lie side by side.
func hashOf(key uint64) uint32 {
	if !isShort(key) {
		return uint32(key * mixer >> 32)
	}
	last := 8 * (key>>56 - 1)
	low := uint32(key>>last) & 15
	return uint32((key&^(255<<last))*mixer>>32)&^15 | low
}

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// intern returns the number of s. The caller holds mu.
func (t *interner) intern(s string) Name {
	if s == "" {
		return 0
	}
	key := keyOf(s)
	i, found := t.slot(key, s)
	if found {
		return t.slots[i].id
	}
	id := Name(len(t.list.ends))
	t.list.bytes = append(t.list.bytes, s...)
	t.list.ends = append(t.list.ends, uint32(len(t.list.bytes)))
	t.slots[i] = slot{key, id}
	if 2*len(t.list.ends) > len(t.slots) {
		t.grow()
	}
	return id
}

// slot returns where the word s with a key is, or would be put.
func (t *interner) slot(key uint64, s string) (i uint32, found bool) {
	mask := uint32(len(t.slots) - 1)
	for i = hashOf(key) & mask; t.slots[i].id != 0; i = (i + 1) & mask {
		if t.slots[i].key == key && (isShort(key) || t.list.text(t.slots[i].id) == s) {
			return i, true
		}
	}
	return i, false
}

func (t *interner) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := hashOf(s.key) & mask
		for t.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}

// find returns the number of s, or 0 when it has none.
func (t *interner) find(s string) Name {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s == "" {
		return 0
	}
	i, _ := t.slot(keyOf(s), s)
	return t.slots[i].id
}

// text returns the word with a number.
func (l *nameList) text(id Name) string {
	if id == 0 {
		return ""
	}
	return string(l.bytes[l.ends[id-1]:l.ends[id]])
}

// NameText returns the word with a number.
func (f *Tree) NameText(id Name) string { return f.words.text(id) }

// FindName returns the number of a word; 0 for one that no version of the text
// has held.
func (f *Tree) FindName(word string) Name { return f.names.find(word) }

// NumNames returns a number above those of all words of the version.
func (f *Tree) NumNames() int { return len(f.words.ends) }
