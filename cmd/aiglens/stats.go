package main

import (
	"context"
	"fmt"
	"slices"

	"aiglens/design"
	"aiglens/design/answers"
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
	case !slices.Contains(textOrJSON, *format):
		return problem(e, "%v", errNoFormat("format", *format, textOrJSON))
	}
	for _, name := range files {
		in, err := read(ctx, e, name, &options)
		if err != nil {
			code = problem(e, "%v", err)
			continue
		}
		var s answers.Stats
		if err = sound(ctx, e, in); err == nil {
			s, err = answers.StatsOf(ctx, in)
		}
		switch {
		case err != nil:
			code = problem(e, "%s: %v", name, err)
		case *format == "json":
			printLine(e.stdout, jsonOf(in, s))
		default:
			fmt.Fprintf(plainWriter{e.stdout}, "%s\n%s", in.URI, s.Text("; --format json lists all"))
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

func jsonOf(n *design.Design, s answers.Stats) jsonStats {
	xors, muxes := s.Shares()
	out := jsonStats{
		File: n.URI, Inputs: s.Inputs, Latches: s.Latches, Outputs: s.Outputs, Bads: s.Bads,
		Constraints: s.Constraints, Justice: s.Justice, Fairness: s.Fairness,
		Gates: s.Gates, Unused: s.Unused, Levels: s.Levels,
		FanOut:     jsonFanOut{s.FanOut.Max, s.Signal(s.FanOut.Of), s.FanOut.Mean},
		Components: jsonComponents(s.Components),
		Resets:     jsonResets(s.Resets),
		Xors:       jsonShape{s.Shapes.Xors, s.Shapes.XorGates, xors},
		Muxes:      jsonShape{s.Shapes.Muxes, s.Shapes.MuxGates, muxes},
		Cones:      []jsonCone{},
		Version:    versionText(),
	}
	if rows := s.Rows(); rows >= 0 {
		out.Rows = &rows
	}
	for _, k := range s.Cones {
		p := jsonProperty{k.Property.Kind.String(), k.Property.Index, n.PropertyName(k.Property)}
		out.Cones = append(out.Cones, jsonCone{p, k.Inputs, k.Latches, k.Gates})
	}
	return out
}
