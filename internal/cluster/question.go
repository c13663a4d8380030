package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// events are functions that a question calls.
type events struct {
	begun  func()            // an attempt begins
	queued func()            // one has been put into the queue
	at     func(node string) // who is at work; "" while it waits
}

// question is a check that an asker wants, from the first attempt to the answer.
type question struct {
	*Asker
	job      job
	body     []byte // the circuit
	progress func(verify.Progress)
	asked    time.Time
	on       events

	messages chan *nats.Msg // about the key
	attempt  int            // the last one that is known, of whomever
	deaths   int            // of all attempts
	over     int            // attempts up to this one are known to have ended
	sends    int            // attempts of this asker, without those that were answered wrongly
	liars    []string       // of wrong answers, a name for each
	forgiven int            // the first so many of them may be asked again
	node     string         // that has begun with the last attempt; "" while it waits
	began    time.Time      // of that one; zero before the first
	heard    time.Time      // the last sign of life, or of the queue
	reached  verify.Progress
	only     []string // nodes that may take the last attempt; any: none
	others   bool     // the reliable nodes have gone: any may take it
	looked   bool     // for an answer that the cluster has
	before   uint64   // the revision of one that is too old
}

// Bounds of one question.
const (
	maxDeaths = 3
	// maxSends bounds attempts that end without a fault of the check: nodes that leave, lies,
	// servers that lose their data.
	maxSends = 30
	callTime = 5 * time.Second // of one call to the server
	// From wary wrong answers on only nodes are asked that have proven reliable, as long as there
	// are any, and the next attempt waits a little longer each time, up to maxWary. A node may have
	// any number of names, so that leaving out one of them is not enough.
	wary     = 3
	maxWary  = time.Second
	maxWrong = maxNamed
)

// errLoses ends a question that gets no answer for no fault of its own.
var errLoses = &verify.RemoteError{Lost: true, Reason: "the cluster has lost the check too often"}

// waited returns how long it took until the last attempt began.
func (q *question) waited() time.Duration {
	if q.began.IsZero() {
		return time.Since(q.asked)
	}
	return q.began.Sub(q.asked)
}

// begin notes when an attempt has begun.
func (q *question) begin(at time.Time) {
	q.began = at
	q.on.begun()
}

// ask returns the next answer, with the bytes of its certificate, which nobody has checked.
// The error is that of ctx, or a *verify.RemoteError.
func (q *question) ask(ctx context.Context) (answer, []byte, error) {
	q.messages = make(chan *nats.Msg, 64)
	told, err := q.nc.ChanSubscribe(q.subject("told", q.job.Key), q.messages)
	if err != nil {
		return answer{}, nil, q.broken(err)
	}
	defer func() { _ = told.Unsubscribe() }()
	want, err := q.nc.Subscribe(q.subject("want", q.job.Key), func(m *nats.Msg) { _ = m.Respond(nil) })
	if err != nil {
		return answer{}, nil, q.broken(err)
	}
	answered := false
	defer func() {
		_ = want.Unsubscribe()
		if !answered {
			go q.leave()
		}
	}()
	if a, certificate, ok := q.kept(ctx); ok {
		answered = true
		return a, certificate, nil
	}
	err = q.send(ctx, 0)
	q.on.queued()
	next := time.NewTimer(q.after(err))
	defer next.Stop()
	for {
		var a answer
		var certificate []byte
		var done bool
		var err error
		select {
		case <-ctx.Done():
			return answer{}, nil, ctx.Err()
		case m := <-q.messages:
			a, certificate, done, err = q.hear(ctx, m.Data)
			if !done && q.heard.IsZero() { // an attempt could not be sent
				next.Reset(q.opts.times.wanted)
			}
		case <-next.C:
			a, certificate, done, err = q.look(ctx)
			next.Reset(q.after(err))
			if _, isFinal := errors.AsType[*verify.RemoteError](err); !isFinal {
				err = nil
			}
		}
		if ctx.Err() != nil {
			return answer{}, nil, ctx.Err()
		}
		if done || err != nil {
			answered = done
			return a, certificate, err
		}
	}
}

