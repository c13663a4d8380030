package debug

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/design/words"
)

// reasons say why a run is as it is.
type reasons struct {
	t    *target
	step int // the present one
}

// whyLimit bounds an explanation.
var whyLimit = trace.Limit{Depth: 6, Nodes: 40}

// written returns the context of a question whose answer has values as the user wants them.
func (r reasons) written(ctx context.Context) context.Context {
	return words.WithRadices(ctx, r.t.radices)
}

// answered refuses to explain a run of which the circuit is an abstraction.
func (r reasons) answered() error {
	if r.t.simulation != nil {
		return nil
	}
	return design.OnlyChecked(r.t.doc, r.t.property.ID)
}

// why says what forces the value of a signal at a step.
func (r reasons) why(ctx context.Context, l circuit.Lit, step int) (string, error) {
	if r.t.simulation != nil {
		return r.whyInSimulation(ctx, l, step)
	}
	if err := r.answered(); err != nil {
		return "", err
	}
	root, err := runs.Why(r.written(ctx), r.t.doc, r.t.x, l, step, whyLimit)
	switch {
	case errors.Is(err, runs.ErrOutside):
		if err := r.t.inRun(step); err != nil {
			return "", err
		}
		return "", fmt.Errorf("the property does not depend on this signal: its value has no part in why it fails")
	case err != nil:
		return "", err
	}
	return r.causes(root, r.t.x.LoopSteps() == 0 && l.Var() == r.t.x.Evidence()[0].Lit.Var()), nil
}

// whyWord is why for a word.
func (r reasons) whyWord(ctx context.Context, w *design.Word, step int) (string, error) {
	if err := r.t.inRun(step); err != nil {
		return "", err
	}
	if err := r.answered(); err != nil {
		return "", err
	}
	root, err := runs.WhyWord(r.written(ctx), r.t.doc, r.t.run, w, step, whyLimit)
	switch {
	case errors.Is(err, runs.ErrOutside) && r.t.simulation != nil:
		return "", fmt.Errorf("the simulation has no value of this word")
	case errors.Is(err, runs.ErrOutside):
		return "", fmt.Errorf("the property does not depend on this word: its value has no part in why it fails")
	case err != nil:
		return "", err
	}
	return r.causes(root, false), nil
}

// whyFails says why the property fails.
func (r reasons) whyFails(ctx context.Context) (string, error) {
	if r.t.simulation != nil {
		return r.whyFailsInSimulation(ctx)
	}
	if err := r.answered(); err != nil {
		return "", err
	}
	root, err := runs.WhyFails(r.written(ctx), r.t.doc, r.t.x, whyLimit)
	if err != nil {
		return "", err
	}
	return r.causes(root, r.t.x.LoopSteps() == 0), nil
}

// whyInSimulation says what forces the value of a signal at a step.
func (r reasons) whyInSimulation(ctx context.Context, l circuit.Lit, step int) (string, error) {
	if err := r.t.inRun(step); err != nil {
		return "", err
	}
	root, err := runs.WhyInRun(r.written(ctx), r.t.doc, r.t.run, l, step, whyLimit)
	if err != nil {
		return "", err
	}
	return r.causes(root, false), nil
}

// whyFailsInSimulation says why properties fail in the present step.
func (r reasons) whyFailsInSimulation(ctx context.Context) (string, error) {
	failing, _ := r.t.simulation.observed.FailingAt(r.step)
	if len(failing) == 0 {
		return "", fmt.Errorf("no property fails in step %d; ask about a signal, as in: why a", r.step)
	}
	var all []string
	for _, p := range failing[:min(len(failing), maxNames)] {
		bad, _ := design.BadOf(r.t.doc, p.ID)
		why, err := r.whyInSimulation(ctx, bad, r.step)
		if err != nil {
			return "", err
		}
		all = append(all, p.Name+": "+why)
	}
	return strings.Join(all, "\n"), nil
}

// causes writes an explanation, with the property in front if it is about its literal.
func (r reasons) causes(root *runs.Cause, isProperty bool) string {
	var b strings.Builder
	if isProperty {
		fmt.Fprintf(&b, "%s: ", r.t.property.Name)
	}
	writeCause(&b, root, 0)
	return strings.TrimRight(b.String(), "\n")
}

func writeCause(b *strings.Builder, c *runs.Cause, depth int) {
	if depth > 0 {
		b.WriteString(strings.Repeat("  ", depth-1) + "- ")
	}
	fmt.Fprintf(b, "%s%s\n", c, c.Note())
	for _, cause := range c.Causes {
		writeCause(b, cause, depth+1)
	}
}
