// Package toy is a netlist language that only tests read. It shows how little a new
// format has to say: an adapter, which is this file, and a row of the table.
//
// A text is a list of lines, each with a word and names of signals:
//
//	input x      a free value
//	latch q d    starts with 0; d is its next value
//	and g a b    a conjunction
//	bad g        must never be 1
//
// A use of a signal may have a ! before it, its negation.
package toy

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/format"
	"aiglens/internal/source"
)

// Format is the row of the table.
var Format = &design.Format{
	Format: format.Format{
		Name: "Toy", Languages: []string{"toy"}, FirstWords: []string{"toy"}, Files: []format.File{{Ext: ".toy"}},
	},
	Parse: func(in design.Unparsed) design.Syntax {
		return design.Base{Core: parse(in.Text), Text: in.Text}
	},
}

// kinds are the words that define a signal, with the number of signals that they use.
var kinds = map[string]struct {
	kind design.SignalKind
	uses int
}{"input": {design.Input, 0}, "latch": {design.Latch, 1}, "and": {design.Gate, 2}}

// netlist is a text; signals are numbered from 1 in the order in which they occur.
type netlist struct {
	text        source.Text
	names       []string // by signal
	occurrences []design.Occurrence
	definitions map[design.Signal]design.Definition
	order       []design.Signal // that are defined
	bads        []design.Property
	diagnostics []source.Diagnostic
}

func parse(text source.Text) *netlist {
	n := &netlist{text: text, names: []string{""}, definitions: map[design.Signal]design.Definition{}}
	for line := range text.NumLines() {
		n.parseLine(text.LineSpan(line))
	}
	for _, o := range n.occurrences {
		if _, ok := n.definitions[o.Lit.Signal()]; !ok {
			n.wrong(o.Span, "undefined", "expected a signal that a line defines, found "+n.names[o.Lit.Signal()])
		}
	}
	return n
}

func (n *netlist) wrong(span source.Span, code source.Code, message string) {
	n.diagnostics = append(n.diagnostics, source.Diagnostic{Span: span, Severity: source.Error, Code: code, Message: message})
}

// word is a word of a line.
type word struct {
	text string
	span source.Span
}

func wordsIn(text source.Text, row source.Span) []word {
	line := text.Slice(row)
	var all []word
	for at := 0; at < len(line); {
		at += len(line[at:]) - len(strings.TrimLeft(line[at:], " "))
		next, _, _ := strings.Cut(line[at:], " ")
		if next != "" {
			all = append(all, word{next, source.Span{Start: row.Start + at, Length: len(next)}})
		}
		at += len(next)
	}
	return all
}

func (n *netlist) parseLine(row source.Span) {
	words := wordsIn(n.text, row)
	if len(words) == 0 {
		return
	}
	defines, known := kinds[words[0].text]
	var lits []design.Lit
	for i, w := range words[1:] {
		role := design.RoleUse
		if known && i == 0 {
			role = design.RoleDefinition
		}
		lits = append(lits, n.mention(w, role))
	}
	switch {
	case words[0].text == "bad" && len(lits) == 1:
		id := circuit.Property{Kind: circuit.PropertyBad, Index: len(n.bads)}
		n.bads = append(n.bads, design.Property{ID: id, Name: words[1].text, Row: row, Lits: lits})
	case known && len(lits) == 1+defines.uses:
		n.define(lits, design.Definition{Kind: defines.kind, Span: words[1].span, Row: row})
	default:
		n.wrong(words[0].span, "line", "expected input x, latch q d, and g a b, or bad g, found "+n.text.Slice(row))
	}
}

func (n *netlist) mention(w word, role design.Role) design.Lit {
	name, negated := strings.CutPrefix(w.text, "!")
	s := 1
	for s < len(n.names) && n.names[s] != name {
		s++
	}
	if s == len(n.names) {
		n.names = append(n.names, name)
	}
	o := design.Occurrence{Span: w.span, Lit: design.Signal(s).Lit(), Role: role}
	if negated {
		o.Lit ^= 1
	}
	if role == design.RoleUse {
		o.Use = design.AsOperand
	}
	n.occurrences = append(n.occurrences, o)
	return o.Lit
}