// wrong counts an answer that was wrong, and waits before the next attempt when there were many.
func (q *question) wrong(ctx context.Context, node string) error {
	q.liars = append(q.liars, node)
	q.sends--
	if len(q.liars) >= maxWrong {
		return &verify.RemoteError{Lost: true, Reason: fmt.Sprintf("%d answers were wrong", len(q.liars))}
	}
	if len(q.liars) < wary {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(min(q.opts.times.wanted*time.Duration(len(q.liars)-wary+1), maxWary)):
		return nil
	}
}

// broken is an end for reasons of the connection.
func (q *question) broken(err error) error {
	return &verify.RemoteError{Lost: true, Reason: "the cluster cannot be used", Internal: err}
}

// after returns when to look for what became of the check: soon when the last call has
// failed, or when it is not known whether another asker has sent it.
func (q *question) after(err error) time.Duration {
	if err != nil || q.heard.IsZero() {
		return q.opts.times.wanted
	}
	return max(q.opts.times.wanted, q.opts.times.silence-time.Since(q.heard))
}

// kept returns the answer that the cluster has, if it has one.
func (q *question) kept(ctx context.Context) (a answer, certificate []byte, ok bool) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	entry, err := q.answers().Get(ctx, q.job.Key)
	if err == nil && q.Fresh && !q.looked {
		q.before = entry.Revision()
	}
	q.looked = true
	if err != nil || entry.Revision() <= q.before || read(entry.Value(), &a) != nil || a.Outcome == cert.Unknown.String() || q.isLeftOut(a.Node) {
		return a, nil, false
	}
	if certificate, err = q.get(ctx, a.Certificate, a.Size); err != nil {
		return a, nil, false
	}
	if q.began.IsZero() {
		q.begin(time.Now())
	}
	return a, certificate, true
}

// forget takes an answer out of the cluster whose certificate was rejected.
func (q *question) forget(ctx context.Context, wrong answer) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	entry, err := q.answers().Get(ctx, q.job.Key)
	var a answer
	if err == nil && (read(entry.Value(), &a) != nil || a.Certificate == wrong.Certificate) {
		_ = q.answers().Delete(ctx, q.job.Key, jetstream.LastRevision(entry.Revision()))
	}
}

// send makes the next attempt, unless another asker does: revision is that of the claim that
// it replaces, 0 for none.
func (q *question) send(ctx context.Context, revision uint64) error {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	if q.sends >= maxSends {
		return errLoses
	}
	q.node, q.heard = "", time.Time{}
	q.report()
	if err := q.putCircuit(ctx); err != nil {
		return err
	}
	next := claim{Attempt: q.attempt + 1, Deaths: q.deaths}
	var err error
	if revision == 0 {
		_, err = q.claims().Create(ctx, q.job.Key, written(next))
	} else {
		_, err = q.claims().Update(ctx, q.job.Key, written(next), revision)
	}
	if errors.Is(err, jetstream.ErrKeyExists) {
		return nil // another asker was first
	}
	if err != nil {
		q.refused(err)
		return err
	}
	j := q.job
	j.Attempt, j.Avoid = next.Attempt, q.leftOut(q.liars[q.forgiven:])
	if len(q.liars) >= wary && !q.others {
		j.Only = q.reliable()
	}
	q.only = j.Only
	purpose := purposeJobs
	if q.Urgent {
		purpose = purposeFirst
	}
	if _, err = q.js.Publish(ctx, q.subject(purpose, j.Key), written(j)); err != nil {
		q.refused(err)
		return err
	}
	q.attempt, q.heard = next.Attempt, time.Now()
	q.sends++
	return nil
}

