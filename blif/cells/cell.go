package cells

import (
	"slices"
	"strings"

	"aiglens/circuit"
)

// Cell is a gate or a latch of a library.
type Cell struct {
	Name   string
	Inputs []string // in the order in which the function names them
	Output string
	// LatchType is re, fe, ah, al or as for a latch, "" for a gate.
	LatchType string
	Clock     string // the pin that is the control; "" where it stands after the pins (.mlatch)
	// Start is the initial value of $anyconst and $initstate, which step with every clock; "" for
	// other cells.
	Start   string
	program []op
}

// op is an instruction of a function in postfix form.
type op struct {
	code  byte // 'i' input, '0', '1', '!', '*', '+', '^'
	input int
}

// Direction says what an instance does with a pin.
type Direction uint8

// The directions.
const (
	Unknown Direction = iota // the instance is of nothing that is known
	Input
	Output
	Clock // the control of a latch cell
)

// IsLatch reports whether a cell keeps its output from one step to the next.
func (c *Cell) IsLatch() bool { return c.LatchType != "" || c.Start != "" }

// IsFree reports whether the output of a cell may have any value in each step.
func (c *Cell) IsFree() bool { return c.Output != "" && len(c.program) == 0 }

// IsVector reports whether the output of a cell may have several bits: Y, or Y[0], Y[1] and so on.
func (c *Cell) IsVector() bool { return c.IsFree() || c.Start != "" }

// IsProperty reports whether a cell is one of Yosys' formal cells, such as $assert.
func (c *Cell) IsProperty() bool { return c.Output == "" && c == Builtin(c.Name) }

// Pins returns the inputs of a cell, its clock among them.
func (c *Cell) Pins() []string {
	if c.Clock == "" {
		return c.Inputs
	}
	return append(slices.Clone(c.Inputs), c.Clock)
}

// Port finds a pin by its name: what it is and, of an input, its position among
// the Inputs. ok is false when the cell has none of that name.
func (c *Cell) Port(formal string) (dir Direction, index int, ok bool) {
	if formal == "" {
		return Unknown, 0, false
	}
	if formal == c.Output || c.IsVector() && isBitOf(formal, c.Output) {
		return Output, 0, true
	}
	if formal == c.Clock {
		return Clock, 0, true
	}
	i := slices.Index(c.Inputs, formal)
	return Input, i, i >= 0
}

// isBitOf reports whether a pin is a bit of a port, such as Y[3] of Y.
func isBitOf(pin, port string) bool {
	index, ok := strings.CutPrefix(pin, port+"[")
	index, closed := strings.CutSuffix(index, "]")
	return ok && closed && index != "" && strings.Trim(index, "0123456789") == ""
}

// Build returns the function of a cell over literals for its inputs.
func (c *Cell) Build(b *circuit.Builder, inputs []circuit.Lit) circuit.Lit {
	var stack []circuit.Lit
	for _, o := range c.program {
		n := len(stack)
		switch o.code {
		case 'i':
			stack = append(stack, inputs[o.input])
		case '0':
			stack = append(stack, circuit.False)
		case '1':
			stack = append(stack, circuit.True)
		case '!':
			stack[n-1] = stack[n-1].Not()
		case '*':
			stack = append(stack[:n-2], b.And(stack[n-2], stack[n-1]))
		case '+':
			stack = append(stack[:n-2], b.Or(stack[n-2], stack[n-1]))
		case '^':
			stack = append(stack[:n-2], b.Xor(stack[n-2], stack[n-1]))
		}
	}
	return stack[0]
}
