package aiger

import (
	"fmt"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
)

// AsSafety returns a justice property as a question of safety: the bad of the model that it
// returns can become 1 iff a run violates the property; see circuit.AsSafety. It has what the
// property and the constraints depend on. Inputs, latches and constraints keep their
// names; the copy of a latch is called saved_NAME, with its position as in l3 where it has
// no name. It fails where Elaborate does, and where there is no such property.
func (m *Model) AsSafety(justice int) (*Model, error) {
	c, err := m.Elaborate()
	if err != nil {
		return nil, err
	}
	p := circuit.Property{Kind: circuit.PropertyJustice, Index: justice}
	cone, err := c.Cone(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	repetition, err := cone.Circuit.Repetition(circuit.Property{Kind: circuit.PropertyJustice})
	if err != nil {
		return nil, err
	}
	to := FromCircuit(repetition.AsSafety().Circuit)
	names := m.newNames()
	var latches []string // of the Repetition
	for _, i := range cone.Latches {
		latches = append(latches, names.of(syntax.SectionLatches, i))
	}
	if repetition.First {
		latches = append(latches, names.unique(firstStep))
	}
	lits := len(cone.Circuit.Justice()[0].Lits)
	for i := range repetition.Seen() {
		name := fmt.Sprintf("seen_%d", i)
		if i >= lits {
			name = "seen_" + names.orPosition(syntax.SectionFairness, 'f', i-lits)
		}
		latches = append(latches, names.unique(name))
	}
	add := func(k syntax.SectionKind, index int, name string) {
		if name != "" {
			to.Symbols = append(to.Symbols, syntax.SymbolEntry{Kind: k, Index: index, Name: name})
		}
	}
	for i, from := range cone.Inputs {
		add(syntax.SectionInputs, i, names.of(syntax.SectionInputs, from))
	}
	add(syntax.SectionInputs, len(cone.Inputs), names.unique("save"))
	for i, name := range latches {
		add(syntax.SectionLatches, i, name)
	}
	for i, name := range latches {
		if name == "" {
			name = fmt.Sprintf("l%d", cone.Latches[i])
		}
		add(syntax.SectionLatches, len(latches)+i, names.unique("saved_"+name))
	}
	add(syntax.SectionLatches, 2*len(latches), names.unique("saved"))
	add(syntax.SectionLatches, 2*len(latches)+1, names.unique("met"))
	add(syntax.SectionBads, 0, names.orPosition(syntax.SectionJustice, 'j', justice))
	for i := range m.Constraints {
		add(syntax.SectionConstraints, i, names.of(syntax.SectionConstraints, i))
	}
	return to, nil
}

// names are the symbols of a model, and those that were added.
type names struct {
	at    map[syntax.SymbolEntry]string // by kind and index
	taken map[string]bool
}

func (m *Model) newNames() names {
	n := names{map[syntax.SymbolEntry]string{}, map[string]bool{}}
	for _, s := range m.Symbols {
		n.at[syntax.SymbolEntry{Kind: s.Kind, Index: s.Index}] = s.Name
		n.taken[s.Name] = true
	}
	return n
}

// of returns the name of an element, or "".
func (n names) of(k syntax.SectionKind, index int) string {
	return n.at[syntax.SymbolEntry{Kind: k, Index: index}]
}

// orPosition returns the name of an element, or its position after a letter.
func (n names) orPosition(k syntax.SectionKind, letter byte, index int) string {
	if name := n.of(k, index); name != "" {
		return name
	}
	return fmt.Sprintf("%c%d", letter, index)
}

// unique returns a name that nothing has, which begins with the one given.
func (n names) unique(name string) string {
	for n.taken[name] {
		name += "_"
	}
	n.taken[name] = true
	return name
}
