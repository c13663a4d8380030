package inquiry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/ic3"
	"aiglens/ic3/bmc"
	"aiglens/internal/thread"
)

// GuessKind is what a suggestion says.
type GuessKind uint8

// The kinds, the plainest first.
const (
	GuessConstant    GuessKind = iota // a latch never changes
	GuessEqual                        // two latches or more are equal or opposite
	GuessGroup                        // of three literals or more at most one is 1
	GuessImplication                  // of two literals one is 1
	GuessClause                       // of some literals one is 1
	GuessTogether                     // several of the above, in one lemma
)

func (k GuessKind) String() string {
	return [...]string{"constant", "equal", "group", "implication", "clause", "together"}[k]
}

// Suggestion is a guess: that some clauses hold in every step of every run.
type Suggestion struct {
	Kind GuessKind
	// Clauses are over literals of the circuit that was asked about: of latches, but for a
	// stronger property, which may refer to inputs and gates.
	Clauses cert.Invariant
	// Enough says that the property was proved in a trial that took the clauses for granted.
	Enough bool
	// Inductive says that the clauses hold initially and, where all of them do, in the next
	// step, as far as an engine is right.
	Inductive bool
	// Stronger says that the property follows at once.
	Stronger bool
	// Steps is the number of steps in which a bounded search has found no violation.
	Steps int
	// Latches is the number of different ones that the clauses refer to.
	Latches int
}

// Merits says what speaks for a suggestion, in words.
func (s Suggestion) Merits() string {
	var says []string
	if s.Enough {
		says = append(says, "with it the property was proved in a trial")
	}
	if s.Inductive {
		says = append(says, "inductive by itself")
	}
	if s.Stronger {
		says = append(says, "the property follows at once")
	}
	return strings.Join(append(says, "no violation in "+cert.Count(s.Steps, "step", "steps")), " · ")
}

// Known is what an earlier check of a property has left.
type Known struct {
	// Clauses are over latches of the circuit: what an unfinished run has come to believe.
	Clauses cert.Invariant
	// Runs are runs of the circuit from reset that meet its constraints. What they violate is
	// not suggested.
	Runs []cert.Trace
}

// MostSuggestions bounds how many suggestions Suggest returns.
const MostSuggestions = 12

// Suggest guesses lemmas for property p of c, one of safety, which a check has left without an
// answer, the most promising first: constants, equal and opposite latches, groups of which at
// most one is 1, implications, parts of the conjunction that makes the property fail, and the
// clauses that an unfinished run has come to believe.
//
// Equal latches are guessed as in van Eijk, "Sequential Equivalence Checking Based on Structural
// Similarities" (TCAD 2000), implications as in Cabodi, Nocco and Quer, "Strengthening Model
// Checking Techniques with Inductive Invariants" (TCAD 2009); the largest inductive subset is
// that of Flanagan and Leino's Houdini.
//
// A suggestion has survived random runs, the runs of the caller and a bounded search. It is not
// proved. Where it is said to be inductive an engine has found it so, with a checked proof.
//
// The error is that of ctx, or circuit.ErrNoBad; when ctx ends, what was found by then comes
// with it.
func Suggest(ctx context.Context, c *circuit.Circuit, p circuit.Property, known Known, terms Terms) ([]Suggestion, error) {
	if _, ok := c.Bad(p); !ok {
		return nil, circuit.ErrNoBad
	}
	cone, err := c.ConeContext(ctx, p)
	if err != nil {
		return nil, err
	}
	terms.Effort = cmp.Or(terms.Effort, usualEffort)
	f := &finder{ctx: ctx, c: cone.Circuit, terms: terms, known: map[string]bool{}}
	f.find(lowered(c, cone, known.Clauses), runsOf(cone, known.Runs))
	all := f.ranked()
	for i := range all {
		for j, clause := range all[i].Clauses {
			own := make([]circuit.Lit, len(clause))
			for n, l := range clause {
				own[n] = cone.LitFrom(l)
			}
			all[i].Clauses[j] = own
		}
	}
	return all, ctx.Err()
}

// lowered returns the clauses over latches that a cone has, in its terms.
func lowered(c *circuit.Circuit, cone *circuit.Cone, clauses cert.Invariant) (own cert.Invariant) {
	to := make(map[circuit.Var]circuit.Lit, len(cone.Latches))
	for i, at := range cone.Latches {
		to[c.Latches()[at].Lit.Var()] = cone.Circuit.Latches()[i].Lit
	}
next:
	for _, clause := range clauses {
		lits := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			latch, ok := to[l.Var()]
			if !ok {
				continue next
			}
			lits[i] = latch.NotIf(l.IsNegated())
		}
		own = append(own, lits)
	}
	return own
}

