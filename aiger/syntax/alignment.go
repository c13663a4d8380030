package syntax

import "slices"

// counts gives the number of rows of each section.
type counts [numRowSections]int

func (c counts) total() int {
	n := 0
	for _, k := range c {
		n += k
	}
	return n
}

// start returns the first row of a section.
func (c counts) start(k SectionKind) int {
	n := 0
	for _, m := range c[:k] {
		n += m
	}
	return n
}

// manyRows stands for more rows than any file has, small enough to be added up.
const manyRows = 1 << 40

// withJustice completes c by the number of justice literals that the size rows
// announce.
func (c counts) withJustice(rows *rowTable) counts {
	lo := min(c.start(SectionJustice), rows.len())
	hi := min(lo+c[SectionJustice], rows.len())
	c[SectionJusticeLits] = 0
	for r := lo; r < hi; r++ {
		if size := rows.at(r); size.N > 0 {
			c[SectionJusticeLits] = min(c[SectionJusticeLits]+int(size.Num[0]), manyRows)
		}
	}
	return c
}

// announcedCounts returns what the header promises; without rows it leaves out
// the justice literals.
func announcedCounts(h *header, rows *rowTable) counts {
	var c counts
	for k, field := range fieldOf {
		c[k] = h.value(field)
	}
	if rows == nil {
		return c
	}
	return c.withJustice(rows)
}

// alignment finds the section table of a file whose header and rows may
// disagree. The shape of a valid body, by numbers in a row, is
//
//	1^I (2|3)^L 1^(O+B+C+J+…+F) 3^A
//
// and of all small changes to the announced counts the one is taken under
// which most rows have the right shape.
type alignment struct {
	rows      *rowTable
	announced counts
}

// cost returns how many rows have the wrong shape under c, or lie outside it.
func (a alignment) cost(c counts) int {
	right, lo := 0, 0
	for k, n := range c {
		hi := min(lo+n, a.rows.len())
		least, most := rowSize(SectionKind(k))
		sizes := a.rows.summary(lo, hi).sizes
		for _, m := range sizes[least : most+1] {
			right += int(m)
		}
		lo = hi
	}
	return a.rows.len() - right
}

// rowSize returns how many numbers a row of a section has.
func rowSize(k SectionKind) (least, most uint8) {
	switch k {
	case SectionLatches:
		return 2, 3
	case SectionAnds:
		return 3, 3
	}
	return 1, 1
}

// choose returns the counts to read the file by; they place at most the rows
// there are.
func (a alignment) choose() counts {
	if a.announced.total() != a.rows.len() {
		return a.resize()
	}
	if wrong := a.cost(a.announced); wrong > 0 {
		return a.transfer(wrong)
	}
	return a.announced
}

// transfer keeps the total and moves rows between two neighbouring sections
// when that, and only that, gives every row its shape. A single row that is
// too short or too long stays where it is: it is a row being typed.
func (a alignment) transfer(wrong int) counts {
	for _, from := range []SectionKind{SectionFairness, SectionConstraints, SectionBads, SectionOutputs, SectionInputs} {
		for _, to := range []SectionKind{SectionAnds, SectionLatches} {
			for _, d := range []int{wrong, -wrong} {
				if wrong == 1 && (to == SectionLatches || d < 0) {
					continue
				}
				c := a.announced
				c[from] -= d
				c[to] += d
				if c[from] < 0 || c[to] < 0 || a.announced[from] == 0 {
					continue
				}
				if c = c.withJustice(a.rows); c.total() == a.rows.len() && a.cost(c) == 0 {
					return c
				}
			}
		}
	}
	return a.announced
}

