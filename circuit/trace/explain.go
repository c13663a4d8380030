package trace

import (
	"context"
	"math"
	"slices"

	"aiglens/circuit"
)

// Event is the value of a literal at a step.
type Event struct {
	Lit   circuit.Lit
	Step  int
	Value circuit.Value
}

// Reason says what gives a literal its value.
type Reason uint8

// The reasons. Input and FreeLatch are the leaves: values that the run chooses.
const (
	NoReason  Reason = iota // the value is x
	Constant                // the literal is a constant
	Reset                   // the reset of a latch; one that is a function has its literal as cause
	Input                   // an input
	FreeLatch               // a latch that may start with either value
	Next                    // the next value of a latch, one step before
	Gate                    // operands of a gate
)

func (r Reason) String() string {
	return [...]string{"none", "constant", "reset", "input", "free latch", "next", "gate"}[r]
}

// IsLeaf reports whether the run chooses the value.
func (r Reason) IsLeaf() bool { return r == Input || r == FreeLatch }

// Causes returns the events that force the value of a literal at a step: both
// operands of a gate that is 1, one operand of a gate that is 0, the next value of a
// latch one step before, the reset function of a latch in step 0. The reason says which
// of these it is, or why there is no cause. Literals stand as in the circuit, so those of
// a gate that is 0 are 0.
func (r *Replay) Causes(l circuit.Lit, step int) (Reason, []Event) {
	k := r.causes(r.frame(step), l.Var(), step)
	events := make([]Event, k.n)
	for i, c := range k.lits[:k.n] {
		events[i] = Event{c, k.step, r.Value(c, k.step)}
	}
	return k.reason, events
}

// causes are the literals that force a value, and the step that they are of.
type causes struct {
	reason Reason
	lits   [2]circuit.Lit
	n      int // of lits
	step   int
}

// causes returns what forces the value of v in the frame f of a step.
func (r *Replay) causes(f frame, v circuit.Var, step int) causes {
	one := func(reason Reason, l circuit.Lit, step int) causes {
		return causes{reason, [2]circuit.Lit{l}, 1, step}
	}
	if f.value(v.Lit()) == circuit.X {
		return causes{}
	}
	switch r.c.Kind(v) {
	case circuit.KindConstant:
		return causes{reason: Constant}
	case circuit.KindInput:
		return causes{reason: Input}
	case circuit.KindLatch:
		switch l := r.c.Latches()[r.c.LatchIndex(v)]; {
		case step > 0:
			return one(Next, l.Next, step-1)
		case l.IsFree():
			return causes{reason: FreeLatch}
		case l.HasFunction():
			return one(Reset, l.Reset, step)
		}
		return causes{reason: Reset}
	}
	left, right, _ := r.c.Operands(v)
	switch {
	case f.value(v.Lit()) == circuit.One:
		return causes{Gate, [2]circuit.Lit{left, right}, 2, step}
	case f[v]&frameRight != 0:
		return one(Gate, right, step)
	}
	return one(Gate, left, step)
}

// Node is an event of an explanation with its causes.
type Node struct {
	Event
	Reason Reason
	Causes []*Node
	// Repeated says that the causes stand at another node with the same event, or
	// its negation, which comes earlier by levels.
	Repeated bool
	// Cut says that the causes are left out: they are beyond the limit, or too many
	// literals would have to be passed over to find them. Explain for the event of this
	// node goes on from here.
	Cut bool
}

// Limit bounds a tree: nodes on a path below the root, and nodes in all. Zero is no
// bound.
type Limit struct{ Depth, Nodes int }

// Explain returns the tree of the causes of a literal's value at a step, built level
// by level up to a limit. Causes for which hidden holds are passed over: what causes
// them stands in their place. hidden is nil when none are. The error is that of ctx.
func (r *Replay) Explain(ctx context.Context, l circuit.Lit, step int, limit Limit, hidden func(circuit.Lit) bool) (*Node, error) {
	root := &Node{Event: Event{l, step, r.Value(l, step)}}
	return root, r.explain(ctx, []*Node{root}, 0, limit, hidden)
}

