package lsp

import (
	"context"
	"fmt"
	"path"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"

	"aiglens/ic3/verify"
	"aiglens/lsp/ide"
)

// reportInterval is the shortest time between two reports of progress.
const reportInterval = 100 * time.Millisecond

// lensInterval is the shortest time between two refreshes of the code lenses,
// each of which makes the client ask again for every open document.
const lensInterval = 100 * time.Millisecond

// progress is the work-done progress of one file: one for all its checks,
// because a file can have a thousand. Reports replace each other until the
// client has been sent the one before.
type progress struct {
	token   protocol.ProgressToken
	total   int       // runs since it began
	last    time.Time // of the last report
	reports chan report
	end     chan struct{}
}

type report struct {
	message    string
	percentage uint32
}

// progressTokens numbers the tokens of the process.
var progressTokens atomic.Int32

func newProgress() *progress {
	return &progress{
		token:   protocol.String(fmt.Sprintf("aiglens/check/%d", progressTokens.Add(1))),
		reports: make(chan report, 1), end: make(chan struct{}),
	}
}

// put replaces a report that nobody has taken yet.
func (p *progress) put(r report) {
	select {
	case <-p.reports:
	default:
	}
	p.reports <- r
}

// startProgress begins the progress of a file, or counts one more check in it.
func (s *session) startProgress(f *file) {
	if !s.client.progress || s.survey != nil && s.survey.open[f] { // which has a progress of its own
		return
	}
	if f.progress == nil {
		p := newProgress()
		f.progress = p
		title := "Checking " + path.Base(f.name.Path())
		s.background(func(ctx context.Context) { s.showProgress(ctx, p, title) })
	}
	f.progress.total++
}

// updateProgress has a file's progress reported, once for all that happens
// meanwhile.
func (s *session) updateProgress(f *file) { s.progress[f] = true }

func (s *session) reportProgress() {
	for f := range s.progress {
		if f.progress != nil {
			f.report(f.progress)
		}
	}
	clear(s.progress)
	if s.survey != nil {
		s.survey.report()
	}
}

// report reports on a file's runs, and ends the progress with the last.
func (f *file) report(p *progress) {
	if f.active == 0 {
		close(p.end)
		f.progress = nil
		return
	}
	if now := time.Now(); now.Sub(p.last) >= reportInterval {
		p.last = now
	} else {
		return // the client would not be told of this one
	}
	var sum verify.Progress
	for _, c := range f.checks {
		if c.activity == ide.Checking {
			sum.Depth, sum.Bound = max(sum.Depth, c.report.Depth), max(sum.Bound, c.report.Bound)
			sum.Lemmas, sum.Obligations = sum.Lemmas+c.report.Lemmas, sum.Obligations+c.report.Obligations
		}
	}
	done := max(0, p.total-f.active)
	message := fmt.Sprintf("%d of %d · depth %d · %d lemmas · %d obligations", done, p.total, sum.Depth, sum.Lemmas, sum.Obligations)
	if sum.Bound > 0 {
		message += fmt.Sprintf(" · bound %d", sum.Bound)
	}
	r := report{message, uint32(100 * done / max(1, p.total))}
	p.put(r)
}

// showProgress runs the client's side of a progress. A client that refuses the
// token gets no progress.
func (s *session) showProgress(ctx context.Context, p *progress, title string) {
	create := &protocol.WorkDoneProgressCreateParams{Token: p.token}
	if err := protocol.Call(ctx, s.conn, protocol.MethodWindowWorkDoneProgressCreate, create, nil); err != nil {
		return
	}
	send := func(v any) {
		value, err := protocol.Marshal(v)
		if err == nil {
			s.notify(protocol.MethodProgress, &protocol.ProgressParams{Token: p.token, Value: value})
		}
	}
	yes, zero := true, uint32(0)
	send(&protocol.WorkDoneProgressBegin{Kind: "begin", Title: title, Cancellable: &yes, Percentage: &zero})
	defer send(&protocol.WorkDoneProgressEnd{Kind: "end"})
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.end:
			return
		case r := <-p.reports:
			send(&protocol.WorkDoneProgressReport{Kind: "report", Cancellable: &yes, Message: &r.message, Percentage: &r.percentage})
		}
		select {
		case <-ctx.Done():
			return
		case <-p.end:
			return
		case <-time.After(reportInterval):
		}
	}
}

// WorkDoneProgressCancel stops the checks of the file whose progress it is.
func (s *server) WorkDoneProgressCancel(_ context.Context, params *protocol.WorkDoneProgressCancelParams) error {
	s.owner.do(func() {
		if s.survey != nil && s.survey.progress != nil && s.survey.progress.token == params.Token {
			s.endSurvey()
		}
		for _, f := range s.files {
			if f.progress != nil && f.progress.token == params.Token {
				s.stopFile(f)
			}
		}
	})
	return nil
}

// askForLenses has the client ask for its code lenses again, soon.
func (s *session) askForLenses() {
	if s.client.refreshesLenses {
		signal(s.lenses)
	}
}

// signal wakes who waits on a channel with room for one signal.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// refreshLenses sends the refresh requests, one at a time. Every second one may come
// early, for the end of all checks of a file.
func (s *session) refreshLenses(ctx context.Context) {
	var early time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.lenses:
		}
		select {
		case <-s.settled: // which this refresh shows
		default:
		}
		// A client that fails to refresh asks again by itself at the next edit.
		_ = protocol.Call(ctx, s.conn, protocol.MethodWorkspaceCodeLensRefresh, nil, nil)
		settled := s.settled
		if time.Since(early) < lensInterval {
			settled = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-settled:
			early = time.Now()
		case <-time.After(lensInterval):
		}
	}
}
