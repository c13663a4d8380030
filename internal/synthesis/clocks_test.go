package synthesis

import (
	"testing"

	"aiglens/internal/yosys"
)

// TestTriggers holds that the trigger of an assert or message, which Yosys 0.37 and newer write, is a
// clock and no data.
func TestTriggers(t *testing.T) {
	const clk, d, q, other = 2, 3, 4, 5
	for name, c := range map[string]struct {
		trigger  []yosys.NetBit
		polarity string
		several  bool
	}{
		"same clock":   {[]yosys.NetBit{clk}, "1", false},
		"other edge":   {[]yosys.NetBit{clk}, "0", true},
		"other clock":  {[]yosys.NetBit{other}, "1", true},
		"two triggers": {[]yosys.NetBit{clk, other}, "01", true},
		"none":         {nil, "0", false},
	} {
		for _, cell := range []string{"$check", "$print"} {
			flat := &yosys.Netlist{
				Ports: []yosys.Port{
					{Name: "clk", Direction: "input", Bits: []yosys.NetBit{clk}},
					{Name: "d", Direction: "input", Bits: []yosys.NetBit{d}},
					{Name: "other", Direction: "input", Bits: []yosys.NetBit{other}},
				},
				Cells: []yosys.Cell{
					{Type: "$dff", Parameters: yosys.Attributes{"CLK_POLARITY": "1"}, Ports: map[string][]yosys.NetBit{"CLK": {clk}, "D": {d}, "Q": {q}}},
					{Type: cell, Parameters: yosys.Attributes{"FLAVOR": "assert", "TRG_POLARITY": c.polarity}, Ports: map[string][]yosys.NetBit{"A": {q}, "EN": {1}, "TRG": c.trigger}},
				},
			}
			if several := severalClocks(flat); several != c.several {
				t.Errorf("%s, %s: several clocks: %v, want %v", name, cell, several, c.several)
			}
		}
	}
}
