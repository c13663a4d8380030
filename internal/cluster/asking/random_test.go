package asking

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// asker is the shell around a question of a world.
type asker struct {
	*world
	number int
	q      *Question
	call   Call       // under way
	wake   *time.Time // nil: Woken is not due
	skew   time.Duration

	isConnected bool
	connected   time.Time // since when
	listens     bool
	messages    []Notice
	found       *job // by the last FindJob; nil for none

	lies      map[string]int // by node
	distrusts map[string]int // likewise
	proven    []string
	judged    AnswerChecked
	isAlone   bool   // the last list had no node but that of an early unknown
	gaveUp    string // why; "" unless it has
	withdrawn bool
	cancelled bool
	sent      int // attempts, as far as the question knows
	resent    int // those among them that the queue had lost
	wrong     int // answers
}

// maxLies is how many wrong answers it takes until a node is out.
const maxLies = 3

// ask begins a question.
func (w *world) ask(number int) {
	a := &asker{world: w, number: number, isConnected: true, connected: begin, lies: map[string]int{}, distrusts: map[string]int{}}
	terms := Terms{Asked: w.now, IsFresh: w.IntN(3) == 0, Soon: soon, Silence: silence}
	if w.IntN(2) == 0 {
		terms.Wall, terms.Early = 10*time.Second, 3*time.Second
	}
	a.q = NewQuestion(terms)
	w.askers = append(w.askers, a)
	if w.IntN(4) == 0 {
		w.after(w.upTo(troubled), a.cancel)
	}
	a.take(Begin{})
}

func (a *asker) connect(is bool) {
	if is && !a.isConnected {
		a.connected = a.now
	}
	a.isConnected = is
}

// receive takes a message, which waits while a call is under way.
func (a *asker) receive(t Notice) {
	if a.listens && a.isConnected && len(a.messages) < 64 {
		a.messages = append(a.messages, t)
		a.next()
	}
}

func (a *asker) isOut(node string) bool {
	return a.lies[node] >= maxLies || a.distrusts[node] >= maxLies
}

// next delivers what has come, when no call is under way.
func (a *asker) next() {
	switch state := a.q.State(); {
	case a.call != nil || state == Ended:
	case len(a.messages) > 0 && state == Waiting:
		t := a.messages[0]
		a.messages = a.messages[1:]
		t.IsOut = a.isOut(t.Node)
		a.take(t)
	case a.wake != nil && !a.now.Before(*a.wake):
		a.wake = nil
		a.take(Woken{a.isConnected, a.now.Sub(a.connected)})
	}
}

func (w *world) nodeKind(name string) kind {
	for _, n := range w.nodes {
		if n.name == name {
			return n.kind
		}
	}
	return renamed
}

func (a *asker) cancel() {
	if a.q.State() != Ended {
		a.cancelled, a.call = true, nil
		a.take(Cancelled{})
	}
}

// take makes the question take in an event, and does what it says.
func (a *asker) take(e Event) {
	before := *a.q
	effects, call := a.q.On(a.now.Add(a.skew), e)
	a.say("asker %d: %T %+v -> %s, %+v, %T %+v", a.number, e, e, a.q.State(), effects, call, call)
	for _, effect := range effects {
		a.perform(effect)
	}
	a.check(&before, e, call)
	if a.call = call; call == nil {
		a.after(0, a.next)
		return
	}
	a.after(a.upTo(50*time.Millisecond), func() {
		if a.call == nil || a.q.State() == Ended { // cancelled
			return
		}
		result := a.result(call)
		a.call = nil
		a.take(result)
	})
}

func (a *asker) failf(format string, args ...any) {
	if a.fault == nil {
		a.fault = fmt.Errorf("asker %d: "+format, append([]any{a.number}, args...)...)
	}
}

func (a *asker) perform(effect Effect) {
	switch e := effect.(type) {
	case Unlisten:
		a.listens, a.messages = false, nil
	case Withdraw:
		if a.withdrawn = true; a.isConnected && !a.server.isDown && !a.isWanted() {
			a.server.jobs, a.server.claim = nil, kept[Claim]{}
		}
	case Wake:
		at := a.now.Add(e.After)
		a.wake = &at
		a.after(max(0, e.After), a.next)
	case Reject:
		a.wrong++
		a.lies[e.Answer.From()]++
		if a.server.answer.what == e.Answer {
			a.server.answer = kept[said]{}
		}
	case Distrust:
		a.distrusts[e.Early.From()]++
		kind := a.nodeKind(e.Early.From())
		if e.Early.IsKnown() || kind == honest || kind != greedy && e.By == "" {
			a.failf("%+v counts against an honest node", e)
		}
	case GiveUp:
		a.gaveUp = e.Reason
	}
}

