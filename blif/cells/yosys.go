package cells

import (
	"slices"
	"strings"
	"sync"
)

// Builtin returns a cell of Yosys' library of single-bit cells, which its
// BLIF writer leaves as instances, or nil. The functions are those of the
// manual, chapter "Internal cell library", section "Gates". Its formal cells
// $assert, $assume, $cover, $live and $fair have no output: they say something of A
// in the steps in which EN is 1. $anyseq, $anyconst and $initstate have no input: a free value in
// each step, one that stays the same, and 1 in the first step only.
//
// Flip-flops are named by the polarities of their controls, for example
// $_SDFFE_PP0P_: clock, reset, reset value, enable. Those with an asynchronous
// reset or set, and level-sensitive latches, are not cells of one step; they
// stay black boxes.
func Builtin(name string) *Cell {
	if !strings.HasPrefix(name, "$") {
		return nil
	}
	return builtinCells()[name]
}

// asynchronous are what the names of Yosys' cells begin with that keep a value and are, unless
// Builtin knows them, no flip-flops of one step.
var asynchronous = []string{"$_DFF_", "$_DFFE_", "$_ALDFF", "$_DFFSR", "$_DLATCH", "$_SR_"}

// IsAsynchronous reports whether a name is that of a flip-flop of Yosys with an asynchronous set or
// reset, or of a level-sensitive latch.
func IsAsynchronous(name string) bool {
	return Builtin(name) == nil && slices.ContainsFunc(asynchronous, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// builtinCells are made once: cells are compared by address.
var builtinCells = sync.OnceValue(func() map[string]*Cell {
	cells := map[string]*Cell{}
	for _, name := range []string{"$assert", "$assume", "$cover", "$live", "$fair"} {
		cells[name] = &Cell{Name: name, Inputs: []string{"A", "EN"}}
	}
	cells["$anyseq"] = &Cell{Name: "$anyseq", Output: "Y"}
	for _, c := range []struct{ name, next, start string }{{"$anyconst", "Y", "2"}, {"$initstate", "CONST0", "1"}} {
		cells[c.name] = makeCell(c.name, "Y", c.next)
		cells[c.name].Start = c.start
	}
	for name, function := range yosysGates {
		cells[name] = makeCell(name, "Y", function)
	}
	for kind, controls := range map[string]string{"DFF": "c", "DFFE": "ce", "SDFF": "crv", "SDFFE": "crve", "SDFFCE": "crve"} {
		for i := range 1 << len(controls) {
			polarity := make([]byte, len(controls))
			for j := range polarity {
				letters := "NP"
				if controls[j] == 'v' {
					letters = "01"
				}
				polarity[j] = letters[i>>j&1]
			}
			c := flipFlop(kind, string(polarity))
			cells[c.Name] = c
		}
	}
	return cells
})

var yosysGates = map[string]string{
	"$_BUF_": "A", "$_NOT_": "!A", "$_AND_": "A*B", "$_NAND_": "!(A*B)", "$_OR_": "A+B", "$_NOR_": "!(A+B)",
	"$_XOR_": "A^B", "$_XNOR_": "!(A^B)", "$_ANDNOT_": "A*!B", "$_ORNOT_": "A+!B",
	"$_MUX_": "S*B+!S*A", "$_NMUX_": "!(S*B+!S*A)",
	"$_AOI3_": "!(A*B+C)", "$_OAI3_": "!((A+B)*C)", "$_AOI4_": "!(A*B+C*D)", "$_OAI4_": "!((A+B)*(C+D))",
}

func makeCell(name, output, function string) *Cell {
	c := &Cell{Name: name, Output: output}
	p := exprParser{cell: c, s: function, inputs: map[string]int{}}
	if err := p.parse(); err != nil {
		panic("blif: function of " + name + ": " + err.Error())
	}
	return c
}

// flipFlop returns the cell of a flip-flop with clock edge and, perhaps,
// synchronous reset and enable: $_DFF_x_, $_DFFE_xe_, $_SDFF_xrv_,
// $_SDFFE_xrve_ and $_SDFFCE_xrve_, in which the enable also gates the reset.
func flipFlop(kind, polarity string) *Cell {
	signal := func(pin string, at int) string {
		if polarity[at] == 'N' {
			return "!" + pin
		}
		return pin
	}
	reset := func(next string) string {
		if polarity[2] == '1' {
			return "(" + next + ")+" + signal("R", 1)
		}
		return "(" + next + ")*!(" + signal("R", 1) + ")"
	}
	enable := func(next string) string {
		e := signal("E", len(polarity)-1)
		return e + "*(" + next + ")+!(" + e + ")*Q"
	}
	function := "D"
	switch kind {
	case "DFFE":
		function = enable("D")
	case "SDFF":
		function = reset("D")
	case "SDFFE":
		function = reset(enable("D"))
	case "SDFFCE":
		function = enable(reset("D"))
	}
	c := makeCell("$_"+kind+"_"+polarity+"_", "Q", function)
	c.Clock, c.LatchType = "C", "re"
	if polarity[0] == 'N' {
		c.LatchType = "fe"
	}
	return c
}