// ExplainAll returns a node without an event, whose causes are some events with their own
// trees, as Explain makes them. The limit is that of the whole. The error is that of ctx.
func (r *Replay) ExplainAll(ctx context.Context, events []Event, limit Limit, hidden func(circuit.Lit) bool) (*Node, error) {
	root := &Node{}
	if limit.Nodes > 0 && len(events) >= limit.Nodes {
		events, root.Cut = events[:limit.Nodes-1], true
	}
	for _, e := range events {
		root.Causes = append(root.Causes, &Node{Event: e})
	}
	return root, r.explain(ctx, root.Causes, 1, limit, hidden)
}

// explain gives the nodes at a depth their causes. Above them there is one node for each
// level.
func (r *Replay) explain(ctx context.Context, level []*Node, depth int, limit Limit, hidden func(circuit.Lit) bool) error {
	x := explanation{r: r, hidden: hidden, room: math.MaxInt, passable: maxPassed}
	if limit.Nodes > 0 {
		x.room = limit.Nodes - len(level) - depth
	}
	explained := map[place]bool{}
	for ; len(level) > 0; depth++ {
		if limit.Depth > 0 && depth >= limit.Depth {
			x.room = 0
		}
		var next []*Node
		for _, n := range level {
			here := place{n.Lit.Var(), n.Step}
			reason, direct := r.Causes(n.Lit, n.Step)
			n.Reason = reason
			if n.Repeated = explained[here]; n.Repeated {
				continue
			}
			causes, found, err := x.shown(ctx, direct)
			if err != nil {
				return err
			}
			if n.Cut = !found || len(causes) > x.room; n.Cut || len(causes) == 0 {
				continue
			}
			explained[here] = true
			x.room -= len(causes)
			for _, e := range causes {
				n.Causes = append(n.Causes, &Node{Event: e})
			}
			next = append(next, n.Causes...)
		}
		level = next
	}
	return nil
}

// place is a variable at a step.
type place struct {
	v    circuit.Var
	step int
}

// maxPassed bounds the literals that one explanation passes over.
const maxPassed = 100_000

// explanation is what the work on one tree needs to know.
type explanation struct {
	r      *Replay
	hidden func(circuit.Lit) bool
	room   int // nodes that the tree may still get
	// passable is the number of literals that may still be passed over:
	// passable + literals passed over = maxPassed.
	passable int
}

// shown returns the events that stand for some causes: these, or where they are hidden
// what causes them, each once and in the order in which a walk from the first to the
// last meets them. It stops when there is no room for them all. found is false when
// too many would have to be passed over. The error is that of ctx.
func (x *explanation) shown(ctx context.Context, causes []Event) (events []Event, found bool, err error) {
	if !slices.ContainsFunc(causes, x.isHidden) {
		return causes, true, ctx.Err()
	}
	slices.Reverse(causes)
	met := map[place]bool{}
	for ahead := causes; len(ahead) > 0 && len(events) <= x.room; { // the next one is the last
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		e := ahead[len(ahead)-1]
		ahead = ahead[:len(ahead)-1]
		here := place{e.Lit.Var(), e.Step}
		if met[here] {
			continue
		}
		met[here] = true
		if !x.isHidden(e) {
			events = append(events, e)
			continue
		}
		if x.passable == 0 {
			return nil, false, nil
		}
		x.passable--
		_, behind := x.r.Causes(e.Lit, e.Step)
		slices.Reverse(behind)
		ahead = append(ahead, behind...)
	}
	return events, true, nil
}

func (x *explanation) isHidden(e Event) bool { return x.hidden != nil && x.hidden(e.Lit) }

// Support is what the explanation of an event rests on, all of it, without a limit.
type Support struct {
	// Leaves are the inputs and free latches, as positive literals, by step and then
	// in the order of the circuit, latches first.
	Leaves []Event
	// Latches are the latches with a part in it, those first that come in first.
	Latches []RelevantLatch
}

// RelevantLatch is a latch that has a part in an explanation.
type RelevantLatch struct {
	Index       int // position among the latches of the circuit
	First, Last int // steps of its first and last part
}

