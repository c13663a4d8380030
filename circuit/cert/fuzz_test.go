package cert_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/internal/explicit"
)

// FuzzReadBinary reads any bytes as a certificate for a random circuit: one that is
// read fits the circuit and is written as it was read; one that passes the check stands
// for what a search of all states says, and is right for all choices left open. Every
// second circuit asks a question of liveness.
func FuzzReadBinary(f *testing.F) {
	problemOf := func(seed uint64) circuit.Problem {
		r := rand.New(rand.NewPCG(seed, 1))
		shape := explicit.Shape{Inputs: 3, Latches: 5, Gates: 20, Constraints: 1, FreeLatches: true, OneResets: true}
		if seed%2 == 0 {
			return circuit.Problem{Circuit: explicit.RandomCircuit(r, shape)}
		}
		shape.Inputs, shape.Latches, shape.Justice, shape.Fairness = 2, 4, 2, 1
		shape.ResetFunctions = seed%4 == 1
		return circuit.Problem{Circuit: explicit.RandomCircuit(r, shape), Question: circuit.Liveness}
	}
	answer := func(p circuit.Problem) cert.Verdict {
		if p.Question == circuit.Liveness {
			return explicit.Answer(p)
		}
		v, _, err := ic3.Check(context.Background(), p.Circuit, ic3.Options{}, nil)
		if err != nil {
			f.Fatal(err)
		}
		return v
	}
	for seed := range uint64(24) {
		p := problemOf(seed)
		v := answer(p)
		data, err := cert.AppendBinary(nil, p, v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, v.Outcome == cert.Proved, data)
		f.Add(seed+2, v.Outcome == cert.Proved, data)
		f.Add(seed, v.Outcome != cert.Proved, data)
	}
	f.Fuzz(func(t *testing.T, seed uint64, proved bool, data []byte) {
		p := problemOf(seed)
		v := cert.Verdict{Outcome: cert.Refuted}
		if proved {
			v.Outcome = cert.Proved
		}
		if err := cert.ReadBinary(data, p, &v); err != nil || isLong(v) {
			return
		}
		written, err := cert.AppendBinary(nil, p, v)
		if err != nil {
			t.Fatalf("%+v is read and cannot be written: %v", v, err)
		}
		again := cert.Verdict{Outcome: v.Outcome}
		if err := cert.ReadBinary(written, p, &again); err != nil || !reflect.DeepEqual(v, again) {
			t.Fatalf("%+v is read again as %+v, %v", v, again, err)
		}
		checked, err := cert.Check(context.Background(), p.Circuit, p.Property(), v)
		if err != nil {
			return
		}
		if holds := explicit.Holds(p); proved != holds || !explicit.Certifies(p.Circuit, p.Property(), v) {
			t.Fatalf("%s passes with %+v; by a search the property holds: %v", checked, v, holds)
		}
	})
}

// isLong reports whether a search for the truth about a certificate takes long.
func isLong(v cert.Verdict) bool {
	if v.Lasso != nil {
		return v.Lasso.Steps() > 100
	}
	return v.Trace.Steps() > 100
}
