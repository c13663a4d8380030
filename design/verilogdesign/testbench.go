package verilogdesign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/internal/yosys"
)

// Testbench writes a counterexample as a test bench for a simulator of Verilog, followed by the
// sources. It drives the top module, sets what starts with any value, and watches the property on
// the registers of the simulation: plain simulators do not read the statements themselves, which
// are left out. The text ends the simulation with an error in the step of the violation, or says
// where the simulation departs from the counterexample.
//
// The error says why there is no test bench, or is that of ctx.
func Testbench(ctx context.Context, d *design.Design, id circuit.Property, t cert.Trace) ([]byte, error) {
	s := SynthesisOf(d)
	if s == nil || s.output == nil {
		return nil, errors.New("a test bench is for a design that was read from Verilog")
	}
	if s.checks[id] == nil {
		return nil, circuit.ErrNoProperty
	}
	b := &bench{s: s, d: d, id: id, check: s.checks[id], simulation: simulation{steps: t.Steps()}, hierarchy: newHierarchy(s.output), formal: map[string][]source.Span{}}
	for _, f := range s.sources {
		b.formal[f.Path] = formalParts(f.Text.Content())
		b.plain = append(b.plain, s.withoutStatements(f))
	}
	if err := b.refuse(); err != nil {
		return nil, err
	}
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	inner, err := s.circuit.Syntax().Elaborate(ctx)
	if err != nil {
		return nil, err
	}
	b.litOf = (&elaboration{Elaboration: inner}).inner
	bad, ok := d.Circuit().Bad(id)
	if !ok {
		return nil, circuit.ErrNoProperty
	}
	b.findLeaves()
	b.findGates(bad)
	if err := b.simulate(ctx, t); err != nil {
		return nil, err
	}
	b.write()
	return []byte(b.out.String()), nil
}

// bench is a test bench in the making.
type bench struct {
	s         *Synthesis
	d         *design.Design
	id        circuit.Property
	check     *check
	hierarchy *hierarchy
	formal    map[string][]source.Span // what only FORMAL has, by file
	plain     []string                 // the sources without statements, in their places
	litOf     func(uint32) (circuit.Lit, bool)

	ports  []*signal // inputs of the top module, without the clock
	free   []*signal // that nothing in the source drives: anyconst and anyseq
	leaves map[circuit.Var]string
	monitor
	simulation

	out strings.Builder
}

// monitor is what the property is made of.
type monitor struct {
	gates []circuit.Var
	own   []circuit.Var // that have values of the counterexample alone
}

// simulation is the counterexample.
type simulation struct {
	steps int
	// values are those of each step; known those that hold whatever the source leaves open.
	values, known []stepValues
}

// stepValues are values in one step of the variables that the test bench is about.
type stepValues map[circuit.Var]circuit.Value

func (s stepValues) of(l circuit.Lit) circuit.Value {
	if l.Var() == 0 {
		return circuit.ValueOf(l == circuit.True)
	}
	return s[l.Var()].NotIf(l.IsNegated())
}

// simulated are words of the language that plain simulators do not know.
var simulated = map[string]string{
	"$anyconst": "declare a register with (* anyconst *) instead", "$anyseq": "declare a register with (* anyseq *) instead",
	"$allconst": "", "$allseq": "", "s_eventually": "",
}

// refuse says why there can be no test bench.
func (b *bench) refuse() error {
	switch {
	case b.id.Kind == circuit.PropertyJustice:
		return errors.New("the run of a live property does not end, so that no simulation shows it")
	case !b.s.output.Clocked:
		return errors.New("the design has several clocks or edges: a step of the counterexample is not a cycle that a test bench could drive")
	}
	for _, p := range b.s.output.Flat.Ports {
		if p.Direction == "inout" {
			return fmt.Errorf("port %s is inout, which a test bench would have to drive and to leave alone", p.Name)
		}
	}
	for _, n := range b.s.modules() {
		for i := range n.Cells {
			if reason := b.refuseCell(&n.Cells[i]); reason != nil {
				return reason
			}
		}
	}
	for i, f := range b.s.sources {
		text := b.plain[i]
		for span := range identifiers(text) {
			word := text[span.Start:span.End()]
			way, is := simulated[word]
			if !is || b.isFormal(place{f.Path, f.Text, span}) {
				continue
			}
			if way != "" {
				way = ", or " + way
			}
			line, _ := f.Text.LineColumn(span.Start)
			return fmt.Errorf("simulators do not know %s, in line %d of %s: put it between `ifdef FORMAL and `endif%s", word, line, filepath.Base(f.Path), way)
		}
	}
	return nil
}

