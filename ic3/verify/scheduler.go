package verify

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"aiglens/circuit"
)

// ID names a slot of the scheduler: one property of one document. Two jobs
// never run in the same slot at once.
type ID struct {
	Document string
	Property circuit.Property
}

// State is where a run stands.
type State uint8

// The states, in the order in which a run passes them. Every run ends with
// exactly one Done.
const (
	Queued State = iota
	Running
	Done
)

func (s State) String() string { return [...]string{"queued", "running", "done"}[s] }

// Event reports on one run.
type Event struct {
	ID       ID
	Run      uint64 // as returned by Submit
	State    State
	Progress Progress
	Result   Result // when Done; a cancelled run is unknown with reason "cancelled"
}

// Scheduler runs jobs in the background, at most so many at once: that of the
// preferred slot and those whose next turn is Ready first, then those of the lowest rank, of
// these the ones that have had the fewest turns, and of these the smallest, in the order of submission where sizes
// are equal. A job waits until those about the lemmas of its document have had a turn, for
// it may need their proofs. While other jobs of its document wait, a job that takes long is put back
// after each of its turns; see Turns. Its methods may be called from any goroutine, also
// from the event function.
type Scheduler struct {
	events  func(Event)
	workers sync.WaitGroup
	courier sync.WaitGroup

	mu      sync.Mutex   // guards all below
	changed *sync.Cond   // queue, busy, outbox or closed have changed
	queue   []*task      // to be started; at most half of them have been cancelled
	dropped int          // those
	newest  map[ID]*task // of each slot, the last submitted one that is not done
	busy    map[ID]bool  // slots in which a job executes
	outbox  []Event      // not yet delivered, in order
	last    uint64
	lemmas  []*task // about lemmas, that have not had their first turn
	first   ID      // the preferred slot
	paused  int
	closed  bool
	drained bool // the workers have ended: no event will follow
}

// task is one run of a job.
type task struct {
	id      ID
	run     uint64
	job     Job
	ctx     context.Context
	cancel  context.CancelFunc
	turns   Turns
	reached Progress // in its last turn
	started bool
	dropped bool // cancelled while it waited; guarded by Scheduler.mu
}

// NewScheduler starts that many workers, at least one. It calls events from a
// goroutine of its own, one event at a time and in order; a report of progress
// that has not been delivered yet is replaced by the next one.
func NewScheduler(workers int, events func(Event)) *Scheduler {
	s := &Scheduler{events: events, newest: map[ID]*task{}, busy: map[ID]bool{}}
	s.changed = sync.NewCond(&s.mu)
	for range max(1, workers) {
		s.workers.Go(s.work)
	}
	s.courier.Go(s.deliver)
	return s
}

// Submit queues a job and returns the number of its run. A run that is queued
// or executing in the same slot is cancelled.
func (s *Scheduler) Submit(id ID, job Job) (run uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel(id)
	s.last++
	t := &task{id: id, run: s.last, job: job}
	t.turns.Waiting = func() bool { return s.othersWait(id) }
	t.ctx, t.cancel = context.WithCancel(context.Background())
	s.post(Event{ID: id, Run: t.run, State: Queued})
	if s.closed {
		s.finish(t)
		return t.run
	}
	s.newest[id] = t
	s.queue = append(s.queue, t)
	if id.Property.Kind == circuit.PropertyLemma {
		s.lemmas = append(s.lemmas, t)
	}
	s.changed.Broadcast()
	return t.run
}

// hadTurn ends the waiting for a lemma.
func (s *Scheduler) hadTurn(t *task) {
	if i := slices.Index(s.lemmas, t); i >= 0 {
		s.lemmas = slices.Delete(s.lemmas, i, i+1)
		s.changed.Broadcast()
	}
}

// endWait bounds the waiting for a lemma: its engine may have but one turn.
func (s *Scheduler) endWait(t *task, after time.Duration) {
	if slices.Contains(s.lemmas, t) {
		time.AfterFunc(after, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.hadTurn(t)
		})
	}
}

// awaitsLemma reports whether a task is to wait for the first turn of a lemma.
func (s *Scheduler) awaitsLemma(t *task) bool {
	return len(s.lemmas) > 0 && t.id.Property.Kind != circuit.PropertyLemma &&
		slices.ContainsFunc(s.lemmas, func(l *task) bool { return l.id.Document == t.id.Document })
}

// Prefer runs the job of a slot before the others that wait, until another slot
// is preferred.
func (s *Scheduler) Prefer(id ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.first = id
}

// Pause starts no job until the function that it returns is called. So of many cancelled
// jobs the last ones do not start, and of many submitted ones none starts before a lemma
// that it is to wait for.
func (s *Scheduler) Pause() (resume func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.paused--
		s.changed.Broadcast()
	}
}

// Cancel ends the run in a slot, if there is one. Its Done event follows.
func (s *Scheduler) Cancel(id ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel(id)
}

