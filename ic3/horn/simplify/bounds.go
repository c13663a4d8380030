package simplify

import (
	"context"
	"slices"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// analysis finds spans of the arguments of predicates with which every clause that holds for its body holds for
// its head.
type analysis struct {
	system     *horn.System
	state      [][]span // by predicate; nil for one of which nothing is derived
	changes    []int    // by predicate
	thresholds []Rat    // ascending
}

const (
	// exactChanges is how often a predicate changes before its intervals are widened: to the next threshold, and after
	// thresholdChanges to infinity.
	exactChanges     = 4
	thresholdChanges = 16
	maxThresholds    = 64
	narrowings       = 2
	// passes is how often what a clause says is taken over in one look at it.
	passes = 2
)

// analyse returns the spans of all predicates. The error is that of ctx.
func analyse(ctx context.Context, s *horn.System) (*analysis, error) {
	a := &analysis{system: s, state: make([][]span, len(s.Preds)), changes: make([]int, len(s.Preds)), thresholds: thresholdsOf(s)}
	users := make([][]int, len(s.Preds)) // clauses with a predicate in the body
	var todo []int
	waits := make([]bool, len(s.Clauses))
	for i := range s.Clauses {
		c := &s.Clauses[i]
		for _, b := range c.Body {
			users[b.Pred] = append(users[b.Pred], i)
		}
		if !c.IsQuery() && c.IsFact() {
			todo, waits[i] = append(todo, i), true
		}
	}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i := todo[0]
		todo, waits[i] = todo[1:], false
		c := &s.Clauses[i]
		if args := a.transfer(c, a.state); args == nil || !a.widen(c.Head.Pred, args) {
			continue
		}
		for _, u := range users[c.Head.Pred] {
			if !waits[u] && !s.Clauses[u].IsQuery() {
				todo, waits[u] = append(todo, u), true
			}
		}
	}
	for range narrowings {
		if ctx.Err() != nil || !a.narrow() {
			break
		}
	}
	return a, ctx.Err()
}

// thresholdsOf returns the numbers that variables are compared with, and their neighbours.
func thresholdsOf(s *horn.System) []Rat {
	var all []Rat
	p := s.Terms
	for i := range s.Clauses {
		p.Walk(termsOf(&s.Clauses[i]), nil, func(t term.Term) {
			switch p.Op(t) {
			case term.OpLe, term.OpLt, term.OpEq:
				if l := p.LinearOf(t); len(l.Terms) == 1 {
					n := l.Const.Div(l.Coefs[0]).Neg()
					all = append(all, n, n.Add(rational.One))
				}
			}
		})
	}
	slices.SortFunc(all, Rat.Cmp)
	all = slices.CompactFunc(all, Rat.Equal)
	if len(all) > maxThresholds {
		return nil
	}
	return all
}

// transfer returns what a clause derives from what is known of its body; nil for nothing.
func (a *analysis) transfer(c *horn.Clause, state [][]span) []span {
	e := newEnvironment(a.system.Terms)
	for range passes {
		for _, b := range c.Body {
			if state[b.Pred] == nil {
				return nil
			}
			for i, t := range b.Args {
				e.refine(t, state[b.Pred][i])
			}
		}
		if e.assume(c.Constraint, true, maxSplits); e.impossible {
			return nil
		}
	}
	all := make([]span, len(c.Head.Args))
	for i, t := range c.Head.Args {
		if all[i] = e.of(t).rounded(); all[i].isEmpty() {
			return nil
		}
	}
	return all
}

// widen adds what a clause derives, and reports whether that is new.
func (a *analysis) widen(p horn.Pred, args []span) bool {
	old := a.state[p]
	if old == nil {
		a.state[p] = args
		return true
	}
	now, isNew := make([]span, len(old)), false
	for i, s := range args {
		now[i] = old[i].join(s)
		isNew = isNew || !now[i].same(old[i])
	}
	if !isNew {
		return false
	}
	a.changes[p]++
	for i := range now {
		now[i] = a.extend(old[i], now[i], a.changes[p])
	}
	a.state[p] = now
	return true
}

