package cache

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// BenchmarkLookup reads the entry of a small cone, as before every check.
func BenchmarkLookup(b *testing.B) {
	q := questions(b, 2)[0]
	s, _ := filled(b, []question{q})
	for b.Loop() {
		if _, ok := s.Lookup(q.cone.Fingerprint, q.cone.Problem); !ok {
			b.Fatal("a miss")
		}
	}
}

// BenchmarkStore writes it, as after every run of an engine.
func BenchmarkStore(b *testing.B) {
	q := questions(b, 2)[0]
	s, _ := filled(b, []question{q})
	e, ok := s.Lookup(q.cone.Fingerprint, q.cone.Problem)
	if !ok {
		b.Fatal("a miss")
	}
	for b.Loop() {
		s.Store(q.cone.Fingerprint, q.cone.Problem, e)
	}
}

// BenchmarkTrim counts a folder of 10,000 entries again.
func BenchmarkTrim(b *testing.B) {
	dir := b.TempDir()
	r := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		var fingerprint circuit.Fingerprint
		for i := range fingerprint {
			fingerprint[i] = byte(r.Uint32())
		}
		path := pathOf(dir, nameOf(fingerprint))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := write(dir, path, nil); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if err := trim(dir, 1<<40); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLarge stores and looks up a proof with 20,000 clauses of 20 literals on a
// circuit with 200,000 gates.
func BenchmarkLarge(b *testing.B) {
	r := rand.New(rand.NewPCG(2, 2))
	x := circuit.NewBuilder(0)
	pool := make([]circuit.Lit, 0, 1<<18)
	for range 2000 {
		pool = append(pool, x.Latch(0))
	}
	pick := func() circuit.Lit { return pool[r.IntN(len(pool))].NotIf(r.IntN(2) == 0) }
	for range 200_000 {
		pool = append(pool, x.And(pick(), pick()))
	}
	x.Bad(pool[len(pool)-1], 0)
	c := x.Build()
	p := circuit.Problem{Circuit: c}
	v := cert.Verdict{Outcome: cert.Proved}
	for range 20_000 {
		clause := make([]circuit.Lit, 20)
		for i := range clause {
			clause[i] = c.Latches()[r.IntN(2000)].Lit.NotIf(r.IntN(2) == 0)
		}
		v.Invariant = append(v.Invariant, clause)
	}
	s := open(b, b.TempDir(), Options{})
	var fingerprint circuit.Fingerprint
	b.Run("store", func(b *testing.B) {
		for b.Loop() {
			s.Store(fingerprint, p, verify.Entry{Verdict: v, Engine: "test"})
		}
	})
	b.Run("lookup", func(b *testing.B) {
		for b.Loop() {
			if _, ok := s.Lookup(fingerprint, p); !ok {
				b.Fatal("a miss")
			}
		}
	})
	if info, err := os.Stat(pathOf(s.dir, nameOf(fingerprint))); err == nil {
		b.Logf("%d bytes", info.Size())
	}
}
