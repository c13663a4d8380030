package portfolio

import (
	"slices"
	"sync"

	"aiglens/ic3"
)

// Hub carries lemmas between runs in one process: what one publishes all others receive, also
// those that join later. How many of them a run adds is for its engine to decide.
type Hub struct {
	mu        sync.Mutex // guards all below
	ends      []*end
	published lemmas // by all ends
}

// lemmas are the newest of those that were added, at most maxWaiting.
type lemmas []ic3.Lemma

// maxWaiting bounds the lemmas that wait for a run; of more, the oldest are lost.
const maxWaiting = 1 << 12

func (all *lemmas) add(l ic3.Lemma) {
	if len(*all) == maxWaiting {
		*all = append((*all)[:0], (*all)[maxWaiting/2:]...)
	}
	*all = append(*all, l)
}

// Join returns the end of one more run. Its methods may be called from any goroutine.
func (h *Hub) Join() ic3.Exchange {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := &end{hub: h, waiting: slices.Clone(h.published)}
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
	waiting lemmas // guarded by the hub
}

// Publish implements ic3.Exchange.
func (e *end) Publish(l ic3.Lemma) {
	e.hub.mu.Lock()
	defer e.hub.mu.Unlock()
	e.hub.published.add(l)
	for _, other := range e.hub.ends {
		if other != e {
			other.waiting.add(l)
		}
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
