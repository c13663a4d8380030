package cert_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/randcircuit"
)

// FuzzReadBinary reads any bytes as a certificate for a random circuit: one that is
// read fits the circuit and is written as it was read; one that passes the check stands
// for what a search of all states says, and is right for all choices left open.
func FuzzReadBinary(f *testing.F) {
	p := circuit.Property{Kind: circuit.PropertyBad}
	circuitOf := func(seed uint64) *circuit.Circuit {
		return randcircuit.New(rand.New(rand.NewPCG(seed, 1)), randcircuit.Shape{Inputs: 3, Latches: 5, Gates: 20, Constraints: 1, FreeLatches: true, OneResets: true})
	}
	for seed := range uint64(12) {
		c := circuitOf(seed)
		v := verify.Run(context.Background(), verify.Job{Circuit: c, Property: p, Engine: engines.NewAuto()}, nil).Checked
		data, err := cert.AppendBinary(nil, circuit.Problem{Circuit: c}, cert.Verdict{Outcome: v.Outcome(), Invariant: v.Invariant(), Trace: v.Trace()})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, v.Outcome() == cert.Proved, data)
		f.Add(seed+1, v.Outcome() == cert.Proved, data)
		f.Add(seed, v.Outcome() != cert.Proved, data)
	}
	f.Fuzz(func(t *testing.T, seed uint64, proved bool, data []byte) {
		c := circuitOf(seed)
		v := cert.Verdict{Outcome: cert.Refuted}
		if proved {
			v.Outcome = cert.Proved
		}
		if err := cert.ReadBinary(data, circuit.Problem{Circuit: c}, &v); err != nil || v.Trace.Steps() > 100 {
			return
		}
		written, err := cert.AppendBinary(nil, circuit.Problem{Circuit: c}, v)
		if err != nil {
			t.Fatalf("%+v is read and cannot be written: %v", v, err)
		}
		again := cert.Verdict{Outcome: v.Outcome}
		if err := cert.ReadBinary(written, circuit.Problem{Circuit: c}, &again); err != nil || !reflect.DeepEqual(v, again) {
			t.Fatalf("%+v is read again as %+v, %v", v, again, err)
		}
		checked, err := cert.Check(context.Background(), c, p, v)
		if err != nil {
			return
		}
		first := explicit.FirstBadStep(c, p)
		if proved != (first == explicit.NotViolated) || !explicit.Certifies(c, p, v) {
			t.Fatalf("%s passes with %+v; first bad step by search %d", checked, v, first)
		}
	})
}
