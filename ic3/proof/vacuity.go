package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// VacuityKind says why a property holds vacuously.
type VacuityKind uint8

// The kinds, in the order in which they are looked for.
const (
	VacuousConstant   VacuityKind = iota + 1 // its literal is constant
	VacuousBounded                           // no run has more than Steps steps; none at all with 0
	VacuousAntecedent                        // Condition never comes true
)

// Vacuity is why a property holds vacuously.
type Vacuity struct {
	Kind  VacuityKind
	Steps int
	// Constraints are the positions of those that leave no longer run: no fewer of them do.
	Constraints []int
	// Condition is the conjunction that never comes true, of literals of the circuit.
	Condition []circuit.Lit
}

// Words says why in a few words. condition names the literals of Condition, as the reader
// knows them; with none they are not named.
func (f *Vacuity) Words(condition ...string) string {
	switch f.Kind {
	case VacuousConstant:
		return "its literal is constant"
	case VacuousAntecedent:
		if len(condition) == 0 {
			return "its condition never comes true"
		}
		return "its condition " + strings.Join(condition, " ∧ ") + " never comes true"
	}
	text := "no run has more than " + cert.Count(f.Steps, "step", "steps")
	if f.Steps == 0 {
		text = "no initial state meets the constraints"
	}
	names := make([]string, len(f.Constraints))
	for i, at := range f.Constraints {
		names[i] = fmt.Sprint(at)
	}
	switch len(names) {
	case 0:
		return text
	case 1:
		return text + ": see constraint " + names[0]
	}
	last := len(names) - 1
	return text + ": see constraints " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// Prove reports whether the only property of a circuit is proved, with a certificate that was
// checked. False says nothing.
type Prove func(ctx context.Context, c *circuit.Circuit) bool

// FindVacuity looks for a reason why a proved property of a circuit holds vacuously, and returns nil
// when there is none, or none that is found. The error is that of ctx.
//
// A proof means little when constraints leave no run, or none beyond some step, when the literal of
// the property is constant, or when the condition under which it asks for something never comes
// true: Beer, Ben-David, Eisner and Rodeh, "Efficient Detection of Vacuity in Temporal Model
// Checking" (FMSD 2001), for the one shape of formula that a bad-state literal has. What never
// comes true is proved by prove; that there is no longer run is a question about an unrolled
// circuit.
func FindVacuity(ctx context.Context, c *circuit.Circuit, p circuit.Property, prove Prove) (*Vacuity, error) {
	bad, isSafety := c.Bad(p)
	if isSafety && bad == circuit.False {
		return &Vacuity{Kind: VacuousConstant}, ctx.Err()
	}
	if len(c.Constraints()) > 0 {
		if found, err := bounded(ctx, c, prove); found != nil || err != nil {
			return found, err
		}
	}
	if !isSafety {
		return nil, ctx.Err()
	}
	if _, _, contradicts := parts(c, bad); contradicts {
		return &Vacuity{Kind: VacuousConstant}, ctx.Err()
	}
	condition := ConditionOf(c, bad)
	if condition == nil || comesTrue(ctx, c, condition) {
		return nil, ctx.Err()
	}
	if prove(ctx, withBad(c, condition)) && ctx.Err() == nil {
		return &Vacuity{Kind: VacuousAntecedent, Condition: condition}, nil
	}
	return nil, ctx.Err()
}

// ConditionOf returns the condition of an implication: of a bad literal that is a conjunction,
// taken apart as far as its gates are, the parts that are not negated. So bad = request ∧
// ¬grant is request → grant, with the condition request. It is nil when nothing is negated, or
// everything: then no part is the condition of another; and when a part is there negated and not:
// what the rest is would depend on the order.
func ConditionOf(c *circuit.Circuit, bad circuit.Lit) []circuit.Lit {
	condition, negated, contradicts := parts(c, bad)
	if contradicts || negated == 0 || len(condition) == 0 {
		return nil
	}
	slices.Sort(condition)
	return condition
}

// parts takes a conjunction apart: what is not negated, how many are, and whether some part is
// there either way, so that the conjunction is never 1.
func parts(c *circuit.Circuit, bad circuit.Lit) (condition []circuit.Lit, negated int, contradicts bool) {
	seen := map[circuit.Var]circuit.Lit{}
	todo := []circuit.Lit{bad}
	for len(todo) > 0 {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		left, right, isGate := c.Operands(l.Var())
		before, isSeen := seen[l.Var()]
		switch {
		case isSeen:
			contradicts = contradicts || before != l
		case l.IsNegated():
			negated++
		case isGate:
			todo = append(todo, right, left)
		default:
			condition = append(condition, l)
		}
		seen[l.Var()] = l
	}
	return condition, negated, contradicts
}

// withBad returns a circuit whose only property is that some literals are never 1 at once.
func withBad(c *circuit.Circuit, all []circuit.Lit) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	lit := circuit.CopyConstrained(c, b)
	bad := circuit.True
	for _, l := range all {
		bad = b.And(bad, lit(l))
	}
	b.Bad(bad, 0)
	return b.Build()
}

// bounded looks for a bound on the steps of all runs: first where that is cheap, then, when an engine
// has proved that there is one, where it may take long.
func bounded(ctx context.Context, c *circuit.Circuit, prove Prove) (*Vacuity, error) {
	steps := 1
	for ; steps <= fewSteps || steps*c.NumVars() <= cheapUnrolled; steps *= 2 {
		firstConflicts := int64(cheapConflicts)
		if steps <= fewSteps {
			firstConflicts = conflicts
		}
		if found, err := longest(ctx, c, steps, firstConflicts); found != nil || err != nil {
			return found, err
		}
	}
	b := circuit.NewBuilder(c.NumVars())
	circuit.CopyConstrained(c, b)
	b.Justice([]circuit.Lit{circuit.True}, 0) // violated by any run without end
	if !prove(ctx, b.Build()) {
		return nil, ctx.Err()
	}
	for ; steps*(c.NumGates()+1) <= maxUnrolled; steps *= 2 {
		if found, err := longest(ctx, c, steps, conflicts); found != nil || err != nil {
			return found, err
		}
	}
	return nil, ctx.Err()
}
