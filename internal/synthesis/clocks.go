package synthesis

import (
	"strings"

	"aiglens/internal/yosys"
)

// severalClocks reports whether a step cannot be a cycle of one clock: flip-flops and memories
// have several clocks or edges, a clock is no input, or something reads it as data.
func severalClocks(flat *yosys.Netlist) bool {
	clocks, data := clocksOf(flat)
	if len(clocks) > 1 {
		return true
	}
	inputs := map[yosys.NetBit]bool{}
	for _, p := range flat.Ports {
		for _, b := range p.Bits {
			inputs[b] = inputs[b] || p.Direction == "input"
		}
	}
	for c := range clocks {
		if data[c.net] || !inputs[c.net] {
			return true
		}
	}
	return false
}

// clock is an edge of a net.
type clock struct {
	net     yosys.NetBit
	falling bool
}

// clocksOf returns the clocks of a netlist before memories are mapped, and the nets that
// something reads as data.
func clocksOf(flat *yosys.Netlist) (clocks map[clock]bool, data map[yosys.NetBit]bool) {
	clocks, data = map[clock]bool{}, map[yosys.NetBit]bool{}
	for i := range flat.Cells {
		c := &flat.Cells[i]
		for port, bits := range c.Ports {
			enabled, rising, isClock := clockPort(c, port)
			for i, b := range bits {
				switch {
				case !b.IsNet():
				case !isClock:
					data[b] = data[b] || !isOutput(port)
				case bitOf(enabled, i):
					clocks[clock{b, !bitOf(rising, i)}] = true
				}
			}
		}
	}
	return clocks, data
}

// Clock is an edge that registers follow.
type Clock struct {
	Names []WireBit // of its net
	Falls bool
}

// WireBit is a bit of a wire, counted from the least significant one.
type WireBit struct {
	Wire string
	Bit  int
}

// Clocks returns the clocks that have names, in the order of these.
func (o *Output) Clocks() []Clock {
	clocks, _ := clocksOf(o.Flat)
	names := map[yosys.NetBit][]WireBit{}
	var nets []yosys.NetBit
	for _, w := range o.Flat.Wires {
		for i, b := range w.Bits {
			if !w.Private && (clocks[clock{b, false}] || clocks[clock{b, true}]) {
				if names[b] == nil {
					nets = append(nets, b)
				}
				names[b] = append(names[b], WireBit{w.Name, i})
			}
		}
	}
	var all []Clock
	for _, b := range nets {
		for _, falls := range []bool{false, true} {
			if clocks[clock{b, falls}] {
				all = append(all, Clock{names[b], falls})
			}
		}
	}
	return all
}

// clockPort says which bits of a port of a cell are clocks, and which of these rise.
func clockPort(c *yosys.Cell, port string) (enabled, rising string, is bool) {
	switch {
	case port == "CLK":
		return "", c.Parameters["CLK_POLARITY"], true
	case (port == "RD_CLK" || port == "WR_CLK") && strings.HasPrefix(c.Type, "$mem"):
		return c.Parameters[port+"_ENABLE"], c.Parameters[port+"_POLARITY"], true
	case port == "TRG" && (c.Type == "$check" || c.Type == "$print"): // of Yosys 0.37 and newer
		return "", c.Parameters["TRG_POLARITY"], true
	}
	return "", "", false
}

// isOutput reports whether a port of a cell of Yosys drives its nets.
func isOutput(port string) bool {
	switch port {
	case "Y", "Q", "CO", "X", "RD_DATA":
		return true
	}
	return false
}

// bitOf returns a bit of a parameter, whose most significant one stands in front; a parameter that
// is not there has ones.
func bitOf(bits string, i int) bool {
	if bits == "" {
		return true
	}
	at := len(bits) - 1 - i
	return at >= 0 && bits[at] == '1'
}
