package main

import (
	"flag"
	"fmt"
	"strings"

	"aiglens/ic3/engines"
)

// engineFlags are those of registerEngine. They ask for a run of the engine, which
// nothing from an earlier run is.
var engineFlags = []string{"engine", "variant", "solver", "tactics", "seed", "jobs", "processes"}

// registerEngine adds the flags that choose an engine.
func registerEngine(fs *flag.FlagSet, s *engines.Spec) {
	*s = engines.Default()
	var rows, solvers []string
	for _, e := range engines.All() {
		rows = append(rows, fmt.Sprintf("%s (%s)", e.Name, e.About))
	}
	for _, x := range engines.Solvers() {
		solvers = append(solvers, fmt.Sprintf("%s (%s)", x.Name, x.About))
	}
	fs.StringVar(&s.Engine, "engine", s.Engine, "`engine`: "+strings.Join(rows, ", "))
	fs.StringVar(&s.Variant, "variant", "", "published `variant` of IC3 to run instead of the engine: "+strings.Join(engines.Variants(), ", ")+"; see docs/variants.md")
	fs.StringVar(&s.Solver, "solver", s.Solver, "`solver` of the engine: "+strings.Join(solvers, ", "))
	fs.Int64Var(&s.Seed, "seed", 0, "`seed` by which the engine breaks ties between literals of equal activity; 0 is none")
	fs.IntVar(&s.Jobs, "jobs", 0, "engines that work on one property at once. --engine portfolio: 0 is one for each core, with --on for each check that the nodes do at a time. --engine auto: the others join after a second; 0 is one alone, as with --on or --cpu")
	fs.Var((*tacticList)(&s.Tactics), "tactics", "parts of the default engine switched on (+`NAME`) or off (-NAME), separated by commas; see docs/performance.md")
}

// tacticList is a flag that may be repeated.
type tacticList string

func (l *tacticList) String() string { return string(*l) }

func (l *tacticList) Set(text string) error {
	if err := engines.ValidateTactics(text); err != nil {
		return err
	}
	*l = tacticList(strings.TrimPrefix(string(*l)+","+text, ","))
	return nil
}
