package picture

import (
	"fmt"
	"strings"
)

// Bounds of a layout in ranks, which is clear where few steps lead back and takes too long where
// many do, and of one in rings that moves boxes until none covers another.
const (
	maxBack      = 150  // steps beyond one for each state
	maxSeparated = 1000 // steps
)

// DOT returns the graph in the language of Graphviz; names are those of the latches, in the order
// in which they are to stand in labels: order holds their positions. Labels say vectors as
// one. States where runs begin have a bold frame, those in which the property can fail a double one. The
// steps and states of path, such as g.Path(), have the class "path".
func (g *StateGraph) DOT(names []string, vectors []Vector, order, path []int) string {
	label, legend := g.labels(names, vectors, order)
	onPath, pathSteps := map[int]bool{}, map[[2]int]bool{}
	for k, at := range path {
		onPath[at] = true
		if k > 0 {
			pathSteps[[2]int{path[k-1], at}] = true
		}
	}
	var out strings.Builder
	out.WriteString("digraph states {\n" +
		"bgcolor=transparent; pad=\"0.3,0.06\"; nodesep=0.25; ranksep=0.4; nslimit=2; nslimit1=2; mclimit=0.5;" + g.layout() + "\n" +
		"node [shape=box, style=rounded, " + labelFont + ", height=0.3, width=0.4, margin=\"0.08,0.04\"];\n" +
		"edge [arrowsize=0.5];\n")
	if legend != "" {
		fmt.Fprintf(&out, "legend [class=\"legend\", shape=plaintext, label=\"%s\"];\n", Quoted(legend))
	}
	for i, s := range g.States {
		class, more := "state", ""
		if s.Initial {
			class, more = class+" initial", ", style=\"rounded,bold\""
		}
		if s.Bad {
			class, more = class+" bad", more+", peripheries=2"
		}
		if onPath[i] {
			class, more = class+" path", more+", color=red"
		}
		fmt.Fprintf(&out, "%s [id=\"%s\", class=\"%s\"%s, label=\"%s\"];\n", NodeID(i), NodeID(i), class, more, Quoted(label(s)))
	}
	for i, s := range g.States {
		for _, to := range s.Next {
			class, more := "step", ""
			if pathSteps[[2]int{i, to}] {
				class, more = "step path", ", color=red, penwidth=2"
			}
			fmt.Fprintf(&out, "%s -> %s [class=\"%s\"%s];\n", NodeID(i), NodeID(to), class, more)
		}
	}
	out.WriteString("}\n")
	return out.String()
}

// layout says how Graphviz is to lay out a graph with many steps: in rings about the first state.
func (g *StateGraph) layout() string {
	steps := 0
	for _, s := range g.States {
		steps += len(s.Next)
	}
	rings := " layout=twopi; root=" + NodeID(0) + "; splines=line; overlap="
	switch {
	case steps <= len(g.States)+maxBack:
		return ""
	case steps <= maxSeparated:
		return rings + "prism;"
	}
	return rings + "scale;"
}