// resize changes counts until the total is right: one count if that will do.
func (a alignment) resize() counts {
	best, bestCost := counts{}, -1
	var ties []counts
	for _, c := range a.singles() {
		switch cost := a.cost(c); {
		case bestCost < 0 || cost < bestCost:
			best, bestCost, ties = c, cost, []counts{c}
		case cost == bestCost && !slices.ContainsFunc(ties, c.definesLike):
			ties = append(ties, c)
		}
	}
	if len(ties) > 1 {
		best = a.leastDoubtful(ties)
	}
	for _, c := range []counts{a.truncated(), a.fromShapes()} {
		if cost := a.cost(c); bestCost < 0 || cost+1 < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// definesLike reports whether the same rows define, use and count under c and
// other: which of them are outputs and which bads makes no difference there.
func (c counts) definesLike(other counts) bool {
	for _, k := range []SectionKind{SectionLatches, SectionOutputs, SectionJustice, SectionJusticeLits, SectionAnds, SectionSymbols} {
		if c.start(k) != other.start(k) {
			return false
		}
	}
	return true
}

// singles returns the counts that differ from the announced ones in one place
// and have the right total.
func (a alignment) singles() []counts {
	var cs []counts
	missing := a.rows.len() - a.announced.total()
	try := func(k SectionKind, d int) {
		c := a.announced
		if c[k] += d; c[k] < 0 || d == 0 {
			return
		}
		if k != SectionJusticeLits {
			c = c.withJustice(a.rows)
		}
		if c.total() == a.rows.len() {
			cs = append(cs, c)
		}
	}
	for _, k := range []SectionKind{SectionAnds, SectionFairness, SectionJusticeLits, SectionConstraints,
		SectionBads, SectionOutputs, SectionLatches, SectionInputs, SectionJustice} {
		rare := k >= SectionBads && k <= SectionFairness
		if rare && a.announced[k] == 0 {
			continue
		}
		try(k, missing)
		// Where a section before the justice sizes grows, other rows become
		// sizes, and the total moves with them.
		if a.announced[SectionJustice] > 0 && k <= SectionJustice {
			for d := -3; d <= 3; d++ {
				if d != missing {
					try(k, d)
				}
			}
		}
	}
	return cs
}

// truncated deals the rows out in order until there are none left.
func (a alignment) truncated() counts {
	c := a.announced
	left := a.rows.len()
	for k := range c {
		c[k] = min(c[k], left)
		left -= c[k]
	}
	return c
}

// fromShapes takes the counts from the shapes of the rows and, where these leave
// it open, from what the rows define; rows that fit nowhere are left out.
func (a alignment) fromShapes() counts {
	var c counts
	run := a.rows.run
	isOne := func(n uint8) bool { return n == 1 }
	leading := run(0, isOne)
	latches := a.latchesFrom(leading)
	singles := run(leading+latches, isOne)
	c[SectionInputs], c[SectionLatches] = leading, latches
	if latches == 0 {
		// Inputs and properties form one run.
		c[SectionInputs] = a.inputsAmong(leading)
		singles = leading - c[SectionInputs]
	}
	a.deal(&c, singles)
	c[SectionAnds] = run(c.total(), func(n uint8) bool { return n == 3 })
	return c
}

// latchesFrom returns how many latches start at row r: if rows of one number
// follow, all before them; else those up to the last one that can be no AND.
func (a alignment) latchesFrom(r int) int {
	n := a.rows.run(r, func(n uint8) bool { return n == 2 || n == 3 })
	if r+n < a.rows.len() && a.rows.at(r+n).N == 1 {
		return n
	}
	latches := 0
	for base, rows := range a.rows.runs(r, r+n) {
		for i := range rows {
			if rows[i].N == 2 || rows[i].isLatchByLooks() {
				latches = base + i + 1 - r
			}
		}
	}
	return latches
}

// inputsAmong returns how many of the first rows, each of one number, are inputs:
// what is announced and, if the header announces none, those that no row defines.
func (a alignment) inputsAmong(leading int) int {
	if n := a.announced[SectionInputs]; n > 0 {
		return min(n, leading)
	}
	defined := map[uint32]bool{0: true, 1: true}
	for _, rows := range a.rows.runs(leading, a.rows.len()) {
		for i := range rows {
			defined[rows[i].Num[0]] = true
		}
	}
	for r := range leading {
		lit := a.rows.at(r).Num[0]
		if lit&1 == 1 || defined[lit] {
			return r
		}
		defined[lit] = true
	}
	return leading
}

// deal divides rows of one number among outputs and properties: as announced
// as far as they go, the rest to the last section that is not empty.
func (a alignment) deal(c *counts, n int) {
	last := SectionOutputs
	for k := SectionOutputs; k <= SectionFairness; k++ {
		c[k] = min(a.announced[k], n)
		n -= c[k]
		if c[k] > 0 && k != SectionJustice && k != SectionJusticeLits {
			last = k
		}
	}
	c[last] += n
}

// leastDoubtful returns the first of several counts under which the fewest
// literals are defined twice, wrongly or not at all.
func (a alignment) leastDoubtful(cs []counts) counts {
	best, least := cs[0], -1
	for _, c := range cs {
		if n := a.doubt(c); least < 0 || n < least {
			best, least = c, n
		}
	}
	return best
}

// doubt counts for leastDoubtful.
func (a alignment) doubt(c counts) int {
	n := 0
	defined := make([]uint64, a.rows.len()/16+16) // a bit for each variable
	define := func(lit uint32) {
		v := int(lit >> 1)
		isSmall := v < 64*len(defined)
		if lit&1 == 1 || v == 0 || isSmall && defined[v/64]>>(v%64)&1 == 1 {
			n++
		}
		if isSmall {
			defined[v/64] |= 1 << (v % 64)
		}
	}
	use := func(lit uint32) {
		if v := int(lit >> 1); v > 0 && v < 64*len(defined) && defined[v/64]>>(v%64)&1 == 0 {
			n++
		}
	}
	each := func(f func(k SectionKind, r *Numbers)) {
		lo := 0
		for k, m := range c {
			for _, rows := range a.rows.runs(lo, lo+m) {
				for i := range rows {
					f(SectionKind(k), &rows[i])
				}
			}
			lo += m
		}
	}
	each(func(k SectionKind, r *Numbers) {
		if k == SectionInputs || k == SectionLatches || k == SectionAnds {
			define(r.Num[0])
		}
	})
	each(func(k SectionKind, r *Numbers) {
		switch k {
		case SectionInputs, SectionJustice:
		case SectionLatches:
			use(r.Num[1])
			if r.N == 3 && r.Num[2] > 1 && r.Num[2] != r.Num[0] {
				n++
			}
		case SectionAnds:
			use(r.Num[1])
			use(r.Num[2])
			if r.isLatchByLooks() {
				n++
			}
		default:
			use(r.Num[0])
		}
	})
	return n
}