// awaited are the calls that states wait for.
var awaited = map[State]Call{
	Opening: Listen{}, Recalling: Recall{}, Sending: Send{}, Looking: Recall{}, Reading: ReadClaim{}, Restoring: Restore{},
	Searching: FindJob{}, Polling: ListNodes{}, Doubting: ListNodes{}, Replacing: ReadClaim{}, Fetching: Fetch{}, Checking: CheckAnswer{},
}

// check looks at the invariants after an event.
func (a *asker) check(before *Question, e Event, call Call) {
	q := a.q
	t := &q.attempt
	must := func(holds bool, what string) {
		if !holds {
			a.failf("%s does not hold after %T", what, e)
		}
	}
	must(reflect.TypeOf(call) == reflect.TypeOf(awaited[q.state]), "the call is that of the state")
	must(q.state != Waiting && q.state != Pausing || a.wake != nil, "the timer is set while the question waits")
	must(a.listens == (q.state.isListening() && q.state != Opening), "the question listens where its state says so")
	must(t.over <= t.number, "over ≤ number")
	must(t.number >= before.attempt.number, "attempts increase")
	must(q.deaths >= before.deaths, "deaths increase")
	must(q.deaths < MaxDeaths || q.state == Ended || q.deaths == before.deaths || isClaim(e), "too many deaths end the question")
	must(q.sends <= maxSends, "sends ≤ maxSends")
	must(t.node == "" || !t.began.IsZero(), "a node has begun")
	must(t.began.Equal(before.attempt.began) || t.began.After(before.attempt.began), "beginnings increase")
	must(q.doubt.forgiven <= len(q.doubt.liars), "forgiven ≤ liars")
	must(len(q.doubt.liars) == a.wrong, "each wrong answer counts once")
	must(before.state != Ended, "nothing happens after the end")
	if s, is := call.(Send); is {
		must(s.Attempt == t.number+1, "the next attempt is sent")
	}
	must(a.sent <= maxSends+a.wrong, "attempts are bounded")
	if j, is := call.(CheckAnswer); is {
		_, fetched := e.(Fetched)
		must(fetched || !a.isOut(j.Answer.From()) || j.Answer == q.doubt.early, "nodes that are out are not heard")
	}
	if q.state == Ended && a.gaveUp == "" && !a.cancelled {
		must(a.judged.Answer != nil && a.judged.Answer.(said).right, "the answer is right")
	}
	if q.state == Ended && a.gaveUp == "" && !a.cancelled && !a.judged.Answer.IsKnown() {
		ended := a.judged.Answer.From()
		must(q.terms.Early == 0 || q.doubt.early != nil, "an early unknown is doubted")
		must(q.terms.Early == 0 || a.isAlone || q.doubt.early.From() != ended, "an early unknown is tried elsewhere")
	}
	if q.state == Ended {
		must(a.withdrawn == before.state.isListening(), "what has no answer is withdrawn")
	}
}

func isClaim(e Event) bool {
	switch e.(type) {
	case ClaimRead, JobFound:
		return true
	}
	return false
}

// fails reports whether the server cannot be asked.
func (a *asker) fails() bool { return a.server.isDown || !a.isConnected || a.chance(20) }

// result makes a call.
func (a *asker) result(call Call) Event {
	s := &a.server
	switch c := call.(type) {
	case Listen:
		a.listens = true
		return Listening{}
	case Recall:
		kept := s.answer
		if a.fails() || kept.revision == 0 {
			return Recalled{}
		}
		if kept.revision <= c.After || a.isOut(kept.what.node) {
			return Recalled{Revision: kept.revision}
		}
		return Recalled{kept.revision, kept.what}
	case Send:
		return a.send(c)
	case ReadClaim:
		e := ClaimRead{HasNotices: len(a.messages) > 0}
		if e.IsFailed = a.fails(); !e.IsFailed {
			e.Revision, e.Claim = s.claim.revision, s.claim.what
		}
		return e
	case FindJob:
		a.found = nil
		if n := len(s.jobs); n > 0 {
			a.found = s.jobs[n-1]
		}
		return JobFound{c.Claimed, a.found != nil, a.fails()}
	case ListNodes:
		e := NodesListed{Claimed: c.Claimed, IsFailed: a.fails()}
		for _, n := range a.nodes {
			if !n.isGone {
				e.Nodes = append(e.Nodes, Node{Name: n.name, IsOut: a.isOut(n.name), IsFree: !n.isBusy, Begun: n.begun})
			}
		}
		a.isAlone = e.IsFailed || a.q.doubt.early == nil || !a.q.doubt.prospects(e.Nodes).hasOther()
		return e
	case Restore:
		return Restored{a.fails()}
	case Fetch:
		return Fetched{c.Attempt, c.Answer, a.fails()}
	case CheckAnswer:
		a.judged = AnswerChecked{Answer: c.Answer}
		if !c.Answer.(said).right {
			a.judged.Wrong = errRejected
		} else if !slices.Contains(a.proven, c.Answer.From()) {
			a.proven = append(a.proven, c.Answer.From())
		}
		return a.judged
	}
	panic("an unknown call")
}

