package proof

import (
	"cmp"
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/ic3/sat"
)

// WordEffort is what a search for facts about words may spend, in the measure of MinimizeStats,
// however little was spent on making the invariant small: below 0.2 s.
const WordEffort = 2 * minEffort

// Bounds of what is searched.
const (
	maxWordBits  = 128
	mostNever    = 3    // values of a word that are listed as never taken
	maxFreeBits  = 8    // of a word all of whose values are tried
	maxAskedBits = 6    // of one whose values depend on other latches, too
	maxConflicts = 2000 // of one query
)

// Shares of the effort that may be spent until the end of the bounds, and of the values that are
// never taken. What is left is for comparisons.
const (
	boundShare = 60 // percent
	neverShare = 80
)

// Word is a word of which facts are searched.
type Word struct {
	facts.Word
	// Named are the values that have names, where x is any. Each is a fact when it is never taken.
	Named [][]circuit.Value
}

// WordFacts are statements about words that hold in all states of an invariant as far as this
// package knows: facts.Implied certifies them.
type WordFacts struct {
	Facts []facts.WordFact // by words; then sums
	// LeftOut are the words about which not everything is known: they have too many bits, or the
	// effort ended the search.
	LeftOut []int
	Effort  int64
	Queries int64
}

// FindWordFacts finds what an invariant, which is given as facts, says about words. That is, of
// each word with a bit about which the invariant says something and that is not constant:
//
//   - the least and greatest value,
//   - the values that are never taken, where they are few, and those that have names,
//   - whether at most or exactly one of its bits is 1,
//   - other words that always have the same value, or one that differs by a constant.
//
// Left out is what already follows from constant latches and from bits that are the same. Bounds
// and values are exact: there is a state of the invariant in which the word has its least value.
// The error is that of ctx.
func FindWordFacts(ctx context.Context, f facts.Facts, words []Word, effort int64) (WordFacts, error) {
	if err := ctx.Err(); err != nil || f.Never {
		return WordFacts{}, err
	}
	x := newWordSearch(ctx, f, words, effort)
	if err := x.each(boundShare, x.bounds); err != nil || x.isEmpty {
		return WordFacts{}, err
	}
	if err := x.each(neverShare, x.never); err != nil {
		return WordFacts{}, err
	}
	slices.SortStableFunc(x.found.Facts, func(a, b facts.WordFact) int { return cmp.Compare(a.Word, b.Word) })
	if err := x.sums(); err != nil {
		return WordFacts{}, err
	}
	for _, w := range x.words {
		if w.isLeftOut {
			x.found.LeftOut = append(x.found.LeftOut, w.index)
		}
	}
	slices.Sort(x.found.LeftOut)
	x.found.Effort = x.spent
	return x.found, ctx.Err()
}

// wordSearch is a call of FindWordFacts. Its variables are numbered from 1 on: latches, and bits
// that are open.
type wordSearch struct {
	ctx     context.Context
	given   []Word
	clauses cert.Invariant        // over variables of the search
	with    map[circuit.Var][]int // the clauses with a variable, by position
	vars    map[circuit.Var]circuit.Lit
	firsts  map[circuit.Var]circuit.Lit // of latches that equal another one, the first of these
	numVars int
	words   []*word
	solver  sat.Solver
	effort  int64
	spent   int64
	found   WordFacts
	isEmpty bool // the invariant has no state
}

// word is a word about which the invariant says something.
type word struct {
	index  int // among those that were given
	bits   []circuit.Lit
	signed bool
	named  [][]circuit.Value
	free   []circuit.Var // the variables of its bits, from the most significant on
	part   *part
	// isOther says that another word has the same bits: only the values with names are looked at.
	isOther bool
	// least and greatest are nil while they are not known.
	least, greatest []bool
	isOneHot        bool // at most one bit is 1
	isLeftOut       bool // not everything is known
}

// part is variables that clauses and words connect, with states of theirs. What holds of them
// depends on no other variables.
type part struct {
	vars    []circuit.Lit
	samples [][]bool            // by position in vars
	at      map[circuit.Var]int // positions in vars
}

