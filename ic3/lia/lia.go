// Package lia decides formulas of linear arithmetic over integers and rationals: the core solver of
// ic3/sat for what is Boolean, a simplex with exact numbers for the conjunctions of inequalities that it
// assigns. It projects variables out of conjunctions (project.go) and interpolates (interpolate.go).
// It knows nothing about Horn clauses, and reads and prints no formulas.
//
// Every contradiction of inequalities has a Refutation, which is checked by adding up. Over the
// rationals every answer is exact and the search ends. Over the integers the search has limits,
// beyond which the answer is unknown; Sat and Unsat are exact there, too.
//
// Sources: Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)" (CAV 2006);
// Karamanov and Cornuéjols, "Branching on General Disjunctions" (2011); Loos and Weispfenning, "Applying
// Linear Quantifier Elimination" (1993) and Cooper (1972), both in the form that a model guides:
// Komuravelli, Gurfinkel and Chaki, "SMT-Based Model Checking for Recursive Programs" (CAV 2014).
package lia

import (
	"context"
	"encoding/binary"
	"slices"

	"aiglens/circuit"
	"aiglens/horn/rational"
	"aiglens/ic3/sat"
)

// Lit is a literal of a formula: a Boolean variable, an inequality or a gate, or its negation.
type Lit = sat.Lit

// Options change a solver.
type Options struct {
	Limits Limits
	// Conflict is called with the inequalities of each contradiction that is found and with what refutes
	// them. nil for nothing.
	Conflict func(premises []Atom, r *Refutation)
}

// Solver answers questions about formulas that it is given piece by piece. It is used by one goroutine
// at a time.
type Solver struct {
	theory   *theory
	defs     *sat.Definitions
	core     sat.Solver
	gates    map[string]Lit
	inputs   map[sat.Var][]Lit  // of each gate
	bounds   map[Var][]boundLit // by column: its atoms in the order of their values
	pending  [][]Lit            // clauses for the next query
	asserted []Lit
	fixed    []Lit          // those of asserted that no gate brings into a query
	known    int            // Boolean variables there were with the last query
	modulo   map[string]Lit // congruences
}

type boundLit struct {
	value delta
	lit   Lit
}

// New makes a solver that knows no variables.
func New(o Options) *Solver {
	s := &Solver{
		theory: &theory{simplex: newSimplex(), options: o}, defs: sat.NewDefinitions(64),
		gates: map[string]Lit{}, inputs: map[sat.Var][]Lit{}, bounds: map[Var][]boundLit{}, modulo: map[string]Lit{},
	}
	s.core = sat.CoreOptions{Theory: s.theory}.New(s.defs)
	return s
}

// NewVar returns a new variable over the integers or the rationals. Numbers of variables rise, but
// not always by one.
func (s *Solver) NewVar(isInt bool) Var { return s.theory.newVar(isInt, nil) }

// IsInt reports whether a variable is an integer.
func (s *Solver) IsInt(v Var) bool { return s.theory.isInt(v) }

// NewBool returns a new Boolean variable.
func (s *Solver) NewBool() Lit { return s.defs.Define(nil).Lit() }

// And returns a literal for a conjunction; that of none is true.
func (s *Solver) And(lits ...Lit) Lit {
	all := slices.Clone(lits)
	slices.Sort(all)
	all = slices.Compact(all)
	all = slices.DeleteFunc(all, func(l Lit) bool { return l == circuit.True })
	for i, l := range all {
		if l == circuit.False || i > 0 && l == all[i-1].Not() {
			return circuit.False
		}
	}
	switch len(all) {
	case 0:
		return circuit.True
	case 1:
		return all[0]
	}
	var key []byte
	for _, l := range all {
		key = binary.AppendUvarint(key, uint64(l))
	}
	if g, ok := s.gates[string(key)]; ok {
		return g
	}
	g := s.define(all)
	s.gates[string(key)] = g
	return g
}

// define makes a gate for a conjunction.
func (s *Solver) define(all []Lit) Lit {
	lit := sat.Var(s.defs.NumVars()).Lit()
	fanin := make([]sat.Var, len(all))
	clauses := make([][]Lit, len(all), len(all)+1)
	long := []Lit{lit}
	for i, l := range all {
		fanin[i] = l.Var()
		clauses[i] = []Lit{lit.Not(), l}
		long = append(long, l.Not())
	}
	s.inputs[lit.Var()] = all
	return s.defs.Define(fanin, append(clauses, long)...).Lit()
}

// Or returns a literal for a disjunction; that of none is false.
func (s *Solver) Or(lits ...Lit) Lit {
	all := make([]Lit, len(lits))
	for i, l := range lits {
		all[i] = l.Not()
	}
	return s.And(all...).Not()
}

// Iff returns a literal for the equality of two formulas.
func (s *Solver) Iff(a, b Lit) Lit { return s.And(s.Or(a.Not(), b), s.Or(a, b.Not())) }

// Ite returns a literal for: a if c, else b.
func (s *Solver) Ite(c, a, b Lit) Lit { return s.And(s.Or(c.Not(), a), s.Or(c, b)) }

