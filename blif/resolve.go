package blif

import (
	"sort"
	"strings"
)

// Signal is a signal of one model of a File, counted from 1 over all models.
// Signal 0 is none. The numbers belong to one version of the file.
type Signal uint32

// facts say how a signal is used.
type facts uint8

const (
	factInput  facts = 1 << iota // listed in .inputs, or inferred
	factClock                    // listed in .clock
	factOutput                   // listed in .outputs
	factMany                     // has more than one driver
)

// resolution is what the names of a version mean. It is computed anew for
// each version, from numbers alone: no text is looked at where the statements
// are plain .names and .latch.
type resolution struct {
	last   []Signal // by name: its signal in the last model that has one
	names  []name   // by signal; so are the next four
	before []Signal // the signal of the same name in an earlier model
	driver []uint32 // 1 + the first statement that drives it; 0 for none
	uses   []uint32 // how often it is read
	maybe  []uint32 // how often it is joined to something that may drive it
	facts  []facts
	bases  []Signal // by model: its first signal; one entry more than models
	calls  [][]call // by model
	extra  []extraDriver
	steps  int // how many versions lie between this one and one resolved from scratch
}

// call is an instance.
type call struct {
	id    int // statement
	block block
}

// extraDriver is a driver of a signal that has one already.
type extraDriver struct {
	signal Signal
	id     int
}

func (f *File) resolve() *resolution {
	if r := f.resolveAgain(); r != nil {
		return r
	}
	s := f.structure()
	n := len(f.words.ends)
	r := &resolution{
		last: make([]Signal, n), names: make([]name, 1, n+1), before: make([]Signal, 1, n+1),
		driver: make([]uint32, 1, n+1), uses: make([]uint32, 1, n+1), maybe: make([]uint32, 1, n+1), facts: make([]facts, 1, n+1),
		calls: make([][]call, len(s.models)), bases: make([]Signal, 0, len(s.models)+1),
	}
	x := resolver{f: f, r: r, by: 1, blocks: map[blockKey]block{}}
	for i, m := range s.models {
		x.base = Signal(len(r.names))
		r.bases = append(r.bases, x.base)
		x.ports(m)
		x.body(m)
		x.pragmas(m)
		r.calls[i], x.calls = x.calls, nil
	}
	r.bases = append(r.bases, Signal(len(r.names)))
	return r
}

// resolver fills a resolution model by model.
type resolver struct {
	f      *File
	r      *resolution
	by     int    // 1, or -1 to take back what a statement has done
	base   Signal // of the current model
	blocks map[blockKey]block
	calls  []call // of the current model
}

type blockKey struct {
	kind Kind
	id   name
}

// signal returns the signal with a name in the current model.
func (x *resolver) signal(id name) Signal {
	if s := x.r.last[id]; s >= x.base && s != 0 {
		return s
	}
	return x.newSignal(id)
}

func (x *resolver) newSignal(id name) Signal {
	r := x.r
	s := Signal(len(r.names))
	r.names = append(r.names, id)
	r.before = append(r.before, r.last[id])
	r.driver = append(r.driver, 0)
	r.uses = append(r.uses, 0)
	r.maybe = append(r.maybe, 0)
	r.facts = append(r.facts, 0)
	r.last[id] = s
	return s
}

// drive notes a driver, or takes it back when by is negative. The first driver
// in text order is kept apart.
func (x *resolver) drive(id name, stmt int) {
	r, s, own := x.r, x.signal(id), uint32(stmt+1)
	if x.by < 0 {
		x.undrive(s, own)
		return
	}
	switch first := r.driver[s]; {
	case first == 0:
		r.driver[s] = own
		return
	case own < first:
		r.driver[s], own = own, first
	}
	r.facts[s] |= factMany
	r.extra = append(r.extra, extraDriver{s, int(own) - 1})
}

// undrive takes a driver back.
func (x *resolver) undrive(s Signal, own uint32) {
	r := x.r
	if r.facts[s]&factMany == 0 {
		r.driver[s] = 0
		return
	}
	at, others := -1, 0 // the entry that goes: that of own, or of the first of the others
	for i, e := range r.extra {
		if e.signal != s {
			continue
		}
		others++
		if isOwn := uint32(e.id+1) == own; r.driver[s] != own && isOwn || r.driver[s] == own && (at < 0 || e.id < r.extra[at].id) {
			at = i
		}
	}
	if r.driver[s] == own {
		r.driver[s] = uint32(r.extra[at].id + 1)
	}
	r.extra = append(r.extra[:at], r.extra[at+1:]...)
	if others == 1 {
		r.facts[s] &^= factMany
	}
}

func (x *resolver) read(id name) {
	s := x.signal(id)
	x.r.uses[s] += uint32(x.by)
}

