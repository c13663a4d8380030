package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"aiglens/aiger"
	"aiglens/circuit/cert"
	"aiglens/circuit/certify"
	"aiglens/design/aigerdesign"
	"aiglens/design/btor2design"
	"aiglens/design/runs"
)

// compete answers as the hardware model checking competition of 2025 calls its tools: one
// word on standard output, and what certifies it in a file.
func compete(ctx context.Context, e env, args []string) int {
	var flags checkFlags
	fs := newFlags("hwmcc")
	flags.registerLimits(fs)
	flags.limits.Wall = 0 // the competition ends its tools itself
	registerEngine(fs, &flags.engine)
	flags.files.registerLimit(fs)
	flags.files.registerArrays(fs)
	flags.format, flags.workers = formatHWMCC, 1
	names, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if err := flags.validate(); err != nil {
		return problem(e, "%v", err)
	}
	if len(names) != 2 && len(names) != 3 {
		return problem(e, "hwmcc needs a model, a file for a counterexample and, if the model is AIGER, a file for a proof")
	}
	proof := ""
	if len(names) == 3 {
		proof = names[2]
	}
	if isFile(names[0], names[1]) || isFile(names[0], proof) {
		return problem(e, "%s: the model would be overwritten", names[0])
	}
	f := collect(ctx, e, names[0], &flags)
	switch {
	case f.err != nil:
		return problem(e, "%v", f.err)
	case f.in.Kind != aigerdesign.Format && f.in.Kind != btor2design.Format:
		return problem(e, "%s: hwmcc reads AIGER and BTOR2 files only", names[0])
	case f.in.Kind == aigerdesign.Format && proof == "":
		return problem(e, "hwmcc needs a file for a proof of an AIGER model")
	case len(f.answers) != 1:
		return problem(e, "%s: hwmcc answers one property, not %d", names[0], len(f.answers))
	}
	a, outcome := f.answers[0], cert.Unknown
	var data []byte
	var err error
	certify := func(ctx context.Context, a *answer) {
		data, err = a.certified(ctx, e, proof)
		err = withLimit(ctx, err)
	}
	judge(ctx, e, f.answers, &flags, certify, func(*answer) {})
	if a.result.Internal != nil {
		fmt.Fprintf(e.stderr, "aiglens: internal error, please report it: %v\n", a.result.Internal)
	}
	if a.result.Fault != nil {
		fmt.Fprintf(e.stderr, "aiglens: a part of the engine failed, please report it: %v\n", a.result.Fault)
	}
	switch {
	case err != nil:
		fmt.Fprintf(e.stderr, "aiglens: %s: %s, and nothing can be written that certifies it: %v\n", names[0], a.outcome(), err)
	case a.outcome() == cert.Refuted:
		outcome, err = cert.Refuted, e.put(names[1], data)
	case a.outcome() == cert.Proved:
		if a.renumbered {
			fmt.Fprintf(e.stderr, "%s: its inputs and latches are not numbered consecutively: the proof is about the file as aiglens convert -o MODEL.aig writes it\n", names[0])
		}
		if outcome = cert.Proved; data != nil {
			err = e.put(proof, data)
		}
	default:
		fmt.Fprintf(e.stderr, "aiglens: %s: unknown: %s\n", names[0], a.reason())
	}
	if err != nil && outcome != cert.Unknown {
		return problem(e, "%v", err)
	}
	fmt.Fprintln(e.stdout, map[cert.Outcome]string{cert.Refuted: "sat", cert.Proved: "unsat", cert.Unknown: "unknown"}[outcome])
	return (&hwmccPrinter{outcome: outcome}).code(exitOK)
}

// isFile reports whether two paths are those of one regular file.
func isFile(path, other string) bool {
	a, errA := os.Stat(path)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

// certified returns what certifies an answer, once that has been checked: a witness, or a
// witness circuit of the file as it is, in the encoding that the name of its file has, else
// in that of the model. A proof about BTOR2 has none: the competition knows no form for it.
func (a *answer) certified(ctx context.Context, e env, circuitName string) ([]byte, error) {
	switch a.outcome() {
	case cert.Refuted:
		if a.fillWitness(ctx); a.unwritten != nil {
			return nil, a.unwritten
		}
		data, err := a.witness.Append(nil)
		if err != nil {
			return nil, err
		}
		return data, a.isViolatedBy(ctx, data)
	case cert.Proved:
		if a.in.Kind == btor2design.Format {
			return nil, nil
		}
		model, err := numbers(ctx, e, a.in)
		if err != nil {
			return nil, err
		}
		if !model.IsInOrder() {
			if model, err = model.InOrder(); err != nil {
				return nil, err
			}
			a.renumbered = true
		}
		made, err := certify.Of(a.circuit, a.result.Checked)
		if err != nil {
			return nil, err
		}
		_, witness := aiger.FromCertificate(made)
		if err := isValid(ctx, model, witness); err != nil {
			return nil, err
		}
		encoding := encodingOf(circuitName)
		if encoding == "aag" || encoding != "aig" && a.in.Encoding() != "aig" {
			return witness.AppendASCII(nil), nil
		}
		return witness.AppendBinary(nil)
	}
	return nil, nil
}

// isViolatedBy reads a witness as others do and simulates it.
func (a *answer) isViolatedBy(ctx context.Context, data []byte) error {
	list, diagnostics, err := runs.ReadWitnesses(ctx, a.in, data)
	if err != nil {
		return err
	}
	if len(diagnostics) > 0 || len(list) != 1 {
		return errors.New("internal error, please report it: the witness cannot be read")
	}
	if _, err := runs.Violate(ctx, a.in, a.property, list[0].Trace); err != nil {
		return fmt.Errorf("internal error, please report it: the witness shows no violation: %w", err)
	}
	return nil
}

// put writes a file without another one beside it. What a signal or an error finds half
// written is removed, if it is a file.
func (e env) put(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o666)
	}
	if !e.partial.add(path) {
		return context.Canceled
	}
	defer e.partial.done(path)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}
