package live

import (
	"context"

	"aiglens/circuit"
)

// SimulationAlone is the simulation as a part of its own.
var SimulationAlone = Part{Name: "simulation", Share: 1, Run: func(_ context.Context, r *circuit.Repetition, _ Options, turn Turn) (Claim, error) {
	l, err := simulate(r, func(effort int64) error { return turn(Progress{Effort: effort}) })
	return Claim{Lasso: l}, err
}}
