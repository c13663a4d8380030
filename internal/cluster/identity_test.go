package cluster

import (
	"context"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// slanderer is a holder of the token that speaks in the name of a node. It hears all that is said.
type slanderer struct {
	*Conn
	own identity
}

// lies says in the name of a node what would count against it: a wrong answer, an unknown, its death,
// also as what the cluster keeps; by signed each message gets its signature.
func (s slanderer) lies(t *testing.T, j job, node string, signed func(subject string, m any) []byte) {
	wrong := []byte("no certificate")
	if err := s.put(t.Context(), hashOf(wrong), wrong); err != nil {
		t.Fatal(err)
	}
	a := answer{Attempt: 1, Node: node, Outcome: cert.Proved.String(), Depth: 1, Certificate: hashOf(wrong), Size: len(wrong)}
	subject := s.subject(purposeNotices, j.Key)
	for _, n := range []notice{
		{State: stateDone, Answer: answer{Attempt: 1, Node: node, Outcome: cert.Unknown.String(), Reason: "it is too hard"}},
		{State: stateDone, Answer: a}, {State: stateDied}, {State: stateDied}, {State: stateDied},
	} {
		n.Attempt, n.Node = 1, node
		if err := s.nc.Publish(subject, signed(subject, n)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.kept().answers.Put(t.Context(), j.Key, signed(s.subject(purposeAnswers, j.Key), a)); err != nil {
		t.Fatal(err)
	}
	status := NodeStatus{Name: node, Protocol: 0, Version: "forged"}
	if _, err := s.kept().nodes.Put(t.Context(), node, signed(s.subject(purposeNodes, node), status)); err != nil {
		t.Fatal(err)
	}
	if err := s.nc.Flush(); err != nil {
		t.Fatal(err)
	}
}

// TestSlander: what is said in the name of a node counts for nothing, whether it has no signature, that
// of another node, or one of the node about another check. The node answers, and is asked on.
func TestSlander(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	a := p.asker("me")
	begun, proceed := make(chan struct{}), make(chan struct{})
	node := NewNode(p.connect("honest"), 1, func(s engines.Spec) (verify.Engine, error) {
		e, err := s.New()
		return function(func(ctx context.Context, x circuit.Problem) (cert.Verdict, error) {
			begun <- struct{}{}
			<-proceed
			return claimed(ctx, e, x)
		}), err
	})
	p.run(node)
	s := slanderer{p.connect("slanderer"), newIdentity("slanderer")}
	jobs, err := s.nc.SubscribeSync(s.subject(purposeJobs, "*"))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := s.subject(purposeNotices, strings.Repeat("0", 64))
	for i, signed := range []func(string, any) []byte{
		func(_ string, m any) []byte { return written(m) },
		s.own.signed,
		func(_ string, m any) []byte { return node.me.signed(elsewhere, m) },
	} {
		done := make(chan verify.Result, 1)
		go func() { done <- verify.Run(t.Context(), a.job(still(i)), nil) }()
		<-begun
		m, err := jobs.NextMsgWithContext(t.Context())
		var j job
		if err == nil {
			err = read(m.Data, &j)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.lies(t, j, node.me.name, signed)
		if all, err := a.Nodes(t.Context()); err != nil || len(all) > 0 && all[0].Version != "" {
			t.Errorf("what is not signed by it is there about the node: %+v, %v", all, err)
		}
		// An asker that comes later does not take what is kept for an answer of the node.
		later, heard := make(chan verify.Result, 1), make(chan struct{}, 1)
		go func() {
			later <- verify.Run(t.Context(), p.asker("later").job(still(i)), func(p verify.Progress) {
				if p.Nodes > 0 && len(heard) == 0 {
					heard <- struct{}{}
				}
			})
		}()
		<-heard // so that both wait for the same run
		proceed <- struct{}{}
		for _, r := range []verify.Result{<-done, <-later} {
			if check(t, r, "proved"); r.Place != node.Name() || r.Fault != nil || r.Internal != nil {
				t.Errorf("%+v", r)
			}
		}
	}
	if got := plainNames(a.leftOut(nil)); p.warnings() != "" || len(got) != 0 || len(a.lies)+len(a.early) != 0 {
		t.Errorf("left out: %q; %s", got, p.warnings())
	}
}

// TestSentAgain: a stranger who sends jobs again, as if they were for all nodes, has an honest node take
// what was for others, and say once more that it does not know. That does not count against the node.
func TestSentAgain(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	a := p.asker("me")
	node := NewNode(p.connect("honest"), 1, engineOf(function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
		return cert.Verdict{Reason: "it is too hard"}, nil
	})))
	p.run(node)
	s := slanderer{p.connect("slanderer"), newIdentity("slanderer")}
	// It is there as a node that does nothing: the asker waits for it.
	status := NodeStatus{Name: s.own.name, Protocol: Protocol}
	if _, err := s.kept().nodes.Put(t.Context(), s.own.name, s.own.signed(s.subject(purposeNodes, s.own.name), status)); err != nil {
		t.Fatal(err)
	}
	jobs, err := s.nc.SubscribeSync(s.subject(purposeJobs, "*"))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), a.job(still(1)), nil) }()
	for sent := 0; sent < maxLies+2; {
		m, err := jobs.NextMsgWithContext(t.Context())
		var j job
		if err == nil {
			err = read(m.Data, &j)
		}
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(j.Avoid, node.me.name) {
			j.Avoid = nil
			if _, err := s.js.Publish(t.Context(), m.Subject, written(j)); err != nil {
				t.Fatal(err)
			}
			sent++
		}
	}
	if keys, err := s.Cancel(t.Context(), []string{""}); err != nil || len(keys) != 1 {
		t.Fatalf("cancelled %q, %v", keys, err)
	}
	check(t, <-done, "unknown: cancelled")
	if got := plainNames(a.leftOut(nil)); p.warnings() != "" || len(got) != 0 || len(a.lies)+len(a.early) != 0 {
		t.Errorf("left out: %q; %s", got, p.warnings())
	}
}

// TestSigned: a message is that of its node on its subject, and no other one.
func TestSigned(t *testing.T) {
	i, other := newIdentity(strings.Repeat("n", 60)), newIdentity("other")
	c := claim{Attempt: 1, Node: i.name}
	good := i.signed("a.b", c)
	var got claim
	if err := readSigned("a.b", good, &got); err != nil || got != c {
		t.Fatalf("%+v, %v", got, err)
	}
	if shown := ShownName(i.name); !isName(shown) || ShownName(shown) != shown || ShownName("") != "" || shown == ShownName(newIdentity("n").name) {
		t.Errorf("shown as %q", shown)
	}
	text := slices.Clip(written(c))
	for what, bad := range map[string][]byte{
		"of another subject":      i.signed("a.c", c),
		"of another node":         other.signed("a.b", c),
		"without a signature":     written(c),
		"with an empty one":       append(text, '\n'),
		"with no base64":          append(text, "\n!"...),
		"with a changed text":     []byte(strings.Replace(string(good), `"attempt":1`, `"attempt":2`, 1)),
		"of no node":              other.signed("a.b", claim{Attempt: 1}),
		"of a name without a key": other.signed("a.b", claim{Attempt: 1, Node: "other"}),
	} {
		if err := readSigned("a.b", bad, &got); err == nil {
			t.Errorf("a message %s counts", what)
		}
	}
}
