package cluster

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"aiglens/internal/cluster/asking"
)

// The calls of a question to the server, and what it has done there besides.

// call makes a call and returns its result.
func (q *question) call(ctx context.Context, call asking.Call) asking.Event {
	switch c := call.(type) {
	case asking.Listen:
		return asking.Listening{Err: q.listen()}
	case asking.CheckAnswer:
		return q.checkAnswer(ctx, c.Answer.(*given))
	}
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	defer q.awaits("checks wait")()
	switch c := call.(type) {
	case asking.Recall:
		return q.recall(ctx, c.After)
	case asking.Send:
		return q.send(ctx, c)
	case asking.ReadClaim:
		return q.readClaim(ctx)
	case asking.FindJob:
		var err error
		q.found, err = q.findJob(ctx)
		return asking.JobFound{Claimed: c.Claimed, IsQueued: q.found > 0, IsFailed: err != nil}
	case asking.ListNodes:
		return q.listNodes(ctx, c.Claimed)
	case asking.Restore:
		q.missing()
		return asking.Restored{IsFailed: q.restore(ctx) != nil}
	case asking.Fetch:
		g := c.Answer.(*given)
		var err error
		g.certificate, err = q.get(ctx, g.Certificate, g.Size)
		return asking.Fetched{Attempt: c.Attempt, Answer: g, IsFailed: err != nil}
	}
	panic("cluster: an unknown call")
}

// listen subscribes to what nodes say about the check, and answers nodes that ask if it is wanted.
func (q *question) listen() (err error) {
	messages := make(chan *nats.Msg, 64)
	if q.notices, err = q.nc.ChanSubscribe(q.subject(purposeNotices, q.job.Key), messages); err != nil {
		return err
	}
	q.messages = messages
	if q.want, err = q.nc.Subscribe(q.subject("want", q.job.Key), func(m *nats.Msg) { _ = m.Respond(nil) }); err != nil || q.cancels.Subscription != nil {
		return err
	}
	q.cancels.Subscription, err = q.nc.Subscribe(q.subject("cancel", q.job.Key), func(m *nats.Msg) {
		q.cancels.stop(stoppedError{cmp.Or(CleanName(string(m.Data[:min(len(m.Data), maxName)])), "unnamed")})
		_ = m.Respond(nil)
	})
	return err
}

// stoppedError is why the calls of a question end that a user of the cluster has cancelled.
type stoppedError struct{ by string }

func (e stoppedError) Error() string { return "cancelled in the cluster, by " + e.by }

// unlisten ends what listen began, but for cancels: these go on between two rounds. A later
// withdraw then finds no answer of this question.
func (q *question) unlisten() {
	for _, s := range []*nats.Subscription{q.want, q.notices} {
		if s != nil {
			_ = s.Unsubscribe()
		}
	}
	q.want, q.notices, q.messages = nil, nil, nil
}

// recall returns the answer that the cluster has, if it is a later one than a revision.
func (q *question) recall(ctx context.Context, after uint64) (r asking.Recalled) {
	entry, err := q.kept().answers.Get(ctx, q.job.Key)
	if err != nil {
		return r
	}
	r.Revision = entry.Revision()
	g := &given{}
	if r.Revision <= after || readSigned(q.subject(purposeAnswers, q.job.Key), entry.Value(), &g.answer) != nil || !g.IsKnown() || q.isLeftOut(g.Node) {
		return r
	}
	if g.certificate, err = q.get(ctx, g.Certificate, g.Size); err == nil {
		r.Answer = g
	}
	return r
}

// forget takes an answer out of the cluster whose certificate was rejected.
func (q *question) forget(ctx context.Context, wrong *given) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	entry, err := q.kept().answers.Get(ctx, q.job.Key)
	var a answer
	if err == nil && (read(entry.Value(), &a) != nil || a.Certificate == wrong.Certificate) {
		_ = q.kept().answers.Delete(ctx, q.job.Key, jetstream.LastRevision(entry.Revision()))
	}
}

// send makes an attempt: circuit, claim and message of the queue.
func (q *question) send(ctx context.Context, s asking.Send) asking.Sent {
	if err := q.putCircuit(ctx); err != nil {
		q.refused("circuit", err)
		return asking.Sent{How: asking.Unclaimed}
	}
	switch err := q.putClaim(ctx, s); {
	case errors.Is(err, jetstream.ErrKeyExists):
		q.held.goAway()
		return asking.Sent{How: asking.Overtaken}
	case err != nil:
		q.refused("check", err)
		return asking.Sent{How: asking.Unclaimed}
	}
	if s.IsLost { // a node that gets it yet finds a later claim
		_ = q.kept().jobs.DeleteMsg(ctx, q.found)
	}
	j := q.job
	j.Attempt, j.Avoid = s.Attempt, q.leftOut(s.Avoid)
	if s.Reliable {
		j.Only = q.reliable()
	}
	purpose := laneOf(j.Question, q.isUrgent).purpose()
	sent := asking.Sent{How: asking.InQueue, Only: j.Only}
	text := written(j)
	q.last = sentJob{hashOf(text), j.Avoid}
	if _, err := q.js.Publish(ctx, q.subject(purpose, j.Key), text); err != nil {
		q.refused("check", err)
		sent.How = asking.Claimed
	}
	q.held.goAway()
	return sent
}

