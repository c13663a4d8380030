package cluster

import (
	"cmp"
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
	// Alone says that there is no other node, so that lemmas stay here. It is set before Run.
	Alone bool
	// Only are the kinds of questions that it takes, as circuit.Question names them; empty for all. It is
	// set before Run.
	Only []string
	// Memory bounds that of each check, beside what its asker allows; 0 is no bound. It is set
	// before Run.
	Memory   int64
	lemmas   *exchanges
	protocol int
	me       identity
	// taking ends with Drain.
	taking context.Context
	drain  context.CancelFunc

	busy, begun, ended atomic.Int64 // checks
}

// NewNode returns one that does so many checks at a time, with engines of newEngine; its
// error says why there is none.
func NewNode(c *Conn, slots int, newEngine func(engines.Spec) (verify.Engine, error)) *Node {
	n := &Node{Conn: c, newEngine: newEngine, slots: max(1, slots), lemmas: newExchanges(), protocol: Protocol, me: newIdentity(c.opts.Name)}
	n.taking, n.drain = context.WithCancel(context.Background())
	return n
}

// Drain makes the node take no more checks; Run returns when those under way have ended.
func (n *Node) Drain() { n.drain() }

// Name returns the name of the node for people.
func (n *Node) Name() string { return ShownName(n.me.name) }

// maxUrgent bounds the urgent checks that a node asks for at a time.
const maxUrgent = 4

// Run works until ctx ends, or until what is under way after Drain has ended. Checks under way when ctx
// ends are left to others. An urgent check is begun
// even where all slots are taken, one more than there are slots: an editor does not wait for
// the end of what may take hours.
func (n *Node) Run(ctx context.Context) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	taking, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(n.taking, stop)()
	var slots, beats sync.WaitGroup
	for _, question := range []circuit.Question{circuit.Safety, circuit.Liveness} {
		if !takes(n.Only, question.String()) {
			continue
		}
		for range n.slots {
			slots.Go(func() { n.work(ctx, taking, laneOf(question.String(), false)) })
		}
		for range min(n.slots, maxUrgent) {
			slots.Go(func() { n.work(ctx, taking, laneOf(question.String(), true)) })
		}
	}
	beats.Go(func() { n.beat(ctx) })
	slots.Wait()
	end()
	beats.Wait()
	_ = n.nc.FlushTimeout(flushTime) // askers find out by themselves what is lost here
}

// flushTime is how long a node that ends waits until the server has what it said.
const flushTime = time.Second

// fetchTime is how long one request for a job waits at the server.
const fetchTime = 20 * time.Second

// most returns how many checks of all may be under way for one more to be begun.
func (n *Node) most(isUrgent bool) int64 {
	if isUrgent {
		return int64(n.slots)
	}
	return int64(n.slots) - 1
}

// reserve takes a slot, which busy counts.
func (n *Node) reserve(isUrgent bool) bool {
	for {
		busy := n.busy.Load()
		if busy > n.most(isUrgent) {
			return false
		}
		if n.busy.CompareAndSwap(busy, busy+1) {
			return true
		}
	}
}

// work does one check after the other, until taking ends.
func (n *Node) work(ctx, taking context.Context, l lane) {
	for taking.Err() == nil {
		if n.busy.Load() > n.most(l.isUrgent) {
			n.pause(taking)
			continue
		}
		m, err := n.fetch(taking, l)
		switch {
		case m != nil && (taking.Err() != nil || !n.reserve(l.isUrgent)): // others have come in between
			_ = m.Nak()
		case m != nil:
			isLast := n.take(ctx, m)
			if n.busy.Add(-1); isLast {
				pause(taking, avoided)
			}
		case err != nil && taking.Err() == nil:
			n.pause(taking)
			if n.nc.IsConnected() {
				_ = n.restore(ctx) // the server may have lost all
			}
		}
	}
}

// pause waits before something is tried again.
func (n *Node) pause(ctx context.Context) { pause(ctx, n.opts.times.wanted) }

