package blif

import (
	"maps"
	"slices"

	"aiglens/blif/statement"
)

// change says how a version came from another one by Reparse.
type change struct {
	before *File
	statement.Replacement
	library bool // the library is another one
}

// resolveFromBefore works out the names of a version from those of the version
// before: what the chunks that went had done is taken back, and what the new
// ones do is added. It returns nil where that does not pay or the structure of
// the file is another one.
//
// Signals that are new get the next numbers; one whose last occurrence went
// keeps its number and has none.
func (f *File) resolveFromBefore() *Resolution {
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
	calls, ok := c.renewCalls(old.Calls[0], f)
	if !ok {
		return nil
	}
	n := f.NumNames() - len(old.Last)
	r := &Resolution{
		Last: append(slices.Clip(old.Last), make([]Signal, n)...), Names: slices.Clip(old.Names), before: slices.Clip(old.before),
		Driver: slices.Clone(old.Driver), Uses: slices.Clone(old.Uses), MaybeDriven: slices.Clone(old.MaybeDriven), Facts: slices.Clone(old.Facts),
		Extra: slices.Clone(old.Extra), steps: old.steps + 1,
	}
	if n == 0 { // newSignal writes to it
		r.Last = slices.Clone(old.Last)
	}
	x := resolver{f: c.before, r: r, by: -1, base: 1, blocks: map[blockKey]Block{}}
	x.region(was, c.First, c.Last)
	from, to := int(c.before.Firsts[c.First]), int(c.before.Firsts[c.Last])
	shift := int(f.Firsts[c.First+c.Read]) - to
	r.shift(to, shift)
	x.f, x.by, x.calls = f, 1, nil
	x.region(is, c.First, c.First+c.Read)
	r.Calls = [][]Call{spliceCalls(calls, x.calls, from, to, shift)}
	for i := range r.Calls[0] {
		if b := &r.Calls[0][i].Block; b.Model == was {
			b.Model = is // it holds itself
		}
	}
	r.Bases = []Signal{1, Signal(len(r.Names))}
	return r
}

// renewCalls returns instances of the version before as the library of a later one
// knows their models. ok is false when one of them has other ports there: then
// what its pins do with the signals is another thing, too.
func (c *change) renewCalls(calls []Call, f *File) (renewed []Call, ok bool) {
	if !c.library {
		return calls, true
	}
	renewed = make([]Call, len(calls))
	known := map[blockKey]Block{}
	for i, was := range calls {
		k, j := c.before.Locate(was.Statement)
		ch := c.before.Chunks[k]
		lo, _ := ch.TokensOf(j)
		key := blockKey{ch.Stmts[j].Kind, ch.Names[lo+1]}
		b, seen := known[key]
		if !seen {
			if b = f.block(key.kind, f.NameText(key.id)); !sameBlock(was.Block, b) {
				return nil, false
			}
			known[key] = b
		}
		renewed[i] = Call{was.Statement, b}
	}
	return renewed, true
}

// sameBlock reports whether two versions of a model have the same ports, or two
// blocks are one cell or both unknown.
func sameBlock(a, b Block) bool {
	if a.Model == nil || b.Model == nil {
		return a == b
	}
	return a.Model.BlackBox == b.Model.BlackBox && maps.Equal(a.Model.PortMap(), b.Model.PortMap())
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
	from, to := int(c.before.Firsts[c.First]), int(c.before.Firsts[c.Last])
	newTo := int(f.Firsts[c.First+c.Read])
	moved := func(old, now int) bool { // at the same place, or both in what was read again
		switch {
		case old < from:
			return now == old
		case old >= to:
			return now == old+newTo-to
		}
		return now >= from && now <= newTo
	}
	hasPragmas := func(chunks []*statement.Chunk) bool {
		return slices.ContainsFunc(chunks, func(c *statement.Chunk) bool { return len(c.Pragmas) > 0 })
	}
	same := was.HasPortLines && is.HasPortLines && moved(was.From, is.From) && moved(was.BodyEnd, is.BodyEnd) &&
		samePorts(was.InputList, is.InputList) && samePorts(was.OutputList, is.OutputList) && samePorts(was.Clocks, is.Clocks) &&
		was.id == is.id && !hasPragmas(c.before.Chunks[c.First:c.Last]) && !hasPragmas(f.Chunks[c.First:c.First+c.Read])
	return was, is, same
}

func samePorts(a, b []Port) bool {
	return slices.EqualFunc(a, b, func(p, q Port) bool { return p.Name == q.Name })
}

// region goes over the statements of some chunks that lie in the body of a
// model.
func (x *resolver) region(m *Model, first, last int) {
	for k := first; k < last; k++ {
		c := x.f.Chunks[k]
		for i := range c.Stmts {
			if id := int(x.f.Firsts[k]) + i; m.From <= id && id < m.BodyEnd {
				x.statement(k, c, i, id)
			}
		}
	}
}

// shift moves the numbers of the statements from a statement on.
func (r *Resolution) shift(from, by int) {
	if by == 0 {
		return
	}
	for s, d := range r.Driver {
		if int(d) > from {
			r.Driver[s] = uint32(int(d) + by)
		}
	}
	for i := range r.Extra {
		if r.Extra[i].Statement >= from {
			r.Extra[i].Statement += by
		}
	}
}

// spliceCalls puts the instances of new statements in the place of those of
// the statements from ≤ id < to, and moves those after them.
func spliceCalls(old, read []Call, from, to, shift int) []Call {
	all := make([]Call, 0, len(old)+len(read))
	i := 0
	for ; i < len(old) && old[i].Statement < from; i++ {
		all = append(all, old[i])
	}
	all = append(all, read...)
	for ; i < len(old); i++ {
		if old[i].Statement >= to {
			all = append(all, Call{old[i].Statement + shift, old[i].Block})
		}
	}
	return all
}
