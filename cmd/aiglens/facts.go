package main

import (
	"context"
	"fmt"
	"io"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/design"
	"aiglens/design/proofs"
)

// explain finds out what check says of a proof beyond the verdict: in whose terms a vacuous
// property holds, and with --facts what the proof says of the latches.
func (a *answer) explain(ctx context.Context, e env, flags *checkFlags) {
	if a.outcome() != cert.Proved || a.result.Vacuity() == nil && !flags.facts && !flags.unneeded {
		return
	}
	name := a.names(ctx, e)
	if f := a.result.Vacuity(); f != nil {
		var condition []string
		for _, l := range a.result.VacuousCondition(a.model.circuit, a.property) {
			condition = append(condition, name(l))
		}
		a.vacuity = f.Words(condition...)
	}
	if a.property.Kind.Question() != circuit.Safety {
		return
	}
	if flags.unneeded {
		if err := a.findUnneeded(ctx, e); err != nil {
			fmt.Fprintf(e.stderr, "%s: it is not known what the proof of %s does not need: %v\n", a.in.name, label(a), withLimit(ctx, err))
		}
	}
	if !flags.facts {
		return
	}
	small, _, ok := a.result.WithSmallProof(ctx, a.model.circuit, a.property)
	if !ok {
		return
	}
	if found, err := facts.Of(ctx, small.Checked.Invariant()); err == nil {
		a.facts = proofs.Named(found, a.model.circuit, func(l circuit.Lit) design.SourceSignal { return design.SourceSignal{Name: name(l)} })
	}
}

// names returns what the file calls latches and inputs of the circuit.
func (a *answer) names(ctx context.Context, e env) func(circuit.Lit) string {
	n, err := a.in.named(ctx, env{stdin: e.stdin, stdout: io.Discard, stderr: io.Discard})
	return func(l circuit.Lit) string {
		c := a.model.circuit
		var name string
		switch latch, input := c.LatchIndex(l.Var()), c.InputIndex(l.Var()); {
		case latch >= 0:
			name = fmt.Sprintf("latch %d", latch)
			if err == nil && latch < len(n.circuit.Latches()) {
				name = orElse(n.signal(n.circuit.Latches()[latch].Lit.Var()), name)
				if latch < len(n.names.Latches) { // a net may have several names
					name = orElse(n.names.Latches[latch], name)
				}
			}
		case input >= 0:
			name = fmt.Sprintf("input %d", input)
			if err == nil && input < len(n.circuit.Inputs()) {
				name = orElse(n.signal(n.circuit.Inputs()[input].Lit.Var()), name)
			}
		}
		return name
	}
}

func orElse(name, other string) string {
	if name == "" {
		return other
	}
	return name
}

// jsonFact is one thing that a proof says, in a line of --format json.
type jsonFact struct {
	Kind    string   `json:"kind"` // constant, equal, group or clause
	Text    string   `json:"text"`
	Latches []string `json:"latches"`
}

// jsonFacts returns the facts of an answer.
func jsonFacts(f *proofs.Facts) []jsonFact {
	if f == nil {
		return nil
	}
	all := []jsonFact{}
	for _, fact := range f.All() {
		j := jsonFact{string(fact.Kind), fact.String(), []string{}}
		for _, l := range fact.Latches {
			j.Latches = append(j.Latches, l.Name)
		}
		all = append(all, j)
	}
	return all
}
