package queue

import "time"

// marked holds the marks that have not been sent.
type marked[K comparable, M any] struct {
	marks   map[K]M
	waiting []func() // for everything marked so far
}

func (q *marked[K, M]) mark(key K, mark M, merge func(old, new M) M) {
	if old, known := q.marks[key]; known {
		mark = merge(old, mark)
	}
	q.marks[key] = mark
}

// drain returns what to send now, the callers that have waited for that, and after how long
// to come back for the rest; 0 is never. While a caller waits for everything, everything is
// due.
func (q *marked[K, M]) drain(now time.Time, rest func(K, M, time.Time) time.Duration) (due map[K]M, waiting []func(), wait time.Duration) {
	waiting, q.waiting = q.waiting, nil
	due = map[K]M{}
	for key, mark := range q.marks {
		if left := rest(key, mark, now); left > 0 && len(waiting) == 0 {
			if wait == 0 || left < wait {
				wait = left
			}
			continue
		}
		due[key] = mark
		delete(q.marks, key)
	}
	return due, waiting, wait
}
