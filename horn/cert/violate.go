package cert

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/go-air/gini/z"

	"aiglens/horn"
	"aiglens/horn/cert/linear"
	"aiglens/horn/term"
)

// The limits of the check of one clause: assignments that gini finds, and constraints that
// each of them derives.
const (
	maxRounds      = 20_000
	maxConstraints = 200_000
	// maxMinimize bounds what a core may derive while constraints are left out of it.
	maxMinimize = 2_000
)

// assignment has values of the variables of a clause, in their order.
type assignment struct {
	names  []string
	values []Value
}

func (a *assignment) String() string {
	parts := make([]string, len(a.names))
	for i, name := range a.names {
		parts[i] = fmt.Sprintf("%s = %s", name, a.values[i])
	}
	return strings.Join(parts, ", ")
}

// violation, of a new encoding, returns values with which clause i is false under a model; nil when it is
// valid. The error is that of ctx, or linear.ErrTooLarge.
//
// gini finds an assignment of the formula, linear tests the comparisons that make it true,
// and those that contradict each other become a clause of gini, until one of them finds
// nothing or the numbers fit.
func (e *encoding) violation(ctx context.Context, s *horn.System, i int, m Model) (*assignment, error) {
	c := &s.Clauses[i]
	outer, roots := e.violated(s, c, m)
	if i < len(m.Refutations) {
		outer.replay(c.Vars, m.Terms, m.Refutations[i])
	}
	numbers, err := e.satisfy(ctx, roots)
	if err != nil || numbers == nil {
		return nil, err
	}
	a := &assignment{}
	for _, v := range c.Vars {
		value := Value{}
		if s.Terms.SortOf(v) == term.Bool {
			value.Bool = e.g.Value(outer.formulas[v])
		} else {
			value.Number = numbers[outer.numbers[v].sum[0].Var]
		}
		a.names, a.values = append(a.names, s.Terms.Name(v)), append(a.values, value)
	}
	if !violates(s, c, m, a.values) {
		return nil, errors.New("cert: the values found for a clause do not make it false")
	}
	return a, nil
}

// violated loads the negation of a clause under a model: what must hold together, with the
// scope of its variables.
func (e *encoding) violated(s *horn.System, c *horn.Clause, m Model) (outer *scope, roots []z.Lit) {
	outer = e.scope(s.Terms)
	for _, v := range c.Vars {
		outer.declare(v)
	}
	roots = []z.Lit{outer.formula(c.Constraint)}
	for _, a := range c.Body {
		roots = append(roots, outer.instance(m, m.Definitions[a.Pred], a.Args))
	}
	if !c.IsQuery() {
		roots = append(roots, outer.instance(m, m.Definitions[c.Head.Pred], c.Head.Args).Not())
	}
	for _, r := range roots {
		e.clause(r)
	}
	return outer, roots
}

// violates reports whether a clause is false under a model, by evaluating it.
func violates(s *horn.System, c *horn.Clause, m Model, values []Value) bool {
	e := newEvaluation(s.Terms)
	for j, v := range c.Vars {
		e.known[v] = values[j]
	}
	holds := func(a horn.Atom) bool {
		d := m.Definitions[a.Pred]
		inner := newEvaluation(m.Terms)
		for j, value := range e.values(a.Args) {
			inner.known[d.Params[j]] = value
		}
		return inner.value(d.Formula).Bool
	}
	for _, a := range c.Body {
		if !holds(a) {
			return false
		}
	}
	return e.value(c.Constraint).Bool && (c.IsQuery() || !holds(c.Head))
}

// satisfy returns values of the variables for numbers with which the roots hold, for the
// values of Boolean variables in gini; nil when there are none.
func (e *encoding) satisfy(ctx context.Context, roots []z.Lit) ([]*big.Rat, error) {
	for e.rounds < maxRounds {
		found, err := e.solve(ctx)
		if err != nil || !found {
			return nil, err
		}
		e.rounds++
		values, lemmas, err := e.conflicts(ctx, e.reasons(roots))
		if err != nil || values != nil {
			return values, err
		}
		for _, lemma := range lemmas {
			e.clause(lemma...)
		}
	}
	return nil, linear.ErrTooLarge
}

