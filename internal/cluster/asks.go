package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"aiglens/ic3/verify"
)

// What askers want: they answer on the subject PREFIX.asks, each with as many messages as it takes. What
// they say is for people, and nothing follows from it.

// Asking is what an asker wants of a cluster.
type Asking struct {
	Who     string `json:"who,omitempty"` // the user and the machine
	Program string `json:"program"`       // such as asker or editor
	// Checks are what it waits for, the oldest first.
	Checks []AskedCheck `json:"checks"`
}

// AskedCheck is a check that an asker waits for.
type AskedCheck struct {
	Key  string        `json:"key"`
	File string        `json:"file,omitempty"` // the last part of its path
	Age  time.Duration `json:"age"`            // since it was asked for, in nanoseconds
}

func (a *Asking) validate() error {
	a.Who, a.Program = verify.OneLine(a.Who, maxWho), verify.OneLine(a.Program, maxName)
	if len(a.Checks) > maxChecks {
		return fmt.Errorf("%w: %d checks of %s", errMessage, len(a.Checks), a.Who)
	}
	for i := range a.Checks {
		c := &a.Checks[i]
		if !isHash(c.Key) || c.Age < 0 {
			return fmt.Errorf("%w: the check %.64q of %s", errMessage, c.Key, a.Who)
		}
		c.File = verify.OneLine(c.File, maxWho)
	}
	return nil
}

// Bounds of one message, so that it has less than maxMessage.
const (
	maxWho    = 100 // bytes
	maxChecks = 64
)

// surveyed is how long askers may take to say what they want.
const surveyed = 500 * time.Millisecond

type aboutKey struct{}

// About returns an engine of an asker whose checks are about a file, for a status.
func About(e verify.Engine, file string) verify.Engine {
	file = filepath.Base(file)
	check := e.Check
	e.Check = func(ctx context.Context, t verify.Task) verify.Report {
		return check(context.WithValue(ctx, aboutKey{}, file), t)
	}
	if e.Alone != nil {
		e.Alone = new(About(*e.Alone, file))
	}
	return e
}

// open is a question of an asker that has not ended.
type open struct {
	key, file string
	asked     time.Time
}

// opens notes a question, until the function that it returns is called.
func (a *Asker) opens(ctx context.Context, key string) (ended func()) {
	a.answering.Do(func() {
		_, _ = a.nc.Subscribe(a.prefix+".asks", a.saysWhat) // without it a status lacks this asker
	})
	file, _ := ctx.Value(aboutKey{}).(string)
	o := &open{key, file, time.Now()}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asks[o] = true
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.asks, o)
	}
}

// saysWhat answers what the asker wants.
func (a *Asker) saysWhat(m *nats.Msg) {
	var all []AskedCheck
	a.mu.Lock()
	for o := range a.asks {
		all = append(all, AskedCheck{o.key, verify.OneLine(o.file, maxWho), time.Since(o.asked)})
	}
	a.mu.Unlock()
	for checks := range slices.Chunk(all, maxChecks) {
		text, err := json.Marshal(Asking{verify.OneLine(a.opts.Who, maxWho), a.opts.Name, checks})
		if err == nil {
			_ = m.Respond(text)
		}
	}
}

// survey asks all askers what they want. The function that it returns gives what has come, and ends it.
func (c *Conn) survey() (come func() []Asking, err error) {
	messages := make(chan *nats.Msg, maxStatusJobs/maxChecks)
	inbox := c.nc.NewInbox()
	listening, err := c.nc.ChanSubscribe(inbox, messages)
	if err != nil {
		return nil, err
	}
	if err := c.nc.PublishRequest(c.prefix+".asks", inbox, nil); err != nil {
		return nil, err
	}
	return func() []Asking {
		_ = listening.Unsubscribe()
		by := map[[2]string]*Asking{}
		for len(messages) > 0 {
			var part Asking
			if read((<-messages).Data, &part) != nil {
				continue
			}
			name := [2]string{part.Who, part.Program}
			if all := by[name]; all != nil {
				all.Checks = append(all.Checks, part.Checks...)
			} else {
				by[name] = &part
			}
		}
		askers := []Asking{}
		for _, a := range by {
			slices.SortFunc(a.Checks, func(x, y AskedCheck) int {
				return cmp.Or(cmp.Compare(y.Age, x.Age), strings.Compare(x.Key, y.Key))
			})
			askers = append(askers, *a)
		}
		slices.SortFunc(askers, func(x, y Asking) int {
			return cmp.Or(strings.Compare(x.Who, y.Who), strings.Compare(x.Program, y.Program))
		})
		return askers
	}, nil
}
