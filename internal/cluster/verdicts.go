package cluster

import (
	"cmp"
	"context"
	"encoding/hex"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// Verdicts are what askers have found and checked, for all users of the cluster: a verify.Cache
// by the fingerprint of the cone, whatever engine and limits it was found with. It is trusted
// as little as any other cache. Failures are misses.
type Verdicts struct {
	*Asker
	// Next is asked before the cluster, and told what it finds; nil for none.
	Next verify.Cache
	// Wait bounds how long an answer of the cluster is waited for; 0 is 5 s.
	Wait time.Duration
}

var _ verify.Cache = Verdicts{}

// Lookup implements verify.Cache.
func (v Verdicts) Lookup(fingerprint circuit.Fingerprint, problem circuit.Problem) (verify.Entry, bool) {
	if v.Next != nil {
		if e, ok := v.Next.Lookup(fingerprint, problem); ok {
			return e, true
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), cmp.Or(v.Wait, callTime))
	defer stop()
	if !v.nc.IsConnected() {
		return verify.Entry{}, false
	}
	entry, err := v.kept().verdicts.Get(ctx, hex.EncodeToString(fingerprint[:]))
	var a answer
	if err != nil || read(entry.Value(), &a) != nil || a.Outcome == cert.Unknown.String() {
		return verify.Entry{}, false
	}
	certificate, err := v.get(ctx, a.Certificate, a.Size)
	if err != nil {
		return verify.Entry{}, false
	}
	found, err := verdictFrom(a, certificate, problem)
	if err != nil {
		v.Drop(fingerprint)
		return verify.Entry{}, false
	}
	return verify.Entry{Verdict: found, Engine: a.Engine, Elapsed: a.Elapsed, Place: ShownName(a.Node)}, true
}

// Store implements verify.Cache.
func (v Verdicts) Store(fingerprint circuit.Fingerprint, problem circuit.Problem, e verify.Entry) {
	if v.Next != nil {
		v.Next.Store(fingerprint, problem, e)
	}
	certificate, err := cert.AppendBinary(nil, problem, e.Verdict)
	if err != nil || len(certificate) > maxCertificate || !v.nc.IsConnected() {
		return
	}
	finder := e.Place
	if !isName(finder) {
		finder = v.opts.Name
	}
	a := answer{
		Attempt: 1, Node: finder, Outcome: e.Verdict.Outcome.String(), Depth: e.Verdict.Depth, Engine: e.Engine,
		Elapsed: e.Elapsed, Certificate: hashOf(certificate), Size: len(certificate),
	}
	ctx, stop := context.WithTimeout(context.Background(), callTime)
	defer stop()
	if v.put(ctx, a.Certificate, certificate) == nil {
		_, _ = v.kept().verdicts.Put(ctx, hex.EncodeToString(fingerprint[:]), written(a)) // else it is found again
	}
}

// Drop implements verify.Cache.
func (v Verdicts) Drop(fingerprint circuit.Fingerprint) {
	if v.Next != nil {
		v.Next.Drop(fingerprint)
	}
	ctx, stop := context.WithTimeout(context.Background(), callTime)
	defer stop()
	_ = v.kept().verdicts.Delete(ctx, hex.EncodeToString(fingerprint[:]))
}
