package comparison

import (
	"context"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/ic3/equiv"
	"aiglens/internal/findings"
	"aiglens/internal/wave"
)

// minimalWork bounds the trials for a difference, as trace.Minimize counts them.
const minimalWork = 20_000_000

// MinimizeFirst puts into a report its first difference without the values that it does not need: it
// is the one that people look at. Others stay as they were found, since there may be thousands.
// The error is that of ctx.
func MinimizeFirst(ctx context.Context, r *equiv.Report) error {
	first := FirstDifference(r)
	answers := []*equiv.Answer{}
	if r.Runs != nil {
		answers = append(answers, r.Runs)
	}
	for i := range r.Pairs {
		answers = append(answers, &r.Pairs[i])
	}
	for _, a := range answers {
		if a.Difference == nil || a.Difference != first {
			continue
		}
		minimal, err := r.Matching.Minimal(ctx, first, minimalWork)
		if err != nil {
			return err
		}
		a.Difference = minimal
	}
	return nil
}

// Differences returns those of a report, that of the runs first.
func Differences(r *equiv.Report) (all []*compare.Difference) {
	if r.Runs != nil && r.Runs.Difference != nil {
		all = append(all, r.Runs.Difference)
	}
	for _, a := range r.Pairs {
		if a.Difference != nil {
			all = append(all, a.Difference)
		}
	}
	return all
}

// FirstDifference returns one with the fewest steps; nil for none.
func FirstDifference(r *equiv.Report) *compare.Difference {
	all := Differences(r)
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(a, b *compare.Difference) int { return a.Step - b.Step })
}

// Sides are two circuits under the names by which people know them.
type Sides struct {
	*compare.Matching
	Names [2]string
	Docs  [2]*design.Design // of the circuits; without them a wave has no words
}

// PairLabel names a pair by what it is called on both sides.
func (s Sides) PairLabel(p compare.Pair) string {
	a, b := s.Sides[0].Label(p.A), s.Sides[1].Label(p.B)
	if p.Negated {
		b = "not " + b
	}
	if a == b {
		return a
	}
	return a + " = " + b
}

// Words say what a difference is about.
func (s Sides) Words(d *compare.Difference) string {
	if d.Pair < 0 {
		return fmt.Sprintf("constraints differ at step %d", d.Step)
	}
	return fmt.Sprintf("%s differs at step %d", s.PairLabel(s.Observed[d.Pair]), d.Step)
}

// FileName returns what a file about a difference is called, without an ending: by the kind and
// position of what differs on the first side.
func (s Sides) FileName(d *compare.Difference) string {
	if d.Pair < 0 {
		return "differs.constraints"
	}
	e := s.Observed[d.Pair].A
	if e.Kind == compare.Justice {
		return fmt.Sprintf("differs.%s%d_%d", e.Kind, e.Index, e.Literal)
	}
	return fmt.Sprintf("differs.%s%d", e.Kind, e.Index)
}

// Scopes name the sides in a wave: by their names, or by their order where these are the same.
func (s Sides) Scopes() [2]string {
	if s.Names[0] == s.Names[1] {
		return [2]string{"a/" + s.Names[0], "b/" + s.Names[1]}
	}
	return s.Names
}

// Common is a signal that should have the same value on both sides.
type Common struct {
	Name string
	Lits [2]circuit.Lit
}

// Wave returns the signals of a difference on both sides: inputs, latches, what is observed
// and constraints. The error is that of ctx, or that the runs do not fit the circuits.
func (s Sides) Wave(ctx context.Context, d *compare.Difference) (wave.Wave, error) {
	x, err := s.begin(ctx, d)
	if err != nil {
		return wave.Wave{}, err
	}
	x.inputs(false)
	for side := range s.Sides {
		for i, l := range s.Sides[side].Circuit.Latches() {
			x.add(side, s.Sides[side].Label(compare.Element{Kind: compare.Latch, Index: i}), wave.Latch, l.Lit)
		}
	}
	x.observed(func(pair int) bool { return pair == d.Pair || d.Pair >= 0 })
	x.constraints(func(int, circuit.Lit) bool { return true })
	return x.finish()
}

// ShortWave returns what a person needs to see: the inputs that have values, what differs on the
// way from them, and constraints that do not hold. The error is as of Wave.
func (s Sides) ShortWave(ctx context.Context, d *compare.Difference, trails *Trails) (wave.Wave, error) {
	changes, err := trails.Of(ctx, d)
	if err != nil {
		return wave.Wave{}, err
	}
	x, err := s.begin(ctx, d)
	if err != nil {
		return wave.Wave{}, err
	}
	x.inputs(true)
	for _, c := range changes {
		x.both([2]string{c.Name, c.Name}, wave.Latch, c.Lits)
	}
	x.observed(func(pair int) bool { return pair == d.Pair })
	x.constraints(func(side int, l circuit.Lit) bool {
		return d.Pair < 0 && x.replays[side].Value(l, d.Step) != circuit.One
	})
	return x.finish()
}

// waveWriter is a wave of both sides in the making.
type waveWriter struct {
	Sides
	ctx     context.Context
	d       *compare.Difference
	scopes  [2]string
	replays [2]*trace.Replay
	wave    wave.Wave
	// lits are those of the signals of a side, which have no values before finish, and places
	// where these signals are in the wave.
	lits   [2][]circuit.Lit
	places [2][]int
	// shared and own fold the signals of both sides, and those of either, into the words of its
	// text; nil where the circuit is not that of a text.
	shared *runs.Folding
	own    [2]*runs.Folding
}

