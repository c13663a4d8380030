package verify

import "sync"

// outbox delivers events from a goroutine of its own, one at a time and in the order in which they
// are posted. Its lock is the innermost: none is taken, and no event delivered, while it is held.
type outbox struct {
	events  func(Event)
	courier sync.WaitGroup

	mu      sync.Mutex // guards all below
	changed *sync.Cond // waiting or closed have changed
	waiting []Event    // not yet delivered, in order
	closed  bool       // no event will follow
}

func newOutbox(events func(Event)) *outbox {
	o := &outbox{events: events}
	o.changed = sync.NewCond(&o.mu)
	o.courier.Go(o.deliver)
	return o
}

// post adds an event to those to be delivered. A report of progress replaces the last of them where
// that is one of the same run.
func (o *outbox) post(e Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.waiting); e.State == Running && n > 0 {
		if last := &o.waiting[n-1]; last.Run == e.Run && last.State == Running {
			*last = e
			return
		}
	}
	o.waiting = append(o.waiting, e)
	o.changed.Broadcast()
}

// close waits until all events are delivered. It must not be called from the event function.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.changed.Broadcast()
	o.mu.Unlock()
	o.courier.Wait()
}

func (o *outbox) deliver() {
	for {
		o.mu.Lock()
		for len(o.waiting) == 0 && !o.closed {
			o.changed.Wait()
		}
		batch := o.waiting
		o.waiting = nil
		o.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		for _, e := range batch {
			o.events(e)
		}
	}
}
