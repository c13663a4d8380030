package blif

import (
	"iter"
	"sort"

	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// Occurrence is a word of a File that names something.
type Occurrence struct {
	Span      source.Span
	Signal    Signal // 0 for words that are not signals: models, cells, formals
	Role      Role
	Statement int  // its number
	IsBit     bool // of a word that a comment makes
}

// NumSignals returns the number of signals of all models.
func (f *File) NumSignals() int { return len(f.Resolved().Names) - 1 }

// Name returns the name of a signal.
func (f *File) Name(s Signal) string {
	r := f.Resolved()
	if s == 0 || int(s) >= len(r.Names) {
		return ""
	}
	return f.NameText(r.Names[s])
}

// SignalModel returns the model of a signal.
func (f *File) SignalModel(s Signal) *Model {
	r := f.Resolved()
	if s == 0 || int(s) >= len(r.Names) {
		return nil
	}
	return f.Structure().Models[r.modelOf(s)]
}

// Signals returns the range of the signals of a model, the second one excluded.
func (m *Model) Signals() (from, to Signal) {
	r := m.File.Resolved()
	return r.Bases[m.Index], r.Bases[m.Index+1]
}

// Signal returns the signal with a name, or 0.
func (m *Model) Signal(name string) Signal {
	if id := m.File.FindName(name); id != 0 {
		return m.File.Resolved().Lookup(m.Index, id)
	}
	return 0
}

// CountUses returns how often a signal is read.
func (f *File) CountUses(s Signal) int {
	if r := f.Resolved(); int(s) < len(r.Uses) {
		return int(r.Uses[s])
	}
	return 0
}

// Definition returns where a signal gets its value: the first place when there
// are several, a pin of something unknown when that is all. ok is false for a
// signal that nothing drives.
func (f *File) Definition(s Signal) (o Occurrence, ok bool) {
	r := f.Resolved()
	if s == 0 || int(s) >= len(r.Names) {
		return Occurrence{}, false
	}
	if r.Driver[s] != 0 && r.Facts[s]&(FactInput|FactClock) == 0 {
		k, i := f.Locate(int(r.Driver[s]) - 1)
		for _, o := range f.OccurrencesOfStatement(k, i) {
			if o.Role.drives() && f.Chunks[k].Names[o.Token] == r.Names[s] {
				o.Signal = s
				return o.Occurrence, true
			}
		}
	}
	for o := range f.Occurrences(s) {
		if o.Role.drives() {
			return o, true
		}
	}
	if r.MaybeDriven[s] != 0 {
		for o := range f.Occurrences(s) {
			if o.Role == RolePin {
				return o, true
			}
		}
	}
	return Occurrence{}, false
}

// Occurrences yields the places of a signal in text order: those in the body
// of its model, in its don't-care network and in "# prop:" comments. The cost
// is that of one look at each chunk of the model, and at the words of those that may hold the name.
func (f *File) Occurrences(s Signal) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		r := f.Resolved()
		if s == 0 || int(s) >= len(r.Names) {
			return
		}
		m := f.Structure().Models[r.modelOf(s)]
		pragmas := f.pragmaPlaces(m, r.Names[s])
		ok := f.occurrencesOfName(m, r.Names[s], func(o Occurrence) bool {
			o.Signal = s
			for len(pragmas) > 0 && pragmas[0].Span.Start < o.Span.Start {
				p := pragmas[0]
				p.Signal, pragmas = s, pragmas[1:]
				if !yield(p) {
					return false
				}
			}
			return yield(o)
		})
		for i := 0; ok && i < len(pragmas); i++ {
			pragmas[i].Signal = s
			if !yield(pragmas[i]) {
				return
			}
		}
	}
}

// occurrencesOfName yields the places of a name as a signal of a model.
func (f *File) occurrencesOfName(m *Model, id statement.Name, yield func(Occurrence) bool) bool {
	first, _ := f.Locate(m.From)
	for k := first; k < len(f.Chunks) && int(f.Firsts[k]) < m.To; k++ {
		c := f.Chunks[k]
		if !c.MayHold(id) {
			continue
		}
		last := -1 // the statement looked at last
		for t, other := range c.Names {
			if other != id {
				continue
			}
			i := sort.Search(len(c.Stmts), func(i int) bool { return int(c.Stmts[i].Token) > t }) - 1
			stmt := int(f.Firsts[k]) + i
			if i == last || stmt < m.From || stmt >= m.To {
				continue
			}
			last = i
			for _, o := range f.OccurrencesOfStatement(k, i) {
				if o.Role.IsSignal() && c.Names[o.Token] == id {
					if !yield(o.Occurrence) {
						return false
					}
				}
			}
		}
	}
	return true
}

// tokenOccurrence is an occurrence with its token.
type tokenOccurrence struct {
	Occurrence
	Token uint32
}

