package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/design/proofs"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// Bounds of the tree in an answer.
const (
	maxCauseDepth   = 50
	maxCauses       = 2000
	usualCauseDepth = 6
	usualCauses     = 200
)

// executeWhy answers why a signal has its value at a step, without a signal why the
// property fails.
func executeWhy(ctx context.Context, s *session, params *wire.WhyParams) (answer wire.Cause, err error) {
	v, ids, err := signalFrom(ctx, wire.CommandWhy.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	x := v.counterexample(ids)
	if x == nil {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s", noCounterexample)
	}
	limit := trace.Limit{Depth: usualCauseDepth, Nodes: usualCauses}
	if params.Depth > 0 {
		limit = trace.Limit{Depth: min(params.Depth, maxCauseDepth), Nodes: maxCauses}
	}
	var lit circuit.Lit
	fails, step := false, x.Steps()-1
	if params.Step != nil {
		step = *params.Step
	} else if v.selection != nil && v.selection.Property == x.Property && params.Position != nil {
		step = x.Within(v.selection.Step)
	}
	switch {
	case params.Signal != nil:
		lit = circuit.Lit(*params.Signal)
		if int(lit.Var()) >= v.doc.Circuit().NumVars() {
			return answer, noSignal(*params.Signal)
		}
	case params.Position != nil:
		offset := v.mapper.PositionOffset(*params.Position)
		o, ok := v.doc.OccurrenceAt(offset)
		if p, onRow := v.doc.PropertyAt(offset); !ok || onRow && p.ID == x.Property {
			fails = true
			break
		}
		copied, _, ok := x.Copy(v.doc, o.Lit)
		if !ok {
			return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the signal has no part in the counterexample")
		}
		lit = copied.Lit
	default:
		fails = true
	}
	var root *runs.Cause
	if e := x.Evidence(); !fails {
		root, err = runs.Why(ctx, v.doc, x, lit, step, limit)
	} else if x.LoopSteps() > 0 {
		root, err = runs.WhyFails(ctx, v.doc, x, limit)
	} else { // the step may be another
		root, err = runs.Why(ctx, v.doc, x, e[0].Lit, step, limit)
	}
	switch {
	case errors.Is(err, runs.ErrOutside):
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the signal has no part in the counterexample, or there is no step %d", step)
	case err != nil:
		return answer, err
	}
	return snapshotFrom(ctx).cause(v, root), nil
}

func (snap *snapshot) cause(v *view, c *runs.Cause) wire.Cause {
	n := wire.Cause{
		Name: c.Source.Name, Value: c.NamedValue().String(), Step: c.Step, At: c.At, Signal: uint32(c.Lit),
		Formula: formula.Of(v.doc, c.Source), Reason: c.Because(), Repeated: c.Repeated, Cut: c.Cut, Location: snap.sourceLocation(v, c.Source), Causes: []wire.Cause{},
	}
	if c.IsLasso() {
		n.Value = ""
	}
	for _, cause := range c.Causes {
		n.Causes = append(n.Causes, snap.cause(v, cause))
	}
	return n
}

// sourceLocation returns where a signal is defined, nil where no text does.
func (snap *snapshot) sourceLocation(v *view, m design.SourceSignal) *protocol.Location {
	if m.Other != nil {
		l := snap.locationOf(*m.Other)
		return &l
	}
	if m.Span.Length == 0 {
		return nil
	}
	return &protocol.Location{URI: v.name, Range: v.mapper.SpanRange(m.Span)}
}

// executeGoToCause shows where a signal is defined, and the step in the text.
func executeGoToCause(ctx context.Context, s *session, params *wire.GoToCauseParams) (answer protocol.Location, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandGoToCause.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	x := v.counterexample(ids)
	if x == nil {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s", noCounterexample)
	}
	if int(circuit.Lit(params.Signal).Var()) >= v.doc.Circuit().NumVars() {
		return answer, noSignal(params.Signal)
	}
	to := wire.StepParams{To: wire.Move(fmt.Sprint(params.Step))}
	if _, err := moveStep(ctx, s, v, []circuit.Property{x.Property}, &to); err != nil {
		return answer, err
	}
	m, ok := v.doc.SourceOf(circuit.Lit(params.Signal))
	location := snapshotFrom(ctx).sourceLocation(v, m)
	if !ok || location == nil {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no text defines this signal")
	}
	return showPlace(ctx, s, *location)
}

func noSignal(signal uint32) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no signal %d", signal)
}

