package syntax

import (
	"slices"

	"aiglens/internal/source"
)

// Typed is a row that the user has just written, changed or deleted.
type Typed struct {
	// Line is that of the row, from 0; of one that is gone, the line that has its
	// place.
	Line int
	Gone int // rows that were taken away, 0 for one that is there
	// Before is the last header that fitted the rows.
	Before FittingHeader
}

// FittingHeader is a header that counts the rows as they are, each of which has the
// numbers that its section asks for. The zero value is that of a file that has had
// none.
type FittingHeader struct {
	Text string // its line
	// IsTight says that its maximum is the largest variable that is defined.
	IsTight bool
	// IsGiven says that the file came with a header that fitted: it is not a guess made of
	// rows as they were typed. Only the caller knows.
	IsGiven bool
}

// FittingHeader returns the header if it fits, else the zero value.
func (f *File) FittingHeader() (h FittingHeader) {
	if f.HasBody() && f.IsAligned() && (alignment{rows: &f.rows}).cost(f.counts) == 0 {
		h = FittingHeader{Text: f.text.Line(f.header.line), IsTight: f.header.value(fieldM) == f.defs.largest()}
	}
	return h
}

// Recount returns the edits that have the header say what the rows hold once a
// row has been typed. The other rows stay of the kind that the header gives them:
// where they fit it, only what a new row can be is decided. Without edits the
// header fits, cannot be read, leaves open what has happened to the rows, or announces
// what is still to come, as it does while a file is written: one that counts more rows
// than there are, and never fitted.
func (f *File) Recount(t Typed) []source.Edit {
	h := &f.header
	if !h.counts() {
		return nil
	}
	b := f.writtenBody()
	if !b.mayHold(t) {
		return nil
	}
	a := alignment{&b.rows, announcedCounts(h, &b.rows)}
	fitted := t.Before.Text == f.text.Line(h.line)
	var c counts
	var ok bool
	if t.Gone > 0 {
		c, ok = recount{a}.without(b.place(t.Line), t.Gone)
		ok = ok && fitted
	} else {
		c, ok = recount{a}.typed(b, t.Line, headerState{h.fault == nil, t.Before.IsGiven})
	}
	if !ok {
		return nil
	}
	same := c == a.announced && h.fault == nil
	maxVar, largest := h.value(fieldM), f.defs.largest()
	if b != &f.body || !c.definesLike(f.counts) {
		largest = a.largestDefined(c)
	}
	switch isTight := fitted && t.Before.IsTight; {
	case isTight && (!same || largest < maxVar || !f.lacksDefinition):
		maxVar = largest
	case !same:
		maxVar = max(maxVar, largest)
	}
	if same && (!h.maxOK || maxVar == h.value(fieldM)) {
		return nil
	}
	return h.edits(c, maxVar)
}

// mayHold reports whether what was typed can be of the rows: no symbol and no comment.
func (b *body) mayHold(t Typed) bool {
	if t.Gone > 0 {
		return t.Line >= b.first && t.Line <= b.end
	}
	return t.Line >= b.first && t.Line < b.end
}

// typed returns the counts once the row on a line of b has been typed; ok is false where
// they are better left alone. A header that counts as many rows as there are is never
// taken for another: a row that does not fit it is still being worked on. Where it
// announces more, it is unknown which row is gone. Where it was given only the new rows
// are counted; one that was guessed may have been wrong about the others, too.
func (c recount) typed(b *body, line int, h headerState) (found counts, ok bool) {
	switch more := c.rows.len() - c.announced.total(); {
	case more == 0 && (h.isWhole || c.cost(c.announced) == 0):
		return c.announced, c.cost(c.announced) == 0
	case more < 0:
		return found, false
	case h.isGiven:
		if found := c.added(b, line); more == 1 || c.cost(c.cheapest(found)) == 0 {
			return c.cheapest(found), len(found) > 0
		}
		return found, false
	}
	// Where all rows had to be looked at, the one that was typed may still be out
	// of place.
	found = c.after(b, line)
	return recount{alignment{c.rows, found}}.after(b, line), true
}

// headerState is what is known of a header besides its numbers.
type headerState struct {
	isWhole bool // all its numbers can be read
	isGiven bool // as in FittingHeader
}

// fits reports whether row r has the numbers that the header asks for.
func (c recount) fits(r int) bool {
	k, ok := c.announced.kindOf(r)
	return ok && c.rows.at(r).fits(k)
}

// place returns the row that is on a line, or follows it.
func (b *body) place(line int) int {
	return min(max(line-b.first-b.straysBefore(line), 0), b.rows.len())
}

