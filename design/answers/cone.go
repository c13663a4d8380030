package answers

import (
	"context"

	"aiglens/design"
)

// A hover has a few milliseconds, and what it looks at may lie anywhere in a file
// of a million lines: ten thousand signals take two of them, most of the time
// waiting for memory.
const (
	maxCone       = 5_000 // signals at which the search of a cone is cut
	maxLevelGates = 2_000 // gates at which the search of a level gives up
)

// ConeSize is what a signal depends on, through latches, itself included.
type ConeSize struct {
	Inputs, Latches, Gates int
	Instances              int  // outputs of instances; what is inside them is not counted
	Cut                    bool // there is more
}

// Cone measures the cone of a signal. When ctx ends it stops as at the limit.
func Cone(ctx context.Context, d *design.Design, s design.Signal) ConeSize {
	var size ConeSize
	var seen signalSet
	var buf [8]design.Lit
	seen.add(s)
	// In a queue it is known early what comes next, so that the processor can
	// fetch the next row while it waits for this one.
	queue := []design.Signal{s}
	for i := 0; i < len(queue); i++ {
		kind, _, drivers := d.Drivers(queue[i], buf[:0])
		switch kind {
		case design.Input:
			size.Inputs++
		case design.Latch:
			size.Latches++
		case design.Gate:
			size.Gates++
		case design.Instance:
			size.Instances++
		}
		for _, l := range drivers {
			if seen.add(l.Signal()) {
				queue = append(queue, l.Signal())
			}
		}
		if len(queue) > maxCone || i%1024 == 0 && ctx.Err() != nil {
			size.Cut = true
			return size
		}
	}
	return size
}

// signalSet is a set of signals as bits, in pages that are made when needed.
type signalSet struct{ pages []*[64]uint64 }

// add reports whether the signal is new.
func (t *signalSet) add(s design.Signal) bool {
	at := int(s >> 12)
	if at >= len(t.pages) {
		t.pages = append(t.pages, make([]*[64]uint64, at+1-len(t.pages))...)
	}
	page := t.pages[at]
	if page == nil {
		page = new([64]uint64)
		t.pages[at] = page
	}
	word, bit := &page[s>>6&63], uint64(1)<<(s&63)
	isNew := *word&bit == 0
	*word |= bit
	return isNew
}

// levelSearch walks from a gate to what drives it, depth first, so that the
// level of a gate is known when the search leaves it.
type levelSearch struct {
	d      *design.Design
	levels map[design.Signal]int // of the gates met; 0 while on the path
	// inCycle says that the search has come back to a gate on the path.
	inCycle bool
}

// Level returns the number of gates on the longest way from a signal back to
// inputs and latches; ok is false when that takes too long to find out, and when gates
// in a cycle have no such way.
func Level(d *design.Design, s design.Signal) (level int, ok bool) {
	search := levelSearch{d: d, levels: map[design.Signal]int{}}
	level = search.level(s)
	return level, len(search.levels) < maxLevelGates && !search.inCycle
}

func (l *levelSearch) level(s design.Signal) int {
	if known, ok := l.levels[s]; ok || len(l.levels) >= maxLevelGates {
		l.inCycle = l.inCycle || ok && known == 0
		return known
	}
	var buf [4]design.Lit
	kind, _, operands := l.d.Drivers(s, buf[:0])
	if kind != design.Gate {
		return 0
	}
	l.levels[s] = 0
	highest := 0
	for _, o := range operands {
		highest = max(highest, l.level(o.Signal()))
	}
	l.levels[s] = highest + 1
	return highest + 1
}
