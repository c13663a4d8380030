package cluster

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"aiglens/ic3/verify"
)

// What a user learns of a server that does not do what it is asked: one line for each cause, at
// once or after times.slow, and again after a minute where it goes on.

// trouble is that with a server that the user knows of.
type trouble struct {
	mu        sync.Mutex              // guards all below
	fail      context.CancelCauseFunc // ends the set-up; nil after it
	forbidden map[string]bool         // what the user may not do
	warned    map[string]time.Time    // the other lines, and when they were written last
}

// sayAgain is the time between two lines about the same.
const sayAgain = time.Minute

// warn tells the user, now and then.
func (c *Conn) warn(text string) {
	f := &c.trouble
	f.mu.Lock()
	if f.warned == nil {
		f.warned = map[string]time.Time{}
	}
	at, isKnown := f.warned[text]
	isNew := !isKnown || time.Since(at) >= sayAgain
	if isNew {
		f.warned[text] = time.Now()
	}
	f.mu.Unlock()
	if isNew {
		c.opts.Warn(text)
	}
}

// handlers are what the library calls of itself.
func (c *Conn) handlers() []nats.Option {
	options := []nats.Option{
		nats.ReconnectHandler(func(*nats.Conn) { c.isBack() }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) { // of all others the calls learn
				c.isForbidden(err)
			}
		}),
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			switch {
			case c.opts.changed != nil:
				c.opts.changed()
			case !nc.IsClosed():
				c.opts.Warn(lostFor(err) + "; it is tried again, and checks wait")
			}
		}),
	}
	if c.opts.changed != nil {
		options = append(options, nats.ClosedHandler(func(*nats.Conn) { c.opts.changed() }))
	}
	return options
}

// endSetUp ends the set-up, whose context is that of fail. The error is what has been forbidden before;
// what is forbidden after it becomes a line.
func (f *trouble) endSetUp(within context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail = nil
	if err := context.Cause(within); errors.Is(err, nats.ErrPermissionViolation) {
		return err
	}
	return nil
}

// isForbidden notes what the user of the connection may not do: it has no other answer.
func (c *Conn) isForbidden(err error) {
	text := forbidden(err)
	f := &c.trouble
	f.mu.Lock()
	if f.fail != nil {
		f.fail(err)
		f.mu.Unlock()
		return
	}
	if f.forbidden == nil {
		f.forbidden = map[string]bool{}
	}
	isNew := !f.forbidden[text] && len(f.forbidden) < maxForbidden
	if isNew {
		f.forbidden[text] = true
	}
	f.mu.Unlock()
	if isNew {
		c.opts.Warn(text)
	}
}

// maxForbidden bounds the lines about permissions.
const maxForbidden = 20

// forbidden puts a violation of permissions into words; keys of checks and the like become *.
func forbidden(err error) string {
	found := regexp.MustCompile(`(Publish|Subscription) to "(\S+)"`).FindStringSubmatch(err.Error())
	if found == nil {
		return verify.OneLine(err.Error(), verify.MaxReason)
	}
	tokens := strings.Split(found[2], ".")
	if tokens[0] == "_INBOX" {
		tokens = []string{"_INBOX", ">"}
	}
	for i, t := range tokens {
		if isHash(t) {
			tokens[i] = "*"
		}
	}
	verb := map[string]string{"Publish": "publish", "Subscription": "subscribe"}[found[1]]
	return verify.OneLine(fmt.Sprintf("the server does not let this user %s to %s (docs/cluster.md lists the permissions)", verb, strings.Join(tokens, ".")), verify.MaxReason)
}

// awaits has the user learn that the server does not answer, unless the function that it returns
// is called soon. That the connection is lost is said elsewhere.
func (c *Conn) awaits(what string) (answered func()) {
	return c.afterLong(func() {
		if c.nc.IsConnected() {
			c.warn("the server of the cluster does not answer: it may be overloaded, or its disk full; " + what)
		}
	})
}

// afterLong calls a function after the time in which a server is expected to answer, unless the
// function that it returns is called before.
func (c *Conn) afterLong(say func()) (answered func()) {
	if c.opts.times.slow == 0 {
		return func() {}
	}
	timer := time.AfterFunc(c.opts.times.slow, say)
	return func() { timer.Stop() }
}

// refused tells the user, now and then, that the server takes nothing, which is tried again for
// as long as it is wanted.
func (c *Conn) refused(what string, err error) {
	if why, ok := errors.AsType[*jetstream.APIError](err); ok {
		c.warn(fmt.Sprintf("the server keeps no %s, it is tried again: %s", what, verify.OneLine(why.Description, verify.MaxReason)))
	}
}
