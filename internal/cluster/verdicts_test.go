package cluster

import (
	"encoding/hex"
	"sync/atomic"
	"testing"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestVerdicts: what one asker has found another one takes over, with whatever engine, once its
// certificate has passed; a forged one is dropped and found again.
func TestVerdicts(t *testing.T) {
	p := newPlace(t)
	var runs atomic.Int64
	p.node("n", 1, func(s engines.Spec) (verify.Engine, error) {
		runs.Add(1)
		return s.New()
	})
	run := func(name string, seed int64, cached bool, want int64) verify.Result {
		t.Helper()
		a := p.asker(name)
		job := a.job(counter(4, 15, 9))
		job.Engine = a.Engine(engines.Spec{Engine: "ic3", Seed: seed})
		job.Cache = Verdicts{Asker: a}
		r := verify.Run(t.Context(), job, nil)
		check(t, r, "proved")
		if r.Cached != cached || runs.Load() != want {
			t.Errorf("%s: cached %v, %d runs", name, r.Cached, runs.Load())
		}
		return r
	}
	found := run("first", 1, false, 1)
	run("second", 2, true, 1)

	a := p.asker("forger")
	key := hex.EncodeToString(found.Fingerprint[:])
	forge := func(name string, certificate []byte) {
		t.Helper()
		if err := a.put(t.Context(), hashOf(certificate), certificate); err != nil {
			t.Fatal(err)
		}
		wrong := answer{Attempt: 1, Node: "forger", Outcome: "refuted", Engine: "ic3", Certificate: hashOf(certificate), Size: len(certificate)}
		if _, err := a.kept().verdicts.Put(t.Context(), key, written(wrong)); err != nil {
			t.Fatal(err)
		}
	}
	for i, forged := range []string{"", "nonsense"} {
		forge(forged, []byte(forged))
		run("third", int64(3+i), false, int64(2+i))
	}
}
