// Package asking keeps the life of one check that an asker wants of a cluster: its attempts,
// the answers that they lead to, and its end.
//
// It is a function of state and event. Where nothing fails, a Question goes straight through
// these states:
//
//	New ─▶ Opening ─▶ Recalling ─▶ Sending ─▶ Waiting ─▶ Fetching ─▶ Checking ─▶ Ended
//	                                 ▲         │  ▲  │
//	                                 │  silent │  │  │ the node left, died, or is out
//	                                 │         ▼  │  ▼
//	                                 │     Looking … Replacing
//	                                 └─────────┴─────────┘
//
// All but New, Waiting, Pausing and Ended stand for a call that is under way. Its result leads on:
//
//	Opening    listens to nodes                        Recalling
//	Recalling  finds an answer that is kept            Checking
//	           none                                    Sending
//	Sending    whatever came of it                     Waiting
//	Fetching   gets the certificate                    Checking
//	           does not get it                         Replacing; Waiting if a later attempt is known
//	Replacing  another asker has made a later attempt  Waiting
//	           none has                                Sending
//	Doubting   another node may be asked               Replacing; Waiting if a later attempt is known
//	           there is none                           Checking
//	Checking   the answer is right, or unknown         Ended
//	           it is wrong                             Opening, from the third on after Pausing
//
// An unknown that comes early leads from Waiting to Doubting, once.
//
// After silence the question finds out, call by call, what became of its attempt. Where a call
// fails it goes back to Waiting, for a short time:
//
//	Looking    finds an answer that is kept            Checking
//	           none                                    Reading
//	Reading    no claim, or one on an attempt that     Sending
//	           is over
//	           a claim                                 Searching
//	           the server cannot be read               Restoring
//	Restoring  the server has its streams again        Sending
//	Searching  the attempt is not in the queue, or     Sending
//	           its node is silent
//	           no node has taken it                    Polling
//	           it has been there for less long         Waiting
//	Polling    a node may take it, or there is none    Waiting
//	           the queue has lost it: a node is free   Sending
//	           and begins nothing
//	           others may if they are asked again      Replacing
//	           there is only the node of an early      Checking
//	           unknown
//
// Cancelled and Stopped lead from everywhere to Ended, and so does what cannot go on: too many nodes that
// died of the check, too many attempts, too many wrong answers, no node that could do it.
//
// The attempt has stages of its own (attempt.go). What wrong answers lead to is in doubt.go.
//
// The package starts no goroutine, reads no clock, and knows no network: the time comes with
// each event, calls and other effects go out, and the result of a call comes back as an event.
package asking

import (
	"fmt"
	"math"
	"time"

	"aiglens/ic3/verify"
)

// State says what a question waits for.
type State uint8

// The states. From Opening to Fetching the question listens to nodes, and they learn that the
// check is wanted.
const (
	New       State = iota
	Opening         // Listen
	Recalling       // Recall, before the first attempt of a round
	Sending         // Send
	Waiting         // Notice or Woken
	Looking         // Recall, after silence
	Reading         // ReadClaim, likewise
	Restoring       // Restore
	Searching       // FindJob
	Polling         // ListNodes
	Replacing       // ReadClaim, of the attempt that is at its end
	Doubting        // ListNodes, after an early unknown
	Fetching        // Fetch
	Checking        // CheckAnswer
	Pausing         // Woken, after wrong answers
	Ended
)

func (s State) String() string {
	return [...]string{
		"new", "opening", "recalling", "sending", "waiting", "looking", "reading", "restoring",
		"searching", "polling", "replacing", "doubting", "fetching", "checking", "pausing", "ended",
	}[s]
}

func (s State) isListening() bool { return Opening <= s && s <= Fetching }

// Bounds of one question.
const (
	// MaxDeaths is how many attempts may begin and have no end.
	MaxDeaths = 3
	// maxSends bounds attempts that end without a fault of the check: nodes that leave, servers
	// that lose their data.
	maxSends = 30
	// maxFree is how many attempts there may be until the word of a node that it is free leads to no other:
	// the question then waits.
	maxFree = maxSends / 2
)

// Terms are what a question is about, as far as this package looks at it.
type Terms struct {
	Asked time.Time
	// IsFresh: an answer that the cluster has before the first attempt does not count.
	IsFresh bool
	Wall    time.Duration // limit of an attempt from its beginning; 0 for none
	Early   time.Duration // an attempt that ends unknown before that is made again on another node, once
	Soon    time.Duration // between two tries of what has failed
	Silence time.Duration // after which a question looks for what became of its attempt
}

