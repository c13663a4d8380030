package horn

import (
	"slices"

	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
)

// implicant is a conjunction of literals that hold under an assignment and together imply the formulas that were
// taken. Variables of the atoms are numbered as their terms are; a div stands for itself.
type implicant struct {
	terms *term.Pool
	eval  *term.Evaluation
	taken map[term.Term]bool
	atoms []lia.Atom
	bools []term.Term // Boolean variables and negations of such
}

func newImplicant(terms *term.Pool, env func(term.Term) term.Value) *implicant {
	return &implicant{terms: terms, eval: term.NewEvaluation(terms, env), taken: map[term.Term]bool{}}
}

// take makes sure of a formula or of its negation, as it is in the assignment.
func (m *implicant) take(t term.Term) {
	if m.terms.Op(t) == term.OpNot {
		t = m.terms.Args(t)[0]
	}
	if m.taken[t] {
		return
	}
	m.taken[t] = true
	args, holds := m.terms.Args(t), m.eval.Holds(t)
	switch op := m.terms.Op(t); op {
	case term.OpVar:
		if !holds {
			t = m.terms.Not(t)
		}
		m.bools = append(m.bools, t)
	case term.OpAnd, term.OpOr:
		if holds == (op == term.OpAnd) {
			for _, a := range args {
				m.take(a)
			}
			return
		}
		m.take(m.decisive(args, holds))
	case term.OpIff:
		m.take(args[0])
		m.take(args[1])
	case term.OpIte:
		m.take(args[0])
		if m.eval.Holds(args[0]) {
			m.take(args[1])
		} else {
			m.take(args[2])
		}
	case term.OpLe, term.OpLt, term.OpEq:
		m.compare(t, op, holds)
	}
}

// decisive returns an argument with a value, if possible one that is taken already.
func (m *implicant) decisive(args []term.Term, value bool) term.Term {
	found := term.None
	for _, a := range args {
		if m.eval.Holds(a) != value {
			continue
		}
		inner := a
		if m.terms.Op(a) == term.OpNot {
			inner = m.terms.Args(a)[0]
		}
		if m.taken[inner] {
			return a
		}
		if found == term.None {
			found = a
		}
	}
	return found
}

// compare adds the atom of a comparison.
func (m *implicant) compare(t term.Term, op term.Op, holds bool) {
	l := m.terms.LinearOf(t)
	if op == term.OpEq && len(l.Terms) == 1 && m.terms.Op(l.Terms[0]) == term.OpMod {
		m.congruence(l.Terms[0], l.Const.Div(l.Coefs[0]).Neg(), holds)
		return
	}
	sum, constant := m.sum(l)
	a := lia.Atom{Term: sum, Const: constant.Neg()}
	switch {
	case op == term.OpEq && holds:
		a.Rel = lia.Equal
	case op == term.OpEq:
		a.Rel = lia.Less
		if sum.Eval(m.value).Cmp(a.Const) > 0 {
			a.Term, a.Const = sum.Scale(rational.MinusOne), constant
		}
	default:
		if op == term.OpLt {
			a.Rel = lia.Less
		}
		if !holds {
			a = a.Not()
		}
	}
	m.atoms = append(m.atoms, a)
}

// congruence says that a mod has a value or, when it does not hold, that it has another one: which one would be a choice
// among as many as the divisor has.
func (m *implicant) congruence(mod term.Term, value lia.Rat, holds bool) {
	d := m.terms.Divisor(mod)
	if !value.IsInt() || value.Sign() < 0 || value.Cmp(d) >= 0 {
		return // no mod has it
	}
	a := lia.Atom{Rel: lia.Congruent, Mod: d}
	if !holds {
		a.Rel = lia.Incongruent
	}
	sum, constant := m.sum(m.terms.LinearOf(m.terms.Args(mod)[0]))
	a.Term, a.Const = sum, value.Sub(constant)
	m.atoms = append(m.atoms, a)
}

// sum returns a linear sum less its constant, and that. An ite is the branch that the assignment takes.
func (m *implicant) sum(l term.Linear) (lia.Term, lia.Rat) {
	var ms []lia.Monomial
	constant := l.Const
	for i, t := range l.Terms {
		inner, c := m.number(t)
		constant = constant.Add(l.Coefs[i].Mul(c))
		for _, n := range inner {
			ms = append(ms, lia.Monomial{Var: n.Var, Coef: n.Coef.Mul(l.Coefs[i])})
		}
	}
	return lia.NewTerm(ms...), constant
}