// writtenBody returns the body without blank lines that stand for missing rows.
func (f *File) writtenBody() *body {
	if len(f.raw.stray) == len(f.stray) {
		return &f.body
	}
	damaged := slices.DeleteFunc(slices.Clone(f.raw.stray), func(line uint32) bool {
		return classify(f.text.Line(int(line))) == lineBlank || slices.Contains(f.stray, line)
	})
	b := f.raw.withRows(damaged)
	return &b
}

// counts reports whether the header says how many rows there are, if only of some
// sections because it ends too early.
func (h *header) counts() bool {
	return h.fault == nil && len(h.fields) > 0 ||
		h.fault != nil && h.fault.Code == codeHeaderFields && len(h.fields) <= fieldA
}

// largestDefined returns the largest variable that the rows define under c.
func (a alignment) largestDefined(c counts) int {
	largest := uint32(0)
	for _, k := range definingSections {
		lo := min(c.start(k), a.rows.len())
		for _, rows := range a.rows.runs(lo, min(lo+c[k], a.rows.len())) {
			for i := range rows {
				if v, ok := rows[i].defines(); ok {
					largest = max(largest, v)
				}
			}
		}
	}
	return int(min(largest, MaxVar))
}

// recount finds the counts of a file after a row was typed.
type recount struct{ alignment }

// after returns the counts once the row on a line of b has been typed below a header that
// was not given: the new rows are those at the line, or where that leaves other rows in the
// wrong place, all rows are looked at.
func (c recount) after(b *body, line int) counts {
	found := append(c.added(b, line), c.choose())
	if all := c.fromShapes(); all.total() == c.rows.len() {
		found = append(found, all)
	}
	return c.cheapest(found)
}

// added returns the counts with the rows that the header lacks, which are those at the line;
// none where that cannot be, or a row may be another size of a justice property.
func (c recount) added(b *body, line int) []counts {
	r, more := b.place(line), c.rows.len()-c.announced.total()
	_, isRow := b.rowOf(line)
	last := r - 1
	if isRow {
		last = r
	}
	k, ok := c.announced.kindOf(last)
	switch {
	case more > 0 && last >= more-1 && !(ok && k == SectionJustice):
		return c.placed(c.announced, last-more+1, last+1)
	case more == 0 && isRow && !c.fits(r):
		others := c.announced
		others[k]--
		return c.placed(others, r, r+1)
	}
	return nil
}

// cheapest returns the first of several counts under which the fewest rows have
// the wrong shape, of those that have room for every row.
func (c recount) cheapest(found []counts) counts {
	best, least := c.announced, -1
	for _, one := range found {
		if one.total() != c.rows.len() {
			continue
		}
		if cost := c.cost(one); least < 0 || cost < least {
			best, least = one, cost
		}
	}
	return best
}

// without returns the counts when the rows from row r on are gone, so that all others
// still fit; ok is false if they do not.
func (c recount) without(r, gone int) (rest counts, ok bool) {
	rest = c.announced
	for i := range gone {
		k, ok := c.announced.kindOf(r + i)
		if !ok {
			return rest, false
		}
		rest[k]--
	}
	rest = rest.withJustice(c.rows)
	return rest, rest.total() == c.rows.len() && c.cost(rest) == 0
}

// placed returns the counts with the rows lo to hi, hi excluded, as they have been
// typed one after another among others of which the header is right.
func (c recount) placed(others counts, lo, hi int) []counts {
	for r := lo; r < hi; r++ {
		k, ok := c.kindFor(others, r, hi)
		if !ok {
			return nil
		}
		others[k]++
	}
	if others = others.withJustice(c.rows); others.total() != c.rows.len() {
		return nil
	}
	return []counts{others}
}

// kindOf returns the section of row r.
func (c counts) kindOf(r int) (SectionKind, bool) {
	for k, n := range c {
		if r < n {
			return SectionKind(k), true
		}
		r -= n
	}
	return 0, false
}

// kindsAt returns the sections to which a row r may be added so that no other row
// changes its section. Those of justice are left out: how many rows they have is
// written in their rows, too.
func (c counts) kindsAt(r int) []SectionKind {
	var kinds []SectionKind
	start := 0
	for k, n := range c {
		kind := SectionKind(k)
		if start <= r && r <= start+n && kind != SectionJustice && kind != SectionJusticeLits {
			kinds = append(kinds, kind)
		}
		start += n
	}
	return kinds
}