func (n *netlist) define(lits []design.Lit, d design.Definition) {
	s := lits[0].Signal()
	if _, again := n.definitions[s]; again {
		n.wrong(d.Span, "defined-twice", "expected another name, found "+n.names[s]+" again")
		return
	}
	for _, before := range n.definitions {
		if before.Kind == d.Kind {
			d.Index++
		}
	}
	if d.Kind == design.Latch {
		d.Next = lits[1]
	} else {
		d.Operands = lits[1:]
	}
	n.definitions[s] = d
	n.order = append(n.order, s)
}

func (n *netlist) Diagnostics() []source.Diagnostic { return n.diagnostics }

func (n *netlist) OccurrencesIn(span source.Span) iter.Seq[design.Occurrence] {
	return func(yield func(design.Occurrence) bool) {
		first, last := n.text.LineAt(span.Start), n.text.LineAt(span.End())
		for _, o := range n.occurrences {
			if line := n.text.LineAt(o.Span.Start); first <= line && line <= last && !yield(o) {
				return
			}
		}
	}
}

func (n *netlist) Definition(s design.Signal) (design.Definition, bool) {
	d, ok := n.definitions[s]
	return d, ok
}

func (n *netlist) Name(s design.Signal) string { return n.names[s] }

func (n *netlist) Properties() []design.Property { return n.bads }

// elaborated is the circuit of a netlist.
type elaborated struct {
	*netlist
	circuit *circuit.Circuit
	lits    map[design.Signal]circuit.Lit
}

// Elaborate makes gates where their operands are known, so that a cycle of gates and
// whatever depends on it has no literal.
func (n *netlist) Elaborate(context.Context) (design.Elaboration, error) {
	b, e := circuit.NewBuilder(len(n.names)), elaborated{netlist: n, lits: map[design.Signal]circuit.Lit{}}
	for _, s := range n.order {
		switch d := n.definitions[s]; d.Kind {
		case design.Input:
			e.lits[s] = b.Input(n.originOf(d.Row))
		case design.Latch:
			e.lits[s] = b.Latch(n.originOf(d.Row))
		}
	}
	for range n.order { // as deep as the gates may lie
		for _, s := range n.order {
			if d := n.definitions[s]; d.Kind == design.Gate {
				left, leftOK := e.LitOf(d.Operands[0])
				right, rightOK := e.LitOf(d.Operands[1])
				if _, done := e.lits[s]; !done && leftOK && rightOK {
					e.lits[s] = b.And(left, right)
				}
			}
		}
	}
	for _, s := range n.order {
		if d := n.definitions[s]; d.Kind == design.Latch {
			next, ok := e.LitOf(d.Next)
			if !ok {
				next = e.lits[s]
			}
			b.SetNext(e.lits[s], next)
		}
	}
	for _, p := range n.bads {
		bad, _ := e.LitOf(p.Lits[0])
		b.Bad(bad, n.originOf(p.Row))
	}
	e.circuit = b.Build()
	return design.NewFlat(e, n.text, design.Base{Core: n, Text: n.text}), nil
}

// originOf returns the line of a row, counted from 1.
func (n *netlist) originOf(row source.Span) circuit.Origin {
	return circuit.Origin(n.text.LineAt(row.Start) + 1)
}

func (e elaborated) Circuit() *circuit.Circuit       { return e.circuit }
func (e elaborated) OriginLine(o circuit.Origin) int { return int(o) - 1 }
func (e elaborated) LitOf(l design.Lit) (circuit.Lit, bool) {
	lit, ok := e.lits[l.Signal()]
	return lit.NotIf(l.IsNegated()), ok
}

// Fault forbids every verdict on a text that has an error.
func (e elaborated) Fault(circuit.Property) *source.Diagnostic {
	if len(e.diagnostics) > 0 {
		return &e.diagnostics[0]
	}
	for s := range e.definitions {
		if _, ok := e.lits[s]; !ok {
			d := source.Diagnostic{Span: e.definitions[s].Span, Severity: source.Error, Code: "cycle", Message: fmt.Sprintf("%s depends on itself", e.names[s])}
			return &d
		}
	}
	return nil
}
