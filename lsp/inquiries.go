package lsp

import (
	"context"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/design/comparison"
)

// inquiries owns the questions that take long and are no checks: comparisons, searches,
// reductions.
type inquiries struct {
	*core
	publishing *publishing
	isQuiet    func() bool // whether no check is under way; of the queue of core
	desk       *comparison.Desk
	reductions *comparison.Desk                 // for the turns
	reaches    *comparison.Desk                 // for the turns
	running    map[*progress]context.CancelFunc // what ends the work that is shown there
}

func newInquiries(c *core, pub *publishing, isQuiet func() bool) *inquiries {
	return &inquiries{
		core: c, publishing: pub, isQuiet: isQuiet,
		desk: comparison.NewDesk(), reductions: comparison.NewDesk(), reaches: comparison.NewDesk(), running: map[*progress]context.CancelFunc{},
	}
}

// quietPoll is how often it is looked whether checks are under way, for those who wait until
// there is none.
const quietPoll = 100 * time.Millisecond

// whenQuiet returns when no check is under way. The error is that of ctx.
func (q *inquiries) whenQuiet(ctx context.Context) error {
	tick := time.NewTicker(quietPoll)
	defer tick.Stop()
	for {
		quiet := true
		q.queue.Do(func() {
			quiet = q.isQuiet()
		})
		if quiet {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// asideDelay is how long work may take before the client is shown its progress.
const asideDelay = 500 * time.Millisecond

// run does work for a request that may take long. Where it does the client is shown a
// progress under a title, with what work shows, and the user can end it there: the request
// counts as cancelled then. An error of work is told to the user.
func (q *inquiries) run(ctx context.Context, title string, work func(ctx context.Context, show func(string)) error) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	var p *progress
	over := false
	begin := time.AfterFunc(asideDelay, func() {
		q.post(func() {
			if !over && q.client.progress {
				p = q.publishing.newProgress(title)
				q.running[p] = end
			}
		})
	})
	defer func() {
		begin.Stop()
		q.queue.Do(func() {
			over = true
			if p != nil {
				p.end()
				delete(q.running, p)
			}
		})
	}()
	last := time.Time{}
	err := work(ctx, func(message string) {
		now := time.Now()
		if now.Sub(last) < reportInterval {
			return
		}
		last = now
		q.post(func() {
			if p != nil {
				p.put(report{message: message})
			}
		})
	})
	switch {
	case ctx.Err() != nil:
		return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled), "cancelled")
	case err != nil:
		return refused(err)
	}
	return nil
}
