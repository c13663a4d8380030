package main

import (
	"context"
	"path/filepath"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design/comparison"
	"aiglens/internal/wave"
)

// commonSignals returns the latches that are matched and the nets of BLIF files that have
// the same name.
func (c *comparing) commonSignals() (all []comparison.Common) {
	m := c.matching
	seen := map[string]bool{}
	for _, p := range m.Latches {
		lits := [2]circuit.Lit{m.Sides[0].Lit(p.A), m.Sides[1].Lit(p.B)}
		all = append(all, comparison.Common{Name: c.label(0, p.A), Lits: lits})
		seen[c.label(0, p.A)] = true
	}
	if c.files[0].HasNumbers() || c.files[1].HasNumbers() || c.flags.combinational || c.flags.startEqual {
		return all // signals of AIGER files have no names, and of a changed circuit other literals
	}
	nets := map[string]circuit.Lit{}
	for v := range circuit.Var(c.files[1].Circuit().NumVars()) {
		if name := signalName(c.files[1], v); name != "" {
			nets[name] = v.Lit()
		}
	}
	for v := range circuit.Var(c.files[0].Circuit().NumVars()) {
		name := signalName(c.files[0], v)
		if other, ok := nets[name]; ok && name != "" && !seen[name] && c.files[0].Circuit().Kind(v) == circuit.KindAnd {
			all = append(all, comparison.Common{Name: name, Lits: [2]circuit.Lit{v.Lit(), other}})
		}
	}
	return all
}

// trail returns what differs first on the way from the inputs to a difference, up to a
// bound.
func (c *comparing) trail(ctx context.Context, d *compare.Difference) (signals []comparison.Common, changes []compare.Change, err error) {
	signals = c.commonSignals()
	lits := make([][2]circuit.Lit, len(signals))
	for i, s := range signals {
		lits[i] = s.Lits
	}
	changes, err = c.matching.Trail(ctx, d, lits)
	return signals, changes[:min(len(changes), maxTrail)], err
}

// sides returns both files by their names.
func (c *comparing) sides() comparison.Sides {
	return comparison.Sides{Matching: c.matching, Names: [2]string{filepath.Base(c.files[0].URI), filepath.Base(c.files[1].URI)}}
}

// shortWave returns what a person needs to see of a difference: the inputs that have values
// and what differs on the way from them.
func (c *comparing) shortWave(ctx context.Context, d *compare.Difference) (wave.Wave, error) {
	signals, changes, err := c.trail(ctx, d)
	if err != nil {
		return wave.Wave{}, err
	}
	var shown []comparison.Common
	for _, change := range changes {
		shown = append(shown, signals[change.Signal])
	}
	return c.sides().ShortWave(ctx, d, shown)
}

// export writes the runs of all differences where the user asked for them.
func (c *comparing) export(ctx context.Context) error {
	if c.flags.witnesses == "" {
		return nil
	}
	sides := c.sides()
	for _, d := range comparison.Differences(c.report) {
		name := sides.FileName(d)
		w, err := sides.Wave(ctx, d)
		if err != nil {
			return err
		}
		data, err := w.Append(nil, wave.VCD)
		if err != nil {
			return err
		}
		if err := c.e.writeInto(c.flags.witnesses, name+".vcd", data); err != nil {
			return err
		}
		if c.flags.combinational || c.flags.startEqual {
			continue // it is no run from the reset state
		}
		for side, letter := range []string{"a", "b"} {
			witness, err := sides.Witness(ctx, d, side)
			if err != nil {
				return err
			}
			if err := c.e.writeInto(c.flags.witnesses, name+"."+letter+".wit", witness); err != nil {
				return err
			}
		}
	}
	return nil
}
