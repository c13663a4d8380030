package main

import (
	"context"
	"fmt"
	"io"

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
	goal := reduceGoal{verdict: cert.Refuted.String(), index: &of.Property, steps: true, names: true, limits: of.Limits}
	if goal.limits.Wall == 0 {
		goal.limits.Wall = verify.DefaultWall // as on the command line
	}
	encoding := doc.Encoding()
	r := &reduction{
		goal: goal, in: doc, name: doc.URI, encoding: encoding, engine: of.Engine,
		found: func(s fileSize, _ string, _ int) { of.Show(s.text) },
	}
	small, err := r.run(ctx, quiet)
	switch {
	case ctx.Err() != nil:
		return left, ctx.Err()
	case err != nil:
		return left, err
	case small == nil:
		return left, fmt.Errorf("%s is not refuted within the limits that are set", of.Property)
	}
	return lsp.Reduced{Text: r.best, Ending: "." + encoding, Size: fmt.Sprintf("%s are left of %s", small.size.text, small.before.text)}, nil
}
