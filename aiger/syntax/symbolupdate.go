package syntax

import (
	"slices"
)

// maxUpdated is how many lines update looks at; where more have changed, all are
// resolved again.
const maxUpdated = 1000

// update resolves the lines after an edit of a text whose table was old. Only
// lines that were edited, lines whose elements have come or gone, and lines that
// share an element or a name with one of those are looked at again. ok is false
// when the lines do not stand at the same places in both tables.
func (t *symbolTable) update(old *symbolTable, e lineEdit, sizes, oldSizes counts) (ok bool) {
	lo, hi, ok := t.edited(old, e)
	if !ok {
		return false
	}
	u := symbolUpdate{symbolTable: t, old: old, sizes: sizes}
	if !u.changes(lo, hi, oldSizes) {
		return false
	}
	t.byElement, t.issues, t.gaps = old.byElement, old.issues, old.gaps
	if len(u.changed) == 0 {
		return true
	}
	u.collectConcerned()
	u.reassign()
	u.recheck()
	isGap := func(s symbolLine) bool { return s.isGap() }
	if slices.ContainsFunc(t.lines[lo:hi], isGap) || slices.ContainsFunc(old.lines[lo:hi], isGap) {
		t.gaps = nil
		for place := range t.lines {
			if t.lines[place].isGap() {
				t.gaps = append(t.gaps, uint32(place))
			}
		}
	}
	return true
}

// edited returns the places of the lines that an edit changed; ok is false when
// the others do not stand where they stood in the old table.
func (t *symbolTable) edited(old *symbolTable, e lineEdit) (lo, hi int, ok bool) {
	n := len(t.lines)
	if len(t.stray)+len(old.stray) > 0 || n != len(old.lines) {
		return 0, 0, false
	}
	lo, hi = min(max(e.lo-t.first, 0), n), min(max(e.newHi-t.first, 0), n)
	shift := e.newHi - e.oldHi
	if lo > 0 && shift != 0 && hi > lo {
		return 0, 0, false
	}
	if lo == n {
		shift = 0 // all lines stand before the edit
	}
	return lo, hi, t.first-old.first == shift
}

// symbolUpdate is the state of update.
type symbolUpdate struct {
	*symbolTable
	old     *symbolTable
	sizes   counts
	changed []uint32 // places, ascending
	// elements are those that changed lines name or named, with 1 + the first
	// place that names them now; hashes are those of all names concerned.
	elements       map[symbolElement]uint32
	hashes         map[uint32]bool
	near, nearHash bitFilter // quick looks whether they may hold something
}

// symbolElement is what a symbol names.
type symbolElement struct {
	kind  SectionKind
	index uint32
}

func (s *symbolLine) element() symbolElement { return symbolElement{s.kind, s.index} }

// bitFilter is a set of numbers that may say yes when no is right.
type bitFilter [256]uint64

func (b *bitFilter) add(h uint32)      { b[h>>6&255] |= 1 << (h & 63) }
func (b *bitFilter) has(h uint32) bool { return b[h>>6&255]&(1<<(h&63)) != 0 }

// changes collects the changed lines; ok is false when there are too many.
func (u *symbolUpdate) changes(lo, hi int, oldSizes counts) (ok bool) {
	var from, to [numRowSections]uint32 // elements that have come or gone
	sameSizes := true
	for _, k := range symbolSections {
		from[k], to[k] = uint32(min(u.sizes[k], oldSizes[k])), uint32(max(u.sizes[k], oldSizes[k]))
		sameSizes = sameSizes && from[k] == to[k]
	}
	if sameSizes {
		for place := lo; place < hi; place++ {
			u.changed = append(u.changed, uint32(place))
		}
		return len(u.changed) <= maxUpdated
	}
	for place := range u.lines {
		s := &u.lines[place]
		if lo <= place && place < hi || s.state.isSymbol() && from[s.kind] <= s.index && s.index < to[s.kind] {
			if u.changed = append(u.changed, uint32(place)); len(u.changed) > maxUpdated {
				return false
			}
		}
	}
	return true
}

// collectConcerned collects the elements and the names that the changed lines concern.
func (u *symbolUpdate) collectConcerned() {
	u.elements, u.hashes = map[symbolElement]uint32{}, map[uint32]bool{}
	add := func(s *symbolLine) {
		if s.state.isSymbol() {
			u.elements[s.element()] = 0
			u.near.add(s.index)
			u.addHash(s.hash)
		}
	}
	for _, place := range u.changed {
		add(&u.old.lines[place])
		add(&u.lines[place])
	}
	for place := range u.lines {
		s := &u.lines[place]
		if !u.near.has(s.index) || !s.state.isSymbol() {
			continue
		}
		first, ok := u.elements[s.element()]
		if !ok {
			continue
		}
		u.addHash(s.hash)
		if first == 0 && s.names(u.sizes) {
			u.elements[s.element()] = uint32(place) + 1
		}
	}
}

func (u *symbolUpdate) addHash(h uint32) {
	u.hashes[h] = true
	u.nearHash.add(h)
}

// reassign enters the lines that name the elements concerned.
func (u *symbolUpdate) reassign() {
	var own [numRowSections]bool // lists that old does not share
	for e, first := range u.elements {
		list := &u.byElement[e.kind]
		if had, ok := u.old.find(e.kind, int(e.index)); first == 0 && !ok || ok && had+1 == int(first) {
			continue
		}
		if !own[e.kind] {
			own[e.kind] = true
			*list = slices.Clone(*list)
		}
		for len(*list) <= int(e.index) {
			*list = append(*list, 0)
		}
		(*list)[e.index] = first
	}
}

// recheck makes the issues of the lines that share a name or an element with
// a changed one, and keeps those of the others. Lines of one name have one hash,
// so that all of them are looked at when one is.
func (u *symbolUpdate) recheck() {
	var affected []uint32
	changed := u.changed
	for place := range u.lines {
		s := &u.lines[place]
		if len(changed) > 0 && int(changed[0]) == place {
			changed = changed[1:]
			affected = append(affected, uint32(place))
		} else if u.nearHash.has(s.hash) && s.state.isSymbol() && u.hashes[s.hash] {
			affected = append(affected, uint32(place))
		}
	}
	issues := u.old.issues
	u.issues = make([]symbolIssue, 0, len(issues)+1)
	names := newNameSet(u.symbolTable, len(affected))
	for _, place := range affected {
		for len(issues) > 0 && issues[0].place < place {
			u.issues = append(u.issues, issues[0])
			issues = issues[1:]
		}
		for len(issues) > 0 && issues[0].place == place {
			issues = issues[1:]
		}
		u.checkLine(int(place), u.sizes, names)
	}
	u.issues = append(u.issues, issues...)
}
