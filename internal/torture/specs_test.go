package torture

import (
	"math/rand/v2"
	"strings"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/engines"
	"aiglens/ic3/live"
)

// allSpecs returns every engine and every published variant of the registry that answers
// questions of safety, with every solver that it takes.
func allSpecs() []engines.Spec {
	var all []engines.Spec
	for _, e := range engines.All() {
		if !e.Answers(circuit.Safety) {
			continue
		}
		for _, solver := range e.Solvers {
			all = append(all, engines.Spec{Engine: e.Name, Solver: solver})
		}
	}
	for _, v := range engines.Variants() {
		for _, solver := range engines.SolverNames() {
			all = append(all, engines.Spec{Variant: v, Solver: solver})
		}
	}
	return all
}

// outer are the tactics that package ic3 does not name.
var outer = []string{"exchange", "search", "states", "reduce", "uncover", "constants", "correspondence", "rewriting", "sweeping", "signals", "partial-models", "domains"}

// randomSpec returns an engine of the list, one time in two with tactics where it
// takes them.
func randomSpec(r *rand.Rand, all []engines.Spec) engines.Spec {
	s := all[r.IntN(len(all))]
	names := []string{engines.Default().Engine, "ic3"}
	s.Seed = int64(r.IntN(3))
	if s.Variant != "" || r.IntN(2) == 0 {
		if s.Variant != "" && r.IntN(2) == 0 { // as often as the others, which are few
			s = engines.Spec{Engine: names[r.IntN(len(names))], Seed: s.Seed}
		} else {
			return s
		}
	}
	return withTactics(r, s)
}

// justiceSpec returns an engine that answers every question of liveness about a small
// circuit, one time in two with tactics.
func justiceSpec(r *rand.Rand) engines.Spec {
	s := engines.Spec{Engine: []string{engines.Default().Engine, live.RLive}[r.IntN(2)], Seed: int64(r.IntN(3))}
	s.Solver = engines.SolverNames()[r.IntN(len(engines.SolverNames()))]
	if r.IntN(2) == 0 {
		return s
	}
	return withTactics(r, s)
}

// withTactics switches some tactics.
func withTactics(r *rand.Rand, s engines.Spec) engines.Spec {
	var words []string
	names := append(append([]string{}, outer...), ic3.TacticNames()...)
	for range 1 + r.IntN(6) {
		words = append(words, []string{"+", "-"}[r.IntN(2)]+names[r.IntN(len(names))])
	}
	s.Tactics = strings.Join(words, ",")
	if s.Validate() != nil { // parts of a solver that this one is not
		s.Solver = ""
	}
	if s.Validate() != nil { // the engine has no parts
		s.Tactics = ""
	}
	return s
}

// mayRunOut reports whether a spec may need more time than there is: those that look for
// paths without a loop may need as many steps as there are states, and clauses in the square
// of that.
func mayRunOut(s engines.Spec) bool { return s.Variant != "" || s.Engine == "kind" }

// label names what a spec runs, for the counts.
func label(s engines.Spec) string {
	name := s.Engine
	if s.Variant != "" {
		name = s.Variant
	}
	if name == "" {
		name = engines.Default().Engine
	}
	if s.Solver != "" && s.Solver != engines.Default().Solver {
		name += " " + s.Solver
	}
	if s.Tactics != "" {
		name += " with tactics"
	}
	return name
}
