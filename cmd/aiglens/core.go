package main

import (
	"context"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/ivc"
)

// jsonUnneeded is what a proof does not need: all of that may become something else, and the
// proof holds.
type jsonUnneeded struct {
	Gates       []string `json:"gates"` // rows or nets
	Latches     []string `json:"latches"`
	Constraints []string `json:"constraints"`
	// GatesOf, LatchesOf and ConstraintsOf are how many there are.
	GatesOf       int `json:"gatesOf"`
	LatchesOf     int `json:"latchesOf"`
	ConstraintsOf int `json:"constraintsOf"`
	// Bounded says that the search was given up: more may be left out.
	Bounded bool `json:"bounded"`
}

// findUnneeded finds out what the proof of a safety property does not need.
func (a *answer) findUnneeded(ctx context.Context) error {
	if _, err := a.in.Sound(ctx); err != nil {
		return err
	}
	bad, ok := a.circuit.Bad(a.property)
	if !ok {
		return nil
	}
	small, _, ok := a.result.WithSmallProof(ctx, a.circuit, a.property)
	if !ok {
		return ctx.Err()
	}
	core, err := ivc.Checked(ctx, a.circuit, bad, small.Checked.Invariant(), ivc.UsualEffort)
	if err != nil {
		return err
	}
	a.unneeded, err = unneeded(ctx, a.in, core)
	return err
}

// unneeded returns what is outside of a core, in terms of the file. A row counts only when it
// alone defines its gates: what two rows say may not become different. The error is that of ctx.
func unneeded(ctx context.Context, n *design.Design, core *ivc.Core) (*jsonUnneeded, error) {
	rows, err := n.GateRows(ctx)
	if err != nil {
		return nil, err
	}
	owners := map[circuit.Var]int{}
	for _, r := range rows {
		for _, v := range r.Own {
			owners[v]++
		}
	}
	u := &jsonUnneeded{Gates: []string{}, Latches: []string{}, Constraints: []string{}, Bounded: core.Bounded,
		GatesOf: len(rows), LatchesOf: len(n.Circuit().Latches()), ConstraintsOf: len(n.Circuit().Constraints())}
	for _, r := range rows {
		free := len(r.Own) > 0
		for _, v := range r.Own {
			free = free && owners[v] == 1 && !core.Gates[v]
		}
		if free {
			u.Gates = append(u.Gates, r.Name)
		}
	}
	for i, l := range n.Circuit().Latches() {
		if !core.Next[i] && !core.Reset[i] {
			u.Latches = append(u.Latches, orElse(signalName(n, l.Lit.Var()), fmt.Sprintf("l%d", i)))
		}
	}
	for i, needed := range core.Constraints {
		if !needed {
			name := fmt.Sprintf("c%d", i)
			if all := n.Names().Elements().Constraints; i < len(all) {
				name = orElse(all[i], name)
			}
			u.Constraints = append(u.Constraints, name)
		}
	}
	return u, nil
}

// String says how much that is.
func (u *jsonUnneeded) String() string {
	var parts []string
	for _, p := range []struct {
		free, all int
		what      string
	}{{len(u.Gates), u.GatesOf, "gates"}, {len(u.Latches), u.LatchesOf, "latches"}, {len(u.Constraints), u.ConstraintsOf, "constraints"}} {
		if p.all > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d %s", p.free, p.all, p.what))
		}
	}
	return "can change without breaking this proof: " + strings.Join(parts, ", ")
}
