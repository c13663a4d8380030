package lia

import (
	"errors"
	"fmt"

	"aiglens/horn/rational"
)

// Refutation shows that atoms, its premises, have no common solution. It is a sum of premises that
// is false or, over integers, a split with a refutation of each side. Cuts are splits, too: one of
// their sides has a refutation without further splits.
type Refutation struct {
	Sum []Weight // when Split is nil

	Split     *Split
	Low, High *Refutation
}

// Weight is a premise and its multiple. It is below 0 only for an equality. Premise i ≥ 0 is that of
// the caller, in its normal form; below 0 it is the side of a split, by its name.
type Weight struct {
	Premise int
	Coef    Rat
}

// Split is Term ≤ Bound on its low side and Term ≥ Bound + 1 on the other. Term has integer variables and
// coefficients, Bound is an integer.
type Split struct {
	Name  int // below 0
	Term  Term
	Bound Rat
}

func (p *Split) low() Atom { return Atom{Term: p.Term, Rel: LessEqual, Const: p.Bound} }

func (p *Split) high() Atom {
	return Atom{Term: p.Term.Scale(rational.MinusOne), Rel: LessEqual, Const: p.Bound.Add(rational.One).Neg()}
}

// expand replaces each congruence Term ≡ Const mod Mod by Term − Mod·q = Const, with the least integer
// variable q that is in no atom and was not used before.
func expand(atoms []Atom, isInt Sorts) ([]Atom, Sorts) {
	first := Var(0)
	for _, a := range atoms {
		if n := len(a.Term); n > 0 {
			first = max(first, a.Term[n-1].Var+1)
		}
	}
	next := first
	all := make([]Atom, len(atoms))
	for i, a := range atoms {
		if all[i] = a; a.Rel == Congruent {
			all[i] = Atom{Term: a.Term.Plus(a.Mod.Neg(), Term{{next, rational.One}}), Rel: Equal, Const: a.Const}
			next++
		}
	}
	return all, func(v Var) bool { return v >= first || isInt(v) }
}

// Check adds up: it returns an error unless r refutes the premises.
func (r *Refutation) Check(premises []Atom, isInt Sorts) error {
	all, isInt := expand(premises, isInt)
	known := map[int]Atom{}
	for i, a := range all {
		known[i] = a.Normalize(isInt)
	}
	return r.check(known, isInt)
}

func (r *Refutation) check(known map[int]Atom, isInt Sorts) error {
	if r.Split == nil {
		sum, err := r.addUp(func(int) bool { return true }, known)
		if err == nil && (len(sum.Term) > 0 || sum.relates(Rat{})) {
			err = fmt.Errorf("the sum is %s, which is no contradiction", sum)
		}
		return err
	}
	p := r.Split
	if _, used := known[p.Name]; used || p.Name >= 0 {
		return fmt.Errorf("the split %d has the name of something else", p.Name)
	}
	if !p.Bound.IsInt() || !p.Term.allInt(isInt) {
		return fmt.Errorf("the split at %s is not about integers", p.Term)
	}
	for _, m := range p.Term {
		if !m.Coef.IsInt() {
			return fmt.Errorf("the split at %s is not about integers", p.Term)
		}
	}
	defer delete(known, p.Name)
	known[p.Name] = p.low()
	if err := r.Low.check(known, isInt); err != nil {
		return err
	}
	known[p.Name] = p.high()
	return r.High.check(known, isInt)
}

// addUp returns the sum of the premises that are taken.
func (r *Refutation) addUp(taken func(premise int) bool, known map[int]Atom) (Atom, error) {
	sum := Atom{Rel: LessEqual}
	for _, w := range r.Sum {
		a, ok := known[w.Premise]
		switch {
		case !ok:
			return Atom{}, fmt.Errorf("premise %d is not known", w.Premise)
		case w.Coef.Sign() <= 0 && a.Rel != Equal:
			return Atom{}, fmt.Errorf("premise %d, %s, is multiplied by %s", w.Premise, a, w.Coef)
		case a.Rel == Congruent:
			return Atom{}, errors.New("a congruence was not replaced")
		case !taken(w.Premise):
			continue
		}
		if a.Rel == Less {
			sum.Rel = Less
		}
		sum.Term = sum.Term.Plus(w.Coef, a.Term)
		sum.Const = sum.Const.Add(w.Coef.Mul(a.Const))
	}
	return sum, nil
}

// Lemma is atoms in normal form that contradict each other: with these factors they add up to a
// contradiction.
type Lemma struct {
	Atoms   []Atom
	Factors []Rat
}

// Lemmas returns the sums of a refutation, with the sides of its splits among the atoms. Together with
// the fact that one side of each split holds they refute the premises.
func (r *Refutation) Lemmas(premises []Atom, isInt Sorts) []Lemma {
	all, isInt := expand(premises, isInt)
	known := map[int]Atom{}
	for i, a := range all {
		known[i] = a.Normalize(isInt)
	}
	var lemmas []Lemma
	r.eachSum(known, func(sum *Refutation) bool {
		l := Lemma{}
		for _, w := range sum.Sum {
			l.Atoms, l.Factors = append(l.Atoms, known[w.Premise]), append(l.Factors, w.Coef)
		}
		lemmas = append(lemmas, l)
		return true
	})
	return lemmas
}

// eachSum calls visit for every sum of a refutation, with the sides of its splits among the known
// premises, until one returns false.
func (r *Refutation) eachSum(known map[int]Atom, visit func(*Refutation) bool) bool {
	if r.Split == nil {
		return visit(r)
	}
	defer delete(known, r.Split.Name)
	known[r.Split.Name] = r.Split.low()
	if !r.Low.eachSum(known, visit) {
		return false
	}
	known[r.Split.Name] = r.Split.high()
	return r.High.eachSum(known, visit)
}

// eachWeight calls visit for every weight of a refutation.
func (r *Refutation) eachWeight(visit func(*Weight)) {
	for i := range r.Sum {
		visit(&r.Sum[i])
	}
	if r.Split != nil {
		r.Low.eachWeight(visit)
		r.High.eachWeight(visit)
	}
}

// uses reports whether a premise is in a refutation.
func (r *Refutation) uses(premise int) bool {
	used := false
	r.eachWeight(func(w *Weight) { used = used || w.Premise == premise })
	return used
}
