package aiger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Model is the content of a file, to be written, renumbered and turned into a
// circuit.
type Model syntax.Contents

// ModelOf returns the numbers of the file. It fails when the file has an error.
func ModelOf(f *syntax.File) (*Model, error) {
	cycles, _ := diagnose.FindCycles(context.Background(), f) // which does not end
	if err := errorIn(f, cycles.Diagnostics); err != nil {
		return nil, err
	}
	return (*Model)(f.Contents()), nil
}

// errorIn returns the first error of a file with some cycles, with its place.
func errorIn(f *syntax.File, cycles []*source.Diagnostic) error {
	for _, diag := range append(f.Diagnostics(), findings.Values(cycles)...) {
		if diag.Severity == source.Error {
			line, column := f.Text().LineColumn(diag.Span.Start)
			return fmt.Errorf("line %d, column %d: %s", line, column, diag.Message)
		}
	}
	return nil
}

// FromCircuit returns the model of a circuit, numbered as the binary format
// wants it: inputs, latches, gates. It is without lemmas and covers, which have no rows.
func FromCircuit(c *circuit.Circuit) *Model {
	m, _ := fromCircuit(c)
	return m
}

// WithLiterals is FromCircuit, which also returns where literals of the circuit went. Lemmas
// and covers are for the caller to add.
func WithLiterals(c *circuit.Circuit) (*Model, func(circuit.Lit) uint32) { return fromCircuit(c) }

// fromCircuit is FromCircuit, which also returns where literals of the circuit went.
func fromCircuit(c *circuit.Circuit) (*Model, func(circuit.Lit) uint32) {
	to := make([]uint32, c.NumVars()) // by variable: its literal
	last := uint32(0)
	number := func(v circuit.Var) uint32 {
		last += 2
		to[v] = last
		return last
	}
	m := &Model{}
	for _, in := range c.Inputs() {
		m.Inputs = append(m.Inputs, number(in.Lit.Var()))
	}
	for _, l := range c.Latches() {
		number(l.Lit.Var())
	}
	lit := func(l circuit.Lit) uint32 { return to[l.Var()] | uint32(l&1) }
	for v := range circuit.Var(c.NumVars()) {
		if left, right, ok := c.Operands(v); ok {
			m.Ands = append(m.Ands, syntax.And{LHS: number(v), RHS0: lit(left), RHS1: lit(right)}.Ordered())
		}
	}
	for _, l := range c.Latches() {
		m.Latches = append(m.Latches, syntax.Latch{Lit: lit(l.Lit), Next: lit(l.Next), Reset: lit(l.Reset)})
	}
	signals := func(from []circuit.Signal) []uint32 {
		var ls []uint32
		for _, s := range from {
			ls = append(ls, lit(s.Lit))
		}
		return ls
	}
	m.Outputs, m.Bads = signals(c.Outputs()), signals(c.Bads())
	m.Constraints, m.Fairness = signals(c.Constraints()), signals(c.Fairness())
	for _, j := range c.Justice() {
		ls := make([]uint32, len(j.Lits))
		for i, l := range j.Lits {
			ls[i] = lit(l)
		}
		m.Justice = append(m.Justice, ls)
	}
	m.MaxVar = last / 2
	return m, lit
}

// firstStep is the name of the latch that is 1 in step 0 alone.
const firstStep = "first_step"

// ConstantResets returns a model with the same runs that has no reset function; see
// circuit.Circuit.ConstantResets. Symbols and comments stay. It fails where Elaborate does.
func (m *Model) ConstantResets() (*Model, error) {
	c, err := m.Elaborate()
	if err != nil || !c.HasResetFunctions() {
		return m, err
	}
	if m.mapsLiterals() {
		return nil, ErrMapped
	}
	constant, _ := c.ConstantResets()
	to, lit := fromCircuit(constant)
	name := m.newNames().unique(firstStep)
	to.Symbols = append(slices.Clone(m.Symbols), syntax.SymbolEntry{Kind: syntax.SectionLatches, Index: len(m.Latches), Name: name})
	var next [2]int // of lemmas and covers
	return to.withAsidesOf(m, func(a syntax.AsideEntry) (uint32, bool) {
		if a.Kind == syntax.AsideBit {
			return elementIn(m, to, a.Lit)
		}
		signals := constant.Lemmas()
		if a.Kind == syntax.AsideCover {
			signals = constant.Covers()
		}
		next[a.Kind]++
		return lit(signals[next[a.Kind]-1].Lit), true
	}), nil
}

