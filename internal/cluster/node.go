package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// Node does checks for askers.
type Node struct {
	*Conn
	newEngine func(engines.Spec) (verify.Engine, error)
	slots     int

	busy, begun, ended atomic.Int64 // checks
}

// NewNode returns one that does so many checks at a time, with engines of newEngine; its
// error says why there is none.
func NewNode(c *Conn, slots int, newEngine func(engines.Spec) (verify.Engine, error)) *Node {
	return &Node{Conn: c, newEngine: newEngine, slots: max(1, slots)}
}

// Run works until ctx ends. Checks under way then are left to others.
func (n *Node) Run(ctx context.Context) {
	var slots sync.WaitGroup
	for range n.slots {
		slots.Go(func() { n.work(ctx) })
	}
	slots.Go(func() { n.beat(ctx) })
	slots.Wait()
}

// fetchTime is how long one request for a job waits at the server.
const fetchTime = 20 * time.Second

// work does one check after the other.
func (n *Node) work(ctx context.Context) {
	for ctx.Err() == nil {
		m, err := n.fetch(ctx)
		switch {
		case m != nil:
			n.take(ctx, m)
		case err != nil && ctx.Err() == nil:
			n.pause(ctx)
			if n.nc.IsConnected() {
				_ = n.restore(ctx) // the server may have lost all
			}
		}
	}
}

// pause waits before something is tried again.
func (n *Node) pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(n.opts.times.wanted):
	}
}

// fetch returns the next job; nil when there is none for some time.
func (n *Node) fetch(ctx context.Context) (jetstream.Msg, error) {
	within, stop := context.WithTimeout(ctx, fetchTime)
	defer stop()
	batch, err := n.queue().Fetch(1, jetstream.FetchContext(within), jetstream.FetchHeartbeat(fetchTime/10))
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		return m, nil
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	return nil, nil
}

// avoided is how long a job waits that a node leaves to others.
const avoided = 500 * time.Millisecond

// take does what a job asks, if it is still asked for and nobody does it.
func (n *Node) take(ctx context.Context, m jetstream.Msg) {
	var j job
	if read(m.Data(), &j) != nil {
		_ = m.Term() // it will not become better
		return
	}
	if j.Protocol > Protocol || slices.Contains(j.Avoid, n.opts.Name) {
		_ = m.NakWithDelay(avoided)
		return
	}
	r := &attempt{Node: n, job: j, message: m, began: time.Now()}
	switch wanted, err := r.isWanted(ctx); {
	case err != nil:
		_ = m.NakWithDelay(avoided)
	case !wanted:
		r.finish(ctx)
	default:
		mine, err := r.claim(ctx)
		switch {
		case err != nil:
			_ = m.NakWithDelay(avoided)
		case !mine:
			_ = m.Ack()
		default:
			r.run(ctx)
		}
	}
}

// attempt is a job in hand.
type attempt struct {
	*Node
	job      job
	message  jetstream.Msg
	revision uint64 // of the claim

	began time.Time

	mu      sync.Mutex
	reached verify.Progress // guarded by mu
}

// isWanted reports whether somebody waits for the answer.
func (r *attempt) isWanted(ctx context.Context) (bool, error) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	_, err := r.nc.RequestWithContext(ctx, r.subject("want", r.job.Key), nil)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return false, nil
	case errors.Is(err, context.DeadlineExceeded): // who wants it is slow
		return true, nil
	}
	return err == nil, err
}

// claim takes the attempt. It reports false when somebody has done so before, or when there
// is a later one.
func (r *attempt) claim(ctx context.Context) (mine bool, err error) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	next := claim{Attempt: r.job.Attempt, Node: r.opts.Name}
	entry, err := r.claims().Get(ctx, r.job.Key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		r.revision, err = r.claims().Create(ctx, r.job.Key, written(next))
	case err != nil:
		return false, err
	default:
		var c claim
		if read(entry.Value(), &c) != nil || c.Attempt != r.job.Attempt || c.Node != "" {
			return false, nil
		}
		next.Deaths = c.Deaths
		r.revision, err = r.claims().Update(ctx, r.job.Key, written(next), entry.Revision())
	}
	if errors.Is(err, jetstream.ErrKeyExists) {
		return false, nil
	}
	return err == nil, err
}

// errUnwanted ends a run that nobody wants.
var errUnwanted = errors.New("nobody wants it")

// run does the check.
func (r *attempt) run(ctx context.Context) {
	r.busy.Add(1)
	r.begun.Add(1)
	defer r.busy.Add(-1)
	r.say(stateRunning, answer{})
	within, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		r.watch(within, cancel)
	}()
	s, a, certificate := r.judge(within)
	isUnwanted := errors.Is(context.Cause(within), errUnwanted)
	cancel(nil)
	<-watched
	// What follows is done even if the node is about to end.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), callTime)
	defer stop()
	if isUnwanted {
		r.finish(ctx)
		return
	}
	if s == stateDone && a.Certificate != "" {
		err := r.put(ctx, a.Certificate, certificate)
		if err == nil {
			_, err = r.answers().Put(ctx, r.job.Key, written(a))
		}
		if err != nil {
			s = stateLeft
		}
	}
	r.say(s, a)
	if s == stateDone {
		r.ended.Add(1)
		r.finish(ctx)
		return
	}
	_ = r.message.Ack() // the claim is replaced by whoever wants the next attempt
}

