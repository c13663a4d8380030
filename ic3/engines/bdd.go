package engines

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/reach"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
)

// makeReach returns the search for all reachable states as an engine, on a circuit that package
// reduce has made smaller.
func makeReach(choice) verify.Engine {
	return verify.Engine{Name: "bdd", Safety: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		r, err := reduce.Reduce(ctx, t.Problem.Circuit, t.Problem.Property(), reduce.Options{})
		if err != nil {
			return verify.Report{Verdict: cert.Verdict{Reason: "cancelled"}, Err: err, Stats: reachCounters(reach.Stats{})}
		}
		if reachSize(r.Circuit) > reachMost {
			return verify.Report{Verdict: cert.Verdict{Reason: "the circuit is too large for a search for all reachable states"}, Stats: reachCounters(reach.Stats{})}
		}
		v, stats, err := reach.Check(ctx, r.Circuit, reach.Options{}, func(p reach.Progress) {
			t.Progress(verify.Progress{Depth: p.Depth, Lemmas: p.Clauses})
		})
		if err == nil {
			v, _, err = r.Lift(ctx, v)
		}
		return verify.Report{Verdict: v, Err: err, Stats: reachCounters(stats)}
	}}
}

// reachSize returns the size of the transition relation: its variables and conjuncts.
func reachSize(c *circuit.Circuit) int {
	return 2*len(c.Latches()) + len(c.Inputs()) + len(c.Constraints())
}

// reachMost bounds that size: arranging takes time with its square.
const reachMost = 10_000

const (
	// reachAfter is the effort of IC3 before the search for all reachable states begins, some two
	// seconds.
	reachAfter = 12_000_000
	// reachEarly takes its place where the search is likely to end soon: in circuits of at most
	// reachFew latches, and where a hidden constraint was found.
	reachEarly = 1_000_000
	reachFew   = 40
	// The search may then spend as much as IC3 does, until it has more than reachSmall nodes or has
	// spent reachLittle; searches that come to an end stay below both. From then on it may have spent one
	// part in reachShare in all.
	reachSmall  = 100_000
	reachLittle = 25_000_000
	reachShare  = 4
	// reachLatches and reachGates bound the circuits for which it is tried, and reachNodes its
	// diagrams, which then take some 60 MB.
	reachLatches = 150
	reachGates   = 20_000
	reachNodes   = 1_000_000
)

// reachStart returns the effort of IC3 before the search for all reachable states of a circuit
// begins.
func (e *ic3Run) reachStart(c *circuit.Circuit) int64 {
	switch {
	case e.reachAfter != 0:
		return e.reachAfter
	case e.reduced.Hidden > 0 || len(c.Latches()) <= reachFew:
		return reachEarly
	}
	return reachAfter
}

// reaching is a search for all reachable states that takes turns with IC3.
type reaching struct {
	turn
	after     int64 // the effort of IC3 before it begins
	takesMuch bool
	verdict   cert.Verdict // unknown until it is found
}

// newReaching returns a search that has done nothing yet, or nil for a circuit that is too large.
func newReaching(ctx context.Context, c *circuit.Circuit, after int64) *reaching {
	if len(c.Latches()) > reachLatches || c.NumGates() > reachGates || reachSize(c) > reachMost {
		return nil
	}
	s := &reaching{after: after}
	s.prepare(ctx, func(ctx context.Context) {
		v, stats, err := reach.Check(ctx, c, reach.Options{MaxNodes: reachNodes}, func(p reach.Progress) {
			s.takesMuch = s.takesMuch || p.Nodes > reachSmall || p.Effort > reachLittle
			s.spend(p.Effort)
		})
		if s.spent = stats.Effort; err == nil {
			s.verdict = v
		}
	})
	return s
}

// advance goes on until a share of IC3's effort is spent. It reports whether there is an answer.
func (s *reaching) advance(effort int64) bool {
	if s == nil || effort < s.after {
		return false
	}
	if s.allowed = effort - s.after; s.takesMuch {
		s.allowed /= reachShare
	}
	if s.verdict.Outcome == cert.Unknown && s.spent <= s.allowed {
		s.resume()
	}
	return s.found()
}

func (s *reaching) found() bool { return s != nil && s.verdict.Outcome != cert.Unknown }

func (s *reaching) effort() int64 {
	if s == nil {
		return 0
	}
	return s.spent
}

// close ends the search.
func (s *reaching) close() {
	if s != nil {
		s.end()
	}
}

func reachCounters(s reach.Stats) map[string]float64 {
	return map[string]float64{
		"images":          float64(s.Images),
		"clusters":        float64(s.Clusters),
		"nodes_reached":   float64(s.Reached),
		"nodes":           float64(s.Peak),
		"sifted":          float64(s.Sifted),
		"lemmas":          float64(s.Clauses),
		"queries":         float64(s.Queries),
		verify.StatEffort: float64(s.Effort),
	}
}
