package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/ic3/engines"
	"aiglens/ic3/inquiry"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/internal/wave"
)

// exitReached is the exit code of cover where a run was found.
const exitReached = 1

// coverFlags are the flags of cover.
type coverFlags struct {
	files       readFlags
	ones, zeros stringList
	latches     bool
	limits      verify.Limits
	engine      engines.Spec
	workers     int
	format      string
	to, out     string
	force       bool
}

func (f *coverFlags) register(fs *flag.FlagSet) {
	f.limits.Wall = verify.DefaultWall
	fs.Var(&f.ones, "signal", "find a run that makes the signal of this `name` 1: a symbol or net, in AIGER files also a position such as l3 or o0, or a literal. Or one in which an expression over one step holds, such as 'count == 9'. May be repeated; what stands after the file is looked for, too")
	fs.Var(&f.zeros, "zero", "find a run that makes the signal of this `name` 0, or in which an expression does not hold; may be repeated")
	fs.BoolVar(&f.latches, "latches", false, "ask of each latch whether it is ever 0, is ever 1 and ever changes")
	fs.Var((*duration)(&f.limits.Wall), "timeout", "wall `time` for each signal, with --latches for all of them; 0 is no limit")
	fs.Var((*duration)(&f.limits.CPU), "cpu", "CPU `time` for each signal, with --latches for all of them; 0 is no limit")
	fs.Var((*size)(&f.limits.Memory), "memory", "heap `size` at which the search ends, such as 512M or 2G; 0 is no limit")
	registerEngine(fs, &f.engine)
	fs.IntVar(&f.workers, "workers", 1, "signals looked for at a time")
	fs.StringVar(&f.format, "format", "text", "output `format`: text or json")
	fs.StringVar(&f.to, "to", "", "write the run in this `format`: "+strings.Join(waveFormats(), ", "))
	fs.StringVar(&f.out, "o", "-", "`file` for --to; - is standard output")
	fs.BoolVar(&f.force, "force", false, "overwrite an existing output file")
	f.files.register(fs)
}

func waveFormats() (names []string) {
	for _, format := range wave.Formats() {
		names = append(names, string(format))
	}
	return names
}

