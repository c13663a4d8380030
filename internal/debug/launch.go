package debug

import (
	"context"
	"errors"
	"time"

	"github.com/google/go-dap"

	"aiglens/internal/thread"
)

// launch is the launch of a session: it reads a circuit and looks for a run on it, in a goroutine
// that hands back what it comes to. The goroutine of the session owns the rest.
type launch struct {
	client  *connection
	loaded  chan outcome       // of length 1
	notes   chan note          // of length 1
	request *dap.LaunchRequest // nil before one
	args    launchArguments
	cancel  context.CancelFunc // nil unless the launch is under way
	noted   bool               // a progress is shown
	notedAt time.Time
}

// outcome is what a launch comes to.
type outcome struct {
	t      *target
	err    error
	report string // path of that on a fault of this program
}

// note is what there is to say while a launch is under way.
type note struct{ property, message string }

// begin loads a run. report keeps a fault of this program and returns where.
func (l *launch) begin(ctx context.Context, m *dap.LaunchRequest, args launchArguments,
	load func(context.Context, launchArguments, progress) (*target, error), report func(where string, value any) string,
) {
	ctx, cancel := thread.WithCancel(ctx)
	l.request, l.args, l.cancel = m, args, cancel
	go func() {
		var found outcome
		defer func() {
			if value := recover(); value != nil {
				found = outcome{err: errors.New("internal error, please report it"), report: report("launch", value)}
			}
			l.loaded <- found
		}()
		found.t, found.err = load(ctx, args, func(property, message string) {
			select {
			case l.notes <- note{property, message}:
			default: // the next one says more
			}
		})
	}()
}

// progressID names the progress of the check in a launch; there is at most one.
const progressID = "check"

// progressPause is the least time between two words about a check.
const progressPause = 200 * time.Millisecond

// note tells how far the check of a launch has come.
func (l *launch) note(n note) {
	if l.cancel == nil || !l.client.SupportsProgressReporting {
		return
	}
	switch {
	case !l.noted:
		l.noted = true
		l.client.send(&dap.ProgressStartEvent{Event: event("progressStart"), Body: dap.ProgressStartEventBody{
			ProgressId: progressID, Title: "Looking for a counterexample", Message: n.property + ": " + n.message,
			RequestId: l.request.Seq, Cancellable: true,
		}})
	case time.Since(l.notedAt) < progressPause:
		return
	default:
		l.client.send(&dap.ProgressUpdateEvent{Event: event("progressUpdate"), Body: dap.ProgressUpdateEventBody{
			ProgressId: progressID, Message: n.property + ": " + n.message,
		}})
	}
	l.notedAt = time.Now()
}

// end ends the launch and the progress that is shown.
func (l *launch) end() {
	l.stop()
	if l.noted {
		l.noted = false
		l.client.send(&dap.ProgressEndEvent{Event: event("progressEnd"), Body: dap.ProgressEndEventBody{ProgressId: progressID}})
	}
}

// stop gives the launch up where it is under way.
func (l *launch) stop() {
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// isMeant reports whether a request to cancel is about the launch that is under way.
func (l *launch) isMeant(a dap.CancelArguments) bool {
	return l.cancel != nil && (a.ProgressId == progressID || a.RequestId == l.request.Seq)
}
