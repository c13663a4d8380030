package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/ic3/equiv"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/document"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// maxComparedTrail bounds the latches that are told of a difference.
const maxComparedTrail = 12

// executeCompare compares the circuit of an open file with another one. The request is
// answered at the end; who cancels it ends the comparison.
func (s *server) executeCompare(ctx context.Context, params *wire.CompareParams) (answer wire.Comparison, err error) {
	if err := refuseUntrusted(ctx); err != nil {
		return answer, err
	}
	v, err := openView(ctx, wire.CommandCompare.Name, params.URI)
	if err != nil {
		return answer, err
	}
	set := snapshotFrom(ctx).settings
	limits := set.Run.Limits
	switch t := params.Timeout; {
	case t == nil:
	case !(*t >= 0 && *t <= maxTimeout):
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the timeout of %g seconds is not from 0 to %g", *t, float64(maxTimeout))
	default:
		limits.Wall, limits.CPU = time.Duration(*t*float64(time.Second)), 0
	}
	var other *document.Document
	switch {
	case (params.Text != nil) == (params.Path != ""):
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes a text or a path, one of both", wire.CommandCompare.Name)
	case params.Text != nil:
		other = v.doc.Successor(v.doc.Version, source.NewText(*params.Text))
	default:
		if other, _, err = workspace.ReadCircuit(s.disk, s.opts.Formats, params.Path, set.Document); err != nil {
			return answer, refused(err)
		}
	}
	m, err := matched(ctx, v.doc, other)
	if err != nil {
		return answer, err
	}
	report := equiv.Run(ctx, m, equiv.Options{Engine: func() verify.Engine { return s.opts.Engine(set.Run.Engine) }, Limits: limits, Workers: 1})
	if ctx.Err() != nil {
		return answer, ctx.Err()
	}
	if report.Internal != nil {
		s.log.Error("comparison: " + report.Internal.Error())
	}
	return v.comparison(ctx, m, report)
}

// matched matches the elements of two texts. The error is one for the client.
func matched(ctx context.Context, doc, other *document.Document) (*compare.Matching, error) {
	var sides [2]compare.Side
	for i, d := range []*document.Document{doc, other} {
		var err error
		if sides[i], err = d.Side(ctx); err != nil && ctx.Err() == nil {
			return nil, refused(fmt.Errorf("%s cannot be compared: %w", []string{"this circuit", "the other circuit"}[i], err))
		} else if err != nil {
			return nil, err
		}
	}
	m, err := compare.Match(sides[0], sides[1], compare.Options{})
	if err != nil {
		return nil, refused(err)
	}
	return m, nil
}

// comparison puts a report into a message.
func (v *view) comparison(ctx context.Context, m *compare.Matching, r *equiv.Report) (answer wire.Comparison, err error) {
	answer = wire.Comparison{Pairs: []wire.ComparedPair{}, Alone: alone(m, 0), OtherAlone: alone(m, 1), Version: v.doc.Version}
	verdict, reason := r.Verdict()
	answer.Verdict, answer.Message = sameness(verdict), verdict.String()
	if reason != "" {
		answer.Message += ": " + reason
	}
	if r.Runs != nil {
		pair, err := v.comparedPair(ctx, m, "constraints", *r.Runs)
		if err != nil {
			return answer, err
		}
		answer.Constraints = &pair
	}
	first := -1
	for i, a := range r.Pairs {
		pair, err := v.comparedPair(ctx, m, m.Sides[0].Label(m.Observed[i].A), a)
		if err != nil {
			return answer, err
		}
		pair.Range = v.rowOf(m, m.Observed[i].A)
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
	}
	return answer, nil
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

// comparedPair puts an answer into a message.
func (v *view) comparedPair(ctx context.Context, m *compare.Matching, name string, a equiv.Answer) (wire.ComparedPair, error) {
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
	for _, c := range changes[:min(len(changes), maxComparedTrail)] {
		pair.Trail = append(pair.Trail, fmt.Sprintf("%s: %s and %s at step %d", m.Sides[0].Label(m.Latches[c.Signal].A), c.Values[0], c.Values[1], c.Step))
	}
	return pair, err
}

// rowOf returns the line of an element that is observed; nil for one without a line.
func (v *view) rowOf(m *compare.Matching, e compare.Element) *protocol.Range {
	c := m.Sides[0].Circuit
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
	span, ok := v.doc.OriginSpan(o)
	if !ok {
		return nil
	}
	row := v.mapper.SpanRange(span)
	return &row
}
