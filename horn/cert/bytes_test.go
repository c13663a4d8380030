package cert_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/horn"
	"aiglens/horn/cert"
)

// TestBytes: systems and certificates mean in another process what they mean here. Of those that were changed on the way
// the checker accepts only what a search of all instances takes for right.
func TestBytes(t *testing.T) {
	read := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(37, seed))
		here := randomSystem(r)
		there, err := horn.ReadBinary(here.AppendBinary(nil))
		if err != nil {
			t.Fatal(err)
		}
		a := solve(there)
		certificate := a.AppendBinary(nil)
		back := cert.Answer{Outcome: a.Outcome}
		if err := back.ReadBinary(certificate, here); err != nil {
			t.Fatal(err)
		}
		if _, err := cert.Check(context.Background(), here, back); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, describe(here, back))
		}
		for range 20 {
			changed := append([]byte(nil), certificate...)
			changed[r.IntN(len(changed))] ^= byte(1 + r.IntN(255))
			other := cert.Answer{Outcome: a.Outcome}
			if other.ReadBinary(changed, here) != nil {
				continue
			}
			read++
			if _, err := cert.Check(context.Background(), here, other); err == nil && !certifies(here, other) {
				t.Fatalf("seed %d: a changed certificate is accepted\n%s", seed, describe(here, other))
			}
		}
	}
	if read < 200 {
		t.Errorf("only %d of the changed certificates can be read", read)
	}
}

// FuzzBytes: no bytes make a reader panic, nor the checker.
func FuzzBytes(f *testing.F) {
	s := randomSystem(rand.New(rand.NewPCG(38, 0)))
	a := solve(s)
	f.Add(s.AppendBinary(nil), a.AppendBinary(nil), a.Outcome == cert.Sat)
	f.Fuzz(func(t *testing.T, system, certificate []byte, isSat bool) {
		read, err := horn.ReadBinary(system)
		if err != nil {
			read = s
		}
		a := cert.Answer{Outcome: cert.Unsat}
		if isSat {
			a.Outcome = cert.Sat
		}
		if a.ReadBinary(certificate, read) == nil {
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // how long it takes to check is not the question
			_, _ = cert.Check(ctx, read, a)
		}
	})
}