func pause(ctx context.Context, most time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(most):
	}
}

// fetch returns the next job; nil when there is none for some time, or when the connection was
// lost.
func (n *Node) fetch(ctx context.Context, l lane) (jetstream.Msg, error) {
	within, stop := n.untilBack(ctx, fetchTime)
	defer stop()
	batch, err := n.kept().queues[l].Fetch(1, jetstream.FetchContext(within), jetstream.FetchHeartbeat(fetchTime/10))
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		return m, nil
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && within.Err() == nil {
		return nil, err
	}
	return nil, nil
}

// avoided is how long a job waits at most that a node leaves to others, and the node after the last of them.
const avoided = 500 * time.Millisecond

// leave gives back a job that is for others. While more jobs wait it comes back after a time, the longer
// the more often it was given to a node, so that the node comes to those after it. The last one goes
// back at once, and leave reports true: the node is to ask for none for a while, so that others get it.
func leave(m jetstream.Msg) (isLast bool) {
	const step = 20 * time.Millisecond
	about, err := m.Metadata()
	if err == nil && about.NumPending > 0 {
		_ = m.NakWithDelay(min(avoided, step*time.Duration(min(about.NumDelivered, 100))))
		return false
	}
	_ = m.Nak()
	return true
}

// take does what a job asks, if it is still wanted and no other node does it. It reports what leave does.
func (n *Node) take(ctx context.Context, m jetstream.Msg) (isLast bool) {
	var j job
	if read(m.Data(), &j) != nil {
		_ = m.Term() // it will not become better
		return false
	}
	if j.Protocol > n.protocol || j.Protocol < oldestProtocol || slices.Contains(j.Avoid, n.me.name) || len(j.Only) > 0 && !slices.Contains(j.Only, n.me.name) {
		return leave(m)
	}
	r := &attempt{Node: n, job: j, hash: hashOf(m.Data()), message: m, began: time.Now()}
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
	return false
}

// attempt is a job in hand.
type attempt struct {
	*Node
	job      job
	hash     string // of the job
	message  jetstream.Msg
	revision uint64 // of the claim

	began time.Time

	mu      sync.Mutex
	reached verify.Progress // guarded by mu
}

// wantTime is how long an asker may take to say that it wants a check. The request that is under
// way when it is killed has no answer, and counts as wanted.
const wantTime = time.Second

// isWanted reports whether an asker waits for the answer.
func (r *attempt) isWanted(ctx context.Context) (bool, error) {
	ctx, stop := context.WithTimeout(ctx, wantTime)
	defer stop()
	_, err := r.nc.RequestWithContext(ctx, r.subject("want", r.job.Key), nil)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return false, nil
	case errors.Is(err, context.DeadlineExceeded): // its asker is slow
		return true, nil
	}
	return err == nil, err
}

// claim takes the attempt. It reports false when another node has done so before, or when there
// is a later one.
func (r *attempt) claim(ctx context.Context) (mine bool, err error) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	next, subject := claim{Attempt: r.job.Attempt, Node: r.me.name}, r.subject(purposeClaims, r.job.Key)
	entry, err := r.kept().claims.Get(ctx, r.job.Key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		r.revision, err = r.kept().claims.Create(ctx, r.job.Key, r.me.signed(subject, next))
	case err != nil:
		return false, err
	default:
		var c claim
		if read(entry.Value(), &c) != nil || c.Attempt != r.job.Attempt || c.Node != "" {
			return false, nil
		}
		next.Deaths = c.Deaths
		r.revision, err = r.kept().claims.Update(ctx, r.job.Key, r.me.signed(subject, next), entry.Revision())
	}
	if errors.Is(err, jetstream.ErrKeyExists) {
		return false, nil
	}
	return err == nil, err
}

// maxUnwanted is how many looks in a row find no asker of a check until it ends: an asker
// may be without a connection for a moment.
const maxUnwanted = 3

