package cert_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// design is an original whose only input is 0 in its first step, and whose runs have no other step.
type design struct{ refuses, lacksRuns bool }

func (design) IsAbstract(circuit.Property) bool { return true }

func (design) Fingerprint(circuit.Property) circuit.Fingerprint { return circuit.Fingerprint{} }

func (d design) Concrete(_ context.Context, _ circuit.Property, initial []circuit.Value, inputs [][]circuit.Value) ([]circuit.Value, [][]circuit.Value, error) {
	if d.refuses {
		return nil, nil, errors.New("it has no such run")
	}
	return initial, [][]circuit.Value{{circuit.Zero}}, nil
}

func (d design) Verify(_ context.Context, _ circuit.Property, _ []circuit.Value, inputs [][]circuit.Value) error {
	if d.refuses || len(inputs) != 1 || inputs[0][0] != circuit.Zero {
		return errors.New("it has no such run")
	}
	return nil
}

func (d design) Sample(context.Context, circuit.Property) error {
	if d.lacksRuns {
		return errors.New("a row has another value")
	}
	return nil
}

// TestOriginal: a counterexample of an abstraction counts when it is a run of the design, and a loop never; a proof needs
// that the abstraction has the runs of a sample.
func TestOriginal(t *testing.T) {
	b := circuit.NewBuilder(4)
	in := b.Input(0)
	b.Bad(in, 0)
	b.Bad(in.Not(), 0)
	b.Bad(circuit.False, 0)
	b.Justice([]circuit.Lit{in}, 0)
	plain := b.Build()
	one, zero := [][]circuit.Value{{circuit.One}}, [][]circuit.Value{{circuit.Zero}}
	refuted := func(inputs [][]circuit.Value) cert.Verdict {
		return cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{}, Inputs: inputs}}
	}
	lasso := cert.Verdict{Outcome: cert.Refuted, Lasso: &cert.Lasso{Trace: cert.Trace{Initial: []circuit.Value{}, Inputs: one}}}
	for name, test := range map[string]struct {
		original circuit.Original
		property circuit.Property
		claim    cert.Verdict
		want     string // in the error; "" for none
	}{
		"no abstraction":   {nil, circuit.Property{}, refuted(one), ""},
		"another run":      {design{}, circuit.Property{}, refuted(one), "original"},
		"its run":          {design{}, circuit.Property{Index: 1}, refuted(zero), ""},
		"more steps":       {design{}, circuit.Property{Index: 1}, refuted([][]circuit.Value{zero[0], zero[0]}), "original"},
		"an x":             {design{}, circuit.Property{Index: 1}, refuted([][]circuit.Value{{circuit.X}}), "trace"},
		"no run":           {design{refuses: true}, circuit.Property{Index: 1}, refuted(zero), "it has no such run"},
		"proof":            {design{refuses: true}, circuit.Property{Index: 2}, cert.Verdict{Outcome: cert.Proved}, ""},
		"runs are lacking": {design{lacksRuns: true}, circuit.Property{Index: 2}, cert.Verdict{Outcome: cert.Proved}, "lacks a run"},
		"loop":             {design{}, circuit.Property{Kind: circuit.PropertyJustice}, lasso, "original"},
		"plain loop":       {nil, circuit.Property{Kind: circuit.PropertyJustice}, lasso, ""},
	} {
		c := plain
		if test.original != nil {
			c = circuit.WithOriginal(plain, test.original)
		}
		_, err := cert.Check(t.Context(), c, test.property, test.claim)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, expected %q", name, err, test.want)
		}
	}
}
