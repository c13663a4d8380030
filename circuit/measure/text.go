package measure

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"aiglens/circuit"
)

// Names are what people call the parts of a circuit.
type Names struct {
	Signal   func(circuit.Var) string
	Property func(circuit.Property) string
	// Rows is the number of ANDs that the file has; less than 0 where it has none.
	Rows int
	// Words says how many vectors people read as one value, and how wide they are; "" for none.
	Words string
}

// maxCones bounds the cones that a text lists.
const maxCones = 40

// Text says the measures for people, a line each, indented. more is said of the cones that
// are too many to be listed.
func (s *Stats) Text(n Names, more string) string {
	var w strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&w, "  %-12s %s\n", label, fmt.Sprintf(format, args...))
	}
	line("inputs", "%d", s.Inputs)
	line("latches", "%d%s", s.Latches, inParentheses(count{s.Resets.Zero, "start with 0"}, count{s.Resets.One, "with 1"}, count{s.Resets.Free, "free"}, count{s.Resets.Function, "with a function"}))
	line("outputs", "%d", s.Outputs)
	if n.Words != "" {
		line("words", "%s", n.Words)
	}
	line("properties", "%d%s", len(s.Cones), inParentheses(count{s.Bads, "bad"}, count{s.Justice, "justice"}))
	if s.Constraints+s.Fairness > 0 {
		line("constraints", "%d%s", s.Constraints, inParentheses(count{s.Fairness, "fairness"}))
	}
	rows := count{max(0, n.Rows), "rows of the file"}
	if rows.n == 1 {
		rows.what = "row of the file"
	}
	line("gates", "%d%s", s.Gates, inParentheses(rows, count{s.Unused, "unused"}))
	line("levels", "%d", s.Levels)
	if s.FanOut.Max > 0 {
		of := n.Signal(s.FanOut.Of)
		if of != "" {
			of = " (" + of + ")"
		}
		line("fan-out", "%d at most%s, %.2f on average", s.FanOut.Max, of, s.FanOut.Mean)
	}
	if s.Latches > 0 {
		line("components", "%d of latches (strongly connected), %d with cycles, the largest of %d", s.Components.Count, s.Components.Cycles, s.Components.Largest)
	}
	xors, muxes := s.Shares()
	line("xor", "%d, %.1f %% of the gates that are used", s.Shapes.Xors, 100*xors)
	line("mux", "%d, %.1f %% of the gates that are used", s.Shapes.Muxes, 100*muxes)
	s.cones(&w, n, more)
	return w.String()
}

// Shares returns which part of the gates that are used belongs to exclusive ors, and to
// multiplexers.
func (s *Stats) Shares() (xors, muxes float64) {
	used := float64(max(1, s.Gates-s.Unused))
	return float64(s.Shapes.XorGates) / used, float64(s.Shapes.MuxGates) / used
}

// cones writes a table of the cones of the properties.
func (s *Stats) cones(w *strings.Builder, n Names, more string) {
	if len(s.Cones) == 0 {
		return
	}
	label := func(p circuit.Property) string {
		if name := n.Property(p); name != "" {
			return fmt.Sprintf("%s (%s)", p, name)
		}
		return p.String()
	}
	shown := s.Cones[:min(maxCones, len(s.Cones))]
	width := 0
	for _, k := range shown {
		width = max(width, utf8.RuneCountInString(label(k.Property)))
	}
	fmt.Fprintf(w, "  %-*s %8s %8s %8s\n", width+2, "cone of", "inputs", "latches", "gates")
	for _, k := range shown {
		fmt.Fprintf(w, "    %-*s %8d %8d %8d\n", width, label(k.Property), k.Inputs, k.Latches, k.Gates)
	}
	if left := len(s.Cones) - len(shown); left > 0 {
		fmt.Fprintf(w, "    %d more%s\n", left, more)
	}
}

type count struct {
	n    int
	what string
}

// inParentheses lists in parentheses the counts that are not 0.
func inParentheses(counts ...count) string {
	var parts []string
	for _, c := range counts {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
