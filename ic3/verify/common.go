package verify

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Common is what runs about one circuit have found so far, for those that follow. Runs
// about justice properties take the invariants of its properties of safety for granted:
// what they prove holds these invariants, so that its certificate needs nothing else. Runs
// about properties of safety do the same with the lemmas of the text once these are proved,
// and begin with the other invariants where a first turn was too short. A counterexample to one
// property is held against all. Its methods may be called from any goroutine.
type Common struct {
	circuit *circuit.Circuit

	mu     sync.Mutex
	proved []provedCone // guarded by mu; only ever appended to
	// hits are, by property without an answer, a run in which it is violated. Guarded by mu.
	hits map[circuit.Property]hit
	// settled are the properties that have an answer. Guarded by mu.
	settled map[circuit.Property]bool
}

// provedCone is a proof of safety, and the cone that it is about.
type provedCone struct {
	cert.Checked
	fingerprint circuit.Fingerprint
}

// NewCommon returns one about a circuit, of which nothing is known.
func NewCommon(c *circuit.Circuit) *Common {
	return &Common{circuit: c, hits: map[circuit.Property]hit{}, settled: map[circuit.Property]bool{}}
}

// add keeps a result about the circuit.
func (p *Common) add(ctx context.Context, r Result) {
	if p == nil || r.Checked.Property().Kind.Question() == circuit.Liveness {
		return
	}
	switch r.Checked.Outcome() {
	case cert.Proved:
		p.settle(r.Checked.Property())
		p.mu.Lock()
		defer p.mu.Unlock()
		p.proved = append(p.proved, provedCone{r.Checked, r.Fingerprint})
	case cert.Refuted:
		p.settle(r.Checked.Property())
		p.tryTrace(ctx, r.Checked.Trace())
	}
}

// settle drops the run that violates a property, because it is not needed again.
func (p *Common) settle(id circuit.Property) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settled[id] = true
	delete(p.hits, id)
}

// maxGranted bounds the literals of all invariants that a run takes for granted.
const maxGranted = 10_000

// within returns the wanted ones of the invariants that refer to nothing but latches of a
// cone of the circuit, in its terms, and whose they are: the cones of their properties.
func (p *Common) within(cone *circuit.Cone, isWanted func(provedCone) bool) (clauses cert.Invariant, whose []circuit.Fingerprint) {
	if p == nil {
		return nil, nil
	}
	p.mu.Lock()
	all := p.proved
	p.mu.Unlock()
	own := p.latchesOf(cone)
	literals := 0
	for _, proved := range all {
		if !isWanted(proved) {
			continue
		}
		mapped, n := mapClauses(proved.Invariant(), own)
		if mapped == nil || literals+n > maxGranted || !p.fromStart(mapped, cone.Circuit) {
			continue
		}
		clauses, literals = append(clauses, mapped...), literals+n
		whose = append(whose, proved.fingerprint)
	}
	return clauses, whose
}

// fromStart reports whether an invariant of the circuit, in the terms of a cone, holds as
// early as it is read there. One of a circuit with reset functions need not hold in step 0,
// and a cone of it may have none of them.
func (p *Common) fromStart(inv cert.Invariant, cone *circuit.Circuit) bool {
	if !p.circuit.HasResetFunctions() || cone.HasResetFunctions() {
		return true
	}
	atReset := func(l circuit.Lit) bool {
		latch := cone.Latches()[cone.LatchIndex(l.Var())]
		return !latch.IsFree() && latch.Reset.NotIf(l.IsNegated()) == circuit.True
	}
	for _, clause := range inv {
		if !slices.ContainsFunc(clause, atReset) {
			return false
		}
	}
	return true
}

// Lemma is a lemma of the text that a job is about.
type Lemma struct {
	Property    circuit.Property
	Fingerprint circuit.Fingerprint // of its cone
	// Proof is a result that proves it, perhaps in another text; nil when none is known.
	Proof *Result
}

// recall adds the lemmas of which a proof is known. Each is checked against the circuit,
// and those that have an answer already are left out.
func (p *Common) recall(ctx context.Context, lemmas []Lemma) {
	if p == nil {
		return
	}
	for _, l := range lemmas {
		p.mu.Lock()
		known := p.settled[l.Property]
		p.mu.Unlock()
		if l.Proof == nil || known || l.Proof.Checked.Outcome() != cert.Proved {
			continue
		}
		if r, ok := l.Proof.TransferTo(ctx, p.circuit, l.Property); ok {
			p.add(ctx, r)
		}
	}
}

// LemmasOf returns the lemmas of the circuit that the proof of a property was given.
func (p *Common) LemmasOf(r Result) (lemmas []circuit.Property) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, proved := range p.proved {
		if id := proved.Property(); id.Kind == circuit.PropertyLemma && slices.Contains(r.Granted, proved.fingerprint) && !slices.Contains(lemmas, id) {
			lemmas = append(lemmas, id)
		}
	}
	return lemmas
}

// maxLemmas bounds the literals of all clauses that a run begins with, of either kind.
const maxLemmas = 10_000

// lemmas returns clauses of the invariants found so far, the newest first, that refer to
// nothing but latches of a cone of the circuit, in its terms: those of whole invariants, and
// those of others, which need not be inductive without the rest.
func (p *Common) lemmas(cone *circuit.Cone) (whole, parts cert.Invariant) {
	p.mu.Lock()
	all := p.proved
	p.mu.Unlock()
	own := p.latchesOf(cone)
	seen := map[string]bool{}
	ofWhole, ofParts := lemmas{seen: seen}, lemmas{seen: seen}
	for _, proved := range slices.Backward(all) {
		if ofWhole.full && ofParts.full {
			break
		}
		inv := proved.Invariant()
		if mapped, _ := mapClauses(inv, own); mapped != nil {
			ofWhole.add(mapped)
			continue
		}
		for i := range inv {
			if mapped, _ := mapClauses(inv[i:i+1], own); mapped != nil {
				ofParts.add(mapped)
			}
		}
	}
	return ofWhole.clauses, ofParts.clauses
}

