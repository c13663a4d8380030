package aiger

import (
	"errors"
	"fmt"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/findings"
)

// ReadProblem reads a problem from a binary file of a single property with its cone: one
// bad, or one justice property with the fairness conditions.
//
// In a cone every input is used, which takes a byte at least; the format itself gives them
// none, so that a few bytes could announce billions.
func ReadProblem(data []byte) (p circuit.Problem, err error) {
	var largest, inputs int
	if _, err := fmt.Sscanf(string(data[:min(len(data), 40)]), "aig %d %d", &largest, &inputs); err != nil || inputs > len(data) {
		return p, fmt.Errorf("the circuit cannot be read: it has %s in %s", syntax.SectionInputs.Count(inputs), findings.Count(len(data), "byte", "bytes"))
	}
	model, diagnostics := ReadBinary(data)
	if model == nil {
		return p, fmt.Errorf("the circuit cannot be read: %s", diagnostics[0].Message)
	}
	c, err := model.Elaborate()
	if err != nil {
		return p, err
	}
	p, ok := circuit.ProblemOf(c)
	if !ok {
		return p, errors.New("the circuit is not the cone of one property")
	}
	return p, nil
}
