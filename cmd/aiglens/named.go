package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// named is the circuit of a file without errors, with the names of its elements and
// signals.
type named struct {
	in      *input
	circuit *circuit.Circuit
	// properties are those that check would judge, propertyName their names, "" for none.
	properties   []circuit.Property
	propertyName func(circuit.Property) string
	names        blif.Names // of AIGER files those of the symbols
	// rows is the number of ANDs that an AIGER file has, -1 for BLIF.
	rows int
	// signal returns the name of a variable: that of its input, latch or net, else of AIGER
	// files its literal there; "" for one that the file does not have.
	signal func(circuit.Var) string
	// netOf returns the literal of a variable that a net of BLIF is, and net its name; ok is
	// false in AIGER files, whose literals all stand in the file.
	netOf func(circuit.Var) (l circuit.Lit, ok bool)
	net   func(circuit.Lit) string
	// find returns the literals that have a name in the file, of AIGER files also those of a
	// position or a number.
	find func(name string) []circuit.Lit
	// gateRows returns the rows, or nets, that gates stand in. The error is that of its context.
	gateRows func(context.Context) ([]row, error)
}

// named reads the circuit. A file with errors is refused.
func (in *input) named(ctx context.Context, e env) (*named, error) {
	if in.blif != nil {
		return in.namedBLIF(ctx, e)
	}
	m, err := in.numbers(e)
	if err != nil {
		return nil, err
	}
	c, lit, err := m.Literals()
	if err != nil {
		return nil, err
	}
	n := &named{in: in, circuit: c, properties: c.Properties(), names: in.symbols(m), rows: len(m.Ands)}
	n.propertyName = func(p circuit.Property) string {
		list := map[circuit.PropertyKind][]string{
			circuit.PropertyBad: n.names.Bads, circuit.PropertyOutput: n.names.Outputs, circuit.PropertyJustice: n.names.Justice,
			circuit.PropertyLemma: n.names.Lemmas, circuit.PropertyCover: n.names.Covers,
		}[p.Kind]
		return list[p.Index]
	}
	signals := signalsOf(m, lit, n)
	n.signal = func(v circuit.Var) string { return signals[v] }
	n.netOf = func(circuit.Var) (circuit.Lit, bool) { return 0, false }
	n.find = func(name string) []circuit.Lit { return findIn(m, lit, n, name) }
	n.gateRows = func(ctx context.Context) (rows []row, err error) {
		for _, g := range m.Ands {
			r := row{name: signals[lit(g.LHS).Var()]}
			if left, right := lit(g.RHS0), lit(g.RHS1); left.Var() != right.Var() && left.Var() != 0 && right.Var() != 0 {
				r.own = []circuit.Var{lit(g.LHS).Var()}
			}
			rows = append(rows, r)
		}
		return rows, ctx.Err()
	}
	return n, ctx.Err()
}

// symbols returns the names of the elements of an AIGER file.
func (in *input) symbols(m *aiger.Model) blif.Names {
	names := blif.Names{Model: exportBase(in.name), Lemmas: asideNames(m, syntax.AsideLemma), Covers: asideNames(m, syntax.AsideCover)}
	lists := map[syntax.SectionKind]*[]string{}
	for _, list := range []struct {
		kind  syntax.SectionKind
		names *[]string
		size  int
	}{
		{syntax.SectionInputs, &names.Inputs, len(m.Inputs)}, {syntax.SectionLatches, &names.Latches, len(m.Latches)},
		{syntax.SectionOutputs, &names.Outputs, len(m.Outputs)}, {syntax.SectionBads, &names.Bads, len(m.Bads)},
		{syntax.SectionConstraints, &names.Constraints, len(m.Constraints)},
		{syntax.SectionJustice, &names.Justice, len(m.Justice)}, {syntax.SectionFairness, &names.Fairness, len(m.Fairness)},
	} {
		*list.names = make([]string, list.size)
		lists[list.kind] = list.names
	}
	for _, s := range m.Symbols {
		if list := lists[s.Kind]; list != nil && s.Index < len(*list) {
			(*list)[s.Index] = s.Name
		}
	}
	return names
}

// literalPrefix stands before the literal of a signal of an AIGER file that has no other
// name.
const literalPrefix = "lit"

func literalName(lit uint32) string { return literalPrefix + strconv.FormatUint(uint64(lit), 10) }

// signalsOf returns the names of the variables of the circuit of an AIGER file.
func signalsOf(m *aiger.Model, lit func(uint32) circuit.Lit, n *named) []string {
	signals := make([]string, n.circuit.NumVars())
	name := func(l uint32, name string) {
		to := lit(l)
		switch {
		case to.IsNegated() || signals[to.Var()] != "":
		case name == "":
			signals[to.Var()] = literalName(l)
		default:
			signals[to.Var()] = name
		}
	}
	for i, l := range m.Inputs {
		name(l, n.names.Inputs[i])
	}
	for i, l := range m.Latches {
		name(l.Lit, n.names.Latches[i])
	}
	for _, g := range m.Ands {
		name(g.LHS, "")
	}
	signals[0] = ""
	return signals
}

