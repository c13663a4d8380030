package sat

import (
	"context"

	"aiglens/circuit"
)

// coreSolver is a solver made for IC3: very many short queries, each about a
// small part of a large set of definitions.
//
//   - Definitions are loaded when a query first needs them, under numbers of
//     the solver's own, so that a frame holds no more than its queries touch.
//   - Decisions are taken only in the domain of the query: the cone of its
//     roots, assumptions and clause, and of all lemmas that are units. What lies
//     outside is functional and can be completed later, but for longer lemmas
//     outside the domain, which a model may violate; IC3 stands that.
//     Within a query propagation stays in the domain, too.
//   - A model is partial. A relevant gate is justified when values of other
//     variables imply its own, and these are relevant in turn; when all are
//     justified the rest does not matter and stays open.
//   - The temporary clause is not added. Like the assumptions it is decided: one
//     of its literals is chosen after them (Biere's constrain in CaDiCaL). So
//     every learnt clause follows from definitions and lemmas alone, and stays.
//
// Otherwise it is a conflict-driven solver in the manner of MiniSat (Eén and
// Sörensson 2003): two watched literals with blockers, binary clauses in lists of
// their own, first unique implication points with minimisation, activity order,
// saved phases, Luby restarts, reduction of learnt clauses by glue.
type coreSolver struct {
	defs    *Definitions
	options CoreOptions

	// By variable of the definitions.
	local []uint32 // its own number; 0 is not loaded
	// By own variable; 0 is unused.
	global     []Var
	levels     []int32
	reasons    []reason
	activity   []float64
	phase      []int8 // of the last assignment: 1, −1
	heapPos    []int32
	domainMark []uint32
	seen       []uint8
	faninStart []uint32 // its operands in fanins, up to faninEnd
	faninEnd   []uint32
	fanins     []uint32
	defStart   []uint32 // its clauses in defs, up to defEnd
	defEnd     []uint32
	relevance  []uint32 // stamp of the query in which it is relevant
	// By own literal.
	values  []int8 // 1 true, −1 false, 0 open
	watches [][]watch
	binary  [][]lit // q is in binary[p] iff ¬p ∨ q is a clause

	// loaded is the number of own variables, the lowest, whose definitions are
	// there. Those of the others follow with the next query.
	loaded uint32

	// defClauses holds the clauses of definitions less the literal of the defined
	// variable, each after a word of size·2, plus 1 when that literal is negated.
	defClauses []uint32

	arena   []uint32
	wasted  int // words of the arena that belong to deleted clauses
	learnts []cref
	lemmas  []cref
	units   []uint32 // gates that are lemmas: part of every domain

	trail     []lit
	limits    []limit // by decision level
	head      int     // of propagation
	heap      []uint32
	heapBuilt bool
	// relevant holds the variables whose values the query rests on; those before
	// position next are justified.
	relevant []uint32
	next     int
	inc      float64
	dead     bool
	conflict [2]lit // of a binary conflict

	// The present query.
	domain      []uint32
	stamp       uint32
	assumptions []lit
	clause      []lit
	hasClause   bool
	budget      int64    // conflicts left, or −1
	core        []uint32 // by own literal: stamp of the query in whose core it was
	model       bool

	learnt    []lit
	reported  []Lit // to options.Learnt
	todo      []uint32
	toClear   []uint32
	levelMark []uint32 // by decision level
	levelTick uint32

	maxLearnts   int
	propagations int64
	stats        Stats
}

// lit is a literal in the solver's own numbers, variable·2 plus 1 when negated.
type lit uint32

func (l lit) not() lit         { return l ^ 1 }
func (l lit) variable() uint32 { return uint32(l) >> 1 }

// cref is the position of a clause in the arena; 0 is none.
type cref uint32

// A clause in the arena is two words, size·4 + flags and glue, and its literals.
const (
	headerWords        = 2
	flagLearnt  uint32 = 1
	flagDeleted uint32 = 2
)

