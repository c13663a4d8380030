package aiger

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
)

// Renamed is a name that ABC or Yosys would confuse with another one, with the one that is
// written instead.
type Renamed struct{ From, To string }

// WithDistinctNames returns the model with names that ABC and Yosys tell apart, as
// diagnose.Clashes has it, and what it has renamed. White space in a name becomes "_"
// where that is enough; otherwise a number is appended.
func (m *Model) WithDistinctNames() (*Model, []Renamed) {
	clashes := diagnose.Clashes(m.Symbols, m.literal)
	if len(clashes) == 0 {
		return m, nil
	}
	taken := make(map[string]bool, len(m.Symbols))
	for _, s := range m.Symbols {
		taken[diagnose.NameKey(s.Name)] = true
	}
	n := *m
	n.Symbols = slices.Clone(m.Symbols)
	var all []Renamed
	for _, c := range clashes {
		from := m.Symbols[c.Symbol].Name
		base := strings.Join(strings.Fields(from), "_")
		name := base
		for i := 2; taken[name]; i++ {
			name = fmt.Sprintf("%s_%d", base, i)
		}
		taken[name] = true
		n.Symbols[c.Symbol].Name = name
		all = append(all, Renamed{from, name})
	}
	n.carryAsides(m, func(a syntax.AsideEntry) (uint32, bool) { return a.Lit, true })
	return &n, all
}

// literal returns the literal of an input, latch or output.
func (m *Model) literal(k syntax.SectionKind, index int) uint32 {
	switch {
	case k == syntax.SectionInputs && index < len(m.Inputs):
		return m.Inputs[index]
	case k == syntax.SectionLatches && index < len(m.Latches):
		return m.Latches[index].Lit
	case k == syntax.SectionOutputs && index < len(m.Outputs):
		return m.Outputs[index]
	}
	return 0
}
