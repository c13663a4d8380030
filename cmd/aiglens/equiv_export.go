package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/circuit/trace"
	"aiglens/internal/wave"
)

// common is a signal that should have the same value on both sides.
type common struct {
	name string
	lits [2]circuit.Lit
}

// commonSignals returns the latches that are matched and the nets of BLIF files that have
// the same name.
func (c *comparison) commonSignals() (all []common) {
	m := c.matching
	seen := map[string]bool{}
	for _, p := range m.Latches {
		lits := [2]circuit.Lit{m.Sides[0].Lit(p.A), m.Sides[1].Lit(p.B)}
		all = append(all, common{c.label(0, p.A), lits})
		seen[c.label(0, p.A)] = true
	}
	if c.files[0].rows >= 0 || c.files[1].rows >= 0 || c.flags.combinational || c.flags.startEqual {
		return all // signals of AIGER files have no names, and of a changed circuit other literals
	}
	nets := map[string]circuit.Lit{}
	for v := range circuit.Var(c.files[1].circuit.NumVars()) {
		if name := c.files[1].signal(v); name != "" {
			nets[name] = v.Lit()
		}
	}
	for v := range circuit.Var(c.files[0].circuit.NumVars()) {
		name := c.files[0].signal(v)
		if other, ok := nets[name]; ok && name != "" && !seen[name] && c.files[0].circuit.Kind(v) == circuit.KindAnd {
			all = append(all, common{name, [2]circuit.Lit{v.Lit(), other}})
		}
	}
	return all
}

// trail returns what differs first on the way from the inputs to a difference, up to a
// bound.
func (c *comparison) trail(ctx context.Context, d *compare.Difference) (signals []common, changes []compare.Change, err error) {
	signals = c.commonSignals()
	lits := make([][2]circuit.Lit, len(signals))
	for i, s := range signals {
		lits[i] = s.lits
	}
	changes, err = c.matching.Trail(ctx, d, lits)
	return signals, changes[:min(len(changes), maxTrail)], err
}

// wave returns the signals of a difference on both sides. With short these are the inputs
// that have values, what differs on the way from them, and constraints that do not hold.
func (c *comparison) wave(ctx context.Context, d *compare.Difference, short bool) (wave.Wave, error) {
	m := c.matching
	x := &differenceWave{comparison: c, ctx: ctx, d: d, scopes: c.scopes(),
		wave: wave.Wave{Title: fmt.Sprintf("%s and %s: %s", filepath.Base(c.files[0].in.name), filepath.Base(c.files[1].in.name), c.differs(d)), Steps: d.Step + 1}}
	for side := range x.replays {
		if x.replays[side], x.err = trace.New(ctx, m.Sides[side].Circuit, d.Traces[side]); x.err != nil {
			return x.wave, x.err
		}
	}
	x.inputs(short)
	if short {
		signals, changes, err := c.trail(ctx, d)
		if err != nil {
			return x.wave, err
		}
		for _, change := range changes {
			s := signals[change.Signal]
			x.both([2]string{s.name, s.name}, wave.Latch, s.lits)
		}
	} else {
		for side := range m.Sides {
			for i, l := range m.Sides[side].Circuit.Latches() {
				x.add(side, x.scopes[side], c.label(side, compare.Element{Kind: compare.Latch, Index: i}), wave.Latch, l.Lit)
			}
		}
	}
	for i, p := range m.Observed {
		if i == d.Pair || !short && d.Pair >= 0 {
			x.both([2]string{c.label(0, p.A), c.label(1, p.B)}, wave.Property, [2]circuit.Lit{m.Sides[0].Lit(p.A), m.Sides[1].Lit(p.B)})
		}
	}
	for side := range m.Sides {
		for i, s := range m.Sides[side].Circuit.Constraints() {
			if !short || d.Pair < 0 && x.replays[side].Value(s.Lit, d.Step) != circuit.One {
				x.add(side, x.scopes[side], fmt.Sprintf("c%d", i), wave.Constraint, s.Lit)
			}
		}
	}
	return x.wave, x.err
}

// differenceWave is a wave of both sides in the making.
type differenceWave struct {
	*comparison
	ctx     context.Context
	d       *compare.Difference
	scopes  [2]string
	replays [2]*trace.Replay
	wave    wave.Wave
	err     error // the first one
}

