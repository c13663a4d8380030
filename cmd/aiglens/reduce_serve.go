package main

import (
	"context"
	"fmt"
	"io"

	"aiglens/aiger"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp"
)

// reduceDocument makes the circuit of an open text smaller as long as a property of it is
// refuted by a counterexample with as many steps as at first: without that a constant would
// be left of most. What is left has the format of the document; of a binary AIGER file the text.
func reduceDocument(ctx context.Context, of lsp.Reduction) (left lsp.Reduced, err error) {
	doc := of.Document
	quiet := env{stdout: io.Discard, stderr: io.Discard}
	if isAside(of.Property.Kind) {
		return left, errNotReduced(doc, of.Property.Kind)
	}
	m, err := numbers(ctx, quiet, doc)
	if err != nil {
		return left, err
	}
	flags := &reduceFlags{verdict: cert.Refuted.String(), steps: true, names: true}
	if flags.check.limits = of.Limits; of.Limits.Wall == 0 {
		flags.check.limits.Wall = verify.DefaultWall // as on the command line
	}
	flags.check.indices = propertyList{of.Property}
	before, name, encoding := sizesOf(m), "circuit", doc.Encoding()
	r := &reduction{
		e: quiet, flags: flags, in: doc, name: name, encoding: encoding, path: name + "." + encoding, line: newSizeLine(quiet, name),
		engine: of.Engine, found: func(m *aiger.Model) { of.Show(sizesOf(m)) },
	}
	small, _, err := r.minimize(ctx, m)
	switch {
	case ctx.Err() != nil:
		return left, ctx.Err()
	case err != nil:
		return left, err
	case small == nil:
		return left, fmt.Errorf("%s is not refuted within the limits that are set", of.Property)
	}
	return lsp.Reduced{Text: r.best, Ending: "." + encoding, Size: fmt.Sprintf("%s are left of %s", sizesOf(small), before)}, nil
}
