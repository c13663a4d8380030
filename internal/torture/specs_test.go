package torture

import (
	"math/rand/v2"
	"strings"

	"aiglens/ic3"
	"aiglens/ic3/engines"
)

// allSpecs returns every engine and every published variant of the registry, with every
// solver that it takes.
func allSpecs() []engines.Spec {
	var all []engines.Spec
	for _, e := range engines.All() {
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
var outer = []string{"search", "reduce", "constants", "correspondence", "rewriting", "sweeping", "partial-models", "domains"}

// randomSpec returns an engine of the list, one time in two with tactics where it
// takes them.
func randomSpec(r *rand.Rand, all []engines.Spec) engines.Spec {
	s := all[r.IntN(len(all))]
	s.Seed = int64(r.IntN(3))
	if s.Variant != "" || r.IntN(2) == 0 {
		if s.Variant != "" && r.IntN(2) == 0 { // as often as the others, which are few
			s = engines.Spec{Engine: engines.Names()[r.IntN(len(engines.Names()))], Seed: s.Seed}
		} else {
			return s
		}
	}
	var words []string
	names := append(append([]string{}, outer...), ic3.TacticNames()...)
	for range 1 + r.IntN(6) {
		words = append(words, []string{"+", "-"}[r.IntN(2)]+names[r.IntN(len(names))])
	}
	s.Tactics = strings.Join(words, ",")
	if s.Validate() != nil { // parts of a solver that this one is not
		s.Solver = ""
	}
	return s
}

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