// extend moves the ends that have changed to the next threshold, or to infinity, once there were many changes.
func (a *analysis) extend(old, now span, changes int) span {
	if now.sort == term.Bool || changes <= exactChanges {
		return now
	}
	low, high := now.low, now.high
	if !low.same(old.low) {
		now.low = limit{}
		if i, found := slices.BinarySearchFunc(a.thresholds, low.value, Rat.Cmp); low.isFinite && changes <= thresholdChanges && (found || i > 0) {
			if !found {
				i--
			}
			now.low = at(a.thresholds[i])
		}
	}
	if !high.same(old.high) {
		now.high = limit{}
		if i, _ := slices.BinarySearchFunc(a.thresholds, high.value, Rat.Cmp); high.isFinite && changes <= thresholdChanges && i < len(a.thresholds) {
			now.high = at(a.thresholds[i])
		}
	}
	return now
}

// next returns what all clauses together derive from a state.
func (a *analysis) next(state [][]span) [][]span {
	next := make([][]span, len(state))
	for i := range a.system.Clauses {
		c := &a.system.Clauses[i]
		if c.IsQuery() {
			continue
		}
		args := a.transfer(c, state)
		switch p := c.Head.Pred; {
		case args == nil:
		case next[p] == nil:
			next[p] = args
		default:
			for k := range args {
				next[p][k] = next[p][k].join(args[k])
			}
		}
	}
	return next
}

// narrow makes the spans what is derived from them, if that is less and stays so. It reports whether it did.
func (a *analysis) narrow() bool {
	next := a.next(a.state)
	if !isBelow(next, a.state) || isBelow(a.state, next) || !isBelow(a.next(next), next) {
		return false
	}
	a.state = next
	return true
}

// isBelow reports whether b has all values of a.
func isBelow(a, b [][]span) bool {
	for p := range a {
		if a[p] == nil {
			continue
		}
		if b[p] == nil {
			return false
		}
		for i := range a[p] {
			if !a[p][i].isWithin(b[p][i]) {
				return false
			}
		}
	}
	return true
}

// constants leaves out arguments that always have one value, and predicates of which nothing is derived.
func (w *work) constants(ctx context.Context) {
	a, err := analyse(ctx, w.System)
	if err != nil {
		return
	}
	isConstant := func(s span) bool { return s.constant(w.terms()) != term.None }
	w.add(a, isConstant)
	w.without(func(p horn.Pred, arg int) bool { return a.state[p] == nil || !isConstant(a.state[p][arg]) })
}

// bounds adds what is known of the arguments of predicates to the bodies.
func (w *work) bounds(ctx context.Context) {
	if a, err := analyse(ctx, w.System); err == nil {
		w.add(a, func(span) bool { return true })
	}
}

// add adds spans that useful holds for to the bodies, and makes predicates false of which nothing is derived. That
// can be due to spans that are not added: a model has them all.
func (w *work) add(a *analysis, useful func(span) bool) {
	p := w.terms()
	facts, added := map[horn.Pred]cert.Definition{}, map[horn.Pred]cert.Definition{}
	fixed := map[horn.Pred]term.Term{}
	for i, known := range a.state {
		pred, ps := horn.Pred(i), params(p, w.System.Preds[i].Args)
		if known == nil {
			fixed[pred] = term.False
			continue
		}
		var all, some []term.Term
		for i, s := range known {
			f := s.formula(p, ps[i])
			if all = append(all, f); useful(s) {
				some = append(some, f)
			}
		}
		facts[pred] = cert.Definition{Params: ps, Formula: p.And(all...)}
		added[pred] = cert.Definition{Params: ps, Formula: p.And(some...)}
	}
	w.rewrite(added, facts, fixed)
}
