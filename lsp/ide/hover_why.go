package ide

import (
	"fmt"
	"strings"

	"aiglens/circuit/trace"
	"aiglens/design/runs"
)

// Bounds of the tree in a hover.
var hoverCauses = trace.Limit{Depth: 4, Nodes: 14}

// why adds the reasons for the value of a signal at the step that is shown, or for the
// failure of a property.
func (h *hover) why(root *runs.Cause, err error) {
	if err != nil || len(root.Causes) == 0 {
		return
	}
	var b strings.Builder
	if root.IsLasso() {
		fmt.Fprintf(&b, "why %s fails, again and again:\n", code(root.Source.Name))
	} else {
		fmt.Fprintf(&b, "why %s:\n", code(root.String()))
	}
	writeCauses(&b, root, 0)
	h.add("%s", strings.TrimRight(b.String(), "\n"))
}

func writeCauses(b *strings.Builder, c *runs.Cause, depth int) {
	for _, cause := range c.Causes {
		note := cause.Because()
		switch {
		case cause.Repeated:
			note = "as above"
		case cause.Cut:
			note = "…"
		}
		if note != "" {
			note = " · " + note
		}
		fmt.Fprintf(b, "%s- %s%s\n", strings.Repeat("  ", depth), code(cause.String()), note)
		writeCauses(b, cause, depth+1)
	}
}
