package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/internal/nearest"
)

// inputChange gives an input, or a word of inputs, another value in a step.
type inputChange struct {
	step  int
	name  string
	value string
}

func (x inputChange) String() string { return fmt.Sprintf("%d:%s=%s", x.step, x.name, x.value) }

// inputChanges is the flag --set, which may be repeated.
type inputChanges []inputChange

func (l *inputChanges) String() string {
	var all []string
	for _, x := range *l {
		all = append(all, x.String())
	}
	return strings.Join(all, ",")
}

func (l *inputChanges) Set(s string) error {
	step, rest, ok := strings.Cut(s, ":")
	at := strings.LastIndexByte(rest, '=')
	n, err := strconv.Atoi(step)
	if !ok || at < 1 || err != nil || n < 0 || rest[at+1:] == "" {
		return errors.New("expected STEP:INPUT=VALUE, such as 2:request=0, or 2:data=0x1f of a word")
	}
	*l = append(*l, inputChange{n, rest[:at], rest[at+1:]})
	return nil
}

// apply returns a run with other values of inputs, where each x is 0.
func (l inputChanges) apply(ctx context.Context, a *answer, t cert.Trace) (cert.Trace, error) {
	changed := trace.Concrete(a.circuit, t)
	for _, x := range l {
		var err error
		if changed, err = x.apply(ctx, a, changed); err != nil {
			return changed, fmt.Errorf("--set %s: %w", x, err)
		}
	}
	return changed, nil
}

// apply changes the inputs of a run.
func (x inputChange) apply(ctx context.Context, a *answer, t cert.Trace) (cert.Trace, error) {
	found := inputsCalled(a, x.name)
	word, err := play.WordNamed(ctx, a.in, x.name)
	if len(found) == 0 && err != nil {
		found = inputAt(a, x.name)
	}
	switch {
	case len(found) == 0 && err != nil:
		return t, fmt.Errorf("there is no input %q%s", x.name, nearest.Hint(x.name, a.in.Names().Elements().Inputs))
	case len(found) > 1:
		return t, fmt.Errorf("%d inputs are called %q; name it by its position, such as i0", len(found), x.name)
	case x.step >= len(t.Inputs):
		return t, fmt.Errorf("the run has steps 0 to %d", len(t.Inputs)-1)
	case len(found) == 0:
		return play.SetWord(ctx, a.in, t, word, x.step, x.value)
	case x.value != "0" && x.value != "1":
		return t, errors.New("the value of an input is 0 or 1")
	}
	t.Inputs[x.step][found[0]] = circuit.ValueOf(x.value == "1")
	return t, nil
}

// inputsCalled returns the inputs of a name.
func inputsCalled(a *answer, name string) (found []int) {
	for i, in := range a.circuit.Inputs()[:a.in.NumInputs()] {
		if _, called, _ := runs.ScopedName(a.in, in.Lit); called == name {
			found = append(found, i)
		}
	}
	return found
}

// inputAt returns the input at a position, such as i0; none where the name is no position. Names of the file come
// first: a word may be called like a position.
func inputAt(a *answer, name string) []int {
	for i := range a.in.NumInputs() {
		if name == "i"+strconv.Itoa(i) {
			return []int{i}
		}
	}
	return nil
}

// whatIf simulates a run that violates its property once more with the inputs of --set, and
// says what comes of it. The error says that they do not fit.
func (p *player) whatIf(ctx context.Context, r replayed) error {
	a := r.answer
	c := a.circuit
	bad, ok := c.Bad(a.property)
	if !ok {
		return fmt.Errorf("--set: %s is not a bad-state property", p.title(a.property))
	}
	t, err := p.flags.set.apply(ctx, a, r.Run)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s: %s: with %s ", a.in.URI, p.title(a.property), &p.flags.set)
	kept, _, err := trace.Violation(ctx, c, bad, t)
	if refusal, refused := errors.AsType[*trace.Refusal](err); refused {
		p.refused = true
		fmt.Fprintf(p.out, "not violated: %s", refusal.Reason)
		step, names, err := p.departs(ctx, r, t)
		if err == nil && step >= 0 {
			fmt.Fprintf(p.out, "; latches differ from step %d on: %s", step, strings.Join(names, ", "))
		}
		fmt.Fprintln(p.out)
		return err
	}
	if err != nil {
		return err
	}
	r.Run = kept
	fmt.Fprintln(p.out, r.verdict())
	p.runs = append(p.runs, r)
	return nil
}

// maxDeparting bounds the latches that are named.
const maxDeparting = 5

// departs returns the first step in which a latch has another value than in the run before, with
// those that have; −1 when there is none.
func (p *player) departs(ctx context.Context, before replayed, t cert.Trace) (step int, names []string, err error) {
	c := before.answer.circuit
	step, latches, err := trace.Departure(ctx, c, before.Run, t)
	for _, i := range latches[:min(len(latches), maxDeparting)] {
		_, name, _ := runs.ScopedName(before.answer.in, c.Latches()[i].Lit)
		names = append(names, name)
	}
	if more := len(latches) - maxDeparting; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return step, names, err
}
