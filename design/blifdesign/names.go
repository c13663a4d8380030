package blifdesign

import (
	"iter"

	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
)

// Elements returns flattened names, and those of properties.
func (e elaboration) Elements() compare.Names { return e.elements() }

func (e elaboration) findElements() compare.Names {
	f, c := e.syntax.file, e.Circuit()
	n := compare.Names{Hidden: f.ShownOutputs()}
	if top := f.Top(); top != nil {
		n.Outputs = top.Outputs()
	}
	for i := range c.Inputs() {
		n.Inputs = append(n.Inputs, e.InputName(i))
	}
	for i := range c.Latches() {
		n.Latches = append(n.Latches, e.LatchName(i))
	}
	for i := range c.Constraints() {
		n.Constraints = append(n.Constraints, e.ConstraintName(i))
	}
	for i := range c.Fairness() {
		n.Fairness = append(n.Fairness, e.FairnessName(i))
	}
	for _, p := range f.Properties() {
		switch p.ID.Kind {
		case circuit.PropertyBad:
			n.Bads = append(n.Bads, p.Name)
			n.Asserts = append(n.Asserts, p.Negated && p.Rule != blif.RuleCell) // of a cell it is that of the cell
		case circuit.PropertyJustice:
			n.Justice = append(n.Justice, p.Name)
		case circuit.PropertyLemma:
			n.Lemmas = append(n.Lemmas, p.Name)
		case circuit.PropertyCover:
			n.Covers = append(n.Covers, p.Name)
		}
	}
	return n
}

// netsByVar are the nets of variables: by variable 1 + the number of the first net that it is,
// and that of the first one that is its negation, where no net is the variable.
type netsByVar struct {
	equal   []int32
	negated map[circuit.Var]int
}

func (e elaboration) netsByVar() netsByVar {
	n := netsByVar{make([]int32, e.Circuit().NumVars()), map[circuit.Var]int{}}
	for i := range e.NumNets() {
		if l, ok := e.NetLit(i); ok && !l.IsNegated() && n.equal[l.Var()] == 0 {
			n.equal[l.Var()] = int32(i + 1)
		}
	}
	for i := range e.NumNets() {
		if l, ok := e.NetLit(i); ok && l.IsNegated() && l.Var() != 0 && n.equal[l.Var()] == 0 {
			if _, isKnown := n.negated[l.Var()]; !isKnown {
				n.negated[l.Var()] = i
			}
		}
	}
	return n
}

// Signal returns the flattened name of a net, else that of an element that is not a net.
func (e elaboration) Signal(v circuit.Var) (name string, isGiven bool) {
	c := e.Circuit()
	if net := e.nets().equal[v]; v != 0 && net > 0 {
		name = e.NetAt(int(net) - 1).Name
	} else if i := c.InputIndex(v); i >= 0 {
		name = e.InputName(i)
	} else if i := c.LatchIndex(v); i >= 0 {
		name = e.LatchName(i)
	}
	return name, name != ""
}

// Wire returns the variable, or its negation where only that is a net.
func (e elaboration) Wire(v circuit.Var) (circuit.Lit, bool) {
	n := e.nets()
	_, isNegated := n.negated[v]
	return v.Lit().NotIf(isNegated), isNegated || n.equal[v] > 0 && v != 0
}

// Literal returns the name of the net that a literal is, else that of its negation.
func (e elaboration) Literal(l circuit.Lit) string {
	if net, isNegated := e.nets().negated[l.Var()]; isNegated && l.IsNegated() {
		return e.NetAt(net).Name
	}
	name, _ := e.Signal(l.Var())
	if name != "" && l.IsNegated() {
		return "not " + name
	}
	return name
}

// Find returns the nets with a flattened name.
func (e elaboration) Find(name string) (found []circuit.Lit) {
	for net, l := range e.Nets() {
		if net == name {
			found = append(found, l)
		}
	}
	return found
}

// Nets yields the nets by their flattened names.
func (e elaboration) Nets() iter.Seq2[string, circuit.Lit] {
	return func(yield func(string, circuit.Lit) bool) {
		for i := range e.NumNets() {
			if l, ok := e.NetLit(i); ok && !yield(e.NetAt(i).Name, l) {
				return
			}
		}
	}
}

// Top returns the name of the top model.
func (e elaboration) Top() string {
	if top := e.syntax.file.Top(); top != nil {
		return top.Name
	}
	return ""
}

// NumGateRows returns −1: covers are not gates.
func (e elaboration) NumGateRows() int { return -1 }

// FlipFlop returns the latch.
func (e elaboration) FlipFlop(index int) (circuit.Lit, design.SourceSignal, bool) {
	return e.Circuit().Latches()[index].Lit, design.SourceSignal{}, false
}
