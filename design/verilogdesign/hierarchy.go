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
}

func newHierarchy(out *synthesis.Output) *hierarchy {
	h := &hierarchy{modules: map[string]*module{}}
	for _, n := range out.Modules {
		m := &module{netlist: n, instances: map[string]string{}, driven: map[yosys.NetBit]bool{}, wires: map[string]*yosys.Wire{}}
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
