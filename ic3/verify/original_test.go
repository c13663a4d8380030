package verify_test

import (
	"context"
	"errors"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// original is a design that has a guess of an abstraction at a value, or no run of it at all.
type original struct {
	guess circuit.Value
	none  error
}

func (original) IsAbstract(p circuit.Property) bool { return p.Index == 0 }

func (original) Fingerprint(circuit.Property) circuit.Fingerprint { return circuit.Fingerprint{} }

func (o original) Concrete(_ context.Context, _ circuit.Property, initial []circuit.Value, inputs [][]circuit.Value) ([]circuit.Value, [][]circuit.Value, error) {
	if o.none != nil {
		return nil, nil, o.none
	}
	return initial, [][]circuit.Value{{circuit.One, o.guess}}, nil
}

func (o original) Verify(_ context.Context, _ circuit.Property, _ []circuit.Value, inputs [][]circuit.Value) error {
	if o.none != nil {
		return o.none
	}
	if inputs[0][1] != o.guess {
		return errors.New("it is another run")
	}
	return nil
}

func (original) Sample(context.Context, circuit.Property) error { return nil }

// TestOriginal: the counterexample of an abstraction that is shown is the run of the design, also from the cache. Where there is
// none the outcome is unknown, and no fault of the program.
func TestOriginal(t *testing.T) {
	b := circuit.NewBuilder(4)
	in, guess := b.Input(0), b.Input(0)
	b.Bad(b.And(in, b.Or(guess, in)), 0)
	b.Bad(in, 0)
	plain := b.Build()
	cache := &memory{}
	for name, test := range map[string]struct {
		original
		property int
		want     cert.Outcome
		reason   string
	}{
		"one":   {original{guess: circuit.One}, 0, cert.Refuted, ""},
		"zero":  {original{guess: circuit.Zero}, 0, cert.Refuted, ""},
		"none":  {original{none: errors.New("it is none")}, 0, cert.Unknown, "it is none"},
		"plain": {original{none: errors.New("it is none")}, 1, cert.Refuted, ""},
	} {
		for range 2 {
			r := verify.Run(t.Context(), verify.Job{
				Circuit: circuit.WithOriginal(plain, test.original), Property: circuit.Property{Index: test.property}, Engine: engines.NewAuto(), Cache: cache,
			}, nil)
			if r.Checked.Outcome() != test.want || r.Checked.Reason() != test.reason || r.Internal != nil {
				t.Errorf("%s: %s, %v", name, r, r.Internal)
			}
			if test.property == 0 && test.want == cert.Refuted && r.Checked.Trace().Inputs[0][1] != test.guess {
				t.Errorf("%s: %v", name, r.Checked.Trace())
			}
		}
	}
}
