package main

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
)

// explain finds out what check says of a proof beyond the verdict: in whose terms a vacuous
// property holds, and with --facts what the proof says of the latches.
func (a *answer) explain(ctx context.Context, e env, flags *checkFlags) {
	if a.outcome() != cert.Proved {
		return
	}
	switch {
	case !flags.findsVacuity():
	case a.result.IsVacuous():
		a.vacuity = a.whyVacuous()
	case a.property.Kind != circuit.PropertyCover && !a.result.AskedVacuity(), design.OnlyChecked(a.in, a.property) != nil:
		a.missing = append(a.missing, "vacuity")
	}
	if a.property.Kind.Question() != circuit.Safety {
		return
	}
	if flags.unneeded {
		switch err := a.findUnneeded(ctx); {
		case err == nil:
		case ctx.Err() != nil:
			a.missing = append(a.missing, "unneeded")
		default:
			fmt.Fprintf(e.stderr, "%s: it is not known what the proof of %s does not need: %v\n", a.in.URI, label(a), err)
		}
	}
	if !flags.facts {
		return
	}
	if found, err := answers.FactsOf(ctx, a.in, a.property, a.result); err == nil {
		a.facts = found
	} else if ctx.Err() != nil {
		a.missing = append(a.missing, "facts")
	}
}

// whyVacuous says why a vacuous proof means little.
func (a *answer) whyVacuous() string {
	f := a.result.Vacuity()
	if f == nil {
		return "no initial state meets the constraints"
	}
	name := elementNames(a.in)
	var condition []string
	for _, l := range a.result.VacuousCondition(a.circuit, a.property) {
		condition = append(condition, name(l))
	}
	return f.Words(condition...)
}

// elementNames returns what a file calls latches and inputs of its circuit.
func elementNames(d *design.Design) func(circuit.Lit) string {
	c, own := d.Circuit(), d.Names().Elements().Latches
	return func(l circuit.Lit) string {
		switch latch, input := c.LatchIndex(l.Var()), c.InputIndex(l.Var()); {
		case latch >= 0: // a net may have several names
			return orElse(own[latch], orElse(signalName(d, l.Var()), fmt.Sprintf("latch %d", latch)))
		case input >= 0:
			return orElse(signalName(d, l.Var()), fmt.Sprintf("input %d", input))
		}
		return ""
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
	Kind    string   `json:"kind"` // word, constant, equal, group or clause
	Text    string   `json:"text"`
	Words   []string `json:"words,omitempty"` // the words that it refers to, by name
	Latches []string `json:"latches"`
	Indexes []int    `json:"indexes"` // of these among the latches of the circuit: names may be the same
}

// jsonFacts returns the facts of an answer.
func jsonFacts(f *answers.Facts) []jsonFact {
	if f == nil {
		return nil
	}
	all := []jsonFact{}
	for _, fact := range f.All() {
		j := jsonFact{string(fact.Kind), fact.String(), fact.Words, []string{}, []int{}}
		for _, l := range fact.Latches {
			j.Latches, j.Indexes = append(j.Latches, l.Name), append(j.Indexes, l.Index)
		}
		all = append(all, j)
	}
	return all
}
