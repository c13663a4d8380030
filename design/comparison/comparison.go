// Package comparison is what editors are told of two circuits that were compared: texts
// become the sides of a comparison, and its report a message. It keeps what was found, and
// the text before an edit that an editor was offered and has made. It compares nothing itself.
package comparison

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/design/difference"
	"aiglens/ic3/equiv"
	"aiglens/lsp/position"
	"aiglens/lsp/wire"
)

// maxTrail bounds the latches that are told of a difference.
const maxTrail = 12

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

// Needing is the answer to a comparison of which models of other files are not known.
func Needing(files *wire.NeededFiles) wire.Comparison {
	return wire.Comparison{Verdict: wire.SamenessUnknown, Message: "unknown: models of other files may be needed", Needs: files,
		Pairs: []wire.ComparedPair{}, Alone: []string{}, OtherAlone: []string{}}
}

// AnswerFrom puts a report on two texts into a message with the run that shows its first
// difference, which is returned as well; nil for none. mapper has the terms of the client. The
// error is that of ctx.
func AnswerFrom(ctx context.Context, docs [2]*design.Design, mapper position.Mapper, r *equiv.Report) (answer wire.Comparison, d *compare.Difference, err error) {
	if answer, err = MessageFrom(ctx, docs[0], mapper, r); err != nil {
		return answer, nil, err
	}
	answer.Run, err = RunFrom(ctx, docs, mapper, r)
	return answer, difference.First(r), err
}

// MessageFrom puts a report into a message to the client in whose terms the mapper has the
// places of doc, the first side. What its differences do not need becomes x in them before. The
// error is that of ctx.
func MessageFrom(ctx context.Context, doc *design.Design, mapper position.Mapper, r *equiv.Report) (answer wire.Comparison, err error) {
	if err := difference.Minimal(ctx, r); err != nil {
		return answer, err
	}
	m := r.Matching
	answer = wire.Comparison{Pairs: []wire.ComparedPair{}, Alone: alone(m, 0), OtherAlone: alone(m, 1), Version: doc.Version}
	verdict, reason := r.Verdict()
	answer.Verdict, answer.Message = sameness(verdict), verdict.String()
	if reason != "" {
		answer.Message += ": " + reason
	}
	if r.Runs != nil {
		pair, err := pairOf(ctx, m, "constraints", *r.Runs)
		if err != nil {
			return answer, err
		}
		answer.Constraints = &pair
	}
	first := -1
	for i, a := range r.Pairs {
		pair, err := pairOf(ctx, m, m.Sides[0].Label(m.Observed[i].A), a)
		if err != nil {
			return answer, err
		}
		pair.Range = rowOf(doc, mapper, m.Observed[i].A)
		answer.Pairs = append(answer.Pairs, pair)
		if pair.Step != nil && (first < 0 || *pair.Step < *answer.Pairs[first].Step) {
			first = i
		}
	}
	switch {
	case answer.Constraints != nil && answer.Constraints.Step != nil:
		answer.Message = fmt.Sprintf("differs at step %d in what the constraints allow", *answer.Constraints.Step)
	case first >= 0:
		answer.Message = fmt.Sprintf("differs at step %d in %s", *answer.Pairs[first].Step, answer.Pairs[first].Name)
	case verdict == equiv.Equal:
		answer.Message = "same function"
		for side, covered := range m.Covered {
			for _, e := range covered {
				answer.Message += fmt.Sprintf("; %s is compared as an output", m.Sides[side].Label(e))
			}
		}
	}
	if verdict == equiv.Equal {
		answer.Message += renamed(m)
	}
	return answer, nil
}

// maxRenamed bounds the names that are told of what has another one.
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
func Brief(c *wire.Comparison) string {
	switch c.Verdict {
	case wire.SamenessEqual:
		return "same function as before this edit"
	case wire.SamenessDifferent:
		return "this edit has changed the function: " + c.Message
	}
	return "not known to have the function that it had: " + strings.TrimPrefix(c.Message, "unknown: ")
}

func sameness(v equiv.Verdict) wire.Sameness {
	return [...]wire.Sameness{equiv.Unknown: wire.SamenessUnknown, equiv.Equal: wire.SamenessEqual, equiv.Different: wire.SamenessDifferent}[v]
}

// alone names what a side has without a partner.
func alone(m *compare.Matching, side int) []string {
	names := []string{}
	for _, e := range m.Unmatched[side] {
		names = append(names, e.Kind.String()+" "+m.Sides[side].Label(e))
	}
	return names
}

// pairOf puts an answer into a message.
func pairOf(ctx context.Context, m *compare.Matching, name string, a equiv.Answer) (wire.ComparedPair, error) {
	pair := wire.ComparedPair{Name: name, Verdict: sameness(a.Verdict), Reason: a.Reason}
	d := a.Difference
	if d == nil {
		return pair, nil
	}
	pair.Step, pair.Values = &d.Step, d.Values[0].String()+d.Values[1].String()
	lits := make([][2]circuit.Lit, len(m.Latches))
	for i, p := range m.Latches {
		lits[i] = [2]circuit.Lit{m.Sides[0].Lit(p.A), m.Sides[1].Lit(p.B)}
	}
	changes, err := m.Trail(ctx, d, lits)
	for _, c := range changes[:min(len(changes), maxTrail)] {
		pair.Trail = append(pair.Trail, fmt.Sprintf("%s: %s and %s at step %d", m.Sides[0].Label(m.Latches[c.Signal].A), c.Values[0], c.Values[1], c.Step))
	}
	return pair, err
}

// rowOf returns the line of an element that is observed; nil for one without a line.
func rowOf(doc *design.Design, mapper position.Mapper, e compare.Element) *protocol.Range {
	c := doc.Circuit()
	var o circuit.Origin
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
	span, ok := doc.OriginSpan(o)
	if !ok {
		return nil
	}
	row := mapper.SpanRange(span)
	return &row
}
