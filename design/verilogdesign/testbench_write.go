package verilogdesign

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/internal/lazy"
)

// bit returns a bit as the test bench names it.
func (b *bench) bit(x *signal, i int, isPort bool) string {
	name := hierarchical(x)
	if isPort {
		name = local(x.name)
		if len(x.lits) > 1 {
			return fmt.Sprintf("%s[%d]", name, i)
		}
		return name
	}
	if len(x.lits) == 1 && x.wire.Offset == 0 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, x.index(i))
}

var simpleName = lazy.Pattern(`^[A-Za-z_][A-Za-z0-9_$]*(\[\d+\])*$`)

// hierarchical returns the name of a signal from the test bench on.
func hierarchical(x *signal) string {
	name := "dut"
	for i, part := range append(slices.Clone(x.path), x.local) {
		isEscaped := i == len(x.path) && x.place.isKnown() && strings.HasPrefix(x.place.text.Slice(x.place.span), `\`)
		if isEscaped || !simpleName().MatchString(part) {
			part = `\` + part + " "
		}
		name += "." + part
	}
	return name
}

// local returns the name of a register of the test bench for a port.
func local(port string) string {
	switch {
	case !simpleName().MatchString(port):
		return `\` + port + " "
	case port == "dut" || port == "testbench" || strings.HasPrefix(port, "aiglens_"):
		return port + "_"
	}
	return port
}

func (b *bench) say(format string, args ...any) { fmt.Fprintf(&b.out, format+"\n", args...) }

// operand returns a literal as an expression.
func (b *bench) operand(l circuit.Lit) string {
	name, isLeaf := b.leaves[l.Var()]
	switch {
	case l == circuit.True:
		return "1'b1"
	case l.Var() == 0:
		return "1'b0"
	case !isLeaf:
		name = fmt.Sprintf("aiglens_%d", l.Var())
	}
	if l.IsNegated() {
		return "~" + name
	}
	return name
}

// literal returns the value of a signal in a step.
func (b *bench) literal(x *signal, values stepValues) (text string, isKnown bool) {
	text, isKnown = fmt.Sprintf("%d'b", len(x.lits)), true
	for i := len(x.lits) - 1; i >= 0; i-- {
		l, ok := b.litOf(x.lits[i])
		v := circuit.X
		if ok && x.known[i] {
			v = values.of(l)
		}
		isKnown = isKnown && v != circuit.X
		text += v.String()
	}
	return text, isKnown
}

// maxCompared bounds the comparisons of registers with the counterexample.
const maxCompared = 20_000

func (b *bench) write() {
	c := b.d.Circuit()
	bad, _ := c.Bad(b.id)
	last := b.steps - 1
	what := b.check.statement + " " + b.check.name
	at := what
	if b.check.place.isKnown() {
		line, _ := b.check.place.text.LineColumn(b.check.place.span.Start)
		at = fmt.Sprintf("%s:%d: %s", filepath.Base(b.check.place.path), line, what)
	}
	b.say("// %s is violated in step %d, counted from 0.", at, last)
	b.say("// aiglens has written this test bench from a counterexample. The sources follow it, without the")
	b.say("// statements that plain simulators do not read. The simulation ends with an error in that step:")
	b.say("//   iverilog -g2012 -o simulation testbench.sv && vvp -N simulation")
	b.say("`timescale 1ns/1ns")
	b.say("module testbench;")
	for _, p := range b.ports {
		width := ""
		if len(p.lits) > 1 {
			width = fmt.Sprintf("[%d:0] ", len(p.lits)-1)
		}
		b.say("  reg %s%s;", width, local(p.name))
	}
	var connections []string
	first, second := "1'b1", "1'b0"
	if b.s.output.ClockFalls {
		first, second = second, first
	}
	if clock := b.s.output.Clock; clock != "" {
		b.say("  reg %s = %s;", local(clock), second)
		connections = append(connections, fmt.Sprintf(".%s(%s)", escaped(clock), local(clock)))
	}
	for _, p := range b.ports {
		connections = append(connections, fmt.Sprintf(".%s(%s)", escaped(p.name), local(p.name)))
	}
	b.say("  %s dut(%s);", escaped(b.s.top), strings.Join(connections, ", "))
	b.say("  reg aiglens_failed = 0;")
	b.say("  reg aiglens_first = 1; // in the first step")
	if len(b.own) > 0 {
		b.say("\n  // What the sources of a simulation do not have, with the values of the counterexample.")
		for _, v := range b.own {
			b.say("  reg aiglens_%d;", v)
		}
	}
	b.say("\n  // The property, as Yosys has made it of its statement.")
	for _, v := range b.gates {
		left, right, _ := c.Operands(v)
		b.say("  wire aiglens_%d = %s & %s;", v, b.operand(left), b.operand(right))
	}
	b.say("  wire aiglens_violated = %s;\n", b.operand(bad))
	b.say("  initial begin")
	released := b.writeStart()
	for step := range b.steps {
		b.say("    // step %d", step)
		for _, list := range [][]*signal{b.ports, b.free} {
			for _, x := range list {
				value, _ := b.literal(x, b.values[step])
				if name := local(x.name); slices.Contains(b.ports, x) {
					b.say("    %s = %s;", name, value)
				} else {
					b.say("    %s = %s;", hierarchical(x), value)
				}
			}
		}
		for _, v := range b.own {
			b.say("    aiglens_%d = 1'b%v;", v, b.values[step][v])
		}
		if step == 0 {
			for _, name := range released {
				b.say("    release %s;", name)
			}
		}
		b.say("    #4;")
		b.writeComparison(step)
		if step < last {
			b.say("    if (aiglens_violated === 1'b1) $display(\"step %d: violated before its step: the simulation departs from the counterexample\");", step)
		} else {
			b.say("    aiglens_failed = aiglens_violated === 1'b1;")
			b.say("    if (aiglens_failed) $display(\"step %d: violated: %s\");", step, strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(at))
			b.say("    else $display(\"step %d: not violated: the simulation departs from the counterexample\");", step)
		}
		if clock := b.s.output.Clock; clock != "" {
			b.say("    #1 %s = %s;", local(clock), first)
			b.say("    #4 %s = %s;", local(clock), second)
			b.say("    #1;")
		} else {
			b.say("    #6;")
		}
		if step == 0 && last > 0 {
			b.say("    aiglens_first = 0;")
		}
	}
	b.say("    if (aiglens_failed) $fatal(1, \"the property is violated\");")
	b.say("    $finish;")
	b.say("  end")
	b.say("endmodule")
	for i, f := range b.s.sources {
		b.say("\n`line 1 \"%s\" 0", filepath.Base(f.Path))
		b.out.WriteString(firstStep().ReplaceAllString(b.plain[i], "testbench.aiglens_first"))
	}
}

func escaped(name string) string {
	if simpleName().MatchString(name) {
		return name
	}
	return `\` + name + " "
}

// writeStart sets registers that the source gives no start. A name may be that of a wire that
// follows the register: both are forced, and released when the first step has begun. Simulators force no word of
// an array, which is no wire: it is assigned.
func (b *bench) writeStart() (released []string) {
	for _, x := range b.s.signals {
		if !x.isReg || b.isFormal(x.place) || slices.Contains(b.free, x) || b.hasStart(x) {
			continue
		}
		value, _ := b.literal(x, b.values[0])
		name := hierarchical(x)
		if b.isArrayWord(x) {
			b.say("    %s = %s;", name, value)
			continue
		}
		b.say("    force %s = %s;", name, value)
		released = append(released, name)
	}
	b.say("    #1;")
	return released
}

// isArrayWord reports whether a register is a word of an array, which Yosys keeps as a memory or as registers of their own.
// The name of another register that ends like one is escaped in the source.
func (b *bench) isArrayWord(x *signal) bool {
	base := arrayIndexes().ReplaceAllString(x.local, "")
	switch {
	case base == x.local:
		return false
	case x.place.isKnown():
		return x.place.text.Slice(x.place.span) == base
	}
	return x.wire.Attributes["hdlname"] != "" && b.isMemoryWord(x)
}

var arrayIndexes = lazy.Pattern(`(\[-?\d+\])+$`)

func (b *bench) isMemoryWord(x *signal) bool { return b.hierarchy.memoryOf(x.wire.Path()) != nil }

// hasStart reports whether the source gives a register its first value.
func (b *bench) hasStart(x *signal) bool {
	path := x.wire.Path()
	if b.isMemoryWord(x) {
		c := b.d.Circuit()
		for i, lit := range x.lits {
			l, ok := b.litOf(lit)
			if at := c.LatchIndex(l.Var()); ok && x.known[i] && at >= 0 && c.Latches()[at].Reset == l {
				return false
			}
		}
		return true
	}
	m, rest := b.hierarchy.within(path)
	if m == nil || m.wires[joined(rest)] == nil {
		return false
	}
	init := m.wires[joined(rest)].Attributes["init"]
	return init != "" && strings.Trim(init, "01") == ""
}

// writeComparison compares the registers of the simulation with those of the counterexample.
func (b *bench) writeComparison(step int) {
	compared := 0
	for _, x := range b.s.signals {
		if !x.isReg || b.isFormal(x.place) {
			continue
		}
		value, isKnown := b.literal(x, b.known[step])
		if compared++; !isKnown || compared*b.steps > maxCompared {
			continue
		}
		name := hierarchical(x)
		b.say("    if (%s !== %s) $display(\"step %d: %s is %%b, and %s in the counterexample\", %s);",
			name, value, step, strings.ReplaceAll(x.name, `\`, `\\`), value, name)
	}
}
