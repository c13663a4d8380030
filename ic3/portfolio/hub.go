package portfolio

import (
	"slices"
	"sync"

	"aiglens/ic3"
)

// Hub carries lemmas between runs in one process: what one publishes all others receive.
type Hub struct {
	mu   sync.Mutex // guards all below
	ends []*end
}

// maxWaiting bounds the lemmas that wait for a run; of more, the oldest are lost.
const maxWaiting = 1 << 12

// Join returns the end of one more run. Its methods may be called from any goroutine.
func (h *Hub) Join() ic3.Exchange {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := &end{hub: h}
	h.ends = append(h.ends, e)
	return e
}

// Leave takes an end out that Join has returned: nothing waits for it any more.
func (h *Hub) Leave(x ic3.Exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ends = slices.DeleteFunc(h.ends, func(e *end) bool { return x == e })
}

// end is an ic3.Exchange.
type end struct {
	hub     *Hub
	waiting []ic3.Lemma // guarded by the hub
}

// Publish implements ic3.Exchange.
func (e *end) Publish(l ic3.Lemma) {
	e.hub.mu.Lock()
	defer e.hub.mu.Unlock()
	for _, other := range e.hub.ends {
		if other == e {
			continue
		}
		if len(other.waiting) == maxWaiting {
			other.waiting = append(other.waiting[:0], other.waiting[maxWaiting/2:]...)
		}
		other.waiting = append(other.waiting, l)
	}
}

// Receive implements ic3.Exchange.
func (e *end) Receive() []ic3.Lemma {
	e.hub.mu.Lock()
	defer e.hub.mu.Unlock()
	waiting := e.waiting
	e.waiting = nil
	return waiting
}
