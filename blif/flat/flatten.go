package flat

import (
	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/netlist"
)

// maxNodes bounds the flattened signals and instances: models that each hold
// two of the next grow exponentially.
const maxNodes = 1 << 25

// flatten lists the instances, those of a level before those of the next.
func (x *elaborator) flatten(top *blif.Model) {
	x.recursion = recursionBelow(top)
	x.instantiate(top, -1, -1)
	for i := 0; i < len(x.e.instances) && !x.hasEnded(); i++ {
		in := &x.e.instances[i]
		f, m := in.model.File, in.model
		calls := f.Resolved().Calls[m.Index]
		if len(calls) == 0 {
			continue
		}
		children := make([]int, len(calls))
		for j, call := range calls {
			children[j] = -1
			other := call.Block.Model
			if other == nil || other.BlackBox || x.holds(i, other) {
				continue
			}
			if x.hasEnded() {
				return
			}
			if int(x.nodes)+16*len(x.e.instances) > maxNodes {
				x.tooLarge()
				return
			}
			children[j] = x.instantiate(other, i, call.Statement)
		}
		x.e.instances[i].children = children
	}
	if len(x.e.instances) > 1 {
		x.e.alias = make([]uint32, x.nodes)
		for i := range x.e.instances {
			if x.hasEnded() {
				return
			}
			x.connect(i)
		}
	}
}

// tooLarge leaves only the top model, which then has no verdicts.
func (x *elaborator) tooLarge() {
	d := codes.Finding(codes.TooLarge, x.f.Top().NameSpan(),
		"the flattened hierarchy has more than 32 million signals, or 2 million instances")
	x.e.structural = &d
	x.e.instances = x.e.instances[:1]
	x.e.instances[0].children = nil
	x.nodes = uint32(len(x.e.instances[0].body.Drivers))
}

// holds reports whether instance i lies in an instance of m, of which it is about to
// hold one: then the models in between hold each other.
func (x *elaborator) holds(i int, m *blif.Model) bool {
	group := x.recursion[m]
	if _, known := x.bodies[m]; group == 0 || !known { // it has no instance yet
		return false
	}
	for ; i >= 0 && x.recursion[x.e.instances[i].model] == group; i = x.e.instances[i].parent {
		if x.e.instances[i].model == m {
			return true
		}
	}
	return false
}

func (x *elaborator) instantiate(m *blif.Model, parent, call int) int {
	b, ok := x.bodies[m]
	if !ok {
		b = netlist.Compile(m)
		x.bodies[m] = b
	}
	c, ok := x.checkups[m.File]
	if !ok {
		c = diagnose.CheckupOf(m.File)
		x.checkups[m.File] = c
	}
	in := instance{model: m, body: b, parent: parent, call: call, base: x.nodes, faults: c, entry: call}
	if parent >= 0 {
		outer := &x.e.instances[parent]
		if in.around = outer.faults.Faults[call]; in.around == nil {
			in.around = outer.around
		}
		if outer.model.File != x.f {
			in.entry = outer.entry
		}
	}
	x.e.instances = append(x.e.instances, in)
	x.nodes += uint32(len(b.Drivers))
	return len(x.e.instances) - 1
}

// connect joins the ports of the children of an instance to its signals.
func (x *elaborator) connect(i int) {
	in := &x.e.instances[i]
	f := in.model.File
	r := f.Resolved()
	for j, child := range in.children {
		if child < 0 {
			continue
		}
		ch := &x.e.instances[child]
		call := r.Calls[in.model.Index][j]
		k, s := f.Locate(call.Statement)
		c := f.Chunks[k]
		lo, hi := c.TokensOf(s)
		for t := lo + 2; t+1 < hi; t += 2 {
			if c.Tokens[t+1].Length == 0 {
				continue
			}
			dir, index, ok := call.Block.Port(f.NameText(c.Names[t]))
			if !ok {
				continue
			}
			local := r.Lookup(in.model.Index, c.Names[t+1])
			node := in.base + uint32(local-r.Bases[in.model.Index])
			if dir == cells.Input {
				if port := ch.base + ch.body.Inputs[index]; x.e.alias[port] == 0 {
					x.e.alias[port] = node + 1
				}
			} else if d := in.body.Drivers[node-in.base]; d.Kind == netlist.DriverInstance && int(d.Statement) == call.Statement && x.e.alias[node] == 0 {
				x.e.alias[node] = ch.base + ch.body.Outputs[index] + 1
			}
		}
	}
}