// Atom returns a literal that is true iff an atom is.
func (s *Solver) Atom(a Atom) Lit {
	switch {
	case a.Rel == Equal:
		return s.And(s.Atom(Atom{Term: a.Term, Rel: LessEqual, Const: a.Const}),
			s.Atom(Atom{Term: a.Term.Scale(rational.MinusOne), Rel: LessEqual, Const: a.Const.Neg()}))
	case a.Rel == Congruent:
		return s.congruence(a)
	}
	a = a.Normalize(s.IsInt)
	if len(a.Term) == 0 {
		if a.relates(Rat{}) {
			return circuit.True
		}
		return circuit.False
	}
	b := s.theory.sideOf(a)
	if b.upper {
		return s.bound(b.v, b.value)
	}
	if s.theory.isInt(b.v) {
		return s.bound(b.v, delta{real: b.value.real.Sub(rational.One)}).Not()
	}
	return s.bound(b.v, delta{b.value.real, b.value.inf.Sub(rational.One)}).Not()
}

// bound returns the literal of v ≤ value. Its neighbours are told what it implies.
func (s *Solver) bound(v Var, value delta) Lit {
	list := s.bounds[v]
	i, ok := slices.BinarySearchFunc(list, value, func(b boundLit, value delta) int { return b.value.cmp(value) })
	if ok {
		return list[i].lit
	}
	l := s.NewBool()
	for len(s.theory.atoms) <= int(l.Var()) {
		s.theory.atoms = append(s.theory.atoms, atom{v: -1})
	}
	s.theory.atoms[l.Var()] = atom{v, value}
	if i > 0 {
		s.pending = append(s.pending, []Lit{list[i-1].lit.Not(), l})
	}
	if i < len(list) {
		s.pending = append(s.pending, []Lit{l.Not(), list[i].lit})
	}
	s.bounds[v] = slices.Insert(list, i, boundLit{value, l})
	return l
}

// congruence defines the quotient q and the remainder r of Term − Const by Mod. The literal is r ≤ 0.
func (s *Solver) congruence(a Atom) Lit {
	a = a.Normalize(s.IsInt)
	if a.Rel != Congruent {
		return s.Atom(a)
	}
	key := a.Term.key() + a.Const.String() + "/" + a.Mod.String()
	if l, ok := s.modulo[key]; ok {
		return l
	}
	q, r := s.NewVar(true), s.NewVar(true)
	remainder := Term{{r, rational.One}}
	s.Assert(s.And(
		s.Atom(Atom{Term: a.Term.Plus(a.Mod.Neg(), Term{{q, rational.One}}).Plus(rational.MinusOne, remainder), Rel: Equal, Const: a.Const}),
		s.Atom(Atom{Term: remainder, Rel: LessEqual, Const: a.Mod.Sub(rational.One)}),
		s.Atom(Atom{Term: remainder, Rel: Less}).Not()))
	l := s.Atom(Atom{Term: remainder, Rel: LessEqual})
	s.modulo[key] = l
	return l
}

// AtomOf returns the inequality that a literal stands for; ok is false for other literals.
func (s *Solver) AtomOf(l Lit) (a Atom, ok bool) {
	if !s.theory.isAtom(l.Var()) {
		return Atom{}, false
	}
	return s.theory.atomOf(l), true
}

// Assert makes a formula true for good.
func (s *Solver) Assert(l Lit) {
	s.pending = append(s.pending, []Lit{l})
	s.asserted = append(s.asserted, l)
	if l.Var() != 0 && len(s.defs.Fanin(l.Var())) == 0 {
		s.fixed = append(s.fixed, l)
	}
}

// Solve answers whether all that was asserted and assumed can be true together. Unsolved without an
// error means that a limit was reached. An error is that of ctx.
func (s *Solver) Solve(ctx context.Context, assumptions ...Lit) (sat.Result, error) {
	for _, c := range s.pending {
		s.core.AddClause(c)
	}
	s.pending = s.pending[:0]
	s.theory.begin()
	s.known = s.defs.NumVars()
	r, err := s.core.Solve(ctx, sat.Query{Assumptions: assumptions, Roots: s.fixed})
	if err == ErrLimit {
		return sat.Unsolved, nil
	}
	return r, err
}

// InCore reports, after Unsat, whether an assumption takes part in the refutation. Those in the
// core alone are enough for Unsat.
func (s *Solver) InCore(assumption Lit) bool {
	return int(assumption.Var()) < s.known && s.core.InCore(assumption)
}

// Value returns the value of a variable in the last model, after Sat. A variable that was not there is 0.
func (s *Solver) Value(v Var) Rat {
	if int(v) < len(s.theory.values) {
		return s.theory.values[v]
	}
	return Rat{}
}

// Holds returns the value of a Boolean variable, inequality or gate that took part in the last query,
// after Sat and before the next query. X: either value will do, as far as Value allows.
func (s *Solver) Holds(l Lit) circuit.Value {
	if int(l.Var()) >= s.known {
		return circuit.X
	}
	return s.core.Value(l)
}

// Stats returns counters since the solver was made.
func (s *Solver) Stats() sat.Stats { return s.core.Stats() }
