package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster/asking"
)

// events are functions that a question calls.
type events struct {
	begun  func()            // an attempt begins
	queued func()            // one has been put into the queue
	at     func(node string) // the node at work; "" while the check waits
}

// question is a check that an asker wants. Package asking decides; this makes its calls and
// effects those of NATS (calls.go), and the messages of nodes and the timer its events.
type question struct {
	*Asker
	core     *asking.Question
	job      job
	isUrgent bool
	held     held
	progress func(verify.Progress)
	on       events

	messages chan *nats.Msg     // of nodes, about the key; nil while the question does not listen
	notices  *nats.Subscription // to messages
	want     *nats.Subscription // answers that the check is wanted
	cancels  cancels
	timer    *time.Timer // of the last Wake
	last     sentJob
	found    uint64        // the message of the queue that FindJob has found last; 0 for none
	report   verify.Report // of the last answer
}

// held is the circuit of a question, which is not in memory while the question waits.
type held struct {
	body    []byte          // the circuit as it is sent; nil while it is not here
	problem circuit.Problem // likewise
	away    func()          // nil: it is kept
	back    func(context.Context) (circuit.Problem, error)
}

// goAway gives up the circuit.
func (h *held) goAway() {
	if h.away != nil {
		h.body, h.problem = nil, circuit.Problem{}
		h.away()
	}
}

// comeBack makes the problem again.
func (h *held) comeBack(ctx context.Context) (err error) {
	if h.problem.Circuit == nil {
		h.problem, err = h.back(ctx)
	}
	return err
}

// text returns the circuit as it is sent.
func (h *held) text(ctx context.Context) ([]byte, error) {
	if h.body == nil {
		if err := h.comeBack(ctx); err != nil {
			return nil, err
		}
		text, err := textOf(h.problem)
		if err != nil {
			return nil, err
		}
		h.body = text.body
	}
	return h.body, nil
}

// cancels are messages that end the question.
type cancels struct {
	*nats.Subscription // from the first listen on; nil before
	stop               context.CancelCauseFunc
}

// sentJob is the job that a question has sent last.
type sentJob struct {
	hash  string
	avoid []string // nodes that are not to take it
}

// callTime bounds one call to the server.
const callTime = 5 * time.Second

// given is an answer with its certificate, once that has been fetched: an asking.Answer.
type given struct {
	answer
	certificate []byte
}

// From implements asking.Answer.
func (g *given) From() string { return g.Node }

// IsKnown implements asking.Answer.
func (g *given) IsKnown() bool { return g.Outcome != cert.Unknown.String() }

// Took implements asking.Answer. What a limit of the node has ended is early whenever that was: another
// node may have none.
func (g *given) Took() time.Duration {
	if g.IsOwn {
		return 0
	}
	return g.Elapsed
}

// run asks until there is an answer that passes its check, or none will come.
func (q *question) run(ctx context.Context) verify.Report {
	q.timer = time.NewTimer(0)
	defer q.timer.Stop()
	defer q.abandon()
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	q.cancels.stop = stop
	event := asking.Event(asking.Begin{})
	for {
		effects, call := q.core.On(time.Now(), event)
		for _, e := range effects {
			q.perform(ctx, e)
		}
		if q.core.State() == asking.Ended {
			q.report.Waited = q.core.Waited(time.Now())
			return q.report
		}
		if call != nil {
			event = q.call(within, call)
		} else {
			event = q.next(within)
		}
		if _, isChecked := event.(asking.AnswerChecked); isChecked || within.Err() == nil {
			continue
		}
		if stopped, is := errors.AsType[stoppedError](context.Cause(within)); is && ctx.Err() == nil {
			event = asking.Stopped{By: stopped.by}
		} else {
			event = asking.Cancelled{}
			q.fail(ctx.Err())
		}
	}
}

// abandon ends what is left at the end of a run. A check that the question has not ended is withdrawn:
// a function of its caller has panicked.
func (q *question) abandon() {
	if q.cancels.Subscription != nil {
		_ = q.cancels.Unsubscribe()
	}
	if q.notices != nil {
		q.unlisten()
		go q.withdraw()
	}
}

