package lia

import (
	"context"
	"slices"

	"aiglens/ic3/sat"
)

// Interpolant returns a clause that separates the premises of a refutation: those of which inA
// reports true imply one of its atoms, and each of its atoms contradicts the others. It has only
// variables of these others. ok is false when there is none, which happens only when a congruence is
// among the others.
//
// Each sum of the refutation gives an atom, the sum of its premises in A (McMillan, "An Interpolating
// Theorem Prover", 2005). Splits belong to A, so that the integers of a solution of A lead to one of the
// sums. Without congruences no variable of a split is foreign to A in the result, since the other part of
// the sum has none but those of the others.
func (r *Refutation) Interpolant(premises []Atom, inA func(premise int) bool, isInt Sorts) (clause []Atom, ok bool) {
	all, isIntNow := expand(premises, isInt)
	known, isForeign := map[int]Atom{}, map[Var]bool{}
	for i, a := range all {
		known[i] = a.Normalize(isIntNow)
		for _, m := range a.Term {
			isForeign[m.Var] = isForeign[m.Var] || premises[i].Rel == Congruent && premises[i].Term.Coef(m.Var).IsZero()
		}
	}
	taken := func(premise int) bool { return premise < 0 || inA(premise) }
	ok = r.eachSum(known, func(sum *Refutation) bool {
		a, err := sum.addUp(taken, known)
		if err != nil || slices.ContainsFunc(a.Term, func(m Monomial) bool { return isForeign[m.Var] }) {
			return false
		}
		clause = weaken(clause, a.Normalize(isInt))
		return true
	})
	if !ok {
		return nil, false
	}
	return clause, true
}

// weaken adds a normal inequality to a clause of such. One that is false is left out, and of two
// with the same term the weaker stays.
func weaken(clause []Atom, a Atom) []Atom {
	if len(a.Term) == 0 && !a.relates(Rat{}) {
		return clause
	}
	for i, b := range clause {
		if !a.Term.Equal(b.Term) {
			continue
		}
		if c := a.Const.Cmp(b.Const); c > 0 || c == 0 && a.Rel == LessEqual {
			clause[i] = a
		}
		return clause
	}
	return append(clause, a)
}

// Interpolate separates what was asserted and assumed, A, from a cube B without congruences: A implies
// the clause, the clause contradicts B, and it has only variables of B. Sat means that A and B can be
// true together, with the model in Value. Unsolved without an error means that a limit was reached. An
// error is that of ctx.
//
// It goes through A implicant by implicant, each of which gives atoms that later implicants must
// violate. So the clause has no Boolean variables. Over the rationals there are finitely many implicants.
func (s *Solver) Interpolate(ctx context.Context, b []Atom, assumptions ...Lit) (clause []Atom, result sat.Result, err error) {
	// Mostly B contradicts A. What is learnt from that is of use below.
	together := slices.Clone(assumptions)
	for _, a := range b {
		together = append(together, s.Atom(a))
	}
	if result, err := s.Solve(ctx, together...); err != nil || result != sat.Unsat {
		return nil, result, err
	}
	rest := slices.Clone(assumptions)
	for range s.theory.options.Limits.orDefault().Implicants {
		switch result, err := s.Solve(ctx, rest...); {
		case err != nil || result == sat.Unsolved:
			return nil, result, err
		case result == sat.Unsat:
			return clause, sat.Unsat, nil
		}
		atoms, err := s.separate(ctx, b, assumptions)
		if err != nil || atoms == nil {
			return nil, sat.Unsolved, err
		}
		for _, a := range atoms {
			clause = weaken(clause, a)
			rest = append(rest, s.Atom(a).Not())
		}
	}
	return nil, sat.Unsolved, nil
}

// separate interpolates between an implicant of what is asserted and assumed, and b. It returns nil
// when a limit is reached.
func (s *Solver) separate(ctx context.Context, b []Atom, assumptions []Lit) ([]Atom, error) {
	premises := slices.Clone(b)
	for _, l := range s.AppendImplicant(nil, append(slices.Clone(assumptions), s.asserted...)...) {
		if a, ok := s.AtomOf(l); ok {
			premises = append(premises, a)
		}
	}
	answer, err := Decide(ctx, premises, s.IsInt, s.theory.options.Limits)
	if err != nil || answer.Result != sat.Unsat {
		return nil, err
	}
	clause, ok := answer.Refutation.Interpolant(premises, func(i int) bool { return i >= len(b) }, s.IsInt)
	if !ok {
		return nil, nil
	}
	return clause, nil
}
