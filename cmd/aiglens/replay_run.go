package main

import (
	"context"
	"errors"
	"fmt"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/runs"
)

// stimulus simulates a run without a property, as the editor keeps one that was
// played, and says which properties fail in it. refused tells that it is not a run of the circuit,
// or that properties that were chosen do not fail. The error says that the circuit does not
// allow that, or that a finite run says nothing about a property that was chosen.
func (p *player) stimulus(ctx context.Context, in *design.Design, t cert.Trace) (err error) {
	about := &answer{in: in}
	if len(p.answers) > 0 {
		about = p.answers[0]
	} else if about.circuit, err = circuitOf(ctx, in); err != nil {
		return err
	}
	c := about.circuit
	if circuit.IsAbstraction(c) { // which has runs that the text does not have
		if _, err := in.Sound(ctx); err != nil {
			return fmt.Errorf("%s: %w", in.URI, err)
		}
	}
	for _, a := range p.answers {
		if _, ok := c.Bad(a.property); p.chosen() && !ok {
			return fmt.Errorf("%s: a finite run says nothing about %s", p.flags.witness, p.title(a.property))
		}
		if fault := a.in.Fault(a.property); p.chosen() && fault != nil {
			tell(p.e.stderr, a.in, *fault)
			return fmt.Errorf("%s: %s has an error in its cone", a.in.URI, p.title(a.property))
		}
	}
	t = runs.Widen(in, t)
	err = trace.Allowed(ctx, c, t)
	if refusal, refused := errors.AsType[*trace.Refusal](err); refused {
		p.refused = true
		fmt.Fprintf(p.out, "%s: no run of %s: %s\n", p.flags.witness, in.URI, refusal.Reason)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s: a run of %s\n", in.URI, answers.Count(t.Steps(), "step", "steps"))
	shown := replayed{answer: about, Violation: runs.Violation{Run: t, Loop: -1}, isPlayed: true}
	var violated []replayed
	for _, a := range p.answers {
		bad, ok := c.Bad(a.property)
		if !ok || a.in.Fault(a.property) != nil {
			continue
		}
		kept, zeroed, err := trace.Violation(ctx, c, bad, t)
		_, refused := errors.AsType[*trace.Refusal](err)
		switch {
		case refused:
			p.refused = p.refused || p.chosen()
			if p.chosen() {
				fmt.Fprintf(p.out, "%s: %s: not violated\n", a.in.URI, p.title(a.property))
			}
		case err != nil:
			return err
		case a.property.Kind == circuit.PropertyCover:
			fmt.Fprintf(p.out, "%s: %s: reached in step %d%s\n", a.in.URI, p.title(a.property), kept.Steps()-1, zeroWords(zeroed))
		default:
			fmt.Fprintf(p.out, "%s: %s: violated in step %d%s\n", a.in.URI, p.title(a.property), kept.Steps()-1, zeroWords(zeroed))
			violated = append(violated, replayed{answer: a, Violation: runs.Violation{Run: kept, Loop: -1}})
		}
	}
	isWitness := p.flags.writesWitnesses()
	if isWitness && p.isTrace && len(violated) > 0 {
		p.runs = violated
		return nil
	}
	if isWitness {
		return fmt.Errorf("--to %s writes witnesses of properties, and this run has no property", p.flags.to)
	}
	p.runs = append(p.runs, shown)
	return nil
}

// readStimulus reads a run without a property; is is false for a file of witnesses.
func readStimulus(name string, data []byte) (t cert.Trace, is bool, err error) {
	if t, is, err = aiger.ReadStimulus(data); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return t, is, err
}