// Question is a check that an asker wants.
type Question struct {
	terms   Terms
	state   State
	attempt attempt
	deaths  int // of all attempts that are known, those of other askers included
	sends   int // attempts of this question, without those that were answered wrongly; ≤ maxSends
	doubt   doubt
	// before is the revision of a kept answer that is too old to count; noneCounts until the
	// first look at a fresh question.
	before uint64
}

// noneCounts is a revision that no answer exceeds.
const noneCounts = math.MaxUint64

// NewQuestion returns one that waits for Begin.
func NewQuestion(terms Terms) *Question {
	q := &Question{terms: terms}
	if terms.IsFresh {
		q.before = noneCounts
	}
	return q
}

// State returns what the question waits for.
func (q *Question) State() State { return q.state }

// Reached returns how far the check is known to have come.
func (q *Question) Reached() verify.Progress { return q.attempt.reached }

// Waited returns how long it took until an attempt began last, or has taken until now.
func (q *Question) Waited(now time.Time) time.Duration {
	if q.attempt.began.IsZero() {
		return now.Sub(q.terms.Asked)
	}
	return q.attempt.began.Sub(q.terms.Asked)
}

// On takes in an event. It returns what is to be done, in this order, and then the call whose
// result is the next event. Without a call the next event is one that comes unasked. An event
// that the state does not wait for changes nothing.
func (q *Question) On(now time.Time, event Event) ([]Effect, Call) {
	if !q.awaits(event) {
		return nil, nil
	}
	s := step{Question: q, now: now}
	s.handle(event)
	return s.effects, s.call
}

func (q *Question) awaits(event Event) bool {
	switch event.(type) {
	case Begin:
		return q.state == New
	case Notice:
		return q.state == Waiting
	case Woken:
		return q.state == Waiting || q.state == Pausing
	case Stopped:
		return q.state != New && q.state != Ended
	case Cancelled:
		return q.state != Ended
	case Listening:
		return q.state == Opening
	case Recalled:
		return q.state == Recalling || q.state == Looking
	case Sent:
		return q.state == Sending
	case ClaimRead:
		return q.state == Reading || q.state == Replacing
	case JobFound:
		return q.state == Searching
	case NodesListed:
		return q.state == Polling || q.state == Doubting
	case Restored:
		return q.state == Restoring
	case Fetched:
		return q.state == Fetching
	case AnswerChecked:
		return q.state == Checking
	}
	return false
}

// step is a question that takes in an event.
type step struct {
	*Question
	now     time.Time
	effects []Effect
	call    Call
}

func (s *step) do(e Effect) { s.effects = append(s.effects, e) }

// await leaves the state for that of a call.
func (s *step) await(state State, c Call) { s.state, s.call = state, c }

func (s *step) handle(event Event) {
	switch e := event.(type) {
	case Begin:
		s.await(Opening, Listen{})
	case Notice:
		s.noticed(e)
	case Woken:
		s.woken(e)
	case Stopped:
		s.giveUp("cancelled in the cluster, by " + e.By)
	case Cancelled:
		s.end()
	case Listening:
		s.listening(e)
	case Recalled:
		s.recalled(e)
	case Sent:
		s.sent(e)
	case ClaimRead:
		if s.state == Replacing {
			s.replaces(e)
		} else {
			s.claimRead(e)
		}
	case JobFound:
		s.jobFound(e)
	case NodesListed:
		if s.state == Doubting {
			s.doubts(e)
		} else {
			s.nodesListed(e)
		}
	case Restored:
		if e.IsFailed {
			s.wait()
		} else {
			s.send(0)
		}
	case Fetched:
		if e.IsFailed {
			s.attemptEnded(e.Attempt)
		} else {
			s.check(e.Answer)
		}
	case AnswerChecked:
		s.answerChecked(e)
	}
}

// end ends the question. What is not answered is withdrawn.
func (s *step) end() {
	if s.state.isListening() {
		s.do(Unlisten{})
		s.do(Withdraw{})
	}
	s.state = Ended
}

func (s *step) giveUp(reason string) {
	s.end()
	s.do(GiveUp{Reason: reason})
}

func (s *step) listening(e Listening) {
	if e.Err != nil {
		s.do(Unlisten{})
		s.do(GiveUp{Reason: "the cluster cannot be used", Err: e.Err})
		s.state = Ended
		return
	}
	s.await(Recalling, Recall{After: s.before})
}

func (s *step) recalled(e Recalled) {
	if s.before == noneCounts {
		s.before = e.Revision
	}
	switch {
	case e.Answer != nil:
		if s.attempt.began.IsZero() {
			s.begin(s.now)
		}
		s.check(e.Answer)
	case s.state == Recalling:
		s.send(0)
	default:
		s.await(Reading, ReadClaim{})
	}
}

// begin notes when a node has begun with an attempt.
func (s *step) begin(at time.Time) {
	s.attempt.began = at
	s.do(Begun{})
}

