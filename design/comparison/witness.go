package comparison

import (
	"context"
	"fmt"
	"strings"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/circuit/trace"
)

// Witness returns the run of a side as an AIGER witness. A comment after it says what
// differs. A witness has to name a property: that is what differs where witnesses have a name
// for it, and else b0, which the comment says. The error is that of trace.Written.
func (s Sides) Witness(ctx context.Context, d *compare.Difference, side int) ([]byte, error) {
	c := s.Sides[side].Circuit
	run, err := trace.Written(ctx, c, d.Traces[side], -1)
	if err != nil {
		return nil, err
	}
	property, named := circuit.Property{Kind: circuit.PropertyBad}, false
	comment := ""
	if d.Pair >= 0 {
		e := s.Observed[d.Pair].On(side)
		comment = fmt.Sprintf(", %s in this file", d.Values[side])
		if e.Kind == compare.Bad || e.Kind == compare.Output && len(c.Bads()) == 0 { // without bads outputs go by b
			property.Index, named = e.Index, true
		}
	} else if comment = ", which this file allows"; d.Values[side] != circuit.One {
		comment = ", which this file forbids"
	}
	if !named {
		comment += "; a witness cannot name it, so b0 stands for it"
	}
	data, err := aiger.NewWitness(property, run).Append(nil)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(data, "c %s%s\n", strings.ReplaceAll(s.Words(d), "\n", " "), comment), nil
}
