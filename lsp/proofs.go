package lsp

import (
	"context"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// proof says in a message what there is to read about a proof.
func (v *view) proof(snap *snapshot, name string, p ide.ProofText) wire.Proof {
	answer := wire.Proof{Name: name, Text: p.Text, Links: []wire.ProofLink{}}
	walker := v.mapper.For(source.NewText(p.Text)).Walker()
	for _, l := range p.Links {
		if at := snap.sourceLocation(v, l.Source); at != nil {
			answer.Links = append(answer.Links, wire.ProofLink{Range: walker.SpanRange(l.Span), Location: *at})
		}
	}
	for _, t := range p.Topics {
		topic := wire.ProofTopic{Latch: t.Latch, Facts: []wire.ProofFact{}}
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

// maxSmallProofs bounds the proofs of a file that are made small without being asked for.
const maxSmallProofs = 64

// makeSmall has the proofs of a file made small, one after another, once nobody waits for a
// check of it any more: verdicts come first. Hovers and hints then know what they say.
func (s *session) makeSmall(f *file) {
	if f.hidden || f.checks.Active() > 0 || f.shrinking {
		return
	}
	var proved []circuit.Property
	status := map[circuit.Property]ide.Status{}
	for p := range f.checks.Properties() {
		known := f.checks.Status(p)
		if known.Outcome() == cert.Proved.String() && known.Freshness == ide.Fresh && !known.Result.HasSmallProof() && len(proved) < maxSmallProofs {
			proved, status[p] = append(proved, p), known
		}
	}
	if len(proved) == 0 {
		return
	}
	f.shrinking = true
	doc, ctx := f.doc, f.present
	s.background(func(context.Context) {
		defer s.post(func() {
			f.shrinking = false
			if s.files[uri.URI(doc.URI)] == f && f.doc == doc {
				s.publisher.request(uri.URI(doc.URI))
			}
		})
		for _, p := range proved {
			if _, err := ide.FactsOf(ctx, doc, p, status[p]); err != nil && ctx.Err() != nil {
				return // typing has gone on: who asks has it made
			}
		}
	})
}