// errUnwanted ends a run that no asker wants.
var errUnwanted = errors.New("no asker wants it")

// run does the check.
func (r *attempt) run(ctx context.Context) {
	r.begun.Add(1)
	r.say(stateRunning, answer{})
	within, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		r.watch(within, cancel)
	}()
	s, a, certificate := r.runEngine(within)
	isUnwanted := errors.Is(context.Cause(within), errUnwanted)
	quiet := func() {
		cancel(nil)
		<-watched
	}
	defer quiet()
	if s == stateDone && a.Certificate != "" && !isUnwanted && !r.keep(within, a, certificate) {
		s = stateLeft
	}
	// What follows is done even if the node is about to end.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), callTime)
	defer stop()
	if isUnwanted {
		r.finish(ctx)
		return
	}
	quiet() // not before: to store an answer takes its time
	r.say(s, a)
	if s == stateDone {
		r.ended.Add(1)
		r.finish(ctx)
		return
	}
	_ = r.message.Ack() // the asker of the next attempt replaces the claim
}

// keepTime is how long a node tries to store an answer: a server may be gone for a while, or its
// disk be full, and the run need not be made again for that.
const keepTime = time.Minute

// keep stores an answer. It tries again until ctx ends, and once after that.
func (r *attempt) keep(ctx context.Context, a answer, certificate []byte) bool {
	for begin := time.Now(); ; r.pause(ctx) {
		within, stop := context.WithTimeout(context.WithoutCancel(ctx), callTime)
		answered := r.awaits("an answer waits")
		err := r.put(within, a.Certificate, certificate)
		if err == nil {
			_, err = r.kept().answers.Put(within, r.job.Key, r.me.signed(r.subject(purposeAnswers, r.job.Key), a))
		}
		answered()
		r.refused("answer", err)
		stop()
		if err == nil || ctx.Err() != nil || time.Since(begin) > keepTime {
			return err == nil
		}
	}
}

// finish takes a check that is at its end out of the cluster.
func (r *attempt) finish(ctx context.Context) {
	if r.revision > 0 {
		_ = r.kept().claims.Delete(ctx, r.job.Key, jetstream.LastRevision(r.revision))
	} else {
		_ = r.kept().claims.Delete(ctx, r.job.Key)
	}
	_ = r.message.Ack()
}

// say tells the askers of the check.
func (r *attempt) say(s state, a answer) {
	r.mu.Lock()
	p := r.reached
	r.mu.Unlock()
	subject := r.subject(purposeNotices, r.job.Key)
	_ = r.nc.Publish(subject, r.me.signed(subject, notice{
		Attempt: r.job.Attempt, Node: r.me.name, State: s, Elapsed: time.Since(r.began), Progress: p, Answer: a,
		Circuit: r.job.Circuit, Member: r.job.Engine.Member, Members: r.job.Engine.Jobs, Job: r.hash,
	}))
}

// watch gives signs of life until the run ends, and ends it when no asker wants it.
func (r *attempt) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	t := r.opts.times
	want, beat, inProgress := time.NewTicker(t.wanted), time.NewTicker(t.beat), time.NewTicker(t.ackWait/3)
	defer want.Stop()
	defer beat.Stop()
	defer inProgress.Stop()
	unwanted := 0 // looks, one after the other
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			r.say(stateRunning, answer{})
		case <-inProgress.C:
			_ = r.message.InProgress()
		case <-want.C:
			switch wanted, err := r.isWanted(ctx); {
			case err != nil || !r.nc.IsConnected() || r.sinceConnected() < t.silence:
				// Askers that the server has lost, too, are not back yet.
			case wanted:
				unwanted = 0
			default:
				if unwanted++; unwanted == maxUnwanted {
					cancel(errUnwanted)
					return
				}
			}
		}
	}
}

