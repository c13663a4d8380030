package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/btor2design"
	"aiglens/design/comparison"
	"aiglens/ic3/engines"
	"aiglens/ic3/equiv"
	"aiglens/ic3/verify"
)

// Exit codes of equiv beside exitUnknown.
const exitDifferent = 1

// equivFlags are the flags of equiv.
type equivFlags struct {
	files         readFlags
	limits        verify.Limits
	engine        engines.Spec
	mapping       string
	positions     bool
	combinational bool
	startEqual    bool
	bound         int
	workers       int
	format        string
	witnesses     string
}

func (f *equivFlags) register(fs *flag.FlagSet) {
	f.limits.Wall = verify.DefaultWall
	fs.StringVar(&f.mapping, "map", "", "`file` of names to match: on each line one of the first circuit and one of the second")
	fs.BoolVar(&f.positions, "by-position", false, "match by position what has no partner by name, in lists of the same length")
	fs.BoolVar(&f.combinational, "combinational", false, "compare single steps, from all states in which matched latches are equal; next values and resets are compared like outputs")
	fs.BoolVar(&f.startEqual, "assume-equal-latches", false, "matched latches start equal: with either value where their resets differ")
	fs.IntVar(&f.bound, "bound", 0, "look for differences only in the first `n` steps; 0 is no bound")
	fs.Var((*duration)(&f.limits.Wall), "timeout", "wall `time` for the comparison; 0 is no limit")
	fs.Var((*duration)(&f.limits.CPU), "cpu", "CPU `time` for the comparison; 0 is no limit")
	fs.Var((*size)(&f.limits.Memory), "memory", "heap `size` at which the comparison ends, such as 512M or 2G; 0 is no limit")
	registerEngine(fs, &f.engine)
	fs.IntVar(&f.workers, "workers", 0, "outputs compared at a time; 0 is one for each core, or one when --cpu or --memory is given")
	fs.StringVar(&f.format, "format", "text", "output `format`: text or json")
	fs.StringVar(&f.witnesses, "witness", "", "write the runs of each difference into this `directory`, as witnesses of either circuit and as VCD")
	f.files.registerLimit(fs)
	f.files.blif.registerReading(fs)
}

// validate says what is wrong with the flags, and completes them.
func (f *equivFlags) validate(fs *flag.FlagSet) error {
	if f.bound > 0 && !isSet(fs, "engine", "variant") {
		f.engine.Engine = "bmc"
	}
	switch err := f.engine.Validate(); {
	case err != nil:
		return fmt.Errorf("--%w", err)
	case f.bound < 0:
		return fmt.Errorf("--bound %d: expected 1 or more", f.bound)
	case f.bound > 0 && f.engine.Engine != "bmc":
		return errors.New("--bound: only --engine bmc searches step by step")
	case f.combinational && f.startEqual:
		return errors.New("--combinational takes latches for equal in each step: --assume-equal-latches adds nothing")
	case f.combinational && f.bound > 0:
		return errors.New("--combinational compares single steps: --bound adds nothing")
	case f.workers < 0:
		return errors.New("--workers must not be negative")
	case !slices.Contains(textOrJSON, f.format):
		return errNoFormat("format", f.format, textOrJSON)
	}
	if f.workers == 0 {
		f.workers = max(1, runtime.NumCPU()/f.engine.Processors())
		if f.limits.CPU > 0 || f.limits.Memory > 0 {
			f.workers = 1
		}
	}
	return nil
}

