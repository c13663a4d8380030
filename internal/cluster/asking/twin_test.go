package asking

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/ic3/verify"
)

// The naive twin of a Question: no states and no events, but one routine from the first call to
// the last, as if each call returned at once, and a flag or a time for each thing that may be so.

// runs is how many random runs each test of this package tries.
const runs = 5_000

// tries returns how many runs a test tries.
func tries() uint64 {
	if testing.Short() {
		return runs / 10
	}
	return runs
}

// begin is the time at which runs begin.
var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

const (
	soon    = 300 * time.Millisecond
	silence = 10 * time.Second
)

// said is an answer of a test.
type said struct {
	node  string
	known bool
	right bool
	took  time.Duration
}

func (a said) From() string        { return a.node }
func (a said) IsKnown() bool       { return a.known }
func (a said) Took() time.Duration { return a.took }

// line is a line of a record: an event with its time, an effect, or a call.
type line struct {
	at   time.Time // of an event
	what any
}

func (l line) String() string {
	if _, is := l.what.(Event); is {
		return fmt.Sprintf("%8s %T %+v", l.at.Sub(begin).Round(time.Millisecond), l.what, l.what)
	}
	return fmt.Sprintf("         -> %T %+v", l.what, l.what)
}

func textOf(record []line) string {
	var b strings.Builder
	for _, l := range record {
		fmt.Fprintln(&b, l)
	}
	return b.String()
}

// twin replays a record: the events are those of the record, and what it does is compared.
type twin struct {
	terms   Terms
	record  []line
	failure string

	now                         time.Time
	number, over, deaths, sends int
	heard, began                time.Time
	node                        string
	reached                     verify.Progress
	liars, avoided              []string // of all wrong answers; of those that are not forgiven
	only                        []string
	others                      bool
	free                        NodesListed // the last list, as far as its nodes were free and may take the attempt
	early                       Answer      // unknown, before its time
	earlyAttempt                int
	looked, listens             bool
	before                      uint64
}

// Ways out of the routine.
type (
	cancelled struct{} // the caller wants no answer any more
	lost      string   // the question is given up
	differs   struct{} // from the record
)

func (w *twin) fail(format string, args ...any) {
	w.failure = fmt.Sprintf(format, args...)
	panic(differs{})
}

// does compares an effect or a call with the record.
func (w *twin) does(what any) {
	if len(w.record) == 0 {
		w.fail("the twin goes on with %T %+v", what, what)
	}
	if !reflect.DeepEqual(w.record[0].what, what) {
		w.fail("the twin: %T %+v, the question: %s", what, what, w.record[0])
	}
	w.record = w.record[1:]
}

// next returns the next event of the record.
func (w *twin) next() Event {
	if len(w.record) == 0 {
		w.fail("the twin waits for an event")
	}
	e, is := w.record[0].what.(Event)
	if !is {
		w.fail("the twin waits, the question: %s", w.record[0])
	}
	w.now = w.record[0].at
	w.record = w.record[1:]
	if (e == Cancelled{}) {
		panic(cancelled{})
	}
	if stopped, is := e.(Stopped); is {
		panic(lost("cancelled in the cluster, by " + stopped.By))
	}
	return e
}

func (w *twin) call(c Call) Event {
	w.does(c)
	return w.next()
}

// run asks until there is an answer that is right.
func (w *twin) run() {
	defer func() {
		switch reason := recover().(type) {
		case nil, differs:
			return
		case cancelled, lost:
			if w.listens {
				w.catch(func() { w.does(Unlisten{}); w.does(Withdraw{}) })
			}
			if text, is := reason.(lost); is {
				w.catch(func() { w.does(GiveUp{Reason: string(text)}) })
			}
		default:
			panic(reason)
		}
	}()
	w.next()
	for {
		a, found := w.ask()
		if !found {
			return
		}
		w.listens = false
		w.does(Unlisten{})
		wrong := w.call(CheckAnswer{a}).(AnswerChecked).Wrong
		if wrong == nil {
			if w.early != nil && a.IsKnown() && a.From() != w.early.From() {
				w.does(Distrust{w.early, a.From()})
			}
			return
		}
		w.does(Reject{a, wrong})
		w.sends--
		w.liars, w.avoided = append(w.liars, a.From()), append(w.avoided, a.From())
		if len(w.liars) >= MaxWrong {
			panic(lost(fmt.Sprintf("%d answers were wrong", len(w.liars))))
		}
		if n := len(w.liars); n >= Wary {
			w.does(Wake{min(soon*time.Duration(n-Wary+1), time.Second)})
			w.next()
		}
	}
}