// reason says why a literal is true: 0 is a decision, the highest bit marks the
// other literal of a binary clause, anything else is a clause.
type reason uint32

const binaryReason reason = 1 << 31

// limit is what was there when a decision was taken.
type limit struct {
	trail, relevant, next int
}

type watch struct {
	clause  cref
	blocker lit
}

const (
	activityDecay   = 0.95
	activityLimit   = 1e100
	restartUnit     = 64
	pollEvery       = 20_000  // propagations between two looks at the context
	pollLoadEvery   = 1 << 10 // definitions loaded between two looks at the context
	firstMaxLearnts = 1000
	firstVars       = 128 // own variables for which there is room at first
	heapAfter       = 5   // conflicts of a query before its domain is ordered
)

// CoreOptions change the core solver, to measure what its parts bring.
type CoreOptions struct {
	// CompleteModels decides every variable of the domain instead of what the query
	// rests on.
	CompleteModels bool
	// WholeDomain makes everything that is loaded the domain of every query.
	WholeDomain bool
	// Vars is the number of variables that the definitions are expected to have. More can be
	// defined as long as no query has named them.
	Vars int
	// Learnt is called with each clause that is learnt, in order: it follows from the
	// definitions, the lemmas and those before by unit propagation. The slice is used
	// again. nil for nothing.
	Learnt func(clause []Lit)
	// Theory is asked about what the search assigns. Then Learnt reports clauses that follow only with
	// those of the theory. nil for none.
	Theory Theory
}

// NewCore makes the solver that IC3 uses by default.
func NewCore(d *Definitions) Solver { return CoreOptions{}.New(d) }

// New makes a core solver.
func (o CoreOptions) New(d *Definitions) Solver {
	s := newCoreSolver(min(d.NumVars()+1, firstVars))
	s.options, s.defs = o, d
	s.local = make([]uint32, max(d.NumVars(), o.Vars))
	s.newVar(0) // own variable 0 is unused
	s.loaded = 1
	s.stamp = 1
	return s
}

// newCoreSolver returns a solver with room for n own variables, most of them conjunctions of two.
func newCoreSolver(n int) *coreSolver {
	s := &coreSolver{
		global: make([]Var, 0, n), levels: make([]int32, 0, n), reasons: make([]reason, 0, n),
		activity: make([]float64, 0, n), phase: make([]int8, 0, n), heapPos: make([]int32, 0, n), seen: make([]uint8, 0, n),
		fanins: make([]uint32, 0, 2*n), defClauses: make([]uint32, 0, 7*n),
		values: make([]int8, 0, 2*n), watches: make([][]watch, 0, 2*n), binary: make([][]lit, 0, 2*n), core: make([]uint32, 0, 2*n),
		arena: make([]uint32, 1, 1024), inc: 1, maxLearnts: firstMaxLearnts,
	}
	for _, list := range []*[]uint32{&s.domainMark, &s.faninStart, &s.faninEnd, &s.defStart, &s.defEnd, &s.relevance} {
		*list = make([]uint32, 0, n)
	}
	return s
}

func (s *coreSolver) newVar(v Var) uint32 {
	n := uint32(len(s.global))
	s.global = append(s.global, v)
	s.levels = append(s.levels, 0)
	s.reasons = append(s.reasons, 0)
	s.activity = append(s.activity, 0)
	s.phase = append(s.phase, -1)
	s.heapPos = append(s.heapPos, -1)
	s.domainMark = append(s.domainMark, 0)
	s.seen = append(s.seen, 0)
	s.faninStart = append(s.faninStart, 0)
	s.faninEnd = append(s.faninEnd, 0)
	s.defStart = append(s.defStart, 0)
	s.defEnd = append(s.defEnd, 0)
	s.relevance = append(s.relevance, 0)
	s.values = append(s.values, 0, 0)
	s.watches = append(s.watches, nil, nil)
	s.binary = append(s.binary, nil, nil)
	s.core = append(s.core, 0, 0)
	return n
}