// runEngine runs the engine.
func (r *attempt) runEngine(ctx context.Context) (s state, a answer, certificate []byte) {
	begin := time.Now()
	a = answer{Attempt: r.job.Attempt, Node: r.me.name, Outcome: cert.Unknown.String()}
	defer func() {
		a.Elapsed = time.Since(begin)
		if value := recover(); value != nil {
			s, certificate = stateDied, nil
			a.Outcome, a.Certificate = cert.Unknown.String(), ""
			a.Internal = verify.OneLine(fmt.Sprintf("panic: %v", value), maxInternal)
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
		a.Reason = verify.OneLine(err.Error(), verify.MaxReason)
		return stateDone, a, nil
	}
	limits, isOwn := r.limits()
	task := verify.Task{Problem: problem, Limits: limits, Progress: func(p verify.Progress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.reached = p
	}}
	if r.job.Engine.Member > 0 && problem.Question == circuit.Safety {
		s := r.exchange(r.job.Circuit, problem.Circuit)
		defer s.leave()
		task.Exchange = s.join
	}
	found, s := r.check(ctx, engine, task, &a)
	if s != stateDone {
		return s, a, nil
	}
	v := found.Verdict
	a.Outcome, a.Depth, a.Reason, a.Engine = v.Outcome.String(), v.Depth, verify.OneLine(v.Reason, verify.MaxReason), cmp.Or(found.Engine, engine.Name)
	if found.Stats != nil {
		a.Stats = statsToSend(found.Stats)
	}
	if v.Outcome == cert.Unknown {
		if isOwn && v.Reason == verify.ReasonMemory {
			a.IsOwn, a.Reason = true, fmt.Sprintf("%s of the node: %d MB", v.Reason, limits.Memory>>20)
		}
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

// limits returns those of the check, and whether the limit of memory is that of the node.
func (r *attempt) limits() (l verify.Limits, isOwn bool) {
	l = r.job.limits()
	if r.Memory > 0 && (l.Memory == 0 || r.Memory < l.Memory) {
		l.Memory, isOwn = r.Memory, true
	}
	return l, isOwn
}

// circuitTime is how long a circuit may take to arrive.
const circuitTime = time.Minute

// check makes an engine do a task under its limits.
func (r *attempt) check(ctx context.Context, engine verify.Engine, t verify.Task, a *answer) (found verify.Report, s state) {
	if !engine.Answers(t.Problem.Question) {
		found.Verdict.Reason = fmt.Sprintf("%s does not answer questions of %s", engine.Name, t.Problem.Question)
		return found, stateDone
	}
	if engine.Where == verify.Here {
		found = verify.Claim(ctx, engine, t)
		if ctx.Err() != nil && found.Verdict.Outcome == cert.Unknown {
			return found, stateLeft
		}
		return found, stateDone
	}
	limited, stop := verify.WithLimits(ctx, verify.Limits{Wall: t.Limits.Wall})
	defer stop()
	found = engine.Check(limited, t)
	lost, isLost := errors.AsType[*verify.RemoteError](found.Err)
	switch {
	case found.Err == nil:
		return found, stateDone
	case ctx.Err() != nil:
		return found, stateLeft
	case isLost && limited.Err() == nil:
		if lost.Internal != nil {
			a.Internal = verify.OneLine(lost.Internal.Error(), maxInternal)
		}
		if a.Reason = verify.OneLine(lost.Reason, verify.MaxReason); lost.Lost {
			return found, stateDied
		}
	}
	found.Verdict = cert.Verdict{Depth: found.Verdict.Depth, Reason: verify.ReasonFor(limited, found.Err)}
	return found, stateDone
}

// statsToSend returns the counters of a run that a message has room for.
func statsToSend(stats map[string]float64) map[string]float64 {
	kept := map[string]float64{}
	for name, value := range stats {
		if len(kept) < maxStats/2 && value == value && value-value == 0 { // neither NaN nor infinite
			kept[verify.OneLine(name, 60)] = value
		}
	}
	return kept
}
