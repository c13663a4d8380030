package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Cancel ends the checks, at work or in the queue, whose keys begin with one of the texts; all keys
// begin with "". Their askers learn by whom, and nodes then find them unwanted. It returns the keys; an
// error is about others.
func (c *Conn) Cancel(ctx context.Context, beginnings []string) (keys []string, err error) {
	asked, err := c.survey()
	if err != nil {
		return nil, err
	}
	jobs, err := c.kept().jobs.Info(ctx, jetstream.WithSubjectFilter(c.prefix+".>"))
	pause(ctx, surveyed)
	for _, a := range asked() { // also those whose answer is being checked
		for _, check := range a.Checks {
			keys = append(keys, check.Key)
		}
	}
	if err != nil {
		return nil, err
	}
	queued := map[string]bool{}
	for subject := range jobs.State.Subjects { // also those that no asker wants
		key := subject[strings.LastIndexByte(subject, '.')+1:]
		queued[key] = true
		keys = append(keys, key)
	}
	keys = slices.DeleteFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(key, b) })
	})
	slices.Sort(keys)
	keys = slices.Compact(keys)
	var done, unwanted, silent []string
	for i, failure := range c.tellAskers(ctx, keys) {
		switch key := keys[i]; {
		case failure == nil:
			done = append(done, key)
		case errors.Is(failure, nats.ErrNoResponders):
			if queued[key] { // else it has ended, if there ever was such a check
				unwanted = append(unwanted, key)
			}
		case errors.Is(failure, context.DeadlineExceeded) && ctx.Err() == nil:
			silent = append(silent, fmt.Sprintf("%.12s", key))
		default:
			err = failure
		}
	}
	for _, key := range unwanted {
		if err == nil {
			err = c.remove(ctx, key)
		}
		if err == nil {
			done = append(done, key)
		}
	}
	slices.Sort(done)
	if n := len(silent); n > 0 {
		if n > maxSilent {
			silent = append(silent[:maxSilent], fmt.Sprintf("%d more", n-maxSilent))
		}
		err = errors.Join(err, fmt.Errorf("not cancelled, for no asker has answered: %s", strings.Join(silent, ", ")))
	}
	return done, err
}

// tellAskers cancels what askers want. It returns the error for each key. An asker that does not answer
// holds up no other.
func (c *Conn) tellAskers(ctx context.Context, keys []string) []error {
	ends := make([]error, len(keys))
	free := make(chan struct{}, toldAtOnce)
	var all sync.WaitGroup
	for i, key := range keys {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			within, stop := context.WithTimeout(ctx, callTime)
			defer stop()
			_, ends[i] = c.nc.RequestWithContext(within, c.subject("cancel", key), []byte(c.opts.Name))
		})
	}
	all.Wait()
	return ends
}

// toldAtOnce is for how many checks an answer may be awaited: one asker that is stopped can have many.
const toldAtOnce = 1000

// maxSilent is how many keys without an answer an error names.
const maxSilent = 20

// remove takes a check out of the queue.
func (c *Conn) remove(ctx context.Context, key string) (err error) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	for _, l := range lanes {
		err = errors.Join(err, c.removeJobs(ctx, c.subject(l.purpose(), key)))
	}
	return errors.Join(err, c.kept().claims.Delete(ctx, key))
}

// removeJobs deletes the messages on a subject, one after the other: when the server purges a subject it
// forgets that a node has given back others.
func (c *Conn) removeJobs(ctx context.Context, subject string) error {
	jobs := c.kept().jobs
	for refused := uint64(0); ; {
		m, err := jobs.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err == nil {
			err = jobs.DeleteMsg(ctx, m.Sequence)
		}
		switch {
		case err == nil:
		case errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) && m.Sequence != refused: // a node has ended it in between
			refused = m.Sequence
		default: // also where it is still there: the server refuses for good
			return err
		}
	}
}
