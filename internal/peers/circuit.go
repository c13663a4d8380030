package peers

import (
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
)

// Circuit is a circuit with the names of its elements.
type Circuit struct {
	Circuit                  *circuit.Circuit
	Inputs, Latches, Outputs []string         // names, by position; "" for none
	Lits                     []circuit.Signal // of the outputs
	Bads                     []circuit.Signal // compared in any order: Yosys has one of its own
	Clocks                   []string         // inputs of the file that only control latches
}

// FromAIGER reads what ABC and Yosys write: outputs, or bads in their place where some
// latch is free or there is a constraint.
func FromAIGER(t testing.TB, data []byte) Circuit {
	t.Helper()
	m, diags := aiger.ReadBinary(data)
	if m == nil {
		t.Fatal(diags)
	}
	c, err := m.Elaborate()
	if err != nil {
		t.Fatal(err)
	}
	lits, bads := slices.Clone(c.Outputs()), c.Bads()
	if len(lits) == 0 {
		lits, bads = bads, nil
	}
	n := Circuit{Circuit: c, Inputs: make([]string, len(m.Inputs)), Latches: make([]string, len(m.Latches)), Outputs: make([]string, len(lits)), Lits: lits, Bads: bads}
	for _, s := range m.Symbols {
		if s.Kind == syntax.SectionBads && len(c.Outputs()) > 0 {
			continue // an assertion, matched by its position
		}
		s.Name = NameFromYosys(s.Name)
		switch s.Kind {
		case syntax.SectionInputs:
			n.Inputs[s.Index] = s.Name
		case syntax.SectionLatches:
			n.Latches[s.Index] = s.Name
		case syntax.SectionOutputs, syntax.SectionBads:
			n.Outputs[s.Index] = s.Name
		}
	}
	return n
}

// NameFromYosys takes back that Yosys puts a '\' before a name that it would
// otherwise write for one of its own.
func NameFromYosys(name string) string {
	if rest, ok := strings.CutPrefix(name, `\`); ok && rest != "" && strings.IndexByte(`$\0123456789`, rest[0]) >= 0 {
		return rest
	}
	return name
}
