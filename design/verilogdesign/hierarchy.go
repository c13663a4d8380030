package verilogdesign

import (
	"strings"

	"aiglens/internal/synthesis"
	"aiglens/internal/yosys"
)

// hierarchy is the modules before they were flattened.
type hierarchy struct {
	modules map[string]*module
	top     *module
}

// module is what a module says of its own wires.
type module struct {
	netlist   *yosys.Netlist
	instances map[string]string // types by name
	driven    map[yosys.NetBit]bool
	wires     map[string]*yosys.Wire
	cells     map[string]*yosys.Cell
}

func newHierarchy(out *synthesis.Output) *hierarchy {
	h := &hierarchy{modules: map[string]*module{}}
	for _, n := range out.Modules {
		m := &module{netlist: n, instances: map[string]string{}, driven: map[yosys.NetBit]bool{}, wires: map[string]*yosys.Wire{}, cells: map[string]*yosys.Cell{}}
		for i := range n.Cells {
			m.add(&n.Cells[i])
		}
		for i := range n.Wires {
			m.wires[n.Wires[i].Name] = &n.Wires[i]
		}
		if h.modules[n.Name] = m; n.IsTop || h.top == nil {
			h.top = m
		}
	}
	return h
}

func (m *module) add(c *yosys.Cell) {
	if !strings.HasPrefix(c.Type, "$") || strings.HasPrefix(c.Type, "$paramod") {
		m.instances[c.Name] = c.Type
		return
	}
	m.cells[c.Name] = c
	if strings.Contains(c.Type, "ff") || strings.Contains(c.Type, "latch") {
		for _, b := range c.Ports["Q"] {
			m.driven[b] = true
		}
	}
}

// within returns the module that a path leads to, and the rest of the path inside of it.
func (h *hierarchy) within(path []string) (*module, []string) {
	m := h.top
	for m != nil && len(path) > 1 {
		next, ok := m.instances[path[0]]
		if !ok {
			break
		}
		m, path = h.modules[next], path[1:]
	}
	return m, path
}

// wireOf returns the attributes that a wire has in its own module, which say where it stands; nil for
// none. After flatten its places are mixed with those of the instances around it.
func (h *hierarchy) wireOf(path []string) yosys.Attributes {
	m, name := h.owner(joined(path), func(m *module, name string) bool { return m.wires[name] != nil })
	if m == nil {
		return nil
	}
	return m.wires[name].Attributes
}

// cellOf is wireOf for a cell.
func (h *hierarchy) cellOf(path []string) yosys.Attributes {
	m, name := h.owner(joined(path), func(m *module, name string) bool { return m.cells[name] != nil })
	if m == nil {
		return nil
	}
	return m.cells[name].Attributes
}

// owner returns the module that has a name, and the name inside of it. A path may have points
// within its parts; the names of instances before the last of them lead to the module.
func (h *hierarchy) owner(name string, has func(*module, string) bool) (*module, string) {
	m := h.top
	for m != nil {
		if has(m, name) {
			return m, name
		}
		at := len(name)
		var next *module
		for at >= 0 && next == nil {
			if at = strings.LastIndexByte(name[:at], '.'); at >= 0 {
				next = h.modules[m.instances[name[:at]]]
			}
		}
		if next != nil {
			name = name[at+1:]
		}
		m = next
	}
	return nil, ""
}

// isRegister reports whether a flip-flop in the module of a wire drives a bit of it, or it is a
// word of a memory.
func (h *hierarchy) isRegister(path []string) bool {
	m, rest := h.within(path)
	if m == nil {
		return false
	}
	w := m.wires[joined(rest)]
	if w == nil {
		return len(rest) > 1 && strings.HasPrefix(rest[len(rest)-1], "[")
	}
	for _, b := range w.Bits {
		if m.driven[b] {
			return true
		}
	}
	return false
}

// memoryOf returns the attributes of the memory that a path is a word of; nil for another path.
func (h *hierarchy) memoryOf(path []string) yosys.Attributes {
	m, rest := h.within(path)
	if m == nil || len(rest) != 2 || !strings.HasPrefix(rest[1], "[") {
		return nil
	}
	return m.netlist.Memories[rest[0]]
}
