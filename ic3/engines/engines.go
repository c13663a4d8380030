// Package engines is the list of engines: what they are called, what they can be
// told, and how one is made.
//
// A new engine is one file with the function that makes a verify.Engine, and one row
// of the table. The flags of the command line, the settings of the server, the
// requests to a worker and the manifest of the extension hold what the table says; a
// test compares those that cannot read it. The package knows neither circuits nor
// their text, limits or clocks, and checks no verdict: that is the part of package
// verify, which knows no engine by name.
package engines

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/internal/nearest"
)

// Engine is a row of the table.
type Engine struct {
	Name  string
	About string // half a sentence, for help and settings
	// Solvers names those that it can ask; one without any asks none, and a choice of
	// solver means nothing to it.
	Solvers []string
	// TakesTactics says that parts of it can be switched.
	TakesTactics bool

	make func(choice) verify.Engine
}

// table holds the engines, the default one first.
var table = slices.Concat([]Engine{
	{"auto", "IC3 by turns with bounded search and, where there are few latches, with a search for all reachable states; for justice properties all engines for liveness: short counterexamples come early", allSolvers, true, makeAuto},
	{"ic3", "IC3 alone, for safety properties", allSolvers, true, makeIC3},
	{"bmc", "bounded search alone, for safety properties: it refutes", nil, false, makeBounded},
	{"kind", "induction over simple paths, for safety properties", allSolvers, false, makeInduction},
	{"bdd", "all reachable states as a binary decision diagram, for safety properties of few latches", nil, false, makeReach},
}, livenessRows, []Engine{
	{Portfolio, "several engines at once, each on its own processor: the first checked answer counts", allSolvers, true, makePortfolio},
})

// All returns the engines, the default one first.
func All() []Engine { return slices.Clone(table) }

// Names returns the names that Spec.Engine takes, the default one first.
func Names() []string { return namesOf(table) }

// Answers reports whether the engine can answer a question.
func (e Engine) Answers(q circuit.Question) bool { return e.make(choice{}).Answers(q) }

// choice is a Spec that is valid, taken apart.
type choice struct {
	solver  Solver
	tactics []tactic
	seed    uint64
	jobs    int // of a portfolio, where 0 is one for each processor, or of the default engine
	member  int // the only one of them, from 1 on; 0 is all
	trace   Trace
}

// Spec chooses an engine in the words of the command line. Empty is the default.
type Spec struct {
	Engine string `json:"engine,omitempty"`
	// Variant is a published variant of IC3 that runs instead of Engine.
	Variant string `json:"variant,omitempty"`
	Solver  string `json:"solver,omitempty"`
	Tactics string `json:"tactics,omitempty"` // +NAME or -NAME, separated by commas
	Seed    int64  `json:"seed,omitempty"`
	// Jobs is how many engines a portfolio runs at once; 0 is one for each processor. Of the default
	// engine it is how many run once it has worked for a second; 0 is that one alone.
	Jobs int `json:"jobs,omitempty"`
	// Member asks for one engine of a portfolio alone, from 1 to Jobs, which the others
	// run beside elsewhere; 0 is all of them here.
	Member int `json:"member,omitempty"`
}

// Default returns the Spec that an empty one stands for.
func Default() Spec { return Spec{Engine: table[0].Name, Solver: table[0].Solvers[0]} }

// completed returns s with the defaults of what it leaves out.
func (s Spec) completed() Spec {
	if s.Engine == "" {
		s.Engine = Default().Engine
	}
	if s.Solver == "" {
		s.Solver = Default().Solver
	}
	return s
}

// New returns the engine that s names. The error begins with the member of s that is
// wrong, in small letters, and a colon.
func (s Spec) New() (verify.Engine, error) { return s.NewTraced(nil) }

// NewTraced is New with a trace of what a published variant does; nil is none, and other
// engines have none.
func (s Spec) NewTraced(trace Trace) (verify.Engine, error) {
	row, c, err := s.choose()
	if err != nil {
		return verify.Engine{}, err
	}
	c.trace = trace
	return row.make(c), nil
}

