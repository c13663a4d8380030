package cert

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aiglens/horn"
	"aiglens/horn/cert/linear"
)

// RejectedError says why a certificate does not certify its answer.
type RejectedError struct {
	// Obligation is what failed: "clause" of a model, "step" of a derivation; "form" for a
	// certificate that does not fit the system; "size" for one that is too large to check.
	Obligation string
	Detail     string
	Clause     int // of the system, where a clause has failed
}

func (e *RejectedError) Error() string {
	return fmt.Sprintf("certificate rejected: %s: %s", e.Obligation, e.Detail)
}

func reject(obligation, format string, args ...any) error {
	return &RejectedError{Obligation: obligation, Detail: fmt.Sprintf(format, args...)}
}

// Check tests the certificate of an answer about s and returns the answer as a Checked if
// it passes. The error is a *RejectedError when the certificate fails, and that of ctx when
// it ends first. An unknown answer claims nothing and passes as it is.
func Check(ctx context.Context, s *horn.System, a Answer) (Checked, error) {
	if a.Outcome == Unknown {
		return NoAnswer(a.Reason), nil
	}
	err := checkSystem(s)
	switch {
	case err != nil:
	case a.Outcome == Sat:
		err = checkModel(ctx, s, a.Model)
	case a.Outcome == Unsat:
		err = checkDerivation(ctx, s, a.Derivation)
	default:
		err = reject("form", "there is no outcome %d", a.Outcome)
	}
	if err != nil {
		return Checked{}, err
	}
	return Checked{a}, nil
}

// checkModel tests that every clause is valid under the definitions of a model.
func checkModel(ctx context.Context, s *horn.System, m Model) error {
	if err := checkDefinitions(s, m); err != nil {
		return err
	}
	for i := range s.Clauses {
		values, err := violation(ctx, s, i, m)
		switch {
		case err != nil:
			return err
		case values != nil:
			return &RejectedError{"clause", fmt.Sprintf("clause %d is false for %s", i, values), i}
		}
	}
	return nil
}

// violation returns values with which clause i is false under a model; nil when it is valid.
func violation(ctx context.Context, s *horn.System, i int, m Model) (*assignment, error) {
	values, err := newEncoding().violation(ctx, s, i, m)
	if errors.Is(err, linear.ErrTooLarge) {
		return nil, reject("size", "clause %d is %v", i, err)
	}
	return values, err
}

// checkDerivation tests each step, and that the last one derives false.
func checkDerivation(ctx context.Context, s *horn.System, d Derivation) error {
	if len(d) == 0 {
		return reject("form", "the derivation has no steps")
	}
	heads := make([][]Value, len(d)) // the arguments that the steps derive
	for i, step := range d {
		if err := ctx.Err(); err != nil {
			return err
		}
		if step.Clause < 0 || step.Clause >= len(s.Clauses) {
			return reject("form", "step %d has the clause %d of %d", i, step.Clause, len(s.Clauses))
		}
		if last := i == len(d)-1; s.Clauses[step.Clause].IsQuery() != last {
			return reject("form", "step %d of %d, with clause %d: the last step and no other is a query", i, len(d), step.Clause)
		}
		var err error
		if heads[i], err = checkStep(s, d, i, heads); err != nil {
			return err
		}
	}
	return nil
}

// checkStep tests step i, for the arguments that the earlier ones derive, and returns those
// that it derives.
func checkStep(s *horn.System, d Derivation, i int, heads [][]Value) ([]Value, error) {
	step, c := d[i], &s.Clauses[d[i].Clause]
	if len(step.Values) != len(c.Vars) || len(step.Premises) != len(c.Body) {
		return nil, reject("form", "step %d has %d values and %d premises for clause %d, which needs %d and %d",
			i, len(step.Values), len(step.Premises), step.Clause, len(c.Vars), len(c.Body))
	}
	e := newEvaluation(s.Terms)
	for j, v := range c.Vars {
		if !step.Values[j].is(s.Terms.SortOf(v)) {
			return nil, reject("form", "step %d: %s is no value of sort %s", i, step.Values[j], s.Terms.SortOf(v))
		}
		e.known[v] = step.Values[j]
	}
	for j, atom := range c.Body {
		from := step.Premises[j]
		if from < 0 || from >= i {
			return nil, reject("form", "premise %d of step %d is step %d", j, i, from)
		}
		if s.Clauses[d[from].Clause].Head.Pred != atom.Pred {
			return nil, reject("step", "premise %d of step %d has another predicate", j, i)
		}
		args := e.values(atom.Args)
		if !slices.EqualFunc(args, heads[from], Value.Equal) {
			return nil, reject("step", "premise %d of step %d is for %v, and step %d derives %v", j, i, args, from, heads[from])
		}
	}
	if !e.value(c.Constraint).Bool {
		return nil, reject("step", "the constraint of clause %d is false in step %d", step.Clause, i)
	}
	return e.values(c.Head.Args), nil
}