// OccurrencesOfStatement returns the words of a statement that name something,
// without their signals.
func (f *File) OccurrencesOfStatement(k, i int) []tokenOccurrence {
	c := f.Chunks[k]
	stmt := int(f.Firsts[k]) + i
	m := f.ModelAt(stmt)
	var b Block
	if c.Stmts[i].Kind.IsInstance() {
		b = f.InstanceOf(k, i)
	}
	var all []tokenOccurrence
	f.Roles(k, i, b, func(t uint32, role Role) {
		if m != nil && stmt >= m.BodyEnd && role.IsSignal() {
			role = RoleMention
		}
		all = append(all, tokenOccurrence{Occurrence{Span: f.TokenSpan(k, c.Tokens[t]), Role: role, Statement: stmt}, t})
	})
	return all
}

// InstanceOf returns what an instance statement is made of.
func (f *File) InstanceOf(k, i int) Block {
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	if lo+1 >= hi {
		return Block{}
	}
	return f.block(c.Stmts[i].Kind, f.NameText(c.Names[lo+1]))
}

// pragmaPlaces returns the places of a name in the pragmas and words of a model.
func (f *File) pragmaPlaces(m *Model, id statement.Name) []Occurrence {
	var all []Occurrence
	for _, p := range f.PragmasOf(m) {
		lo, hi := p.Signals(f)
		for j := lo; j < hi; j++ {
			if p.Pragma.Names[j] == id {
				all = append(all, Occurrence{
					Span: f.TokenSpan(p.Chunk, p.Pragma.Tokens[j]), Role: RoleProperty, Statement: int(f.Firsts[p.Chunk] + p.Pragma.Statement),
				})
			}
		}
	}
	for _, w := range wordLinesOf(f, m) {
		for j, name := range w.Pragma.Names {
			if name == id {
				all = append(all, Occurrence{
					Span: f.TokenSpan(w.Chunk, w.Pragma.Tokens[j]), Role: RoleMention, Statement: int(f.Firsts[w.Chunk] + w.Pragma.Statement), IsBit: true,
				})
			}
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].Span.Start < all[b].Span.Start })
	return all
}

// OccurrencesIn yields the words that name something in the statements that
// span touches. Its cost is that of those statements.
func (f *File) OccurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		r := f.Resolved()
		end := f.StatementAt(span.End()).ID
		for id := f.StatementAt(span.Start).ID; id <= end; id++ {
			k, i := f.Locate(id)
			m := f.ModelAt(id)
			var places []Occurrence
			for _, o := range f.OccurrencesOfStatement(k, i) {
				if m != nil && o.Role.IsSignal() {
					o.Signal = r.Lookup(m.Index, f.Chunks[k].Names[o.Token])
				}
				places = append(places, o.Occurrence)
			}
			places = append(places, f.pragmaOccurrences(k, i, m)...)
			sort.SliceStable(places, func(a, b int) bool { return places[a].Span.Start < places[b].Span.Start })
			for _, o := range places {
				if o.Span.End() >= span.Start && o.Span.Start <= span.End() && !yield(o) {
					return
				}
			}
		}
	}
}

// pragmaOccurrences returns the signals that the pragmas and words of a statement name.
func (f *File) pragmaOccurrences(k, i int, m *Model) []Occurrence {
	c := f.Chunks[k]
	if m == nil && len(f.Structure().Models) > 0 {
		m = f.Structure().Models[0]
	}
	var all []Occurrence
	for j := range c.Pragmas {
		p := PlacedPragma{k, &c.Pragmas[j]}
		if int(p.Pragma.Statement) != i || m == nil {
			continue
		}
		lo, hi := p.Signals(f)
		for w := lo; w < hi; w++ {
			all = append(all, Occurrence{
				Span: f.TokenSpan(k, p.Pragma.Tokens[w]), Role: RoleProperty, Statement: int(f.Firsts[k]) + i,
				Signal: f.Resolved().Lookup(m.Index, p.Pragma.Names[w]),
			})
		}
	}
	for j := range c.Words {
		w := &c.Words[j]
		if int(w.Statement) != i || m == nil {
			continue
		}
		for t, name := range w.Names {
			if s := f.Resolved().Lookup(m.Index, name); s != 0 {
				all = append(all, Occurrence{Span: f.TokenSpan(k, w.Tokens[t]), Role: RoleMention, Statement: int(f.Firsts[k]) + i, Signal: s, IsBit: true})
			}
		}
	}
	return all
}

// OccurrenceAt returns the word at offset, or directly before it, that names
// something.
func (f *File) OccurrenceAt(offset int) (Occurrence, bool) {
	best, ok := Occurrence{}, false
	for o := range f.OccurrencesIn(source.Span{Start: offset}) {
		if o.Span.Contains(offset) {
			best, ok = o, true // of two that meet, the one after the cursor
		}
	}
	return best, ok
}

// Instance returns the model that an instance statement is made of, which may
// lie in another file; nil for a cell or when it is not known.
func (f *File) Instance(id int) *Model {
	k, i := f.Locate(id)
	if !f.Chunks[k].Stmts[i].Kind.IsInstance() {
		return nil
	}
	return f.InstanceOf(k, i).Model
}
