package ic3

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic/classictest"
	"aiglens/ic3/encode"
	"aiglens/internal/explicit"
)

// liar is an exchange whose other side says whatever it likes, mixed with lemmas of runs
// about the circuit, at their levels and at others, whole and in part.
type liar struct {
	*rand.Rand
	c     *circuit.Circuit
	known []Lemma // what runs have found
	told  int
}

func (x *liar) Publish(l Lemma) {
	x.told++
	x.known = append(x.known, l)
}

func (x *liar) Receive() []Lemma {
	var all []Lemma
	for range x.IntN(6) {
		l := Lemma{Level: x.IntN(12) - 2}
		for range x.IntN(4) {
			l.Clause = append(l.Clause, circuit.Lit(x.IntN(2*x.c.NumVars()+6)))
		}
		if latches := x.c.Latches(); x.IntN(3) > 0 {
			l.Clause = l.Clause[:0]
			for range 1 + x.IntN(3) {
				l.Clause = append(l.Clause, latches[x.IntN(len(latches))].Lit.NotIf(x.IntN(2) == 0))
			}
		}
		if n := len(x.known); n > 0 && x.IntN(3) == 0 {
			l = x.known[x.IntN(n)]
			l.Level += x.IntN(5) - 1
			if x.IntN(3) == 0 && len(l.Clause) > 1 {
				l.Clause = l.Clause[1:]
			}
		}
		all = append(all, l)
	}
	return all
}

// TestLemmasOfLiars: whatever comes through an exchange, the frames are as they should be
// after every step, the verdict is that of explicit search, and the certificate passes.
func TestLemmasOfLiars(t *testing.T) {
	var sum Stats
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(41, seed))
		c := classictest.Sample(r)
		m := newModel(c)
		x := &liar{Rand: r, c: c}
		if _, frames, _, err := CheckFrom(context.Background(), c, nil, Options{Seed: seed}, nil); err == nil {
			for level, clauses := range frames {
				for _, clause := range clauses {
					x.known = append(x.known, Lemma{clause, level})
				}
			}
		}
		o := Options{Exchange: x, Seed: seed}
		if seed%2 == 1 {
			o.Switched = ^DefaultTactics
		}
		e := newEngine(context.Background(), c, encode.Eliminated(c), o, nil)
		e.progress = func(Progress) {
			m.checkFrames(t, seed, e)
			e.receiveAt, e.receivedAt = 0, -1<<40 // at once, and all
		}
		v, err := e.run(o, nil)
		if err != nil {
			t.Fatal(err)
		}
		first := explicit.FirstBadStep(c, property0)
		if (v.Outcome == cert.Proved) != (first == explicit.NotViolated) || v.Outcome == cert.Refuted && v.Depth > first {
			t.Fatalf("seed %d: %s at depth %d, first bad step by search %d", seed, v.Outcome, v.Depth, first)
		}
		if _, err := cert.Check(context.Background(), c, property0, v); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s := e.finalStats()
		sum.Published += s.Published
		sum.Received += s.Received
		sum.Taken += s.Taken
		if s.Published != x.told {
			t.Fatalf("seed %d: %d lemmas were published, %d arrived", seed, s.Published, x.told)
		}
	}
	t.Logf("%d published, %d received, %d taken", sum.Published, sum.Received, sum.Taken)
	if sum.Published < 500 || sum.Taken < 300 || sum.Received < 3*sum.Taken {
		t.Error("too few lemmas for a test")
	}
}

// TestReceiveWithinShare: lemmas of others take no more than their share of the effort,
// but for the last one of a portion, and the newest are looked at first.
func TestReceiveWithinShare(t *testing.T) {
	b := circuit.NewBuilder(0)
	for range 40 {
		l := b.Latch(0)
		b.SetNext(l, l)
	}
	b.Bad(b.And(circuit.Var(1).Lit(), circuit.Var(2).Lit()), 0)
	c := b.Build()
	full := &full{c: c}
	e := newEngine(context.Background(), c, encode.Gates(c), Options{Exchange: full}, nil)
	e.newFrame()
	e.newFrame()
	for e.effort = 10_000; e.stats.Taken < 40 && full.calls < 1000; e.effort += 100 {
		before := e.effort
		last := e.receivedAt
		if err := e.receive(); err != nil {
			t.Fatal(err)
		}
		if spent := e.effort - before; spent > (before-last)/receiveShare+2*effortPerQuery+200 {
			t.Fatalf("%d spent after %d", spent, before-last)
		}
	}
	if e.stats.Taken < 30 {
		t.Fatalf("%d taken of %d", e.stats.Taken, e.stats.Received)
	}
	last := c.Latches()[39].Lit.Not()
	if !slices.ContainsFunc(e.frames[1], func(l *lemma) bool { return slices.Equal(l.cube, cube{last.Not()}) }) {
		t.Error("the newest lemma was not taken")
	}
}

// full is an exchange that always has true lemmas, one for each latch.
type full struct {
	c     *circuit.Circuit
	calls int
}

func (x *full) Publish(Lemma) {}

func (x *full) Receive() (all []Lemma) {
	x.calls++
	for _, l := range x.c.Latches() {
		all = append(all, Lemma{[]circuit.Lit{l.Lit.Not()}, 5})
	}
	return all
}
