package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aiglens/circuit"
	circuitcert "aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// clauseEndings are those of files of Horn clauses.
var clauseEndings = []string{".smt2", ".horn", ".chc"}

// areClauses reports whether a file holds Horn clauses: its name says so, or, on standard input, its first command is
// one of SMT-LIB.
func areClauses(name string, data []byte) bool {
	if name != design.StandardInput {
		return slices.Contains(clauseEndings, strings.ToLower(filepath.Ext(strings.TrimSuffix(name, ".gz"))))
	}
	return syntax.IsSMTLIB(string(data[:min(len(data), 1<<16)]))
}

// clausesError says that a file holds Horn clauses where a circuit is needed.
type clausesError struct {
	name string
	data []byte
}

func (e *clausesError) Error() string {
	return e.name + ": these are Horn clauses and no circuit: only check, horn and lint read them"
}

// clauseFile is a file of Horn clauses.
type clauseFile struct {
	in   *design.Design // its name and its text, for places
	file *syntax.File
}

func (e *clausesError) parse() *clauseFile {
	text := source.NewText(string(e.data))
	return &clauseFile{&design.Design{URI: e.name, Text: text}, syntax.Parse(text, nil)}
}

// readClauses turns the report of a file that could not be read as a circuit into that of its clauses, if it holds
// such. Errors and warnings are written to standard error.
func (f *fileReport) readClauses(e env) {
	wrong, ok := errors.AsType[*clausesError](f.err)
	if !ok {
		return
	}
	f.fill(func() error {
		text := string(wrong.data)
		if other := findings.WhatIsIt(text); other.Name != "" && !syntax.IsSMTLIB(text) {
			return fmt.Errorf("%s: %s", f.name, other.Not("SMT-LIB"))
		}
		c := wrong.parse()
		for _, d := range c.file.Diagnostics() {
			if d.Severity <= source.Warning {
				tell(e.stderr, c.in, d)
				f.diagnostics = append(f.diagnostics, d)
			}
		}
		f.in, f.clauses = c.in, c
		if d := c.file.Structural(); d != nil {
			line, column := c.in.Text.LineColumn(d.Span.Start)
			return &reportedError{fmt.Errorf("%s: line %d, column %d: %s", f.name, line, column, d.Message)}
		}
		return nil
	})
}

// clauseAnswer is what is known of a file of Horn clauses.
type clauseAnswer struct {
	*clauseFile
	result hornverify.Result
	limits verify.Limits
	took   time.Duration
}

// solve answers whether clauses are satisfiable, within limits.
func (c *clauseFile) solve(ctx context.Context, limits verify.Limits, variant string) *clauseAnswer {
	began := time.Now()
	limited, stop := verify.WithLimits(ctx, limits)
	defer stop()
	r := hornverify.Check(limited, c.file.System(), hornverify.Options{Variant: variant})
	return &clauseAnswer{c, r, limits, time.Since(began)}
}

// words says the answer as every surface does, with the limit that has ended the search.
func (a *clauseAnswer) words() string {
	return a.result.WordsWithin(a.limits.Wall)
}

// place returns the file, and the query that is reached with its line and column.
func (a *clauseAnswer) place() string {
	d := a.result.Checked.Derivation()
	if a.result.Checked.Outcome() != cert.Unsat || len(d) == 0 {
		return a.in.URI
	}
	origin := a.file.System().Clauses[d[len(d)-1].Clause].Origin
	line, column := a.in.Text.LineColumn(a.file.FormSpan(origin).Start)
	return fmt.Sprintf("%s:%d:%d", a.in.URI, line, column)
}

// tellFaults reports a certificate that was rejected.
func (a *clauseAnswer) tellFaults(e env) {
	if a.result.Internal != nil {
		fmt.Fprintf(e.stderr, "aiglens: internal error on %s, please report it: %v\n", a.in.URI, a.result.Internal)
	}
}

// stats returns what the engine did.
func (a *clauseAnswer) stats() map[string]float64 {
	s := a.result.Stats
	return map[string]float64{
		"predicates": float64(a.result.Predicates), "clauses": float64(a.result.Clauses), "levels": float64(s.Level),
		"lemmas": float64(s.Lemmas), "facts": float64(s.Facts), "obligations": float64(s.Obligations),
		"conflicts": float64(s.Solver.Conflicts), "seconds": a.took.Seconds(),
	}
}