// refuseCell says why there can be no test bench because of a cell: a statement that cannot be left out,
// or a register whose clock no simulation has.
func (b *bench) refuseCell(c *yosys.Cell) error {
	if b.isFormal(b.s.placeOf(c.Attributes)) {
		return nil
	}
	if c.Type == "$ff" {
		return errors.New("registers follow the global clock of formal tools, which a simulator does not have: (* gclk *) or $global_clock")
	}
	if !isStatement(c) {
		return nil
	}
	for _, p := range c.Attributes.Places() {
		path := b.s.output.PathOf(p.File)
		if path == "" || b.s.indexOf(path) >= 0 || b.onlyFormalIncludes(path) {
			continue
		}
		return fmt.Errorf("a statement stands in line %d of %s, which a source includes: put the `include between `ifdef FORMAL and `endif", p.Line, filepath.Base(path))
	}
	return nil
}

// onlyFormalIncludes reports whether the sources include a file, and only where just tools with FORMAL
// read it.
func (b *bench) onlyFormalIncludes(path string) bool {
	all := b.s.includesOf(path)
	return len(all) > 0 && !slices.ContainsFunc(all, func(p place) bool { return !b.isFormal(p) })
}

// isStatement reports whether a cell stands for an assert, an assume or a cover.
func isStatement(c *yosys.Cell) bool {
	switch c.Type {
	case "$assert", "$assume", "$cover", "$live", "$fair", "$check":
		return true
	}
	return false
}

// isFormal reports whether something stands where only tools with FORMAL read it.
func (b *bench) isFormal(p place) bool {
	for _, span := range b.formal[p.path] {
		if span.Start <= p.span.Start && p.span.Start < span.End() {
			return true
		}
	}
	return false
}

var directive = regexp.MustCompile("(?m)^[ \t]*`(ifdef|ifndef|elsif|else|endif)\\b[ \t]*(\\w*)")

// formalParts returns the parts of a text that are there only for Yosys, which defines FORMAL and YOSYS.
func formalParts(text string) (parts []source.Span) {
	type level struct{ seen, inside bool } // of such a macro
	var levels []level
	start := -1
	for _, m := range directive.FindAllStringSubmatchIndex(text, -1) {
		isFormal := text[m[4]:m[5]] == "FORMAL" || text[m[4]:m[5]] == "YOSYS"
		top := len(levels) - 1
		switch word := text[m[2]:m[3]]; {
		case word == "ifdef":
			levels = append(levels, level{isFormal, isFormal})
		case word == "ifndef":
			levels = append(levels, level{isFormal, false})
		case top < 0:
			continue
		case word == "elsif":
			levels[top] = level{isFormal, isFormal}
		case word == "else":
			levels[top].inside = levels[top].seen && !levels[top].inside
		default:
			levels = levels[:top]
		}
		inside := slices.ContainsFunc(levels, func(l level) bool { return l.inside })
		switch {
		case inside && start < 0:
			start = m[1]
		case !inside && start >= 0:
			parts = append(parts, source.Span{Start: start, Length: m[0] - start})
			start = -1
		}
	}
	return parts
}