// add appends a signal of a side.
func (x *differenceWave) add(side int, scope, name string, group wave.Group, l circuit.Lit) {
	values, err := x.replays[side].Values(x.ctx, x.wave.Steps, l)
	if err != nil {
		x.err = err
		return
	}
	var text []byte
	for _, v := range values[0] {
		text = append(text, v.String()...)
	}
	s := wave.Signal{Name: name, Group: group, Values: string(text)}
	if scope != "" {
		s.Path = []string{scope}
	}
	x.wave.Signals = append(x.wave.Signals, s)
}

// both appends a signal of either side.
func (x *differenceWave) both(names [2]string, group wave.Group, lits [2]circuit.Lit) {
	for side, l := range lits {
		x.add(side, x.scopes[side], names[side], group, l)
	}
}

// inputs appends those that are shared and then those of either side; with short only
// those that have a value in some step.
func (x *differenceWave) inputs(short bool) {
	m := x.matching
	add := func(side int, scope string, e compare.Element) {
		matters := slices.ContainsFunc(x.d.Traces[side].Inputs, func(row []circuit.Value) bool { return row[e.Index] != circuit.X })
		if matters || !short {
			x.add(side, scope, x.label(side, e), wave.Input, m.Sides[side].Lit(e))
		}
	}
	for _, p := range m.Inputs {
		add(0, "", p.A)
	}
	for side := range m.Sides {
		for _, e := range m.Unmatched[side] {
			if e.Kind == compare.Input {
				add(side, x.scopes[side], e)
			}
		}
	}
}

// scopes name the sides in a wave: by the files, or by their order where these have the
// same name.
func (c *comparison) scopes() [2]string {
	scopes := [2]string{filepath.Base(c.files[0].in.name), filepath.Base(c.files[1].in.name)}
	if scopes[0] == scopes[1] {
		scopes[0], scopes[1] = "a/"+scopes[0], "b/"+scopes[1]
	}
	return scopes
}

// differs says what a difference is about.
func (c *comparison) differs(d *compare.Difference) string {
	if d.Pair < 0 {
		return fmt.Sprintf("constraints differ at step %d", d.Step)
	}
	return fmt.Sprintf("%s differs at step %d", c.pairLabel(c.matching.Observed[d.Pair]), d.Step)
}

// export writes the runs of all differences where the user asked for them.
func (c *comparison) export(ctx context.Context) error {
	if c.flags.witnesses == "" {
		return nil
	}
	for _, d := range c.differences() {
		name := "constraints"
		if d.Pair >= 0 {
			e := c.matching.Observed[d.Pair].A
			name = fmt.Sprintf("%s%d", e.Kind, e.Index)
			if e.Kind == compare.Justice {
				name += fmt.Sprintf("_%d", e.Literal)
			}
		}
		w, err := c.wave(ctx, d, false)
		if err != nil {
			return err
		}
		data, err := w.Append(nil, wave.VCD)
		if err != nil {
			return err
		}
		if err := c.e.writeInto(c.flags.witnesses, "differs."+name+".vcd", data); err != nil {
			return err
		}
		if c.flags.combinational || c.flags.startEqual {
			continue // it is no run from the reset state
		}
		for side, letter := range []string{"a", "b"} {
			witness, err := c.witness(ctx, d, side)
			if err != nil {
				return err
			}
			if err := c.e.writeInto(c.flags.witnesses, "differs."+name+"."+letter+".wit", witness.Append(nil)); err != nil {
				return err
			}
		}
	}
	return nil
}

// witness returns the run of a side as a witness of what is observed there.
func (c *comparison) witness(ctx context.Context, d *compare.Difference, side int) (aiger.Witness, error) {
	run, err := trace.Written(ctx, c.matching.Sides[side].Circuit, d.Traces[side], -1)
	if err != nil {
		return aiger.Witness{}, err
	}
	property := circuit.Property{Kind: circuit.PropertyBad}
	if d.Pair >= 0 {
		e := c.matching.Observed[d.Pair].On(side)
		kinds := []compare.Kind{compare.Bad, compare.Output, compare.Justice} // as circuit.PropertyKind has them
		property = circuit.Property{Kind: circuit.PropertyKind(max(0, slices.Index(kinds, e.Kind))), Index: e.Index}
	}
	return aiger.NewWitness(property, run), nil
}
