package verify

import (
	"cmp"
	"context"
	"slices"

	"aiglens/circuit"
)

// task is one run of a job. The goroutine that executes it owns turns in the meantime.
type task struct {
	id      ID
	run     uint64
	job     Job
	ctx     context.Context
	cancel  context.CancelFunc
	turns   Turns
	reached Progress // in its last turn; guarded by Scheduler.mu
	started bool     // it does not wait; guarded by Scheduler.mu
	dropped bool     // cancelled while it waited; guarded by Scheduler.mu
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

// compare orders tasks by when they are to be started, but for the order of submission.
func (t *task) compare(u *task) int {
	return cmp.Or(cmp.Compare(t.job.Rank, u.job.Rank), cmp.Compare(t.turns.taken, u.turns.taken), cmp.Compare(t.job.Size, u.job.Size))
}

// queue knows which task is to be started next. Scheduler.mu guards it.
type queue struct {
	tasks     []*task     // to be started; at most half of them have been cancelled
	dropped   int         // those
	busy      map[ID]bool // slots in which a task executes
	lemmas    []*task     // about lemmas, that have not had their first turn
	preferred ID          // a slot
}

// submit adds a task that has had no turn.
func (q *queue) submit(t *task) {
	q.add(t)
	if t.id.Property.Kind == circuit.PropertyLemma {
		q.lemmas = append(q.lemmas, t)
	}
}

// add puts a task at the end.
func (q *queue) add(t *task) { q.tasks = append(q.tasks, t) }

// drop takes a task out of the queue, together with others when there are enough of
// them: a file may have thousands.
func (q *queue) drop(t *task) {
	t.dropped = true
	if q.dropped++; q.dropped > len(q.tasks)/2 {
		q.tasks = slices.DeleteFunc(q.tasks, func(u *task) bool { return u.dropped })
		q.dropped = 0
	}
}

// pop removes the task to start, whose slot is busy until it is released; nil when all are to
// wait.
func (q *queue) pop() *task {
	i := q.next()
	if i < 0 {
		return nil
	}
	t := q.tasks[i]
	q.tasks = slices.Delete(q.tasks, i, i+1)
	t.started = true
	q.busy[t.id] = true
	return t
}

// release lets other tasks have the slot of one that executes no longer.
func (q *queue) release(t *task) { delete(q.busy, t.id) }

// next returns the position of the task to start, or −1.
func (q *queue) next() int {
	best := -1
	for i, t := range q.tasks {
		switch {
		case t.dropped || q.busy[t.id] || q.awaitsLemma(t):
		case t.id == q.preferred || t.isReady():
			return i
		case best < 0 || t.compare(q.tasks[best]) < 0:
			best = i
		}
	}
	return best
}

// awaitsLemma reports whether a task is to wait for the first turn of a lemma.
func (q *queue) awaitsLemma(t *task) bool {
	return len(q.lemmas) > 0 && t.id.Property.Kind != circuit.PropertyLemma &&
		slices.ContainsFunc(q.lemmas, func(l *task) bool { return l.id.Document == t.id.Document })
}

// isAwaited reports whether others wait for the first turn of a task.
func (q *queue) isAwaited(t *task) bool { return slices.Contains(q.lemmas, t) }

// hadTurn ends the waiting for a lemma. It reports whether others did wait for it.
func (q *queue) hadTurn(t *task) bool {
	i := slices.Index(q.lemmas, t)
	if i < 0 {
		return false
	}
	q.lemmas = slices.Delete(q.lemmas, i, i+1)
	return true
}

// othersWait reports whether a task of the same document as one that executes waits, which
// is not preferred itself.
func (q *queue) othersWait(id ID) bool {
	return id != q.preferred && slices.ContainsFunc(q.tasks, func(t *task) bool {
		return !t.dropped && t.id.Document == id.Document
	})
}