func (w *twin) catch(do func()) {
	defer func() {
		if reason := recover(); reason != nil && reason != any(differs{}) {
			panic(reason)
		}
	}()
	do()
}

// ask returns the next answer.
func (w *twin) ask() (Answer, bool) {
	w.listens = true
	if err := w.call(Listen{}).(Listening).Err; err != nil {
		w.does(Unlisten{})
		w.does(GiveUp{"the cluster cannot be used", err})
		return nil, false
	}
	if a := w.kept(); a != nil {
		return a, true
	}
	if a := w.send(0); a != nil {
		return a, true
	}
	w.does(Wake{w.after()})
	for {
		var a Answer
		var isAsked bool // something was asked of the cluster
		switch e := w.next().(type) {
		case Notice:
			a, isAsked = w.hear(e)
		case Woken:
			if isAsked = true; !e.IsConnected {
				w.does(Wake{soon})
				continue
			}
			a = w.look(e.Connected)
		}
		if a != nil {
			return a, true
		}
		if isAsked {
			w.does(Wake{w.after()})
		}
	}
}

func (w *twin) after() time.Duration {
	if w.heard.IsZero() {
		return soon
	}
	return max(soon, silence-w.now.Sub(w.heard))
}

func (w *twin) kept() Answer {
	after := w.before
	if w.terms.IsFresh && !w.looked {
		after = noneCounts
	}
	e := w.call(Recall{after}).(Recalled)
	if w.terms.IsFresh && !w.looked {
		w.before = e.Revision
	}
	w.looked = true
	if e.Answer != nil && w.began.IsZero() {
		w.begin(w.now)
	}
	return e.Answer
}

func (w *twin) begin(at time.Time) {
	w.began = at
	w.does(Begun{})
}

func (w *twin) send(replaces uint64) Answer { return w.sendNext(replaces, false) }

// sendNext makes an attempt. After too many it returns what is known of an early one.
func (w *twin) sendNext(replaces uint64, isLost bool) Answer {
	if w.sends >= maxSends && w.early != nil {
		return w.early
	} else if w.sends >= maxSends {
		panic(lost("the cluster has lost the check too often"))
	}
	w.node, w.heard = "", time.Time{}
	w.does(Report{"", w.reached})
	avoid := slices.Clone(w.avoided)
	if w.early != nil {
		avoid = append(avoid, w.early.From())
	}
	e := w.call(Send{replaces, w.number + 1, w.deaths, avoid, len(w.liars) >= Wary && !w.others, isLost}).(Sent)
	w.does(Queued{})
	if e.How == Claimed || e.How == InQueue {
		w.only = e.Only
	}
	if e.How == InQueue {
		w.number, w.heard, w.sends = w.number+1, w.now, w.sends+1
	}
	return nil
}

func (w *twin) die(reason string) {
	if w.deaths++; w.deaths >= MaxDeaths {
		panic(lost(fmt.Sprintf("%d nodes have failed to end this check%s", w.deaths, reason)))
	}
}

