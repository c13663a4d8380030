package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Cancel ends the checks, at work or in the queue, whose keys begin with one of the texts; all keys
// begin with "". Their askers learn by whom, and nodes then find them unwanted. It returns the keys.
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
	for subject := range jobs.State.Subjects { // also those that no asker wants
		keys = append(keys, subject[strings.LastIndexByte(subject, '.')+1:])
	}
	keys = slices.DeleteFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(key, b) })
	})
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for _, key := range keys {
		if err := c.cancel(ctx, key); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// cancel ends one check. Where no asker wants it there is only its message in the queue.
func (c *Conn) cancel(ctx context.Context, key string) error {
	within, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	_, err := c.nc.RequestWithContext(within, c.subject("cancel", key), []byte(c.opts.Name))
	if errors.Is(err, nats.ErrNoResponders) {
		return c.remove(within, key)
	}
	return err
}

// remove takes a check out of the queue.
func (c *Conn) remove(ctx context.Context, key string) (err error) {
	for _, l := range lanes {
		err = errors.Join(err, c.kept().jobs.Purge(ctx, jetstream.WithPurgeSubject(c.subject(l.purpose(), key))))
	}
	return errors.Join(err, c.kept().claims.Delete(ctx, key))
}
