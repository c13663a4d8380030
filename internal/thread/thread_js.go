package thread

import (
	"context"
	"syscall/js"
	"time"
)

// every is how long work may keep the thread.
const every = 20 * time.Millisecond

// last is when messages and timers had their turn. It belongs to the thread, of which there is one, and so to no context.
var last time.Time

// Sharing returns a context that gives messages and timers their turn now and then when it is asked for its end.
func Sharing(ctx context.Context) context.Context { return sharing{ctx} }

type sharing struct{ context.Context }

// Err implements context.Context.
func (c sharing) Err() error {
	if time.Since(last) > every {
		last = time.Now() // what runs meanwhile does not ask for another turn
		share()
		last = time.Now()
	}
	return c.Context.Err()
}

// share returns when the browser has had its turn. A message to oneself comes back after those before it; a timer
// would be late by milliseconds.
func share() {
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
