package flat

import (
	"fmt"
	"slices"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/netlist"
	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// domain says when a latch takes its next value: the node of its clock, and
// the edge or level. The zero domain is that of a latch without a type, which
// follows any clock.
type domain struct {
	clock uint32 // 1 + node; 0 for the global clock
	kind  string // re, fe, ah, al, as; "" where none is written
}

// meet returns the domain of latches of which some are in d and some in other;
// ok is false where these do not step together. The global clock is any clock,
// but has the edge that is written.
func (d domain) meet(other domain) (both domain, ok bool) {
	switch {
	case d == domain{}:
		return other, true
	case other == domain{}:
		return d, true
	case d.clock == 0:
		return other, d.kind == other.kind
	}
	return d, d.kind == other.kind && (other.clock == 0 || other.clock == d.clock)
}

// oneStepHelps is the way out of clocks that forbid verdicts.
const oneStepHelps = "; the setting aiglens.blif.oneStep, or --one-step, takes all latches to step together"

// step checks that a latch steps together with those before.
func (c *coneSearch) step(node uint32, in *instance) {
	if c.e.file.Options().OneStep {
		return
	}
	d := c.domainOf(node)
	f := in.model.File
	drv, _ := c.e.driver(node)
	report := func(message string, related []source.Related) {
		diag := codes.Finding(codes.Clocks, f.DirectiveSpan(int(drv.Statement)), message+oneStepHelps)
		diag.Related = related
		c.note(in, diag)
	}
	if drv.Control > 0 {
		c.clockOf(in.base + drv.Control - 1)
	}
	both, fits := c.clock.meet(d)
	switch {
	case lacksClock(f, int(drv.Statement)):
		report("the clock of latch "+c.e.label(node)+" is not connected, so that it is not known when it steps", nil)
	case d.kind == "ah" || d.kind == "al":
		report("latch "+c.e.label(node)+" is open while its control has one value; there is no single step", nil)
	case d.kind == "as":
		report("latch "+c.e.label(node)+" is asynchronous; there is no single step", nil)
	case d != c.clock && c.isGated(d):
		report("the clock of latch "+c.e.label(node)+" is made by logic, so that its steps depend on other nets", nil)
	case fits:
		if c.clock == (domain{}) {
			c.latch = node
		}
		c.clock = both
	default:
		first, other := c.e.driver(c.latch)
		var related []source.Related
		if other.model.File == f {
			related = []source.Related{{Span: f.DirectiveSpan(int(first.Statement)), Message: "latch " + c.e.label(c.latch)}}
		}
		report(fmt.Sprintf("latches %s and %s do not step together: %s, %s", c.e.label(c.latch), c.e.label(node),
			c.e.clockName(c.clock), c.e.clockName(d)), related)
	}
}

// clockBefore returns the net that a clock comes from, across a port or through
// a buffer or inverter; ok is false where it comes from no other net, or its
// steps are not those of another one.
func (e *Elaboration) clockBefore(node uint32) (before uint32, ok bool) {
	if to, ok := e.aliasOf(node); ok {
		return to, true
	}
	d, in := e.driver(node)
	if d.To-d.From != 1 {
		return 0, false
	}
	before = in.base + in.body.Operands[d.From]
	f := in.model.File
	switch d.Kind {
	case netlist.DriverAlias:
		return before, true
	case netlist.DriverNames:
		k, i := f.Locate(int(d.Statement))
		c := f.Chunks[k]
		return before, !isConstant(func(g *gates, l circuit.Lit) circuit.Lit {
			return g.cover(c.Text, c.RowsOf(i), func(int) circuit.Lit { return l })
		})
	case netlist.DriverCell:
		k, i := f.Locate(int(d.Statement))
		return before, !isConstant(func(g *gates, l circuit.Lit) circuit.Lit {
			return f.InstanceOf(k, i).Cell.Build(g.b, []circuit.Lit{l})
		})
	}
	return 0, false
}

// isConstant reports whether a function of one operand is a constant.
func isConstant(build func(g *gates, operand circuit.Lit) circuit.Lit) bool {
	g := &gates{b: circuit.NewBuilder(0)}
	return build(g, circuit.False) == build(g, circuit.True)
}

// isGated reports whether a clock is not one net from outside: it depends on
// several nets, on a latch, or on none. Then not every step is one of the latch.
func (c *coneSearch) isGated(d domain) bool {
	if d.clock == 0 {
		return false
	}
	switch drv, _ := c.e.driver(follow(c.origins, d.clock-1, c.e.clockBefore)); drv.Kind {
	case netlist.DriverNames, netlist.DriverAlias, netlist.DriverCell, netlist.DriverLatch, netlist.DriverFalse, netlist.DriverTrue:
		return true
	}
	return false
}

// follow returns where a chain of nets begins; of a cycle, some net of it. known keeps
// that for every net on the way, so that the latches of a deep hierarchy, whose clock
// goes through all of it, do not each follow it.
func follow(known map[uint32]uint32, at uint32, before func(uint32) (uint32, bool)) uint32 {
	var way []uint32
	for {
		if first, ok := known[at]; ok {
			at = first
			break
		}
		known[at] = at // a cycle ends here
		way = append(way, at)
		next, ok := before(at)
		if !ok {
			break
		}
		at = next
	}
	for _, net := range way {
		known[net] = at
	}
	return at
}

// clocks follows the clocks of the latches to where they come from and notes
// what is faulty or open on the way. What is only a clock is not built.
func (x *elaborator) clocks() {
	seen := map[uint32]bool{}
	for _, node := range x.e.latchOf {
		d, in := x.e.driver(node)
		if d.Control == 0 {
			continue
		}
		var path []uint32
		at, more := in.base+d.Control-1, true
		for more && !seen[at] && !x.hasEnded() {
			seen[at] = true
			path = append(path, at)
			if d, in := x.e.driver(at); x.isCut(at, d, in) {
				more = false
			} else {
				at, more = x.e.clockBefore(at)
			}
		}
		if i := slices.Index(path, at); more && i >= 0 {
			_, in := x.e.driver(at)
			x.fault(at, x.e.cycleDiagnostic(in.model.File, path[i:]))
		}
	}
}

// clockOf takes over what is wrong with the clock of a latch, from its control
// to where it comes from.
func (c *coneSearch) clockOf(control uint32) {
	for at, ok := control, true; ok && !c.clocks[at]; at, ok = c.e.clockBefore(at) {
		c.clocks[at] = true
		d, in := c.e.driver(at)
		if f := c.e.faults[at]; f != nil {
			c.note(in, *f.diag)
		} else if d.Statement >= 0 && in.faults.Faults[int(d.Statement)] != nil {
			c.note(in, *in.faults.Faults[int(d.Statement)])
		}
		if cut, ok := c.e.cuts[at]; ok && !c.seen[at] {
			c.cuts = append(c.cuts, c.e.anchor(in, cut))
		}
	}
}

func (e *Elaboration) clockName(d domain) string {
	if d.clock == 0 {
		return d.kind + " of the global clock"
	}
	return d.kind + " " + e.label(d.clock-1)
}

// domainOf returns the domain of a latch. The clock is followed through ports,
// .conn and .short to where it comes from.
func (c *coneSearch) domainOf(node uint32) domain {
	drv, in := c.e.driver(node)
	d := domain{kind: latchType(in.model.File, int(drv.Statement), drv.Control > 0)}
	if drv.Control > 0 {
		d.clock = follow(c.nets, in.base+drv.Control-1, c.e.sameNet) + 1
	}
	return d
}

// sameNet returns the net that a node is only another name of; ok is false for none.
func (e *Elaboration) sameNet(node uint32) (before uint32, ok bool) {
	if to, ok := e.aliasOf(node); ok {
		return to, true
	}
	d, in := e.driver(node)
	if d.Kind != netlist.DriverAlias {
		return 0, false
	}
	return in.base + in.body.Operands[d.From], true
}

// lacksClock reports whether a statement is a flip-flop cell whose clock pin is
// not connected.
func lacksClock(f *blif.File, id int) bool {
	k, i := f.Locate(id)
	if !f.Chunks[k].Stmts[i].Kind.IsInstance() {
		return false
	}
	cell := f.InstanceOf(k, i).Cell
	return cell != nil && cell.Clock != "" && slices.Contains(unconnected(f, k, i, cell), cell.Clock)
}

// latchType returns the type that a latch statement gives; "" for none.
func latchType(f *blif.File, id int, hasControl bool) string {
	k, i := f.Locate(id)
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	switch c.Stmts[i].Kind {
	case statement.KindLatch:
		if hi-lo >= 5 {
			return f.WordOf(k, c.Tokens[lo+3])
		}
	case statement.KindMlatch, statement.KindSubckt, statement.KindGate:
		if cell := f.InstanceOf(k, i).Cell; cell != nil {
			return cell.LatchType
		}
	case statement.KindFlop:
		if hasControl {
			return "re"
		}
	}
	return ""
}
