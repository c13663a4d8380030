package design

import (
	"fmt"
	"iter"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/internal/nearest"
	"aiglens/internal/source"
)

// Names says what a text calls the elements and signals of its circuit. It never changes
// and is safe for concurrent use. Those of instances have the path of the instance in
// front.
type Names interface {
	// Elements returns the names of the elements, by kind and position; "" for those that
	// the text leaves without one. By them the circuit is compared with another one. The
	// lists are shared.
	Elements() compare.Names
	// LatchName and InputName return the names of elements of the circuit, by position:
	// by them those of another version of the text are found. What the text leaves without
	// a name goes by its literal.
	LatchName(index int) string
	InputName(index int) string
	// Signal returns what the text calls a variable: the name of its input, latch or net.
	// isGiven is false for a word that stands for a literal where the text gives no name,
	// such as lit12; the name is "" for a variable that the text does not have.
	Signal(v circuit.Var) (name string, isGiven bool)
	// Literal returns what the text calls a literal, or "".
	Literal(l circuit.Lit) string
	// Wire returns the literal of a variable that has a name of its own in a text whose
	// signals all have names; ok is false for others.
	Wire(v circuit.Var) (l circuit.Lit, ok bool)
	// FlipFlop returns the literal with the value of what the latch at a position stands for: the
	// latch, unless a tool has stored a flip-flop of its source in another way. found is the register of
	// the source that has this value, where the text says which one that is.
	FlipFlop(index int) (l circuit.Lit, found SourceSignal, isRegister bool)
	// Find returns the literals that a name stands for. Where literals are numbers, these
	// are names as well, and so is the position of an element, such as o0.
	Find(name string) []circuit.Lit
	// Nets yields the signals that have names of their own, without those that are elements
	// alone; where literals are numbers, what a map names.
	Nets() iter.Seq2[string, circuit.Lit]
	// Scopes splits a name as Design.Scopes says.
	Scopes(name string) (path []string, local string)
	// Top returns the name of the model that the circuit is that of, or "".
	Top() string
	Hierarchy
	// Words returns the words that the language, a map beside the text or the text itself
	// gives, in this order. Package words adds those that names make.
	Words() []Word
	// NumGateRows returns how many rows define gates; −1 where these are not gates.
	NumGateRows() int
}

// Names returns what the text calls the elements and signals of its circuit.
func (d *Design) Names() Names { return d.elaborate() }

// SignalNamed returns the one literal that a name stands for. The error is a sentence for the
// user.
func (d *Design) SignalNamed(name string) (circuit.Lit, error) {
	found := d.Names().Find(name)
	if len(found) == 0 {
		return 0, fmt.Errorf("there is no signal %q%s", name, nearest.Hint(name, signalNames(d.Names())))
	}
	for _, l := range found[1:] {
		if l != found[0] {
			return 0, fmt.Errorf("%d different signals are called %q; AIGER files have them by position or literal, such as o0 and 12", len(found), name)
		}
	}
	return found[0], nil
}

// signalNames returns the names that a signal may be called by, without positions and numbers.
func signalNames(names Names) []string {
	n := names.Elements()
	all := slices.Concat(n.Inputs, n.Latches, n.Outputs, n.Bads, n.Constraints)
	for name := range names.Nets() {
		all = append(all, name)
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

// Elements returns the names of inputs and latches, and those of properties.
func (f Flat) Elements() (n compare.Names) {
	for i := range f.Circuit().Inputs() {
		n.Inputs = append(n.Inputs, f.InputName(i))
	}
	for i := range f.Circuit().Latches() {
		found, _ := f.LatchSource(i)
		n.Latches = append(n.Latches, found.Name)
	}
	n.Bads = make([]string, len(f.Circuit().Bads()))
	for _, p := range f.syntax.Properties() {
		if p.ID.Kind == circuit.PropertyBad && p.ID.Index < len(n.Bads) {
			n.Bads[p.ID.Index] = p.Name
		}
	}
	return n
}

// LatchName returns the name of the signal that the latch's line defines; of one
// without a name its literal.
func (f Flat) LatchName(index int) string {
	found, ok := f.LatchSource(index)
	return nameOrLiteral(found, ok)
}

// InputName is LatchName for inputs.
func (f Flat) InputName(index int) string {
	found, _ := f.InputSource(index)
	return found.Name
}

// Signal returns the name of the signal that a line defines. It looks at the whole text for a
// gate.
func (f Flat) Signal(v circuit.Var) (name string, isGiven bool) {
	c := f.Circuit()
	switch c.Kind(v) {
	case circuit.KindInput:
		name = f.InputName(c.InputIndex(v))
	case circuit.KindLatch:
		name = f.LatchName(c.LatchIndex(v))
	case circuit.KindAnd:
		if number := f.Gates()[v]; number > 1 && number&1 == 0 {
			found, _ := f.GateSource(number >> 1)
			name = found.Name
		}
	}
	return name, name != ""
}

// Literal returns the name of the signal, and says so where it is negated.
func (f Flat) Literal(l circuit.Lit) string {
	name, _ := f.Signal(l.Var())
	if name != "" && l.IsNegated() {
		return "not " + name
	}
	return name
}

// Wire finds none.
func (f Flat) Wire(circuit.Var) (circuit.Lit, bool) { return 0, false }

// FlipFlop returns the latch.
func (f Flat) FlipFlop(index int) (circuit.Lit, SourceSignal, bool) {
	return f.Circuit().Latches()[index].Lit, SourceSignal{}, false
}

// Find looks at the whole text.
func (f Flat) Find(name string) (found []circuit.Lit) {
	for o := range f.syntax.OccurrencesIn(source.Span{Length: f.text.Len()}) {
		if o.Role != RoleDefinition || f.syntax.Name(o.Lit.Signal()) != name {
			continue
		}
		if l, ok := f.LitOf(o.Lit.Signal().Lit()); ok {
			found = append(found, l)
		}
	}
	return found
}

// Nets yields none.
func (f Flat) Nets() iter.Seq2[string, circuit.Lit] { return func(func(string, circuit.Lit) bool) {} }

// Scopes takes a name as it is.
func (f Flat) Scopes(name string) (path []string, local string) { return nil, name }

// Top returns no name.
func (f Flat) Top() string { return "" }

// Words returns none.
func (f Flat) Words() []Word { return nil }

// NumGateRows returns −1: it is not known what rows are.
func (f Flat) NumGateRows() int { return -1 }
