package runs

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/internal/yosys"
)

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
