package blif

import (
	"math/bits"
	"sync"
)

// name is the number of an interned word; 0 is the empty word.
type name uint32

// interner gives numbers to words. It is shared by the versions of a file and
// only grows; a version reads from a nameList, which is a snapshot.
type interner struct {
	mu    sync.Mutex
	list  nameList // guarded by mu
	slots []slot   // guarded by mu; open addressing, length a power of two, id 0 = empty
}

type slot struct {
	hash uint32
	id   name
}

// nameList holds the words by their numbers: word id is
// bytes[ends[id-1]:ends[id]].
type nameList struct {
	bytes []byte
	ends  []uint32
	keys  []uint64 // by number: the word itself when it has at most 7 bytes, else a hash, see keyOf
}

func newInterner(capacity int) *interner {
	n := 1 << bits.Len(uint(2*capacity+64))
	return &interner{slots: make([]slot, n), list: nameList{bytes: make([]byte, 0, 8*capacity), ends: make([]uint32, 1, capacity+64), keys: make([]uint64, 1, capacity+64)}}
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

const mixer = 0x9E3779B97F4A7C15

// hashOf spreads a key over the table.
func hashOf(key uint64) uint32 { return uint32(key * mixer >> 32) }

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// intern returns the number of s. The caller holds mu.
func (t *interner) intern(s string) name {
	if s == "" {
		return 0
	}
	key := keyOf(s)
	h := hashOf(key)
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i].id != 0; i = (i + 1) & mask {
		if t.slots[i].hash == h && t.list.is(t.slots[i].id, key, s) {
			return t.slots[i].id
		}
	}
	id := name(len(t.list.ends))
	t.list.bytes = append(t.list.bytes, s...)
	t.list.ends = append(t.list.ends, uint32(len(t.list.bytes)))
	t.list.keys = append(t.list.keys, key)
	t.slots[i] = slot{h, id}
	if 2*len(t.list.ends) > len(t.slots) {
		t.grow()
	}
	return id
}

func (t *interner) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := s.hash & mask
		for t.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}

// find returns the number of s, or 0 when it has none.
func (t *interner) find(s string) name {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s == "" {
		return 0
	}
	key := keyOf(s)
	h := hashOf(key)
	mask := uint32(len(t.slots) - 1)
	for i := h & mask; t.slots[i].id != 0; i = (i + 1) & mask {
		if t.slots[i].hash == h && t.list.is(t.slots[i].id, key, s) {
			return t.slots[i].id
		}
	}
	return 0
}

// is reports whether a number is that of the word s with a key.
func (l *nameList) is(id name, key uint64, s string) bool {
	return l.keys[id] == key && (key>>56 <= 7 || string(l.bytes[l.ends[id-1]:l.ends[id]]) == s)
}

// text returns the word with a number.
func (l *nameList) text(id name) string {
	if id == 0 {
		return ""
	}
	return string(l.bytes[l.ends[id-1]:l.ends[id]])
}