// choose finds the row of s, and takes s apart.
func (s Spec) choose() (row Engine, c choice, err error) {
	s = s.completed()
	if row, err = s.row(); err != nil {
		return row, c, err
	}
	if c.solver, err = s.solver(row); err != nil {
		return row, c, err
	}
	if c.tactics, err = s.tactics(row); err != nil {
		return row, c, err
	}
	c.seed, c.jobs, c.member = uint64(s.Seed), s.Jobs, s.Member
	return row, c, s.jobs(row)
}

// Alone returns the engine that answers what needs only one: of a portfolio, the default engine.
func (s Spec) Alone() Spec {
	if s.Engine == Portfolio && s.Variant == "" {
		s.Engine = Default().Engine
	}
	s.Jobs, s.Member = 0, 0
	return s
}

// Validate returns the error of New.
func (s Spec) Validate() error {
	_, err := s.New()
	return err
}

// Name returns the name that the engine gives itself before it has an answer; that of
// the Spec when there is no such engine.
func (s Spec) Name() string {
	e, err := s.New()
	if err != nil {
		return s.Engine
	}
	return e.Name
}

// Answers reports whether what s names can answer a question. Of what does not exist New
// says so, and this nothing.
func (s Spec) Answers(q circuit.Question) bool {
	e, err := s.New()
	return err != nil || e.Answers(q)
}

// row finds what s names.
func (s Spec) row() (Engine, error) {
	word, name, rows := "engine", s.Engine, table
	if s.Variant != "" {
		word, name, rows = "variant", s.Variant, variants
	}
	if i := slices.IndexFunc(rows, func(e Engine) bool { return e.Name == name }); i >= 0 {
		return rows[i], nil
	}
	return Engine{}, fmt.Errorf("%s: there is no %s %q%s", word, word, name, nearest.Choose(name, namesOf(rows)))
}

// solver returns the solver of s for an engine; the zero value for one that asks
// none.
func (s Spec) solver(row Engine) (Solver, error) {
	i := slices.IndexFunc(solvers, func(x Solver) bool { return x.Name == s.Solver })
	switch {
	case i < 0:
		return Solver{}, fmt.Errorf("solver: there is no solver %q%s", s.Solver, nearest.Choose(s.Solver, allSolvers))
	case len(row.Solvers) == 0:
		return Solver{}, nil
	case !slices.Contains(row.Solvers, s.Solver):
		return Solver{}, fmt.Errorf("solver: %s cannot ask %s; choose %s", row.Name, s.Solver, choices(row.Solvers))
	}
	return solvers[i], nil
}

// tactics returns those of s.
func (s Spec) tactics(row Engine) ([]tactic, error) {
	switch {
	case s.Tactics == "":
		return nil, nil
	case s.Variant != "":
		return nil, fmt.Errorf("tactics: they are those of the default engine; leave --variant out")
	case !row.TakesTactics:
		return nil, fmt.Errorf("tactics: %s has none", row.Name)
	}
	parsed, err := parseTactics(s.Tactics)
	if err == nil {
		err = fitSolver(parsed, s.Solver)
	}
	if err != nil {
		return nil, fmt.Errorf("tactics: %w", err)
	}
	return parsed, nil
}

// MaxJobs bounds Spec.Jobs: it is far more than there are engines that differ.
const MaxJobs = 64

// jobs says what is wrong with the number of jobs.
func (s Spec) jobs(row Engine) error {
	switch {
	case s.Jobs < 0 || s.Jobs > MaxJobs:
		return fmt.Errorf("jobs: expected 0 to %d", MaxJobs)
	case s.Jobs > 0 && (s.Variant != "" || row.Name != Portfolio && row.Name != Default().Engine):
		return fmt.Errorf("jobs: %s runs on one processor; choose the engine %s or %s", row.Name, Default().Engine, Portfolio)
	case s.Member < 0 || s.Member > s.Jobs || s.Member > 0 && row.Name != Portfolio:
		return fmt.Errorf("member: expected one of %d jobs", s.Jobs)
	}
	return nil
}

func namesOf(rows []Engine) []string {
	names := make([]string, len(rows))
	for i, e := range rows {
		names[i] = e.Name
	}
	return names
}

// choices lists words of which the user is to choose one.
func choices(words []string) string {
	if n := len(words); n == 2 {
		return words[0] + " or " + words[1]
	}
	return strings.Join(words, ", ")
}
