package blif

import (
	"slices"
	"sort"
	"sync"

	"aiglens/blif/cells"
	"aiglens/blif/statement"
)

// Signal is a signal of one model of a File, counted from 1 over all models.
// Signal 0 is none. The numbers belong to one version of the file.
type Signal uint32

// facts say how a signal is used.
type facts uint8

// The facts.
const (
	FactInput  facts = 1 << iota // listed in .inputs, or inferred
	FactClock                    // listed in .clock
	FactOutput                   // listed in .outputs
	FactMany                     // has more than one driver
)

// Resolution is what the names of a version mean. It is computed again for
// each version, from numbers alone: no text is looked at where the statements
// are plain .names and .latch.
type Resolution struct {
	Last []Signal // by name: its signal in the last model that has one
	// By signal; entry 0 is unused.
	Names       []statement.Name
	before      []Signal // the signal of the same name in an earlier model; 0 for none
	Driver      []uint32 // 1 + the first statement that drives it; 0 for none
	Uses        []uint32 // how often it is read
	MaybeDriven []uint32 // how often it is joined to something that may drive it
	Facts       []facts
	// Signals Bases[i] ≤ s < Bases[i+1] are those of model i.
	Bases []Signal
	Calls [][]Call      // by model, in text order
	Extra []extraDriver // every driver but the first; Facts[s] has FactMany iff s is in it
	steps int           // how many versions lie between this one and one resolved from scratch

	indexing sync.Once
	index    nameIndex // of a file of many models, once it has been asked for
}

// nameIndex lists the signals of each name in the order of their models: those of
// name id are signals[starts[id]:starts[id+1]].
type nameIndex struct {
	starts  []uint32
	signals []Signal
}

// Call is an instance.
type Call struct {
	Statement int // its number
	Block     Block
}

// extraDriver is a driver of a signal that has one already.
type extraDriver struct {
	Signal    Signal
	Statement int
}

func (f *File) resolve() *Resolution {
	if r := f.resolveFromBefore(); r != nil {
		return r
	}
	s := f.Structure()
	n := f.NumNames()
	r := &Resolution{
		Last: make([]Signal, n), Names: make([]statement.Name, 1, n+1), before: make([]Signal, 1, n+1),
		Driver: make([]uint32, 1, n+1), Uses: make([]uint32, 1, n+1), MaybeDriven: make([]uint32, 1, n+1), Facts: make([]facts, 1, n+1),
		Calls: make([][]Call, len(s.Models)), Bases: make([]Signal, 0, len(s.Models)+1),
	}
	x := resolver{f: f, r: r, by: 1, blocks: map[blockKey]Block{}}
	for i, m := range s.Models {
		x.base = Signal(len(r.Names))
		r.Bases = append(r.Bases, x.base)
		x.ports(m)
		x.body(m)
		x.pragmas(m)
		r.Calls[i], x.calls = x.calls, nil
	}
	r.Bases = append(r.Bases, Signal(len(r.Names)))
	return r
}

// resolver fills a resolution model by model.
type resolver struct {
	f      *File
	r      *Resolution
	by     int    // 1, or -1 to take back what a statement has done
	base   Signal // of the current model
	blocks map[blockKey]Block
	calls  []Call // of the current model
}

type blockKey struct {
	kind statement.Kind
	id   statement.Name
}

// signal returns the signal with a name in the current model.
func (x *resolver) signal(id statement.Name) Signal {
	if s := x.r.Last[id]; s >= x.base && s != 0 {
		return s
	}
	return x.newSignal(id)
}

func (x *resolver) newSignal(id statement.Name) Signal {
	r := x.r
	s := Signal(len(r.Names))
	r.Names = append(r.Names, id)
	r.before = append(r.before, r.Last[id])
	r.Driver = append(r.Driver, 0)
	r.Uses = append(r.Uses, 0)
	r.MaybeDriven = append(r.MaybeDriven, 0)
	r.Facts = append(r.Facts, 0)
	r.Last[id] = s
	return s
}

// drive notes a driver, or takes it back when by is negative. The first driver
// in text order is kept apart.
func (x *resolver) drive(id statement.Name, stmt int) {
	r, s, own := x.r, x.signal(id), uint32(stmt+1)
	if x.by < 0 {
		x.undrive(s, own)
		return
	}
	switch first := r.Driver[s]; {
	case first == 0:
		r.Driver[s] = own
		return
	case own < first:
		r.Driver[s], own = own, first
	}
	r.Facts[s] |= FactMany
	r.Extra = append(r.Extra, extraDriver{s, int(own) - 1})
}

// undrive takes a driver back.
func (x *resolver) undrive(s Signal, own uint32) {
	r := x.r
	if r.Facts[s]&FactMany == 0 {
		r.Driver[s] = 0
		return
	}
	at, others := -1, 0 // the entry that goes: that of own, or of the first of the others
	for i, e := range r.Extra {
		if e.Signal != s {
			continue
		}
		others++
		if isOwn := uint32(e.Statement+1) == own; r.Driver[s] != own && isOwn || r.Driver[s] == own && (at < 0 || e.Statement < r.Extra[at].Statement) {
			at = i
		}
	}
	if r.Driver[s] == own {
		r.Driver[s] = uint32(r.Extra[at].Statement + 1)
	}
	r.Extra = append(r.Extra[:at], r.Extra[at+1:]...)
	if others == 1 {
		r.Facts[s] &^= FactMany
	}
}