// hear acts on what a node says.
func (w *twin) hear(t Notice) (a Answer, isAsked bool) {
	if t.IsOut {
		if t.Attempt < w.number {
			return nil, false
		}
		w.number = t.Attempt
		return w.again(), true
	}
	switch t.Fate {
	case Running:
		w.heard, w.reached = w.now, t.Progress
		if t.Attempt > w.number || w.node == "" {
			w.number, w.node = max(w.number, t.Attempt), t.Node
			w.begin(w.now)
		}
		w.does(Report{w.node, w.reached})
		if w.terms.Wall > 0 && w.now.Sub(w.began) > 2*w.terms.Wall+silence {
			w.die(": it continues after its time limit")
			return w.again(), true
		}
		return nil, false
	case Done:
		if w.began.IsZero() {
			w.begin(w.now.Add(-min(t.Answer.Took(), w.now.Sub(w.terms.Asked))))
		}
		isAsked = true
		if !t.Answer.IsKnown() {
			isEarly := t.Answer.Took() < w.terms.Early || w.now.Sub(w.began) < w.terms.Early
			isAgain := w.early != nil && w.early.From() == t.Answer.From()
			if isAgain && t.Attempt <= w.earlyAttempt {
				return nil, false
			}
			if !isEarly || w.early != nil && !isAgain {
				return t.Answer, true
			}
			if isAgain && t.IsForOthers {
				w.does(Distrust{t.Answer, ""})
			} else if !isAgain {
				w.early = t.Answer
			}
			w.earlyAttempt = t.Attempt
			listed := w.call(ListNodes{}).(NodesListed)
			if listed.IsFailed || !w.hasOther(listed.Nodes) {
				return w.early, true
			}
		} else if !w.call(Fetch{t.Attempt, t.Answer}).(Fetched).IsFailed {
			return t.Answer, true
		}
	}
	if t.Attempt < w.number {
		return nil, isAsked
	}
	w.number, w.over = t.Attempt, t.Attempt
	if t.Fate == Missing {
		w.does(Unsend{})
	}
	if t.Fate == Died {
		reason := ""
		if t.Reason != "" {
			reason = ": " + t.Reason
		}
		w.die(reason)
	}
	return w.again(), true
}

// hasOther reports whether a node may be asked but for that of the early unknown.
func (w *twin) hasOther(nodes []Node) bool {
	for _, n := range nodes {
		if !n.IsOut && !n.IsOld && n.Name != w.early.From() {
			return true
		}
	}
	return false
}

// seen takes over a claim.
func (w *twin) seen(c Claim) {
	if c.Attempt > w.number {
		w.number, w.node = c.Attempt, ""
	}
	w.deaths = max(w.deaths, c.Deaths)
}

// again replaces the attempt that is known.
func (w *twin) again() Answer {
	w.heard = time.Time{}
	e := w.call(ReadClaim{}).(ClaimRead)
	if e.IsFailed {
		return nil
	}
	if e.Claim.Attempt > w.number {
		w.seen(e.Claim)
		w.heard = w.now
		return nil
	}
	return w.send(e.Revision)
}

// look finds out what became of a silent check.
func (w *twin) look(connected time.Duration) Answer {
	silent := min(w.now.Sub(w.heard), connected)
	if !w.heard.IsZero() && silent < silence {
		return nil
	}
	if a := w.kept(); a != nil {
		return a
	}
	e := w.call(ReadClaim{}).(ClaimRead)
	if e.HasNotices {
		return nil
	}
	if e.IsFailed {
		if !w.call(Restore{}).(Restored).IsFailed {
			return w.send(0)
		}
		return nil
	}
	if e.Revision == 0 {
		if w.node != "" && !w.heard.IsZero() {
			w.die("")
		}
		return w.send(0)
	}
	if e.Claim.Attempt <= w.over {
		return w.send(e.Revision)
	}
	found := w.call(FindJob{e}).(JobFound)
	if found.IsFailed {
		return nil
	}
	isNew := w.heard.IsZero() || e.Claim.Attempt > w.number
	w.seen(e.Claim)
	if !found.IsQueued {
		return w.send(e.Revision)
	} else if isNew {
		w.heard = w.now
	} else if e.Claim.Node == "" {
		return w.poll(e)
	} else {
		w.does(Warn{"node " + e.Claim.Node + " does not respond: a check is started elsewhere"})
		w.over = e.Claim.Attempt
		w.die(": the last one was " + e.Claim.Node)
		return w.send(e.Revision)
	}
	return nil
}

