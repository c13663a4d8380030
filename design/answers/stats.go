package answers

import (
	"context"
	"fmt"
	"path"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/measure"
	"aiglens/design"
)

// StatsOf returns how large the circuit of a text is and how it is made, and says it for
// people. What is wrong with the text stands as inputs in the circuit, and the text says so.
// The error is that of ctx.
func StatsOf(ctx context.Context, d *design.Design) (*measure.Stats, string, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, "", err
	}
	var properties []circuit.Property
	for _, p := range d.Properties() {
		properties = append(properties, p.ID)
	}
	s, err := measure.Of(ctx, d.Circuit(), properties)
	if err != nil {
		return nil, "", err
	}
	names := measure.Names{
		Rows: -1,
		Signal: func(v circuit.Var) string {
			signal, _ := d.SourceOf(v.Lit())
			return signal.Name
		},
		Property: func(id circuit.Property) string {
			p, _ := d.Property(id)
			if p.Name == strings.Replace(id.String(), ":", " ", 1) {
				return "" // it has no other
			}
			return p.Name
		},
	}
	var w strings.Builder
	fmt.Fprintf(&w, "The circuit of %s\n\n", path.Base(d.URI))
	if errors := CountErrors(d); errors > 0 {
		words := "1 error"
		if errors > 1 {
			words = fmt.Sprintf("%d errors", errors)
		}
		fmt.Fprintf(&w, "The text has %s. What is left open there is an input here.\n\n", words)
	}
	w.WriteString(s.Text(names, ""))
	return s, w.String(), nil
}
