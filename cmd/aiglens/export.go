package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/certify"
	"aiglens/design"
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

// certify writes the witness circuit of a proof. Where a limit has ended that, within at the deadline, the
// answer says that it is missing.
func (a *answer) certify(ctx, within context.Context, e env, dir string) {
	a.uncertified = a.writeCertificate(ctx, e, dir)
	if _, isLimit := errors.AsType[limitError](a.uncertified); isLimit {
		if isLate(within) {
			a.uncertified = limitError(errDeadline.Error())
		}
		a.missing = append(a.missing, "certificate")
	}
}

// limitError is a limit that has ended what was under way.
type limitError string

func (e limitError) Error() string { return string(e) }

// withLimit names the limit that has ended ctx, where that is what err says.
func withLimit(ctx context.Context, err error) error {
	if err == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return limitError(verify.ReasonFor(ctx, err))
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

// exportName is counter.bad0.wit for bad:0 of dir/counter.aag, or as exportNames has it.
func exportName(a *answer, suffix string) string {
	return fmt.Sprintf("%s.%s%d.%s", orElse(a.export, exportBase(a.in.URI)), a.property.Kind, a.property.Index, suffix)
}

func exportBase(file string) string {
	if file == "-" {
		return "stdin"
	}
	return withoutExtension(filepath.Base(file))
}

// withoutExtension leaves out of the name of a file its extension, of a packed one both.
func withoutExtension(name string) string {
	name = strings.TrimSuffix(name, ".gz")
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// exportNames says how the files about each input are called, by its path: as it is called below the
// folder that was named, so that the directory of the files has the same folders. Where inputs would have
// the same name, they keep what tells them apart: the extension, else all of the path. The error is that two
// have the same even so.
func exportNames(inputs []input, flags *checkFlags) (map[string]string, error) {
	names := map[string]string{}
	if flags.witnesses == "" && flags.certificate == "" {
		return names, nil
	}
	sharing := map[string][]string{} // paths by their shortest name
	spelled := map[string][]string{} // the names of a path, from the shortest on
	first := map[string]string{}     // how the path of a file was written first
	for _, in := range inputs {
		if file := in.file(); first[file] == "" {
			first[file] = in.path
			spelled[in.path] = in.exportNames()
			sharing[spelled[in.path][0]] = append(sharing[spelled[in.path][0]], in.path)
		}
	}
	owner := map[string]string{}
	for _, short := range slices.Sorted(maps.Keys(sharing)) {
		paths := sharing[short]
		length := 0
		for length < len(spelled[paths[0]])-1 && !areDistinct(paths, func(path string) string { return spelled[path][length] }) {
			length++
		}
		for _, path := range paths {
			name := spelled[path][length]
			if other, taken := owner[name]; taken {
				return nil, fmt.Errorf("%s and %s would both be exported as %s; check them one at a time, to two directories", other, path, name)
			}
			owner[name], names[path] = path, name
		}
	}
	for _, in := range inputs {
		names[in.path] = names[first[in.file()]]
	}
	return names, nil
}

// file returns the same for each way to write the path of a file; "" for standard input.
func (in input) file() string {
	if in.path == design.StandardInput {
		return ""
	}
	return filepath.Clean(in.path)
}

// exportNames returns the names that files about an input may have, from the shortest on.
func (in input) exportNames() []string {
	if in.path == "-" {
		return slices.Repeat([]string{exportBase(in.path)}, 4)
	}
	short, whole := filepath.Base(in.path), filepath.Clean(in.path)
	if below, err := filepath.Rel(in.folder, in.path); err == nil && in.folder != "" {
		short = below
	}
	whole = strings.TrimLeft(strings.TrimPrefix(whole, filepath.VolumeName(whole)), string(filepath.Separator))
	elements := strings.Split(whole, string(filepath.Separator))
	for i, element := range elements {
		if element == ".." {
			elements[i] = "_" // none is written beside the directory
		}
	}
	whole = filepath.Join(elements...)
	return []string{withoutExtension(short), short, withoutExtension(whole), whole}
}

func areDistinct(paths []string, name func(string) string) bool {
	seen := map[string]bool{}
	for _, path := range paths {
		if seen[name(path)] {
			return false
		}
		seen[name(path)] = true
	}
	return true
}