// send makes an attempt, which may fail at each step, and whose success may not become known.
func (a *asker) send(c Send) Event {
	s := &a.server
	if a.fails() {
		return Sent{}
	}
	if s.claim.revision != c.Replaces {
		return Sent{How: Overtaken}
	}
	s.revision++
	s.claim = kept[Claim]{s.revision, Claim{Attempt: c.Attempt, Deaths: c.Deaths}}
	if c.IsLost {
		a.resent++
		a.drop(a.found)
	}
	if a.chance(20) {
		return Sent{}
	}
	j := &job{Send: c, by: a}
	for _, n := range a.nodes {
		if a.isOut(n.name) {
			j.out = append(j.out, n.name)
		}
	}
	if c.Reliable {
		j.only = a.proven
	}
	if a.chance(20) {
		return Sent{How: Claimed, Only: j.only}
	}
	s.jobs = append(s.jobs, j)
	if a.chance(20) {
		return Sent{How: Claimed, Only: j.only}
	}
	a.sent++
	return Sent{How: InQueue, Only: j.only}
}

// play lets a world run until all questions have ended and nothing is left to do.
func (w *world) play() {
	haveEnded := func() bool {
		return w.now.Sub(begin) > 5*time.Second && !slices.ContainsFunc(w.askers, func(a *asker) bool { return a.q.State() != Ended })
	}
	w.run(begin.Add(patience), haveEnded)
	if w.fault == nil && !haveEnded() {
		w.fault = fmt.Errorf("a question has no end")
	}
	if w.isBad {
		w.mend()
	}
	w.run(w.now.Add(3*ackWait), func() bool { return false })
	busy := slices.ContainsFunc(w.nodes, func(n *node) bool { return n.isBusy && !n.isGone })
	if w.fault == nil && (busy || slices.ContainsFunc(w.server.jobs, func(j *job) bool { return !j.isLost })) {
		w.fault = fmt.Errorf("work stays behind")
	}
}

// TestWorlds: whatever happens to a cluster, a question ends with a right answer or, after enough
// faults, without one; a cancelled one is withdrawn, and nothing stays behind.
func TestWorlds(t *testing.T) {
	ends, resent := map[string]int{}, 0
	for seed := range tries() / 5 {
		isBad := seed%10 > 0
		w := newWorld(seed, isBad, false)
		w.play()
		for _, a := range w.askers {
			if resent += a.resent; a.resent > 0 && !isBad {
				a.failf("%d attempts are made again that were not lost", a.resent)
			}
			switch {
			case a.cancelled:
				ends["cancelled"]++
			case a.gaveUp == "" && a.judged.Answer != nil && !a.judged.Answer.IsKnown():
				ends["unknown"]++
			case a.gaveUp == "":
				ends["answered"]++
			case !isBad:
				a.failf("it gives up without a fault: %s", a.gaveUp)
			default:
				ends["given up: "+strings.Trim(strings.Split(a.gaveUp, ":")[0], "0123456789 ")]++
			}
		}
		if w.fault != nil {
			again := newWorld(seed, isBad, true)
			again.play()
			t.Fatalf("world %d: %v\n%s", seed, w.fault, strings.Join(again.log, "\n"))
		}
	}
	t.Logf("%v, %d attempts made again that the queue had lost", ends, resent)
	if resent == 0 {
		t.Error("the queue has lost nothing")
	}
	for _, end := range []string{"cancelled", "answered", "unknown", "given up: nodes have failed to end this check"} {
		if ends[end] == 0 {
			t.Errorf("no question ended so: %s", end)
		}
	}
}
