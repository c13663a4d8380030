package asking

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// alone drives a question whose calls succeed, in a cluster without other askers, where each
// attempt ends as told says. It returns why the question gives up, and how many attempts it sent.
func alone(told func(attempt int) Notice, isWrong bool) (gaveUp string, sent int) {
	q, now := NewQuestion(Terms{Asked: begin, Soon: soon, Silence: silence}), begin
	for event := Event(Begin{}); q.State() != Ended; now = now.Add(soon) {
		effects, call := q.On(now, event)
		for _, e := range effects {
			if g, is := e.(GiveUp); is {
				gaveUp = g.Reason
			}
		}
		switch c := call.(type) {
		case Listen:
			event = Listening{}
		case Recall:
			event = Recalled{}
		case Send:
			sent++
			event = Sent{How: InQueue}
		case ReadClaim:
			event = ClaimRead{Revision: uint64(sent), Claim: Claim{Attempt: sent, Node: "n"}}
		case Fetch:
			event = Fetched{Attempt: c.Attempt, Answer: c.Answer}
		case CheckAnswer:
			event = AnswerChecked{Answer: c.Answer}
			if isWrong {
				event = AnswerChecked{Answer: c.Answer, Wrong: errRejected}
			}
		default:
			event = told(sent)
			if q.State() == Pausing {
				event = Woken{IsConnected: true}
			}
		}
	}
	return gaveUp, sent
}

// TestBounds: attempts, deaths and wrong answers each have their bound, and wrong answers do not
// count as attempts.
func TestBounds(t *testing.T) {
	answer := said{node: "n", known: true}
	for _, x := range []struct {
		fate    Fate
		isWrong bool
		want    string
		sent    int
	}{
		{Left, false, "the cluster has lost the check too often", maxSends},
		{Missing, false, "the cluster has lost the check too often", maxSends},
		{Died, false, "3 nodes have failed to end this check: a fault", MaxDeaths},
		{Done, true, "100 answers were wrong", MaxWrong},
		{Done, false, "", 1},
	} {
		gaveUp, sent := alone(func(attempt int) Notice {
			return Notice{Attempt: attempt, Node: "n", Fate: x.fate, Answer: answer, Reason: "a fault"}
		}, x.isWrong)
		if gaveUp != x.want || sent != x.sent {
			t.Errorf("fate %d: %q after %d attempts, expected %q after %d", x.fate, gaveUp, sent, x.want, x.sent)
		}
	}
}

// TestTimeLimit: an attempt that goes on after its time limit is replaced.
func TestTimeLimit(t *testing.T) {
	q := NewQuestion(Terms{Asked: begin, Wall: time.Minute, Soon: soon, Silence: silence})
	at := func(after time.Duration, e Event) Call {
		_, call := q.On(begin.Add(after), e)
		return call
	}
	at(0, Begin{})
	at(0, Listening{})
	at(0, Recalled{})
	at(0, Sent{How: InQueue})
	limit := 2*time.Minute + silence
	for _, after := range []time.Duration{time.Hour, time.Hour + limit} {
		if call := at(after, Notice{Attempt: 1, Node: "n"}); call != nil {
			t.Errorf("after %v: %T", after, call)
		}
	}
	if call := at(time.Hour+limit+1, Notice{Attempt: 1, Node: "n"}); call != (ReadClaim{}) {
		t.Errorf("after the limit: %T", call)
	}
	if q.Waited(begin.Add(2*time.Hour)) != time.Hour {
		t.Errorf("waited %v", q.Waited(begin.Add(2*time.Hour)))
	}
}

