package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"aiglens/ic3"
	"aiglens/ic3/sat"
	"aiglens/ic3/verify"
)

// tacticList is the flag --tactics: parts of the engine switched on, +NAME, or
// off, -NAME, separated by commas.
type tacticList struct {
	text    string
	changes []tacticChange
}

type tacticChange struct {
	name string
	on   bool
}

func (l *tacticList) String() string { return l.text }

func (l *tacticList) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		change := tacticChange{name: strings.TrimLeft(word, "+-"), on: strings.HasPrefix(word, "+")}
		if len(change.name) != len(word)-1 {
			return fmt.Errorf("expected +NAME or -NAME in %q", word)
		}
		if err := change.apply(&engineParts{engine: &verify.IC3{}}); err != nil {
			return err
		}
		l.changes = append(l.changes, change)
	}
	l.text = strings.TrimPrefix(l.text+","+text, ",")
	return nil
}

// coreOnly are the tactics that are part of the core solver.
var coreOnly = []string{"partial-models", "domains"}

// validate says which tactics have no effect with a solver.
func (l *tacticList) validate(solver string) error {
	for _, c := range l.changes {
		if solver != "core" && slices.Contains(coreOnly, c.name) {
			return fmt.Errorf("--tactics: %s is a part of the solver core, not of %s", c.name, solver)
		}
	}
	return nil
}

// engineParts is an engine while its tactics are chosen.
type engineParts struct {
	engine *verify.IC3
	core   sat.CoreOptions
}

// outerTactics are those that package ic3 knows nothing of: what is done to the
// circuit before, the search beside, and the solver below.
var outerTactics = map[string]func(p *engineParts, on bool){
	"search":         func(p *engineParts, on bool) { p.engine.Search = on },
	"reduce":         func(p *engineParts, on bool) { p.engine.NoReduce = !on },
	"constants":      func(p *engineParts, on bool) { p.engine.Reduce.NoConstants = !on },
	"correspondence": func(p *engineParts, on bool) { p.engine.Reduce.NoCorrespondence = !on },
	"rewriting":      func(p *engineParts, on bool) { p.engine.Reduce.NoRewriting = !on },
	"sweeping":       func(p *engineParts, on bool) { p.engine.Reduce.NoSweeping = !on },
	"partial-models": func(p *engineParts, on bool) { p.core.CompleteModels = !on },
	"domains":        func(p *engineParts, on bool) { p.core.WholeDomain = !on },
}

func (c tacticChange) apply(p *engineParts) error {
	if set := outerTactics[c.name]; set != nil {
		set(p, c.on)
		return nil
	}
	t, err := ic3.TacticNamed(c.name)
	if err != nil {
		names := slices.Concat(slices.Sorted(maps.Keys(outerTactics)), ic3.TacticNames())
		return fmt.Errorf("there is no tactic %q; choose of %s", c.name, strings.Join(names, ", "))
	}
	if on := (ic3.DefaultTactics^p.engine.Options.Switched)&t != 0; on != c.on {
		p.engine.Options.Switched ^= t
	}
	return nil
}

// ic3Engine returns the engine of check with the tactics of the flags.
func (f *checkFlags) ic3Engine() *verify.IC3 {
	p := &engineParts{engine: &verify.IC3{Search: f.engine == "auto"}}
	p.engine.Options.Seed = uint64(f.seed)
	for _, change := range f.tactics.changes {
		change.apply(p) // was tried when the flag was read
	}
	p.engine.Options.Solver = solvers[f.solver]
	if f.solver == "core" {
		p.engine.Options.Solver = p.core.New
	}
	return p.engine
}