func (s *Scheduler) cancel(id ID) {
	t := s.newest[id]
	if t == nil {
		return
	}
	delete(s.newest, id)
	t.cancel()
	if !t.started {
		s.hadTurn(t)
		s.drop(t)
		s.finish(t)
	}
}

// drop takes a task out of the queue, together with others when there are enough of
// them: a file may have thousands.
func (s *Scheduler) drop(t *task) {
	t.dropped = true
	if s.dropped++; s.dropped > len(s.queue)/2 {
		s.queue = slices.DeleteFunc(s.queue, func(u *task) bool { return u.dropped })
		s.dropped = 0
	}
}

// end is for a task that has had its last turn.
func (t *task) end() {
	t.cancel()
	if end := t.job.Between.End; end != nil {
		end()
	}
}

// isReady reports whether a turn would end at once.
func (t *task) isReady() bool {
	ready := t.job.Between.Ready
	return ready != nil && ready()
}

// Close cancels all runs, waits until none executes and all events are
// delivered. It must not be called from the event function.
func (s *Scheduler) Close() {
	s.mu.Lock()
	s.closed = true
	for id := range s.newest {
		s.cancel(id)
	}
	s.changed.Broadcast()
	s.mu.Unlock()
	s.workers.Wait()
	s.mu.Lock()
	s.drained = true
	s.changed.Broadcast()
	s.mu.Unlock()
	s.courier.Wait()
}

// finish posts the Done event of a task that does not execute.
func (s *Scheduler) finish(t *task) {
	t.end()
	s.post(Event{ID: t.id, Run: t.run, State: Done, Result: Cancelled(t.job.Property, t.job.Engine.Name)})
}

func (s *Scheduler) post(e Event) {
	if n := len(s.outbox); e.State == Running && n > 0 {
		if last := &s.outbox[n-1]; last.Run == e.Run && last.State == Running {
			*last = e
			return
		}
	}
	s.outbox = append(s.outbox, e)
	s.changed.Broadcast()
}

func (s *Scheduler) deliver() {
	for {
		s.mu.Lock()
		for len(s.outbox) == 0 && !s.drained {
			s.changed.Wait()
		}
		batch := s.outbox
		s.outbox = nil
		s.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		for _, e := range batch {
			s.events(e)
		}
	}
}

func (s *Scheduler) work() {
	for {
		t := s.take()
		if t == nil {
			return
		}
		reported := false
		result, done := t.turns.Run(t.ctx, t.job, func(p Progress) {
			s.mu.Lock()
			if !reported {
				reported = true
				s.endWait(t, firstRemote)
			}
			s.post(Event{ID: t.id, Run: t.run, State: Running, Progress: p})
			s.mu.Unlock()
		})
		s.mu.Lock()
		delete(s.busy, t.id)
		s.hadTurn(t)
		switch {
		case done:
		case s.newest[t.id] != t:
			result = result.cancelled(t.job.Property)
		default:
			t.started, t.reached = false, result.Progress
			s.queue = append(s.queue, t)
			s.changed.Broadcast()
			s.mu.Unlock()
			continue
		}
		t.end()
		if s.newest[t.id] == t {
			delete(s.newest, t.id)
		}
		s.post(Event{ID: t.id, Run: t.run, State: Done, Progress: result.Progress, Result: result})
		s.changed.Broadcast()
		s.mu.Unlock()
	}
}

// take waits for the first queued task whose slot is not busy; nil when the
// scheduler is closed.
func (s *Scheduler) take() *task {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if i := s.next(); i >= 0 && (s.paused == 0 || s.closed) {
			t := s.queue[i]
			s.queue = slices.Delete(s.queue, i, i+1)
			t.started = true
			s.endWait(t, longestStart)
			s.busy[t.id] = true
			s.post(Event{ID: t.id, Run: t.run, State: Running, Progress: t.reached})
			return t
		}
		if s.closed {
			return nil
		}
		s.changed.Wait()
	}
}

// next returns the position in the queue of the task to start, or −1.
func (s *Scheduler) next() int {
	best := -1
	for i, t := range s.queue {
		switch {
		case t.dropped || s.busy[t.id] || s.awaitsLemma(t):
		case t.id == s.first || t.isReady():
			return i
		case best < 0 || t.compare(s.queue[best]) < 0:
			best = i
		}
	}
	return best
}

// compare orders tasks by when they are to be started, but for the order of submission.
func (t *task) compare(u *task) int {
	return cmp.Or(cmp.Compare(t.job.Rank, u.job.Rank), cmp.Compare(t.turns.taken, u.turns.taken), cmp.Compare(t.job.Size, u.job.Size))
}

// othersWait reports whether a job of the same document as one that executes waits, which
// is not preferred itself.
func (s *Scheduler) othersWait(id ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return id != s.first && slices.ContainsFunc(s.queue, func(t *task) bool {
		return !t.dropped && t.id.Document == id.Document
	})
}
