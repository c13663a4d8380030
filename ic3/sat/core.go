package sat

import (
	"context"
	"math"

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
//   - The temporary clause is not added. Like the assumptions it is decided: one
//     of its literals is chosen after them (Biere's constrain in CaDiCaL). So
//     every learnt clause follows from definitions and lemmas alone, and stays.
//
// Otherwise it is a conflict-driven solver in the manner of MiniSat (Eén and
// Sörensson 2003): two watched literals with blockers, binary clauses in lists of
// their own, first unique implication points with minimisation, activity order,
// saved phases, Luby restarts, reduction of learnt clauses by glue.
type coreSolver struct {
	defs *Definitions

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
	// By own literal.
	values  []int8 // 1 true, −1 false, 0 open
	watches [][]watch
	binary  [][]lit // q is in binary[p] iff p ∨ q is a clause… seen from ¬p

	arena   []uint32
	wasted  int // words of the arena that belong to deleted clauses
	learnts []cref
	lemmas  []cref
	units   []uint32 // gates that are lemmas: part of every domain

	trail  []lit
	limits []int // start of each decision level in trail
	head   int   // of propagation
	heap   []uint32
	// The heap orders the domain once a query has met a conflict. Most never
	// do, and take the domain as it comes, from position next on.
	heapBuilt bool
	next      int
	inc       float64
	dead      bool
	conflict  [2]lit // of a binary conflict

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

type watch struct {
	clause  cref
	blocker lit
}

const (
	activityDecay   = 0.95
	activityLimit   = 1e100
	restartUnit     = 64
	pollEvery       = 20_000 // propagations between two looks at the context
	firstMaxLearnts = 2000
	heapAfter       = 5 // conflicts of a query before its domain is ordered
)

// NewCore makes the solver that IC3 uses by default.
func NewCore(d *Definitions) Solver {
	s := &coreSolver{defs: d, local: make([]uint32, d.NumVars()), inc: 1, maxLearnts: firstMaxLearnts}
	s.arena = make([]uint32, 1, 1024)
	s.newVar(0) // own variable 0 is unused
	s.stamp = 1
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
	s.values = append(s.values, 0, 0)
	s.watches = append(s.watches, nil, nil)
	s.binary = append(s.binary, nil, nil)
	s.core = append(s.core, 0, 0)
	return n
}

// own returns the solver's literal for l, whose variable must be loaded.
func (s *coreSolver) own(l Lit) lit { return lit(s.local[l.Var()]<<1 | uint32(l&1)) }

// load makes sure that the definitions of the cone of l are there. The solver
// must be at level 0.
func (s *coreSolver) load(l Lit) lit {
	if s.local[l.Var()] != 0 {
		return s.own(l)
	}
	first := uint32(len(s.global))
	s.local[l.Var()] = s.newVar(l.Var())
	for n := first; n < uint32(len(s.global)); n++ {
		s.faninStart[n] = uint32(len(s.fanins))
		for _, w := range s.defs.Fanin(s.global[n]) {
			if s.local[w] == 0 {
				s.local[w] = s.newVar(w)
			}
			s.fanins = append(s.fanins, s.local[w])
		}
		s.faninEnd[n] = uint32(len(s.fanins))
	}
	for n := first; n < uint32(len(s.global)); n++ {
		s.defs.Clauses(s.global[n], func(c []Lit) {
			s.learnt = s.learnt[:0]
			for _, l := range c {
				s.learnt = append(s.learnt, s.own(l))
			}
			s.addClause(s.learnt, 0)
		})
	}
	return s.own(l)
}

// AddClause implements Solver.
func (s *coreSolver) AddClause(lits []Lit) {
	s.backtrack(0)
	s.model = false
	own := make([]lit, len(lits))
	for i, l := range lits {
		own[i] = s.load(l)
	}
	if len(own) == 1 {
		if v := own[0].variable(); s.faninStart[v] < s.faninEnd[v] {
			s.units = append(s.units, v)
		}
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
	s.limits = append(s.limits, len(s.trail))
	s.assign(l, 0)
}

// backtrack undoes all decisions above a level.
func (s *coreSolver) backtrack(level int) {
	if s.level() <= level {
		return
	}
	start := s.limits[level]
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
	s.head, s.next = start, 0
}

// conflictBinary is what propagate returns for a conflict of two literals.
const conflictBinary = reason(math.MaxUint32)

// propagate draws all conclusions. It returns 0, a clause that is false, or
// conflictBinary with the two literals in s.conflict.
func (s *coreSolver) propagate() reason {
	values, limited := s.values, s.level() > 0
	for s.head < len(s.trail) {
		p := s.trail[s.head]
		s.head++
		s.propagations++
		for _, q := range s.binary[p] {
			switch values[q] {
			case 0:
				if limited && s.domainMark[q>>1] != s.stamp {
					continue
				}
				s.assign(q, binaryReason|reason(p.not()))
			case -1:
				s.conflict = [2]lit{p.not(), q}
				return conflictBinary
			}
		}
		if c := s.propagateLong(p); c != 0 {
			return c
		}
	}
	return 0
}

// propagateLong visits the clauses that watch ¬p.
func (s *coreSolver) propagateLong(p lit) reason {
	values, arena := s.values, s.arena
	ws := s.watches[p]
	falseLit := uint32(p.not())
	kept := 0
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if values[w.blocker] > 0 {
			ws[kept] = w
			kept++
			continue
		}
		header := arena[w.clause]
		if header&flagDeleted != 0 {
			continue
		}
		c := arena[uint32(w.clause)+headerWords : uint32(w.clause)+headerWords+header>>2]
		if c[0] == falseLit {
			c[0], c[1] = c[1], falseLit
		}
		first := lit(c[0])
		if first != w.blocker && values[first] > 0 {
			ws[kept] = watch{w.clause, first}
			kept++
			continue
		}
		moved := false
		for k := 2; k < len(c); k++ {
			if l := lit(c[k]); values[l] >= 0 {
				c[1], c[k] = c[k], falseLit
				s.watches[l.not()] = append(s.watches[l.not()], watch{w.clause, first})
				moved = true
				break
			}
		}
		if moved {
			continue
		}
		ws[kept] = watch{w.clause, first}
		kept++
		if values[first] < 0 {
			kept += copy(ws[kept:], ws[i+1:])
			s.watches[p] = ws[:kept]
			return reason(w.clause)
		}
		if len(s.limits) == 0 || s.domainMark[first>>1] == s.stamp {
			s.assign(first, reason(w.clause))
		}
	}
	s.watches[p] = ws[:kept]
	return 0
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
	return circuit.ValueOf(s.values[s.own(l)] > 0)
}

// InCore implements Solver.
func (s *coreSolver) InCore(l Lit) bool {
	return s.local[l.Var()] != 0 && s.core[s.own(l)] == s.stamp
}

// Stats implements Solver.
func (s *coreSolver) Stats() Stats { return s.stats }

// Solve implements Solver.
func (s *coreSolver) Solve(ctx context.Context, q Query) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Unsolved, err
	}
	s.stats.Queries++
	s.begin(q)
	r, err := s.search(ctx)
	switch {
	case err != nil:
		s.backtrack(0)
		return Unsolved, err
	case r == Sat:
		s.stats.Sat++
		s.model = true
	case r == Unsolved:
		s.backtrack(0)
	default:
		s.stats.Unsat++
	}
	return r, nil
}

