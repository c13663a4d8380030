package engines

import (
	"slices"

	"aiglens/ic3/sat"
)

// Solver is a SAT solver that engines may ask.
type Solver struct {
	Name  string
	About string // half a sentence, for help and settings

	factory sat.Factory
}

// solvers holds them all, the default one first.
var solvers = []Solver{
	{solverCore, "the solver made for IC3", sat.NewCore},
	{"gini", "the solver gini, for comparison", sat.NewGini},
}

// solverCore is the solver that some tactics are parts of.
const solverCore = "core"

// allSolvers are the names of all solvers, for an engine that takes any.
var allSolvers = func() []string {
	names := make([]string, len(solvers))
	for i, s := range solvers {
		names[i] = s.Name
	}
	return names
}()

// Solvers returns the solvers, the default one first.
func Solvers() []Solver { return slices.Clone(solvers) }

// SolverNames returns the names that Spec.Solver takes, the default one first.
func SolverNames() []string { return slices.Clone(allSolvers) }