// findLeaves finds the signals that exist in a simulation: inputs, registers, and what the source
// leaves free.
func (b *bench) findLeaves() {
	b.leaves = map[circuit.Var]string{}
	inputs := map[string]bool{}
	for _, p := range b.s.output.Flat.Ports {
		inputs[p.Name] = p.Direction == "input"
	}
	free := map[string]bool{}
	for i := range b.s.output.Flat.Cells {
		if c := &b.s.output.Flat.Cells[i]; c.Type == "$anyconst" || c.Type == "$anyseq" {
			for _, w := range b.s.output.Flat.Wires {
				if len(c.Ports["Y"]) > 0 && slices.Equal(w.Bits, c.Ports["Y"]) && !w.Private {
					free[w.Name] = true
				}
			}
		}
	}
	for _, x := range b.s.signals {
		isPort := len(x.path) == 0 && inputs[x.wire.Name]
		isFree := free[x.wire.Name]
		switch {
		case isPort && x.name == b.s.output.Clock:
			continue
		case isPort:
			b.ports = append(b.ports, x)
		case b.isFormal(x.place) || !isFree && !x.isReg:
			continue
		case isFree:
			b.free = append(b.free, x)
		}
		for i, lit := range x.lits {
			l, ok := b.litOf(lit)
			if _, has := b.leaves[l.Var()]; !ok || !x.known[i] || l.Var() == 0 || l.IsNegated() || has {
				continue
			}
			b.leaves[l.Var()] = b.bit(x, i, isPort)
		}
	}
}

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

var simpleName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*(\[\d+\])*$`)

// hierarchical returns the name of a signal from the test bench on.
func hierarchical(x *signal) string {
	name := "dut"
	for _, part := range append(slices.Clone(x.path), x.local) {
		if !simpleName.MatchString(part) {
			part = `\` + part + " "
		}
		name += "." + part
	}
	return name
}

// local returns the name of a register of the test bench for a port.
func local(port string) string {
	switch {
	case !simpleName.MatchString(port):
		return `\` + port + " "
	case port == "dut" || port == "testbench" || strings.HasPrefix(port, "aiglens_"):
		return port + "_"
	}
	return port
}

// simulate finds the values of all signals, with 0 for those that do not matter. A latch that the source
// does not name holds what Yosys has made of a register, which starts as the counterexample says, or
// is of a statement alone; an input that it does not name is an x of the source.
func (b *bench) simulate(ctx context.Context, t cert.Trace) error {
	c := b.d.Circuit()
	bad, _ := c.Bad(b.id)
	given := b.given()
	wanted := map[circuit.Var]bool{bad.Var(): true}
	for _, v := range b.own {
		wanted[v] = true
	}
	for _, x := range b.s.signals {
		for _, lit := range x.lits {
			if l, ok := b.litOf(lit); ok {
				wanted[l.Var()] = true
			}
		}
	}
	run := func(isX bool) ([]stepValues, error) {
		sim := circuit.NewTernary(c)
		sim.Reset()
		for i, l := range c.Latches() {
			if l.Reset == l.Lit {
				sim.SetLatch(i, valueAt(t.Initial, i, circuit.Zero))
			}
		}
		var all []stepValues
		for step := range b.steps {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			row := make([]circuit.Value, len(c.Inputs()))
			for i, in := range c.Inputs() {
				if row[i] = valueAt(t.Inputs[step], i, circuit.Zero); isX && !given[in.Lit.Var()] {
					row[i] = circuit.X
				}
			}
			sim.Eval(row)
			values := make(stepValues, len(wanted))
			for v := range wanted {
				values[v] = sim.Value(v.Lit())
			}
			all = append(all, values)
			sim.Advance()
		}
		return all, nil
	}
	var err error
	if b.values, err = run(false); err != nil {
		return err
	}
	if b.known, err = run(true); err != nil {
		return err
	}
	last := b.steps - 1
	if b.values[last].of(bad) != circuit.One {
		return errors.New("the counterexample does not violate the property with 0 for each x")
	}
	if b.known[last].of(bad) != circuit.One {
		return errors.New("the counterexample rests on a value that the source leaves undefined, which a simulator shows as x")
	}
	return nil
}

func valueAt(row []circuit.Value, i int, otherwise circuit.Value) circuit.Value {
	if i < len(row) && row[i] != circuit.X {
		return row[i]
	}
	return otherwise
}

// given returns the variables that the test bench sets: inputs, registers, and what only FORMAL has.
func (b *bench) given() map[circuit.Var]bool {
	given := map[circuit.Var]bool{}
	for v := range b.leaves {
		given[v] = true
	}
	for _, x := range b.s.signals {
		if !b.isFormal(x.place) {
			continue
		}
		for i, lit := range x.lits {
			if l, ok := b.litOf(lit); ok && x.known[i] {
				given[l.Var()] = true
			}
		}
	}
	return given
}

// findGates finds what the property is made of, down to signals of the simulation.
func (b *bench) findGates(bad circuit.Lit) {
	c := b.d.Circuit()
	needed := make([]bool, c.NumVars())
	needed[bad.Var()] = true
	for v := circuit.Var(c.NumVars() - 1); v > 0; v-- {
		if !needed[v] {
			continue
		}
		if _, isLeaf := b.leaves[v]; isLeaf {
			continue
		}
		if left, right, ok := c.Operands(v); ok {
			needed[left.Var()], needed[right.Var()] = true, true
			b.gates = append(b.gates, v)
		} else {
			b.own = append(b.own, v)
		}
	}
	slices.Reverse(b.gates)
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
		b.out.WriteString(firstStep.ReplaceAllString(b.plain[i], "testbench.aiglens_first"))
	}
}

// firstStep is a call that Yosys knows.
var firstStep = regexp.MustCompile(`\$initstate\b(\s*\(\s*\))?`)

var (
	statementStart = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_$]*\s*:\s*)?(assert|assume|cover|restrict)\b`)
	statementEnd   = regexp.MustCompile(`^\s*;`)
	// notAlone is what stands before a statement that something else needs, so that a ; has to stay.
	notAlone = regexp.MustCompile(`([)*:]|\belse)$`)
	// process begins a process, which may not be empty.
	process = regexp.MustCompile(`\b(initial|final|always_comb|always_latch)$`)
)