// begin sets up the query: everything loaded, the domain marked.
func (s *coreSolver) begin(q Query) {
	for _, v := range s.heap {
		s.heapPos[v] = -1
	}
	s.heap, s.heapBuilt, s.next = s.heap[:0], false, 0
	s.stamp++ // from here on nothing is in the domain
	s.backtrack(0)
	if s.wasted > len(s.arena)/2 {
		s.compact()
	}
	s.model = false
	s.assumptions, s.clause, s.domain = s.assumptions[:0], s.clause[:0], s.domain[:0]
	for _, l := range q.Assumptions {
		s.assumptions = append(s.assumptions, s.load(l))
	}
	s.hasClause, s.budget = q.Clause != nil, -1
	if q.MaxConflicts > 0 {
		s.budget = q.MaxConflicts
	}
	for _, l := range q.Clause {
		s.clause = append(s.clause, s.load(l))
	}
	for _, l := range q.Roots {
		s.mark(s.load(l).variable())
	}
	for _, l := range s.assumptions {
		s.mark(l.variable())
	}
	for _, l := range s.clause {
		s.mark(l.variable())
	}
	for _, v := range s.units {
		s.mark(v)
	}
	// An assumption that holds already has a level of its own all the same.
	if levels := len(s.global) + len(s.assumptions) + 2; len(s.levelMark) < levels {
		s.levelMark = append(s.levelMark, make([]uint32, levels-len(s.levelMark))...)
	}
	for i := 0; i < len(s.domain); i++ {
		v := s.domain[i]
		for _, w := range s.fanins[s.faninStart[v]:s.faninEnd[v]] {
			s.mark(w)
		}
	}
}

