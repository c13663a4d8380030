package ide

import (
	"path/filepath"
	"strings"

	"aiglens/design"
)

// model says what a model has, and where it is used.
func (h *hover) model(d *design.Design, s design.Signal) {
	inputs, outputs, latches := d.ModelCounts(s)
	h.add("%s, %s, %s", count(inputs, "input", "inputs"), count(outputs, "output", "outputs"), count(latches, "latch", "latches"))
	used, _ := d.CountUses(s)
	h.add("%s", count(used, "instance", "instances"))
}

// maxPorts bounds the ports of a model that are listed.
const maxPorts = 12

// elsewhere says what a word stands for that another file defines.
func (h *hover) elsewhere(t design.Target) {
	switch {
	case t.Model == "":
		return
	case t.Port != "" && t.IsInput:
		h.add("**input** %s of %s", code(t.Port), code(t.Model))
	case t.Port != "":
		h.add("**output** %s of %s", code(t.Port), code(t.Model))
	default:
		h.add("**model** %s", code(t.Model))
		if len(t.Inputs)+len(t.Outputs) <= maxPorts {
			h.add("%s → %s", code(strings.Join(t.Inputs, " ")), code(strings.Join(t.Outputs, " ")))
		} else {
			h.add("%s, %s", count(len(t.Inputs), "input", "inputs"), count(len(t.Outputs), "output", "outputs"))
		}
	}
	line, _ := t.Text.LineColumn(t.Span.Start)
	h.add("%s, line %d", code(filepath.Base(t.Path)), line)
}
