package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"aiglens/circuit"
	"aiglens/circuit/measure"
)

// maxCones bounds the properties that stats lists as text.
const maxCones = 40

// statistics says how large a circuit is and how it is made.
func statistics(ctx context.Context, e env, args []string) int {
	var options readFlags
	fs := newFlags("stats", e.stderr)
	options.register(fs)
	format := fs.String("format", "text", "output `format`: text or json")
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) == 0:
		return problem(e, "stats needs a file")
	case *format != "text" && *format != "json":
		return problem(e, "--format: there is no format %q; choose text or json", *format)
	}
	for _, name := range files {
		in, err := read(ctx, e, name, &options)
		if err != nil {
			code = problem(e, "%v", err)
			continue
		}
		n, err := in.named(ctx, e)
		var s *measure.Stats
		if err == nil {
			s, err = measure.Of(ctx, n.circuit, n.properties)
		}
		switch {
		case err != nil:
			code = problem(e, "%s: %v", name, err)
		case *format == "json":
			printLine(e.stdout, jsonOf(n, s))
		default:
			n.writeStats(plainWriter{e.stdout}, s)
		}
	}
	return code
}

// jsonStats is a line of stats --format json.
type jsonStats struct {
	File        string         `json:"file"`
	Inputs      int            `json:"inputs"`
	Latches     int            `json:"latches"`
	Outputs     int            `json:"outputs"`
	Bads        int            `json:"bads"`
	Constraints int            `json:"constraints"`
	Justice     int            `json:"justice"`
	Fairness    int            `json:"fairness"`
	Rows        *int           `json:"rows,omitempty"` // ANDs that an AIGER file has
	Gates       int            `json:"gates"`          // those with the same operands are one
	Unused      int            `json:"unused"`         // gates that nothing depends on
	Levels      int            `json:"levels"`
	FanOut      jsonFanOut     `json:"fanOut"`
	Components  jsonComponents `json:"components"`
	Resets      jsonResets     `json:"resets"`
	Xors        jsonShape      `json:"xors"`
	Muxes       jsonShape      `json:"muxes"`
	Cones       []jsonCone     `json:"cones"`
	Version     string         `json:"version"`
}

type jsonFanOut struct {
	Max    int     `json:"max"`
	Signal string  `json:"signal"` // the first with max
	Mean   float64 `json:"mean"`
}

// jsonComponents are the strongly connected components of the latches.
type jsonComponents struct {
	Count   int `json:"count"`
	Circles int `json:"circles"` // those in which latches depend on themselves
	Largest int `json:"largest"`
}

type jsonResets struct {
	Zero     int `json:"zero"`
	One      int `json:"one"`
	Free     int `json:"free"`
	Function int `json:"function"`
}

// jsonShape counts exclusive ors or multiplexers, and the gates that belong to one.
type jsonShape struct {
	Count int     `json:"count"`
	Gates int     `json:"gates"`
	Share float64 `json:"share"` // of the gates that are used
}

type jsonCone struct {
	Property jsonProperty `json:"property"`
	Inputs   int          `json:"inputs"`
	Latches  int          `json:"latches"`
	Gates    int          `json:"gates"`
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func jsonOf(n *named, s *measure.Stats) jsonStats {
	out := jsonStats{
		File: n.in.name, Inputs: s.Inputs, Latches: s.Latches, Outputs: s.Outputs, Bads: s.Bads,
		Constraints: s.Constraints, Justice: s.Justice, Fairness: s.Fairness,
		Gates: s.Gates, Unused: s.Unused, Levels: s.Levels,
		FanOut:     jsonFanOut{s.FanOut.Max, n.signal(s.FanOut.Of), s.FanOut.Mean},
		Components: jsonComponents(s.Components),
		Resets:     jsonResets(s.Resets),
		Xors:       jsonShape{s.Shapes.Xors, s.Shapes.XorGates, share(s.Shapes.XorGates, s.Gates-s.Unused)},
		Muxes:      jsonShape{s.Shapes.Muxes, s.Shapes.MuxGates, share(s.Shapes.MuxGates, s.Gates-s.Unused)},
		Cones:      []jsonCone{},
		Version:    versionText(),
	}
	if n.rows >= 0 {
		out.Rows = &n.rows
	}
	for _, k := range s.Cones {
		p := jsonProperty{k.Property.Kind.String(), k.Property.Index, n.propertyName(k.Property)}
		out.Cones = append(out.Cones, jsonCone{p, k.Inputs, k.Latches, k.Gates})
	}
	return out
}

// writeStats writes the measures for people.
func (n *named) writeStats(w io.Writer, s *measure.Stats) {
	fmt.Fprintf(w, "%s\n", n.in.name)
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s %s\n", label, fmt.Sprintf(format, args...))
	}
	line("inputs", "%d", s.Inputs)
	line("latches", "%d%s", s.Latches, aside(count{s.Resets.Zero, "start with 0"}, count{s.Resets.One, "with 1"}, count{s.Resets.Free, "free"}, count{s.Resets.Function, "with a function"}))
	line("outputs", "%d", s.Outputs)
	line("properties", "%d%s", len(n.properties), aside(count{s.Bads, "bad"}, count{s.Justice, "justice"}))
	if s.Constraints+s.Fairness > 0 {
		line("constraints", "%d%s", s.Constraints, aside(count{s.Fairness, "fairness"}))
	}
	line("gates", "%d%s", s.Gates, aside(count{max(0, n.rows), "rows of the file"}, count{s.Unused, "unused"}))
	line("levels", "%d", s.Levels)
	if s.FanOut.Max > 0 {
		line("fan-out", "%d at most (%s), %.2f in the mean", s.FanOut.Max, n.signal(s.FanOut.Of), s.FanOut.Mean)
	}
	if s.Latches > 0 {
		line("components", "%d of latches, %d with circles, the largest of %d", s.Components.Count, s.Components.Circles, s.Components.Largest)
	}
	line("xor", "%d, %.1f %% of the gates that are used", s.Shapes.Xors, 100*share(s.Shapes.XorGates, s.Gates-s.Unused))
	line("mux", "%d, %.1f %% of the gates that are used", s.Shapes.Muxes, 100*share(s.Shapes.MuxGates, s.Gates-s.Unused))
	n.writeCones(w, s.Cones)
}

// writeCones writes a table of the cones of the properties.
func (n *named) writeCones(w io.Writer, cones []measure.Cone) {
	if len(cones) == 0 {
		return
	}
	width := 0
	for _, k := range cones[:min(maxCones, len(cones))] {
		width = max(width, utf8.RuneCountInString(n.label(k.Property)))
	}
	fmt.Fprintf(w, "  %-*s %8s %8s %8s\n", width+2, "cone of", "inputs", "latches", "gates")
	for i, k := range cones {
		if i == maxCones {
			fmt.Fprintf(w, "    %d more; --format json lists all\n", len(cones)-i)
			break
		}
		fmt.Fprintf(w, "    %-*s %8d %8d %8d\n", width, n.label(k.Property), k.Inputs, k.Latches, k.Gates)
	}
}

// label names a property for a person: bad:0 (name).
func (n *named) label(p circuit.Property) string {
	if name := n.propertyName(p); name != "" {
		return fmt.Sprintf("%s (%s)", p, name)
	}
	return p.String()
}

type count struct {
	n    int
	what string
}

// aside lists in parentheses the counts that are not 0.
func aside(counts ...count) string {
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