func (s *coreSolver) mark(v uint32) {
	if s.domainMark[v] != s.stamp {
		s.domainMark[v] = s.stamp
		s.domain = append(s.domain, v)
	}
}

// search is the main loop: propagate, learn from a conflict or decide.
func (s *coreSolver) search(ctx context.Context) (Result, error) {
	if s.dead {
		return Unsat, nil
	}
	conflicts, restart := int64(0), 0
	limit := int64(luby(restart)) * restartUnit
	nextPoll := s.propagations + pollEvery
	for {
		if c := s.propagate(); c != 0 {
			if s.level() == 0 {
				s.dead = true
				return Unsat, nil
			}
			conflicts++
			s.learn(c)
			if s.budget--; s.budget == 0 {
				return Unsolved, nil
			}
			continue
		}
		if s.propagations >= nextPoll {
			if err := ctx.Err(); err != nil {
				return Unsolved, err
			}
			nextPoll = s.propagations + pollEvery
		}
		if conflicts >= limit {
			conflicts, restart = 0, restart+1
			limit = int64(luby(restart)) * restartUnit
			s.backtrack(min(s.level(), len(s.assumptions)))
			s.reduce()
		}
		decided, failed := s.decideQuery()
		switch {
		case failed:
			return Unsat, nil
		case decided:
			continue
		}
		if !s.heapBuilt && (conflicts > heapAfter || restart > 0) {
			s.buildHeap()
		}
		v, ok := s.pick()
		if !ok {
			return Sat, nil
		}
		s.decide(lit(v<<1 | uint32(1-s.phase[v])>>1))
	}
}

// decideQuery decides the next assumption, and after them a literal of the
// clause. failed says that the query cannot be satisfied, with the core marked.
func (s *coreSolver) decideQuery() (decided, failed bool) {
	for s.level() < len(s.assumptions) {
		l := s.assumptions[s.level()]
		switch {
		case s.values[l] > 0:
			s.limits = append(s.limits, len(s.trail)) // nothing to decide at this level
		case s.values[l] < 0:
			s.markCore(l.not())
			s.core[l] = s.stamp
			return false, true
		default:
			s.decide(l)
			return true, false
		}
	}
	if !s.hasClause || s.level() > len(s.assumptions) {
		return false, false
	}
	open := -1
	for i, l := range s.clause {
		if s.values[l] > 0 {
			s.limits = append(s.limits, len(s.trail))
			s.clause[0], s.clause[i] = s.clause[i], s.clause[0]
			return false, false
		}
		if s.values[l] == 0 && open < 0 {
			open = i
		}
	}
	if open < 0 {
		for _, l := range s.clause {
			s.markCore(l.not())
		}
		return false, true
	}
	s.decide(s.clause[open])
	return true, false
}

// markCore marks the assumptions that the true literal l rests on.
func (s *coreSolver) markCore(l lit) {
	s.todo = append(s.todo[:0], l.variable())
	for len(s.todo) > 0 {
		v := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if s.seen[v] != 0 || s.levels[v] == 0 {
			continue
		}
		s.seen[v] = 1
		s.toClear = append(s.toClear, v)
		switch r := s.reasons[v]; {
		case r == 0:
			// A decision below the clause's level is an assumption.
			p := lit(v << 1)
			if s.values[p] < 0 {
				p = p.not()
			}
			s.core[p] = s.stamp
		case r&binaryReason != 0:
			s.todo = append(s.todo, lit(r&^binaryReason).variable())
		default:
			for _, q := range s.lits(cref(r)) {
				if w := lit(q).variable(); w != v {
					s.todo = append(s.todo, w)
				}
			}
		}
	}
	// seen stays set between the literals of a clause, so that shared reasons are
	// walked once; it is cleared with the query.
	s.clearSeen()
}

func (s *coreSolver) clearSeen() {
	for _, v := range s.toClear {
		s.seen[v] = 0
	}
	s.toClear = s.toClear[:0]
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
