package worker

import (
	"context"
	"errors"
	"fmt"

	"aiglens/circuit/cert"
	"aiglens/horn"
	horncert "aiglens/horn/cert"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
)

// Clauses is a hornverify.Check in a worker. As with circuits a claim comes back, and is certified here.
func (p *Pool) Clauses(ctx context.Context, s *horn.System, o hornverify.Options) hornverify.Result {
	body := s.AppendBinary(nil)
	if len(body) > maxCircuit {
		return hornverify.Result{Checked: horncert.NoAnswer(fmt.Sprintf("the clauses of %d MB are too large for a worker process", len(body)>>20))}
	}
	r, err := p.clausesOnce(ctx, s, o, body)
	if p.mayAgain(ctx, err) {
		r, err = p.clausesOnce(ctx, s, o, body)
	}
	remote, isRemote := errors.AsType[*verify.RemoteError](err)
	switch {
	case ctx.Err() != nil:
		r.Checked = horncert.NoAnswer(hornverify.ReasonFor(ctx))
	case isRemote:
		r.Checked, r.Internal = horncert.NoAnswer(remote.Reason), remote.Internal
	case err != nil:
		r.Checked = horncert.NoAnswer(err.Error())
	}
	return r
}

// clausesOnce asks one worker. An error says why there is no answer.
func (p *Pool) clausesOnce(ctx context.Context, s *horn.System, o hornverify.Options, body []byte) (r hornverify.Result, err error) {
	var claim horncert.Answer
	x := &exchange{grace: cancelGrace, task: verify.Task{Progress: func(p verify.Progress) {
		if o.Progress != nil {
			o.Progress(hornverify.Progress{Level: p.Depth, Lemmas: p.Lemmas})
		}
	}}}
	x.certificate = func(_ Result, body []byte, v *cert.Verdict) error {
		claim.Outcome = clauseOutcomes[v.Outcome]
		if claim.Outcome == horncert.Unknown {
			return nil
		}
		return claim.ReadBinary(body, s)
	}
	if _, err = p.ask(ctx, x, Request{System: true, Variant: o.Variant, Memory: o.Memory}, body); err != nil {
		return r, err
	}
	r.Variant, r.Stats = verify.OneLine(x.result.Engine, 40), x.result.Stats
	checked, reason, fault := hornverify.Certify(ctx, s, claim)
	if r.Checked, r.Internal = checked, fault; reason != "" {
		x.reject()
		r.Checked = horncert.NoAnswer(reason)
	}
	return r, nil
}

// clauseOutcomes are the verdicts of messages for those on clauses.
var clauseOutcomes = map[cert.Outcome]horncert.Outcome{cert.Proved: horncert.Sat, cert.Refuted: horncert.Unsat}

// runClauses answers a request about clauses.
func (w *worker) runClauses(ctx context.Context, q Request, body []byte, progress func(verify.Progress)) (r Result, certificate []byte) {
	r = Result{Number: q.Number, Outcome: cert.Unknown.String()}
	s, err := horn.ReadBinary(body)
	if err != nil {
		r.Reason, r.Internal = "internal error, the clauses did not arrive", verify.Shortened(err.Error(), maxText)
		return r, nil
	}
	ctx, stop := verify.WithLimits(ctx, q.limits())
	defer stop()
	found := w.opts.Clauses(ctx, s, hornverify.Options{Variant: q.Variant, Progress: func(p hornverify.Progress) {
		progress(verify.Progress{Depth: p.Level, Lemmas: p.Lemmas})
	}})
	answer := horncert.Answer{Outcome: found.Checked.Outcome(), Model: found.Checked.Model(), Derivation: found.Checked.Derivation()}
	r.Engine, r.Stats, r.Reason = found.Variant, finite(found.Stats), verify.Shortened(found.Checked.Reason(), verify.MaxReason)
	if found.Internal != nil {
		r.Internal = verify.Shortened(found.Internal.Error(), maxText)
	}
	for outcome, of := range clauseOutcomes {
		if of == answer.Outcome {
			certificate, r.Outcome = answer.AppendBinary(nil), outcome.String()
		}
	}
	if len(certificate) > maxCertificate {
		r.Outcome, r.Reason = cert.Unknown.String(), fmt.Sprintf("the certificate of %d MB is too large to be sent", len(certificate)>>20)
		return r, nil
	}
	return r, certificate
}