// poll asks whether some node may take the check.
func (w *twin) poll(claimed ClaimRead) Answer {
	e := w.call(ListNodes{claimed}).(NodesListed)
	if e.IsFailed {
		return nil
	}
	w.heard = w.now
	if w.early != nil && !w.hasOther(e.Nodes) {
		return w.early
	}
	if len(e.Nodes) == 0 {
		w.does(WarnAlone{})
		return nil
	}
	named, usable := len(w.only) == 0, 0
	free := NodesListed{Claimed: claimed}
	out, old, lied := 0, 0, 0
	for _, n := range e.Nodes {
		if slices.Contains(w.only, n.Name) {
			named = true
		}
		if n.IsOut {
			out++
		} else if n.IsOld {
			old++
		} else if usable++; slices.Contains(w.avoided, n.Name) || w.early != nil && n.Name == w.early.From() {
			lied++
		} else if n.IsFree && (len(w.only) == 0 || slices.Contains(w.only, n.Name)) {
			free.Nodes = append(free.Nodes, n)
		}
	}
	if !named {
		w.others = true
		return w.again()
	} else if usable > 0 && usable == lied {
		w.avoided = []string{}
		return w.again()
	} else if usable == 0 {
		panic(lost(fmt.Sprintf("no node can check it: no longer asked because of their answers: %d, older than this program: %d", out, old)))
	}
	before := w.free
	w.free = free
	for _, n := range free.Nodes {
		if w.sends < maxFree && before.Claimed.Revision == claimed.Revision && slices.Contains(before.Nodes, n) {
			return w.sendNext(claimed.Revision, true)
		}
	}
	return nil
}

// TestQuestionAndItsTwin: over random events a question does what its twin does.
func TestQuestionAndItsTwin(t *testing.T) {
	visited, resent := map[State]int{}, 0
	for seed := range tries() {
		r := &script{Rand: rand.New(rand.NewPCG(28, seed))}
		terms := Terms{Asked: begin, IsFresh: r.chance(3), Soon: soon, Silence: silence}
		if r.chance(2) {
			terms.Wall = 5 * time.Second
		}
		if r.chance(2) {
			terms.Early = 3 * time.Second
		}
		record := r.record(NewQuestion(terms), visited)
		for _, l := range record {
			if c, is := l.what.(Send); is && c.IsLost {
				resent++
			}
		}
		w := &twin{terms: terms, record: record}
		w.run()
		if w.failure == "" && len(w.record) > 0 {
			w.failure = fmt.Sprintf("the twin has ended, the question: %s", w.record[0])
		}
		if w.failure != "" {
			t.Fatalf("run %d: %s\n%s", seed, w.failure, textOf(record[:len(record)-len(w.record)]))
		}
	}
	for s := Opening; s <= Ended; s++ {
		if visited[s] < int(tries()/50) {
			t.Errorf("%s was visited %d times in all runs", s, visited[s])
		}
	}
	if resent < int(tries()/100) {
		t.Errorf("%d attempts were made again that the queue had lost", resent)
	}
}

// script makes random events.
type script struct {
	*rand.Rand
	attempt int // about the last one
	// lull is for how many events nothing happens after a list of nodes: the claim and most lists stay the same.
	lull   int
	claim  ClaimRead
	listed []Node
}

func (r *script) chance(n int) bool { return r.IntN(n) == 0 }

// record makes a question take in random events until it ends, and returns what happens.
func (r *script) record(q *Question, visited map[State]int) (record []line) {
	now, event := begin, Event(Begin{})
	steps := 10 + r.IntN(80)
	for n := 0; q.State() != Ended; n++ {
		record = append(record, line{now, event})
		effects, call := q.On(now, event)
		for _, e := range effects {
			record = append(record, line{what: e})
		}
		if call != nil {
			record = append(record, line{what: call})
		}
		visited[q.State()]++
		r.lull = max(0, r.lull-1)
		now = now.Add(r.pause())
		switch {
		case n >= steps || r.chance(300):
			event = Cancelled{}
		case r.chance(300):
			event = Stopped{r.node()}
		case call != nil:
			event = r.result(call)
		case q.State() == Pausing:
			event = Woken{true, time.Hour}
		default:
			event = r.unasked()
		}
	}
	return record
}

