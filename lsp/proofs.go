package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/formula"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// executeProof answers with what there is to read about a proof.
func executeProof(ctx context.Context, s *session, params *wire.ProofParams) (answer wire.Answer, err error) {
	if params.Latch == nil {
		return question(answers.Proof)(ctx, s, &params.PropertyParams)
	}
	v, ids, err := propertiesFrom(ctx, wire.CommandProof.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	return proofOfLatch(ctx, s, v, v.orAll(ids), *params.Latch)
}

// proofOfLatch answers with what the first proof that refers to a latch says of it.
func proofOfLatch(ctx context.Context, s *session, v *view, ids []circuit.Property, at protocol.Position) (answer wire.Answer, err error) {
	o, ok := v.doc.OccurrenceAt(v.mapper.PositionOffset(at))
	if !ok {
		return answer, refused(errNoLatch)
	}
	for _, id := range ids {
		p, _ := v.doc.Property(id)
		text, err := ide.ProofOfLatch(ctx, v.doc, p, v.status(id), o.Lit.Signal())
		if errors.Is(err, answers.ErrNoProof) {
			continue
		}
		answer = answerMessage(v, snapshotFrom(ctx), p, text)
		answer.Latch = formula.SignalName(v.doc, o.Lit)
		return answer, err
	}
	return answer, refused(errNoLatch)
}

var errNoLatch = errors.New("no proof says anything about a latch here")

// answerMessage says in a message what there is to read about a property, or a file.
func answerMessage(v *view, snap *snapshot, of design.Property, p answers.Answer) wire.Answer {
	answer := wire.Answer{Version: v.doc.Version, Name: of.Name, Text: p.Text, Links: []wire.ProofLink{}}
	if of.Name != "" { // else it is about the file
		answer.Property = propertyID(of.ID)
		if f, ok := v.doc.Fingerprint(of.ID); ok {
			answer.Circuit = circuitID(f)
		}
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
			topic.Facts = append(topic.Facts, snap.factMessage(v, f))
		}
		answer.Topics = append(answer.Topics, topic)
	}
	return answer
}

// factMessage is a fact in a message.
func (snap *snapshot) factMessage(v *view, f answers.Fact) wire.ProofFact {
	fact := wire.ProofFact{Kind: wire.FactKind(f.Kind), Text: f.String(), Latches: []wire.FactLatch{}}
	for _, l := range f.Latches {
		fact.Latches = append(fact.Latches, wire.FactLatch{Name: l.Name, Location: snap.sourceLocation(v, l.SourceSignal)})
	}
	return fact
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
		shown.message += "; rows at the end of the file are not faded, because there are too many"
	}
	answer.Property, answer.Name, answer.Message = propertyID(p.ID), p.Name, shown.message
	for _, span := range shown.spans {
		answer.Ranges = append(answer.Ranges, v.mapper.SpanRange(span))
	}
	return answer, fadeRows(s, v, shown)
}

// unneededBy finds out what the proof of the first proved one of some properties does not need.
func unneededBy(ctx context.Context, v *view, ids []circuit.Property) (p design.Property, u *answers.Unneeded, err error) {
	for _, id := range v.orAll(ids) {
		status := v.status(id)
		if status.Freshness != ide.Fresh || status.FaultLine > 0 {
			continue
		}
		u, err := answers.UnneededBy(ctx, v.doc, id, status.Result)
		if errors.Is(err, answers.ErrNoProof) {
			continue
		}
		p, _ = v.doc.Property(id)
		if err != nil && ctx.Err() == nil {
			err = refused(fmt.Errorf("it is not known what the proof of %s does not need: %w", p.Name, err))
		}
		return p, u, err
	}
	return p, nil, refused(answers.ErrNoProof)
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

// fadeRows shows rows of the text of a view as faded, nil is none.
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
