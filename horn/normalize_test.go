package horn

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/horn/term"
)

// formulas makes random formulas over Bool: of two free variables, and of predicates with 0, 1 and 2 arguments.
type formulas struct {
	r *rand.Rand
	p *term.Pool
	// quantified are the variables bound so far, so that no two quantifiers have one.
	quantified int
}

func (g *formulas) formula(depth int, vars []term.Term) term.Term {
	p := g.p
	if depth == 0 || g.r.IntN(6) == 0 {
		pick := func() term.Term { return vars[g.r.IntN(len(vars))] }
		switch g.r.IntN(5) {
		case 0:
			return p.Apply(0)
		case 1:
			return p.Apply(1, pick())
		case 2:
			return p.Apply(2, pick(), p.Not(pick()))
		}
		return pick()
	}
	sub := func() term.Term { return g.formula(depth-1, vars) }
	switch g.r.IntN(9) {
	case 0, 1:
		return p.And(sub(), sub())
	case 2, 3:
		return p.Or(sub(), sub())
	case 4:
		return p.Implies(sub(), sub())
	case 5:
		return p.Equal(sub(), sub())
	case 6:
		return p.Ite(sub(), sub(), sub())
	case 7:
		g.quantified++
		v := p.Var("q"+string(rune('a'+g.quantified)), term.Bool)
		op := []term.Op{term.OpForall, term.OpExists}[g.r.IntN(2)]
		return p.Quantified(op, []term.Term{v}, g.formula(depth-1, append(slices.Clone(vars), v)))
	}
	return p.Not(sub())
}

// holds evaluates a formula. preds has a bit for each predicate and values of its arguments.
func holds(p *term.Pool, t term.Term, env map[term.Term]bool, preds int) bool {
	args := p.Args(t)
	at := func(i int) bool { return holds(p, args[i], env, preds) }
	switch op := p.Op(t); op {
	case term.OpConst:
		return t == term.True
	case term.OpVar:
		return env[t]
	case term.OpNot:
		return !at(0)
	case term.OpAnd:
		return !slices.ContainsFunc(args, func(a term.Term) bool { return !holds(p, a, env, preds) })
	case term.OpOr:
		return slices.ContainsFunc(args, func(a term.Term) bool { return holds(p, a, env, preds) })
	case term.OpIff:
		return at(0) == at(1)
	case term.OpIte:
		if at(0) {
			return at(1)
		}
		return at(2)
	case term.OpApply:
		bit := 1<<p.Pred(t) - 1 // predicate 0 has bit 0, 1 has 1 and 2, 2 has 3 to 6
		for i := range args {
			if at(i) {
				bit += 1 << i
			}
		}
		return preds>>bit&1 == 1
	case term.OpForall, term.OpExists:
		isForall := op == term.OpForall
		for _, value := range []bool{false, true} {
			env[args[0]] = value
			if at(1) != isForall {
				return !isForall
			}
		}
		return isForall
	}
	panic("an operator that no formula has")
}

// isValid reports whether a formula holds for all values of some variables.
func isValid(p *term.Pool, t term.Term, vars []term.Term, preds int) bool {
	for values := range 1 << len(vars) {
		env := map[term.Term]bool{}
		for i, v := range vars {
			env[v] = values>>i&1 == 1
		}
		if !holds(p, t, env, preds) {
			return false
		}
	}
	return true
}

// TestNormalize compares random formulas with their clauses, for all meanings of the predicates.
func TestNormalize(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	reasons, clauses := map[Reason]int{}, 0
	for range 4_000 {
		p := term.NewPool()
		free := []term.Term{p.Var("a", term.Bool), p.Var("b", term.Bool)}
		g := formulas{r: r, p: p}
		formula := g.formula(1+r.IntN(4), free)
		list, err := Normalize(p, formula, 7)
		var not *NotHornError
		if errors.As(err, &not) {
			reasons[not.Reason]++
			continue
		}
		clauses += len(list)
		for preds := range 1 << 7 {
			want := isValid(p, formula, free, preds)
			got := true
			for _, c := range list {
				if c.Origin != 7 {
					t.Fatalf("a clause comes from %d", c.Origin)
				}
				got = got && isValid(p, clauseTerm(p, c), c.Vars, preds)
			}
			if got != want {
				t.Fatalf("%s: %t with predicates %b, as clauses %t: %v", term.Infix(p, formula, nil, term.NoLimit), want, preds, got, list)
			}
		}
	}
	t.Logf("%d clauses; not Horn: %v", clauses, reasons)
	if clauses < 1_000 || reasons[TwoHeads] == 0 || reasons[WrongQuantifier] == 0 {
		t.Errorf("%d clauses; not Horn: %v", clauses, reasons)
	}
}