// TestLost: an attempt that waits is made again in place of its claim when a node that may take it was free at
// two lists of nodes and has begun nothing in between, and in no other case; and not for ever.
func TestLost(t *testing.T) {
	n := func(change func(*Node)) []Node {
		n := Node{Name: "n", IsFree: true, Begun: 5}
		change(&n)
		return []Node{n}
	}
	free, busy := n(func(*Node) {}), n(func(n *Node) { n.IsFree = false })
	for name, x := range map[string]struct {
		only   []string
		lists  [][]Node // one after the other; nil for one that fails
		later  uint64   // revision of the claim at the last list, if that is another one
		isLost bool
	}{
		"free twice":             {lists: [][]Node{free, free}, isLost: true},
		"free once":              {lists: [][]Node{free}},
		"busy":                   {lists: [][]Node{busy, busy, busy}},
		"free, then busy":        {lists: [][]Node{free, busy}},
		"it works on others":     {lists: [][]Node{free, n(func(n *Node) { n.Begun++ })}},
		"another node":           {lists: [][]Node{free, n(func(n *Node) { n.Name = "m" })}},
		"two nodes, one is idle": {lists: [][]Node{free, append(n(func(n *Node) { n.Name = "m" }), free...)}, isLost: true},
		"the node is out":        {lists: [][]Node{n(func(n *Node) { n.IsOut = true }), append(n(func(n *Node) { n.IsOut = true }), busy[0])}},
		"the node is old":        {lists: [][]Node{append(n(func(n *Node) { n.IsOld = true }), Node{Name: "m"}), append(n(func(n *Node) { n.IsOld = true }), Node{Name: "m"})}},
		"it is for another node": {only: []string{"m"}, lists: [][]Node{append([]Node{{Name: "m"}}, free...), append([]Node{{Name: "m"}}, free...)}},
		"it is for the node":     {only: []string{"n"}, lists: [][]Node{free, free}, isLost: true},
		"another claim":          {lists: [][]Node{free, free}, later: 9},
		"a failure in between":   {lists: [][]Node{free, nil, free}, isLost: true},
		"none in between":        {lists: [][]Node{free, {}, free}, isLost: true},
	} {
		t.Run(name, func(t *testing.T) {
			q, now := NewQuestion(Terms{Asked: begin, Soon: soon, Silence: silence}), begin
			for _, e := range []Event{Begin{}, Listening{}, Recalled{}, Sent{How: InQueue, Only: x.only}} {
				q.On(now, e)
			}
			claimed := ClaimRead{Revision: 7, Claim: Claim{Attempt: 1}}
			for i, list := range x.lists {
				isLast := i == len(x.lists)-1
				if isLast && x.later > 0 {
					claimed.Revision = x.later
				}
				now = now.Add(silence)
				var call Call
				for _, e := range []Event{
					Woken{IsConnected: true, Connected: time.Hour}, Recalled{}, claimed, JobFound{Claimed: claimed, IsQueued: true},
					NodesListed{Claimed: claimed, Nodes: list, IsFailed: list == nil},
				} {
					_, call = q.On(now, e)
				}
				var want Call
				if isLast && x.isLost {
					want = Send{Replaces: 7, Attempt: 2, IsLost: true}
				}
				if fmt.Sprint(call) != fmt.Sprint(want) {
					t.Fatalf("after list %d: %T %+v, expected %+v", i+1, call, call, want)
				}
			}
		})
	}
	q, now, sent := NewQuestion(Terms{Asked: begin, Soon: soon, Silence: silence}), begin, 0
	for event := Event(Begin{}); now.Sub(begin) < time.Hour; {
		_, call := q.On(now, event)
		claimed := ClaimRead{Revision: uint64(sent), Claim: Claim{Attempt: sent}}
		switch call.(type) {
		case Listen:
			event = Listening{}
		case Recall:
			event = Recalled{}
		case Send:
			sent++
			event = Sent{How: InQueue}
		case ReadClaim:
			event = claimed
		case FindJob:
			event = JobFound{Claimed: claimed, IsQueued: true}
		case ListNodes:
			event = NodesListed{Claimed: claimed, Nodes: free}
		default:
			now = now.Add(silence)
			event = Woken{IsConnected: true, Connected: time.Hour}
		}
	}
	if q.State() == Ended || sent != maxFree {
		t.Errorf("a node that takes nothing: %s, after %d attempts", q.State(), sent)
	}
}

