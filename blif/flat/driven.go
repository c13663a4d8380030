package flat

import (
	"iter"
	"slices"

	"aiglens/blif/netlist"
	"aiglens/circuit"
)

// Driven yields the nets that are driven where they stand, by a statement or as an input of the top
// model, with their variables: neither ports through which a net comes in, nor copies of other nets.
func (e *Elaboration) Driven() iter.Seq2[int, circuit.Var] {
	return func(yield func(int, circuit.Var) bool) {
		for i := range e.instances {
			in := &e.instances[i]
			for s := range in.body.Drivers {
				node := in.base + uint32(s)
				l, ok := e.litOf(node)
				if _, isJoined := e.aliasOf(node); !ok || isJoined || l.Var() == 0 || e.isCopy(in, &in.body.Drivers[s], l.Var()) {
					continue
				}
				if !yield(int(node), l.Var()) {
					return
				}
			}
		}
	}
}

// isCopy reports whether a variable enters what drives it.
func (e *Elaboration) isCopy(in *instance, d *netlist.Driver, v circuit.Var) bool {
	return d.Kind != netlist.DriverLatch && slices.ContainsFunc(in.body.Operands[d.From:d.To], func(op uint32) bool {
		l, ok := e.litOf(in.base + op)
		return ok && l.Var() == v
	})
}

// NetIn returns the instance of a net by its number, and the name of the net there.
func (e *Elaboration) NetIn(number int) (instance int, name string) {
	i := e.instanceOf(uint32(number))
	in := &e.instances[i]
	return i, in.model.File.Name(in.signal(uint32(number)))
}

// InstanceNameAt returns the instance around one, and its name there; -1 and "" for the top.
func (e *Elaboration) InstanceNameAt(id int) (parent int, name string) {
	in := &e.instances[id]
	if in.parent < 0 {
		return -1, ""
	}
	return in.parent, e.instances[in.parent].model.File.InstanceName(in.call)
}
