package design

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// LeftOpen is what a text does not say in the cone of a property. It can make the property fail
// where it holds in the design that the text is made of, never the other way round.
type LeftOpen struct {
	// Parts are warnings at what may have any value in each step, such as a black box.
	Parts []source.Diagnostic
	// Starts is the number of flip-flops that start with any value because the text does not give
	// one, and Start says so, with the way out.
	Starts int
	Start  source.Diagnostic
}

// Words are what goes with a verdict that may be due to what is left open; "" when nothing is.
func (o LeftOpen) Words() string {
	words := ""
	if len(o.Parts) > 0 {
		words += " · parts are left open"
	}
	switch {
	case o.Starts == 1:
		words += " · the start of 1 flip-flop is not given"
	case o.Starts > 1:
		words += fmt.Sprintf(" · the start of %d flip-flops is not given", o.Starts)
	}
	return words
}

// Diagnostics are the warnings together.
func (o LeftOpen) Diagnostics() []source.Diagnostic {
	if o.Starts == 0 {
		return o.Parts
	}
	return append(slices.Clip(o.Parts), o.Start)
}

// Reasons say at length what is left open, of several parts the first; "" when nothing is.
func (o LeftOpen) Reasons() string {
	var all []string
	if len(o.Parts) > 0 {
		all = append(all, o.Parts[0].Message)
	}
	if o.Starts > 0 {
		all = append(all, o.Start.Message)
	}
	return strings.Join(all, "; ")
}

// LeftOpen returns what the text does not say in the cone of a property.
func (d *Design) LeftOpen(p circuit.Property) LeftOpen { return d.elaborate().LeftOpen(p) }

// LeftOpenAt returns what the text does not say in the cones of literals of the circuit and of the
// constraints.
func LeftOpenAt(d *Design, lits ...circuit.Lit) LeftOpen { return d.elaborate().LeftOpenAt(lits...) }
