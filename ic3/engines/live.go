package engines

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/live"
	"aiglens/ic3/verify"
)

// Live runs package live as a verify.Engine, which answers questions of liveness alone.
type Live struct {
	Options live.Options

	name  string // of the row
	stats live.Stats
}

// livenessRows are the parts of package live as engines of their own.
var livenessRows = func() []Engine {
	var rows []Engine
	for _, p := range live.Parts() {
		rows = append(rows, Engine{p.Name, p.About, allSolvers, true, func(c choice) verify.Engine {
			return partsOf(c, p.Name)
		}})
	}
	return rows
}()

// partsOf returns an engine that runs some parts of package live by turns, and calls
// itself like the first one.
func partsOf(c choice, names ...string) *Live {
	e := &IC3{Justice: &Live{name: names[0]}}
	for _, p := range live.Parts() {
		if slices.Contains(names, p.Name) {
			e.Justice.Options.Parts = append(e.Justice.Options.Parts, p)
		}
	}
	return e.with(c).Justice
}

// Answers implements verify.Engine.
func (e *Live) Answers(q circuit.Question) bool { return q == circuit.Liveness }

// Name implements verify.Engine: the part whose answer the last Check returned.
func (e *Live) Name() string {
	if e.stats.By != "" {
		return e.stats.By
	}
	return e.name
}

// Check implements verify.Engine.
func (e *Live) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (v cert.Verdict, err error) {
	v, e.stats, err = live.Check(ctx, p, e.Options, func(s live.Stats) {
		now := verify.Progress{}
		for _, part := range s.Parts {
			if part.Name == live.Lasso {
				now.Bound = part.Depth
				continue
			}
			now.Depth = max(now.Depth, part.Depth)
			now.Lemmas += part.Lemmas
			now.Obligations += part.Obligations
		}
		progress(now)
	})
	return v, err
}

// Stats implements verify.StatsReporter.
func (e *Live) Stats() map[string]float64 {
	s := map[string]float64{
		"latches":         float64(e.stats.Reduced.After.Latches),
		"latches_merged":  float64(e.stats.Reduced.Merged),
		"gates":           float64(e.stats.Reduced.After.Gates),
		"gates_swept":     float64(e.stats.Reduced.Swept),
		verify.StatEffort: float64(e.stats.Effort()),
	}
	for _, p := range e.stats.Parts {
		s[p.Name+"_effort"] = float64(p.Effort)
		s[p.Name+"_depth"] = float64(p.Depth)
		s[p.Name+"_turns"] = float64(p.Turns)
	}
	return s
}
