package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// TestCancel: a check that is cancelled in the cluster ends for all of its askers, with the name of the
// one that did that, and on its node; others go on.
func TestCancel(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	var running atomic.Int64
	begun := make(chan struct{}, 10)
	p.node("n", 1, engineOf(function(func(ctx context.Context, _ circuit.Problem) (cert.Verdict, error) {
		running.Add(1)
		defer running.Add(-1)
		begun <- struct{}{}
		<-ctx.Done()
		return cert.Verdict{}, ctx.Err()
	})))
	first, second := p.asker("first"), p.asker("second")
	results := make(chan verify.Result, 3)
	ask := func(a *Asker, i int) (heard chan struct{}) {
		heard = make(chan struct{}, 1)
		go func() {
			results <- verify.Run(t.Context(), a.job(still(i)), func(p verify.Progress) {
				if p.Nodes > 0 {
					select {
					case heard <- struct{}{}:
					default:
					}
				}
			})
		}()
		return heard
	}
	ask(first, 1)
	<-begun
	<-ask(second, 1)
	ask(second, 2)
	boss := p.connect("boss")
	listed := func() (s Status) {
		s, err := boss.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var s Status
	eventually(t, "one is at work, and one waits", func() bool {
		s = listed()
		return len(s.Jobs) == 1 && s.Waiting == 1
	})
	if keys, err := boss.Cancel(t.Context(), []string{"x", s.Jobs[0].Key[:12]}); err != nil || len(keys) != 1 || keys[0] != s.Jobs[0].Key {
		t.Fatalf("cancelled %q, %v", keys, err)
	}
	for range 2 {
		check(t, <-results, "unknown: cancelled in the cluster, by boss")
	}
	<-begun // the other one: the node has stopped
	if n := running.Load(); n != 1 {
		t.Errorf("%d at work", n)
	}
	if keys, err := boss.Cancel(t.Context(), []string{""}); err != nil || len(keys) != 1 {
		t.Fatalf("cancelled %q, %v", keys, err)
	}
	check(t, <-results, "unknown: cancelled in the cluster, by boss")
	p.isEmpty(first)
	// What no asker wants is taken out, too.
	j := job{Protocol: Protocol + 1, Attempt: 1, Circuit: strings.Repeat("0", 64)}
	j.Key = keyOf(j)
	if _, err := boss.js.Publish(t.Context(), boss.subject(purposeJobs, j.Key), written(j)); err != nil {
		t.Fatal(err)
	}
	if keys, err := boss.Cancel(t.Context(), []string{""}); err != nil || len(keys) != 1 {
		t.Fatalf("cancelled %q, %v", keys, err)
	}
	p.isEmpty(first)
	// An asker that does not answer holds up no other, and of what only a stranger names nothing is kept.
	stranger := p.connect("stranger")
	silent, strange := strings.Repeat("0", 64), AskedCheck{Key: strings.Repeat("1", 64)}
	subscribe := func(subject string, answer func(*nats.Msg)) {
		if _, err := stranger.nc.Subscribe(subject, answer); err != nil {
			t.Fatal(err)
		}
	}
	subscribe(stranger.subject("cancel", silent), func(*nats.Msg) {})
	subscribe(stranger.prefix+".asks", func(m *nats.Msg) {
		_ = m.Respond(written(Asking{"many", "asker", slices.Repeat([]AskedCheck{strange}, maxChecks+1)}))
		_ = m.Respond(written(Asking{"few", "asker", []AskedCheck{strange, {Key: silent}}}))
	})
	if err := stranger.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	ask(first, 3)
	<-begun
	eventually(t, "all of that is seen", func() bool {
		s = listed()
		return len(s.Asked) == 2 && s.Given == 1
	})
	if s.Asked[0].Who != "few" && s.Asked[1].Who != "few" {
		t.Errorf("asked: %+v", s.Asked)
	}
	keys, err := boss.Cancel(t.Context(), []string{""})
	if err == nil || err.Error() != "not cancelled, for no asker has answered: 000000000000" || len(keys) != 1 || keys[0] == strange.Key {
		t.Fatalf("cancelled %q, %v", keys, err)
	}
	check(t, <-results, "unknown: cancelled in the cluster, by boss")
	if kept, err := boss.kept().claims.History(t.Context(), strange.Key); !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Errorf("of the stranger's key: %v, %v", kept, err)
	}
}