func (s *step) check(a Answer) {
	s.do(Unlisten{})
	s.await(Checking, CheckAnswer{a})
}

// answerChecked ends the question, or begins another round after a wrong answer.
func (s *step) answerChecked(e AnswerChecked) {
	if e.Wrong == nil {
		if s.doubt.isContradictedBy(e.Answer) {
			s.do(Distrust{s.doubt.early, e.Answer.From()})
		}
		s.state = Ended
		return
	}
	s.do(Reject{e.Answer, e.Wrong})
	s.doubt.liars = append(s.doubt.liars, e.Answer.From())
	s.sends--
	pause := s.doubt.pause(s.terms.Soon)
	switch {
	case len(s.doubt.liars) >= MaxWrong:
		s.giveUp(fmt.Sprintf("%d answers were wrong", len(s.doubt.liars)))
	case pause > 0:
		s.do(Wake{pause})
		s.state = Pausing
	default:
		s.await(Opening, Listen{})
	}
}

// send makes the next attempt, in place of a claim with a revision.
func (s *step) send(replaces uint64) { s.sendNext(replaces, false) }

// sendNext is send, which says whether the queue has lost the attempt before.
func (s *step) sendNext(replaces uint64, isLost bool) {
	switch {
	case s.sends < maxSends:
	case s.doubt.early != nil:
		s.check(s.doubt.early)
		return
	default:
		s.giveUp("the cluster has lost the check too often")
		return
	}
	s.attempt.heard, s.attempt.node = time.Time{}, ""
	s.report()
	s.await(Sending, Send{
		Replaces: replaces, Attempt: s.attempt.number + 1, Deaths: s.deaths,
		Avoid: s.doubt.avoided(), Reliable: s.doubt.needsReliable(), IsLost: isLost,
	})
}

func (s *step) sent(e Sent) {
	s.do(Queued{})
	if e.How >= Claimed {
		s.attempt.only = e.Only
	}
	if e.How == InQueue {
		s.attempt.number++
		s.attempt.heard = s.now
		s.sends++
	}
	s.wait()
}

// report says how far the check has come, and whether a node is at work on it.
func (s *step) report() { s.do(Report{s.attempt.node, s.attempt.reached}) }

// wait has the question look for its attempt: soon if that may not be in the cluster, and after
// silence otherwise.
func (s *step) wait() {
	after := s.terms.Soon
	if s.attempt.stage() != unsure {
		after = max(after, s.terms.Silence-s.now.Sub(s.attempt.heard))
	}
	s.waitFor(after)
}

func (s *step) waitFor(after time.Duration) {
	s.state = Waiting
	s.do(Wake{after})
}

// noticed takes in what a node says.
func (s *step) noticed(e Notice) {
	switch {
	case e.IsOut:
		if e.Attempt >= s.attempt.number {
			s.attempt.number = e.Attempt
			s.replace()
		}
	case e.Fate == Running:
		s.running(e)
	case e.Fate == Done:
		s.done(e)
	case s.attempt.hasEnded(e.Attempt):
		if e.Fate == Missing {
			s.do(Unsend{})
		}
		if e.Fate == Died && s.dies(e.Reason) {
			return
		}
		s.replace()
	}
}

// running takes in a sign of life.
func (s *step) running(e Notice) {
	if s.attempt.isRunning(s.now, e.Attempt, e.Node, e.Progress) {
		s.do(Begun{})
	}
	s.report()
	limit := 2*s.terms.Wall + s.terms.Silence
	if s.terms.Wall > 0 && s.now.Sub(s.attempt.began) > limit && !s.dies("it continues after its time limit") {
		s.replace()
	}
}

// done takes in an answer, of whatever attempt.
func (s *step) done(e Notice) {
	if s.attempt.began.IsZero() {
		s.begin(s.now.Add(-min(e.Answer.Took(), s.now.Sub(s.terms.Asked))))
	}
	isEarly := min(e.Answer.Took(), s.now.Sub(s.attempt.began)) < s.terms.Early
	switch {
	case e.Answer.IsKnown():
		s.await(Fetching, Fetch{e.Attempt, e.Answer})
	case isEarly && s.doubt.early == nil:
		s.doubt.early, s.doubt.attempt = e.Answer, e.Attempt
		s.await(Doubting, ListNodes{})
	case s.doubt.early != nil && s.doubt.early.From() == e.Answer.From() && e.Attempt <= s.doubt.attempt: // it has come before
	case isEarly && s.doubt.early.From() == e.Answer.From():
		if e.IsForOthers {
			s.do(Distrust{Early: e.Answer})
		}
		s.doubt.attempt = e.Attempt
		s.await(Doubting, ListNodes{})
	default:
		s.check(e.Answer)
	}
}