// runsOf returns what runs are of a cone.
func runsOf(cone *circuit.Cone, runs []cert.Trace) (own []cert.Trace) {
	for _, t := range runs {
		own = append(own, t.Restrict(cone.Latches, cone.Inputs))
	}
	return own
}

// finder is a call of Suggest, about a cone.
type finder struct {
	ctx   context.Context
	c     *circuit.Circuit // bad 0 is what is never to be 1
	terms Terms
	seen  *samples
	steps int // of the bounded search

	inductive cert.Invariant // candidates that are inductive together
	rest      cert.Invariant // those that are not, in the order of their promise
	found     []Suggestion
	trials    int
	known     map[string]bool // what is in found
}

func (f *finder) find(clauses cert.Invariant, runs []cert.Trace) {
	f.doing("simulating")
	f.seen = sample(f.ctx, f.c, runs)
	candidates := f.candidates(clauses)
	f.doing("searching for violations of what was guessed")
	stronger := f.stronger()
	candidates, stronger = f.survivors(candidates, stronger)
	f.doing("looking for what is inductive")
	f.split(candidates)
	f.doing("trying what is enough for a proof")
	f.tryStronger(stronger)
	f.grow()
	f.tryTogether()
	f.singles()
}

// doing reports what is done next.
func (f *finder) doing(words string) {
	if f.terms.Progress != nil {
		f.terms.Progress(Progress{Doing: words})
	}
}

// split finds the largest inductive subset of the candidates.
func (f *finder) split(candidates cert.Invariant) {
	f.rest = candidates
	if f.c.HasResetFunctions() || len(candidates) == 0 {
		return
	}
	ctx, stop := thread.WithCancel(f.ctx)
	defer stop()
	found, err := ic3.Filter(ctx, f.c, candidates, ic3.Options{}, func(p ic3.Progress) {
		if p.Effort > f.terms.Effort {
			stop()
		}
	})
	if err == nil {
		f.inductive, f.rest = found.Inductive, found.Rest
	}
}

// usualEffort is Terms.Effort where that is 0.
const usualEffort = 60_000_000

// grow adds to what is inductive the proofs of facts that are not by themselves, one by one;
// a half of the trials is for it. The sum stays inductive.
func (f *finder) grow() {
	if f.c.HasResetFunctions() {
		return // an invariant need not hold in the first step
	}
	found, err := facts.Of(f.ctx, f.rest[:min(len(f.rest), maxSingles)])
	if err != nil || found.Never {
		return
	}
	var left cert.Invariant
	for _, clauses := range apart(found) {
		if f.trials >= f.terms.Runs/2 || f.ctx.Err() != nil {
			left = append(left, clauses.Clauses...)
			continue
		}
		inv, ok := f.proof(f.asking(f.inductive, clauses.Clauses))
		if !ok {
			left = append(left, clauses.Clauses...)
			continue
		}
		f.inductive = append(f.inductive, inv...)
		f.inductive = append(f.inductive, clauses.Clauses...)
	}
	f.rest = append(left, f.rest[min(len(f.rest), maxSingles):]...)
}

// asking returns the circuit with the question whether clauses can be violated, with others
// taken for granted.
func (f *finder) asking(granted, clauses cert.Invariant) *circuit.Circuit {
	b := circuit.NewBuilder(f.c.NumVars())
	to := circuit.CopyConstrained(f.c, b)
	if len(granted) > 0 {
		b.Constraint(b.Clauses(granted, to), 0)
	}
	b.Bad(b.Clauses(clauses, to).Not(), 0)
	return b.Build()
}

// tryTogether tries whether the candidates are enough, and which of them are needed then.
func (f *finder) tryTogether() {
	if f.terms.Runs == 0 {
		f.add(Suggestion{Kind: GuessTogether, Clauses: f.inductive, Inductive: true})
		return
	}
	if len(f.inductive) > 0 {
		_, isEnough := f.proof(f.c.Assuming(f.inductive))
		f.add(Suggestion{Kind: GuessTogether, Clauses: f.inductive, Enough: isEnough, Inductive: true})
		if isEnough {
			return
		}
	}
	for range mostEnough {
		if len(f.rest) == 0 || !f.isEnough(f.rest) {
			return
		}
		needed := f.needed(f.rest)
		search := bmc.NewSearch(f.asking(nil, needed))
		t, err := search.Advance(f.ctx, f.searchLimit())
		if err != nil {
			return
		}
		if t == nil {
			f.add(Suggestion{Kind: GuessTogether, Clauses: needed, Enough: true, Steps: search.Depth()})
			return
		}
		f.rest = refuted(f.c, *t, f.rest)
	}
}

// mostEnough bounds how often what is enough is found to be violated.
const mostEnough = 6

