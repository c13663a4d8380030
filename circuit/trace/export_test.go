package trace

import (
	"context"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// WithoutRounds has replays weaken the state after the first round already.
func WithoutRounds(t *testing.T) {
	before := maxRounds
	maxRounds = 0
	t.Cleanup(func() { maxRounds = before })
}

// WeakValues returns the values of the steps of a lasso, by step and variable, from which
// MinimizeLasso begins.
func WeakValues(ctx context.Context, c *circuit.Circuit, l cert.Lasso) ([]circuit.Value, error) {
	m := newMinimizer(c, copied(l.Trace), nil, 0)
	m.loop = l.Loop
	err := m.simulate(ctx)
	return m.values, err
}

// GatesOf returns how many gates were computed to simulate a run.
func GatesOf(s *Simulation) int { return s.gates }