// clauseTerm returns a clause as a formula.
func clauseTerm(p *term.Pool, c Clause) term.Term {
	all := []term.Term{p.Not(c.Constraint), c.Head.Term(p)}
	for _, a := range c.Body {
		all = append(all, p.Not(a.Term(p)))
	}
	return p.Or(all...)
}

// TestShapes reads the shapes that assertions have in files.
func TestShapes(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	zero := p.IntOf(0)
	positive := p.Lt(zero, x)
	px, py, qx := p.Apply(0, x), p.Apply(0, y), p.Apply(1, x)
	s := System{Terms: p, Preds: []Predicate{{"P", []term.Sort{term.Int}}, {"Q", []term.Sort{term.Int}}}}
	forall := func(body term.Term) term.Term { return p.Quantified(term.OpForall, []term.Term{x, y}, body) }
	for _, test := range []struct {
		name    string
		formula term.Term
		want    []string
	}{
		{"a fact", forall(p.Implies(positive, px)), []string{"(forall ((x Int)) (=> (>= x 1) (P x)))"}},
		{"not exists", p.Not(p.Quantified(term.OpExists, []term.Term{x}, p.And(px, positive))), []string{"(forall ((x Int)) (=> (and (P x) (>= x 1)) false))"}},
		{"a conjunction as head", forall(p.Implies(px, p.And(qx, positive))), []string{
			"(forall ((x Int)) (=> (P x) (Q x)))", "(forall ((x Int)) (=> (and (P x) (<= x 0)) false))"}},
		{"a disjunction as body", forall(p.Implies(p.Or(px, p.And(py, positive)), qx)), []string{
			"(forall ((x Int)) (=> (P x) (Q x)))", "(forall ((y Int) (x Int)) (=> (and (P y) (>= x 1)) (Q x)))"}},
		{"a definition", forall(p.Equal(px, positive)), []string{
			"(forall ((x Int)) (=> (and (P x) (<= x 0)) false))", "(forall ((x Int)) (=> (>= x 1) (P x)))"}},
		{"implications in a row", forall(p.Implies(px, p.Implies(positive, p.Implies(py, qx)))), []string{
			"(forall ((x Int) (y Int)) (=> (and (P x) (P y) (>= x 1)) (Q x)))"}},
		{"a fact without variables", p.Apply(0, zero), []string{"(=> true (P 0))"}},
		{"false", term.False, []string{"(=> true false)"}},
		{"true", forall(p.Implies(px, px)), nil},
	} {
		clauses, err := Normalize(p, test.formula, 0)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var got []string
		for i := range clauses {
			got = append(got, s.ClauseSMT(&clauses[i]))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestTooMany refuses a formula whose clauses multiply, in little time.
func TestTooMany(t *testing.T) {
	p := term.NewPool()
	all := []term.Term{}
	for i := range 40 {
		all = append(all, p.Or(p.Apply(2*i), p.Apply(2*i+1)))
	}
	_, err := Normalize(p, p.Not(p.And(all...)), 0)
	var not *NotHornError
	if !errors.As(err, &not) || not.Reason != TooMany {
		t.Errorf("%v", err)
	}
}

// TestUses looks at which predicates depend on each other.
func TestUses(t *testing.T) {
	p := term.NewPool()
	atom := func(pred Pred) Atom { return Atom{Pred: pred} }
	s := &System{Terms: p, Preds: make([]Predicate, 4), Clauses: []Clause{
		{Constraint: term.True, Head: atom(0)},
		{Constraint: term.True, Body: []Atom{atom(0), atom(3)}, Head: atom(1)},
		{Constraint: term.True, Body: []Atom{atom(1)}, Head: atom(NoPred)},
		{Constraint: term.True, Body: []Atom{atom(1)}, Head: atom(2)},
	}}
	u := UsesOf(len(s.Preds), s.Shapes())
	if !u.HasQuery || !slices.Equal(u.Derived, []bool{true, true, true, false}) ||
		!slices.Equal(u.InBody, []bool{true, true, false, true}) || !slices.Equal(u.Asked, []bool{true, true, false, true}) {
		t.Errorf("%+v", u)
	}
	if s.IsLinear() {
		t.Error("a clause has two predicates in its body")
	}
}