func (x *resolver) ports(m *Model) {
	inputs, outputs := m.inputs, m.outputs
	if !m.hasPortLines {
		for _, id := range m.portIDs(dirIn) {
			x.r.facts[x.signal(id)] |= factInput
		}
		for _, id := range m.portIDs(dirOut) {
			x.read(id)
			x.r.facts[x.signal(id)] |= factOutput
		}
		return
	}
	for _, p := range inputs {
		x.r.facts[x.signal(p.id)] |= factInput
	}
	for _, p := range m.clocks {
		x.r.facts[x.signal(p.id)] |= factClock
	}
	for _, p := range outputs {
		x.read(p.id)
		x.r.facts[x.signal(p.id)] |= factOutput
	}
}

// body goes over the statements of a model that count as its logic.
func (x *resolver) body(m *Model) {
	f := x.f
	for id := m.from; id < m.bodyEnd; {
		k, i := f.at(id)
		c := f.chunks[k]
		end := min(len(c.stmts), i+m.bodyEnd-id)
		for ; i < end; i, id = i+1, id+1 {
			x.statement(k, c, i, id)
		}
	}
}

func (x *resolver) statement(k int, c *chunk, i, id int) {
	switch kind := c.stmts[i].kind; kind {
	case KindNames:
		lo, hi := c.tokens(i)
		if lo+1 < hi {
			ids := c.ids[lo+1 : hi]
			for _, id := range ids[:len(ids)-1] {
				x.read(id)
			}
			x.drive(ids[len(ids)-1], id)
		}
	case KindSubckt, KindGate, KindMlatch:
		lo, hi := c.tokens(i)
		if lo+1 >= hi {
			return
		}
		key := blockKey{kind, c.ids[lo+1]}
		b, ok := x.blocks[key]
		if !ok {
			b = x.f.block(kind, x.f.words.text(key.id))
			x.blocks[key] = b
		}
		x.calls = append(x.calls, call{id, b})
		x.roles(k, i, id, b)
	case KindLatch, KindConn, KindShort, KindFlop, KindConstraint, KindUnknown:
		x.roles(k, i, id, block{})
	}
}

func (x *resolver) roles(k, i, id int, b block) {
	ids := x.f.chunks[k].ids
	x.f.roles(k, i, b, func(t uint32, role Role) {
		switch {
		case role.drives():
			x.drive(ids[t], id)
		case role.reads():
			x.read(ids[t])
		case role == RolePin:
			x.r.maybe[x.signal(ids[t])] += uint32(x.by)
		}
	})
}

// pragmas goes over the "# prop:" comments of a model.
func (x *resolver) pragmas(m *Model) {
	for _, p := range x.f.pragmasOf(m) {
		lo, hi := p.signals(x.f)
		for _, id := range p.p.ids[lo:hi] {
			x.read(id)
		}
	}
}

// lookup returns the signal with a name in the model with an index, or 0.
func (r *resolution) lookup(model int, id name) Signal {
	if int(id) >= len(r.last) {
		return 0
	}
	s := r.last[id]
	for s >= r.bases[model+1] {
		s = r.before[s]
	}
	if s < r.bases[model] {
		return 0
	}
	return s
}

// modelOf returns the index of the model of a signal.
func (r *resolution) modelOf(s Signal) int {
	return sort.Search(len(r.bases), func(i int) bool { return r.bases[i] > s }) - 1
}

// isDriven reports whether a signal gets a value, or may get one.
func (r *resolution) isDriven(s Signal) bool {
	return r.driver[s] != 0 || r.facts[s]&(factInput|factClock) != 0 || r.maybe[s] != 0
}

// filePragma is a pragma at its place in a version.
type filePragma struct {
	chunk int
	p     *pragma
}

// signals returns the range of the words that are signals.
func (p filePragma) signals(f *File) (lo, hi int) {
	n := len(p.p.toks)
	if n == 0 {
		return 0, 0
	}
	hi = n
	if strings.HasPrefix(f.word(p.chunk, p.p.toks[n-1]), `"`) && n > 2 {
		hi--
	}
	if pragmaKinds[f.word(p.chunk, p.p.toks[0])] != pragmaJustice {
		hi = min(hi, 2)
	}
	return min(1, hi), hi
}

// pragmasOf returns the pragmas of a model in text order.
func (f *File) pragmasOf(m *Model) []filePragma {
	var all []filePragma
	from := m.from
	if m.Index == 0 {
		from = 0 // comments before the first model
	}
	first, _ := f.at(from)
	for k := first; k < len(f.chunks) && int(f.stmts[k]) < m.to; k++ {
		c := f.chunks[k]
		for i := range c.pragmas {
			p := &c.pragmas[i]
			if id := int(f.stmts[k] + p.stmt); from <= id && id < m.to {
				all = append(all, filePragma{k, p})
			}
		}
	}
	return all
}
