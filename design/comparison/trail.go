package comparison

import (
	"context"
	"fmt"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
)

// maxTrail bounds the signals that are listed for a difference.
const maxTrail = 12

// Change is a signal that differs on the way from the inputs to a difference.
type Change struct {
	Common
	Step   int
	Values [2]circuit.Value
}

// String says it as in "q: 0 and 1 at step 2".
func (c Change) String() string {
	return fmt.Sprintf("%s: %s and %s at step %d", c.Name, c.Values[0], c.Values[1], c.Step)
}

// Trails finds what differs on the way to the differences of a comparison.
type Trails struct {
	matching *compare.Matching
	signals  func() []Common // once
}

// NewTrails takes the latches that are matched, and the gates that have the same name in both
// texts.
func NewTrails(docs [2]*design.Design, m *compare.Matching) *Trails {
	return &Trails{m, sync.OnceValue(func() []Common {
		all := latchesOf(m)
		if hasNets(docs, m) {
			all = append(all, netsOf(docs, all)...)
		}
		return all
	})}
}

// hasNets reports whether gates have names on both sides: those of AIGER files have none, and a
// circuit that was changed for the comparison has other literals than its text.
func hasNets(docs [2]*design.Design, m *compare.Matching) bool {
	for side, d := range docs {
		if d.HasNumbers() || m.Sides[side].Circuit != d.Circuit() {
			return false
		}
	}
	return true
}

func latchesOf(m *compare.Matching) (all []Common) {
	for _, p := range m.Latches {
		all = append(all, Common{m.Sides[0].Label(p.A), [2]circuit.Lit{m.Sides[0].Lit(p.A), m.Sides[1].Lit(p.B)}})
	}
	return all
}

// netsOf returns the gates of the first text whose name is a signal of the second one as well,
// without those that are known.
func netsOf(docs [2]*design.Design, known []Common) (all []Common) {
	seen := map[string]bool{"": true}
	for _, s := range known {
		seen[s.Name] = true
	}
	there := map[string]circuit.Lit{}
	for v := range circuit.Var(docs[1].Circuit().NumVars()) {
		name, _ := docs[1].Names().Signal(v)
		there[name] = v.Lit()
	}
	for v := range circuit.Var(docs[0].Circuit().NumVars()) {
		if docs[0].Circuit().Kind(v) != circuit.KindAnd {
			continue
		}
		name, _ := docs[0].Names().Signal(v)
		if other, ok := there[name]; ok && !seen[name] {
			all = append(all, Common{name, [2]circuit.Lit{v.Lit(), other}})
		}
	}
	return all
}

// Of returns what differs first on the way from the inputs to a difference, up to a bound. The
// error is that of ctx.
func (t *Trails) Of(ctx context.Context, d *compare.Difference) (all []Change, err error) {
	signals := t.signals()
	lits := make([][2]circuit.Lit, len(signals))
	for i, s := range signals {
		lits[i] = s.Lits
	}
	changes, err := t.matching.Trail(ctx, d, lits)
	for _, c := range changes[:min(len(changes), maxTrail)] {
		all = append(all, Change{signals[c.Signal], c.Step, c.Values})
	}
	return all, err
}