// putClaim makes the claim on an attempt. The error is jetstream.ErrKeyExists when there is
// another one than the claim that it replaces.
func (q *question) putClaim(ctx context.Context, s asking.Send) (err error) {
	next := written(claim{Attempt: s.Attempt, Deaths: s.Deaths})
	if s.Replaces == 0 {
		_, err = q.kept().claims.Create(ctx, q.job.Key, next)
	} else {
		_, err = q.kept().claims.Update(ctx, q.job.Key, next, s.Replaces)
	}
	return err
}

// sentFor is how long an asker takes it for granted that a circuit is in the cluster.
const sentFor = 10 * time.Minute

// putCircuit puts the circuit into the cluster, if it has not been put there recently.
func (q *question) putCircuit(ctx context.Context) error {
	q.mu.Lock()
	isSent := time.Since(q.sent[q.job.Circuit]) < sentFor
	q.mu.Unlock()
	if isSent {
		return nil
	}
	body, err := q.held.text(ctx)
	if err == nil {
		err = q.put(ctx, q.job.Circuit, body)
	}
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.sent) >= maxSent {
		clear(q.sent)
	}
	q.sent[q.job.Circuit] = time.Now()
	return nil
}

// maxSent bounds what an asker remembers of circuits.
const maxSent = 10_000

// missing says that what was sent may be gone.
func (a *Asker) missing(circuits ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, hash := range circuits {
		delete(a.sent, hash)
	}
	if len(circuits) == 0 {
		clear(a.sent)
	}
}

func (q *question) readClaim(ctx context.Context) (r asking.ClaimRead) {
	entry, err := q.kept().claims.Get(ctx, q.job.Key)
	r.HasNotices = len(q.messages) > 0
	if err != nil {
		r.IsFailed = !errors.Is(err, jetstream.ErrKeyNotFound)
		return r
	}
	r.Revision = entry.Revision()
	var c claim
	if read(entry.Value(), &c) != nil || c.Node != "" && readSigned(q.subject(purposeClaims, q.job.Key), entry.Value(), &c) != nil {
		return r
	}
	r.Claim = asking.Claim{Attempt: c.Attempt, Node: ShownName(c.Node), Deaths: c.Deaths}
	return r
}

// findJob returns the number of the message of an attempt in the queue, of whatever priority; 0 for none.
func (q *question) findJob(ctx context.Context) (uint64, error) {
	for _, isUrgent := range []bool{false, true} {
		m, err := q.kept().jobs.GetLastMsgForSubject(ctx, q.subject(laneOf(q.job.Question, isUrgent).purpose(), q.job.Key))
		switch {
		case err == nil:
			return m.Sequence, nil
		case !errors.Is(err, jetstream.ErrMsgNotFound):
			return 0, err
		}
	}
	return 0, nil
}

// listNodes lists the nodes by what they can do about the check.
func (q *question) listNodes(ctx context.Context, claimed asking.ClaimRead) asking.NodesListed {
	all, err := q.Nodes(ctx)
	listed := asking.NodesListed{Claimed: claimed, IsFailed: err != nil}
	for _, n := range all {
		if n.IsLeaving || !takes(n.Only, q.job.Question) {
			continue
		}
		listed.Nodes = append(listed.Nodes, asking.Node{
			Name: n.Name, IsOut: q.isLeftOut(n.Name), IsOld: n.Protocol < q.job.Protocol, IsFree: n.Busy < n.Slots, Begun: n.Begun,
		})
	}
	return listed
}

// warnAlone tells the user, once, that there is no node.
func (a *Asker) warnAlone() {
	a.mu.Lock()
	isSaid := a.saidAlone
	a.saidAlone = true
	a.mu.Unlock()
	if !isSaid {
		a.opts.Warn("the cluster has no node for these checks: they wait for one")
	}
}

// withdraw takes the check out of the queue when no other asker wants it. A node that is at work
// on it finds out by itself.
func (q *question) withdraw() {
	ctx, stop := context.WithTimeout(context.Background(), callTime)
	defer stop()
	if _, err := q.nc.RequestWithContext(ctx, q.subject("want", q.job.Key), nil); errors.Is(err, nats.ErrNoResponders) {
		_ = q.remove(ctx, q.job.Key)
	}
}
