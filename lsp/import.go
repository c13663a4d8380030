package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
	"aiglens/lsp/document"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
	"aiglens/lsp/witness"
	"aiglens/lsp/workspace"
)

// maxWitness bounds the bytes of a witness file.
const maxWitness = 256 << 20

// executeImportWitness replays a counterexample that another checker has found on the circuit
// of a text, and shows it like one that was found here.
func (s *server) executeImportWitness(ctx context.Context, params *wire.ImportParams) (answer wire.ImportedWitness, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandImportWitness.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	w, err := readWitness(s.opts.Files, params)
	if err != nil {
		return answer, refused(err)
	}
	p, err := v.witnessProperty(w, ids)
	if err != nil {
		return answer, refused(err)
	}
	if fault := v.doc.Fault(p); fault != nil {
		line, _ := v.doc.Text.LineColumn(fault.Span.Start)
		return answer, refused(fmt.Errorf("the circuit of %s has an error on line %d", p, line))
	}
	r, err := verify.Imported(ctx, v.doc.Circuit(), p, witness.Widen(v.doc, w.Trace))
	if err != nil {
		return answer, refused(err)
	}
	k, ok := checks.KnownFrom(ctx, v.doc, p, r)
	if !ok {
		return answer, refused(errors.New("the counterexample was refused"))
	}
	s.owner.do(func() { err = s.takeIn(v.doc, p, r, k) })
	if err != nil {
		return answer, refused(err)
	}
	return wire.ImportedWitness{Property: propertyID(p), Steps: k.Counterexample.Steps()}, nil
}

// takeIn shows a counterexample that no run has found.
func (s *session) takeIn(doc *document.Document, p circuit.Property, r verify.Result, k checks.Known) error {
	f := s.files[uri.URI(doc.URI)]
	if f == nil || f.doc != doc || !f.checks.IsAnalysed() {
		return errors.New("the text has changed")
	}
	row, _ := doc.Property(p)
	s.performAtOnce(f, f.checks.TakeIn(doc, row, r, k))
	s.showStep(f, &ide.Selection{Property: p, Step: k.Counterexample.Steps() - 1})
	return nil
}

// readWitness reads the first counterexample of a witness.
func readWitness(files workspace.Files, params *wire.ImportParams) (witness.Witness, error) {
	data, name := []byte(params.Text), "the witness"
	if params.Path != "" {
		if !filepath.IsAbs(params.Path) {
			return witness.Witness{}, fmt.Errorf("%s is no absolute path", params.Path)
		}
		name = filepath.Base(params.Path)
		info, err := files.Stat(params.Path)
		if err != nil {
			return witness.Witness{}, err
		}
		if !info.Mode().IsRegular() {
			return witness.Witness{}, fmt.Errorf("%s is no file", name)
		}
		if info.Size() > maxWitness {
			return witness.Witness{}, fmt.Errorf("%s is too large for a witness", name)
		}
		if data, err = files.ReadFile(params.Path); err != nil {
			return witness.Witness{}, err
		}
	}
	found, diagnostics := witness.Read(data)
	switch {
	case len(found) > 0:
		return found[0], nil
	case len(diagnostics) > 0:
		return witness.Witness{}, fmt.Errorf("%s cannot be read: %s", name, diagnostics[0].Message)
	}
	return witness.Witness{}, fmt.Errorf("%s holds no counterexample", name)
}

// witnessProperty returns the property that a witness is about: that of the argument,
// else the first that it names. Where a circuit has no bads, and outputs are properties,
// it names outputs so.
func (v *view) witnessProperty(w witness.Witness, ids []circuit.Property) (circuit.Property, error) {
	if len(ids) == 1 {
		return ids[0], nil
	}
	for _, p := range w.Properties {
		if _, exists := v.doc.Property(p); exists {
			return p, nil
		}
		p.Kind = circuit.PropertyOutput
		if _, exists := v.doc.Property(p); exists {
			return p, nil
		}
	}
	return circuit.Property{}, errors.New("the witness names no property of this file")
}