// outcomes are the verdicts on circuits that are the same as those on clauses.
var outcomes = map[cert.Outcome]circuitcert.Outcome{
	cert.Unknown: circuitcert.Unknown, cert.Sat: circuitcert.Proved, cert.Unsat: circuitcert.Refuted,
}

// clauseFlags are the flags of check that are about clauses, too.
var clauseFlags = []string{"timeout", "cpu", "memory", "deadline", "workers", "format", "no-cache", "stats", "require-properties", "max-input", "no-vacuity"}

// onlyCircuits returns the first flag that was given and means nothing for clauses; "" for none.
func onlyCircuits(fs *flag.FlagSet) (name string) {
	fs.Visit(func(f *flag.Flag) {
		if name == "" && !slices.Contains(clauseFlags, f.Name) {
			name = f.Name
		}
	})
	return name
}

// clausePrinter is a printer that has a form for clauses.
type clausePrinter interface{ clauses(a *clauseAnswer) }

// refuseClauses says that flags or the format of a check are about circuits.
func (c *checking) refuseClauses(f *fileReport) {
	if f.clauses == nil || f.err != nil {
		return
	}
	if flag := c.flags.onlyCircuits; flag != "" {
		f.err = fmt.Errorf("%s: --%s is about circuits, and these are Horn clauses", f.name, flag)
	} else if _, ok := c.out.(clausePrinter); !ok {
		f.err = fmt.Errorf("%s: --format %s is about circuits, and these are Horn clauses", f.name, c.flags.format)
	}
}

// clauses answers for a file of Horn clauses, and gives that out.
func (c *checking) clauses(within context.Context, f *fileReport) {
	if f.clauses == nil || f.err != nil {
		return
	}
	a := f.clauses.solve(within, c.flags.limits, hornverify.Auto)
	a.tellFaults(c.e)
	c.out.(clausePrinter).clauses(a)
	c.tally.count(circuit.Property{Kind: circuit.PropertyBad}, outcomes[a.result.Checked.Outcome()])
}

func (p *textPrinter) clauses(a *clauseAnswer) {
	words := plainText(a.words())
	if hasColours(p.styled) {
		word, rest, _ := strings.Cut(words, " ")
		standing := verify.StandingOf(circuit.PropertyBad, outcomes[a.result.Checked.Outcome()])
		words = standingStyles[standing] + word + plainStyle + " " + rest
	}
	fmt.Fprintf(p.styled, "%s: %s\n", plainText(a.place()), words)
	if p.flags.stats {
		stats := a.stats()
		for _, key := range slices.Sorted(maps.Keys(stats)) {
			fmt.Fprintf(p.w, "  %-20s %.6g\n", key, stats[key])
		}
	}
}

// jsonClauses is the line of --format json for a file of Horn clauses.
type jsonClauses struct {
	File    string             `json:"file"`
	Answer  string             `json:"answer"`  // sat, unsat or unknown
	Verdict string             `json:"verdict"` // proved, refuted or unknown
	Reason  string             `json:"reason"`  // of unknown
	Variant string             `json:"variant"` // that has answered
	Lemmas  int                `json:"lemmas"`  // of the model
	Steps   int                `json:"steps"`   // of the derivation
	Line    int                `json:"line,omitempty"`
	Seconds float64            `json:"seconds"`
	Checked bool               `json:"checked"` // the certificate passed
	Version string             `json:"version"`
	Stats   map[string]float64 `json:"stats,omitempty"`
}

func (p *jsonPrinter) clauses(a *clauseAnswer) {
	c := a.result.Checked
	line := jsonClauses{
		File: a.in.URI, Answer: c.Outcome().String(), Verdict: outcomes[c.Outcome()].String(), Reason: c.Reason(), Variant: string(a.result.Variant),
		Lemmas: hornverify.Lemmas(c.Model()), Steps: len(c.Derivation()), Seconds: a.took.Seconds(), Checked: c.Outcome() != cert.Unknown, Version: versionText(),
	}
	if d := c.Derivation(); len(d) > 0 {
		origin := a.file.System().Clauses[d[len(d)-1].Clause].Origin
		line.Line, _ = a.in.Text.LineColumn(a.file.FormSpan(origin).Start)
	}
	if p.flags.stats {
		line.Stats = a.stats()
	}
	printLine(p.w, line)
}
