package lia_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// formula is a Boolean variable, an atom or a gate.
type formula struct {
	op    string // "bool", "atom", "and", "or", "not", "iff", "ite"
	index int    // of a Boolean variable
	atom  lia.Atom
	args  []*formula
}

const bools = 2

// formula returns a random formula over the atoms of p.
func (p *problem) formula(r *rand.Rand, depth int) *formula {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(5) == 0 {
			return &formula{op: "bool", index: r.IntN(bools)}
		}
		return &formula{op: "atom", atom: p.atoms[r.IntN(len(p.atoms))]}
	}
	op, n := []string{"and", "or", "not", "iff", "ite"}[r.IntN(5)], 0
	switch op {
	case "and", "or":
		n = 2 + r.IntN(2)
	case "not":
		n = 1
	case "iff":
		n = 2
	case "ite":
		n = 3
	}
	f := &formula{op: op}
	for range n {
		f.args = append(f.args, p.formula(r, depth-1))
	}
	return f
}

// lit builds f in a solver.
func (f *formula) lit(s *lia.Solver, free []lia.Lit) lia.Lit {
	var args []lia.Lit
	for _, a := range f.args {
		args = append(args, a.lit(s, free))
	}
	switch f.op {
	case "bool":
		return free[f.index]
	case "atom":
		return s.Atom(f.atom)
	case "and":
		return s.And(args...)
	case "or":
		return s.Or(args...)
	case "not":
		return args[0].Not()
	case "iff":
		return s.Iff(args[0], args[1])
	}
	return s.Ite(args[0], args[1], args[2])
}

// holds evaluates f.
func (f *formula) holds(value func(lia.Var) lia.Rat, free func(int) bool) bool {
	arg := func(i int) bool { return f.args[i].holds(value, free) }
	switch f.op {
	case "bool":
		return free(f.index)
	case "atom":
		return f.atom.Holds(value)
	case "and", "or":
		for i := range f.args {
			if arg(i) == (f.op == "or") {
				return f.op == "or"
			}
		}
		return f.op == "and"
	case "not":
		return !arg(0)
	case "iff":
		return arg(0) == arg(1)
	}
	if arg(0) {
		return arg(1)
	}
	return arg(2)
}

// smt prints f.
func (f *formula) smt(isInt lia.Sorts) string {
	switch f.op {
	case "bool":
		return fmt.Sprintf("b%d", f.index)
	case "atom":
		return smtAtom(f.atom, isInt)
	}
	s := "(" + f.op
	if f.op == "iff" {
		s = "(="
	}
	for _, a := range f.args {
		s += " " + a.smt(isInt)
	}
	return s + ")"
}

// session is a solver with what it was told.
type session struct {
	t        *testing.T
	p        *problem
	s        *lia.Solver
	free     []lia.Lit
	asserted []*formula
}

func newSession(t *testing.T, p *problem) *session {
	n := &session{t: t, p: p}
	n.s = lia.New(lia.Options{Conflict: n.checkConflict})
	for _, isInt := range p.isInt {
		n.s.NewVar(isInt)
	}
	for range bools {
		n.free = append(n.free, n.s.NewBool())
	}
	return n
}

func (n *session) checkConflict(premises []lia.Atom, r *lia.Refutation) {
	if err := r.Check(premises, n.s.IsInt); err != nil {
		n.t.Fatalf("%v: %v", premises, err)
	}
}

// ask poses a query, checks its model or core, and returns the answer.
func (n *session) ask(assumed []*formula) sat.Result {
	n.t.Helper()
	var lits []lia.Lit
	for _, f := range assumed {
		lits = append(lits, f.lit(n.s, n.free))
	}
	got, err := n.s.Solve(context.Background(), lits...)
	if err != nil {
		n.t.Fatal(err)
	}
	switch got {
	case sat.Sat:
		all := append(append([]*formula{}, n.asserted...), assumed...)
		n.checkModel(all)
		n.checkImplicant(all)
	case sat.Unsat:
		n.checkCore(assumed, lits)
	}
	return got
}

