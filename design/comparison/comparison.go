// Package comparison says what was found of two designs that were compared. Texts become the
// sides of a comparison, and its report becomes plain data: verdicts in words, differences as
// waves, witnesses, and runs over the rows of both texts. It keeps what was found, and the text
// before an edit that an editor offered and the user made. It compares nothing itself.
package comparison

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/ic3/equiv"
	"aiglens/internal/source"
)

// Match matches the elements of two texts. The error is that of ctx, or a sentence for the
// user: why they cannot be compared.
func Match(ctx context.Context, doc, other *design.Design, o compare.Options) (*compare.Matching, error) {
	var sides [2]compare.Side
	for i, d := range []*design.Design{doc, other} {
		var err error
		if sides[i], err = d.Side(ctx); err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("%s cannot be compared: %w", []string{"this circuit", "the other circuit"}[i], err)
		} else if err != nil {
			return nil, err
		}
	}
	return compare.Match(sides[0], sides[1], o)
}

// Answer is what a comparison has found. Circuits are equal only when everything that can be
// observed of either was compared.
type Answer struct {
	Verdict     equiv.Verdict
	Message     string              // the verdict in words
	Constraints *Pair               // whether the same runs are allowed; nil where all are
	Pairs       []Pair              // outputs and properties
	Alone       [2][]string         // by side: what has no partner
	Run         *Run                // in which the first difference shows; nil for none
	Difference  *compare.Difference // that of the run
}

// Pair is an output or a property of both sides.
type Pair struct {
	Name    string
	Verdict equiv.Verdict
	Reason  string       // of unknown
	Step    *int         // at which they differ first; nil for never
	Values  string       // that they have there: of the first side, then of the second
	Span    *source.Span // of its line in the first text; nil for none
	Trail   []Change     // what differs on the way to it, the first one first
}

// AnswerFrom says what a report on two texts has found. What its first difference does not need
// becomes x in it before. The error is that of ctx.
func AnswerFrom(ctx context.Context, docs [2]*design.Design, r *equiv.Report) (answer Answer, err error) {
	if err := MinimizeFirst(ctx, r); err != nil {
		return answer, err
	}
	if answer, err = answerFrom(ctx, docs, r); err != nil {
		return answer, err
	}
	answer.Difference = FirstDifference(r)
	answer.Run, err = RunFrom(ctx, docs, r)
	return answer, err
}

// answerFrom is AnswerFrom without the run.
func answerFrom(ctx context.Context, docs [2]*design.Design, r *equiv.Report) (answer Answer, err error) {
	m := r.Matching
	sides, trails := Sides{Matching: m}, NewTrails(docs, m)
	answer = Answer{Alone: [2][]string{alone(m, 0), alone(m, 1)}, Message: Message(r)}
	answer.Verdict, _ = r.Verdict()
	if r.Runs != nil {
		pair, err := pairOf(ctx, trails, "constraints", *r.Runs)
		if err != nil {
			return answer, err
		}
		answer.Constraints = &pair
	}
	for i, a := range r.Pairs {
		pair, err := pairOf(ctx, trails, sides.PairLabel(m.Observed[i]), a)
		if err != nil {
			return answer, err
		}
		if span, ok := docs[0].OriginSpan(originOf(docs[0].Circuit(), m.Observed[i].A)); ok {
			pair.Span = &span
		}
		answer.Pairs = append(answer.Pairs, pair)
	}
	return answer, nil
}

// Message says in a sentence what a report has found.
func Message(r *equiv.Report) string {
	m := r.Matching
	verdict, reason := r.Verdict()
	if r.Runs != nil && r.Runs.Difference != nil {
		return fmt.Sprintf("differs at step %d in what the constraints allow", r.Runs.Difference.Step)
	}
	if d := FirstDifference(r); d != nil {
		return fmt.Sprintf("differs at step %d in %s", d.Step, Sides{Matching: m}.PairLabel(m.Observed[d.Pair]))
	}
	if verdict != equiv.Equal {
		if reason == "" {
			return verdict.String()
		}
		return verdict.String() + ": " + reason
	}
	message := "same function"
	for side, covered := range m.Covered {
		for _, e := range covered {
			message += fmt.Sprintf("; %s is compared as an output", m.Sides[side].Label(e))
		}
	}
	return message + renamed(m)
}

// maxRenamed bounds the names that are listed of what has another one.
const maxRenamed = 4

// renamed says what has another name on the other side.
func renamed(m *compare.Matching) string {
	var all []string
	for _, p := range slices.Concat(m.Observed, m.Inputs) {
		name, other := m.Sides[0].Name(p.A), m.Sides[1].Name(p.B)
		if p.How == compare.ByPosition && name != "" && other != "" && name != other {
			all = append(all, fmt.Sprintf("; %s was called %s", name, other))
		}
	}
	if n := len(all) - maxRenamed; n > 0 {
		all = append(all[:maxRenamed], fmt.Sprintf("; and %d more have another name", n))
	}
	return strings.Join(all, "")
}

// Brief says in a few words what a comparison with an earlier text has found.
func (c *Answer) Brief() string {
	switch c.Verdict {
	case equiv.Equal:
		return "same function as before this edit"
	case equiv.Different:
		return "this edit has changed the function: " + c.Message
	}
	return "not known to have the function that it had: " + strings.TrimPrefix(c.Message, "unknown: ")
}

// alone names what a side has without a partner.
func alone(m *compare.Matching, side int) (names []string) {
	for _, e := range m.Unmatched[side] {
		names = append(names, e.Kind.String()+" "+m.Sides[side].Label(e))
	}
	return names
}

// pairOf says what was found of a pair.
func pairOf(ctx context.Context, trails *Trails, name string, a equiv.Answer) (pair Pair, err error) {
	pair = Pair{Name: name, Verdict: a.Verdict, Reason: a.Reason}
	if d := a.Difference; d != nil {
		pair.Step, pair.Values = &d.Step, d.Values[0].String()+d.Values[1].String()
		pair.Trail, err = trails.Of(ctx, d)
	}
	return pair, err
}

// originOf returns where an element that is observed comes from.
func originOf(c *circuit.Circuit, e compare.Element) (o circuit.Origin) {
	switch e.Kind {
	case compare.Output:
		o = c.Outputs()[e.Index].Origin
	case compare.Bad:
		o = c.Bads()[e.Index].Origin
	case compare.Justice:
		o = c.Justice()[e.Index].Origin
	case compare.Fairness:
		o = c.Fairness()[e.Index].Origin
	}
	return o
}
