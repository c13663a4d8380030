package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"aiglens/lsp/queue"
)

// logLines are lines of the log for the client. Of many that come while it does not read
// the first are kept, and how many more there were.
type logLines struct {
	lines   []protocol.LogMessageParams
	dropped int
}

const maxLogLines = 100

func (l logLines) with(more logLines) logLines {
	fit := min(len(more.lines), maxLogLines-len(l.lines))
	return logLines{append(l.lines, more.lines[:fit]...), l.dropped + more.dropped + len(more.lines) - fit}
}

// newLogSender returns what sends the log to the client.
func newLogSender(c *core) *queue.Sender[struct{}, logLines] {
	return queue.NewSender(queue.SenderConfig[struct{}, logLines]{
		Merge: logLines.with,
		Send: func(ctx context.Context, _ struct{}, l logLines) {
			for _, line := range l.lines {
				c.deliver(ctx, protocol.MethodWindowLogMessage, &line)
			}
			if l.dropped > 0 {
				c.deliver(ctx, protocol.MethodWindowLogMessage, &protocol.LogMessageParams{
					Type: protocol.MessageTypeWarning, Message: fmt.Sprintf("%d more lines are in the log on standard error", l.dropped),
				})
			}
		},
	})
}
