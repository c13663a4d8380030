package runs

import (
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/internal/source"
	"aiglens/internal/yosys"
)

// ReadCounterexamples returns the counterexamples that ReadWitnesses finds in a file, which may also be a witness trace of
// Yosys: it stands for the bads that it violates. The error is about a trace, or as of ReadWitnesses.
func ReadCounterexamples(ctx context.Context, d *design.Design, data []byte) (all []Witness, found []source.Diagnostic, err error) {
	if !yosys.IsTrace(data) {
		all, found, err = ReadWitnesses(ctx, d, data)
		return slices.DeleteFunc(all, func(w Witness) bool { return w.Status != "" }), found, err
	}
	if err := d.Elaborate(ctx); err != nil {
		return nil, nil, err
	}
	m, err := aigerdesign.WitnessMapOf(d)
	if err != nil {
		return nil, nil, err
	}
	read, fault := yosys.ReadTrace(data)
	if fault != nil {
		return nil, nil, fault
	}
	run, _, fault := FromYosys(d, m, read)
	if fault != nil {
		return nil, nil, fault
	}
	w := Witness{Trace: run}
	for _, p := range d.PropertyIDs() {
		if _, isBad := d.Circuit().Bad(p); !isBad || d.Fault(p) != nil {
			continue
		}
		if _, err := Violate(ctx, d, p, run); err == nil {
			w.Properties = append(w.Properties, p)
		} else if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
	if len(w.Properties) == 0 {
		return nil, nil, errors.New("the run violates no property")
	}
	return []Witness{w}, nil, nil
}

// FromYosys returns the run of a Yosys witness trace over the inputs of a text, with the map of that text.
// The latches start with their resets. unknown are the signals that the map does not have.
func FromYosys(d *design.Design, m *yosys.WitnessMap, t *yosys.Trace) (run cert.Trace, unknown []string, err *yosys.Error) {
	rows, unknown, err := m.InputsOf(t)
	if err != nil {
		return run, nil, err
	}
	run.Initial = allX(len(d.Circuit().Latches()))
	for _, row := range rows {
		values := allX(d.NumInputs())
		for i := range row {
			if row[i] != 'x' {
				values[i] = circuit.ValueOf(row[i] == '1')
			}
		}
		run.Inputs = append(run.Inputs, values)
	}
	return run, unknown, nil
}

// ToYosys returns a run as a Yosys witness trace. left are the inputs with a value that are no bit of the map.
func ToYosys(d *design.Design, m *yosys.WitnessMap, run cert.Trace) (t *yosys.Trace, left []int) {
	var rows []string
	for _, values := range run.Inputs {
		row := make([]byte, d.NumInputs())
		for i := range row {
			row[i] = values[i].String()[0]
		}
		rows = append(rows, string(row))
	}
	return m.TraceOf(rows)
}