const noCounterexample = "there is no counterexample here: only a refuted property has one"

// maxRounds bounds the rounds of a loop in an answer.
const maxRounds = 1000

// executeTrace answers with the signals of a counterexample. One of an earlier text is
// shown until there is a newer one, with the places where its signals are now.
func executeTrace(ctx context.Context, s *session, params *wire.TraceParams) (a wire.Trace, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandTrace.Name, params.PropertyParams)
	if err != nil {
		return a, err
	}
	x, doc := v.counterexample(ids), v.doc
	var id circuit.Property // of v.doc; that of x when its row has not moved
	if x != nil {
		id = x.Property
	} else if x, doc, id = oldCounterexample(v, ids); x == nil {
		return a, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s", noCounterexample)
	}
	var chosen []design.Lit
	for _, p := range params.Positions {
		if o, ok := v.doc.OccurrenceAt(v.mapper.PositionOffset(p)); ok && doc == v.doc {
			chosen = append(chosen, o.Lit)
		}
	}
	steps := x.StepsOf(min(params.Rounds, maxRounds))
	signals, more, err := runs.TraceSignals(ctx, doc, x, steps, chosen, params.Expressions)
	if err != nil {
		return a, err
	}
	a = wire.Trace{
		URI: v.name, Property: propertyID(id), Name: id.String(), Steps: steps, Loop: x.LoopSteps(),
		Stale: doc != v.doc, Version: doc.Version, Signals: []wire.TraceSignal{}, More: more,
	}
	if !a.Stale {
		a.Others = v.status(id).HasOthers()
		if among := x.AmongOf(v.doc); among != nil {
			a.Among = &wire.FoundRun{Number: among.Number, Known: among.Known, Message: among.Words}
		}
	}
	if first, ok := x.Loop(); ok {
		a.Rounds = (steps - first) / a.Loop
	}
	row, known := doc.Property(x.Property)
	if known {
		a.Name = row.Name
	}
	if v.selection != nil && v.selection.Property == id {
		a.Step = &v.selection.Step
	}
	var moved func(design.SourceSignal) (design.SourceSignal, bool)
	if a.Stale {
		if err := v.doc.Elaborate(ctx); err != nil {
			return a, err
		}
		moved = movedPlaces(doc, v.doc)
	}
	for i := range signals {
		t := &signals[i]
		out := traceSignal(t)
		if !a.Stale && a.Loop == 0 {
			out.Settable = settableAt(doc, t)
		}
		switch m, found := t.Source, t.HasSource; {
		case t.Group == runs.GroupExpressions: // no text defines it
		case moved != nil && t.Group == runs.GroupProperty:
			if p, ok := v.doc.Property(id); ok && (p.Name == row.Name || checks.RowKey(p) == checks.RowKey(row)) {
				out.Location = &protocol.Location{URI: v.name, Range: v.mapper.SpanRange(p.Row)}
			}
		case moved != nil:
			if m, found = moved(m); found {
				out.Location = snapshotFrom(ctx).sourceLocation(v, m)
			}
		case found:
			out.Location = snapshotFrom(ctx).sourceLocation(v, m)
		}
		a.Signals = append(a.Signals, out)
	}
	return a, ctx.Err()
}

// traceSignal is a signal in a message, but for its place.
func traceSignal(t *runs.TraceSignal) wire.TraceSignal {
	return wire.TraceSignal{
		Group: wire.SignalGroup(t.Group), Name: t.Name(), Signal: uint32(t.Lit), Values: trace.Digits(t.Values),
		Relevant: t.Relevant, Formula: t.Formula, Error: t.Error,
	}
}

// movedPlaces finds signals of a text in a later one: a latch or input by its name, and
// what has none where the text around it is the same.
func movedPlaces(from, to *design.Design) func(design.SourceSignal) (design.SourceSignal, bool) {
	head, tail := source.Common(from.Text, to.Text)
	shift := to.Text.Len() - from.Text.Len()
	return func(m design.SourceSignal) (design.SourceSignal, bool) {
		if m.Name != fmt.Sprint(m.Lit) {
			return to.ElementNamed(m.Name)
		}
		switch {
		case m.Row.End() <= head:
			return m, true
		case m.Row.Start >= from.Text.Len()-tail:
			m.Row.Start += shift
			m.Span.Start += shift
			return m, true
		}
		return m, false
	}
}

