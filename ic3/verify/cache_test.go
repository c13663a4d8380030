package verify_test

import (
	"context"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// memory is a Cache that believes what it is told.
type memory struct {
	entries         map[circuit.Fingerprint]verify.Entry
	stored, dropped int
}

func (m *memory) Lookup(fingerprint circuit.Fingerprint, _ circuit.Problem) (verify.Entry, bool) {
	e, ok := m.entries[fingerprint]
	return e, ok
}

func (m *memory) Store(fingerprint circuit.Fingerprint, _ circuit.Problem, e verify.Entry) {
	m.stored++
	if m.entries == nil {
		m.entries = map[circuit.Fingerprint]verify.Entry{}
	}
	m.entries[fingerprint] = e
}

func (m *memory) Drop(fingerprint circuit.Fingerprint) {
	m.dropped++
	delete(m.entries, fingerprint)
}

// counting is an engine that counts its runs.
func counting(runs *int) verify.Engine {
	return engine(func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		*runs++
		return byIC3(ctx, c, progress)
	})
}

// TestRecall: the engine answers once, then the cache does, also for the same cone
// in another circuit.
func TestRecall(t *testing.T) {
	runs, m := 0, &memory{}
	job := verify.Job{Circuit: toggle(), Property: bad0, Engine: counting(&runs), Cache: m}
	job.Recall = true
	if r := verify.Run(t.Context(), job, nil); r.Checked.Outcome() != cert.Unknown || r.Checked.Reason() != "not checked" || r.Internal != nil || runs > 0 {
		t.Fatalf("recall of nothing: %s, internal error %v, %d runs", r.Checked, r.Internal, runs)
	}
	job.Recall = false
	if r := verify.Run(t.Context(), job, nil); r.Checked.Outcome() != cert.Refuted || r.Cached || runs != 1 || m.stored != 1 {
		t.Fatalf("first run: %s, cached %v, %d runs, %d stored", r.Checked, r.Cached, runs, m.stored)
	}
	for fingerprint, e := range m.entries {
		e.Engine, e.Elapsed = "another", time.Hour
		m.entries[fingerprint] = e
	}
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	b.Bad(l, 0)
	for name, c := range map[string]*circuit.Circuit{"same": toggle(), "moved": b.Build()} {
		for _, recall := range []bool{false, true} {
			job.Circuit, job.Recall = c, recall
			r := verify.Run(t.Context(), job, nil)
			if r.Checked.Outcome() != cert.Refuted || !r.Checked.Certified() || !r.Cached || r.Found != time.Hour || r.Engine != "another" {
				t.Errorf("%s: %s, cached %v, found in %s by %s", name, r.Checked, r.Cached, r.Found, r.Engine)
			}
			if n := len(r.Checked.Trace().Initial); n != len(c.Latches()) {
				t.Errorf("%s: the trace has %d latches of %d", name, n, len(c.Latches()))
			}
		}
	}
	if runs != 1 || m.stored != 1 || m.dropped > 0 {
		t.Errorf("%d runs, %d stored, %d dropped", runs, m.stored, m.dropped)
	}
}

// TestRecallOfLies: an entry that does not hold is dropped, and the engine answers.
func TestRecallOfLies(t *testing.T) {
	zero, one := circuit.Zero, circuit.One
	for name, lie := range map[string]cert.Verdict{
		"proved, all states":       {Outcome: cert.Proved},
		"proved, no state":         {Outcome: cert.Proved, Invariant: cert.Invariant{{}}},
		"proved, foreign literals": {Outcome: cert.Proved, Invariant: cert.Invariant{{4000}}},
		"refuted, no trace":        {Outcome: cert.Refuted},
		"refuted, no violation":    {Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{zero}, Inputs: [][]circuit.Value{{zero}, {one}}}},
		"refuted, wrong widths":    {Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{zero, zero}, Inputs: [][]circuit.Value{{one, one}, {}}}},
		"no such outcome":          {Outcome: 9},
	} {
		t.Run(name, func(t *testing.T) {
			cone, err := toggle().Cone(bad0)
			if err != nil {
				t.Fatal(err)
			}
			runs, m := 0, &memory{entries: map[circuit.Fingerprint]verify.Entry{cone.Fingerprint: {Verdict: lie, Engine: "liar"}}}
			job := verify.Job{Circuit: toggle(), Property: bad0, Engine: counting(&runs), Cache: m, Recall: true}
			if r := verify.Run(t.Context(), job, nil); r.Checked.Outcome() != cert.Unknown || r.Internal != nil || r.Cached || runs > 0 {
				t.Errorf("recall: %s, internal error %v, cached %v, %d runs", r.Checked, r.Internal, r.Cached, runs)
			}
			m.entries[cone.Fingerprint] = verify.Entry{Verdict: lie, Engine: "liar"}
			job.Recall = false
			r := verify.Run(t.Context(), job, nil)
			if r.Checked.Outcome() != cert.Refuted || r.Internal != nil || r.Cached || r.Engine == "liar" || runs != 1 {
				t.Errorf("%s by %s, internal error %v, cached %v, %d runs", r.Checked, r.Engine, r.Internal, r.Cached, runs)
			}
			if m.dropped != 2 || m.entries[cone.Fingerprint].Verdict.Outcome != cert.Refuted {
				t.Errorf("%d dropped, now %s", m.dropped, m.entries[cone.Fingerprint].Verdict.Outcome)
			}
		})
	}
}

// slowCache takes as long to answer as its job may.
type slowCache struct {
	memory
	ctx context.Context
}

func (s *slowCache) Lookup(fingerprint circuit.Fingerprint, c circuit.Problem) (verify.Entry, bool) {
	<-s.ctx.Done()
	return s.memory.Lookup(fingerprint, c)
}

// TestRecallWithinLimits: what the cache and its certificate take counts, and an
// end of the context drops nothing.
func TestRecallWithinLimits(t *testing.T) {
	b := circuit.NewBuilder(0)
	l := b.Latch(0)
	b.SetNext(l, l)
	b.Bad(l, 0)
	c := b.Build()
	runs, m := 0, &memory{}
	job := verify.Job{Circuit: c, Property: bad0, Engine: counting(&runs), Cache: m}
	if r := verify.Run(t.Context(), job, nil); r.Checked.Outcome() != cert.Proved || len(r.Checked.Invariant()) == 0 {
		t.Fatalf("%s", r.Checked)
	}
	for reason, cause := range map[string]func(context.Context) (context.Context, context.CancelFunc, verify.Limits){
		"cancelled": func(ctx context.Context) (context.Context, context.CancelFunc, verify.Limits) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Millisecond, cancel)
			return ctx, cancel, verify.Limits{}
		},
		"timeout": func(ctx context.Context) (context.Context, context.CancelFunc, verify.Limits) {
			// The cache waits for longer than the job may.
			slow, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			return slow, cancel, verify.Limits{Wall: time.Millisecond}
		},
	} {
		t.Run(reason, func(t *testing.T) {
			slow, cancel, limits := cause(t.Context())
			defer cancel()
			ctx := slow
			if limits.Wall > 0 {
				ctx = t.Context()
			}
			cache := &slowCache{*m, slow}
			job.Cache, job.Limits = cache, limits
			r := verify.Run(ctx, job, nil)
			if r.Checked.Outcome() != cert.Unknown || r.Checked.Reason() != reason || r.Cached || r.Internal != nil || cache.dropped > 0 {
				t.Errorf("%s, cached %v, internal error %v, %d dropped", r.Checked, r.Cached, r.Internal, cache.dropped)
			}
		})
	}
}
