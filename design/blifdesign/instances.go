package blifdesign

import (
	"iter"

	"aiglens/circuit"
	"aiglens/design"
)

// Instances returns the models of the flattened hierarchy.
func (e elaboration) Instances() []design.ModelInstance {
	if e.NumInstances() < 2 {
		return nil
	}
	all := make([]design.ModelInstance, e.NumInstances())
	for id := range all {
		all[id].Parent, all[id].Name = e.InstanceNameAt(id)
		all[id].Model = e.ModelAt(id).Name
	}
	return all
}

// Homes yields the nets that a statement of an instance drives.
func (e elaboration) Homes() iter.Seq2[circuit.Var, design.Home] {
	return func(yield func(circuit.Var, design.Home) bool) {
		for net, v := range e.Driven() {
			id, name := e.NetIn(net)
			if !yield(v, design.Home{Instance: id, Name: name}) {
				return
			}
		}
	}
}

// Ports returns those of the model of an instance.
func (e elaboration) Ports(instance int) (all []design.Port) {
	m := e.ModelAt(instance)
	for i, names := range [][]string{m.Inputs(), m.Outputs()} {
		for _, name := range names {
			if l, ok := e.LitIn(instance, m.Signal(name)); ok {
				all = append(all, design.Port{Name: name, Lit: l, IsOutput: i == 1})
			}
		}
	}
	return all
}