func newWordSearch(ctx context.Context, f facts.Facts, given []Word, effort int64) *wordSearch {
	x := &wordSearch{ctx: ctx, given: given, effort: effort, with: map[circuit.Var][]int{},
		vars: map[circuit.Var]circuit.Lit{0: circuit.False}, firsts: map[circuit.Var]circuit.Lit{}}
	for _, l := range f.Constants {
		x.vars[l.Var()] = circuit.True.NotIf(l.IsNegated())
	}
	for _, class := range f.Equal {
		for _, l := range class[1:] {
			l = x.lit(l)
			x.firsts[l.Var()] = x.lit(class[0]).NotIf(l.IsNegated())
		}
	}
	f.Constants = nil
	joined := &joining{}
	for _, clause := range f.Invariant() {
		own := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			own[i] = x.lit(l)
			x.with[own[i].Var()] = append(x.with[own[i].Var()], len(x.clauses))
		}
		joined.join(own)
		x.clauses = append(x.clauses, own)
	}
	type key struct {
		bits   string
		signed bool
	}
	seen := map[key]bool{}
	for i := range given {
		if !x.isTold(given[i].Bits) {
			continue
		}
		w := x.word(i)
		k := key{string(appendLits(nil, given[i].Bits)), w.signed}
		w.isOther = seen[k]
		if len(w.free) < 2 || w.isOther && len(w.named) == 0 {
			continue
		}
		seen[k] = true
		if len(w.bits) > maxWordBits {
			x.found.LeftOut = append(x.found.LeftOut, i)
			continue
		}
		var lits []circuit.Lit
		for _, v := range w.free {
			lits = append(lits, v.Lit())
		}
		joined.join(lits)
		x.words = append(x.words, w)
	}
	if len(x.words) > 0 {
		x.load(joined)
	}
	return x
}

// isTold reports whether clauses refer to some of the bits of a word.
func (x *wordSearch) isTold(bits []circuit.Lit) bool {
	return slices.ContainsFunc(bits, func(l circuit.Lit) bool {
		own, ok := x.vars[l.Var()]
		return ok && len(x.with[own.Var()]) > 0
	})
}

// lit returns the literal of the search for one of the circuit.
func (x *wordSearch) lit(l circuit.Lit) circuit.Lit {
	own, ok := x.vars[l.Var()]
	if !ok {
		own = x.open()
		x.vars[l.Var()] = own
	}
	return own.NotIf(l.IsNegated())
}

// open returns a new variable.
func (x *wordSearch) open() circuit.Lit {
	x.numVars++
	return circuit.Var(x.numVars).Lit()
}

// word returns the word with an index, in variables of the search.
func (x *wordSearch) word(index int) *word {
	g := x.given[index]
	w := &word{index: index, signed: g.Signed, named: g.Named, bits: make([]circuit.Lit, len(g.Bits))}
	isKnown := map[circuit.Var]bool{0: true}
	for i := len(g.Bits) - 1; i >= 0; i-- {
		if g.Bits[i] == facts.Open {
			w.bits[i] = x.open()
		} else {
			w.bits[i] = x.lit(g.Bits[i])
		}
		if v := w.bits[i].Var(); !isKnown[v] {
			isKnown[v] = true
			w.free = append(w.free, v)
		}
	}
	return w
}