func (m *implicant) number(t term.Term) (lia.Term, lia.Rat) {
	args := m.terms.Args(t)
	switch m.terms.Op(t) {
	case term.OpToReal:
		return m.number(args[0])
	case term.OpIte:
		m.take(args[0])
		if m.eval.Holds(args[0]) {
			return m.sum(m.terms.LinearOf(args[1]))
		}
		return m.sum(m.terms.LinearOf(args[2]))
	case term.OpDiv:
		return m.quotient(t, args[0], m.terms.Divisor(t)), lia.Rat{}
	case term.OpMod:
		d := m.terms.Divisor(t)
		sum, constant := m.sum(m.terms.LinearOf(args[0]))
		return sum.Plus(d.Neg(), m.quotient(m.terms.Div(args[0], d), args[0], d)), constant
	}
	return lia.Term{{Var: lia.Var(t), Coef: rational.One}}, lia.Rat{}
}

// quotient returns the variable of a div, which it defines by 0 ≤ t − d·q ≤ d − 1.
func (m *implicant) quotient(div, t term.Term, d lia.Rat) lia.Term {
	q := lia.Term{{Var: lia.Var(div), Coef: rational.One}}
	if !m.taken[div] {
		m.taken[div] = true
		sum, constant := m.sum(m.terms.LinearOf(t))
		rest := sum.Plus(d.Neg(), q)
		m.atoms = append(m.atoms,
			lia.Atom{Term: rest.Scale(rational.MinusOne), Const: constant},
			lia.Atom{Term: rest, Const: d.Sub(rational.One).Sub(constant)})
	}
	return q
}

func (m *implicant) value(v lia.Var) lia.Rat { return m.eval.Value(term.Term(v)).Number }

func (m *implicant) isInt(v lia.Var) bool { return m.terms.SortOf(term.Term(v)) == term.Int }

// project returns a cube over parameters that implies: for values of the other variables the implicant holds, and
// each parameter equals its argument. Without args the parameters stand in the implicant themselves.
func (m *implicant) project(params, inner, args []term.Term) []term.Term {
	rename, kept := map[lia.Var]term.Term{}, map[lia.Var]bool{}
	var cube []term.Term
	env := m.eval
	if args == nil {
		for _, p := range params {
			rename[lia.Var(p)], kept[lia.Var(p)] = p, true
		}
		for _, b := range m.bools {
			if v := variableOf(m.terms, b); kept[lia.Var(v)] {
				cube = append(cube, b)
			}
		}
	} else {
		bound := map[lia.Var]lia.Rat{}
		for i, p := range params {
			if m.terms.SortOf(p) == term.Bool {
				continue
			}
			z := lia.Var(inner[i])
			rename[z], kept[z] = p, true
			sum, constant := m.sum(m.terms.LinearOf(args[i]))
			bound[z] = sum.Eval(m.value).Add(constant)
			m.atoms = append(m.atoms, lia.Atom{Term: lia.Term{{Var: z, Coef: rational.One}}.Plus(rational.MinusOne, sum), Rel: lia.Equal, Const: constant})
		}
		cube = m.booleans(params, args)
		env = term.NewEvaluation(m.terms, func(t term.Term) term.Value {
			if r, ok := bound[lia.Var(t)]; ok {
				return term.Value{Number: r}
			}
			return m.eval.Value(t)
		})
	}
	value := func(v lia.Var) lia.Rat { return env.Value(term.Term(v)).Number }
	atoms := eliminate(m.atoms, func(v lia.Var) bool { return kept[v] }, m.isInt, value)
	for _, a := range atoms {
		cube = append(cube, atomTerms(m.terms, a, rename)...)
	}
	slices.Sort(cube)
	return slices.Compact(cube)
}

// booleans returns the literals of the Boolean parameters. A parameter whose argument is a variable of its own
// that the implicant does not need is free.
func (m *implicant) booleans(params, args []term.Term) []term.Term {
	isBool := func(i int) bool { return m.terms.SortOf(params[i]) == term.Bool }
	count := map[term.Term]int{}
	for i, a := range args {
		if isBool(i) {
			count[variableOf(m.terms, a)]++
		}
	}
	for i, a := range args {
		if v := variableOf(m.terms, a); isBool(i) && (m.terms.Op(v) != term.OpVar || count[v] > 1) {
			m.take(a)
		}
	}
	var cube []term.Term
	for i, a := range args {
		if !isBool(i) {
			continue
		}
		v := variableOf(m.terms, a)
		switch {
		case m.terms.Op(v) == term.OpVar && !m.taken[v]:
		case m.eval.Holds(a):
			cube = append(cube, params[i])
		default:
			cube = append(cube, m.terms.Not(params[i]))
		}
	}
	return cube
}