// validate says what is wrong with the flags.
func (f *coverFlags) validate() error {
	asked := len(f.ones) + len(f.zeros)
	switch {
	case asked == 0 && !f.latches:
		return fmt.Errorf("cover needs a signal or an expression, --signal NAME or --zero NAME, or --latches")
	case asked > 0 && f.latches:
		return fmt.Errorf("--latches asks of all latches: --signal and --zero add nothing")
	case f.to != "" && asked != 1:
		return fmt.Errorf("--to writes the run of one signal")
	case f.to != "" && !slices.Contains(waveFormats(), f.to):
		return errNoFormat("to", f.to, waveFormats())
	case f.to == "" && f.out != "-":
		return fmt.Errorf("-o needs --to %s", strings.Join(waveFormats(), ", "))
	case !slices.Contains(textOrJSON, f.format):
		return errNoFormat("format", f.format, textOrJSON)
	case f.workers < 1:
		return fmt.Errorf("--workers %d: expected 1 or more", f.workers)
	}
	if err := f.engine.Validate(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// coverSignals finds runs that make signals 1 or 0.
func coverSignals(ctx context.Context, e env, args []string) int {
	var f coverFlags
	fs := newFlags("cover")
	f.register(fs)
	args, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(args) > 1 { // what follows the file is looked for as well
		args, f.ones = args[:1], append(f.ones, args[1:]...)
	}
	in, code, done := readOnly(ctx, fs, e, args, &f.files, f.validate)
	if done {
		return code
	}
	s := &coverSearch{e: e, flags: &f, file: in}
	if err := s.sound(ctx, timeoutOf(fs)); err != nil {
		return problem(e, "%s: %v", in.URI, err)
	}
	if f.latches {
		return s.latches(ctx)
	}
	return s.signals(ctx)
}

// coverSearch is a run of cover.
type coverSearch struct {
	e     env
	flags *coverFlags
	file  *design.Design
	// circuit is that of the file with gates for expressions.
	circuit *circuit.Circuit
}

// sound refuses a text with an error on which what is looked for may depend. Of a text with another error, it tells
// what is left open in the cones of the signals, as it does of a text without errors.
func (s *coverSearch) sound(ctx context.Context, wall time.Duration) error {
	said := &strings.Builder{}
	err := soundWithin(ctx, env{stderr: said}, s.file, wall)
	if _, isUnbuilt := errors.AsType[*unbuiltError](err); err != nil && !isUnbuilt && !s.flags.latches && s.file.Elaborate(ctx) == nil && design.SoundAt(s.file) == nil {
		goals, none := s.goals()
		if lits := signalsOf(goals); none == nil && design.SoundAt(s.file, lits...) == nil {
			for _, part := range design.LeftOpenAt(s.file, lits...).Parts {
				tell(s.e.stderr, s.file, part)
			}
			return nil
		}
		err = cmp.Or(none, err)
	}
	fmt.Fprint(s.e.stderr, said)
	return err
}

func signalsOf(goals []play.Goal) (all []circuit.Lit) {
	for i := range goals {
		all = append(all, goals[i].Signals()...)
	}
	return all
}

// goals reads what runs are looked for. The error says what is wrong with one.
func (s *coverSearch) goals() (all []play.Goal, err error) {
	s.circuit = s.file.Circuit()
	for value, texts := range [][]string{1: s.flags.ones, 0: s.flags.zeros} {
		for _, text := range texts {
			g, err := play.GoalFrom(s.file, s.circuit, text, value)
			if err != nil {
				return nil, err
			}
			s.circuit = g.Circuit
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b play.Goal) int { return b.Value - a.Value })
	return all, nil
}

// terms are those of all searches; what says what is looked for in a question.
func (s *coverSearch) terms(live *progressLine, what func(question int) string) inquiry.Terms {
	begin := time.Now()
	return inquiry.Terms{
		Engine: engineOf(s.flags.engine),
		Limits: s.flags.limits, Workers: s.flags.workers,
		Progress: func(p inquiry.Progress) {
			live.write(func() statusLine {
				return statusLine{"", s.file.URI, fmt.Sprintf(": looking for %s · depth %d · %s · %.0f s", what(p.Part), p.Run.Depth, answers.Count(p.Run.Lemmas, "lemma", "lemmas"), time.Since(begin).Seconds())}
			})
		},
	}
}

// signals looks for runs to signals.
func (s *coverSearch) signals(ctx context.Context) int {
	goals, err := s.goals()
	if err != nil {
		return problem(s.e, "%s: %v", s.file.URI, err)
	}
	lits := make([]circuit.Lit, len(goals))
	for i, g := range goals {
		lits[i] = g.Lit
	}
	s.tellStarts(signalsOf(goals))
	live := newProgressLine(s.e)
	answers := inquiry.ReachLiterals(ctx, s.circuit, lits, s.terms(live, func(i int) string { return goals[i].String() }))
	live.clear()
	code, found := exitOK, map[inquiry.Reach]bool{}
	for i, a := range answers {
		found[a.Verdict] = true
		s.internal(a.Internal)
		if err := s.report(context.WithoutCancel(ctx), &goals[i], a); err != nil { // what was found is told after the limit, too
			code = problem(s.e, "%s: %v", s.file.URI, err)
		}
	}
	switch {
	case code != exitOK:
		return code
	case found[inquiry.Reached]:
		return exitReached
	case found[inquiry.Unknown]:
		return exitUnknown
	}
	return exitOK
}

// tellStarts warns where flip-flops in the cones of literals have no start, as check does.
func (s *coverSearch) tellStarts(lits []circuit.Lit) {
	if d := design.LeftOpenAt(s.file, lits...).Start; d.Severity == source.Warning {
		tell(s.e.stderr, s.file, d)
	}
}

func (s *coverSearch) internal(err error) {
	if err != nil {
		fmt.Fprintf(s.e.stderr, "aiglens: internal error on %s, please report it: %v\n", s.file.URI, err)
	}
}

// jsonCover is a line of cover --format json about a signal.
type jsonCover struct {
	Type    string    `json:"type"` // signal
	File    string    `json:"file"`
	Signal  string    `json:"signal"`
	Value   int       `json:"value"`   // that is looked for
	Verdict string    `json:"verdict"` // reached, never or unknown
	Reason  string    `json:"reason"`  // of unknown
	NoRun   bool      `json:"noRun"`   // never, because no initial state meets the constraints
	Engine  string    `json:"engine"`
	Depth   int       `json:"depth"`         // frames or bound reached
	Clauses int       `json:"clauses"`       // of the invariant
	Steps   int       `json:"steps"`         // of the run; the signal has the value in step steps − 1
	Run     []jsonRow `json:"run,omitempty"` // what matters of it
	// To what the file leaves open a run may be due, as in the answers of check.
	LeftOpen    bool             `json:"leftOpen,omitempty"`
	Starts      int              `json:"startsNotGiven,omitempty"`
	Diagnostics []jsonDiagnostic `json:"diagnostics,omitempty"`
	Seconds     float64          `json:"seconds"` // wall
	Version     string           `json:"version"`
}

// jsonRow is a signal over the steps of a run.
type jsonRow struct {
	Signal string `json:"signal"`
	Values string `json:"values"` // 0, 1 or x for each step
	// Line and Column, from 1, are where the file defines the signal; of one in another file,
	// where that comes in.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

// jsonRowOf returns the row of a literal of a design.
func jsonRowOf(d *design.Design, l circuit.Lit, name, values string) jsonRow {
	row := jsonRow{Signal: name, Values: values}
	if found, ok := d.SourceOf(l); ok && found.Span.Length > 0 {
		row.Line, row.Column = d.Text.LineColumn(found.Span.Start)
	}
	return row
}

// report writes an answer.
func (s *coverSearch) report(ctx context.Context, g *play.Goal, a inquiry.LiteralReach) error {
	var run wave.Wave
	var sources []runs.WaveSource // of the signals of run
	var open design.LeftOpen
	if a.Verdict == inquiry.Reached {
		open = design.LeftOpenAt(s.file, g.Signals()...)
		err := g.Confirm(ctx, s.file, a)
		if err != nil {
			return err
		}
		if run, sources, err = s.wave(ctx, g, a, s.flags.to == "" || s.flags.to == string(wave.Markdown)); err != nil {
			return err
		}
	}
	if s.flags.to != "" && a.Verdict == inquiry.Reached {
		data, err := run.Append(nil, wave.Format(s.flags.to))
		if err == nil {
			err = s.e.output(s.flags.out, data, s.flags.force)
		}
		if err != nil || s.flags.out == "-" {
			return err
		}
	}
	if s.flags.format == "json" {
		line := jsonCover{"signal", s.file.URI, g.Name, g.Value, a.Verdict.String(), a.Reason, a.HasNoRun, a.Engine, a.Depth, a.Clauses, a.Trace.Steps(), nil, len(open.Parts) > 0, open.Starts, nil, a.Elapsed.Seconds(), versionText()}
		for i, signal := range run.Signals {
			line.Run = append(line.Run, jsonRowOf(s.file, sources[i].Lit, sources[i].Name, signal.Values))
		}
		for _, d := range open.Diagnostics() {
			line.Diagnostics = append(line.Diagnostics, jsonDiagnosticOf(s.file, d))
		}
		printLine(s.e.stdout, line)
		return nil
	}
	w := plainWriter{s.e.stdout}
	fmt.Fprintf(w, "%s: %s · %.1f s\n", s.file.URI, g.Words(a, open), a.Elapsed.Seconds())
	if a.Verdict != inquiry.Reached || s.flags.to != "" {
		return nil
	}
	run.Title = "" // it is said above
	_, _ = w.Write(append(run.AppendMarkdown([]byte("\n"), wave.DefaultColumns), '\n'))
	return nil
}