// grown returns list with at least n elements, new ones 0.
func grown(list []uint32, n int) []uint32 {
	if n <= len(list) {
		return list
	}
	return append(list, make([]uint32, n-len(list))...)
}

// own returns the solver's literal for l, whose variable must have a number.
func (s *coreSolver) own(l Lit) lit { return lit(s.local[l.Var()]<<1 | uint32(l&1)) }

// number gives the variable of l a number, if it has none, and returns the
// solver's literal for l.
func (s *coreSolver) number(l Lit) lit {
	if v := l.Var(); s.local[v] == 0 {
		s.local[v] = s.newVar(v)
	}
	return s.own(l)
}

// load makes sure that the definitions of the cones of lits and of all lemmas are
// there. The solver must be at level 0. After an error, that of ctx, the next
// call goes on.
func (s *coreSolver) load(ctx context.Context, lits []Lit) error {
	err := s.define(ctx)
	for _, l := range lits {
		if err != nil {
			return err
		}
		s.number(l)
		err = s.define(ctx)
	}
	return err
}

// define loads the definitions of the variables that have a number, and numbers
// what these are about.
func (s *coreSolver) define(ctx context.Context) error {
	for ; s.loaded < uint32(len(s.global)); s.loaded++ {
		n := s.loaded
		if n%pollLoadEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.faninStart[n] = uint32(len(s.fanins))
		for _, w := range s.defs.Fanin(s.global[n]) {
			s.fanins = append(s.fanins, s.number(w.Lit()).variable())
		}
		s.faninEnd[n] = uint32(len(s.fanins))
		s.defStart[n] = uint32(len(s.defClauses))
		s.defs.Clauses(s.global[n], func(c []Lit) {
			s.learnt = s.learnt[:0]
			header := len(s.defClauses)
			s.defClauses = append(s.defClauses, uint32(len(c)-1)<<1)
			for _, l := range c {
				q := s.own(l)
				s.learnt = append(s.learnt, q)
				if q.variable() == n {
					s.defClauses[header] |= uint32(q & 1)
				} else {
					s.defClauses = append(s.defClauses, uint32(q))
				}
			}
			s.addClause(s.learnt, 0)
		})
		s.defEnd[n] = uint32(len(s.defClauses))
	}
	return nil
}

// AddClause implements Solver.
func (s *coreSolver) AddClause(lits []Lit) {
	s.backtrack(0)
	s.model = false
	s.local = grown(s.local, s.defs.NumVars())
	own := make([]lit, len(lits))
	for i, l := range lits {
		own[i] = s.number(l)
	}
	if len(lits) == 1 && len(s.defs.Fanin(lits[0].Var())) > 0 {
		s.units = append(s.units, own[0].variable())
	}
	s.addClause(own, 0)
}

// addClause adds a clause at level 0, less what is fixed. lits is reordered.
func (s *coreSolver) addClause(lits []lit, flags uint32) {
	if s.dead {
		return
	}
	kept := lits[:0]
	for i, l := range lits {
		if s.values[l] > 0 {
			return
		}
		skip := s.values[l] < 0
		for _, other := range lits[:i] {
			if other == l.not() {
				return
			}
		}
		for _, k := range kept {
			skip = skip || k == l
		}
		if !skip {
			kept = append(kept, l)
		}
	}
	switch len(kept) {
	case 0:
		s.dead = true
	case 1:
		s.assign(kept[0], 0)
		if s.propagate() != 0 {
			s.dead = true
		}
	case 2:
		s.attachBinary(kept[0], kept[1])
	default:
		s.lemmas = append(s.lemmas, s.attach(kept, flags, 0))
	}
}

func (s *coreSolver) attachBinary(a, b lit) {
	s.binary[a.not()] = append(s.binary[a.not()], b)
	s.binary[b.not()] = append(s.binary[b.not()], a)
}

