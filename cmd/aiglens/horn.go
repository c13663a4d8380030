package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aiglens/horn/cert"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/internal/nearest"
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
	fs.StringVar(&flags.variant, "variant", hornverify.Auto, "`variant` of the engine: "+strings.Join(hornverify.Variants(), ", ")+"; auto has all take turns")
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
	case !slices.Contains(hornverify.Variants(), flags.variant):
		return problem(e, "--variant: there is no variant %q%s", flags.variant, nearest.Choose(flags.variant, hornverify.Variants()))
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

// answerHornFile answers for one file. What is not called like clauses is read as such, too.
func answerHornFile(ctx context.Context, e env, name string, flags *hornFlags, limits *checkFlags) error {
	data, err := flags.files.content(ctx, e, name)
	if err != nil {
		return err
	}
	f := &fileReport{name: name, err: &clausesError{name, data}}
	f.readClauses(e)
	if f.err != nil {
		return f.err
	}
	a := f.clauses.solve(ctx, limits.limits, flags.variant)
	a.tellFaults(e)
	if ctx.Err() != nil {
		return errors.New("cancelled")
	}
	c := a.result.Checked
	fmt.Fprintln(e.stdout, c.Outcome())
	switch system := a.file.System(); {
	case c.Outcome() == cert.Unknown:
		fmt.Fprintf(e.stderr, "aiglens: %s: %s\n", name, a.words())
	case c.Outcome() == cert.Sat && flags.model:
		_ = c.Model().WriteSMT(e.stdout, system) // what cannot be written is noticed where standard output is
	case c.Outcome() == cert.Unsat && flags.proof:
		_ = c.Derivation().WriteSMT(e.stdout, system)
	}
	if flags.stats {
		stats := a.stats()
		for _, key := range slices.Sorted(maps.Keys(stats)) {
			fmt.Fprintf(e.stdout, "; %-20s %.6g\n", key, stats[key])
		}
	}
	return nil
}