// oldCounterexample returns the last counterexample of the first of some properties
// that has one about an earlier text, that text, and what the property is called now.
func oldCounterexample(v *view, ids []circuit.Property) (*runs.Counterexample, *design.Design, circuit.Property) {
	if ids == nil {
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	for _, id := range ids {
		if old := v.status(id).Earlier; old != nil {
			return old.Counterexample, old.Document, id
		}
	}
	return nil, nil, circuit.Property{}
}

// executeProof answers with what there is to read about a proof.
func executeProof(ctx context.Context, s *session, params *wire.ProofParams) (answer wire.Proof, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandProof.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	if params.Latch != nil {
		return proofOfLatch(ctx, s, v, v.orAll(ids), *params.Latch)
	}
	for _, id := range ids {
		p, _ := v.doc.Property(id)
		text, err := ide.Proof(ctx, v.doc, p, v.status(id))
		if errors.Is(err, ide.ErrNoProof) {
			continue // of several on a row, one that is proved
		}
		return proofMessage(v, snapshotFrom(ctx), p, text), err
	}
	return answer, refused(ide.ErrNoProof)
}

// orAll returns all properties of the text for none.
func (v *view) orAll(ids []circuit.Property) []circuit.Property {
	if ids != nil {
		return ids
	}
	for _, p := range v.doc.Properties() {
		ids = append(ids, p.ID)
	}
	return ids
}

// proofOfLatch answers with what the first proof that speaks of a latch says of it.
func proofOfLatch(ctx context.Context, s *session, v *view, ids []circuit.Property, at protocol.Position) (answer wire.Proof, err error) {
	o, ok := v.doc.OccurrenceAt(v.mapper.PositionOffset(at))
	if !ok {
		return answer, refused(errNoLatch)
	}
	for _, id := range ids {
		p, _ := v.doc.Property(id)
		text, err := ide.ProofOfLatch(ctx, v.doc, p, v.status(id), o.Lit.Signal())
		if errors.Is(err, ide.ErrNoProof) {
			continue
		}
		answer = proofMessage(v, snapshotFrom(ctx), p, text)
		answer.Latch = formula.SignalName(v.doc, o.Lit)
		return answer, err
	}
	return answer, refused(errNoLatch)
}

var errNoLatch = errors.New("no proof here speaks of a latch at this place")

// executeObstacle answers with what stands in the way of a proof.
func executeObstacle(ctx context.Context, s *session, params *wire.PropertyParams) (answer wire.Proof, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandObstacle.Name, *params)
	if err != nil {
		return answer, err
	}
	for _, id := range ids {
		status := v.status(id)
		if status.Freshness != ide.Fresh || status.FaultLine > 0 {
			continue
		}
		p, _ := v.doc.Property(id)
		o, err := proofs.ObstacleOf(ctx, v.doc, p, status.Result)
		if errors.Is(err, proofs.ErrNoObstacle) {
			continue // of several on a row, one that has something to say
		}
		if errors.Is(err, proofs.ErrTooLarge) {
			return answer, refused(err)
		}
		return proofMessage(v, snapshotFrom(ctx), p, ide.ProofText{Text: o.Text, Links: o.Links}), err
	}
	return answer, refused(proofs.ErrNoObstacle)
}

// proof says in a message what there is to read about a proof.
func proofMessage(v *view, snap *snapshot, of design.Property, p ide.ProofText) wire.Proof {
	answer := wire.Proof{Property: propertyID(of.ID), Version: v.doc.Version, Name: of.Name, Text: p.Text, Links: []wire.ProofLink{}}
	if f, ok := v.doc.Fingerprint(of.ID); ok {
		answer.Circuit = circuitID(f)
	}
	walker := v.mapper.For(source.NewText(p.Text)).Walker()
	for _, l := range p.Links {
		if at := snap.sourceLocation(v, l.Source); at != nil {
			answer.Links = append(answer.Links, wire.ProofLink{Range: walker.SpanRange(l.Span), Location: *at})
		}
	}
	for _, t := range p.Topics {
		title := t.Title()
		if p.Later {
			title += ", from step 1 on"
		}
		topic := wire.ProofTopic{Title: title, Latch: t.Latch, Facts: []wire.ProofFact{}}
		for _, f := range t.Facts {
			fact := wire.ProofFact{Kind: wire.FactKind(f.Kind), Text: f.String(), Latches: []wire.FactLatch{}}
			for _, l := range f.Latches {
				fact.Latches = append(fact.Latches, wire.FactLatch{Name: l.Name, Location: snap.sourceLocation(v, l)})
			}
			topic.Facts = append(topic.Facts, fact)
		}
		answer.Topics = append(answer.Topics, topic)
	}
	return answer
}