// attach stores a clause of three or more literals, the first two of them
// watched.
func (s *coreSolver) attach(lits []lit, flags, glue uint32) cref {
	c := cref(len(s.arena))
	s.arena = append(s.arena, uint32(len(lits))<<2|flags, glue)
	for _, l := range lits {
		s.arena = append(s.arena, uint32(l))
	}
	s.watches[lits[0].not()] = append(s.watches[lits[0].not()], watch{c, lits[1]})
	s.watches[lits[1].not()] = append(s.watches[lits[1].not()], watch{c, lits[0]})
	return c
}

// lits returns the literals of a clause in the arena.
func (s *coreSolver) lits(c cref) []uint32 {
	size := s.arena[c] >> 2
	return s.arena[uint32(c)+headerWords : uint32(c)+headerWords+size]
}

func (s *coreSolver) level() int { return len(s.limits) }

func (s *coreSolver) assign(l lit, r reason) {
	s.values[l], s.values[l.not()] = 1, -1
	v := l.variable()
	s.levels[v] = int32(len(s.limits))
	s.reasons[v] = r
	s.trail = append(s.trail, l)
}

func (s *coreSolver) decide(l lit) {
	s.openLevel()
	s.assign(l, 0)
}

func (s *coreSolver) openLevel() {
	s.limits = append(s.limits, limit{len(s.trail), len(s.relevant), s.next})
}

// backtrack undoes all decisions above a level.
func (s *coreSolver) backtrack(level int) {
	if s.level() <= level {
		return
	}
	to := s.limits[level]
	start := to.trail
	if s.options.Theory != nil {
		s.options.Theory.Undo(start)
	}
	for i := len(s.trail) - 1; i >= start; i-- {
		l := s.trail[i]
		s.values[l], s.values[l.not()] = 0, 0
		v := l.variable()
		s.phase[v] = 1 - 2*int8(l&1)
		if s.heapBuilt && s.heapPos[v] < 0 && s.domainMark[v] == s.stamp {
			s.heapInsert(v)
		}
	}
	s.trail = s.trail[:start]
	s.limits = s.limits[:level]
	s.head = start
	for _, v := range s.relevant[to.relevant:] {
		s.relevance[v] = 0
	}
	s.relevant, s.next = s.relevant[:to.relevant], to.next
}

// Value implements Solver.
func (s *coreSolver) Value(l Lit) circuit.Value {
	n := s.local[l.Var()]
	if l.Var() == 0 {
		return circuit.ValueOf(l == circuit.True)
	}
	if !s.model || n == 0 || s.domainMark[n] != s.stamp {
		return circuit.X
	}
	switch value := s.values[s.own(l)]; {
	case value > 0:
		return circuit.One
	case value < 0:
		return circuit.Zero
	}
	return circuit.X
}

// AppendModel implements Solver.
func (s *coreSolver) AppendModel(dst []Lit) []Lit {
	if !s.model {
		return dst
	}
	for _, l := range s.trail {
		v := l.variable()
		isFree := s.faninStart[v] == s.faninEnd[v]
		if s.domainMark[v] == s.stamp && s.global[v] != 0 && (isFree || s.relevance[v] == s.stamp) {
			dst = append(dst, s.global[v].Lit().NotIf(l&1 == 1))
		}
	}
	return dst
}

// InCore implements Solver.
func (s *coreSolver) InCore(l Lit) bool {
	return s.local[l.Var()] != 0 && s.core[s.own(l)] == s.stamp
}

// Stats implements Solver.
func (s *coreSolver) Stats() Stats {
	t := s.stats
	t.Propagations = s.propagations
	return t
}

// luby returns element i of the sequence 1 1 2 1 1 2 4 … (Luby, Sinclair and
// Zuckerman 1993).
func luby(i int) int {
	for {
		size, power := 1, 1
		for size < i+1 {
			size, power = 2*size+1, 2*power
		}
		if size == i+1 {
			return power
		}
		i -= size / 2
	}
}
