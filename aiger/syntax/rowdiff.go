package syntax

import (
	"slices"
)

// rowDiff is what an edit changed in the rows of a file. The first prefix rows
// are the same, and so are the rows after the changed ones, which have moved:
//
//	old   ├── prefix ──┤ gone ├── same ──────┤
//	new   ├── prefix ──┤ came      ├── same ──────┤
//	                           └─ moved by shift
//
// A row that is the same but stands in another section counts as changed.
type rowDiff struct {
	old, new   *File
	prefix     int // rows that are the same before the changed ones
	firstSame  int // of old, after the changed rows
	shift      int
	gone, came []span // of rows in old and in new, ascending
	// touched are rows of new that came, or whose variables have another
	// definition than before; all other suspects of new were suspects of old.
	touched []uint32
}

// span is the rows lo to hi, hi excluded.
type span struct{ lo, hi int }

// sectionNone is the section of rows that no section has room for.
const sectionNone = SectionKind(numSections)

func newRowDiff(old, new *File) rowDiff {
	prefix := old.rows.samePrefix(&new.rows)
	n, m := old.rows.len(), new.rows.len()
	suffix := old.rows.sameSuffix(&new.rows, min(n, m)-prefix)
	d := rowDiff{old: old, new: new, prefix: prefix, firstSame: n - suffix, shift: m - n}
	d.compareRoles(0, prefix, 0)
	if n-suffix > prefix {
		d.gone = append(d.gone, span{prefix, n - suffix})
	}
	if m-suffix > prefix {
		d.came = append(d.came, span{prefix, m - suffix})
	}
	d.compareRoles(n-suffix, n, d.shift)
	return d
}

// compareRoles adds those of the rows lo to hi of old that stand in another
// section in new, where their numbers differ by shift.
func (d *rowDiff) compareRoles(lo, hi, shift int) {
	for lo < hi {
		k, end := d.old.sectionAround(lo)
		l, newEnd := d.new.sectionAround(lo + shift)
		end = min(end, newEnd-shift, hi)
		if k != l {
			d.gone = append(d.gone, span{lo, end})
			d.came = append(d.came, span{lo + shift, end + shift})
		}
		lo = end
	}
}

// sectionAround returns the section of row r and the end of the section.
func (f *File) sectionAround(r int) (k SectionKind, end int) {
	for k, n := range f.counts {
		if end += n; r < end {
			return SectionKind(k), end
		}
	}
	return sectionNone, manyRows
}

// newRow returns where a row of old stands in new.
func (d *rowDiff) newRow(r int) int {
	if r >= d.firstSame {
		return r + d.shift
	}
	return r
}

// redefine makes the definitions of new out of those of old.
func (d *rowDiff) redefine() {
	defs := d.old.defs.edit(d.prefix, d.firstSame, d.shift)
	var cleared []uint32
	d.eachDefinition(d.old, d.gone, func(v uint32, r int) {
		if first, ok := d.old.defs.row(v); ok && first == r {
			defs.clear(v)
			cleared = append(cleared, v)
		}
	})
	set := func(v uint32, r int) {
		if first, isNew := defs.set(v, r); !isNew && first != r {
			d.touched = append(d.touched, uint32(max(first, r)))
		}
	}
	d.eachDefinition(d.new, d.came, set)
	if len(cleared) > 0 {
		// A second definition, which is a suspect, may now be the first.
		for _, r := range d.old.suspects {
			d.eachDefinition(d.new, []span{{d.newRow(int(r)), d.newRow(int(r)) + 1}}, set)
		}
	}
	if d.new.defs = defs.defTable; d.new.defs.isFragmented(d.new) {
		d.new.defs = defined(d.new)
	}
	d.touchUses(cleared)
	for _, s := range d.came {
		for r := s.lo; r < s.hi; r++ {
			d.touched = append(d.touched, uint32(r))
		}
	}
}

// eachDefinition calls f for the variables that rows of a file define.
func (d *rowDiff) eachDefinition(file *File, spans []span, f func(v uint32, r int)) {
	for _, s := range spans {
		for r := max(s.lo, 0); r < min(s.hi, file.rows.len()); r++ {
			if k, _, ok := file.Place(r); ok && k.defines() {
				if v, ok := file.rows.at(r).defines(); ok {
					f(v, r)
				}
			}
		}
	}
}

// touchUses adds the rows that use those of the given variables which are not
// defined any more.
func (d *rowDiff) touchUses(undefined []uint32) {
	undefined = slices.DeleteFunc(undefined, func(v uint32) bool {
		_, ok := d.new.defs.row(v)
		return ok
	})
	if len(undefined) == 0 {
		return
	}
	isUndefined := newVarSet(undefined)
	from, spread := isUndefined.min, isUndefined.max-isUndefined.min
	for base, rows := range d.new.rows.runsWith(0, d.new.rows.len(), undefined...) {
		for i := range rows {
			num := &rows[i].Num
			if num[0]>>1-from > spread && num[1]>>1-from > spread && num[2]>>1-from > spread {
				continue // none is near
			}
			if isUndefined.has(num[0]>>1) || isUndefined.has(num[1]>>1) || isUndefined.has(num[2]>>1) {
				d.touched = append(d.touched, uint32(base+i))
			}
		}
	}
}

// varSet is a set of variables that costs little for few variables and for
// those that are small.
type varSet struct {
	min, max uint32
	bits     []uint64        // from min on
	rest     map[uint32]bool // what bits is too short for
}

// maxSpread bounds varSet.bits, in words.
const maxSpread = 1 << 16

func newVarSet(vs []uint32) *varSet {
	s := &varSet{min: slices.Min(vs), max: slices.Max(vs)}
	s.bits = make([]uint64, min((s.max-s.min)/64+1, maxSpread))
	for _, v := range vs {
		if i := (v - s.min) / 64; int(i) < len(s.bits) {
			s.bits[i] |= 1 << ((v - s.min) % 64)
			continue
		}
		if s.rest == nil {
			s.rest = map[uint32]bool{}
		}
		s.rest[v] = true
	}
	return s
}

func (s *varSet) has(v uint32) bool {
	if v < s.min || v > s.max {
		return false
	}
	if i := (v - s.min) / 64; int(i) < len(s.bits) {
		return s.bits[i]&(1<<((v-s.min)%64)) != 0
	}
	return s.rest[v]
}

// suspects returns the suspects of new.
func (d *rowDiff) suspects() []uint32 {
	rows := d.touched
	for _, r := range d.old.suspects {
		rows = append(rows, uint32(d.newRow(int(r))))
	}
	if d.new.maxLit < d.old.maxLit {
		for r := range d.new.rowsAbove(d.new.maxLit) {
			rows = append(rows, uint32(r))
		}
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	return slices.DeleteFunc(rows, func(r uint32) bool {
		if int(r) >= d.new.rows.len() {
			return true
		}
		k, _, ok := d.new.Place(int(r))
		return !ok || !d.new.isSuspect(k, int(r), d.new.rows.at(int(r)))
	})
}
