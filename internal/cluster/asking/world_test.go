package asking

import (
	"container/heap"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// world is what stands around questions about one check: a server, a network, nodes, and askers.
// Its clock is that of the test: it goes from one appointment to the next.
type world struct {
	*rand.Rand
	now       time.Time
	due       agenda
	isBad     bool // faults happen: messages and calls get lost, and more
	isLogging bool
	log       []string
	fault     error // of a question

	server server
	nodes  []*node
	askers []*asker
	names  int // that a node has given itself
}

// Times of a world.
const (
	troubled = time.Minute // how long faults happen
	beat     = time.Second
	ackWait  = 30 * time.Second
	patience = 10 * time.Minute // until a question has to have an end
)

// server keeps what the cluster knows of the check. Revisions never repeat.
type server struct {
	isDown   bool
	revision uint64
	claim    kept[Claim]
	answer   kept[said]
	jobs     []*job
}

type kept[T any] struct {
	revision uint64 // 0: nothing is kept
	what     T
}

// job is a message in the queue.
type job struct {
	Send
	by   *asker // nil: a stranger, who has changed what an asker had sent
	only []string
	out  []string  // nodes that its asker does not ask any more
	held time.Time // until when some node has it
	// isLost: the queue lists it, and gives it to no node.
	isLost bool
}

// kind says what a node does with its attempts.
type kind int

const (
	honest  kind = iota
	lying        // its answers are wrong
	renamed      // likewise, under another name each time
	deadly       // the node ends without a word
	leaving      // it says that it does not go on
	failing      // it says that the check has killed its engine
	stuck        // it has no end
	foreign      // it finds no circuit
	hasty        // it says unknown at once
	greedy       // likewise, and it takes what is for others
)

type node struct {
	*world
	name   string
	kind   kind
	isGone bool
	isBusy bool
	begun  int64
}

// appointment is something that is due. Those of the same time come in their order.
type appointment struct {
	at    time.Time
	order int
	do    func()
}

type agenda struct {
	all   []appointment
	count int
}

func (a *agenda) Len() int { return len(a.all) }
func (a *agenda) Less(i, j int) bool {
	x, y := a.all[i], a.all[j]
	return x.at.Before(y.at) || x.at.Equal(y.at) && x.order < y.order
}
func (a *agenda) Swap(i, j int) { a.all[i], a.all[j] = a.all[j], a.all[i] }
func (a *agenda) Push(x any)    { a.all = append(a.all, x.(appointment)) }
func (a *agenda) Pop() any {
	last := a.all[len(a.all)-1]
	a.all = a.all[:len(a.all)-1]
	return last
}

func (w *world) after(d time.Duration, do func()) {
	w.due.count++
	heap.Push(&w.due, appointment{w.now.Add(d), w.due.count, do})
}

// run keeps appointments until a time, or until there are none, or a question has a fault.
func (w *world) run(until time.Time, isOver func() bool) {
	for w.fault == nil && w.due.Len() > 0 && !isOver() && !w.due.all[0].at.After(until) {
		next := heap.Pop(&w.due).(appointment)
		w.now = next.at
		next.do()
	}
}

func (w *world) say(format string, args ...any) {
	if w.isLogging {
		w.log = append(w.log, fmt.Sprintf("%9s ", w.now.Sub(begin).Round(time.Millisecond))+fmt.Sprintf(format, args...))
	}
}

// chance is one in n, as long as faults happen.
func (w *world) chance(n int) bool { return w.isBad && w.IntN(n) == 0 }

func (w *world) upTo(d time.Duration) time.Duration { return time.Duration(w.Int64N(int64(d))) }

// newWorld returns one with some nodes and askers.
func newWorld(seed uint64, isBad, isLogging bool) *world {
	w := &world{Rand: rand.New(rand.NewPCG(5, seed)), now: begin, isBad: isBad, isLogging: isLogging}
	kinds := []kind{honest}
	if isBad {
		kinds = nil
		for range w.IntN(5) {
			kinds = append(kinds, kind(w.IntN(int(greedy)+1)))
		}
		w.after(w.upTo(troubled), w.happen)
		w.after(troubled, w.mend)
	}
	for i, k := range kinds {
		w.start(fmt.Sprint("node-", i), k)
	}
	for i := range 1 + w.IntN(2) {
		w.after(w.upTo(5*time.Second), func() { w.ask(i) })
	}
	return w
}

// mend ends the faults: the server is there, and a node that answers.
func (w *world) mend() {
	if !w.isBad {
		return
	}
	w.say("the faults end")
	w.isBad, w.server.isDown = false, false
	for _, n := range w.nodes {
		n.isGone = n.isGone || n.kind != honest && n.kind != lying && n.kind != renamed
	}
	w.start("last", honest)
	for _, a := range w.askers {
		a.connect(true)
	}
}

// happen lets a fault happen, and the next one after some time.
func (w *world) happen() {
	if !w.isBad {
		return
	}
	switch w.IntN(8) {
	case 0:
		w.say("the server ends")
		w.server.isDown = true
		w.after(w.upTo(20*time.Second), func() { w.server.isDown = false })
	case 1:
		w.say("the server loses its data")
		s := &w.server
		s.claim, s.answer, s.jobs = kept[Claim]{}, kept[said]{}, nil
	case 2:
		if len(w.nodes) > 0 {
			n := w.nodes[w.IntN(len(w.nodes))]
			w.say("%s ends", n.name)
			n.isGone = true
		}
	case 3:
		w.start(fmt.Sprint("later-", len(w.nodes)), kind(w.IntN(int(greedy)+1)))
	case 4:
		if len(w.askers) > 0 {
			a := w.askers[w.IntN(len(w.askers))]
			a.connect(false)
			w.after(w.upTo(20*time.Second), func() { a.connect(true) })
		}
	case 5:
		if len(w.askers) > 0 {
			a := w.askers[w.IntN(len(w.askers))]
			a.skew += w.upTo(3 * time.Hour)
			w.say("the clock of an asker jumps")
		}
	case 6:
		w.say("a stranger sends for all nodes what is not for all")
		for _, j := range w.server.jobs {
			w.server.jobs = append([]*job{{Send: Send{Attempt: j.Attempt}}}, w.server.jobs...)
		}
	case 7:
		w.say("the queue loses what it lists")
		for _, j := range w.server.jobs {
			j.isLost = true
		}
	}
	w.after(w.upTo(troubled/3), w.happen)
}

// start adds a node, which looks for work from now on.
func (w *world) start(name string, k kind) {
	n := &node{world: w, name: name, kind: k}
	w.nodes = append(w.nodes, n)
	var look func()
	look = func() {
		if n.isGone {
			return
		}
		if !n.isBusy && !w.server.isDown {
			n.take()
		}
		w.after(100*time.Millisecond+w.upTo(500*time.Millisecond), look)
	}
	w.after(w.upTo(time.Second), look)
}

// isWanted reports whether an asker answers that the check is wanted.
func (w *world) isWanted() bool {
	return slices.ContainsFunc(w.askers, func(a *asker) bool { return a.listens && a.isConnected })
}

// take looks for a job, as a node does it.
func (n *node) take() {
	s := &n.server
	i := slices.IndexFunc(s.jobs, func(j *job) bool { return !j.isLost && !n.now.Before(j.held) })
	if i < 0 {
		return
	}
	j := s.jobs[i]
	if n.kind == renamed {
		n.names++
		n.name = fmt.Sprint("name-", n.names)
	}
	isForOthers := slices.Contains(slices.Concat(j.Avoid, j.out), n.name) || len(j.only) > 0 && !slices.Contains(j.only, n.name)
	if isForOthers && n.kind != greedy {
		j.held = n.now.Add(n.upTo(500 * time.Millisecond))
		return
	}
	j.held = n.now.Add(ackWait)
	switch c := &s.claim; {
	case !n.isWanted():
		n.finish(j, 0)
	case c.revision > 0 && (c.what.Attempt != j.Attempt || c.what.Node != ""):
		n.drop(j)
	default:
		s.revision++
		*c = kept[Claim]{s.revision, Claim{j.Attempt, n.name, c.what.Deaths}}
		n.work(j, s.revision)
	}
}

// drop takes a job out of the queue.
func (w *world) drop(j *job) {
	w.server.jobs = slices.DeleteFunc(w.server.jobs, func(o *job) bool { return o == j })
}

// finish takes what is at its end out of the cluster. Revision 0 is any claim.
func (n *node) finish(j *job, revision uint64) {
	if c := &n.server.claim; revision == 0 || c.revision == revision {
		*c = kept[Claim]{}
	}
	n.drop(j)
}

// work works on an attempt: beats, and an end.
func (n *node) work(j *job, revision uint64) {
	n.say("%s begins with attempt %d", n.name, j.Attempt)
	n.isBusy = true
	n.begun++
	name, unwanted, end := n.name, 0, n.now.Add(n.upTo(8*time.Second))
	tell := func(f Fate, a said) {
		n.tell(j, Notice{Attempt: j.Attempt, Node: name, Fate: f, Answer: a})
	}
	tell(Running, said{})
	var step func()
	step = func() {
		if n.isGone {
			return
		}
		if unwanted++; n.server.isDown || n.isWanted() {
			unwanted = 0
		}
		switch {
		case unwanted == 3:
			n.isBusy = false
			n.finish(j, revision)
		case n.kind != hasty && n.kind != greedy && n.now.Before(end) || n.kind == stuck:
			tell(Running, said{})
			j.held = n.now.Add(ackWait)
			n.after(beat, step)
		default:
			n.isBusy = false
			n.end(j, revision, name, tell)
		}
	}
	n.after(beat, step)
}

// end ends an attempt as the node does it.
func (n *node) end(j *job, revision uint64, name string, tell func(Fate, said)) {
	switch n.kind {
	case honest, lying, renamed:
		if n.server.isDown {
			n.after(beat, func() { n.end(j, revision, name, tell) }) // it keeps its answer
			return
		}
		a := said{node: name, known: true, right: n.kind == honest, took: time.Second}
		n.server.revision++
		n.server.answer = kept[said]{n.server.revision, a}
		n.say("%s answers", name)
		tell(Done, a)
		n.finish(j, revision)
	case hasty, greedy:
		tell(Done, said{node: name, right: true, took: beat})
		n.finish(j, revision)
	case deadly:
		n.isGone = true
	case leaving:
		tell(Left, said{})
		n.drop(j)
	case failing:
		tell(Died, said{})
		n.drop(j)
	case foreign:
		tell(Missing, said{})
		n.drop(j)
	}
}

// tell sends a message about a job to all askers. It may come late, twice, after later ones, or never.
func (w *world) tell(j *job, t Notice) {
	for _, a := range w.askers {
		t.IsForOthers = j.by == a && slices.Contains(j.Avoid, t.Node)
		for n := 0; n == 0 || w.chance(20); n++ {
			if w.server.isDown || w.chance(10) {
				continue
			}
			delay := w.upTo(100 * time.Millisecond)
			if w.chance(10) {
				delay += w.upTo(30 * time.Second)
			}
			w.after(delay, func() { a.receive(t) })
		}
	}
}

// errRejected is why a wrong answer is rejected.
var errRejected = errors.New("rejected")