// variableOf returns what a negation denies, and others as they are.
func variableOf(terms *term.Pool, t term.Term) term.Term {
	if terms.Op(t) == term.OpNot {
		return terms.Args(t)[0]
	}
	return t
}

// eliminate projects all variables out of a cube that are not kept.
func eliminate(cube []lia.Atom, kept func(lia.Var) bool, isInt lia.Sorts, value func(lia.Var) lia.Rat) []lia.Atom {
	cube = substituteEqualities(pairs(cube), kept, isInt)
	var vars []lia.Var
	for _, a := range cube {
		for _, m := range a.Term {
			if !kept(m.Var) {
				vars = append(vars, m.Var)
			}
		}
	}
	slices.Sort(vars)
	return lia.Project(cube, slices.Compact(vars), isInt, value)
}

// pairs makes an equality of t ≤ c and −t ≤ −c.
func pairs(cube []lia.Atom) []lia.Atom {
	var kept []lia.Atom
	for _, a := range cube {
		i := slices.IndexFunc(kept, func(b lia.Atom) bool {
			return a.Rel == lia.LessEqual && b.Rel == lia.LessEqual && a.Const.Equal(b.Const.Neg()) &&
				len(a.Term) == len(b.Term) && a.Term.Equal(b.Term.Scale(rational.MinusOne))
		})
		if i >= 0 {
			kept[i].Rel = lia.Equal
		} else {
			kept = append(kept, a)
		}
	}
	return kept
}

// substituteEqualities eliminates the variables that an equality defines: rationals, and integers with coefficient 1
// among integers with integer coefficients.
func substituteEqualities(cube []lia.Atom, kept func(lia.Var) bool, isInt lia.Sorts) []lia.Atom {
	for i := 0; i < len(cube); i++ {
		v, c, ok := defined(cube[i], kept, isInt)
		if !ok {
			continue
		}
		def := cube[i]
		cube = slices.Delete(cube, i, i+1)
		for k, a := range cube {
			if f := a.Term.Coef(v); !f.IsZero() {
				f = f.Div(c).Neg()
				cube[k].Term, cube[k].Const = a.Term.Plus(f, def.Term), a.Const.Add(f.Mul(def.Const))
			}
		}
		i = -1
	}
	return cube
}

// defined returns a variable that an equality defines, with its coefficient.
func defined(a lia.Atom, kept func(lia.Var) bool, isInt lia.Sorts) (lia.Var, lia.Rat, bool) {
	if a.Rel != lia.Equal {
		return 0, lia.Rat{}, false
	}
	integral := a.Const.IsInt()
	for _, m := range a.Term {
		integral = integral && isInt(m.Var) && m.Coef.IsInt()
	}
	for _, m := range a.Term {
		if kept(m.Var) {
			continue
		}
		if !isInt(m.Var) || integral && m.Coef.Abs().IsOne() {
			return m.Var, m.Coef, true
		}
	}
	return 0, lia.Rat{}, false
}

// atomTerms returns an atom as formulas; an equality is two inequalities.
func atomTerms(terms *term.Pool, a lia.Atom, rename map[lia.Var]term.Term) []term.Term {
	if a.Rel == lia.Equal {
		a.Rel = lia.LessEqual
		b := lia.Atom{Term: a.Term.Scale(rational.MinusOne), Const: a.Const.Neg()}
		return append(atomTerms(terms, a, rename), atomTerms(terms, b, rename)...)
	}
	sort, l := term.Int, term.Linear{Const: a.Const.Neg()}
	for _, m := range a.Term {
		t := rename[m.Var]
		if terms.SortOf(t) == term.Real {
			sort = term.Real
		}
		l.Terms, l.Coefs = append(l.Terms, t), append(l.Coefs, m.Coef)
	}
	var t term.Term
	switch a.Rel {
	case lia.LessEqual:
		t = terms.Compare(term.OpLe, sort, l)
	case lia.Less:
		t = terms.Compare(term.OpLt, sort, l)
	default:
		t = terms.Equal(terms.Mod(terms.Sum(term.Int, l), a.Mod), terms.IntOf(0))
		if a.Rel == lia.Incongruent {
			t = terms.Not(t)
		}
	}
	if t == term.True {
		return nil
	}
	return []term.Term{t}
}