// finish takes a check that is at its end out of the cluster.
func (r *attempt) finish(ctx context.Context) {
	if r.revision > 0 {
		_ = r.claims().Delete(ctx, r.job.Key, jetstream.LastRevision(r.revision))
	} else {
		_ = r.claims().Delete(ctx, r.job.Key)
	}
	_ = r.message.Ack()
}

// say tells those who want the check.
func (r *attempt) say(s state, a answer) {
	r.mu.Lock()
	p := r.reached
	r.mu.Unlock()
	_ = r.nc.Publish(r.subject("told", r.job.Key), written(told{Attempt: r.job.Attempt, Node: r.opts.Name, State: s, Elapsed: time.Since(r.began), Progress: p, Answer: a}))
}

// watch gives signs of life until the run ends, and ends it when nobody wants it.
func (r *attempt) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	t := r.opts.times
	want, beat, inProgress := time.NewTicker(t.wanted), time.NewTicker(t.beat), time.NewTicker(t.ackWait/3)
	defer want.Stop()
	defer beat.Stop()
	defer inProgress.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			r.say(stateRunning, answer{})
		case <-inProgress.C:
			_ = r.message.InProgress()
		case <-want.C:
			if wanted, err := r.isWanted(ctx); err == nil && !wanted && r.nc.IsConnected() {
				cancel(errUnwanted)
				return
			}
		}
	}
}

// judge runs the engine.
func (r *attempt) judge(ctx context.Context) (s state, a answer, certificate []byte) {
	begin := time.Now()
	a = answer{Attempt: r.job.Attempt, Node: r.opts.Name, Outcome: cert.Unknown.String()}
	defer func() {
		a.Elapsed = time.Since(begin)
		if value := recover(); value != nil {
			s, certificate = stateDied, nil
			a.Outcome, a.Certificate = cert.Unknown.String(), ""
			a.Internal = clean(fmt.Sprintf("panic: %v", value), maxInternal)
			a.Reason = "the engine failed"
		}
	}()
	fetching, stop := context.WithTimeout(ctx, circuitTime)
	body, err := r.get(fetching, r.job.Circuit, r.job.Size)
	stop()
	if err != nil {
		return stateMissing, a, nil
	}
	problem, err := aiger.ReadProblem(body)
	if err != nil || problem.Circuit.HasResetFunctions() || problem.Question.String() != r.job.Question {
		a.Reason = "internal error, the circuit did not arrive"
		return stateDone, a, nil
	}
	engine, err := r.newEngine(r.job.Engine)
	if err != nil {
		a.Reason = clean(err.Error(), maxReason)
		return stateDone, a, nil
	}
	v, s := r.check(ctx, engine, problem, &a)
	if s != stateDone {
		return s, a, nil
	}
	a.Outcome, a.Depth, a.Reason, a.Engine = v.Outcome.String(), v.Depth, clean(v.Reason, maxReason), engine.Name()
	if e, ok := engine.(verify.StatsReporter); ok {
		a.Stats = statsToSend(e.Stats())
	}
	if v.Outcome == cert.Unknown {
		return stateDone, a, nil
	}
	certificate, err = cert.AppendBinary(nil, problem, v)
	if err != nil || len(certificate) > maxCertificate {
		a.Outcome, a.Reason = cert.Unknown.String(), fmt.Sprintf("the certificate of %d MB cannot be sent", len(certificate)>>20)
		return stateDone, a, nil
	}
	a.Certificate, a.Size = hashOf(certificate), len(certificate)
	return stateDone, a, certificate
}

// circuitTime is how long a circuit may take to arrive.
const circuitTime = time.Minute

// check has an engine judge the problem under the limits of the job.
func (r *attempt) check(ctx context.Context, engine verify.Engine, problem circuit.Problem, a *answer) (v cert.Verdict, s state) {
	if !engine.Answers(problem.Question) {
		return cert.Verdict{Reason: fmt.Sprintf("%s answers no question of %s", engine.Name(), problem.Question)}, stateDone
	}
	progress := func(p verify.Progress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.reached = p
	}
	limits := r.job.limits()
	remote, isRemote := engine.(verify.Remote)
	if !isRemote {
		v = verify.Claim(ctx, engine, problem, limits, progress)
		if ctx.Err() != nil && v.Outcome == cert.Unknown {
			return v, stateLeft
		}
		return v, stateDone
	}
	limited, stop := verify.WithLimits(ctx, verify.Limits{Wall: limits.Wall})
	defer stop()
	v, err := remote.CheckWithin(limited, problem, limits, progress)
	lost, isLost := errors.AsType[*verify.RemoteError](err)
	switch {
	case err == nil:
		return v, stateDone
	case ctx.Err() != nil:
		return v, stateLeft
	case isLost && limited.Err() == nil:
		if lost.Internal != nil {
			a.Internal = clean(lost.Internal.Error(), maxInternal)
		}
		if a.Reason = clean(lost.Reason, maxReason); lost.Lost {
			return v, stateDied
		}
	}
	return cert.Verdict{Depth: v.Depth, Reason: verify.ReasonFor(limited, err)}, stateDone
}

// statsToSend returns the counters of a run that a message has room for.
func statsToSend(stats map[string]float64) map[string]float64 {
	kept := map[string]float64{}
	for name, value := range stats {
		if len(kept) < maxStats/2 && value == value && value-value == 0 { // neither NaN nor infinite
			kept[clean(name, 60)] = value
		}
	}
	return kept
}