// kindFor returns what row r is when it is added to others; the rows after it up
// to upTo are not among those. In doubt it is what the row above is.
func (c recount) kindFor(others counts, r, upTo int) (SectionKind, bool) {
	kinds := others.kindsAt(r)
	row := c.rows.at(r)
	fitting := slices.DeleteFunc(slices.Clone(kinds), func(k SectionKind) bool { return !row.fits(k) })
	has := func(k SectionKind) bool { return slices.Contains(fitting, k) }
	switch {
	case len(kinds) == 0:
		return 0, false
	case len(fitting) == 0:
		return misfitKind(kinds, others, r, row), true
	case has(SectionLatches) && has(SectionAnds):
		if row.N == 2 || row.isLatchByLooks() {
			return SectionLatches, true
		}
		return SectionAnds, true
	case has(SectionInputs) && !c.isDefined(row.Num[0], others, r, upTo):
		return SectionInputs, true
	}
	return propertyKind(fitting, others, r), true
}

// misfitKind returns the kind of a row that has the numbers of none.
func misfitKind(kinds []SectionKind, others counts, r int, row *Numbers) SectionKind {
	for _, k := range []SectionKind{SectionAnds, SectionLatches} {
		if row.N >= 2 && slices.Contains(kinds, k) {
			return k
		}
	}
	return besideKind(kinds, others, r)
}

// propertyKind returns what a row of one number is that is not an input; of what has
// one kind only that.
func propertyKind(kinds []SectionKind, others counts, r int) SectionKind {
	if len(kinds) > 1 {
		kinds = slices.DeleteFunc(kinds, func(k SectionKind) bool { return k == SectionInputs })
	}
	return besideKind(kinds, others, r)
}

// besideKind returns the kind of the row above, else of the row below, else the
// first output.
func besideKind(kinds []SectionKind, others counts, r int) SectionKind {
	for i, k := range slices.Backward(kinds) {
		if others[k] > 0 && others.start(k) < r {
			return kinds[i]
		}
	}
	for _, k := range kinds {
		if others[k] > 0 {
			return k
		}
	}
	if slices.Contains(kinds, SectionOutputs) {
		return SectionOutputs
	}
	return kinds[0]
}

// isLatchByLooks reports that a row of three numbers would be wrong as an AND and
// right as a latch: an operand is the gate itself or comes after it, and the last
// number is a reset value.
func (r *Numbers) isLatchByLooks() bool {
	n := &r.Num
	return r.N == 3 && (n[2] <= 1 || n[2] == n[0]) && (n[2] == n[0] || n[1]>>1 >= n[0]>>1)
}

// isDefined reports whether a literal cannot be that of a new input: it is a
// constant, negated, or defined by a row of others, which lack the rows lo to hi.
func (c recount) isDefined(lit uint32, others counts, lo, hi int) bool {
	if lit <= 1 || lit&1 == 1 {
		return true
	}
	for base, rows := range c.rows.runsWith(0, c.rows.len(), lit>>1) {
		for i := range rows {
			r := base + i
			if rows[i].Num[0] != lit || lo <= r && r < hi {
				continue
			}
			if r >= hi {
				r -= hi - lo
			}
			if k, ok := others.kindOf(r); ok && k.defines() {
				return true
			}
		}
	}
	return false
}

// OtherKinds returns what a row could be counted for by its numbers, while all other
// rows stay what they are: a row at the end of its section for something of the next
// one. Of a file with a header that does not count the rows as they are it is nothing.
func (f *File) OtherKinds(row Row) []SectionKind {
	r := f.counts.start(row.Kind) + row.Index
	if !f.IsAligned() || row.Kind == SectionJustice || row.Kind == SectionJusticeLits || r >= f.rows.len() {
		return nil
	}
	others := f.counts
	others[row.Kind]--
	return slices.DeleteFunc(others.kindsAt(r), func(k SectionKind) bool {
		return k == row.Kind || !f.rows.at(r).fits(k)
	})
}

// HeaderAs returns the header that counts a row for one of its OtherKinds, and the
// position that the row then has in the section.
func (f *File) HeaderAs(row Row, kind SectionKind) (v HeaderValues, index int) {
	v = f.HeaderValues()
	v.Counts[row.Kind]--
	v.Counts[kind]++
	if kind.defines() {
		v.Max = max(v.Max, int(row.Numbers[0]>>1))
	}
	others := f.counts
	others[row.Kind]--
	return v, f.counts.start(row.Kind) + row.Index - others.start(kind)
}

// KindsOn returns what the row on a line can be by the header, whatever its numbers
// are; or a new row there, where the line holds none.
func (f *File) KindsOn(line int) []SectionKind {
	if !f.HasBody() || line < f.first {
		return nil
	}
	announced := announcedCounts(&f.header, &f.rows)
	return announced.kindsAt(min(max(line-f.first-f.straysBefore(line), 0), f.rows.len()))
}