// fail notes why there is no answer.
func (q *question) fail(err error) {
	q.report.Verdict, q.report.Err = cert.Verdict{Depth: q.core.Reached().Depth}, err
}

// next waits for what a node says, or for the timer.
func (q *question) next(ctx context.Context) asking.Event {
	for {
		select {
		case <-ctx.Done():
			return asking.Cancelled{}
		case <-q.timer.C:
			return asking.Woken{IsConnected: q.nc.IsConnected(), Connected: q.sinceConnected()}
		case m := <-q.messages:
			var t notice
			if readSigned(m.Subject, m.Data, &t) == nil {
				return q.noticeFrom(t)
			}
		}
	}
}

// fates are what has become of an attempt, by what its node says.
var fates = map[state]asking.Fate{
	stateRunning: asking.Running, stateDone: asking.Done, stateLeft: asking.Left, stateDied: asking.Died,
	stateMissing: asking.Missing,
}

func (q *question) noticeFrom(t notice) asking.Notice {
	a := t.Answer
	a.Node = t.Node
	return asking.Notice{
		Attempt: t.Attempt, Node: t.Node, IsOut: q.isLeftOut(t.Node), Fate: fates[t.State],
		IsForOthers: t.Job == q.last.hash && slices.Contains(q.last.avoid, t.Node), Progress: t.Progress, Answer: &given{answer: a}, Reason: a.Reason,
	}
}

// perform does what has no result.
func (q *question) perform(ctx context.Context, effect asking.Effect) {
	switch e := effect.(type) {
	case asking.Unlisten:
		q.unlisten()
	case asking.Withdraw:
		go q.withdraw()
	case asking.Wake:
		q.timer.Reset(e.After)
	case asking.Queued:
		q.on.queued()
	case asking.Begun:
		q.on.begun()
	case asking.Report:
		p := e.Progress
		p.Nodes = 0
		if e.Node != "" {
			p.Nodes = 1
		}
		q.on.at(e.Node)
		q.progress(p)
	case asking.Unsend:
		q.missing(q.job.Circuit)
	case asking.Warn:
		q.opts.Warn(e.Text)
	case asking.WarnAlone:
		q.warnAlone()
	case asking.Reject:
		q.lied(e.Answer.From(), e.Why)
		q.forget(ctx, e.Answer.(*given))
	case asking.Distrust:
		q.distrust(e.Early.(*given), e.By)
	case asking.GiveUp:
		q.fail(&verify.RemoteError{Lost: true, Reason: e.Reason, Internal: e.Err})
	}
}

// checkAnswer checks an answer. What it comes to is the report.
func (q *question) checkAnswer(ctx context.Context, g *given) asking.Event {
	checked := asking.AnswerChecked{Answer: g}
	fault := q.report.Fault
	if g.Internal != "" {
		fault = fmt.Errorf("node %s: %s", ShownName(g.Node), g.Internal)
	}
	q.report = verify.Report{Engine: g.Engine, Place: ShownName(g.Node), Stats: g.Stats, Fault: fault, Rejected: func() {
		q.lied(g.Node, errors.New("its certificate fails on the whole circuit"))
	}}
	var err error
	if g.IsKnown() {
		if err = q.held.comeBack(ctx); err != nil {
			q.fail(err)
			return asking.Cancelled{}
		}
	}
	q.report.Verdict, err = verdictFrom(g.answer, g.certificate, q.held.problem)
	if err == nil && q.report.Verdict.Outcome == cert.Unknown {
		q.report.Err = &verify.RemoteError{Reason: q.report.Verdict.Reason}
		return checked
	}
	if err == nil {
		err = q.check(ctx, q.held.problem, q.report.Verdict)
	}
	switch _, isRejected := errors.AsType[*cert.RejectedError](err); {
	case err == nil:
		q.proved(g.Node)
	case ctx.Err() != nil:
		return asking.Cancelled{}
	case isRejected || errors.Is(err, errMessage):
		checked.Wrong = err
	default:
		q.report.Err = &verify.RemoteError{Reason: "internal error, the certificate cannot be checked", Internal: err}
	}
	return checked
}
