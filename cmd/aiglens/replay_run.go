package main

import (
	"context"
	"errors"
	"fmt"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// stimulus simulates a run that stands for no property, as the editor keeps one that was
// played, and says which properties fail in it. refused tells that it is no run of the circuit,
// or that properties that were chosen do not fail. The error says that the circuit does not
// allow that, or that a run that ends says nothing of a property that was chosen.
func (p *player) stimulus(ctx context.Context, in *input, t cert.Trace) (err error) {
	about := &answer{in: in}
	if len(p.answers) > 0 {
		about = p.answers[0]
	} else if about.model, err = in.model(ctx); err != nil {
		return err
	}
	c := about.model.circuit
	for _, a := range p.answers {
		if _, ok := c.Bad(a.property); p.chosen() && !ok {
			return fmt.Errorf("%s: a run that ends says nothing of %s", p.flags.witness, p.title(a.property))
		}
		if fault := a.model.fault(a.property); p.chosen() && fault != nil {
			a.in.print(p.e.stderr, *fault)
			return fmt.Errorf("%s: %s has an error in its cone", a.in.name, p.title(a.property))
		}
	}
	t = about.model.widen(t)
	err = trace.Allowed(ctx, c, t)
	if refusal, refused := errors.AsType[*trace.Refusal](err); refused {
		p.refused = true
		fmt.Fprintf(p.out, "%s: no run of %s: %s\n", p.flags.witness, in.name, refusal.Reason)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s: a run of %d steps\n", in.name, t.Steps())
	shown := replayed{answer: about, run: t, loop: -1, isPlayed: true}
	for _, a := range p.answers {
		bad, ok := c.Bad(a.property)
		if !ok || a.model.fault(a.property) != nil {
			continue
		}
		kept, _, err := trace.Violation(ctx, c, bad, t)
		_, refused := errors.AsType[*trace.Refusal](err)
		switch {
		case refused:
			p.refused = p.refused || p.chosen()
			if p.chosen() {
				fmt.Fprintf(p.out, "%s: %s: not violated\n", a.in.name, p.title(a.property))
			}
		case err != nil:
			return err
		case a.property.Kind == circuit.PropertyCover:
			fmt.Fprintf(p.out, "%s: %s: reached in step %d\n", a.in.name, p.title(a.property), kept.Steps()-1)
		default:
			fmt.Fprintf(p.out, "%s: %s: violated in step %d\n", a.in.name, p.title(a.property), kept.Steps()-1)
		}
	}
	if p.flags.to == formatAIGER {
		return fmt.Errorf("--to aiger writes witnesses of properties, and the run stands for none")
	}
	p.runs = append(p.runs, shown)
	return nil
}

// readStimulus reads a run that stands for no property; is is false for a file of witnesses.
func readStimulus(name string, data []byte) (t cert.Trace, is bool, err error) {
	if t, is, err = aiger.ReadStimulus(data); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return t, is, err
}
