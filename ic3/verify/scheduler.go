package verify

import (
	"context"
	"sync"
	"time"

	"aiglens/circuit"
	"aiglens/internal/thread"
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

// Scheduler runs jobs in the background, a limited number at once. The job of the preferred slot
// and those whose next turn is Ready come first, then those of the lowest rank. Of these the
// ones with the fewest turns come first, then the smallest, then those that were submitted
// first. A job waits until those about the lemmas of its document have had a turn, because
// it may need their proofs. While other jobs of its document wait, a job that takes long is put back
// after each of its turns; see Turns. Its methods may be called from any goroutine, also
// from the event function.
type Scheduler struct {
	ctx     context.Context // the parent of those of runs; it never ends
	workers sync.WaitGroup
	outbox  *outbox // posted to while mu is held: events have the order of what they tell

	mu      sync.Mutex   // guards all below
	changed *sync.Cond   // queue, paused or closed have changed
	queue   queue        // of the tasks that wait
	newest  map[ID]*task // of each slot, the last submitted one that is not done
	last    uint64       // number of the last run
	paused  int          // by how many callers
	closed  bool
}

// NewScheduler starts the workers, at least one. It calls events from a
// goroutine of its own, one event at a time and in order; a report of progress
// that has not been delivered yet is replaced by the next one. Runs have the values of ctx, but do not
// end with it: Cancel and Close end them.
func NewScheduler(ctx context.Context, workers int, events func(Event)) *Scheduler {
	s := &Scheduler{ctx: context.WithoutCancel(ctx), outbox: newOutbox(events), queue: queue{busy: map[ID]bool{}}, newest: map[ID]*task{}}
	s.changed = sync.NewCond(&s.mu)
	for range max(1, workers) {
		s.workers.Go(s.work)
	}
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
	t.turns.Waiting = func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.queue.othersWait(id)
	}
	t.ctx, t.cancel = thread.WithCancel(s.ctx)
	s.outbox.post(Event{ID: id, Run: t.run, State: Queued})
	if s.closed {
		s.finish(t)
		return t.run
	}
	s.newest[id] = t
	s.queue.submit(t)
	s.changed.Broadcast()
	return t.run
}

// hadTurn ends the waiting for a lemma.
func (s *Scheduler) hadTurn(t *task) {
	if s.queue.hadTurn(t) {
		s.changed.Broadcast()
	}
}

// endWait bounds the waiting for a lemma: its engine may have but one turn.
func (s *Scheduler) endWait(t *task, after time.Duration) {
	if s.queue.isAwaited(t) {
		time.AfterFunc(after, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.hadTurn(t)
		})
	}
}

// Prefer runs the job of a slot before the others that wait, until another slot
// is preferred.
func (s *Scheduler) Prefer(id ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.preferred = id
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
		s.queue.drop(t)
		s.finish(t)
	}
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
	s.outbox.close()
}

// finish posts the Done event of a task that does not execute.
func (s *Scheduler) finish(t *task) {
	t.end()
	s.outbox.post(Event{ID: t.id, Run: t.run, State: Done, Result: Cancelled(t.job.Property, t.job.Engine.Name)})
}

func (s *Scheduler) work() {
	for {
		t := s.next()
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
			s.outbox.post(Event{ID: t.id, Run: t.run, State: Running, Progress: p})
			s.mu.Unlock()
		})
		s.mu.Lock()
		s.queue.release(t)
		s.hadTurn(t)
		switch {
		case done:
		case s.newest[t.id] != t:
			result = result.cancelled(t.job.Property)
		default:
			t.started, t.reached = false, result.Progress
			s.queue.add(t)
			s.changed.Broadcast()
			s.mu.Unlock()
			continue
		}
		t.end()
		if s.newest[t.id] == t {
			delete(s.newest, t.id)
		}
		s.outbox.post(Event{ID: t.id, Run: t.run, State: Done, Progress: result.Progress, Result: result})
		s.changed.Broadcast()
		s.mu.Unlock()
	}
}

// next waits for the first queued task whose slot is not busy; nil when the
// scheduler is closed.
func (s *Scheduler) next() *task {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.paused == 0 || s.closed {
			if t := s.queue.pop(); t != nil {
				s.endWait(t, longestStart)
				s.outbox.post(Event{ID: t.id, Run: t.run, State: Running, Progress: t.reached})
				return t
			}
		}
		if s.closed {
			return nil
		}
		s.changed.Wait()
	}
}
