package flat

import (
	"strings"

	"aiglens/blif"
	"aiglens/circuit"
)

// name returns the path of a node: instances, then its signal.
func (e *Elaboration) name(node uint32) string {
	i := e.instanceOf(node)
	in := &e.instances[i]
	return e.path(i) + in.model.File.Name(in.signal(node))
}

// maxLabel is about how many bytes of a path messages show.
const maxLabel = 200

// label is name for messages: of a path that is longer than anybody reads the inner end.
func (e *Elaboration) label(node uint32) string {
	i := e.instanceOf(node)
	in := &e.instances[i]
	label := in.model.File.Name(in.signal(node))
	for ; e.instances[i].parent >= 0; i = e.instances[i].parent {
		if len(label) > maxLabel {
			return "…/" + label
		}
		in := &e.instances[i]
		label = e.instances[in.parent].model.File.InstanceName(in.call) + "/" + label
	}
	return label
}

// path returns the names of the instances down to i, each followed by a '/'
// it. BLIF does not name instances: a .cname does, else the first net that the
// instance drives.
func (e *Elaboration) path(i int) string {
	var parts []string
	for ; e.instances[i].parent >= 0; i = e.instances[i].parent {
		in := &e.instances[i]
		parts = append(parts, e.instances[in.parent].model.File.InstanceName(in.call))
	}
	var b strings.Builder
	for j := len(parts) - 1; j >= 0; j-- {
		b.WriteString(parts[j])
		b.WriteByte('/')
	}
	return b.String()
}

// IsNetLatch reports whether a latch of the circuit is one of the files, rather than one of
// those that a property comes with; IsNetInput the same of an input.
func (e *Elaboration) IsNetLatch(i int) bool { return i < len(e.latchOf) }

// IsNetInput is IsNetLatch for an input.
func (e *Elaboration) IsNetInput(i int) bool { return e.inputOf[i] != noNode }

// LatchName returns the flattened name of a latch of the circuit.
func (e *Elaboration) LatchName(i int) string {
	if n := len(e.latchOf); i >= n {
		return e.monitors.latches[i-n]
	}
	return e.name(e.latchOf[i])
}

// InputName returns the flattened name of an input of the circuit; of an input
// after those of the top model that of the signal that was cut.
func (e *Elaboration) InputName(i int) string {
	if !e.IsNetInput(i) {
		return e.monitors.inputs[i]
	}
	return e.name(e.inputOf[i])
}

// ConstraintName returns a name for a constraint of the circuit: that of its net,
// with "not_" in front where this must be 0; "" for one that has none.
func (e *Elaboration) ConstraintName(i int) string { return e.nameOf(e.conditions[i]) }

// FairnessName is ConstraintName for a fairness constraint.
func (e *Elaboration) FairnessName(i int) string { return e.nameOf(e.fairWhen[i]) }

func (e *Elaboration) nameOf(c condition) string {
	switch {
	case c.in < 0 && c.negated:
		return "not_" + e.name(c.node)
	case c.in < 0:
		return e.name(c.node)
	case c.cell == "":
		return ""
	default:
		return e.path(c.in) + c.cell
	}
}

// litOf returns the circuit's literal for a node. ok is false when the node has
// no sound driver, or is only a clock.
func (e *Elaboration) litOf(node uint32) (l circuit.Lit, ok bool) {
	if e.lits[node] == unset || e.faults[node] != nil {
		return 0, false
	}
	return e.lits[node], true
}

// Instance is a model in the flattened hierarchy.
type Instance struct {
	Parent    int    // -1 for the top
	Path      string // names of instances with '/' between them; "" for the top
	Model     *blif.Model
	Statement int // that of the instance in the parent's file; -1 for the top
}

// NumInstances returns the number of models in the flattened hierarchy.
func (e *Elaboration) NumInstances() int { return len(e.instances) }

// ModelAt returns the model of an instance, without the path that InstanceAt writes.
func (e *Elaboration) ModelAt(id int) *blif.Model { return e.instances[id].model }

// InstanceAt returns one of them; 0 is the top.
func (e *Elaboration) InstanceAt(id int) Instance {
	in := &e.instances[id]
	return Instance{in.parent, strings.TrimSuffix(e.path(id), "/"), in.model, in.call}
}

// LitIn returns the circuit's literal for a signal of the model of an instance.
func (e *Elaboration) LitIn(id int, s blif.Signal) (l circuit.Lit, ok bool) {
	in := &e.instances[id]
	if in.model.File.SignalModel(s) != in.model {
		return 0, false
	}
	return e.litOf(in.base + uint32(s-in.model.File.Resolved().Bases[in.model.Index]))
}

// Net is a net of the flattened hierarchy: a signal of the model of an instance.
type Net struct {
	Name   string // flattened
	File   *blif.File
	Signal blif.Signal // of File
}

// NetAt returns a net by its number, from 0 to NumNets.
func (e *Elaboration) NetAt(number int) Net {
	node := uint32(number)
	in := &e.instances[e.instanceOf(node)]
	return Net{e.name(node), in.model.File, in.signal(node)}
}

// NumNets returns the number of nets in the flattened hierarchy. Those of an instance
// stand after those of the instance that it is in.
func (e *Elaboration) NumNets() int { return len(e.lits) }

// NetLit returns the circuit's literal for a net.
func (e *Elaboration) NetLit(number int) (l circuit.Lit, ok bool) { return e.litOf(uint32(number)) }
