package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"aiglens/blif"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/circuit/cert"
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

// row is a row of a file that defines gates of the circuit.
type row struct {
	name string
	own  []circuit.Var // gates that it defines; none where it says what others say, too
}

// findUnneeded finds out what the proof of a safety property does not need.
func (a *answer) findUnneeded(ctx context.Context, e env) error {
	n, err := a.in.named(ctx, env{stdin: e.stdin, stdout: io.Discard, stderr: io.Discard})
	if err != nil {
		return err
	}
	bad, ok := n.circuit.Bad(a.property)
	if !ok || len(n.circuit.Latches()) != len(a.model.circuit.Latches()) {
		return nil
	}
	small, _, ok := a.result.WithSmallProof(ctx, a.model.circuit, a.property)
	if !ok {
		return ctx.Err()
	}
	inv := translated(small.Checked.Invariant(), func(l circuit.Lit) circuit.Lit {
		return n.circuit.Latches()[a.model.circuit.LatchIndex(l.Var())].Lit.NotIf(l.IsNegated())
	})
	core, err := ivc.Checked(ctx, n.circuit, bad, inv, ivc.UsualEffort)
	if err != nil {
		return err
	}
	a.unneeded, err = n.unneeded(ctx, core)
	return err
}

func translated(inv cert.Invariant, lit func(circuit.Lit) circuit.Lit) cert.Invariant {
	var there cert.Invariant
	for _, clause := range inv {
		var lits []circuit.Lit
		for _, l := range clause {
			lits = append(lits, lit(l))
		}
		there = append(there, lits)
	}
	return there
}

// unneeded returns what is outside of a core, in terms of the file. A row counts only when it
// alone defines its gates: what two rows say may not become different. The error is that of ctx.
func (n *named) unneeded(ctx context.Context, core *ivc.Core) (*jsonUnneeded, error) {
	rows, err := n.gateRows(ctx)
	if err != nil {
		return nil, err
	}
	owners := map[circuit.Var]int{}
	for _, r := range rows {
		for _, v := range r.own {
			owners[v]++
		}
	}
	u := &jsonUnneeded{Gates: []string{}, Latches: []string{}, Constraints: []string{}, Bounded: core.Bounded,
		GatesOf: len(rows), LatchesOf: len(n.circuit.Latches()), ConstraintsOf: len(n.circuit.Constraints())}
	for _, r := range rows {
		free := len(r.own) > 0
		for _, v := range r.own {
			free = free && owners[v] == 1 && !core.Gates[v]
		}
		if free {
			u.Gates = append(u.Gates, r.name)
		}
	}
	for i, l := range n.circuit.Latches() {
		if !core.Next[i] && !core.Reset[i] {
			u.Latches = append(u.Latches, orElse(n.signal(l.Lit.Var()), fmt.Sprintf("l%d", i)))
		}
	}
	for i, needed := range core.Constraints {
		if !needed {
			name := fmt.Sprintf("c%d", i)
			if i < len(n.names.Constraints) {
				name = orElse(n.names.Constraints[i], name)
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

// netRows returns the nets of gates, each with the gates that it alone stands for.
func netRows(ctx context.Context, f *blif.File, b *flat.Elaboration) (rows []row, err error) {
	nets, err := b.NetGates(ctx, f)
	for _, n := range nets {
		rows = append(rows, row{name: b.NetAt(n.Net).Name, own: n.Own})
	}
	return rows, err
}
