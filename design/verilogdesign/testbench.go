package verilogdesign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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

// isFormal reports whether something stands where only tools with FORMAL read it.
func (b *bench) isFormal(p place) bool {
	for _, span := range b.formal[p.path] {
		if span.Start <= p.span.Start && p.span.Start < span.End() {
			return true
		}
	}
	return false
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
