package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
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
	w := wave.Wave{Title: filepath.Base(a.in.name) + ": " + about, Steps: r.run.Steps()}
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
	n := a.namer()
	var probes []probe
	if bad, ok := a.model.circuit.Bad(a.property); ok && !r.isPlayed && p.flags.to == string(wave.Markdown) {
		if probes, err = relevant(ctx, run, a, n, bad); err != nil {
			return w, err
		}
	} else {
		probes = everything(a, n)
	}
	probes = append(probes, constraints(a, n)...)
	if !r.isPlayed {
		probes = append(probes, judged(a, n)...)
	}
	for _, of := range p.answers {
		if _, ok := of.model.circuit.Bad(of.property); ok && r.isPlayed {
			probes = append(probes, judged(of, n)...)
		}
	}
	if p.flags.nets && p.flags.to != string(wave.Markdown) {
		probes = append(probes, a.nets(probes)...)
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
		return trace.New(ctx, r.answer.model.circuit, r.run)
	}
	return trace.NewLasso(ctx, r.answer.model.circuit, cert.Lasso{Trace: r.run, Loop: r.loop})
}

// everything returns inputs and latches.
func everything(a *answer, n namer) []probe {
	var probes []probe
	for i, in := range a.model.circuit.Inputs()[:a.model.inputs] {
		probes = append(probes, n.probe(syntax.SectionInputs, i, wave.Input, in.Lit))
	}
	for i, l := range a.model.circuit.Latches() {
		probes = append(probes, n.probe(syntax.SectionLatches, i, wave.Latch, l.Lit))
	}
	return probes
}

// relevant returns the inputs and latches that the violation rests on, latches in the
// order in which they come in.
func relevant(ctx context.Context, run *trace.Replay, a *answer, n namer, bad circuit.Lit) ([]probe, error) {
	support, err := run.Support(ctx, trace.Event{Lit: bad, Step: run.Steps() - 1})
	if err != nil {
		return nil, err
	}
	c := a.model.circuit
	used := map[circuit.Lit]bool{}
	for _, leaf := range support.Leaves {
		used[leaf.Lit] = true
	}
	var probes []probe
	for i, in := range c.Inputs()[:a.model.inputs] {
		if used[in.Lit] {
			probes = append(probes, n.probe(syntax.SectionInputs, i, wave.Input, in.Lit))
		}
	}
	for _, l := range support.Latches {
		probes = append(probes, n.probe(syntax.SectionLatches, l.Index, wave.Latch, c.Latches()[l.Index].Lit))
	}
	return probes, nil
}

// constraints returns what a run has to keep to.
func constraints(a *answer, n namer) []probe {
	var probes []probe
	for i, s := range a.model.circuit.Constraints() {
		probes = append(probes, n.probe(syntax.SectionConstraints, i, wave.Constraint, s.Lit))
	}
	return probes
}

// judged returns what the property looks at. A bad literal is 1
// where the property fails, also of an assertion.
func judged(a *answer, n namer) []probe {
	c, p := a.model.circuit, a.property
	var probes []probe
	if bad, ok := c.Bad(p); ok {
		signal := wave.Signal{Name: a.name(), Group: wave.Property}
		if signal.Name == "" {
			signal.Name = letters[section(p.Kind)] + strconv.Itoa(p.Index)
		}
		if _, isAside := aiger.AsideKindOf(p.Kind); isAside && a.name() == "" {
			signal.Name = strings.ReplaceAll(p.String(), ":", "")
		}
		return append(probes, probe{signal, bad})
	}
	for i, s := range c.Fairness() {
		probes = append(probes, n.probe(syntax.SectionFairness, i, wave.Property, s.Lit))
	}
	for i, l := range c.Justice()[p.Index].Lits {
		justice := n.probe(syntax.SectionJustice, p.Index, wave.Property, l)
		justice.Name += "." + strconv.Itoa(i)
		probes = append(probes, justice)
	}
	return probes
}

// namer names the elements of a circuit; "" is no name.
type namer func(kind syntax.SectionKind, index int) (path []string, name string)

// letters are those of the symbol table, which name what has no name.
var letters = map[syntax.SectionKind]string{
	syntax.SectionInputs: "i", syntax.SectionLatches: "l", syntax.SectionOutputs: "o", syntax.SectionBads: "b",
	syntax.SectionConstraints: "c", syntax.SectionJustice: "j", syntax.SectionFairness: "f",
}

func (n namer) probe(kind syntax.SectionKind, index int, group wave.Group, l circuit.Lit) probe {
	path, name := n(kind, index)
	if name == "" {
		path, name = nil, letters[kind]+strconv.Itoa(index)
	}
	return probe{wave.Signal{Path: path, Name: name, Group: group}, l}
}

// namer returns the names of the file.
func (a *answer) namer() namer {
	switch {
	case a.model.blif != nil:
		return a.blifNamer()
	case a.in.aiger.File != nil:
		return func(kind syntax.SectionKind, index int) ([]string, string) {
			s, _ := a.in.aiger.File.Symbol(kind, index)
			return nil, s.Name
		}
	}
	type element struct {
		kind  syntax.SectionKind
		index int
	}
	names := map[element]string{}
	for _, s := range a.in.aiger.Model.Symbols {
		names[element{s.Kind, s.Index}] = s.Name
	}
	return func(kind syntax.SectionKind, index int) ([]string, string) { return nil, names[element{kind, index}] }
}

// blifNamer names the elements of a flattened circuit by their nets, with the
// instances around them as path.
func (a *answer) blifNamer() namer {
	all := a.in.namesOf(a.model.blif)
	lists := map[syntax.SectionKind][]string{
		syntax.SectionInputs: all.Inputs, syntax.SectionLatches: all.Latches, syntax.SectionConstraints: all.Constraints,
		syntax.SectionJustice: all.Justice, syntax.SectionFairness: all.Fairness,
	}
	inside := map[string]wave.Signal{} // by flattened name: nets of instances
	a.eachNet(func(flattened string, s wave.Signal, _ int) {
		if len(s.Path) > 0 {
			inside[flattened] = s
		}
	})
	return func(kind syntax.SectionKind, index int) ([]string, string) {
		list := lists[kind]
		if index >= len(list) {
			return nil, ""
		}
		if s, ok := inside[list[index]]; ok {
			return s.Path, s.Name
		}
		return nil, list[index]
	}
}

// eachNet calls visit with the nets of a flattened BLIF file and their numbers.
func (a *answer) eachNet(visit func(flattened string, s wave.Signal, number int)) {
	e := a.model.blif
	paths := make([][]string, e.NumInstances()) // parents have lower numbers
	for id := 1; id < len(paths); id++ {
		here := e.InstanceAt(id)
		above := e.InstanceAt(here.Parent).Path
		if above != "" {
			above += "/"
		}
		parent := paths[here.Parent]
		paths[id] = append(parent[:len(parent):len(parent)], strings.TrimPrefix(here.Path, above))
	}
	for i := range e.NumNets() {
		net := e.NetAt(i)
		visit(net.Name, wave.Signal{Path: paths[net.Instance], Name: net.File.Name(net.Signal), Group: wave.Gate}, i)
	}
}

// nets returns the nets of a flattened BLIF file that are not there yet.
func (a *answer) nets(there []probe) []probe {
	if a.model.blif == nil {
		return nil
	}
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
	a.eachNet(func(_ string, s wave.Signal, number int) {
		if l, ok := a.model.blif.NetLit(number); ok && !known[key(s)] {
			probes = append(probes, probe{s, l})
		}
	})
	return probes
}