// maxWaveValues bounds the values of a wave, a byte each.
const maxWaveValues = 1 << 28

func (s Sides) begin(ctx context.Context, d *compare.Difference) (x *waveWriter, err error) {
	title := fmt.Sprintf("%s and %s: %s", s.Names[0], s.Names[1], s.Words(d))
	x = &waveWriter{Sides: s, ctx: ctx, d: d, scopes: s.Scopes(), wave: wave.Wave{Title: title, Steps: d.Step + 1}}
	for side := range x.replays {
		if x.replays[side], err = trace.New(ctx, s.Sides[side].Circuit, d.Traces[side]); err != nil {
			return nil, err
		}
		if doc := s.Docs[side]; doc == nil || doc.Circuit() != s.Sides[side].Circuit {
			continue
		}
		if x.own[side], err = runs.NewFolding(ctx, s.Docs[side], x.scopes[side]); err != nil {
			return nil, err
		}
	}
	if x.own[0] != nil {
		x.shared, err = runs.NewFolding(ctx, s.Docs[0])
	}
	return x, err
}

// add appends a signal of a side.
func (x *waveWriter) add(side int, name string, group wave.Group, l circuit.Lit) {
	x.addIn(side, []string{x.scopes[side]}, x.own[side], name, group, l)
}

// addShared appends a signal that both sides have, and shows that of the first.
func (x *waveWriter) addShared(name string, group wave.Group, l circuit.Lit) {
	x.addIn(0, nil, x.shared, name, group, l)
}

func (x *waveWriter) addIn(side int, path []string, f *runs.Folding, name string, group wave.Group, l circuit.Lit) {
	signal := wave.Signal{Path: path, Name: name, Group: group}
	if f != nil && (group == wave.Input || group == wave.Latch) {
		scopes, local := words.Scopes(x.Docs[side], name)
		signal.Path, signal.Name = append(path, scopes...), local
		f.Put(&signal, name, l)
	}
	x.lits[side], x.places[side] = append(x.lits[side], l), append(x.places[side], len(x.wave.Signals))
	x.wave.Signals = append(x.wave.Signals, signal)
}

// finish gives the signals their values: each step of a run is looked at once, for all of them.
func (x *waveWriter) finish() (wave.Wave, error) {
	n := len(x.wave.Signals)
	folds := [2][]*runs.Folding{{x.shared, x.own[0]}, {x.own[1]}}
	for side := range folds {
		folds[side] = slices.DeleteFunc(folds[side], func(f *runs.Folding) bool { return f == nil })
		for _, f := range folds[side] {
			n += len(f.Lits())
		}
	}
	if x.wave.Steps > maxWaveValues/max(n, 1) {
		return wave.Wave{}, fmt.Errorf("%s of %s are too many to write", findings.Count(x.wave.Steps, "step", "steps"), findings.Count(n, "signal", "signals"))
	}
	for side, lits := range x.lits {
		for _, f := range folds[side] {
			lits = append(lits, f.Lits()...)
		}
		values, err := x.replays[side].Values(x.ctx, x.wave.Steps, lits...)
		if err != nil {
			return wave.Wave{}, err
		}
		digits := make(map[circuit.Lit]string, len(lits))
		for i, l := range lits {
			digits[l], values[i] = trace.Digits(values[i]), nil
		}
		for i, place := range x.places[side] {
			x.wave.Signals[place].Values = digits[lits[i]]
		}
		for _, f := range folds[side] {
			f.Set(digits)
		}
	}
	return x.wave, nil
}

// both appends a signal of either side.
func (x *waveWriter) both(names [2]string, group wave.Group, lits [2]circuit.Lit) {
	for side, l := range lits {
		x.add(side, names[side], group, l)
	}
}

// inputs appends those that are shared and then those of either side; with short only
// those that have a value in some step.
func (x *waveWriter) inputs(short bool) {
	isWanted := func(side int, e compare.Element) bool {
		return !short || slices.ContainsFunc(x.d.Traces[side].Inputs, func(row []circuit.Value) bool { return row[e.Index] != circuit.X })
	}
	for _, p := range x.Inputs {
		if isWanted(0, p.A) {
			x.addShared(x.Sides.Sides[0].Label(p.A), wave.Input, x.Sides.Sides[0].Lit(p.A))
		}
	}
	for side := range x.Sides.Sides {
		for _, e := range x.Unmatched[side] {
			if e.Kind == compare.Input && isWanted(side, e) {
				x.add(side, x.Sides.Sides[side].Label(e), wave.Input, x.Sides.Sides[side].Lit(e))
			}
		}
	}
}

// observed appends pairs of what is observed.
func (x *waveWriter) observed(wanted func(pair int) bool) {
	for i, p := range x.Observed {
		if wanted(i) {
			a, b := &x.Sides.Sides[0], &x.Sides.Sides[1]
			x.both([2]string{a.Label(p.A), b.Label(p.B)}, wave.Property, [2]circuit.Lit{a.Lit(p.A), b.Lit(p.B)})
		}
	}
}

// constraints appends those of both sides.
func (x *waveWriter) constraints(wanted func(side int, l circuit.Lit) bool) {
	for side := range x.Sides.Sides {
		for i, s := range x.Sides.Sides[side].Circuit.Constraints() {
			if wanted(side, s.Lit) {
				x.add(side, fmt.Sprintf("c%d", i), wave.Constraint, s.Lit)
			}
		}
	}
}
