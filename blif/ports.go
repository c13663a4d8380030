package blif

import (
	"slices"

	"aiglens/blif/cells"
	"aiglens/blif/statement"
)

// Port is a name in a list of inputs, outputs or clocks.
type Port struct {
	Name statement.Name
	Ref  statement.TokenRef
}

// portRef is a port of a model: its direction, and its position among the inputs
// or the outputs.
type portRef struct {
	dir   cells.Direction
	index int
}

// Inputs and Outputs return the names of the ports in order. Of a model with
// neither .inputs nor .outputs they are inferred: what nothing drives and what
// nothing reads. Clocks of .clock lines that are not among the inputs count as
// inputs, last.
func (m *Model) Inputs() []string { return m.portNames(cells.Input) }

// Outputs returns the names of the outputs, see Inputs.
func (m *Model) Outputs() []string { return m.portNames(cells.Output) }

func (m *Model) portNames(dir cells.Direction) []string {
	var names []string
	for _, id := range m.PortNames(dir) {
		names = append(names, m.File.NameText(id))
	}
	return names
}

// PortNames returns the names of the ports of a direction in order. The slice is shared.
func (m *Model) PortNames(dir cells.Direction) []statement.Name {
	p := m.portLists.Load()
	switch {
	case p != nil:
	case m.HasPortLines:
		p = m.listedPorts()
		m.portLists.Store(p)
	default:
		m.File.inferPorts()
		p = m.portLists.Load()
	}
	if dir == cells.Output {
		return p.outputs
	}
	return p.inputs
}

// portLists are the names of the ports of a model.
type portLists struct{ inputs, outputs []statement.Name }

// listedPorts returns those of the port lines.
func (m *Model) listedPorts() *portLists {
	p := &portLists{namesOf(m.InputList), namesOf(m.OutputList)}
	if len(m.Clocks) > 0 {
		listed := make(map[statement.Name]bool, len(p.inputs))
		for _, id := range p.inputs {
			listed[id] = true
		}
		for _, id := range namesOf(m.Clocks) {
			if !listed[id] {
				p.inputs = append(p.inputs, id)
			}
		}
	}
	p.inputs = slices.Clip(p.inputs)
	return p
}

func namesOf(ports []Port) []statement.Name {
	ids := make([]statement.Name, 0, len(ports))
	for _, p := range ports {
		ids = append(ids, p.Name)
	}
	return ids
}

func (m *Model) readPorts() map[string]portRef {
	ports := map[string]portRef{}
	for _, dir := range []cells.Direction{cells.Input, cells.Output} {
		for i, name := range m.portNames(dir) {
			if _, ok := ports[name]; !ok {
				ports[name] = portRef{dir, i}
			}
		}
	}
	return ports
}

// inferAllPorts finds the ports of all models of a file that have no port lines, each
// after those that it holds instances of: pins count where the ports of their model are
// known. The stack is its own, for hierarchies of any depth.
func (f *File) inferAllPorts() {
	const fresh, open, done, circular = 0, 1, 2, 3 // the last: done, and it holds a model that holds itself
	models := f.Models()
	state := make([]uint8, len(models)) // by model
	known := func(m *Model) bool { return m.HasPortLines || m.File == f && state[m.Index] == done }
	type step struct {
		model *Model
		next  int // the statement to look at
		holds bool
	}
	var path []step
	for _, start := range models {
		if start.HasPortLines || state[start.Index] != fresh {
			continue
		}
		state[start.Index], path = open, append(path, step{start, start.From, false})
		for len(path) > 0 {
			at := &path[len(path)-1]
			if at.next == at.model.BodyEnd {
				state[at.model.Index] = done
				if at.holds {
					state[at.model.Index] = circular
				}
				at.model.portLists.Store(at.model.inferPorts(known))
				holds := at.holds
				if path = path[:len(path)-1]; len(path) > 0 {
					path[len(path)-1].holds = path[len(path)-1].holds || holds
				}
				continue
			}
			k, i := f.Locate(at.next)
			at.next++
			if !f.Chunks[k].Stmts[i].Kind.IsInstance() {
				continue
			}
			other := f.InstanceOf(k, i).Model
			if other == nil || other.HasPortLines || other.File != f {
				continue
			}
			switch state[other.Index] {
			case fresh:
				state[other.Index], path = open, append(path, step{other, other.From, false})
			case open, circular:
				at.holds = true
			}
		}
	}
}

// inferPorts finds the ports of a model without port lines. Pins of instances count
// where the ports of their model are known.
func (m *Model) inferPorts(known func(*Model) bool) *portLists {
	driven, read := map[statement.Name]bool{}, map[statement.Name]bool{}
	var order []statement.Name
	f := m.File
	note := func(id statement.Name, drives bool) {
		if !driven[id] && !read[id] {
			order = append(order, id)
		}
		driven[id] = driven[id] || drives
		read[id] = read[id] || !drives
	}
	for id := m.From; id < m.BodyEnd; id++ {
		k, i := f.Locate(id)
		c := f.Chunks[k]
		var b Block
		if c.Stmts[i].Kind.IsInstance() {
			if b = f.InstanceOf(k, i); !b.IsKnown() || b.Model != nil && !known(b.Model) {
				continue
			}
		}
		f.Roles(k, i, b, func(t uint32, role Role) {
			if role.drives() || role.Reads() {
				note(c.Names[t], role.drives())
			}
		})
	}
	p := new(portLists)
	for _, id := range order {
		if !driven[id] && !isConstantNet(f.NameText(id)) {
			p.inputs = append(p.inputs, id)
		}
		if !read[id] {
			p.outputs = append(p.outputs, id)
		}
	}
	return p
}