// Support returns what the values of some literals at steps rest on. The error is that
// of ctx.
func (r *Replay) Support(ctx context.Context, events ...Event) (Support, error) {
	var s Support
	found := map[int]int{} // latch → position in s.Latches
	roots := slices.Clone(events)
	slices.SortStableFunc(roots, func(a, b Event) int { return a.Step - b.Step })
	err := r.mark(ctx, roots, false, 0, func(at int, needed []bool) {
		var leaves []Event
		leaf := func(lit circuit.Lit) { leaves = append(leaves, Event{lit, at, r.Value(lit, at)}) }
		for i, latch := range r.c.Latches() {
			if !needed[latch.Lit.Var()] {
				continue
			}
			if at == 0 && latch.IsFree() {
				leaf(latch.Lit)
			}
			if place, ok := found[i]; ok {
				s.Latches[place].First = at
			} else {
				found[i] = len(s.Latches)
				s.Latches = append(s.Latches, RelevantLatch{i, at, at})
			}
		}
		for _, in := range r.c.Inputs() {
			if needed[in.Lit.Var()] {
				leaf(in.Lit)
			}
		}
		slices.Reverse(leaves)
		s.Leaves = append(s.Leaves, leaves...)
	})
	slices.Reverse(s.Leaves)
	slices.SortFunc(s.Latches, func(a, b RelevantLatch) int {
		if a.First != b.First {
			return a.First - b.First
		}
		return a.Index - b.Index
	})
	return s, err
}

// SupportAt returns which variables have a part, at a step, in what the values of some
// literals rest on. The error is that of ctx.
func (r *Replay) SupportAt(ctx context.Context, step int, events ...Event) (part []bool, err error) {
	roots := slices.Clone(events)
	slices.SortStableFunc(roots, func(a, b Event) int { return a.Step - b.Step })
	part = make([]bool, r.c.NumVars())
	err = r.mark(ctx, roots, false, step, func(at int, needed []bool) {
		if at == step {
			copy(part, needed)
		}
	})
	return part, err
}

// mark goes from the last step back and calls visit with the variables that the
// roots rest on at each step, down to the first one with any. Roots are sorted by
// step. A gate of value 0 needs one operand that is 0: with share one that is needed
// already, else the one that Causes names. needed is valid during visit alone. Steps before
// first are not visited.
func (r *Replay) mark(ctx context.Context, roots []Event, share bool, first int, visit func(step int, needed []bool)) error {
	if len(roots) == 0 {
		return nil
	}
	needed, before := make([]bool, r.c.NumVars()), make([]bool, r.c.NumVars())
	for step := roots[len(roots)-1].Step; step >= first; step-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := r.frame(step)
		for ; len(roots) > 0 && roots[len(roots)-1].Step == step; roots = roots[:len(roots)-1] {
			needed[roots[len(roots)-1].Lit.Var()] = true
		}
		found := false
		follow := func(v circuit.Var) {
			if !needed[v] || share && r.hasNeeded(f, v, needed) {
				return
			}
			k := r.causes(f, v, step)
			for _, l := range k.lits[:k.n] {
				if k.step == step {
					needed[l.Var()] = true
				} else {
					before[l.Var()], found = true, true
				}
			}
		}
		for v := len(needed) - 1; v > 0; v-- {
			follow(circuit.Var(v))
		}
		if step == 0 { // a reset function may have a higher number than its latch
			for _, v := range slices.Backward(r.c.StartOrder()) {
				follow(v)
			}
		}
		visit(step, needed)
		if !found && len(roots) == 0 {
			return nil
		}
		clear(needed)
		needed, before = before, needed
	}
	return nil
}

// hasNeeded reports whether the gate v is 0 by an operand that is needed already.
func (r *Replay) hasNeeded(f frame, v circuit.Var, needed []bool) bool {
	left, right, ok := r.c.Operands(v)
	if !ok || f.value(v.Lit()) != circuit.Zero {
		return false
	}
	return f.value(left) == circuit.Zero && needed[left.Var()] || f.value(right) == circuit.Zero && needed[right.Var()]
}
