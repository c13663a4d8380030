package ide

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/lsp/document"
)

// The groups of the signals of a counterexample, in the order in which they are shown.
const (
	GroupProperty    = "property"
	GroupConstraints = "constraints"
	GroupLatches     = "latches"
	GroupInputs      = "inputs"
	GroupGates       = "gates" // those that the user has chosen
)

// TraceSignal is a signal of a counterexample over all steps.
type TraceSignal struct {
	Group    string
	Lit      circuit.Lit // of the circuit
	Values   []circuit.Value
	Relevant bool // has a part in why the property fails; of latches alone
	// Source is what the text calls it; HasSource is false for one without a word.
	Source    document.SourceSignal
	HasSource bool
}

// Name is what the signal is called.
func (t *TraceSignal) Name() string { return t.Source.Name }

// maxTraceValues bounds the values of an answer.
const maxTraceValues = 40_000_000

// TraceSignals returns the signals of a counterexample that d is about: the property,
// constraints, latches, inputs, and gates that were chosen. more is the number of those
// that were left out because they are too many. The error is that of ctx.
func TraceSignals(ctx context.Context, d *document.Document, x *Counterexample, chosen []document.Lit) (all []TraceSignal, more int, err error) {
	c := d.Circuit()
	add := func(group string, l circuit.Lit, name string) {
		t := TraceSignal{Group: group, Lit: l}
		if t.Source, t.HasSource = d.SourceOf(l); name != "" {
			t.Source.Name = name
		}
		all = append(all, t)
	}
	if p, ok := d.Property(x.Property); ok {
		add(GroupProperty, x.Bad(), p.Name)
		all[0].Source.Row, all[0].Source.Span, all[0].Source.Other, all[0].HasSource = p.Row, p.Row, nil, true
	}
	for i, s := range c.Constraints() {
		add(GroupConstraints, s.Lit, fmt.Sprintf("constraint %d", i))
	}
	for _, l := range x.Latches() {
		add(GroupLatches, c.Latches()[l.Index].Lit, "")
		all[len(all)-1].Relevant = l.Relevant
	}
	for _, i := range x.cone.Inputs {
		add(GroupInputs, c.Inputs()[i].Lit, "")
	}
	for _, l := range chosen {
		s := l.Signal() // where the text negates it, too
		copied, _, inside := x.Copy(d, s.Lit())
		if s == 0 || !inside {
			continue
		}
		name := signalName(d, s.Lit())
		if copied.Path != "" {
			name = copied.Path + "/" + name
		}
		def, _ := d.Definition(s)
		all = append(all, TraceSignal{Group: GroupGates, Lit: copied.Lit, HasSource: true, Source: document.SourceSignal{
			Name: name, Lit: s.Lit(), Row: def.Row, Span: def.Span,
		}})
	}
	if limit := max(100, maxTraceValues/x.Steps()); len(all) > limit {
		more = len(all) - limit
		all = all[:limit]
	}
	lits := make([]circuit.Lit, len(all))
	for i := range all {
		lit, _ := x.litOf(all[i].Lit) // a constant is 0 in both
		lits[i] = lit
	}
	rows, err := x.replay.Values(ctx, lits...)
	if err != nil {
		return nil, 0, err
	}
	for i, values := range rows {
		all[i].Values = values
	}
	return all, more, nil
}
