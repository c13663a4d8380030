package verify

import (
	"context"
	"slices"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Proved is what runs about one circuit have proved so far: the invariants of its
// properties of safety, which runs about its justice properties then take for granted. What
// these prove holds the invariants, so that its certificate needs nothing else. Its
// methods may be called from any goroutine.
type Proved struct {
	circuit *circuit.Circuit

	mu  sync.Mutex
	all []provedCone // guarded by mu; only ever appended to
}

// provedCone is a proof of safety, and the cone that it is about.
type provedCone struct {
	cert.Checked
	fingerprint circuit.Fingerprint
}

// NewProved returns one about a circuit, of which nothing is known.
func NewProved(c *circuit.Circuit) *Proved { return &Proved{circuit: c} }

// maxGranted bounds the literals of all invariants that a run takes for granted.
const maxGranted = 10_000

// add keeps a result about the circuit that is a proof of safety.
func (p *Proved) add(r Result) {
	if p == nil || r.Checked.Outcome() != cert.Proved || r.Checked.Ranking() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, provedCone{r.Checked, r.Fingerprint})
}

// within returns invariants that speak of nothing but latches of a cone of the circuit,
// in its terms, and whose they are: the cones of their properties.
func (p *Proved) within(cone *circuit.Cone) (clauses cert.Invariant, whose []circuit.Fingerprint) {
	if p == nil {
		return nil, nil
	}
	p.mu.Lock()
	all := p.all
	p.mu.Unlock()
	own := make(map[circuit.Lit]circuit.Lit, len(cone.Latches)) // by latch of the circuit
	for i, at := range cone.Latches {
		own[p.circuit.Latches()[at].Lit] = cone.Circuit.Latches()[i].Lit
	}
	literals := 0
	for _, proved := range all {
		mapped, n := mapClauses(proved.Invariant(), own)
		if mapped == nil || literals+n > maxGranted {
			continue
		}
		clauses, literals = append(clauses, mapped...), literals+n
		whose = append(whose, proved.fingerprint)
	}
	return clauses, whose
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

// granted is a question of liveness with invariants as a constraint.
type granted struct {
	asked
	clauses cert.Invariant // over the cone
	whose   []circuit.Fingerprint
}

// grant adds what is proved of the circuit to a question of liveness.
func (p *Proved) grant(a asked) granted {
	g := granted{asked: a}
	if a.Question != circuit.Liveness {
		return g
	}
	if g.clauses, g.whose = p.within(a.cone); len(g.clauses) == 0 {
		return g
	}
	b := circuit.NewBuilder(a.Circuit.NumVars())
	lit := a.Circuit.CopyTo(b)
	all := b.Clauses(a.lower(g.clauses), lit)
	a.Circuit.CopyRoles(b, lit)
	b.Constraint(all, 0)
	g.Circuit = b.Build()
	return g
}

// lift is that of asked, with the invariants in each rank.
func (g granted) lift(ctx context.Context, v cert.Verdict) (cert.Verdict, error) {
	v = g.asked.lift(v)
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
		for i := range clauses {
			clauses[i] = append(clauses[i], rep.Circuit.Latches()[rep.Latches].Lit)
		}
	}
	ranks := make([]cert.Invariant, len(v.Ranking.Ranks))
	for i, rank := range v.Ranking.Ranks {
		ranks[i] = slices.Concat(rank, clauses)
	}
	v.Ranking = &cert.Ranking{Ranks: ranks, Monotone: v.Ranking.Monotone}
	return v, nil
}
