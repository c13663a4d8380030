package blif

import (
	"maps"
	"slices"
)

// change says how a version came from another one by Reparse.
type change struct {
	before      *File
	first, last int  // the chunks of before that went: first ≤ k < last
	read        int  // how many came in their place
	library     bool // the library is another one
}

// resolveAgain works out the names of a version from those of the version
// before: what the chunks that went had done is taken back, and what the new
// ones do is added. It returns nil where that does not pay or the structure of
// the file is another one.
//
// Signals that are new get the next numbers; one whose last occurrence went
// keeps its number and has none.
func (f *File) resolveAgain() *resolution {
	c := f.change
	if c == nil {
		return nil
	}
	f.change = nil // the version before can go
	old := c.before.known.Load()
	if old == nil || old.steps >= maxSteps {
		return nil
	}
	was, is, ok := sameModel(c, f)
	if !ok {
		return nil
	}
	calls, ok := c.renewCalls(old.calls[0], f)
	if !ok {
		return nil
	}
	n := len(f.words.ends) - len(old.last)
	r := &resolution{
		last: append(slices.Clip(old.last), make([]Signal, n)...), names: slices.Clip(old.names), before: slices.Clip(old.before),
		driver: slices.Clone(old.driver), uses: slices.Clone(old.uses), maybe: slices.Clone(old.maybe), facts: slices.Clone(old.facts),
		extra: slices.Clone(old.extra), steps: old.steps + 1,
	}
	if n == 0 { // newSignal writes to it
		r.last = slices.Clone(old.last)
	}
	x := resolver{f: c.before, r: r, by: -1, base: 1, blocks: map[blockKey]block{}}
	x.region(was, c.first, c.last)
	from, to := int(c.before.stmts[c.first]), int(c.before.stmts[c.last])
	shift := int(f.stmts[c.first+c.read]) - to
	r.shift(to, shift)
	x.f, x.by, x.calls = f, 1, nil
	x.region(is, c.first, c.first+c.read)
	r.calls = [][]call{spliceCalls(calls, x.calls, from, to, shift)}
	for i := range r.calls[0] {
		if b := &r.calls[0][i].block; b.model == was {
			b.model = is // it holds itself
		}
	}
	r.bases = []Signal{1, Signal(len(r.names))}
	return r
}

// renewCalls returns instances of the version before as the library of a later one
// knows their models. ok is false when one of them has other ports there: then
// what its pins do with the signals is another thing, too.
func (c *change) renewCalls(calls []call, f *File) (renewed []call, ok bool) {
	if !c.library {
		return calls, true
	}
	renewed = make([]call, len(calls))
	known := map[blockKey]block{}
	for i, was := range calls {
		k, j := c.before.at(was.id)
		ch := c.before.chunks[k]
		lo, _ := ch.tokens(j)
		key := blockKey{ch.stmts[j].kind, ch.ids[lo+1]}
		b, seen := known[key]
		if !seen {
			if b = f.block(key.kind, f.words.text(key.id)); !sameBlock(was.block, b) {
				return nil, false
			}
			known[key] = b
		}
		renewed[i] = call{was.id, b}
	}
	return renewed, true
}

// sameBlock reports whether two versions of a model have the same ports, or two
// blocks are one cell or both unknown.
func sameBlock(a, b block) bool {
	if a.model == nil || b.model == nil {
		return a == b
	}
	return a.model.blackbox == b.model.blackbox && maps.Equal(a.model.portMap(), b.model.portMap())
}

// maxSteps is how many versions are worked out from the one before in a row.
const maxSteps = 500

// sameModel reports whether both versions are one model with the same ports
// that differs only in its body, and returns it in either.
func sameModel(c *change, f *File) (was, is *Model, ok bool) {
	a, b := c.before.Models(), f.Models()
	if len(a) != 1 || len(b) != 1 {
		return nil, nil, false
	}
	was, is = a[0], b[0]
	from, to := int(c.before.stmts[c.first]), int(c.before.stmts[c.last])
	newTo := int(f.stmts[c.first+c.read])
	moved := func(old, now int) bool { // at the same place, or both in what was read again
		switch {
		case old < from:
			return now == old
		case old >= to:
			return now == old+newTo-to
		}
		return now >= from && now <= newTo
	}
	hasPragmas := func(chunks []*chunk) bool {
		return slices.ContainsFunc(chunks, func(c *chunk) bool { return len(c.pragmas) > 0 })
	}
	same := was.hasPortLines && is.hasPortLines && moved(was.from, is.from) && moved(was.bodyEnd, is.bodyEnd) &&
		samePorts(was.inputs, is.inputs) && samePorts(was.outputs, is.outputs) && samePorts(was.clocks, is.clocks) &&
		was.id == is.id && !hasPragmas(c.before.chunks[c.first:c.last]) && !hasPragmas(f.chunks[c.first:c.first+c.read])
	return was, is, same
}

func samePorts(a, b []port) bool {
	return slices.EqualFunc(a, b, func(p, q port) bool { return p.id == q.id })
}

// region goes over the statements of some chunks that lie in the body of a
// model.
func (x *resolver) region(m *Model, first, last int) {
	for k := first; k < last; k++ {
		c := x.f.chunks[k]
		for i := range c.stmts {
			if id := int(x.f.stmts[k]) + i; m.from <= id && id < m.bodyEnd {
				x.statement(k, c, i, id)
			}
		}
	}
}

// shift moves the numbers of the statements from a statement on.
func (r *resolution) shift(from, by int) {
	if by == 0 {
		return
	}
	for s, d := range r.driver {
		if int(d) > from {
			r.driver[s] = uint32(int(d) + by)
		}
	}
	for i := range r.extra {
		if r.extra[i].id >= from {
			r.extra[i].id += by
		}
	}
}

// spliceCalls puts the instances of new statements in the place of those of
// the statements from ≤ id < to, and moves those behind.
func spliceCalls(old, read []call, from, to, shift int) []call {
	all := make([]call, 0, len(old)+len(read))
	i := 0
	for ; i < len(old) && old[i].id < from; i++ {
		all = append(all, old[i])
	}
	all = append(all, read...)
	for ; i < len(old); i++ {
		if old[i].id >= to {
			all = append(all, call{old[i].id + shift, old[i].block})
		}
	}
	return all
}