// TestCancelLate: a check whose answer is being tested, which is in the queue no more, is cancelled as any
// other.
func TestCancelLate(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	p.node("n", 1, real)
	a := p.asker("me")
	for range cap(a.checking) { // so that the test of the answer does not begin
		a.checking <- struct{}{}
	}
	done := make(chan verify.Result, 1)
	job := a.job(counter(4, 3, 9))
	job.Engine = About(job.Engine, "a/counter.aag")
	go func() { done <- verify.Run(t.Context(), job, nil) }()
	boss := p.connect("boss")
	var s Status
	eventually(t, "it has an answer", func() (is bool) {
		var err error
		if s, err = boss.Status(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s.Answers == 1 && s.Given+s.Waiting == 0
	})
	if len(s.Asked) != 1 || len(s.Asked[0].Checks) != 1 || s.Asked[0].Checks[0].File != "counter.aag" || s.Asked[0].Program != "me" {
		t.Errorf("asked: %+v", s.Asked)
	}
	if keys, err := boss.Cancel(t.Context(), []string{""}); err != nil || len(keys) != 1 {
		t.Fatalf("cancelled %q, %v", keys, err)
	}
	check(t, <-done, "unknown: cancelled in the cluster, by boss")
}

// TestRemoveLeavesOthers: a check that is taken out of the queue takes no other with it, whatever has become of
// these: those that a node has given back come again.
func TestRemoveLeavesOthers(t *testing.T) {
	p := newPlace(t)
	p.times = times{} // the server gives a job again after more time than a test waits
	c := p.connect("node")
	l := laneOf(circuit.Safety.String(), false)
	publish := func(key string) {
		t.Helper()
		if _, err := c.js.Publish(t.Context(), c.subject(l.purpose(), key), []byte(key)); err != nil {
			t.Fatal(err)
		}
	}
	fetch := func() (all []jetstream.Msg) {
		t.Helper()
		batch, err := c.kept().queues[l].Fetch(2, jetstream.FetchMaxWait(callTime))
		if err != nil {
			t.Fatal(err)
		}
		for m := range batch.Messages() {
			all = append(all, m)
		}
		return all
	}
	for round := range 200 {
		for i := range 3 {
			publish(hashOf(fmt.Appendf(nil, "%d.%d", round, i)))
		}
		given := fetch()
		third := hashOf(fmt.Appendf(nil, "%d.2", round))
		for _, m := range given {
			if err := m.Nak(); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.remove(t.Context(), third); err != nil {
			t.Fatal(err)
		}
		again := fetch()
		if len(given) != 2 || len(again) != 2 {
			t.Fatalf("round %d: %d given, %d given again", round, len(given), len(again))
		}
		for _, m := range again {
			if err := m.DoubleAck(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// refusing is a queue with a message that cannot be deleted.
type refusing struct {
	jetstream.Stream
	asked int
}

func (r *refusing) GetLastMsgForSubject(context.Context, string) (*jetstream.RawStreamMsg, error) {
	return &jetstream.RawStreamMsg{Sequence: 7}, nil
}

func (r *refusing) DeleteMsg(context.Context, uint64) error {
	if r.asked++; r.asked > 10 {
		return errors.New("asked for ever")
	}
	return fmt.Errorf("%w: not permitted", jetstream.ErrMsgDeleteUnsuccessful)
}

// TestRefusedDeletion: a server that refuses for good to delete a message is not asked on and on.
func TestRefusedDeletion(t *testing.T) {
	queue, c := &refusing{}, &Conn{}
	c.parts.kept.jobs = queue
	if err := c.removeJobs(t.Context(), "jobs.a"); !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) || queue.asked != 2 {
		t.Errorf("%v after %d deletions", err, queue.asked)
	}
}