// findIn returns the signals of an AIGER file with a name: of a symbol, else the element
// at a position, such as o0, else the literal of a number, such as 12 or lit12.
func findIn(m *aiger.Model, lit func(uint32) circuit.Lit, n *named, name string) (found []circuit.Lit) {
	c := n.circuit
	var byName, byPosition []circuit.Lit
	look := func(letter string, names []string, at func(i int) circuit.Lit) {
		for i, symbol := range names {
			if symbol == name {
				byName = append(byName, at(i))
			}
		}
		if i, err := strconv.Atoi(name[min(len(letter), len(name)):]); err == nil && name[:1] == letter && i >= 0 && i < len(names) {
			byPosition = append(byPosition, at(i))
		}
	}
	if name == "" {
		return nil
	}
	look("i", n.names.Inputs, func(i int) circuit.Lit { return c.Inputs()[i].Lit })
	look("l", n.names.Latches, func(i int) circuit.Lit { return c.Latches()[i].Lit })
	look("o", n.names.Outputs, func(i int) circuit.Lit { return c.Outputs()[i].Lit })
	look("b", n.names.Bads, func(i int) circuit.Lit { return c.Bads()[i].Lit })
	look("c", n.names.Constraints, func(i int) circuit.Lit { return c.Constraints()[i].Lit })
	look("f", n.names.Fairness, func(i int) circuit.Lit { return c.Fairness()[i].Lit })
	number, err := strconv.ParseUint(strings.TrimPrefix(name, literalPrefix), 10, 32)
	switch {
	case len(byName) > 0:
		return byName
	case len(byPosition) > 0:
		return byPosition
	case err == nil && m.Defined()(uint32(number)):
		return []circuit.Lit{lit(uint32(number))}
	}
	return nil
}

// namedBLIF is named for BLIF, flattened.
func (in *input) namedBLIF(ctx context.Context, e env) (*named, error) {
	b, err := in.flatten(ctx, e)
	if err != nil {
		return nil, err
	}
	n := &named{in: in, circuit: b.Circuit, names: in.namesOf(b), rows: -1}
	n.properties, n.propertyName = in.blifProperties()
	nets := make([]int, b.Circuit.NumVars()) // 1 + the number of a net
	for i := range b.NumNets() {
		if l, ok := b.NetLit(i); ok && !l.IsNegated() && nets[l.Var()] == 0 {
			nets[l.Var()] = i + 1
		}
	}
	n.signal = func(v circuit.Var) string {
		switch i := nets[v]; {
		case v == 0:
			return ""
		case i > 0:
			return b.NetAt(i - 1).Name
		}
		if i := b.Circuit.InputIndex(v); i >= 0 {
			return b.InputName(i)
		}
		if i := b.Circuit.LatchIndex(v); i >= 0 {
			return b.LatchName(i)
		}
		return ""
	}
	negated := make(map[circuit.Var]int) // the number of a net that is the negation, where no other is
	for i := range b.NumNets() {
		if l, ok := b.NetLit(i); ok && l.IsNegated() && l.Var() != 0 && nets[l.Var()] == 0 {
			if _, isKnown := negated[l.Var()]; !isKnown {
				negated[l.Var()] = i
			}
		}
	}
	n.netOf = func(v circuit.Var) (circuit.Lit, bool) {
		_, isNegated := negated[v]
		return v.Lit().NotIf(isNegated), isNegated || nets[v] > 0 && v != 0
	}
	n.net = func(l circuit.Lit) string {
		if i, ok := negated[l.Var()]; ok {
			return b.NetAt(i).Name
		}
		return b.NetAt(nets[l.Var()] - 1).Name
	}
	n.gateRows = func(ctx context.Context) ([]row, error) { return netRows(ctx, in.blif, b) }
	n.find = func(name string) (found []circuit.Lit) {
		for i := range b.NumNets() {
			if l, ok := b.NetLit(i); ok && b.NetAt(i).Name == name {
				found = append(found, l)
			}
		}
		return found
	}
	return n, ctx.Err()
}

// flatten flattens a BLIF file. One with errors is refused: its circuit has free inputs in
// their places.
func (in *input) flatten(ctx context.Context, e env) (*flat.Elaboration, error) {
	faulty := 0
	for _, d := range diagnose.Diagnostics(in.blif) {
		if d.Severity == source.Error {
			in.print(e.stderr, d)
			faulty++
		}
	}
	if faulty > 0 {
		return nil, errors.New("the file has errors, in whose places the circuit would have free inputs")
	}
	b, err := flat.ElaborateWithin(ctx, in.blif)
	if err != nil {
		return nil, err
	}
	fault, cuts := b.Whole()
	if fault != nil {
		in.print(e.stderr, *fault)
		return nil, errors.New("the circuit of the file has an error")
	}
	for _, cut := range cuts {
		in.print(e.stderr, cut)
	}
	return b, nil
}

// theSignal returns the one literal that has a name.
func (n *named) theSignal(name string) (circuit.Lit, error) {
	found := n.find(name)
	if len(found) == 0 {
		return 0, fmt.Errorf("there is no signal %q", name)
	}
	for _, l := range found[1:] {
		if l != found[0] {
			return 0, fmt.Errorf("%d different signals are called %q; AIGER files have them by position or literal, such as o0 and 12", len(found), name)
		}
	}
	return found[0], nil
}