func appendLits(key []byte, lits []circuit.Lit) []byte {
	for _, l := range lits {
		key = append(key, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return key
}

// load makes the solver, and the parts of the words.
func (x *wordSearch) load(joined *joining) {
	d := sat.NewDefinitions(x.numVars + 1)
	for range x.numVars {
		d.Define(nil)
	}
	x.solver = sat.NewCore(d)
	for _, clause := range x.clauses {
		x.solver.AddClause(clause)
	}
	parts := map[circuit.Var]*part{}
	for _, w := range x.words {
		root := joined.root(w.free[0])
		if parts[root] == nil {
			parts[root] = &part{at: map[circuit.Var]int{}}
		}
		w.part = parts[root]
	}
	for i := range x.numVars {
		v := circuit.Var(i + 1)
		if p := parts[joined.root(v)]; p != nil {
			p.at[v] = len(p.vars)
			p.vars = append(p.vars, v.Lit())
		}
	}
}

// joining holds sets of variables that belong together (Tarjan, "Efficiency of a Good But Not Linear
// Set Union Algorithm", JACM 1975, without ranks).
type joining struct{ parent map[circuit.Var]circuit.Var }

func (j *joining) root(v circuit.Var) circuit.Var {
	for {
		to, ok := j.parent[v]
		if !ok {
			return v
		}
		if next, ok := j.parent[to]; ok {
			j.parent[v] = next
		}
		v = to
	}
}

func (j *joining) join(lits []circuit.Lit) {
	if j.parent == nil {
		j.parent = map[circuit.Var]circuit.Var{}
	}
	for i := 1; i < len(lits); i++ {
		if a, b := j.root(lits[0].Var()), j.root(lits[i].Var()); a != b {
			j.parent[b] = a
		}
	}
}

// solve asks for a state of a part, which becomes a sample. It is unsolved once the effort is spent.
func (x *wordSearch) solve(s sat.Solver, p *part, q sat.Query) (sat.Result, error) {
	if x.spent >= x.effort {
		return sat.Unsolved, x.ctx.Err()
	}
	q.Roots, q.MaxConflicts = p.vars, maxConflicts
	before := s.Stats()
	r, err := s.Solve(x.ctx, q)
	after := s.Stats()
	x.found.Queries++
	x.spent += effortPerQuery + after.Propagations - before.Propagations +
		(after.DomainVars-before.DomainVars+int64(len(q.Assumptions)))/domainShare
	if r != sat.Sat {
		return r, err
	}
	state := make([]bool, len(p.vars))
	for i, l := range p.vars {
		state[i] = s.Value(l) == circuit.One
	}
	p.samples = append(p.samples, state)
	x.spent += int64(len(p.vars) / lookShare)
	return r, err
}

// each finds something about all words of which everything is known so far, until a share of the
// effort is spent.
func (x *wordSearch) each(percent int64, find func(*word) (isKnown bool, err error)) error {
	for _, w := range x.words {
		if w.isLeftOut || x.isEmpty {
			continue
		}
		isKnown := x.spent < x.effort*percent/100
		if isKnown {
			var err error
			if isKnown, err = find(w); err != nil {
				return err
			}
		}
		if !isKnown {
			x.leaveOut(w)
		}
	}
	return nil
}

func (x *wordSearch) leaveOut(w *word) { w.isLeftOut = true }

func (x *wordSearch) add(f facts.WordFact) { x.found.Facts = append(x.found.Facts, f) }

// bounds finds whether at most one bit is 1, and the least and the greatest value. A bound that
// follows from the former is no fact.
func (x *wordSearch) bounds(w *word) (isKnown bool, err error) {
	if len(w.part.samples) == 0 {
		r, err := x.solve(x.solver, w.part, sat.Query{})
		if r != sat.Sat {
			x.isEmpty = r == sat.Unsat
			return false, err
		}
	}
	if w.isOther {
		return true, nil
	}
	least, isKnown, err := x.extreme(w, false)
	if !isKnown || err != nil {
		return false, err
	}
	greatest, isKnown, err := x.extreme(w, true)
	if !isKnown || err != nil {
		return false, err
	}
	w.least, w.greatest = least, greatest
	kind, isOneHot, isKnown, err := x.countOnes(w)
	if !isKnown || err != nil {
		return false, err
	}
	lowest, highest := trivial(w, false), trivial(w, true)
	if isOneHot {
		x.add(facts.WordFact{Kind: kind, Word: w.index})
		w.isOneHot = true
		lowest, highest = oneHotBounds(w, kind)
	}
	if !slices.Equal(least, lowest) {
		x.add(facts.WordFact{Kind: facts.AtLeast, Word: w.index, Value: valuesOf(least)})
	}
	if !slices.Equal(greatest, highest) {
		x.add(facts.WordFact{Kind: facts.AtMost, Word: w.index, Value: valuesOf(greatest)})
	}
	return true, nil
}

// extreme finds the greatest value, or the least one, from the most significant bit on. Where no
// state is known in which the next bit is as good as it can be, it asks for one.
func (x *wordSearch) extreme(w *word, greatest bool) (value []bool, isKnown bool, err error) {
	agreeing := slices.Clone(w.part.samples) // with the bits that are known
	var ones []circuit.Lit
	for i := len(w.bits) - 1; i >= 0; i-- {
		l := better(w, i, greatest)
		if l.Var() == 0 || slices.Contains(ones, l) || slices.Contains(ones, l.Not()) {
			continue
		}
		at := w.part.at[l.Var()]
		agrees := func(state []bool) bool { return state[at] != l.IsNegated() }
		x.spent += int64(len(agreeing) / lookShare)
		if !slices.ContainsFunc(agreeing, agrees) {
			r, err := x.solve(x.solver, w.part, sat.Query{Assumptions: append(slices.Clip(ones), l)})
			switch r {
			case sat.Unsat:
				ones = append(ones, l.Not())
				continue
			case sat.Unsolved:
				return nil, false, err
			}
			agreeing = append(agreeing, w.part.samples[len(w.part.samples)-1])
		}
		ones = append(ones, l)
		agreeing = slices.DeleteFunc(agreeing, func(state []bool) bool { return !agrees(state) })
	}
	return valueWith(w.bits, ones), true, nil
}

// better returns the literal that is 1 where a bit makes the value greater, or less.
func better(w *word, bit int, greatest bool) circuit.Lit {
	isSign := w.signed && bit == len(w.bits)-1
	return w.bits[bit].NotIf(isSign == greatest)
}

// trivial returns the greatest value, or the least one, that a word had if the invariant said
// nothing but constants.
func trivial(w *word, greatest bool) []bool {
	var ones []circuit.Lit
	for i := len(w.bits) - 1; i >= 0; i-- {
		if l := better(w, i, greatest); l.Var() != 0 && !slices.Contains(ones, l.Not()) {
			ones = append(ones, l)
		}
	}
	return valueWith(w.bits, ones)
}

// valueWith returns the value of bits of which some literals are 1.
func valueWith(bits, ones []circuit.Lit) []bool {
	value := make([]bool, len(bits))
	for i, l := range bits {
		value[i] = l == circuit.True || slices.Contains(ones, l)
	}
	return value
}

// countOnes finds whether at most one bit is 1, or exactly one. It needs three bits: of two,
// bounds say the same.
func (x *wordSearch) countOnes(w *word) (kind facts.WordKind, isOneHot, isKnown bool, err error) {
	var free []circuit.Lit
	for _, l := range w.bits {
		if l.Var() != 0 {
			free = append(free, l)
		}
	}
	if len(free) < 3 || len(free) > len(w.free) || slices.Contains(w.bits, circuit.True) {
		return 0, false, true, nil
	}
	for _, state := range w.part.samples {
		ones := 0
		for _, l := range free {
			if state[w.part.at[l.Var()]] != l.IsNegated() {
				ones++
			}
		}
		x.spent += int64(len(free) / lookShare)
		if ones > 1 {
			return 0, false, true, nil
		}
	}
	for i, l := range free[:len(free)-1] {
		r, err := x.solve(x.solver, w.part, sat.Query{Assumptions: []circuit.Lit{l}, Clause: free[i+1:]})
		if r != sat.Unsat {
			return 0, false, r == sat.Sat, err
		}
	}
	r, err := x.solve(x.solver, w.part, sat.Query{Assumptions: opposites(free)})
	kind = facts.AtMostOne
	if r == sat.Unsat {
		kind = facts.ExactlyOne
	}
	return kind, true, r != sat.Unsolved, err
}

func opposites(lits []circuit.Lit) []circuit.Lit {
	all := make([]circuit.Lit, len(lits))
	for i, l := range lits {
		all[i] = l.Not()
	}
	return all
}

// oneHotBounds returns the least and the greatest value of a word of whose bits at most one is 1.
func oneHotBounds(w *word, kind facts.WordKind) (least, greatest []bool) {
	var all [][]bool
	if kind == facts.AtMostOne {
		all = append(all, make([]bool, len(w.bits)))
	}
	for i, l := range w.bits {
		if l.Var() != 0 {
			value := make([]bool, len(w.bits))
			value[i] = true
			all = append(all, value)
		}
	}
	order := func(a, b []bool) int { return compareValues(w, a, b) }
	return slices.MinFunc(all, order), slices.MaxFunc(all, order)
}

// compareValues orders values of a word.
func compareValues(w *word, a, b []bool) int {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			isSign := w.signed && i == len(a)-1
			if a[i] != isSign {
				return 1
			}
			return -1
		}
	}
	return 0
}

func valuesOf(bits []bool) []circuit.Value {
	all := make([]circuit.Value, len(bits))
	for i, bit := range bits {
		all[i] = circuit.ValueOf(bit)
	}
	return all
}