// lemmas are different clauses, up to a number of literals.
type lemmas struct {
	clauses  cert.Invariant
	literals int
	full     bool
	seen     map[string]bool // of all kinds
}

// add sorts the clauses, and takes those that are new and fit.
func (l *lemmas) add(clauses cert.Invariant) {
	for _, clause := range clauses {
		if l.full {
			return
		}
		slices.Sort(clause)
		if key := fmt.Sprint(clause); !l.seen[key] {
			l.seen[key] = true
			l.literals += len(clause)
			l.clauses = append(l.clauses, clause)
			l.full = l.literals > maxLemmas
		}
	}
}

// latchesOf returns, by latch of the circuit, that of a cone.
func (p *Common) latchesOf(cone *circuit.Cone) map[circuit.Lit]circuit.Lit {
	own := make(map[circuit.Lit]circuit.Lit, len(cone.Latches))
	for i, at := range cone.Latches {
		own[p.circuit.Latches()[at].Lit] = cone.Circuit.Latches()[i].Lit
	}
	return own
}

// mapClauses returns clauses in other terms, and their number of literals; nil when there
// are none, or a latch has no other term.
func mapClauses(clauses cert.Invariant, to map[circuit.Lit]circuit.Lit) (mapped cert.Invariant, literals int) {
	for _, clause := range clauses {
		own := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			latch, ok := to[l.Var().Lit()]
			if !ok {
				return nil, 0
			}
			own[i] = latch.NotIf(l.IsNegated())
		}
		mapped, literals = append(mapped, own), literals+len(own)
	}
	return mapped, literals
}

// granted is a question with invariants as a constraint.
type granted struct {
	asked
	clauses cert.Invariant // over the cone
	whose   []circuit.Fingerprint
}

// grant adds what is proved of the circuit to a question: of liveness all invariants, of
// safety those of lemmas that do not say the same.
func (p *Common) grant(a asked) granted {
	clauses, whose := p.within(a.cone, func(proved provedCone) bool {
		return a.Question == circuit.Liveness || proved.Property().Kind == circuit.PropertyLemma && proved.fingerprint != a.cone.Fingerprint
	})
	return granted{clauses: clauses, whose: whose}.about(a)
}

// about adds the invariants to a question. With reset functions they hold from step 1 on, and are
// lowered to what holds in every step.
func (g granted) about(a asked) granted {
	g.asked = a
	switch {
	case len(g.clauses) == 0:
	case a.Question == circuit.Safety:
		g.Circuit = a.Circuit.Assuming(a.lower(g.clauses))
	default:
		b := circuit.NewBuilder(a.Circuit.NumVars())
		lit := a.Circuit.CopyTo(b)
		all := b.Clauses(a.lower(g.clauses), lit)
		a.Circuit.CopyRoles(b, lit)
		b.Constraint(all, 0)
		g.Circuit = b.Build()
	}
	return g
}

// lift is that of asked, with the invariants in that of a property of safety, and in each
// rank of one of liveness: what was granted is a part of what is then checked.
func (g granted) lift(ctx context.Context, v cert.Verdict) (cert.Verdict, error) {
	v = g.asked.lift(v)
	if g.Question == circuit.Safety {
		if v.Outcome == cert.Proved && !hasNoRun(v) {
			v.Invariant = slices.Concat(v.Invariant, g.clauses)
		}
		return v, nil
	}
	if v.Ranking == nil || len(g.clauses) == 0 {
		return v, nil
	}
	rep, err := g.cone.Circuit.RepetitionContext(ctx, g.cone.Property())
	if err != nil {
		return v, err
	}
	own, err := g.Circuit.RepetitionContext(ctx, g.Property())
	if err != nil {
		return v, err
	}
	if v.Ranking, err = mapRanking(v.Ranking, func(l circuit.Lit) (circuit.Lit, error) {
		if int(l.Var()) >= own.Circuit.NumVars() || own.Circuit.LatchIndex(l.Var()) < 0 {
			return 0, errNoLatch(l)
		}
		return rep.Circuit.Latches()[own.Circuit.LatchIndex(l.Var())].Lit.NotIf(l.IsNegated()), nil
	}); err != nil {
		return v, err
	}
	to := map[circuit.Lit]circuit.Lit{}
	for i, l := range g.cone.Circuit.Latches() {
		to[l.Lit] = rep.Circuit.Latches()[i].Lit
	}
	clauses, _ := mapClauses(g.clauses, to)
	if rep.First {
		// They hold from step 1 on, which follows from the resets in step 0.
		first := rep.Circuit.Latches()[rep.Latches].Lit
		for i := range clauses {
			clauses[i] = append(clauses[i], first)
		}
		for _, l := range rep.Circuit.Latches()[:rep.Latches] {
			if !l.IsFree() {
				clauses = append(clauses, []circuit.Lit{first.Not(), l.Lit.NotIf(l.Reset == circuit.False)})
			}
		}
	}
	ranks := make([]cert.Invariant, len(v.Ranking.Ranks))
	for i, rank := range v.Ranking.Ranks {
		ranks[i] = slices.Concat(rank, clauses)
	}
	v.Ranking = &cert.Ranking{Ranks: ranks, Monotone: v.Ranking.Monotone}
	return v, nil
}
