package verify

import (
	"context"
	"errors"
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
)

// An earlier lasso is replayed on the circuit at hand, and an earlier ranking is
// held against it: the latches of a circuit.Repetition that no text names are known by
// their places. What passes the check of the certificate is the answer.

// Latches of an Earlier.ranking without names: that which is 1 in step 0 alone, and then
// those that say which goals were met.
const (
	firstLatch circuit.Var = 1 << 29
	seenLatch              = firstLatch + 1
)

var errNoName = errors.New("a latch has no name")

// earlierLiveness is Earlier for a justice property.
func (r Result) earlierLiveness(c *circuit.Circuit, names Names) *Earlier {
	var e *Earlier
	switch r.Checked.Outcome() {
	case cert.Proved:
		e = earlierRanking(r.Checked.Ranking(), c, r.Checked.Property(), names)
	case cert.Refuted:
		e = earlierTrace(r.Checked.Trace(), names)
		e.loop, _ = r.Checked.Loop()
	}
	if e != nil {
		e.question = circuit.Liveness
	}
	return e
}

// earlierRanking returns nil when a latch has no name.
func earlierRanking(ranking *cert.Ranking, c *circuit.Circuit, p circuit.Property, names Names) *Earlier {
	rep, err := c.Repetition(p)
	if err != nil {
		return nil
	}
	e := &Earlier{outcome: cert.Proved}
	number := map[int]circuit.Var{} // of a latch with a name, by its position in c
	seen := len(rep.Circuit.Latches()) - rep.Seen()
	e.ranking, err = mapRanking(ranking, func(l circuit.Lit) (circuit.Lit, error) {
		at := rep.Circuit.LatchIndex(l.Var())
		v, known := number[at]
		switch {
		case at >= seen:
			v = seenLatch + circuit.Var(at-seen)
		case at >= rep.Latches:
			v = firstLatch
		case nameAt(names.Latches, at) == "":
			return 0, errNoName
		case !known:
			v = circuit.Var(len(e.latches))
			number[at] = v
			e.latches = append(e.latches, names.Latches[at])
		}
		return v.Lit().NotIf(l.IsNegated()), nil
	})
	if err != nil {
		return nil
	}
	return e
}

// rankingOn returns the ranking over the latches of a cone; ok is false when it lacks one.
func (e *Earlier) rankingOn(cone *circuit.Cone, names Names) (ranking *cert.Ranking, ok bool) {
	rep, err := cone.Circuit.Repetition(cone.Property())
	if err != nil {
		return nil, false
	}
	latches := rep.Circuit.Latches()
	seen := len(latches) - rep.Seen()
	to := e.positionsIn(cone, names)
	ranking, err = mapRanking(e.ranking, func(l circuit.Lit) (circuit.Lit, error) {
		at := -1
		switch v := l.Var(); {
		case v >= seenLatch && int(v-seenLatch) < rep.Seen():
			at = seen + int(v-seenLatch)
		case v == firstLatch && rep.First:
			at = rep.Latches
		case v < firstLatch:
			at = to[v]
		}
		if at < 0 {
			return 0, errNoName
		}
		return latches[at].Lit.NotIf(l.IsNegated()), nil
	})
	return ranking, err == nil
}

// lassoTries is the number of runs that an earlier lasso is made into.
const lassoTries = 4

// lassoOn goes through an earlier lasso on a cone, with some choices for what it leaves
// open, and for the last ones with a sixteenth of its values changed: the edit may have
// negated what an input did.
func (e *Earlier) lassoOn(ctx context.Context, cone *circuit.Cone, names Names) (claim cert.Verdict, ok bool) {
	inputs := positionsOf(names.Inputs, cone.Inputs, e.inputs)
	latches := positionsOf(names.Latches, cone.Latches, e.latches)
	random := rand.New(rand.NewPCG(replaySeed, 0))
	for try := range lassoTries {
		value := func(values []circuit.Value, at int) circuit.Value {
			v := circuit.X
			if at >= 0 {
				v = values[at]
			}
			switch {
			case try == 0 && v == circuit.X:
				return circuit.Zero
			case v == circuit.X:
				return circuit.ValueOf(random.IntN(2) == 0)
			}
			return v.NotIf(try >= lassoTries/2 && random.IntN(16) == 0)
		}
		l := cert.Lasso{Loop: e.loop}
		for i, latch := range cone.Circuit.Latches() {
			v := circuit.X // the reset
			if latch.IsFree() {
				v = value(e.initial, latches[i])
			}
			l.Initial = append(l.Initial, v)
		}
		for _, values := range e.steps {
			row := make([]circuit.Value, len(inputs))
			for i, at := range inputs {
				row[i] = value(values, at)
			}
			l.Inputs = append(l.Inputs, row)
		}
		l, closed, err := bmc.Closed(ctx, cone.Circuit, cone.Circuit.Goals(0), l)
		if err != nil {
			return claim, false
		}
		claim = cert.Verdict{Outcome: cert.Refuted, Lasso: &l}
		if closed {
			if _, err := cert.Check(ctx, cone.Circuit, cone.Property(), claim); err == nil {
				return claim, true
			}
		}
	}
	return claim, false
}

// liveAgain tries the earlier certificates of a justice property.
func (r Result) liveAgain(ctx context.Context, job Job, cone *circuit.Cone) (found Result, ok bool) {
	for _, e := range job.Earlier {
		if e == nil || e.question != circuit.Liveness {
			continue
		}
		claim, reuse := cert.Verdict{Outcome: cert.Proved}, ReusedLemmas
		if e.outcome == cert.Proved {
			claim.Ranking, ok = e.rankingOn(cone, job.Names)
		} else {
			reuse = ReusedTrace
			claim, ok = e.lassoOn(ctx, cone, job.Names)
		}
		if !ok {
			continue
		}
		again := r
		again.Engine = "replay"
		again = again.certify(ctx, job.Circuit, job.Property, cone, claim)
		if again.Checked.Certified() {
			again.Reused = reuse
			return again, true
		}
	}
	return r, false
}
