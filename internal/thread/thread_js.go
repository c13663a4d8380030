package thread

import (
	"context"
	"syscall/js"
	"time"
)

// every is how long work may keep the thread.
const every = 20 * time.Millisecond

// turns are those of messages and timers, for all contexts that are derived from one of them.
type turns struct{ last time.Time }

// turnsKey is the key of a context under which its *turns are.
type turnsKey struct{}

// Sharing returns a context that gives messages and timers their turn now and then when it is asked for its end.
func Sharing(ctx context.Context) context.Context {
	t, ok := ctx.Value(turnsKey{}).(*turns)
	if !ok {
		t = new(turns)
		ctx = context.WithValue(ctx, turnsKey{}, t)
	}
	return sharing{ctx, t}
}

type sharing struct {
	context.Context
	turns *turns
}

// Err implements context.Context.
func (c sharing) Err() error {
	if t := c.turns; time.Since(t.last) > every {
		t.last = time.Now() // what runs meanwhile does not ask for another turn
		share()
		t.last = time.Now()
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