func (x *resolver) read(id statement.Name) {
	s := x.signal(id)
	x.r.Uses[s] += uint32(x.by)
}

func (x *resolver) ports(m *Model) {
	inputs, outputs := m.InputList, m.OutputList
	if !m.HasPortLines {
		for _, id := range m.PortNames(cells.Input) {
			x.r.Facts[x.signal(id)] |= FactInput
		}
		for _, id := range m.PortNames(cells.Output) {
			x.read(id)
			x.r.Facts[x.signal(id)] |= FactOutput
		}
		return
	}
	for _, p := range inputs {
		x.r.Facts[x.signal(p.Name)] |= FactInput
	}
	for _, p := range m.Clocks {
		x.r.Facts[x.signal(p.Name)] |= FactClock
	}
	for _, p := range outputs {
		x.read(p.Name)
		x.r.Facts[x.signal(p.Name)] |= FactOutput
	}
}

// body goes over the statements of a model that count as its logic.
func (x *resolver) body(m *Model) {
	f := x.f
	for id := m.From; id < m.BodyEnd; {
		k, i := f.Locate(id)
		c := f.Chunks[k]
		end := min(len(c.Stmts), i+m.BodyEnd-id)
		for ; i < end; i, id = i+1, id+1 {
			x.statement(k, c, i, id)
		}
	}
}

func (x *resolver) statement(k int, c *statement.Chunk, i, id int) {
	switch kind := c.Stmts[i].Kind; kind {
	case statement.KindNames:
		lo, hi := c.TokensOf(i)
		if lo+1 < hi {
			ids := c.Names[lo+1 : hi]
			for _, id := range ids[:len(ids)-1] {
				x.read(id)
			}
			x.drive(ids[len(ids)-1], id)
		}
	case statement.KindSubckt, statement.KindGate, statement.KindMlatch:
		lo, hi := c.TokensOf(i)
		if lo+1 >= hi {
			return
		}
		key := blockKey{kind, c.Names[lo+1]}
		b, ok := x.blocks[key]
		if !ok {
			b = x.f.block(kind, x.f.NameText(key.id))
			x.blocks[key] = b
		}
		x.calls = append(x.calls, Call{id, b})
		x.roles(k, i, id, b)
	case statement.KindLatch, statement.KindConn, statement.KindShort, statement.KindFlop, statement.KindConstraint, statement.KindUnknown:
		x.roles(k, i, id, Block{})
	}
}

func (x *resolver) roles(k, i, id int, b Block) {
	ids := x.f.Chunks[k].Names
	x.f.Roles(k, i, b, func(t uint32, role Role) {
		switch {
		case role.drives():
			x.drive(ids[t], id)
		case role.Reads():
			x.read(ids[t])
		case role == RolePin:
			x.r.MaybeDriven[x.signal(ids[t])] += uint32(x.by)
		}
	})
}

// pragmas goes over the "# prop:" comments of a model.
func (x *resolver) pragmas(m *Model) {
	for _, p := range x.f.PragmasOf(m) {
		lo, hi := p.Signals(x.f)
		for _, id := range p.Pragma.Names[lo:hi] {
			x.read(id)
		}
	}
}

// Lookup returns the signal with a name in the model with an index, or 0.
func (r *Resolution) Lookup(model int, id statement.Name) Signal {
	if int(id) >= len(r.Last) {
		return 0
	}
	s := r.Last[id]
	for range maxWalk {
		if s < r.Bases[model+1] {
			break
		}
		s = r.before[s]
	}
	if s >= r.Bases[model+1] {
		s = r.search(model, id)
	}
	if s < r.Bases[model] {
		return 0
	}
	return s
}

// maxWalk is how many later models with a signal of the same name are passed by one by
// one; a name that very many models use is searched for.
const maxWalk = 16

// search returns the last signal with a name in the models up to one, or 0.
func (r *Resolution) search(model int, id statement.Name) Signal {
	r.indexing.Do(func() { r.index = r.indexOf() })
	all := r.index.signals[r.index.starts[id]:r.index.starts[id+1]]
	if i, _ := slices.BinarySearch(all, r.Bases[model+1]); i > 0 {
		return all[i-1]
	}
	return 0
}

func (r *Resolution) indexOf() nameIndex {
	x := nameIndex{make([]uint32, len(r.Last)+1), make([]Signal, len(r.Names)-1)}
	for _, id := range r.Names[1:] {
		x.starts[id]++
	}
	total := uint32(0)
	for id, n := range x.starts {
		x.starts[id] = total
		total += n
	}
	at := slices.Clone(x.starts)
	for s := Signal(1); int(s) < len(r.Names); s++ {
		x.signals[at[r.Names[s]]] = s
		at[r.Names[s]]++
	}
	return x
}

// modelOf returns the index of the model of a signal.
func (r *Resolution) modelOf(s Signal) int {
	return sort.Search(len(r.Bases), func(i int) bool { return r.Bases[i] > s }) - 1
}

// IsDriven reports whether a signal gets a value, or may get one.
func (r *Resolution) IsDriven(s Signal) bool {
	return r.Driver[s] != 0 || r.Facts[s]&(FactInput|FactClock) != 0 || r.MaybeDriven[s] != 0
}
