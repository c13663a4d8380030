package aigerdesign

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/compare"
)

// contents is what names rest on: a text, or a binary file.
type contents interface {
	// symbol returns the name of an element, or "".
	symbol(k syntax.SectionKind, index int) string
	// asides returns the names of the lemmas or covers, "" for those without.
	asides(syntax.AsideKind) []string
	// overlaid returns the names that maps give; nil for none.
	overlaid() *overlay
	// defined yields the literals that the rows of a section define, in their order.
	defined(syntax.SectionKind) iter.Seq[uint32]
	// litOf returns the circuit's literal for one of the file; ok is false for one that is
	// not soundly defined.
	litOf(lit uint32) (l circuit.Lit, ok bool)
}

// names says what an AIGER file calls the elements and signals of its circuit: symbols, and
// literals for what has none.
type names struct {
	contents
	circuit  *circuit.Circuit
	elements func() compare.Names
	literals func() []uint32 // by variable: its literal in the file; 0 for none
}

func newNames(of contents, c *circuit.Circuit) *names {
	n := &names{contents: of, circuit: c}
	n.elements = sync.OnceValue(n.findElements)
	n.literals = sync.OnceValue(n.findLiterals)
	return n
}

// Elements returns the symbols.
func (n *names) Elements() compare.Names { return n.elements() }

func (n *names) findElements() compare.Names {
	list := func(k syntax.SectionKind, size int) []string {
		all := make([]string, size)
		for i := range all {
			all[i] = n.symbol(k, i)
		}
		return all
	}
	c := n.circuit
	return compare.Names{
		Inputs: list(syntax.SectionInputs, len(c.Inputs())), Latches: list(syntax.SectionLatches, len(c.Latches())),
		Outputs: list(syntax.SectionOutputs, len(c.Outputs())), Bads: list(syntax.SectionBads, len(c.Bads())),
		Justice: list(syntax.SectionJustice, len(c.Justice())), Fairness: list(syntax.SectionFairness, len(c.Fairness())),
		Constraints: list(syntax.SectionConstraints, len(c.Constraints())),
		Lemmas:      n.asides(syntax.AsideLemma), Covers: n.asides(syntax.AsideCover),
	}
}

func (n *names) findLiterals() []uint32 {
	all := make([]uint32, n.circuit.NumVars())
	for _, section := range []syntax.SectionKind{syntax.SectionInputs, syntax.SectionLatches, syntax.SectionAnds} {
		for lit := range n.defined(section) {
			if l, ok := n.litOf(lit); ok && !l.IsNegated() && l.Var() != 0 && all[l.Var()] == 0 {
				all[l.Var()] = lit
			}
		}
	}
	return all
}

// literalPrefix stands before the literal of a signal that has no other name.
const literalPrefix = "lit"

// Signal returns the symbol of an input or latch, else the literal.
func (n *names) Signal(v circuit.Var) (name string, isGiven bool) {
	if i := n.circuit.InputIndex(v); i >= 0 {
		name = n.symbol(syntax.SectionInputs, i)
	} else if i := n.circuit.LatchIndex(v); i >= 0 {
		name = n.symbol(syntax.SectionLatches, i)
	}
	if name != "" {
		return name, true
	}
	if lit := n.literals()[v]; lit != 0 {
		if name, ok := n.overlaid().gate(lit); ok {
			return name, true
		}
		return literalPrefix + strconv.FormatUint(uint64(lit), 10), false
	}
	return "", false
}

// Literal returns a symbol, else the number of the literal.
func (n *names) Literal(l circuit.Lit) string {
	switch name, isGiven := n.Signal(l.Var()); {
	case name == "":
		return ""
	case !isGiven:
		return strconv.FormatUint(uint64(n.literals()[l.Var()]|uint32(l&1)), 10)
	case l.IsNegated():
		return "not " + name
	default:
		return name
	}
}

// Wire finds none: signals are numbers.
func (n *names) Wire(circuit.Var) (circuit.Lit, bool) { return 0, false }

// Nets yields what maps name, but for names of two signals; none without a map.
func (n *names) Nets() iter.Seq2[string, circuit.Lit] {
	return func(yield func(string, circuit.Lit) bool) {
		if n.overlaid() == nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(n.overlaid().byName)) {
			if found := n.findWire(name); len(found) == 1 && !yield(name, found[0]) {
				return
			}
		}
	}
}

// Scopes takes a name as it is.
func (n *names) Scopes(name string) (path []string, local string) { return nil, name }

// Top returns no name: files have one circuit.
func (n *names) Top() string { return "" }

// Find returns the signals with a symbol, else the element at a position, such as o0, else
// the literal of a number, such as 12 or lit12.
func (n *names) Find(name string) []circuit.Lit {
	if name == "" {
		return nil
	}
	if found := n.findWire(name); len(found) > 0 {
		return found
	}
	c, e := n.circuit, n.elements()
	f := finder{name: name}
	f.look("i", e.Inputs, func(i int) circuit.Lit { return c.Inputs()[i].Lit })
	f.look("l", e.Latches, func(i int) circuit.Lit { return c.Latches()[i].Lit })
	for _, list := range []struct {
		letter  string
		names   []string
		signals []circuit.Signal
	}{
		{"o", e.Outputs, c.Outputs()}, {"b", e.Bads, c.Bads()}, {"c", e.Constraints, c.Constraints()}, {"f", e.Fairness, c.Fairness()},
	} {
		f.look(list.letter, list.names, func(i int) circuit.Lit { return list.signals[i].Lit })
	}
	if len(f.byName) > 0 {
		return f.byName
	}
	if len(f.byPosition) > 0 {
		return f.byPosition
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(name, literalPrefix), 10, 32)
	if err != nil {
		return nil
	}
	if l, ok := n.litOf(uint32(number)); ok {
		return []circuit.Lit{l}
	}
	return nil
}

// finder collects the elements that a name stands for.
type finder struct {
	name               string
	byName, byPosition []circuit.Lit
}

// look looks among the elements of one kind, which have a letter.
func (f *finder) look(letter string, names []string, at func(index int) circuit.Lit) {
	for i, symbol := range names {
		if symbol == f.name {
			f.byName = append(f.byName, at(i))
		}
	}
	digits, isPosition := strings.CutPrefix(f.name, letter)
	if i, err := strconv.Atoi(digits); isPosition && err == nil && i >= 0 && i < len(names) {
		f.byPosition = append(f.byPosition, at(i))
	}
}