// elementIn returns the literal that an input or latch of one model is in another; ok is false for
// a gate.
func elementIn(m, to *Model, lit uint32) (in uint32, ok bool) {
	if i := slices.Index(m.Inputs, lit&^1); i >= 0 && i < len(to.Inputs) {
		return to.Inputs[i] | lit&1, true
	}
	i := slices.IndexFunc(m.Latches, func(l syntax.Latch) bool { return l.Lit == lit&^1 })
	if i < 0 || i >= len(to.Latches) {
		return 0, false
	}
	return to.Latches[i].Lit | lit&1, true
}

// largest returns the largest variable of the model.
func (m *Model) largest() uint32 {
	top := uint32(0)
	m.eachLit(func(lit *uint32) { top = max(top, *lit) })
	return top / 2
}

// eachLit calls f for every literal, definitions first, gates last.
func (m *Model) eachLit(f func(lit *uint32)) {
	each := func(ls []uint32) {
		for i := range ls {
			f(&ls[i])
		}
	}
	each(m.Inputs)
	for i := range m.Latches {
		l := &m.Latches[i]
		f(&l.Lit)
		f(&l.Next)
		f(&l.Reset)
	}
	each(m.Outputs)
	each(m.Bads)
	each(m.Constraints)
	for _, ls := range m.Justice {
		each(ls)
	}
	each(m.Fairness)
	for i := range m.Ands {
		a := &m.Ands[i]
		f(&a.LHS)
		f(&a.RHS0)
		f(&a.RHS1)
	}
}

// errIllFormed is returned for a model that is not a circuit.
var errIllFormed = errors.New("not a circuit")

// sorted returns the gates so that each comes after its operands; gates that
// are in order stay as they are. It fails when a literal is not defined,
// defined twice, or depends on itself.
func (m *Model) sorted() ([]syntax.And, error) {
	top := m.largest()
	if int(top) > 16*(len(m.Inputs)+len(m.Latches)+len(m.Ands))+1<<20 {
		return nil, fmt.Errorf("%w: variable %d in a model of %d definitions",
			errIllFormed, top, len(m.Inputs)+len(m.Latches)+len(m.Ands))
	}
	s := gateSort{gates: m.Ands, at: make([]int32, top+1)}
	if err := s.define(m); err != nil {
		return nil, err
	}
	var undefined error
	m.eachLit(func(lit *uint32) {
		if v := *lit / 2; v > 0 && s.at[v] == 0 && undefined == nil {
			undefined = fmt.Errorf("%w: literal %d is not defined", errIllFormed, *lit)
		}
	})
	if undefined != nil {
		return nil, undefined
	}
	return s.run()
}

// gateSort orders gates. at gives for each variable what defines it: 1 + its
// gate, −1 for an input, a latch or a gate that is done, −2−gate for one that
// waits for its operands, 0 for nothing.
type gateSort struct {
	gates []syntax.And
	at    []int32
}

func (s *gateSort) define(m *Model) error {
	set := func(lit uint32, as int32) error {
		switch {
		case lit < 2 || lit&1 == 1:
			return fmt.Errorf("%w: literal %d cannot be defined", errIllFormed, lit)
		case s.at[lit/2] != 0:
			return fmt.Errorf("%w: literal %d is defined twice", errIllFormed, lit)
		}
		s.at[lit/2] = as
		return nil
	}
	var errs [3]error
	for _, lit := range m.Inputs {
		errs[0] = cmpErr(errs[0], set(lit, -1))
	}
	for _, l := range m.Latches {
		errs[1] = cmpErr(errs[1], set(l.Lit, -1))
	}
	for i, a := range m.Ands {
		errs[2] = cmpErr(errs[2], set(a.LHS, int32(i+1)))
	}
	return cmpErr(errs[0], cmpErr(errs[1], errs[2]))
}

