package engines

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/verify"
)

// Exchanging is implemented by engines that can exchange lemmas with runs elsewhere.
type Exchanging interface {
	// Exchange says how each part of the next Check that exchanges lemmas joins the
	// others. They are clauses over the latches of the problem as asked.
	Exchange(join func() ic3.Exchange)
}

// member is one engine of a portfolio whose other ones run elsewhere. Which it is depends
// on the problem.
type member struct {
	choice choice
	join   func() ic3.Exchange // nil when there is nobody to tell
	seeds  verify.Seeds
	engine verify.Engine // of the last Check, or nil
}

// Name implements verify.Engine.
func (m *member) Name() string {
	if m.engine != nil {
		return m.engine.Name()
	}
	return Portfolio
}

// Answers implements verify.Engine.
func (m *member) Answers(circuit.Question) bool { return true }

// Seed implements verify.Seeded.
func (m *member) Seed(s verify.Seeds) { m.seeds = s }

// Exchange implements Exchanging.
func (m *member) Exchange(join func() ic3.Exchange) { m.join = join }

// Check implements verify.Engine.
func (m *member) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	m.engine = m.of(p)
	if s, ok := m.engine.(verify.Seeded); ok {
		s.Seed(m.seeds)
	}
	return m.engine.Check(ctx, p, progress)
}

// of returns the engine for a problem.
func (m *member) of(p circuit.Problem) verify.Engine {
	c, i := m.choice, m.choice.member-1
	if p.Question == circuit.Liveness {
		return livenessMembers(c, c.jobs)[i]
	}
	join := m.join
	if join == nil {
		join = func() ic3.Exchange { return nil }
	}
	return safetyMember(c, i, p.Circuit, nil, join)
}

// Stats implements verify.StatsReporter.
func (m *member) Stats() map[string]float64 {
	if s, ok := m.engine.(verify.StatsReporter); ok {
		return s.Stats()
	}
	return nil
}
