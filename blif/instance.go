package blif

import (
	"strings"

	"aiglens/circuit"
)

// name returns the path of a node: instances, then its signal.
func (e *Elaboration) name(node uint32) string {
	i := e.instanceOf(node)
	in := &e.instances[i]
	return e.path(i) + in.model.File.Name(in.signal(node))
}

// path returns the names of the instances down to i, each with a '/' behind
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

// InstanceName returns the name of an instance statement: that of its .cname,
// else the first net that it drives, else its model.
func (f *File) InstanceName(id int) string {
	for next := id + 1; next < f.NumStatements(); next++ {
		k, i := f.at(next)
		c := f.chunks[k]
		kind := c.stmts[i].kind
		if lo, hi := c.tokens(i); kind == KindCname && hi-lo > 1 {
			return f.word(k, c.toks[lo+1])
		}
		if kind != KindAttr && kind != KindParam {
			break
		}
	}
	k, i := f.at(id)
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	driven := ""
	f.roles(k, i, f.instanceOf(k, i), func(t uint32, role Role) {
		if role == RolePinOutput && driven == "" {
			driven = f.words.text(c.ids[t])
		}
	})
	if driven == "" && hi-lo > 1 {
		driven = f.words.text(c.ids[lo+1])
	}
	return driven
}

// LatchName returns the flattened name of a latch of the circuit.
func (e *Elaboration) LatchName(i int) string { return e.name(e.latchOf[i]) }

// InputName returns the flattened name of an input of the circuit; of an input
// behind those of the top model that of the signal that was cut.
func (e *Elaboration) InputName(i int) string { return e.name(e.inputOf[i]) }

// ConstraintName returns a name for a constraint of the circuit: that of its net,
// with "not_" in front where this must be 0; "" for one that has none.
func (e *Elaboration) ConstraintName(i int) string { return e.conditions[i] }

// FairnessName returns the flattened name of a fairness constraint.
func (e *Elaboration) FairnessName(i int) string { return e.name(e.fairness[i]) }

// LitOf returns the circuit's literal for a signal of the top model. ok is
// false when the signal has no sound driver, or is only a clock.
func (e *Elaboration) LitOf(s Signal) (l circuit.Lit, ok bool) {
	if len(e.instances) == 0 || e.file.SignalModel(s) != e.instances[0].model {
		return 0, false
	}
	return e.litOf(e.file.local(s))
}

func (e *Elaboration) litOf(node uint32) (l circuit.Lit, ok bool) {
	if e.lits[node] == unset || e.faults[node] != nil {
		return 0, false
	}
	return e.lits[node], true
}

// Instance is a model in the flattened hierarchy.
type Instance struct {
	ID, Parent int    // Parent is -1 for the top
	Path       string // names of instances with '/' between them; "" for the top
	Model      *Model
	Statement  int // that of the instance in the parent's file; -1 for the top
}

// NumInstances returns the number of models in the flattened hierarchy.
func (e *Elaboration) NumInstances() int { return len(e.instances) }

// InstanceAt returns one of them; 0 is the top.
func (e *Elaboration) InstanceAt(id int) Instance {
	in := &e.instances[id]
	return Instance{id, in.parent, strings.TrimSuffix(e.path(id), "/"), in.model, in.call}
}

// LitIn returns the circuit's literal for a signal of the model of an instance.
func (e *Elaboration) LitIn(id int, s Signal) (l circuit.Lit, ok bool) {
	in := &e.instances[id]
	if in.model.File.SignalModel(s) != in.model {
		return 0, false
	}
	return e.litOf(in.base + uint32(s-in.model.File.resolved().bases[in.model.Index]))
}

// Net is a net of the flattened hierarchy: a signal of the model of an instance.
type Net struct {
	Name     string // flattened
	Instance int    // InstanceAt says which
	File     *File
	Signal   Signal // of File
}

// NetAt returns a net by its number, from 0 to NumNets.
func (e *Elaboration) NetAt(number int) Net {
	node := uint32(number)
	i := e.instanceOf(node)
	in := &e.instances[i]
	return Net{e.name(node), i, in.model.File, in.signal(node)}
}

// NumNets returns the number of nets in the flattened hierarchy. Those of an instance
// stand behind those of the instance that it is in.
func (e *Elaboration) NumNets() int { return len(e.lits) }

// NetLit returns the circuit's literal for a net.
func (e *Elaboration) NetLit(number int) (l circuit.Lit, ok bool) { return e.litOf(uint32(number)) }

// openNet is the net that VTR joins to pins that are open: outputs of any number
// of instances.
const openNet = "unconn"

// openNetDriver returns the statement that drives a net with several drivers when
// it is the open net: the only one that is no instance, or -1. ok is false where
// they are too many.
func (f *File) openNetDriver(s Signal) (id int, ok bool) {
	if f.Name(s) != openNet {
		return 0, false
	}
	id = -1
	note := func(stmt int) bool {
		if k, i := f.at(stmt); f.chunks[k].stmts[i].kind.isInstance() {
			return true
		}
		ok := id < 0
		id = stmt
		return ok
	}
	r := f.resolved()
	if r.facts[s]&(factInput|factClock) != 0 || !note(int(r.driver[s])-1) {
		return 0, false
	}
	for _, e := range r.extra {
		if e.signal == s && !note(e.id) {
			return 0, false
		}
	}
	return id, true
}

// isOpenPin reports whether the output of an instance at a signal is open.
func (x *compiler) isOpenPin(s uint32, id int) bool {
	return x.open != 0 && x.f.resolved().bases[x.m.Index]+Signal(s) == x.open && id != x.openDriver
}