// equivalence compares two circuits.
func equivalence(ctx context.Context, e env, args []string) int {
	var f equivFlags
	fs := newFlags("equiv")
	f.register(fs)
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) != 2:
		return problem(e, "equiv needs two circuits")
	case files[0] == "-" && files[1] == "-":
		return problem(e, "the two circuits cannot both be standard input")
	}
	if err := f.validate(fs); err != nil {
		return problem(e, "%v", err)
	}
	c := &comparing{e: e, flags: &f}
	var circuits [2]*design.Design
	for i, name := range files {
		var err error
		if circuits[i], err = read(ctx, e, name, &f.files); err != nil {
			return problem(e, "%v", err)
		}
	}
	if err := c.match(ctx, circuits); err != nil {
		return problem(e, "%v", err)
	}
	out := equivFormats[f.format](c)
	out.matching()
	c.run(ctx)
	if c.report.Internal != nil {
		fmt.Fprintf(e.stderr, "aiglens: internal error on %s and %s, please report it: %v\n", files[0], files[1], c.report.Internal)
	}
	if err := comparison.MinimizeFirst(ctx, c.report); err != nil {
		code = problem(e, "%v", err)
	}
	if err := c.export(ctx); err != nil {
		code = problem(e, "%v", err)
	}
	if err := out.report(ctx); err != nil {
		code = problem(e, "%v", err)
	}
	if code != exitOK {
		return code
	}
	switch verdict, _ := c.report.Verdict(); verdict {
	case equiv.Different:
		return exitDifferent
	case equiv.Unknown:
		return exitUnknown
	}
	return exitOK
}

// comparing is a comparison of two files.
type comparing struct {
	e        env
	flags    *equivFlags
	files    [2]*design.Design
	matching *compare.Matching
	trails   *comparison.Trails
	report   *equiv.Report
}

// match matches the elements of two circuits.
func (c *comparing) match(ctx context.Context, circuits [2]*design.Design) error {
	options := compare.Options{Positions: c.flags.positions, Combinational: c.flags.combinational}
	if c.flags.mapping != "" {
		var err error
		if options.Map, err = readMap(ctx, c.e, c.flags.mapping, &c.flags.files); err != nil {
			return err
		}
	}
	var sides [2]compare.Side
	c.files = circuits
	for _, in := range circuits {
		if err := soundWithin(ctx, c.e, in, c.flags.limits.Wall); err != nil {
			return fmt.Errorf("%s: %w", in.URI, err)
		}
	}
	for i, in := range circuits {
		var err error
		if sides[i], err = sideOf(ctx, in, circuits[1-i].Kind == btor2design.Format); err != nil {
			return err
		}
	}
	m, err := compare.Match(sides[0], sides[1], options)
	if err != nil {
		return fmt.Errorf("%s, %s: %w", circuits[0].URI, circuits[1].URI, err)
	}
	for i, n := range c.files {
		for _, e := range m.Unmatched[i] {
			if c.flags.combinational && e.Kind == compare.Input && e.Index >= len(n.Circuit().Inputs()) {
				return fmt.Errorf("%s: %s has no partner, and --combinational needs one for each latch", n.URI, m.Sides[i].Label(e))
			}
		}
	}
	if c.flags.startEqual {
		m = m.StartEqual()
	}
	c.matching, c.trails = m, comparison.NewTrails(c.files, m)
	return nil
}

// run compares the circuits that were matched.
func (c *comparing) run(ctx context.Context) {
	live, begin := newProgressLine(c.e), time.Now()
	c.report = equiv.Run(ctx, c.matching, equiv.Options{
		Engine: engineOf(c.flags.engine),
		Limits: c.flags.limits, Bound: c.flags.bound, Workers: c.flags.workers,
		Progress: func(question string, p verify.Progress) {
			live.write(func() statusLine {
				return statusLine{"", c.files[0].URI + ", " + c.files[1].URI, fmt.Sprintf(": comparing %s · depth %d · %s · %.0f s", question, p.Depth, answers.Count(p.Lemmas, "lemma", "lemmas"), time.Since(begin).Seconds())}
			})
		},
	})
	live.clear()
}

// label names an element of a side.
func (c *comparing) label(side int, e compare.Element) string {
	return c.matching.Sides[side].Label(e)
}

// labels names elements, up to a bound.
func (c *comparing) labels(side int, elements []compare.Element) string {
	var all []string
	for i, e := range elements {
		if i == maxRenamed {
			all = append(all, fmt.Sprintf("%d more", len(elements)-i))
			break
		}
		all = append(all, e.Kind.String()+" "+c.label(side, e))
	}
	return strings.Join(all, ", ")
}