// refused tells the user, now and then, that the server takes nothing, which is tried again for
// as long as the check is wanted.
func (a *Asker) refused(err error) {
	why, ok := errors.AsType[*jetstream.APIError](err)
	a.mu.Lock()
	isSaid := time.Since(a.saidRefused) < time.Minute
	if ok && !isSaid {
		a.saidRefused = time.Now()
	}
	a.mu.Unlock()
	if ok && !isSaid {
		a.opts.Warn("the server keeps no check, it is tried again: " + clean(why.Description, maxReason))
	}
}

// sentFor is how long an asker takes it for granted that a circuit is in the cluster.
const sentFor = 10 * time.Minute

// putCircuit puts the circuit into the cluster, if it has not been put there of late.
func (q *question) putCircuit(ctx context.Context) error {
	q.mu.Lock()
	isSent := time.Since(q.sent[q.job.Circuit]) < sentFor
	q.mu.Unlock()
	if isSent {
		return nil
	}
	if err := q.put(ctx, q.job.Circuit, q.body); err != nil {
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

// hear acts on what a node says.
func (q *question) hear(ctx context.Context, data []byte) (a answer, certificate []byte, done bool, err error) {
	var t told
	if read(data, &t) != nil {
		return a, nil, false, nil
	}
	if q.isLeftOut(t.Node) {
		if t.Attempt >= q.attempt {
			q.attempt = t.Attempt
			err = q.again(ctx)
		}
		return a, nil, false, final(err)
	}
	switch t.State {
	case stateRunning:
		return a, nil, false, final(q.running(ctx, t))
	case stateDone:
		a = t.Answer
		a.Node = t.Node
		if q.began.IsZero() {
			q.begin(time.Now().Add(-min(a.Elapsed, time.Since(q.asked))))
		}
		if a.Outcome == cert.Unknown.String() {
			return a, nil, true, nil
		}
		within, stop := context.WithTimeout(ctx, callTime)
		certificate, err = q.get(within, a.Certificate, a.Size)
		stop()
		if err == nil {
			return a, certificate, true, nil
		}
	}
	if t.Attempt < q.attempt {
		return a, nil, false, nil
	}
	q.attempt, q.over = t.Attempt, t.Attempt
	switch t.State {
	case stateMissing:
		q.missing(q.job.Circuit)
	case stateDied:
		if err := q.died(t.Answer.Reason); err != nil {
			return a, nil, false, err
		}
	}
	return a, nil, false, final(q.again(ctx))
}

// final returns err if it ends the question: what a call to the server comes to is tried
// again.
func final(err error) error {
	if e, ok := errors.AsType[*verify.RemoteError](err); ok {
		return e
	}
	return nil
}

// running notes a sign of life.
func (q *question) running(ctx context.Context, t told) error {
	q.heard, q.reached = time.Now(), t.Progress
	if t.Attempt > q.attempt || q.node == "" {
		q.attempt, q.node = max(q.attempt, t.Attempt), t.Node
		q.begin(time.Now())
	}
	q.report()
	if wall := q.job.Wall; wall > 0 && time.Since(q.began) > 2*wall+q.opts.times.silence {
		if err := q.died("it goes on after its time limit"); err != nil {
			return err
		}
		return q.again(ctx)
	}
	return nil
}

// report says how far the check has come, and whether somebody is at work on it.
func (q *question) report() {
	p := q.reached
	p.Nodes = 0
	if q.node != "" {
		p.Nodes = 1
	}
	q.on.at(q.node)
	q.progress(p)
}

// died counts an attempt that had no end. The error is that it was the last one.
func (q *question) died(reason string) error {
	if q.deaths++; q.deaths < maxDeaths {
		return nil
	}
	if reason != "" {
		reason = ": " + reason
	}
	return &verify.RemoteError{Lost: true, Reason: fmt.Sprintf("%d nodes have failed to end this check%s", q.deaths, reason)}
}

// again replaces the attempt that is known.
func (q *question) again(ctx context.Context) error {
	q.heard = time.Time{}
	within, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	entry, err := q.claims().Get(within, q.job.Key)
	var c claim
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return q.send(ctx, 0)
	case err != nil:
		return err
	case read(entry.Value(), &c) == nil && c.Attempt > q.attempt:
		q.attempt, q.deaths, q.heard = c.Attempt, max(q.deaths, c.Deaths), time.Now()
		return nil // another asker was first
	}
	return q.send(ctx, entry.Revision())
}

// look finds out what became of a check that nobody speaks of. An error that is not final
// means that the server cannot be asked, now.
func (q *question) look(ctx context.Context) (a answer, certificate []byte, done bool, err error) {
	if !q.nc.IsConnected() {
		return a, nil, false, nats.ErrConnectionClosed
	}
	silent := min(time.Since(q.heard), q.sinceConnected()) // what was said without a connection is lost
	if !q.heard.IsZero() && silent < q.opts.times.silence {
		return a, nil, false, nil
	}
	if a, certificate, ok := q.kept(ctx); ok {
		return a, certificate, true, nil
	}
	within, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	entry, err := q.claims().Get(within, q.job.Key)
	switch {
	case err == nil:
	case len(q.messages) > 0:
		return a, nil, false, nil
	case errors.Is(err, jetstream.ErrKeyNotFound):
		if q.node != "" && !q.heard.IsZero() {
			if err := q.died(""); err != nil {
				return a, nil, false, err
			}
		}
		return a, nil, false, q.send(ctx, 0)
	default: // the server may have lost all
		q.missing()
		if err := q.restore(ctx); err != nil {
			return a, nil, false, err
		}
		return a, nil, false, q.send(ctx, 0)
	}
	if len(q.messages) > 0 { // they came with the answer of the server, behind a gap
		return a, nil, false, nil
	}
	// A message of the attempt is there until its end.
	var c claim
	if read(entry.Value(), &c) != nil {
		return a, nil, false, q.send(ctx, entry.Revision())
	}
	if c.Attempt <= q.over { // the next one could not be sent
		return a, nil, false, q.send(ctx, entry.Revision())
	}
	isNew := c.Attempt > q.attempt || q.heard.IsZero()
	q.attempt, q.deaths = max(q.attempt, c.Attempt), max(q.deaths, c.Deaths)
	isQueued, err := q.isQueued(within)
	switch {
	case err != nil:
		return a, nil, false, err
	case isQueued && (c.Node == "" || isNew):
		q.heard = time.Now()
		if c.Node == "" && !isNew {
			err = q.nobody(ctx)
		}
		return a, nil, false, err
	case isQueued:
		q.opts.Warn(fmt.Sprintf("node %s gives no sign of life: a check is begun elsewhere", c.Node))
		q.over = c.Attempt
		if err := q.died("the last one was " + c.Node); err != nil {
			return a, nil, false, err
		}
	}
	return a, nil, false, q.send(ctx, entry.Revision())
}

// isQueued reports whether the message of an attempt is in the queue, of whatever priority.
func (q *question) isQueued(ctx context.Context) (bool, error) {
	for _, purpose := range []string{purposeJobs, purposeFirst} {
		_, err := q.jobs().GetLastMsgForSubject(ctx, q.subject(purpose, q.job.Key))
		if !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err == nil, err
		}
	}
	return false, nil
}

// leave takes the check out of the queue when nobody else wants it. A node that is at work
// on it finds out by itself.
func (q *question) leave() {
	ctx, stop := context.WithTimeout(context.Background(), callTime)
	defer stop()
	if _, err := q.nc.RequestWithContext(ctx, q.subject("want", q.job.Key), nil); errors.Is(err, nats.ErrNoResponders) {
		for _, purpose := range []string{purposeJobs, purposeFirst} {
			_ = q.jobs().Purge(ctx, jetstream.WithPurgeSubject(q.subject(purpose, q.job.Key)))
		}
		_ = q.claims().Delete(ctx, q.job.Key)
	}
}