// maxUnneeded bounds the pieces of a text that are faded: other diagnostics have room beside them.
const maxUnneeded = 500

// executeUnneeded fades the rows that a proof does not need.
func executeUnneeded(ctx context.Context, s *session, params *wire.UnneededParams) (answer wire.Unneeded, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandUnneeded.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	answer = wire.Unneeded{Version: v.doc.Version, Ranges: []protocol.Range{}}
	if params.Hide {
		return answer, fadeRows(s, v, nil)
	}
	p, found, err := unneededBy(ctx, v, ids)
	if err != nil {
		return answer, err
	}
	shown := &faded{property: p.ID, name: p.Name, spans: found.Joined(v.doc.Text), message: found.Words(p.Name), shares: found.Shares()}
	isCut := len(shown.spans) > maxUnneeded
	shown.notice = found.Notice(p.Name, isCut)
	if isCut {
		shown.spans = shown.spans[:maxUnneeded]
		shown.message += "; those at the end of the file are not faded, for they are too many"
	}
	answer.Property, answer.Name, answer.Message = propertyID(p.ID), p.Name, shown.message
	for _, span := range shown.spans {
		answer.Ranges = append(answer.Ranges, v.mapper.SpanRange(span))
	}
	return answer, fadeRows(s, v, shown)
}

// unneededBy finds out what the proof of the first proved one of some properties does not need.
func unneededBy(ctx context.Context, v *view, ids []circuit.Property) (p design.Property, u *proofs.Unneeded, err error) {
	for _, id := range v.orAll(ids) {
		status := v.status(id)
		if status.Freshness != ide.Fresh || status.FaultLine > 0 {
			continue
		}
		u, err := proofs.UnneededBy(ctx, v.doc, id, status.Result)
		if errors.Is(err, proofs.ErrNoProof) {
			continue
		}
		p, _ = v.doc.Property(id)
		if err != nil && ctx.Err() == nil {
			err = refused(fmt.Errorf("it is not known what the proof of %s does not need: %w", p.Name, err))
		}
		return p, u, err
	}
	return p, nil, refused(proofs.ErrNoProof)
}

// faded are the rows of a text that a proof does not need.
type faded struct {
	property circuit.Property
	name     string
	spans    []source.Span
	message  string // all that there is to say
	shares   string // how many of all rows they are
	notice   string // the message in short
}

// fade shows rows of the text of a view as faded, nil is none.
func fadeRows(s *session, v *view, shown *faded) (err error) {
	s.queue.Do(func() {
		f := s.texts.files[uri.URI(v.doc.URI)]
		if f == nil || f.doc != v.doc {
			err = refused(errors.New("the text has changed"))
			return
		}
		if shown == nil && f.found.remarks.unneeded == nil {
			return
		}
		f.found.remarks.of(f.doc).unneeded = shown
		s.publishing.touch(f)
		s.publishing.diagnostics.request(uri.URI(f.doc.URI))
		if shown != nil {
			s.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: "aiglens: " + shown.notice + "."})
		}
	})
	return err
}

// remarks are what has been found out about one text, beside verdicts, and is shown in it. They end
// with the text.
type remarks struct {
	doc      *design.Design // nil for none
	unneeded *faded
	facts    []source.Diagnostic // of proofs
	// explained are the proofs that the facts are from.
	explained map[circuit.Property]*verify.Result
}

// of returns those on a text: none, when they were about another one.
func (r *remarks) of(doc *design.Design) *remarks {
	if r.doc != doc {
		*r = remarks{doc: doc}
	}
	return r
}

// diagnostics are what is shown of them, with facts or without.
func (r *remarks) diagnostics(facts bool) []source.Diagnostic {
	var all []source.Diagnostic
	if facts {
		all = slices.Clone(r.facts)
	}
	if r.unneeded == nil {
		return all
	}
	return append(all, ide.UnneededRows(r.unneeded.spans, r.unneeded.name, r.unneeded.shares)...)
}