// doubts has another node try what was unknown early, if there is one.
func (s *step) doubts(e NodesListed) {
	if e.IsFailed || !s.doubt.prospects(e.Nodes).hasOther() {
		s.check(s.doubt.early)
		return
	}
	s.attemptEnded(s.doubt.attempt)
}

// attemptEnded replaces an attempt that is at its end, unless there is a later one.
func (s *step) attemptEnded(number int) {
	if s.attempt.hasEnded(number) {
		s.replace()
	} else {
		s.wait()
	}
}

// dies counts an attempt that had no end. It reports whether the question has ended by it.
func (s *step) dies(reason string) bool {
	if s.deaths++; s.deaths < MaxDeaths {
		return false
	}
	if reason != "" {
		reason = ": " + reason
	}
	s.giveUp(fmt.Sprintf("%d nodes have failed to end this check%s", s.deaths, reason))
	return true
}

// replace has the attempt replaced, unless another asker has done so.
func (s *step) replace() {
	s.attempt.heard = time.Time{}
	s.await(Replacing, ReadClaim{})
}

func (s *step) replaces(e ClaimRead) {
	switch {
	case e.IsFailed:
		s.wait()
	case e.Claim.Attempt > s.attempt.number: // another asker was first
		s.adopt(e.Claim)
		s.attempt.heard = s.now
		s.wait()
	default:
		s.send(e.Revision)
	}
}

// adopt takes over what a claim says.
func (s *step) adopt(c Claim) {
	s.attempt.isSeen(c.Attempt)
	s.deaths = max(s.deaths, c.Deaths)
}

// woken begins another round after a pause, and looks after silence for what became of the
// attempt. What nodes say without a connection is lost.
func (s *step) woken(e Woken) {
	if s.state == Pausing {
		s.await(Opening, Listen{})
		return
	}
	silent := min(s.now.Sub(s.attempt.heard), e.Connected)
	switch {
	case !e.IsConnected:
		s.waitFor(s.terms.Soon)
	case s.attempt.stage() != unsure && silent < s.terms.Silence:
		s.wait()
	default:
		s.await(Looking, Recall{After: s.before})
	}
}

// claimRead goes on with what the cluster says of the attempt.
func (s *step) claimRead(e ClaimRead) {
	switch {
	case e.HasNotices: // that says more, and may have come after a gap
		s.wait()
	case e.IsFailed:
		s.await(Restoring, Restore{})
	case e.Revision == 0: // the server has lost it, or a node has taken it out at its end
		if s.attempt.stage() != running || !s.dies("") {
			s.send(0)
		}
	case e.Claim.Attempt <= s.attempt.over: // the next one could not be sent
		s.send(e.Revision)
	default:
		s.await(Searching, FindJob{e})
	}
}

// jobFound looks whether an attempt goes on: its message stays in the queue until its end.
func (s *step) jobFound(e JobFound) {
	if e.IsFailed {
		s.wait()
		return
	}
	c := e.Claimed.Claim
	isNew := c.Attempt > s.attempt.number || s.attempt.stage() == unsure
	s.adopt(c)
	switch {
	case !e.IsQueued:
		s.send(e.Claimed.Revision)
	case isNew:
		s.attempt.heard = s.now
		s.wait()
	case c.Node == "":
		s.await(Polling, ListNodes{e.Claimed})
	default:
		s.do(Warn{fmt.Sprintf("node %s does not respond: a check is started elsewhere", c.Node)})
		s.attempt.over = c.Attempt
		if !s.dies("the last one was " + c.Node) {
			s.send(e.Claimed.Revision)
		}
	}
}

// nodesListed looks whether there is a node that may take the attempt. Only with the answer has the
// queue given a sign of life: a call that fails is tried again soon. An attempt that is lost is made again only
// in place of the claim that it waited with, so that a node which has taken it in between keeps it.
func (s *step) nodesListed(e NodesListed) {
	if e.IsFailed {
		s.wait()
		return
	}
	s.attempt.heard = s.now
	p := s.doubt.prospects(e.Nodes)
	switch {
	case s.doubt.early != nil && !p.hasOther():
		s.check(s.doubt.early)
	case p.all == 0:
		s.do(WarnAlone{})
		s.wait()
	case !s.attempt.mayTake(e.Nodes):
		s.doubt.others = true
		s.replace()
	case p.canForgive():
		s.doubt.forgiven = len(s.doubt.liars)
		s.replace()
	case p.isHopeless():
		s.giveUp(fmt.Sprintf("no node can check it: no longer asked because of their answers: %d, older than this program: %d", p.out, p.old))
	case s.attempt.isLost(e.Claimed.Revision, p.rest) && s.sends < maxFree:
		s.sendNext(e.Claimed.Revision, true)
	default:
		s.wait()
	}
}
