package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/internal/wave"
)

// maxValues bounds the values of a wave, one byte each.
const maxValues = 256 << 20

// probe is a signal of a wave before it has values.
type probe struct {
	wave.Signal
	lit circuit.Lit
}

// wave returns the signals of a run: inputs, latches, properties and constraints. For
// people, who read a table, it leaves out what the violation does not rest on.
func (p *player) wave(ctx context.Context, r replayed) (wave.Wave, error) {
	a := r.answer
	about := r.verdict()
	if !r.isPlayed {
		about = p.title(a.property) + ": " + about
	}
	w := wave.Wave{Title: filepath.Base(a.in.URI) + ": " + about, Steps: r.run.Steps()}
	run, err := r.replay(ctx)
	if err != nil {
		return w, err
	}
	if r.loop >= 0 {
		w.Loop = wave.Loop{Length: r.run.Steps() - r.loop, Rounds: p.flags.rounds}
		if w.Loop.Rounds == 0 {
			w.Loop.Rounds = wave.Rounds(wave.Format(p.flags.to))
		}
		if w.Loop.Rounds > maxValues/w.Loop.Length {
			return w, fmt.Errorf("--rounds %d: too many for a file", w.Loop.Rounds)
		}
		w.Steps = r.loop + w.Loop.Length*w.Loop.Rounds
	}
	var probes []probe
	if bad, ok := a.circuit.Bad(a.property); ok && !r.isPlayed && p.flags.to == string(wave.Markdown) {
		if probes, err = relevant(ctx, run, a, bad); err != nil {
			return w, err
		}
	} else {
		probes = everything(a)
	}
	probes = append(probes, constraints(a)...)
	if !r.isPlayed {
		probes = append(probes, probesOf(a)...)
	}
	for _, of := range p.answers {
		if _, ok := of.circuit.Bad(of.property); ok && r.isPlayed {
			probes = append(probes, probesOf(of)...)
		}
	}
	if p.flags.nets && p.flags.to != string(wave.Markdown) {
		probes = append(probes, nets(a.in, probes)...)
	}
	w.Signals, err = valued(ctx, run, probes, w.Steps)
	return w, err
}

// valued returns signals with their values in the first steps of a run.
func valued(ctx context.Context, run *trace.Replay, probes []probe, steps int) (signals []wave.Signal, err error) {
	if len(probes) > maxValues/steps {
		return nil, fmt.Errorf("%d signals over %d steps are too many for a file", len(probes), steps)
	}
	lits := make([]circuit.Lit, len(probes))
	for i, p := range probes {
		lits[i] = p.lit
	}
	all, err := run.Values(ctx, steps, lits...)
	if err != nil {
		return nil, err
	}
	for i, values := range all {
		probes[i].Values = trace.Digits(values)
		signals = append(signals, probes[i].Signal)
	}
	return signals, nil
}

// replay simulates the run.
func (r replayed) replay(ctx context.Context) (*trace.Replay, error) {
	if r.loop < 0 {
		return trace.New(ctx, r.answer.circuit, r.run)
	}
	return trace.NewLasso(ctx, r.answer.circuit, cert.Lasso{Trace: r.run, Loop: r.loop})
}

// everything returns inputs and latches.
func everything(a *answer) []probe {
	var probes []probe
	for _, in := range a.circuit.Inputs()[:a.in.NumInputs()] {
		probes = append(probes, element(a.in, wave.Input, in.Lit))
	}
	for _, l := range a.circuit.Latches() {
		probes = append(probes, element(a.in, wave.Latch, l.Lit))
	}
	return probes
}

// relevant returns the inputs and latches that the violation rests on, latches in the
// order in which they come in.
func relevant(ctx context.Context, run *trace.Replay, a *answer, bad circuit.Lit) ([]probe, error) {
	support, err := run.Support(ctx, trace.Event{Lit: bad, Step: run.Steps() - 1})
	if err != nil {
		return nil, err
	}
	c := a.circuit
	used := map[circuit.Lit]bool{}
	for _, leaf := range support.Leaves {
		used[leaf.Lit] = true
	}
	var probes []probe
	for _, in := range c.Inputs()[:a.in.NumInputs()] {
		if used[in.Lit] {
			probes = append(probes, element(a.in, wave.Input, in.Lit))
		}
	}
	for _, l := range support.Latches {
		probes = append(probes, element(a.in, wave.Latch, c.Latches()[l.Index].Lit))
	}
	return probes, nil
}

// constraints returns what a run has to keep to.
func constraints(a *answer) []probe {
	var probes []probe
	names := a.in.Names().Elements().Constraints
	for i, s := range a.circuit.Constraints() {
		probes = append(probes, numbered(a.in, names, "c", i, wave.Constraint, s.Lit))
	}
	return probes
}

// probesOf returns what the property looks at. A bad literal is 1
// where the property fails, also of an assertion.
func probesOf(a *answer) []probe {
	c, p := a.circuit, a.property
	var probes []probe
	if bad, ok := c.Bad(p); ok {
		signal := wave.Signal{Name: a.name(), Group: wave.Property}
		switch {
		case signal.Name != "":
		case p.Kind == circuit.PropertyBad || p.Kind == circuit.PropertyOutput:
			signal.Name = p.Kind.String()[:1] + strconv.Itoa(p.Index)
		default:
			signal.Name = strings.ReplaceAll(p.String(), ":", "")
		}
		return append(probes, probe{signal, bad})
	}
	names := a.in.Names().Elements()
	for i, s := range c.Fairness() {
		probes = append(probes, numbered(a.in, names.Fairness, "f", i, wave.Property, s.Lit))
	}
	for i, l := range c.Justice()[p.Index].Lits {
		justice := numbered(a.in, names.Justice, "j", p.Index, wave.Property, l)
		justice.Name += "." + strconv.Itoa(i)
		probes = append(probes, justice)
	}
	return probes
}

// element is an input or latch, as all waves call it.
func element(d *design.Design, group wave.Group, l circuit.Lit) probe {
	path, name := runs.ScopedName(d, l)
	return probe{wave.Signal{Path: path, Name: name, Group: group}, l}
}

// numbered is a signal that has a name of its own, else goes by a letter and its position.
func numbered(d *design.Design, names []string, letter string, index int, group wave.Group, l circuit.Lit) probe {
	s := wave.Signal{Name: letter + strconv.Itoa(index), Group: group}
	if index < len(names) && names[index] != "" {
		s.Name = names[index]
		if found, _ := d.SourceOf(l); found.Name == s.Name {
			s.Path, s.Name = d.Scopes(s.Name)
		}
	}
	return probe{s, l}
}

// nets returns the nets of a file that are not there yet.
func nets(d *design.Design, there []probe) []probe {
	key := func(s wave.Signal) string {
		return strings.Join(append(s.Path[:len(s.Path):len(s.Path)], s.Name), "\x00")
	}
	known := map[string]bool{}
	for _, p := range there {
		if p.Group == wave.Input || p.Group == wave.Latch {
			known[key(p.Signal)] = true
		}
	}
	var probes []probe
	for net, l := range d.Names().Nets() {
		s := wave.Signal{Group: wave.Gate}
		if s.Path, s.Name = d.Names().Scopes(net); !known[key(s)] {
			probes = append(probes, probe{s, l})
		}
	}
	return probes
}
