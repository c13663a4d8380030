package answers

import (
	"context"
	"fmt"
	"path"

	"aiglens/circuit"
	"aiglens/circuit/measure"
	"aiglens/design"
)

// Stats are how large the circuit of a text is and how it is made.
type Stats struct {
	*measure.Stats
	d *design.Design
}

// StatsOf measures the circuit of a text. Errors of the text stand as inputs in the circuit. The
// error is that of ctx.
func StatsOf(ctx context.Context, d *design.Design) (Stats, error) {
	if err := d.Elaborate(ctx); err != nil {
		return Stats{}, err
	}
	s, err := measure.Of(ctx, d.Circuit(), d.PropertyIDs())
	return Stats{s, d}, err
}

// Signal returns what the text calls a signal, or "".
func (s Stats) Signal(v circuit.Var) string {
	name, _ := s.d.Names().Signal(v)
	return name
}

// Rows is the number of ANDs that the file has; less than 0 where it has none.
func (s Stats) Rows() int { return s.d.Names().NumGateRows() }

// Text says the measures, a line each, indented. more follows the number of cones that are not
// listed.
func (s Stats) Text(more string) string {
	return s.Stats.Text(measure.Names{Signal: s.Signal, Property: s.d.PropertyName, Rows: s.Rows()}, more)
}

// Title names the file, and says how many errors its text has.
func (s Stats) Title() string {
	title := fmt.Sprintf("The circuit of %s\n", path.Base(s.d.URI))
	switch errors := CountErrors(s.d); errors {
	case 0:
		return title
	case 1:
		return title + "\nThe text has 1 error. What is left open there is an input here.\n"
	default:
		return title + fmt.Sprintf("\nThe text has %d errors. What is left open there is an input here.\n", errors)
	}
}
