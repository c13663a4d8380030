package blif

import (
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

// PortNames returns the names of the ports of a direction in order.
func (m *Model) PortNames(dir cells.Direction) []statement.Name {
	var ids []statement.Name
	if !m.HasPortLines {
		return m.inferPorts(dir)
	}
	list := m.InputList
	if dir == cells.Output {
		list = m.OutputList
	}
	for _, p := range list {
		ids = append(ids, p.Name)
	}
	if dir == cells.Input {
		for _, p := range m.Clocks {
			if !HasPort(m.InputList, p.Name) {
				ids = append(ids, p.Name)
			}
		}
	}
	return ids
}

// HasPort reports whether a list holds a name.
func HasPort(ports []Port, id statement.Name) bool {
	for _, p := range ports {
		if p.Name == id {
			return true
		}
	}
	return false
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

// inferPorts finds the ports of a model without port lines. Pins of instances
// count where the ports of their model are written down, or can be inferred
// before: it lies in this file and holds no instance of this model.
func (m *Model) inferPorts(dir cells.Direction) []statement.Name {
	driven, read := map[statement.Name]bool{}, map[statement.Name]bool{}
	holds := map[*Model]bool{}
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
			if b = f.InstanceOf(k, i); !b.IsKnown() || b.Model != nil && !b.Model.HasPortLines && !m.infersAfter(b.Model, holds) {
				continue
			}
		}
		f.Roles(k, i, b, func(t uint32, role Role) {
			if role.drives() || role.Reads() {
				note(c.Names[t], role.drives())
			}
		})
	}
	var ids []statement.Name
	for _, id := range order {
		if dir == cells.Input && !driven[id] || dir == cells.Output && !read[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// infersAfter reports whether the ports of a model without port lines can be
// inferred before those of m. holds keeps, by model, whether one with inferred
// ports below it is m, or lies in a circle.
func (m *Model) infersAfter(other *Model, holds map[*Model]bool) bool {
	if other == m || other.File != m.File {
		return false
	}
	found, known := holds[other]
	if known {
		return !found
	}
	holds[other] = true // while it is being looked at
	f := m.File
	for id := other.From; id < other.BodyEnd; id++ {
		k, i := f.Locate(id)
		if !f.Chunks[k].Stmts[i].Kind.IsInstance() {
			continue
		}
		if next := f.InstanceOf(k, i).Model; next != nil && !next.HasPortLines && next.File == f && !m.infersAfter(next, holds) {
			return false
		}
	}
	holds[other] = false
	return true
}
