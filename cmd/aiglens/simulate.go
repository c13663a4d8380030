package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit/cert"
	"aiglens/design/play"
)

// simulate runs a circuit from its reset state, and says which properties fail in that run.
func simulate(ctx context.Context, e env, args []string) int {
	f := replayFlags{witness: "the run"}
	fs := newFlags("simulate")
	steps := fs.Int("steps", 10, "how many steps the run has, `n` from 1")
	seed := fs.Uint("random", 0, "draw the inputs after the first step with this seed `n`, such that constraints hold where that is found; 0 is 0 for each input")
	f.registerRun(fs)
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) != 1:
		return problem(e, "simulate needs one circuit")
	}
	if *steps < 1 {
		return problem(e, "--steps %d: expected 1 or more", *steps)
	}
	if err := f.validateOutput(); err != nil {
		return problem(e, "%v", err)
	}
	f.selected.anyCircuit = true
	circuit, err := f.selected.sound(ctx, e, files[0])
	if err != nil {
		return problem(e, "%v", err)
	}
	p := &player{e: e, flags: &f, out: plainWriter{e.stdout}, answers: circuit.answers}
	if f.to != "" && f.out == "-" {
		p.out = e.stderr
	}
	run, err := f.simulated(ctx, circuit, *steps, uint32(*seed))
	if err == nil {
		err = p.stimulus(ctx, circuit.in, run)
	}
	if err == nil && len(p.runs) > 0 && f.to != "" {
		err = p.export(ctx)
	}
	switch {
	case err != nil:
		return problem(e, "%v", err)
	case p.refused:
		return exitNotViolated
	}
	return exitOK
}

// sound reads a file without errors.
func (f *checkFlags) sound(ctx context.Context, e env, name string) (of *fileReport, err error) {
	of = &fileReport{name: name}
	if of.in, err = read(ctx, e, name, &f.files); err != nil {
		return nil, err
	}
	if err := sound(ctx, e, of.in); err != nil {
		return nil, fmt.Errorf("%s: %w", of.in.URI, err)
	}
	of.answers, err = answersOf(ctx, e, of.in, f)
	return of, err
}

// simulated returns the run of so many steps, with the values of --set.
func (f *replayFlags) simulated(ctx context.Context, of *fileReport, steps int, seed uint32) (t cert.Trace, err error) {
	about := &answer{in: of.in}
	if about.circuit, err = circuitOf(ctx, of.in); err != nil {
		return t, err
	}
	run, _, err := play.From(ctx, of.in, play.Request{})
	if err == nil && steps != 1 {
		change := &play.Change{Kind: play.Add, Steps: steps - 1}
		if seed != 0 {
			change.Kind, change.Seed = play.Random, seed
		}
		run, _, err = run.Changed(ctx, of.in, change)
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", of.in.URI, err)
	}
	return f.set.apply(ctx, about, run.Trace)
}

// validateOutput says what is wrong with the flags of the run that is written.
func (f *replayFlags) validateOutput() error {
	switch {
	case f.rounds < 0:
		return fmt.Errorf("--rounds %d: expected 1 or more", f.rounds)
	case f.to == "" && f.out != "-":
		return fmt.Errorf("-o needs --to %s", strings.Join(f.formatSet, ", "))
	case f.to != "" && !slices.Contains(f.formatSet, f.to):
		return errNoFormat("to", f.to, f.formatSet)
	}
	return nil
}
