package main

import (
	"context"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/design/answers"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/ic3/inquiry"
	"aiglens/internal/wave"
)

// wave returns the signals of a run to a target: inputs, latches, constraints and the target;
// with short of inputs and latches those that it rests on, and no constraints.
func (s *coverSearch) wave(ctx context.Context, g *play.Goal, a inquiry.LiteralReach, short bool) (wave.Wave, []runs.WaveSource, error) {
	words := fmt.Sprintf("%s in step %d", g, a.Trace.Steps()-1)
	return runs.ReachedWave(ctx, s.file, s.circuit, a.Trace, g.Lit.NotIf(g.Value == 0), g.Name, words, runs.WaveOptions{Short: short})
}

// latches asks of all latches which values they reach.
func (s *coverSearch) latches(ctx context.Context) int {
	var lits []circuit.Lit
	for _, l := range s.file.Circuit().Latches() {
		lits = append(lits, l.Lit)
	}
	s.tellStarts(lits)
	live := newProgressLine(s.e)
	r := inquiry.ReachLatches(ctx, s.file.Circuit(), s.terms(live, func(int) string { return "values of latches" }))
	live.clear()
	s.internal(r.Internal)
	names, err := answers.LatchNames(context.WithoutCancel(ctx), s.file) // also of what an interrupt leaves
	if err != nil {
		return problem(s.e, "%s: %v", s.file.URI, err)
	}
	unknown := 0
	report := jsonLatches{Type: "latches", File: s.file.URI, Latches: len(r.Latches), Both: r.Both(), Simulated: r.Simulated, Reason: r.Reason, Rest: []jsonLatch{}, Seconds: r.Elapsed.Seconds(), Version: versionText()}
	for i, l := range r.Latches {
		if l.Zero == inquiry.Unknown || l.One == inquiry.Unknown || l.Change == inquiry.Unknown {
			unknown++
		}
		if l != (inquiry.LatchReach{Zero: inquiry.Reached, One: inquiry.Reached, Change: inquiry.Reached}) {
			report.Rest = append(report.Rest, jsonLatch{names[i], i, l.Zero.String(), l.One.String(), l.Change.String()})
		}
	}
	if s.flags.format == "json" {
		printLine(s.e.stdout, report)
	} else {
		w := plainWriter{s.e.stdout}
		for _, l := range report.Rest {
			fmt.Fprintf(w, "%s: %s\n", l.Name, l.says())
		}
		fmt.Fprintf(w, "%s: %d of %s reach both values", s.file.URI, report.Both, answers.Count(report.Latches, "latch", "latches"))
		if unknown > 0 {
			fmt.Fprintf(w, " · %d not known: %s", unknown, r.Reason)
		}
		fmt.Fprintf(w, " · %.1f s\n", r.Elapsed.Seconds())
	}
	if unknown > 0 {
		return exitUnknown
	}
	return exitOK
}

// jsonLatches is the line of cover --latches --format json.
type jsonLatches struct {
	Type      string      `json:"type"` // latches
	File      string      `json:"file"`
	Latches   int         `json:"latches"`
	Both      int         `json:"both"`      // that reach both values
	Simulated int         `json:"simulated"` // answers given by random runs, of three for each latch
	Reason    string      `json:"reason"`    // why the first one of those that are unknown is so
	Rest      []jsonLatch `json:"rest"`      // those that do not reach and do all that there is
	Seconds   float64     `json:"seconds"`   // wall
	Version   string      `json:"version"`
}

// jsonLatch says of a latch reached, never or unknown.
type jsonLatch struct {
	Name   string `json:"name"`
	Index  int    `json:"index"` // among the latches of the circuit: names may be the same
	Zero   string `json:"zero"`
	One    string `json:"one"`
	Change string `json:"change"`
}

// says puts what is found into words.
func (l jsonLatch) says() string {
	var parts []string
	for _, x := range []struct{ verdict, never, unknown string }{
		{l.Zero, "never 0", "0: unknown"}, {l.One, "never 1", "1: unknown"},
	} {
		switch x.verdict {
		case inquiry.Never.String():
			parts = append(parts, x.never)
		case inquiry.Unknown.String():
			parts = append(parts, x.unknown)
		}
	}
	switch {
	case l.Change == inquiry.Unknown.String() && len(parts) == 0:
		parts = append(parts, "change: unknown")
	case l.Change == inquiry.Never.String() && len(parts) == 0:
		parts = append(parts, "never changes")
	}
	return strings.Join(parts, ", ")
}
