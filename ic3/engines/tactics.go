package engines

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"aiglens/ic3"
	"aiglens/ic3/sat"
	"aiglens/internal/nearest"
)

// tactic is a part of the default engine switched on or off.
type tactic struct {
	name string
	on   bool
}

// ValidateTactics says what is wrong with the tactics of a Spec, whatever else it
// holds.
func ValidateTactics(text string) error {
	_, err := parseTactics(text)
	return err
}

// parseTactics reads words +NAME and -NAME, separated by commas.
func parseTactics(text string) ([]tactic, error) {
	var tactics []tactic
	for word := range strings.SplitSeq(text, ",") {
		t := tactic{name: strings.TrimLeft(word, "+-"), on: strings.HasPrefix(word, "+")}
		if len(t.name) != len(word)-1 {
			return nil, fmt.Errorf("expected +NAME or -NAME in %q", word)
		}
		if err := t.apply(&parts{engine: &IC3{}}); err != nil {
			return nil, err
		}
		tactics = append(tactics, t)
	}
	return tactics, nil
}

// coreOnly are the tactics that are part of the core solver.
var coreOnly = []string{"partial-models", "domains"}

// fitSolver says which tactics have no effect with a solver.
func fitSolver(tactics []tactic, solver string) error {
	for _, t := range tactics {
		if solver != solverCore && slices.Contains(coreOnly, t.name) {
			return fmt.Errorf("%s is a part of the solver %s, not of %s", t.name, solverCore, solver)
		}
	}
	return nil
}

// parts is an engine while its tactics are chosen.
type parts struct {
	engine *IC3
	core   sat.CoreOptions
}

// outerTactics are those that package ic3 knows nothing about: what is done to the
// circuit before, the search beside, and the solver below.
var outerTactics = map[string]func(p *parts, on bool){
	"exchange":       func(p *parts, on bool) { p.engine.noExchange = !on },
	"search":         func(p *parts, on bool) { p.engine.Search = on },
	"states":         func(p *parts, on bool) { p.engine.States = on },
	"reduce":         func(p *parts, on bool) { p.engine.NoReduce = !on },
	"uncover":        func(p *parts, on bool) { p.engine.Reduce.NoUncovering = !on },
	"constants":      func(p *parts, on bool) { p.engine.Reduce.NoConstants = !on },
	"correspondence": func(p *parts, on bool) { p.engine.Reduce.NoCorrespondence = !on },
	"rewriting":      func(p *parts, on bool) { p.engine.Reduce.NoRewriting = !on },
	"sweeping":       func(p *parts, on bool) { p.engine.Reduce.NoSweeping = !on },
	"signals":        func(p *parts, on bool) { p.engine.NoSignals = !on },
	"partial-models": func(p *parts, on bool) { p.core.CompleteModels = !on },
	"domains":        func(p *parts, on bool) { p.core.WholeDomain = !on },
}

func (t tactic) apply(p *parts) error {
	if set := outerTactics[t.name]; set != nil {
		set(p, t.on)
		return nil
	}
	inner, err := ic3.TacticNamed(t.name)
	if err != nil {
		names := slices.Concat(slices.Sorted(maps.Keys(outerTactics)), ic3.TacticNames())
		return fmt.Errorf("there is no tactic %q%s", t.name, nearest.Choose(t.name, names))
	}
	if on := (ic3.DefaultTactics^p.engine.Options.Switched)&inner != 0; on != t.on {
		p.engine.Options.Switched ^= inner
	}
	return nil
}
