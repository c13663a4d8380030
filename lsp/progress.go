package lsp

import (
	"context"
	"fmt"
	"path"
	"time"

	"go.lsp.dev/protocol"

	"aiglens/design/answers"
	"aiglens/internal/thread"
	"aiglens/lsp/ide"
	"aiglens/lsp/queue"
)

// reportInterval is the shortest time between two reports of progress.
const reportInterval = 100 * time.Millisecond

// progress is the work-done progress of one file: one for all its checks,
// because a file can have a thousand. Reports replace each other until the
// client has been sent the one before.
type progress struct {
	token   protocol.ProgressToken
	total   int       // runs since it began
	last    time.Time // of the last report
	reports *queue.Sender[struct{}, report]
	ctx     context.Context // of the client's side
	end     func()          // ends the client's side; of the queue
}

type report struct {
	message    string
	percentage uint32
}

// newProgress returns a progress that the client is shown under a title, and from which the
// user can have cancel called; nil for a client that shows none.
func (pub *publishing) newProgress(title string, cancel func()) *progress {
	if !pub.client.progress {
		return nil
	}
	pub.progresses++
	p := &progress{token: protocol.String(fmt.Sprintf("aiglens/check/%d", pub.progresses))}
	ctx, stop := thread.WithCancel(pub.ctx)
	p.ctx = ctx
	p.end = func() {
		stop()
		delete(pub.running, p.token)
	}
	pub.running[p.token] = cancel
	var sent time.Time // of the sender
	p.reports = queue.NewSender(queue.SenderConfig[struct{}, report]{
		Merge: func(_, new report) report { return new },
		Rest:  func(_ struct{}, _ report, now time.Time) time.Duration { return reportInterval - now.Sub(sent) },
		Send: func(_ context.Context, _ struct{}, r report) {
			yes := true
			pub.sendProgress(p.ctx, p, &protocol.WorkDoneProgressReport{Kind: "report", Cancellable: &yes, Message: &r.message, Percentage: &r.percentage})
			sent = time.Now()
		},
	})
	pub.background(func(context.Context) { pub.showProgress(p, title) })
	return p
}

// Say is put for what has no share.
func (p *progress) Say(message string) { p.put(report{message: message}) }

// End ends it.
func (p *progress) End() { p.end() }

// put replaces a report that has not been sent yet.
func (p *progress) put(r report) { p.reports.Mark(struct{}{}, r) }

// startProgress begins the progress of a file, whose checks cancel ends, or counts one more
// check in it.
func (pub *publishing) startProgress(f *file, cancel func()) {
	if f.shown.progress == nil {
		f.shown.progress = pub.newProgress("Checking "+path.Base(f.name.Path()), cancel)
	}
	if p := f.shown.progress; p != nil {
		p.total++
	}
}

// updateProgress has a file's progress reported, once for all that happens
// meanwhile.
func (pub *publishing) updateProgress(f *file) { pub.behind[f] = true }

func (pub *publishing) reportProgress() {
	for f := range pub.behind {
		if f.shown.progress != nil {
			f.report(f.shown.progress)
		}
	}
	clear(pub.behind)
}

// report reports on a file's runs, and ends the progress with the last.
func (f *file) report(p *progress) {
	active := f.checks.Active()
	if active == 0 {
		p.end()
		f.shown.progress = nil
		return
	}
	if now := time.Now(); now.Sub(p.last) >= reportInterval {
		p.last = now
	} else {
		return // the client would not be told of this one
	}
	sum := f.checks.Progress()
	done := max(0, p.total-active)
	message := fmt.Sprintf("%d of %d · depth %d · %s · %s", done, p.total, sum.Depth,
		answers.Count(sum.Lemmas, "lemma", "lemmas"), answers.Count(sum.Obligations, "obligation", "obligations"))
	if sum.Bound > 0 {
		message += fmt.Sprintf(" · bound %d", sum.Bound)
	}
	message += ide.Elsewhere(sum)
	p.put(report{message, uint32(100 * done / max(1, p.total))})
}

// maxCreating is the number of progresses that may wait for the client to take them.
const maxCreating = 100

// showProgress runs the client's side of a progress. A client that refuses the
// token, or has not answered for others, gets no progress.
func (pub *publishing) showProgress(p *progress, title string) {
	if pub.creating.Add(1) > maxCreating {
		pub.creating.Add(-1)
		return
	}
	create := &protocol.WorkDoneProgressCreateParams{Token: p.token}
	err := protocol.Call(pub.ctx, pub.conn, protocol.MethodWindowWorkDoneProgressCreate, create, nil)
	pub.creating.Add(-1)
	if err != nil {
		return
	}
	yes, zero := true, uint32(0)
	pub.sendProgress(pub.ctx, p, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: title, Cancellable: &yes, Percentage: &zero})
	defer pub.sendProgress(pub.ctx, p, &protocol.WorkDoneProgressEnd{Kind: "end"})
	p.reports.Run(p.ctx)
}

func (pub *publishing) sendProgress(ctx context.Context, p *progress, v any) {
	if value, err := protocol.Marshal(v); err == nil {
		pub.deliver(ctx, protocol.MethodProgress, &protocol.ProgressParams{Token: p.token, Value: value})
	}
}

// WorkDoneProgressCancel ends the work whose progress it is.
func (s *server) WorkDoneProgressCancel(_ context.Context, params *protocol.WorkDoneProgressCancelParams) error {
	s.queue.Do(func() {
		if end := s.publishing.running[params.Token]; end != nil {
			end()
		}
	})
	return nil
}
