package runs

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/btor2design"
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
	m, err := YosysMapOf(d)
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

// YosysMapOf returns the signals of a text that traces of Yosys are about: those of the map beside an AIGER file, and of a BTOR2
// file those that have names, also the starts of its latches. The error says why there is none.
func YosysMapOf(d *design.Design) (*yosys.WitnessMap, error) {
	if m, ok := btor2design.TraceMapOf(d); ok {
		return m, nil
	}
	return aigerdesign.WitnessMapOf(d)
}

// FromYosys returns the run of a Yosys witness trace over the inputs of a text, with the map of that text.
// Latches whose start the map does not have start with their resets. unknown are the signals that the map does not have.
func FromYosys(d *design.Design, m *yosys.WitnessMap, t *yosys.Trace) (run cert.Trace, unknown []string, err *yosys.Error) {
	rows, unknown, err := m.InputsOf(t)
	if err != nil {
		return run, nil, err
	}
	run.Initial = allX(len(d.Circuit().Latches()))
	for step, row := range rows {
		values := allX(d.NumInputs())
		for i := range row {
			switch at := i - len(values); {
			case row[i] == 'x':
			case at < 0:
				values[i] = circuit.ValueOf(row[i] == '1')
			case step == 0:
				run.Initial[at] = circuit.ValueOf(row[i] == '1')
			}
		}
		run.Inputs = append(run.Inputs, values)
	}
	return run, unknown, nil
}

// ToYosys returns a run as a Yosys witness trace. left are the inputs with a value that are no bit of the map.
func ToYosys(d *design.Design, m *yosys.WitnessMap, run cert.Trace) (t *yosys.Trace, left []int) {
	var rows []string
	for step, values := range run.Inputs {
		row := bytes.Repeat([]byte{'x'}, max(m.Inputs, d.NumInputs()))
		for i, v := range values[:d.NumInputs()] {
			row[i] = v.String()[0]
		}
		if starts := row[d.NumInputs():]; step == 0 {
			for i := range starts {
				if d.Circuit().Latches()[i].IsFree() {
					starts[i] = run.Initial[i].String()[0]
				}
			}
		}
		rows = append(rows, string(row))
	}
	return m.TraceOf(rows)
}