// conflicts returns values with which comparisons hold. If there are none, it returns
// clauses that numbers always satisfy and the comparisons do not: one, and more while the
// comparisons that are in none of them contradict each other as well.
func (e *encoding) conflicts(ctx context.Context, comparisons []z.Lit) (values []*big.Rat, lemmas [][]z.Lit, err error) {
	for {
		constraints := make([]linear.Constraint, len(comparisons))
		for i, m := range comparisons {
			constraints[i] = e.constraint(m)
		}
		answer, err := linear.Solve(ctx, e.integer, constraints, maxConstraints)
		switch {
		case lemmas != nil && (errors.Is(err, linear.ErrTooLarge) || err == nil && answer.Values != nil):
			return nil, lemmas, nil
		case err != nil || answer.Values != nil:
			return answer.Values, nil, err
		}
		core, err := e.minimized(ctx, constraints, answer.Core)
		if err != nil {
			return nil, nil, err
		}
		var lemma, rest []z.Lit
		for i, m := range comparisons {
			if slices.Contains(core, i) {
				lemma = append(lemma, m.Not())
			} else {
				rest = append(rest, m)
			}
		}
		lemmas, comparisons = append(lemmas, lemma), rest
	}
}

// solve reports whether gini finds an assignment. It must not be called again when there is
// none: gini v1.0.4 ends the process then.
func (e *encoding) solve(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	conn := e.g.GoSolve()
	for {
		// Pause returns at gini's next tick, or with the result.
		result, paused := conn.Pause()
		if !paused {
			if result == 0 {
				return false, errors.New("cert: gini has no result")
			}
			return result == 1, nil
		}
		err := ctx.Err()
		conn.Unpause()
		if err != nil {
			conn.Stop()
			return false, err
		}
	}
}

// reasons returns comparisons that, with the values of Boolean variables, make the roots
// true: of a conjunction all, of a disjunction one. The variables that occur in them bring
// their definitions with them.
func (e *encoding) reasons(roots []z.Lit) (comparisons []z.Lit) {
	done := map[z.Lit]bool{}
	defined := make([]bool, len(e.integer))
	todo := append([]z.Lit{}, roots...)
	for len(todo) > 0 {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if done[m] {
			continue
		}
		done[m] = true
		if all, ok := e.gates[m]; ok {
			todo = append(todo, all...)
		} else if all, ok := e.gates[m.Not()]; ok {
			todo = append(todo, e.falsified(all, done))
		} else if b := e.boundOf(m); b != nil {
			comparisons = append(comparisons, m)
			for _, x := range b.sum {
				if !defined[x.Var] {
					defined[x.Var] = true
					todo = append(todo, e.definitions[x.Var]...)
				}
			}
		}
	}
	return comparisons
}

// boundOf returns the bound that a literal, or its negation, stands for; nil for others.
func (e *encoding) boundOf(m z.Lit) *bound {
	if b := e.bounds[m]; b != nil {
		return b
	}
	return e.bounds[m.Not()]
}

// falsified returns the negation of a literal that is false: one that is a reason already,
// or a Boolean variable, if there is one.
func (e *encoding) falsified(all []z.Lit, done map[z.Lit]bool) (first z.Lit) {
	for _, m := range all {
		if e.g.Value(m) {
			continue
		}
		n := m.Not()
		free := e.boundOf(m) == nil && e.gates[m] == nil && e.gates[n] == nil
		if free || done[n] {
			return n
		}
		if first == z.LitNull {
			first = n
		}
	}
	return first
}

// minimized leaves constraints out of those that nothing satisfies, while linear still finds
// nothing: first all that are not in the core, then one after the other.
func (e *encoding) minimized(ctx context.Context, all []linear.Constraint, core []int) ([]int, error) {
	kept := make([]int, len(all))
	for i := range kept {
		kept[i] = i
	}
	fewer, limit := core, maxConstraints
	for i := len(core); ; {
		refuted, err := e.refuted(ctx, all, fewer, limit)
		if err != nil {
			return nil, err
		}
		if refuted {
			kept = fewer
		}
		if i = min(i, len(kept)) - 1; i < 0 {
			return kept, nil
		}
		fewer, limit = slices.Delete(slices.Clone(kept), i, i+1), maxMinimize
	}
}

// refuted reports whether linear finds within a limit that nothing satisfies some of the
// constraints.
func (e *encoding) refuted(ctx context.Context, all []linear.Constraint, at []int, limit int) (bool, error) {
	some := make([]linear.Constraint, len(at))
	for i, j := range at {
		some[i] = all[j]
	}
	answer, err := linear.Solve(ctx, e.integer, some, limit)
	if errors.Is(err, linear.ErrTooLarge) {
		return false, nil
	}
	return err == nil && answer.Values == nil, err
}
