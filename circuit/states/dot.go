package states

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit/schematic"
)

// shownOnes is how many latches at 1 a state is labelled with; where a state has more, all
// are labelled with digits.
const shownOnes = 4

// DOT returns the graph in the language of Graphviz; names are those of the latches, in the order
// in which they are to stand in labels: order holds their positions. States
// where runs begin have a bold frame, those in which the property can fail a double one. The
// steps and states of Path have the class "path".
func (g *Graph) DOT(names []string, order []int) string {
	label, legend := g.labels(names, order)
	path := g.Path()
	var out strings.Builder
	out.WriteString("digraph states {\n" +
		"bgcolor=transparent; nodesep=0.25; ranksep=0.4; nslimit=2; nslimit1=2; mclimit=0.5;\n" +
		"node [shape=box, style=rounded, fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, height=0.3, width=0.4, margin=\"0.08,0.04\"];\n" +
		"edge [arrowsize=0.5];\n")
	if legend != "" {
		fmt.Fprintf(&out, "legend [class=\"legend\", shape=plaintext, label=\"%s\"];\n", schematic.Quoted(legend))
	}
	for i, s := range g.States {
		class, more := "state", ""
		if s.Initial {
			class, more = class+" initial", ", style=\"rounded,bold\""
		}
		if s.Bad {
			class, more = class+" bad", more+", peripheries=2"
		}
		if slices.Contains(path, i) {
			class, more = class+" path", more+", color=red"
		}
		fmt.Fprintf(&out, "n%d [id=\"n%d\", class=\"%s\"%s, label=\"%s\"];\n", i, i, class, more, schematic.Quoted(label(s)))
	}
	for i, s := range g.States {
		for _, to := range s.Next {
			class, more := "step", ""
			if at := slices.Index(path, i); at >= 0 && at+1 < len(path) && path[at+1] == to {
				class, more = "step path", ", color=red, penwidth=2"
			}
			fmt.Fprintf(&out, "n%d -> n%d [class=\"%s\"%s];\n", i, to, class, more)
		}
	}
	out.WriteString("}\n")
	return out.String()
}

// labels says how states are labelled: with the latches that are 1, or with digits, which the
// legend explains.
func (g *Graph) labels(names []string, order []int) (label func(State) string, legend string) {
	ones := func(s State) (all []string) {
		for _, i := range order {
			if s.Values[i] {
				all = append(all, schematic.Shortened(names[i]))
			}
		}
		return all
	}
	for _, s := range g.States {
		if len(ones(s)) > shownOnes {
			var ordered []string
			for _, i := range order {
				ordered = append(ordered, schematic.Shortened(names[i]))
			}
			return func(s State) string { return digits(s, order) }, "digits of a state: " + strings.Join(ordered, " ")
		}
	}
	return func(s State) string {
		if all := ones(s); len(all) > 0 {
			return strings.Join(all, " ")
		}
		return "all 0"
	}, ""
}

func digits(s State, order []int) string {
	var all strings.Builder
	for _, i := range order {
		if s.Values[i] {
			all.WriteByte('1')
		} else {
			all.WriteByte('0')
		}
	}
	return all.String()
}