// pause returns a time between two events, a jump of the clock now and then.
func (r *script) pause() time.Duration {
	if r.lull > 0 {
		return silence
	}
	switch r.IntN(20) {
	case 0:
		return time.Duration(r.IntN(10)) * time.Hour
	case 1, 2, 3, 4:
		return silence + time.Duration(r.IntN(10))*time.Second
	}
	return time.Duration(r.IntN(2000)) * time.Millisecond
}

func (r *script) node() string { return [...]string{"a", "b", "c", "d"}[r.IntN(4)] }

// near returns the number of an attempt around the last one.
func (r *script) near() int { return max(1, r.attempt-1+r.IntN(3)) }

func (r *script) answer() Answer {
	return said{node: r.node(), known: !r.chance(4), took: time.Duration(r.IntN(5000)) * time.Millisecond}
}

func (r *script) unasked() Event {
	if r.lull > 0 {
		return Woken{true, time.Hour}
	}
	if r.chance(2) {
		return Woken{!r.chance(6), []time.Duration{0, time.Second, time.Hour, time.Hour, time.Hour}[r.IntN(5)]}
	}
	t := Notice{Attempt: r.near(), Node: r.node(), IsOut: r.chance(15), IsForOthers: r.chance(2), Progress: verify.Progress{Depth: r.IntN(100)}}
	if t.Fate = Fate(r.IntN(5)); t.Fate == Died && r.chance(3) {
		t.Fate = Running
	}
	if t.Fate == Done && r.chance(2) {
		t.Fate = Left
	}
	if t.Fate == Died && r.chance(2) {
		t.Reason = "a fault"
	}
	t.Answer = r.answer()
	return t
}

func (r *script) result(call Call) Event {
	switch c := call.(type) {
	case Listen:
		if r.chance(50) {
			return Listening{fmt.Errorf("a fault")}
		}
		return Listening{}
	case Recall:
		e := Recalled{Revision: uint64(r.IntN(5))}
		if r.chance(10) && c.After != noneCounts {
			e.Answer = r.answer()
		}
		return e
	case Send:
		r.attempt, r.lull = c.Attempt, 0
		e := Sent{How: Delivery(min(3, r.IntN(7)))}
		if c.Reliable && r.chance(2) {
			e.Only = []string{r.node()}
		}
		return e
	case ReadClaim:
		if r.lull == 0 {
			r.claim = r.claimRead()
		}
		return r.claim
	case FindJob:
		return JobFound{c.Claimed, r.lull > 0 || !r.chance(4), r.chance(10)}
	case ListNodes:
		if r.lull == 0 || r.chance(4) {
			r.listed = r.nodes()
		}
		if r.lull == 0 {
			r.lull = 20
		}
		return NodesListed{c.Claimed, r.listed, r.chance(10)}
	case Restore:
		return Restored{r.chance(3)}
	case Fetch:
		return Fetched{c.Attempt, c.Answer, r.chance(4)}
	case CheckAnswer:
		if c.Answer.IsKnown() && !r.chance(8) {
			return AnswerChecked{c.Answer, fmt.Errorf("rejected")}
		}
		return AnswerChecked{Answer: c.Answer}
	}
	panic("an unknown call")
}

func (r *script) claimRead() ClaimRead {
	e := ClaimRead{IsFailed: r.chance(10), HasNotices: r.chance(10)}
	if e.IsFailed || r.chance(6) {
		return e
	}
	e.Revision = 1 + r.Uint64N(9)
	if r.chance(10) {
		return e
	}
	e.Claim.Attempt = r.near()
	if r.chance(20) {
		e.Claim.Deaths = r.IntN(3)
	}
	if r.chance(3) {
		e.Claim.Node = r.node()
	}
	return e
}

func (r *script) nodes() (all []Node) {
	isFree := !r.chance(3) // any of them
	isBad := r.chance(3)   // all of them
	for range r.IntN(4) {
		all = append(all, Node{r.node(), isBad && r.chance(2), isBad && r.chance(2), isFree && r.chance(2), int64(r.IntN(2))})
	}
	return all
}
