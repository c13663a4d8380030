package engines

import (
	"cmp"
	"context"
	"slices"

	"aiglens/ic3/live"
	"aiglens/ic3/verify"
)

// Live is how package live runs as an engine, which answers questions of liveness alone.
type Live struct {
	Options live.Options
	name    string // of the row
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
func partsOf(c choice, names ...string) verify.Engine {
	e := IC3{Justice: &Live{name: names[0]}}
	for _, p := range live.Parts() {
		if slices.Contains(names, p.Name) {
			e.Justice.Options.Parts = append(e.Justice.Options.Parts, p)
		}
	}
	l := *e.with(c).Justice
	return verify.Engine{Name: l.name, Liveness: true, Check: l.check}
}

func (e Live) check(ctx context.Context, t verify.Task) verify.Report {
	v, stats, err := live.Check(ctx, t.Problem, e.Options, func(s live.Stats) { t.Progress(liveProgress(s)) })
	return verify.Report{Verdict: v, Err: err, Engine: cmp.Or(stats.By, e.name), Stats: liveCounters(stats)}
}

// liveProgress is how far the parts have come together.
func liveProgress(s live.Stats) (now verify.Progress) {
	for _, part := range s.Parts {
		if part.Name == live.Lasso {
			now.Bound = part.Depth
			continue
		}
		now.Depth = max(now.Depth, part.Depth)
		now.Lemmas += part.Lemmas
		now.Obligations += part.Obligations
	}
	return now
}

func liveCounters(stats live.Stats) map[string]float64 {
	s := map[string]float64{
		"latches":         float64(stats.Reduced.After.Latches),
		"latches_merged":  float64(stats.Reduced.Merged),
		"gates":           float64(stats.Reduced.After.Gates),
		"gates_swept":     float64(stats.Reduced.Swept),
		verify.StatEffort: float64(stats.Effort()),
	}
	for _, p := range stats.Parts {
		s[p.Name+"_effort"] = float64(p.Effort)
		s[p.Name+"_depth"] = float64(p.Depth)
		s[p.Name+"_turns"] = float64(p.Turns)
	}
	return s
}