// TestFailedList: when the nodes cannot be listed, the question looks again soon, and does not wait
// for another silence.
func TestFailedList(t *testing.T) {
	q := NewQuestion(Terms{Asked: begin, Soon: soon, Silence: silence})
	now := begin
	on := func(e Event) ([]Effect, Call) { return q.On(now, e) }
	claimed := ClaimRead{Revision: 1, Claim: Claim{Attempt: 1}}
	poll := func(e NodesListed) (wake Wake) {
		t.Helper()
		on(Recalled{})
		on(claimed)
		if _, call := on(JobFound{Claimed: claimed, IsQueued: true}); call != (ListNodes{claimed}) {
			t.Fatalf("an attempt that no node has taken: %T", call)
		}
		effects, _ := on(e)
		return effects[len(effects)-1].(Wake)
	}
	for _, e := range []Event{Begin{}, Listening{}, Recalled{}, Sent{How: InQueue}} {
		on(e)
	}
	connected := Woken{IsConnected: true, Connected: time.Hour}
	now = now.Add(silence)
	on(connected)
	if wake := poll(NodesListed{IsFailed: true}); wake.After != soon {
		t.Errorf("the nodes cannot be listed: it waits %v, expected %v", wake.After, soon)
	}
	now = now.Add(soon)
	if _, call := on(connected); call != (Recall{}) {
		t.Fatalf("after that: %T", call)
	}
	if wake := poll(NodesListed{Nodes: []Node{{Name: "n"}}}); wake.After != silence {
		t.Errorf("a node may take it: it waits %v, expected %v", wake.After, silence)
	}
}

// TestLaterAttempt: when another asker has made a later attempt, its node is the one at work, and
// its time counts from its own beginning.
func TestLaterAttempt(t *testing.T) {
	q := NewQuestion(Terms{Asked: begin, Soon: soon, Silence: silence})
	var effects []Effect
	for i, e := range []Event{
		Begin{}, Listening{}, Recalled{}, Sent{How: InQueue}, Notice{Attempt: 1, Node: "a"}, Notice{Attempt: 1, Node: "a", Fate: Left},
		ClaimRead{Revision: 2, Claim: Claim{Attempt: 2}}, Notice{Attempt: 2, Node: "b"},
	} {
		effects, _ = q.On(begin.Add(time.Duration(i)*time.Second), e)
	}
	if got := fmt.Sprintf("%T%T", effects[0], effects[1]); got != "asking.Begunasking.Report" || effects[1].(Report).Node != "b" {
		t.Errorf("%s: %+v", got, effects)
	}
	if q.Waited(begin) != 7*time.Second {
		t.Errorf("waited %v", q.Waited(begin))
	}
}

// TestUnexpected: an event that a state does not wait for changes nothing, and has no effect.
func TestUnexpected(t *testing.T) {
	a := said{node: "a", known: true}
	all := []Event{
		Begin{}, Notice{Attempt: 99, Node: "a", Fate: Left}, Woken{IsConnected: true, Connected: time.Hour}, Cancelled{}, Stopped{"a"},
		Listening{}, Recalled{Answer: a}, Sent{How: InQueue}, ClaimRead{Revision: 1}, JobFound{}, NodesListed{}, Restored{},
		Fetched{Attempt: 99, Answer: a}, AnswerChecked{Answer: a},
	}
	for seed := range tries() / 50 {
		r := &script{Rand: rand.New(rand.NewPCG(7, seed))}
		q := NewQuestion(Terms{Asked: begin, Soon: soon, Silence: silence})
		for _, l := range r.record(NewQuestion(q.terms), map[State]int{}) {
			e, is := l.what.(Event)
			if !is {
				continue
			}
			for _, other := range all {
				before := *q
				if q.awaits(other) {
					continue
				}
				if effects, call := q.On(l.at, other); effects != nil || call != nil || !reflect.DeepEqual(before, *q) {
					t.Fatalf("%s: %T has an effect", q.State(), other)
				}
			}
			q.On(l.at, e)
		}
		if q.State() != Ended {
			t.Fatalf("run %d ends %s", seed, q.State())
		}
	}
}