const longestBefore = 16

// withoutStatements returns a source with blanks in the place of its asserts, assumes and covers.
func (s *Synthesis) withoutStatements(f Source) string {
	text, code := []byte(f.Text.Content()), codeOf(f.Text.Content())
	for _, n := range s.modules() {
		for i := range n.Cells {
			if !isStatement(&n.Cells[i]) {
				continue
			}
			p := s.placeOf(n.Cells[i].Attributes)
			if p.path != f.Path || !statementStart.MatchString(f.Text.Slice(p.span)) || !statementEnd.Match(text[p.span.End():]) {
				continue
			}
			end := p.span.End()
			before := bytes.TrimRight(code[:p.span.Start], " \t\r\n")
			if word := process.Find(before[max(0, len(before)-longestBefore):]); word != nil {
				start := len(before) - len(word)
				blank(text, start, len(before))
				before = bytes.TrimRight(code[:start], " \t\r\n")
			}
			if !notAlone.Match(before[max(0, len(before)-longestBefore):]) {
				end += bytes.IndexByte(text[end:], ';') + 1
			}
			blank(text, p.span.Start, end)
		}
	}
	return string(text)
}

func escaped(name string) string {
	if simpleName.MatchString(name) {
		return name
	}
	return `\` + name + " "
}

// writeStart sets registers that the source gives no start. A name may be that of a wire that
// follows the register: both are forced, and released when the first step has begun.
func (b *bench) writeStart() (released []string) {
	for _, x := range b.s.signals {
		if !x.isReg || b.isFormal(x.place) || slices.Contains(b.free, x) || b.hasStart(x) {
			continue
		}
		value, _ := b.literal(x, b.values[0])
		name := hierarchical(x)
		if strings.HasSuffix(x.local, "]") && x.wire.Attributes["hdlname"] != "" && b.isMemoryWord(x) {
			b.say("    %s = %s;", name, value)
			continue
		}
		b.say("    force %s = %s;", name, value)
		released = append(released, name)
	}
	b.say("    #1;")
	return released
}

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

// codeOf returns a source with blanks in the place of comments and of lines for the preprocessor.
func codeOf(text string) []byte {
	code := []byte(text)
	for at := 0; at < len(text); {
		n := blankBefore(text[at:])
		switch {
		case n > 0:
			blank(code, at, at+n)
			at += n
		case text[at] == '"':
			at = afterText(text, at)
		default:
			at++
		}
	}
	for _, m := range directive.FindAllStringIndex(text, -1) {
		blank(code, m[0], m[1])
	}
	return code
}

// blank puts blanks in the place of a part of a text, but keeps its lines.
func blank(text []byte, from, to int) {
	for i := from; i < to; i++ {
		if text[i] != '\n' && text[i] != '\r' {
			text[i] = ' '
		}
	}
}
