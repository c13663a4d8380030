package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	circuitcert "aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/horndesign"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/ic3/horn/auto"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// clauseEndings are those of files of Horn clauses.
var clauseEndings = []string{".smt2", ".horn", ".chc"}

// isCalledClauses reports whether a file is called like one of Horn clauses, packed or not.
func isCalledClauses(name string) bool {
	return slices.Contains(clauseEndings, strings.ToLower(filepath.Ext(strings.TrimSuffix(name, ".gz"))))
}

// areClauses reports whether a file holds Horn clauses: its name says so, or, on standard input, its first command is
// one of SMT-LIB.
func areClauses(name string, data []byte) bool {
	if name != design.StandardInput {
		return isCalledClauses(name)
	}
	return syntax.IsSMTLIB(string(data[:min(len(data), 1<<16)]))
}

// errClauses says that a file holds Horn clauses where a circuit is needed.
func errClauses(name string) error {
	return fmt.Errorf("%s: %w; check, lint, stats, fmt, at, horn and certify read it", name, design.ErrClauses)
}

// openClauses returns the design of a file of SMT-LIB.
func openClauses(name string, data []byte) (*design.Design, error) {
	text := string(data)
	if other := findings.WhatIsIt(text); other.Name != "" && !syntax.IsSMTLIB(text) {
		return nil, fmt.Errorf("%s: %s", name, other.Not("SMT-LIB"))
	}
	return design.New(name, horndesign.Format, 0, source.NewText(text), design.Options{}), nil
}

// queried is a query of Horn clauses, which is asked in the place of a property of a circuit.
type queried struct {
	horndesign.Query
	limits verify.Limits
	result *hornverify.Result // nil before the answer
}

// outcomes are the verdicts on circuits that are the same as those on clauses.
var outcomes = map[cert.Outcome]circuitcert.Outcome{
	cert.Unknown: circuitcert.Unknown, cert.Sat: circuitcert.Proved, cert.Unsat: circuitcert.Refuted,
}

// ask makes the answers about a file of clauses those about its queries.
func (f *checkFlags) ask(answers []*answer) {
	if len(answers) == 0 {
		return
	}
	for _, q := range horndesign.Queries(answers[0].in) {
		for _, a := range answers {
			if a.property == q.Property {
				a.query = &queried{Query: q, limits: f.limits}
			}
		}
	}
}

// solve answers a query.
func (a *answer) solve(ctx context.Context) {
	began := time.Now()
	limited, stop := verify.WithLimits(ctx, a.query.limits)
	defer stop()
	r := auto.Check(limited, a.query.System(), hornverify.Options{})
	asked := *a.query
	asked.result = &r
	took := time.Since(began)
	a.query, a.result = &asked, &verify.Result{Engine: r.Variant, Elapsed: took, Internal: r.Internal, Stats: clauseStats(&r, took)}
}

// clauseStats returns what was done, with the time that it took.
func clauseStats(r *hornverify.Result, took time.Duration) map[string]float64 {
	all := maps.Clone(r.Stats)
	if all == nil {
		all = map[string]float64{}
	}
	all["seconds"] = took.Seconds()
	return all
}

// clauses returns what was found of a query; nil for a property of a circuit, and before the answer.
func (a *answer) clauses() *hornverify.Result {
	if a.query == nil {
		return nil
	}
	return a.query.result
}

// writeClauses writes what certifies the answer to a query: the definitions of the predicates, or the derivation. Beside
// it stands what that is about, the clauses with this query alone.
func (a *answer) writeClauses(e env, flags *checkFlags) (err error) {
	system, checked := a.query.System(), a.clauses().Checked
	dir, suffix := flags.certificate, "certificate.smt2"
	if checked.Outcome() == cert.Unsat {
		dir, suffix = flags.witnesses, "derivation.smt2"
	}
	if dir == "" || checked.Outcome() == cert.Unknown {
		return nil
	}
	var clauses, certificate bytes.Buffer
	if checked.Outcome() == cert.Sat {
		err = checked.Model().WriteSMT(&certificate, system)
	} else {
		err = checked.Derivation().WriteSMT(&certificate, system)
	}
	if err = errors.Join(err, system.WriteSMT(&clauses)); err != nil {
		return err
	}
	if err := e.writeInto(dir, exportName(a, "clauses.smt2"), clauses.Bytes()); err != nil {
		return err
	}
	return e.writeInto(dir, exportName(a, suffix), certificate.Bytes())
}

// clauseFlags are the flags of check that are about clauses, too.
var clauseFlags = []string{"property", "index", "timeout", "cpu", "memory", "deadline", "workers", "seed", "format", "no-cache", "stats", "require-properties", "max-input", "no-vacuity", "witness", "certificate"}

// onlyCircuits returns the first flag that was given and means nothing for clauses; "" for none.
func onlyCircuits(fs *flag.FlagSet) (name string) {
	fs.Visit(func(f *flag.Flag) {
		if name == "" && !slices.Contains(clauseFlags, f.Name) {
			name = f.Name
		}
	})
	return name
}

// clauseUse says whether a command takes files of Horn clauses.
type clauseUse struct {
	taken   bool
	against string // a flag that was given and means nothing for them; "" for none
}

// takeClauses says which flag is about circuits and not about a file of clauses. Below a folder that is a remark.
func (f *checkFlags) takeClauses(e env, in *design.Design) error {
	flag := f.clauses.against
	if f.format == formatHWMCC {
		flag = "format hwmcc"
	}
	if flag == "" {
		return nil
	}
	why := fmt.Sprintf("--%s is about circuits, and the file has Horn clauses", flag)
	if f.files.use.isBelow(in.URI) && f.format != formatHWMCC {
		e.remark(in.URI, why)
		return nil
	}
	return errors.New(in.URI + ": " + why)
}
