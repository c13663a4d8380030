package ide

import (
	"path/filepath"
	"strings"

	"aiglens/design"
	"aiglens/design/answers"
)

// model says what a model has, and where it is used.
func (h *hover) model(d *design.Design, s design.Signal) {
	inputs, outputs, latches := d.ModelCounts(s)
	h.add("%s, %s, %s", answers.Count(inputs, "input", "inputs"), answers.Count(outputs, "output", "outputs"), answers.Count(latches, "latch", "latches"))
	used, _ := d.CountUses(s)
	h.add("%s", answers.Count(used, "instance", "instances"))
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
			h.add("%s, %s", answers.Count(len(t.Inputs), "input", "inputs"), answers.Count(len(t.Outputs), "output", "outputs"))
		}
	}
	line, _ := t.Text.LineColumn(t.Span.Start)
	h.add("%s, line %d", code(filepath.Base(t.Path)), line)
}
