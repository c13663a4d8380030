package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"aiglens/design"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/ic3/horn/auto"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
	"aiglens/internal/nearest"
	"aiglens/internal/source"
)

// hornFlags are the flags of horn.
type hornFlags struct {
	model, proof, stats bool
	variant             string
	files               readFlags
}

// answerHorn answers as the competition of Horn clause solvers wants it: one word for each file.
func answerHorn(ctx context.Context, e env, args []string) int {
	var flags hornFlags
	var limits checkFlags
	fs := newFlags("horn")
	limits.registerLimits(fs)
	fs.StringVar(&flags.variant, "variant", auto.Auto, "`variant` of the engine: "+strings.Join(auto.Variants(), ", ")+"; auto has all take turns")
	fs.BoolVar(&flags.model, "model", false, "after sat, print the definitions of the predicates as SMT-LIB")
	fs.BoolVar(&flags.proof, "proof", false, "after unsat, print the derivation as SMT-LIB: instances of clauses that contradict each other")
	fs.BoolVar(&flags.stats, "stats", false, "print what the engine did")
	flags.files.registerLimit(fs)
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) == 0:
		return problem(e, "horn needs a file")
	case !slices.Contains(auto.Variants(), flags.variant):
		return problem(e, "--variant: there is no variant %q%s", flags.variant, nearest.Choose(flags.variant, auto.Variants()))
	}
	code = exitOK
	for _, name := range files {
		if ctx.Err() != nil {
			break
		}
		if err := answerHornFile(ctx, e, name, &flags, &limits); err != nil {
			code = problem(e, "%v", err)
		}
	}
	return code
}

// hornFile is a file of Horn clauses that is read whatever its logic and its name are.
type hornFile struct {
	in   *design.Design // for places
	file *syntax.File
}

// readHorn reads clauses, and writes errors and warnings to standard error. The error is about the first one.
func readHorn(ctx context.Context, e env, name string, files *readFlags) (*hornFile, error) {
	data, err := files.content(ctx, e, name)
	if err != nil {
		return nil, err
	}
	in, err := openClauses(name, data)
	if err != nil {
		return nil, err
	}
	return parseHorn(e, in)
}

// parseHorn is readHorn for a file that was read.
func parseHorn(e env, in *design.Design) (*hornFile, error) {
	h := &hornFile{in, syntax.Parse(in.Text, nil)}
	for _, d := range h.file.Diagnostics() {
		if d.Severity <= source.Warning {
			tell(e.stderr, in, d)
		}
	}
	if d := h.file.Structural(); d != nil {
		line, column := in.Text.LineColumn(d.Span.Start)
		return nil, &reportedError{fmt.Errorf("%s: line %d, column %d: %s", in.URI, line, column, d.Message)}
	}
	return h, nil
}

// answerHornFile answers for one file.
func answerHornFile(ctx context.Context, e env, name string, flags *hornFlags, limits *checkFlags) error {
	h, err := readHorn(ctx, e, name, &flags.files)
	if err != nil {
		return err
	}
	began, system := time.Now(), h.file.System()
	limited, stop := verify.WithLimits(ctx, limits.limits)
	defer stop()
	r := auto.Check(limited, system, hornverify.Options{Variant: flags.variant})
	took := time.Since(began)
	if r.Internal != nil {
		fmt.Fprintf(e.stderr, "aiglens: internal error on %s, please report it: %v\n", name, r.Internal)
	}
	if ctx.Err() != nil {
		return errors.New("cancelled")
	}
	c := r.Checked
	fmt.Fprintln(e.stdout, c.Outcome())
	switch {
	case c.Outcome() == cert.Unknown:
		fmt.Fprintf(e.stderr, "aiglens: %s: %s\n", name, r.WordsWithin(limits.limits.Wall))
	case c.Outcome() == cert.Sat && flags.model:
		_ = c.Model().WriteSMT(e.stdout, system) // what cannot be written is noticed where standard output is
	case c.Outcome() == cert.Unsat && flags.proof:
		_ = c.Derivation().WriteSMT(e.stdout, system)
	}
	if flags.stats {
		stats := clauseStats(&r, took)
		for _, key := range slices.Sorted(maps.Keys(stats)) {
			fmt.Fprintf(e.stdout, "; %-20s %.6g\n", key, stats[key])
		}
	}
	return nil
}
