package main

import (
	"context"
	"fmt"
	"io"

	"aiglens/circuit/measure"
)

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
	Cycles  int `json:"circles"` // those in which latches depend on themselves
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

func jsonOf(n *named, s *measure.Stats) jsonStats {
	xors, muxes := s.Shares()
	out := jsonStats{
		File: n.in.name, Inputs: s.Inputs, Latches: s.Latches, Outputs: s.Outputs, Bads: s.Bads,
		Constraints: s.Constraints, Justice: s.Justice, Fairness: s.Fairness,
		Gates: s.Gates, Unused: s.Unused, Levels: s.Levels,
		FanOut:     jsonFanOut{s.FanOut.Max, n.signal(s.FanOut.Of), s.FanOut.Mean},
		Components: jsonComponents(s.Components),
		Resets:     jsonResets(s.Resets),
		Xors:       jsonShape{s.Shapes.Xors, s.Shapes.XorGates, xors},
		Muxes:      jsonShape{s.Shapes.Muxes, s.Shapes.MuxGates, muxes},
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
	fmt.Fprintf(w, "%s\n%s", n.in.name, s.Text(measure.Names{Signal: n.signal, Property: n.propertyName, Rows: n.rows}, "; --format json lists all"))
}
