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
	// Detail says why, in words that count clauses, steps and predicates from 1.
	Detail string
	Clause int // of the system, from 0, where a clause has failed
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
			detail := fmt.Sprintf("clause %d is false", i+1)
			if len(values.names) > 0 {
				detail += fmt.Sprintf(" for %s", values)
			}
			return &RejectedError{"clause", detail, i}
		}
	}
	return nil
}

// violation returns values with which clause i is false under a model; nil when it is valid.
func violation(ctx context.Context, s *horn.System, i int, m Model) (*assignment, error) {
	values, err := newEncoding().violation(ctx, s, i, m)
	if errors.Is(err, linear.ErrTooLarge) {
		return nil, reject("size", "clause %d is %v", i+1, err)
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
			return reject("form", "step %d has the clause %d of %d", i+1, step.Clause+1, len(s.Clauses))
		}
		if last := i == len(d)-1; s.Clauses[step.Clause].IsQuery() != last {
			return reject("form", "step %d of %d, with clause %d: the last step and no other is a query", i+1, len(d), step.Clause+1)
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
			i+1, len(step.Values), len(step.Premises), step.Clause+1, len(c.Vars), len(c.Body))
	}
	e := newEvaluation(s.Terms)
	for j, v := range c.Vars {
		if !step.Values[j].is(s.Terms.SortOf(v)) {
			return nil, reject("form", "step %d: %s is no value of sort %s", i+1, step.Values[j], s.Terms.SortOf(v))
		}
		e.known[v] = step.Values[j]
	}
	for j, atom := range c.Body {
		from := step.Premises[j]
		if from < 0 || from >= i {
			return nil, reject("form", "premise %d of step %d is step %d", j+1, i+1, from+1)
		}
		if s.Clauses[d[from].Clause].Head.Pred != atom.Pred {
			return nil, reject("step", "premise %d of step %d has another predicate", j+1, i+1)
		}
		args := e.values(atom.Args)
		if !slices.EqualFunc(args, heads[from], Value.Equal) {
			return nil, reject("step", "premise %d of step %d is for %v, and step %d derives %v", j+1, i+1, args, from+1, heads[from])
		}
	}
	if !e.value(c.Constraint).Bool {
		return nil, reject("step", "the constraint of clause %d is false in step %d", step.Clause+1, i+1)
	}
	return e.values(c.Head.Args), nil
}
