package verify

import (
	"context"
	"syscall/js"
	"time"
)

// yieldEvery is how long work may keep the only thread of a browser's worker before messages and timers have their turn.
const yieldEvery = 20 * time.Millisecond

// yielding returns a context that lets the browser have its turn now and then when work asks whether it is to end. What
// is slow asks for that all the time, and there is no other thread for messages meanwhile.
func yielding(ctx context.Context) context.Context { return &yieldingContext{ctx, time.Now()} }

type yieldingContext struct {
	context.Context
	last time.Time
}

// Err implements context.Context.
func (c *yieldingContext) Err() error {
	if now := time.Now(); now.Sub(c.last) > yieldEvery {
		yield()
		c.last = time.Now()
	}
	return c.Context.Err()
}

// yield returns when the browser has had its turn. A message to oneself comes back after those before it; a timer
// would be late by milliseconds.
func yield() {
	channel := js.Global().Get("MessageChannel").New()
	there, done := channel.Get("port1"), make(chan struct{})
	arrived := js.FuncOf(func(js.Value, []js.Value) any {
		close(done)
		return nil
	})
	defer arrived.Release()
	there.Set("onmessage", arrived)
	channel.Get("port2").Call("postMessage", nil)
	<-done
	there.Call("close")
}
