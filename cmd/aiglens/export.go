package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/certify"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
)

// writeWitness writes the witness of a counterexample, if there is a directory for it.
func (a *answer) writeWitness(e env, dir string) error {
	switch {
	case a.outcome() != cert.Refuted || dir == "" || a.isAside():
		return nil
	case a.unwritten != nil:
		return fmt.Errorf("%s: no witness of %s: %w", a.in.URI, label(a), a.unwritten)
	}
	data, err := a.witness.Append(nil)
	if err != nil {
		return err
	}
	return e.writeInto(dir, exportName(a, "wit"), data)
}

// writeCertificate writes the witness circuit of a proof. It certifies all bads of its model,
// so the model that it belongs to, with this property alone, is written beside it.
func (a *answer) writeCertificate(ctx context.Context, e env, dir string) error {
	model, witness, err := certificate(ctx, a.circuit, a.result.Checked)
	if err != nil {
		return withLimit(ctx, err)
	}
	if err := e.writeInto(dir, exportName(a, "model.aag"), model.AppendASCII(nil)); err != nil {
		return err
	}
	return e.writeInto(dir, exportName(a, "certificate.aag"), witness.AppendASCII(nil))
}

// withLimit names the limit that has ended ctx, where that is what err says.
func withLimit(ctx context.Context, err error) error {
	if err == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return errors.New(verify.ReasonFor(ctx, err))
}

// certificate returns the witness circuit of a proof and its model, once it is known to be
// valid.
func certificate(ctx context.Context, c *circuit.Circuit, checked cert.Checked) (model, witness *aiger.Model, err error) {
	made, err := certify.Of(c, checked)
	if err != nil {
		return nil, nil, err
	}
	model, witness = aiger.FromCertificate(made)
	return model, witness, isValid(ctx, model, witness)
}

// isValid says why a witness circuit that was made here is not valid.
func isValid(ctx context.Context, model, witness *aiger.Model) error {
	pair, err := aiger.NewPair(model, witness)
	if err != nil {
		return err
	}
	found, err := certify.Check(ctx, pair)
	if err == nil && !found.Valid() {
		err = fmt.Errorf("internal error, please report it: the witness circuit fails %s", strings.Join(found.Failed(), ", "))
	}
	return err
}

// fillWitness makes the witness of a refuted property.
func (a *answer) fillWitness(ctx context.Context) {
	loop, isLasso := a.result.Checked.Loop()
	if !isLasso {
		loop = -1
	}
	a.witness, a.unwritten = runs.WitnessOf(ctx, a.in, a.property, a.result.Checked.Trace(), loop)
}

// exportName is counter.bad0.wit for bad:0 of dir/counter.aag.
func exportName(a *answer, suffix string) string {
	return fmt.Sprintf("%s.%s%d.%s", exportBase(a.in.URI), a.property.Kind, a.property.Index, suffix)
}

func exportBase(file string) string {
	if file == "-" {
		return "stdin"
	}
	base := strings.TrimSuffix(filepath.Base(file), ".gz")
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// exportsClash says which two files would overwrite what the other exports.
func exportsClash(files []string, flags *checkFlags) error {
	if flags.witnesses == "" && flags.certificate == "" {
		return nil
	}
	owner := map[string]string{}
	for _, file := range files {
		base := exportBase(file)
		if other, taken := owner[base]; taken && other != file {
			return fmt.Errorf("%s and %s would both be exported as %s; check them one at a time, to two directories", other, file, base)
		}
		owner[base] = file
	}
	return nil
}