// cmpErr returns the first error of two.
func cmpErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func (s *gateSort) run() ([]syntax.And, error) {
	sorted := make([]syntax.And, 0, len(s.gates))
	var open []int32
	for i := range s.gates {
		open = append(open[:0], int32(i))
		for len(open) > 0 {
			i := open[len(open)-1]
			g := s.gates[i]
			state := &s.at[g.LHS/2]
			if *state == -1 {
				open = open[:len(open)-1]
				continue
			}
			left, right := s.at[g.RHS0/2], s.at[g.RHS1/2]
			if left < -1 || right < -1 || g.RHS0/2 == g.LHS/2 || g.RHS1/2 == g.LHS/2 {
				return nil, fmt.Errorf("%w: AND %d depends on itself", errIllFormed, g.LHS)
			}
			if left <= 0 && right <= 0 {
				*state = -1
				sorted = append(sorted, g)
				open = open[:len(open)-1]
				continue
			}
			*state = -2 - i
			if left > 0 {
				open = append(open, left-1)
			}
			if right > 0 && right != left {
				open = append(open, right-1)
			}
		}
	}
	return sorted, nil
}

// Elaborate builds the circuit of a model. It fails when a literal is not
// defined, defined twice, or depends on itself, and so when a reset does. No element has
// an Origin.
func (m *Model) Elaborate() (*circuit.Circuit, error) {
	c, _, err := m.elaborate()
	return c, err
}

// Literals is Elaborate, which also returns where literals went that the model defines.
func (m *Model) Literals() (*circuit.Circuit, func(uint32) circuit.Lit, error) { return m.elaborate() }

// Defined returns a function that reports whether the model has a literal: that of an input, a
// latch or a gate, their negation, or a constant. It takes time linear in the model, its result
// constant time.
func (m *Model) Defined() func(lit uint32) bool { return m.definedVars() }

// elaborate is Elaborate, which also returns where literals of the model went.
func (m *Model) elaborate() (*circuit.Circuit, func(uint32) circuit.Lit, error) {
	gates, err := m.sorted()
	if err != nil {
		return nil, nil, err
	}
	b := circuit.NewBuilder(len(m.Inputs) + len(m.Latches) + len(gates))
	to := make([]circuit.Lit, m.largest()+1) // by variable
	lit := func(l uint32) circuit.Lit { return to[l/2].NotIf(l&1 == 1) }
	for _, l := range m.Inputs {
		to[l/2] = b.Input(0)
	}
	for _, l := range m.Latches {
		to[l.Lit/2] = b.Latch(0)
	}
	for _, g := range gates {
		to[g.LHS/2] = b.And(lit(g.RHS0), lit(g.RHS1))
	}
	for _, l := range m.Latches {
		b.SetNext(lit(l.Lit), lit(l.Next))
		b.SetReset(lit(l.Lit), lit(l.Reset))
	}
	if cycle := b.ResetCycle(); cycle != nil {
		at := slices.IndexFunc(m.Latches, func(l syntax.Latch) bool { return lit(l.Lit) == cycle[0] })
		return nil, nil, fmt.Errorf("the reset of latch %d depends on the latch itself", m.Latches[at].Lit)
	}
	for _, s := range []struct {
		from []uint32
		add  func(circuit.Lit, circuit.Origin)
	}{{m.Outputs, b.Output}, {m.Bads, b.Bad}, {m.Constraints, b.Constraint}, {m.Fairness, b.Fairness}} {
		for _, l := range s.from {
			s.add(lit(l), 0)
		}
	}
	m.addJustice(b, lit)
	m.addAsides(b, lit)
	return b.Build(), lit, nil
}

// addJustice adds the justice properties.
func (m *Model) addJustice(b *circuit.Builder, lit func(uint32) circuit.Lit) {
	for _, j := range m.Justice {
		ls := make([]circuit.Lit, len(j))
		for i, l := range j {
			ls[i] = lit(l)
		}
		b.Justice(ls, 0)
	}
}