// checkModel evaluates what must hold, with each value of the Boolean variables that are open.
func (n *session) checkModel(all []*formula) {
	n.t.Helper()
	for v, isInt := range n.p.isInt {
		if isInt && !n.s.Value(lia.Var(v)).IsInt() {
			n.t.Fatalf("x%d is %v", v, n.s.Value(lia.Var(v)))
		}
	}
	for bits := range 1 << bools {
		open := func(i int) bool {
			if value := n.s.Holds(n.free[i]); value != circuit.X {
				return value == circuit.One
			}
			return bits>>i&1 == 1
		}
		for _, f := range all {
			if !f.holds(n.s.Value, open) {
				n.t.Fatalf("the model violates %s", f.smt(n.p.sort))
			}
		}
	}
}

// checkImplicant checks that an implicant of all is true in the model and implies all.
func (n *session) checkImplicant(all []*formula) {
	n.t.Helper()
	var roots []lia.Lit
	for _, f := range all {
		roots = append(roots, f.lit(n.s, n.free))
	}
	other := newSession(n.t, n.p)
	for _, l := range n.s.AppendImplicant(nil, roots...) {
		if a, ok := n.s.AtomOf(l); ok {
			if !a.Holds(n.s.Value) {
				n.t.Fatalf("%v of an implicant is false", a)
			}
			for _, m := range a.Term {
				if int(m.Var) >= len(n.p.isInt) {
					return // about the remainder of a congruence, which the other solver does not know
				}
			}
			other.s.Assert(other.s.Atom(a))
			continue
		}
		for i, b := range n.free {
			if l == b || l == b.Not() {
				other.s.Assert(other.free[i].NotIf(l != b))
			}
		}
	}
	var lits []lia.Lit
	for _, f := range all {
		lits = append(lits, f.lit(other.s, other.free))
	}
	if r, err := other.s.Solve(context.Background(), other.s.And(lits...).Not()); err != nil || r == sat.Sat {
		n.t.Fatalf("%v, %v: an implicant does not imply what it is one of", r, err)
	}
}

// checkCore asks another solver about the core alone.
func (n *session) checkCore(assumed []*formula, lits []lia.Lit) {
	n.t.Helper()
	other := newSession(n.t, n.p)
	for _, f := range n.asserted {
		other.s.Assert(f.lit(other.s, other.free))
	}
	for i, f := range assumed {
		if n.s.InCore(lits[i]) {
			other.s.Assert(f.lit(other.s, other.free))
		}
	}
	if r, err := other.s.Solve(context.Background()); err != nil || r == sat.Sat {
		n.t.Fatalf("the core is %v, %v", r, err)
	}
}

// TestFormulas asks sequences of queries of one solver; with AIGLENS_LONG z3 answers them, too.
func TestFormulas(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			var z *referee
			if isLong() {
				z = newReferee(t)
			}
			results := map[sat.Result]int{}
			r := rand.New(rand.NewPCG(9, 1))
			for range count(100) {
				p := s.problem(r)
				n := newSession(t, p)
				for range 8 {
					if r.IntN(3) == 0 {
						f := p.formula(r, 3)
						n.asserted = append(n.asserted, f)
						n.s.Assert(f.lit(n.s, n.free))
					}
					var assumed []*formula
					for range r.IntN(4) {
						assumed = append(assumed, p.formula(r, 2))
					}
					got := n.ask(assumed)
					results[got]++
					if z != nil && got != sat.Unsolved {
						n.compare(z, assumed, got)
					}
				}
			}
			t.Logf("%v", results)
			if results[sat.Sat] == 0 || results[sat.Unsat] == 0 {
				t.Errorf("only %v", results)
			}
		})
	}
}

func (n *session) compare(z *referee, assumed []*formula, got sat.Result) {
	n.t.Helper()
	script := declarations(n.p.isInt)
	for i := range bools {
		script += fmt.Sprintf("(declare-const b%d Bool)\n", i)
	}
	for _, f := range append(append([]*formula{}, n.asserted...), assumed...) {
		script += "(assert " + f.smt(n.p.sort) + ")\n"
	}
	if want := z.ask(script); want != got.String() && want != "unknown" {
		n.t.Fatalf("%v, and z3 says %s to\n%s", got, want, script)
	}
}
