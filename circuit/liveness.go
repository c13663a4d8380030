package circuit

import (
	"context"
	"slices"
)

// Repetition is a justice property brought to one literal, bad 0 of Circuit: a run
// violates the property iff that literal is 1 infinitely often while the constraints hold
// for ever. The literal is 1 in the last step of each round in which every literal of the
// property, and every fairness condition, was 1 once.
type Repetition struct {
	// Circuit has the inputs of the original at their positions, and its constraints. It
	// has no reset functions and no other properties. Its latches are, in this order,
	//
	//   - those of the original at their positions,
	//   - the latch that is 1 in step 0 alone, if the original has reset functions (see
	//     ConstantResets),
	//   - one for each literal of the property and each fairness condition, in their order,
	//     if there are two or more. It is 1 when the literal was 1 in an earlier step of the
	//     round.
	Circuit *Circuit
	Latches int  // of the original
	First   bool // whether there is a latch that is 1 in step 0 alone
}

// Round returns the literal that is 1 at the end of each round.
func (r *Repetition) Round() Lit { return r.Circuit.bads[0].Lit }

// Seen returns the number of latches that say which literals were 1 in a round.
func (r *Repetition) Seen() int {
	n := len(r.Circuit.latches) - r.Latches
	if r.First {
		n--
	}
	return n
}

// Goals returns what is 1 infinitely often on a run that violates a justice property: its
// literals, then the fairness conditions.
func (c *Circuit) Goals(justice int) []Lit {
	goals := slices.Clone(c.justice[justice].Lits)
	for _, s := range c.fairness {
		goals = append(goals, s.Lit)
	}
	return goals
}

// Repetition brings a justice property to one literal. The error is ErrNoProperty when
// there is no such justice property.
func (c *Circuit) Repetition(p Property) (*Repetition, error) {
	return c.RepetitionContext(context.Background(), p)
}

// RepetitionContext is Repetition until ctx ends, whose error it then returns. The first
// call takes long; those about other properties of the same circuit do not.
func (c *Circuit) RepetitionContext(ctx context.Context, p Property) (*Repetition, error) {
	if p.Kind != PropertyJustice || p.Index < 0 || p.Index >= len(c.justice) {
		return nil, ErrNoProperty
	}
	plain, err := c.withoutResetFunctions(ctx)
	if err != nil {
		return nil, err
	}
	goals := plain.Goals(p.Index)
	b := onTop(plain, 4*len(goals))
	b.Bad(b.round(goals), c.justice[p.Index].Origin)
	return &Repetition{Circuit: b.Build(), Latches: len(c.latches), First: c.HasResetFunctions()}, nil
}

// withoutResetFunctions returns a copy of c with constant resets, see ConstantResets, in
// which inputs and latches come first. It is made once.
func (c *Circuit) withoutResetFunctions(ctx context.Context) (*Circuit, error) {
	if plain := c.plain.Load(); plain != nil {
		return plain, ctx.Err()
	}
	constant := c
	if c.HasResetFunctions() {
		var err error
		if constant, _, err = c.constantResets(ctx); err != nil {
			return nil, err
		}
	}
	b := NewBuilder(len(constant.kinds))
	lit, err := constant.copyTo(ctx, b)
	if err != nil {
		return nil, err
	}
	constant.CopyRoles(b, lit)
	plain := b.Build()
	c.plain.Store(plain)
	return plain, nil
}

// round adds what notes which goals were 1, and returns the literal that is 1 when the
// last of them is.
func (b *Builder) round(goals []Lit) Lit {
	switch len(goals) {
	case 0:
		return True
	case 1:
		return goals[0]
	}
	seen, got, all := make([]Lit, len(goals)), make([]Lit, len(goals)), True
	for i := range goals {
		seen[i] = b.Latch(0)
	}
	for i, l := range goals {
		got[i] = b.Or(seen[i], l)
		all = b.And(all, got[i])
	}
	for i := range goals {
		b.SetNext(seen[i], b.And(got[i], all.Not()))
	}
	return all
}

// AsSafety is a question of safety that stands for a Repetition: "liveness to safety",
// Biere, Artho and Schuppan, "Liveness Checking as Safety Checking" (FMICS 2002). In some
// step of a run an input has the state saved; bad 0 is 1 when the state is the saved one
// again and the round's literal was 1 in between.
type AsSafety struct {
	// Circuit has the inputs of the Repetition, then Save. Its latches are those of the
	// Repetition; then a copy of each; then Saved, which is 1 once a state was saved,
	// and Met, which is 1 once the literal was 1 since.
	Circuit          *Circuit
	Save, Saved, Met Lit
}

// AsSafety returns the question of safety: it has a counterexample iff the literal of r can
// be 1 infinitely often.
func (r *Repetition) AsSafety() *AsSafety {
	c := r.Circuit
	b := NewBuilder(2*len(c.kinds) + 16)
	lit := c.CopyTo(b)
	s := &AsSafety{Save: b.Input(0)}
	copies := make([]Lit, len(c.latches))
	for i := range copies {
		copies[i] = b.Latch(0)
	}
	s.Saved, s.Met = b.Latch(0), b.Latch(0)
	saves := b.And(s.Save, s.Saved.Not())
	again := b.And(s.Saved, s.Met)
	for i, l := range c.latches {
		b.SetNext(copies[i], b.Mux(saves, lit(l.Lit), copies[i]))
		again = b.And(again, b.Xor(lit(l.Lit), copies[i]).Not())
	}
	inLoop := b.Or(s.Saved, s.Save)
	b.SetNext(s.Saved, inLoop)
	b.SetNext(s.Met, b.And(inLoop, b.Or(s.Met, lit(r.Round()))))
	for _, x := range c.constraints {
		b.Constraint(lit(x.Lit), x.Origin)
	}
	b.Bad(again, c.bads[0].Origin)
	s.Circuit = b.Build()
	return s
}
