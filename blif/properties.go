package blif

import (
	"slices"
	"strings"

	"aiglens/blif/cells"
	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Properties returns what there is to check, in text order of the rule that
// applies; see Rule. Lemmas and covers leave the rule to the others and come last, those
// of cells before those of comments.
func (f *File) Properties() []Property {
	top := f.Top()
	if top == nil {
		return nil
	}
	stated := f.pragmaProperties(top)
	if slices.ContainsFunc(stated, func(p Property) bool { return !p.isAside() }) {
		return numbered(stated)
	}
	var fromCells, asides []Property
	for _, p := range f.cellProperties(top) {
		if p.isAside() {
			asides = append(asides, p)
		} else {
			fromCells = append(fromCells, p)
		}
	}
	stated = append(asides, stated...)
	for _, ps := range [][]Property{fromCells, f.namedProperties(top)} {
		if len(ps) > 0 {
			return numbered(append(ps, stated...))
		}
	}
	ps := f.outputProperties(top)
	if len(ps) < len(top.PortNames(cells.Output)) {
		numbered(ps) // bads: AIGER would take the other outputs for properties, too
	}
	return append(ps, numbered(stated)...)
}

// The kinds of properties that say nothing about what the design must not do.
const (
	kindLemma = "lemma"
	kindCover = "cover"
)

// isAside reports whether the property leaves open which others there are.
func (p Property) isAside() bool { return p.Kind == kindLemma || p.Kind == kindCover }

// numbered gives the properties their positions in the circuit.
func numbered(ps []Property) []Property {
	counts := map[circuit.PropertyKind]int{}
	for i := range ps {
		kind := circuit.PropertyBad
		switch ps[i].Kind {
		case "justice", "live":
			kind = circuit.PropertyJustice
		case kindLemma:
			kind = circuit.PropertyLemma
		case kindCover:
			kind = circuit.PropertyCover
		}
		ps[i].ID = circuit.Property{Kind: kind, Index: counts[kind]}
		counts[kind]++
	}
	return ps
}

func (f *File) pragmaProperties(top *Model) []Property {
	var all []Property
	for _, p := range f.PragmasOf(top) {
		lo, hi := p.Signals(f)
		if lo == hi {
			continue
		}
		word := f.WordOf(p.Chunk, p.Pragma.Tokens[0])
		kind := statement.PragmaKindOf(word)
		switch kind {
		case statement.PragmaBad, statement.PragmaAssert, statement.PragmaLemma, statement.PragmaCover, statement.PragmaJustice, statement.PragmaLive:
		default:
			continue
		}
		q := Property{
			Rule: rulePragma, Kind: word, Negated: kind == statement.PragmaAssert || kind == statement.PragmaLemma,
			Span: f.Text().LineSpan(f.Text().LineAt(f.TokenSpan(p.Chunk, p.Pragma.Tokens[0]).Start)),
		}
		var names []string
		for i := lo; i < hi; i++ {
			q.Signals = append(q.Signals, f.Resolved().Lookup(top.Index, p.Pragma.Names[i]))
			names = append(names, f.NameText(p.Pragma.Names[i]))
		}
		q.Name = strings.Join(names, " ")
		if n := len(p.Pragma.Tokens); hi < n && n > hi {
			if label := strings.Trim(f.WordOf(p.Chunk, p.Pragma.Tokens[n-1]), `"`); label != "" {
				q.Name = label
			}
		}
		all = append(all, q)
	}
	return all
}

// ShownOutputs returns which outputs of the top model are there only to show a property
// to other tools, as "# prop: shown" says; nil where comments make no properties.
func (f *File) ShownOutputs() []bool {
	top := f.Top()
	if top == nil {
		return nil
	}
	shown := map[Signal]bool{}
	for _, p := range f.PragmasOf(top) {
		lo, hi := p.Signals(f)
		if lo < hi && statement.PragmaKindOf(f.WordOf(p.Chunk, p.Pragma.Tokens[0])) == statement.PragmaShown {
			shown[f.Resolved().Lookup(top.Index, p.Pragma.Names[lo])] = true
		}
	}
	if ps := f.Properties(); len(shown) == 0 || len(ps) == 0 || ps[0].Rule != rulePragma {
		return nil
	}
	all := make([]bool, len(top.PortNames(cells.Output)))
	f.Outputs(top, func(i int, _ string, s Signal, _ source.Span) { all[i] = shown[s] })
	return all
}

// namedProperties returns the outputs whose names match a pattern for bad or
// good signals.
func (f *File) namedProperties(top *Model) []Property {
	o := f.options.Properties.withDefaults()
	var all []Property
	f.Outputs(top, func(_ int, name string, s Signal, span source.Span) {
		switch {
		case matchesAny(o.Bad, name):
			all = append(all, Property{Rule: RuleName, Kind: "bad", Name: name, Signals: []Signal{s}, Span: span})
		case matchesAny(o.Assert, name):
			all = append(all, Property{Rule: RuleName, Kind: "assert", Name: name, Signals: []Signal{s}, Negated: true, Span: span})
		}
	})
	return all
}

func (f *File) outputProperties(top *Model) []Property {
	limit := f.options.Properties.outputLimit()
	if limit < 0 || !f.options.Properties.Combinational && !f.HasLatches() {
		return nil
	}
	assumed := f.AssumedOutput()
	var all []Property
	f.Outputs(top, func(i int, name string, s Signal, span source.Span) {
		if !assumed(name) {
			all = append(all, Property{
				ID:   circuit.Property{Kind: circuit.PropertyOutput, Index: i},
				Rule: RuleOutputs, Kind: "output", Name: name, Signals: []Signal{s}, Span: span,
			})
		}
	})
	if len(all) > limit {
		return nil
	}
	return all
}

// defaultOutputLimit is the number of outputs up to which all are properties.
const defaultOutputLimit = 25

func (o PropertyOptions) outputLimit() int {
	if o.OutputLimit == 0 {
		return defaultOutputLimit
	}
	return o.OutputLimit
}

// OutputsBeyond returns the number of outputs of the top model and the limit, where
// it has no property and more outputs than are taken for properties; else n is 0. A
// model without latches may have none for that reason besides; see HasLatches.
func (f *File) OutputsBeyond() (n, limit int) {
	limit = f.options.Properties.outputLimit()
	top := f.Top()
	if top == nil || limit < 0 || len(top.PortNames(cells.Output)) <= limit || len(f.Properties()) > 0 {
		return 0, 0
	}
	assumed := f.AssumedOutput()
	f.Outputs(top, func(_ int, name string, _ Signal, _ source.Span) {
		if !assumed(name) {
			n++
		}
	})
	if n <= limit {
		return 0, 0
	}
	return n, limit
}

// NamesCount reports whether names of outputs say what is a constraint beside these
// properties of the file: unless comments or formal cells say what is checked. Lemmas
// and covers leave it open, and so does a file without properties.
func NamesCount(ps []Property) bool {
	i := slices.IndexFunc(ps, func(p Property) bool { return !p.isAside() })
	return i < 0 || ps[i].Rule == RuleName || ps[i].Rule == RuleOutputs
}

// AssumedOutput returns whether an output is a constraint by its name, where names count.
func (f *File) AssumedOutput() func(name string) bool {
	o := f.options.Properties.withDefaults()
	return func(name string) bool {
		return matchesAny(o.Assume, name) && !matchesAny(o.Bad, name) && !matchesAny(o.Assert, name)
	}
}

// Outputs calls visit for the outputs of a model, with the place of each in
// .outputs; of a model without that line the place of what drives it.
func (f *File) Outputs(m *Model, visit func(i int, name string, s Signal, span source.Span)) {
	r := f.Resolved()
	for i, id := range m.PortNames(cells.Output) {
		s := r.Lookup(m.Index, id)
		var span source.Span
		if m.HasPortLines {
			span = f.RefSpan(m.OutputList[i].Ref)
		} else if r.Driver[s] != 0 {
			span = f.DrivenSpan(int(r.Driver[s])-1, id)
		}
		visit(i, f.NameText(id), s, span)
	}
}

// HasLatches reports whether there is a latch in the top model or an instance below it,
// or perhaps one in another file.
func (f *File) HasLatches() bool {
	top := f.Top()
	if top == nil {
		return false
	}
	found := map[*Model]bool{top: true}
	for rest := []*Model{top}; len(rest) > 0; {
		m := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if m.holdsLatch() {
			return true
		}
		for _, call := range f.Resolved().Calls[m.Index] {
			below := call.Block.Model
			switch {
			case below != nil && below.File != f, call.Block.Cell != nil && call.Block.Cell.IsLatch():
				return true
			case below != nil && !found[below]:
				found[below] = true
				rest = append(rest, below)
			}
		}
	}
	return false
}

// holdsLatch reports whether a statement of the model is a latch.
func (m *Model) holdsLatch() bool {
	f := m.File
	for k, _ := f.Locate(m.From); k < len(f.Chunks) && int(f.Firsts[k]) < m.BodyEnd; k++ {
		all, first := f.Chunks[k].Stmts, int(f.Firsts[k])
		for _, st := range all[max(0, m.From-first):min(len(all), m.BodyEnd-first)] {
			if st.Kind == statement.KindLatch || st.Kind == statement.KindMlatch || st.Kind == statement.KindFlop {
				return true
			}
		}
	}
	return false
}

// Pattern is one of the patterns of the options, in one of their lists: the same text may be in several.
type Pattern struct{ List, Text string } // List: "bad", "assert" or "assume"

// Idle are patterns of the options that make no output of the top model a property or a constraint.
type Idle struct {
	Unmatched []Pattern // that no output matches
	Taken     []Pattern // whose outputs a pattern of another list takes
	// By is what says what is checked where no pattern counts: comments or formal cells; "" where
	// patterns count.
	By string
}

// IdlePatterns returns the patterns that were given in vain for a file.
func IdlePatterns(f *File) (idle Idle) {
	top, o := f.Top(), f.options.Properties
	if top == nil {
		return idle
	}
	if ps := f.Properties(); !NamesCount(ps) {
		idle.By = ps[slices.IndexFunc(ps, func(p Property) bool { return !p.isAside() })].By()
	}
	lists := []struct {
		name     string
		patterns []string
	}{{"bad", o.Bad}, {"assert", o.Assert}, {"assume", o.Assume}}
	matched, used := map[Pattern]bool{}, map[Pattern]bool{}
	f.Outputs(top, func(_ int, name string, _ Signal, _ source.Span) {
		isTaken := false
		for _, list := range lists {
			for _, text := range list.patterns {
				if p := (Pattern{list.name, text}); matches(text, name) {
					matched[p], used[p] = true, used[p] || !isTaken
				}
			}
			isTaken = isTaken || matchesAny(list.patterns, name)
		}
	})
	for _, list := range lists {
		for _, text := range list.patterns {
			switch p := (Pattern{list.name, text}); {
			case text == "": // stands for no pattern
			case !matched[p]:
				idle.Unmatched = append(idle.Unmatched, p)
			case !used[p] || idle.By != "":
				idle.Taken = append(idle.Taken, p)
			}
		}
	}
	return idle
}

func (o PropertyOptions) withDefaults() PropertyOptions {
	if len(o.Bad) == 0 && len(o.Assert) == 0 && len(o.Assume) == 0 {
		o.Bad, o.Assert, o.Assume = defaultPatterns.Bad, defaultPatterns.Assert, defaultPatterns.Assume
	}
	return o
}

func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if matches(p, name) {
			return true
		}
	}
	return false
}

// matches reports whether a name fits a pattern, in which '*' stands for any
// characters.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, parts[len(parts)-1])
}
