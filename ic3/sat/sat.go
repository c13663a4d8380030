// Package sat is the incremental solver that IC3 asks its questions.
//
// The interface speaks queries, not SAT calls: a query has assumptions, at most
// one clause that holds for this query alone, and roots whose values the
// caller will read. Activation literals, the loading of cones, rebuilds and
// cancellation stay inside an implementation. The package knows nothing about
// frames or circuits but the literal.
//
// There are two implementations: one made for the queries of IC3 (core.go),
// and gini (gini.go), for comparison.
package sat

import (
	"context"

	"aiglens/circuit"
)

// Lit and Var are those of the circuit; variable 0 is the constant false.
type (
	Lit = circuit.Lit
	Var = circuit.Var
)

// Result is the answer to a query.
type Result uint8

// The answers. Unsolved comes with an error, or when a query's limit is reached.
const (
	Unsolved Result = iota
	Sat
	Unsat
)

func (r Result) String() string { return [...]string{"unsolved", "sat", "unsat"}[r] }

// Query is one question: is there an assignment of the definitions and the
// lemmas that makes every assumption true and, unless Clause is nil, at least
// one literal of Clause?
type Query struct {
	Assumptions []Lit
	Clause      []Lit // nil: none; empty: false
	// Roots are further variables whose definitions take part and whose values
	// may be read. The variables of Assumptions and Clause always take part.
	Roots []Lit
	// MaxConflicts bounds the search; 0 is no limit. A solver that cannot count
	// conflicts ignores it.
	MaxConflicts int64
}

// Solver answers queries about one growing set of clauses. It is used by one
// goroutine at a time.
type Solver interface {
	// AddClause adds a lemma for good. The slice is not kept.
	AddClause(lits []Lit)
	// Solve answers a query; the slices are not kept. An error is that of ctx,
	// returned within 100 ms after ctx ends; the solver stays usable.
	//
	// Unsat is exact. A model satisfies the definitions, the lemmas of one
	// literal and all those within the domain of the query, which is the cone of
	// its variables; a longer lemma that reaches outside may be violated.
	Solve(ctx context.Context, q Query) (Result, error)
	// Value returns the value of a literal in the model, after Sat and before
	// the next call of another method. X: it did not take part, and either
	// value will do.
	Value(l Lit) circuit.Value
	// AppendModel appends literals that are true in the model, when Value may be asked:
	// all that are free, and of the defined ones those of which these make sure. The
	// constant is left out; the order has no meaning.
	AppendModel(dst []Lit) []Lit
	// InCore reports, after Unsat, whether an assumption takes part in the
	// refutation. The assumptions in the core alone are enough for Unsat.
	InCore(assumption Lit) bool
	// Stats returns counters since the solver was made.
	Stats() Stats
}

// Stats counts what a solver did.
type Stats struct {
	Queries, Sat, Unsat int64
	Rebuilds            int64
	// These are counted by the core solver only.
	Conflicts, Decisions, Propagations int64
	DomainVars                         int64 // summed over the queries
}

// Add adds the counters of another solver.
func (s *Stats) Add(t Stats) {
	s.Queries += t.Queries
	s.Sat += t.Sat
	s.Unsat += t.Unsat
	s.Rebuilds += t.Rebuilds
	s.Conflicts += t.Conflicts
	s.Decisions += t.Decisions
	s.Propagations += t.Propagations
	s.DomainVars += t.DomainVars
}

// Factory makes a solver over a set of definitions, which it must not change.
type Factory func(d *Definitions) Solver

// Definitions holds clauses that define variables by others, in a form from
// which a solver can take just the cone it needs. Definitions must be total
// and functional: every assignment of the undefined variables extends to
// exactly one of all, so that leaving out what is not asked for is sound.
type Definitions struct {
	clauseStart []uint32 // by variable: index of its first clause in litStart
	litStart    []uint32 // by clause: index of its first literal in lits
	lits        []Lit
	faninStart  []uint32 // by variable: index of its first operand in fanins
	fanins      []Var
}

// NewDefinitions returns a set that holds only variable 0, the constant false,
// with room for about capacity variables.
func NewDefinitions(capacity int) *Definitions {
	d := &Definitions{
		clauseStart: make([]uint32, 1, capacity+2),
		litStart:    make([]uint32, 1, 3*capacity+2),
		lits:        make([]Lit, 0, 7*capacity),
		faninStart:  make([]uint32, 1, capacity+2),
		fanins:      make([]Var, 0, 2*capacity),
	}
	d.Define(nil, []Lit{circuit.True})
	return d
}

// Define adds the next variable with its operands and its defining clauses; a
// variable without clauses is free.
func (d *Definitions) Define(fanin []Var, clauses ...[]Lit) Var {
	v := Var(d.NumVars())
	for _, c := range clauses {
		d.lits = append(d.lits, c...)
		d.litStart = append(d.litStart, uint32(len(d.lits)))
	}
	d.clauseStart = append(d.clauseStart, uint32(len(d.litStart)-1))
	d.fanins = append(d.fanins, fanin...)
	d.faninStart = append(d.faninStart, uint32(len(d.fanins)))
	return v
}

// NumVars returns the number of variables, the constant included.
func (d *Definitions) NumVars() int { return len(d.clauseStart) - 1 }

// Fanin returns the variables that v is defined by.
func (d *Definitions) Fanin(v Var) []Var { return d.fanins[d.faninStart[v]:d.faninStart[v+1]] }

// Clauses calls yield for every defining clause of v.
func (d *Definitions) Clauses(v Var, yield func([]Lit)) {
	for c := d.clauseStart[v]; c < d.clauseStart[v+1]; c++ {
		yield(d.lits[d.litStart[c]:d.litStart[c+1]])
	}
}