// needed returns some of the candidates, which are enough beside what is inductive: parts are
// left out as long as the rest is enough (Zeller's delta debugging).
func (f *finder) needed(candidates cert.Invariant) cert.Invariant {
	for parts := 2; parts <= len(candidates) && f.trials < f.terms.Runs; {
		smaller := false
		for i := 0; i < parts && f.trials < f.terms.Runs; i++ {
			from, to := i*len(candidates)/parts, (i+1)*len(candidates)/parts
			if without := slices.Concat(candidates[:from], candidates[to:]); f.isEnough(without) {
				candidates, smaller = without, true
				parts = max(2, parts-1)
				break
			}
		}
		if !smaller {
			parts *= 2
		}
	}
	return candidates
}

// isEnough tries to prove the property with candidates taken for granted, beside what is
// inductive.
func (f *finder) isEnough(candidates cert.Invariant) bool {
	_, ok := f.proof(f.c.Assuming(slices.Concat(f.inductive, candidates)))
	return ok
}

// proof tries to prove bad 0 of a circuit with the latches of f.c and returns an invariant over
// these; ok is false when there is none, and when no run meets the constraints.
func (f *finder) proof(c *circuit.Circuit) (inv cert.Invariant, ok bool) {
	if f.trials++; f.trials > f.terms.Runs || f.ctx.Err() != nil {
		return nil, false
	}
	r := f.terms.run(f.ctx, c, nil)
	if r.Checked.Outcome() != cert.Proved || r.HasNoRun {
		return nil, false
	}
	for _, clause := range r.Checked.Invariant() {
		own := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			own[i] = f.c.Latches()[c.LatchIndex(l.Var())].Lit.NotIf(l.IsNegated())
		}
		inv = append(inv, own)
	}
	return inv, true
}

// singles adds facts one by one.
func (f *finder) singles() {
	for _, clauses := range []cert.Invariant{f.rest, f.inductive} {
		found, err := facts.Of(f.ctx, clauses[:min(len(clauses), maxSingles)])
		if err != nil || found.Never {
			continue
		}
		for _, s := range apart(found) {
			f.add(s)
		}
	}
}

// apart returns facts one by one.
func apart(found facts.Facts) (all []Suggestion) {
	for _, l := range found.Constants {
		all = append(all, Suggestion{Kind: GuessConstant, Clauses: cert.Invariant{{l}}})
	}
	for _, class := range found.Equal {
		all = append(all, Suggestion{Kind: GuessEqual, Clauses: facts.Facts{Equal: [][]circuit.Lit{class}}.Invariant()})
	}
	for _, g := range found.Groups {
		all = append(all, Suggestion{Kind: GuessGroup, Clauses: facts.Facts{Groups: []facts.Group{g}}.Invariant()})
	}
	for _, clause := range found.Clauses {
		kind := GuessClause
		if len(clause) == 2 {
			kind = GuessImplication
		}
		all = append(all, Suggestion{Kind: kind, Clauses: cert.Invariant{slices.Clone(clause)}})
	}
	return all
}

// maxSingles bounds the clauses that are offered one by one.
const maxSingles = 2000

// add keeps a suggestion that says something, and other than those before.
func (f *finder) add(s Suggestion) {
	if len(s.Clauses) == 0 {
		return
	}
	words := make([]string, len(s.Clauses))
	for i, clause := range s.Clauses {
		words[i] = fmt.Sprint(slices.Sorted(slices.Values(clause)))
	}
	slices.Sort(words)
	if key := strings.Join(words, ""); !f.known[key] {
		f.known[key] = true
		f.found = append(f.found, s)
	}
}

// ranked returns what was found: what is enough for a proof first, a property that is
// stronger after it, then what refers to more of the cone.
func (f *finder) ranked() []Suggestion {
	for i := range f.found {
		s := &f.found[i]
		latches := map[circuit.Var]bool{}
		for _, clause := range s.Clauses {
			for _, l := range clause {
				if f.c.LatchIndex(l.Var()) >= 0 {
					latches[l.Var()] = true
				}
			}
		}
		s.Latches, s.Steps = len(latches), max(s.Steps, f.steps)
	}
	rank := func(s Suggestion) int {
		switch {
		case s.Enough:
			return 0
		case s.Kind == GuessTogether:
			return 1
		case s.Stronger:
			return 2
		case s.Kind == GuessGroup || s.Kind == GuessEqual:
			return 3
		}
		return 4
	}
	slices.SortStableFunc(f.found, func(a, b Suggestion) int {
		return cmp.Or(rank(a)-rank(b), literals(a.Clauses)/max(1, len(a.Clauses))-literals(b.Clauses)/max(1, len(b.Clauses)), b.Latches-a.Latches)
	})
	return f.found[:min(len(f.found), MostSuggestions)]
}

func literals(clauses cert.Invariant) (n int) {
	for _, clause := range clauses {
		n += len(clause)
	}
	return n
}
