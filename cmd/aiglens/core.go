package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/proof"
)

// unneeded is what a proof does not need: all of that may become something else, and the proof
// holds.
type unneeded struct {
	of   *design.Design
	rows *design.GateRows
	core *proof.Core
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
	core, err := proof.CheckedCore(ctx, a.circuit, bad, small.Checked.Invariant(), proof.CoreEffort)
	if err != nil {
		return err
	}
	rows, err := a.in.GateRows(ctx)
	if err == nil {
		a.unneeded = &unneeded{a.in, rows, core}
	}
	return err
}

// String says how much that is. A row counts only when it alone defines its gates: what two rows
// say may not become different.
func (u *unneeded) String() string {
	count := func(n int, isNeeded func(int) bool) (free int) {
		for i := range n {
			if !isNeeded(i) {
				free++
			}
		}
		return free
	}
	latches, constraints := len(u.core.Next), len(u.core.Constraints)
	var parts []string
	for _, p := range []struct {
		free, all int
		what      string
	}{
		{u.rows.Outside(u.core.Gates), len(u.rows.All), "gates"},
		{count(latches, u.needsLatch), latches, "latches"},
		{count(constraints, func(i int) bool { return u.core.Constraints[i] }), constraints, "constraints"},
	} {
		if p.all > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d %s", p.free, p.all, p.what))
		}
	}
	return "can change without breaking this proof: " + strings.Join(parts, ", ")
}

func (u *unneeded) needsLatch(i int) bool { return u.core.Next[i] || u.core.Reset[i] }

// jsonUnneeded is what a proof does not need, by name.
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

// json lists all by name; nil where nothing was looked for.
func (u *unneeded) json() *jsonUnneeded {
	if u == nil {
		return nil
	}
	list := &jsonUnneeded{Gates: []string{}, Latches: []string{}, Constraints: []string{}, Bounded: u.core.Bounded,
		GatesOf: len(u.rows.All), LatchesOf: len(u.core.Next), ConstraintsOf: len(u.core.Constraints)}
	for _, r := range u.rows.All {
		if len(r.Own) > 0 && !slices.ContainsFunc(r.Own, func(v circuit.Var) bool { return u.core.Gates[v] }) {
			list.Gates = append(list.Gates, r.Name)
		}
	}
	for i, l := range u.of.Circuit().Latches() {
		if !u.needsLatch(i) {
			list.Latches = append(list.Latches, orElse(signalName(u.of, l.Lit.Var()), fmt.Sprintf("l%d", i)))
		}
	}
	names := u.of.Names().Elements().Constraints
	for i, isNeeded := range u.core.Constraints {
		if isNeeded {
			continue
		}
		name := fmt.Sprintf("c%d", i)
		if i < len(names) {
			name = orElse(names[i], name)
		}
		list.Constraints = append(list.Constraints, name)
	}
	return list
}
