package lsp

import (
	"context"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/lsp/inquiries"
)

// inquiryDelay is how long an inquiry may take before the client is shown its progress.
const inquiryDelay = 500 * time.Millisecond

// newInquiries returns the queue of what clients ask for that takes long and is not a check.
func newInquiries(c *core, pub *publishing, isQuiet func() bool) *inquiries.Queue {
	return inquiries.New(inquiries.Config{
		Post: c.post, Do: func(f func()) { c.queue.Do(f) }, IsQuiet: isQuiet, Delay: inquiryDelay, Rest: reportInterval,
		Begin: func(title string, cancel func()) inquiries.Progress {
			if p := pub.newProgress(title, cancel); p != nil {
				return p
			}
			return nil
		},
	})
}

// inquire works on an inquiry for a request. The user is told of an error of work.
func (s *session) inquire(ctx context.Context, i inquiries.Inquiry, work func(ctx context.Context, say func(string)) error) error {
	switch err := s.inquiries.Run(ctx, i, work); err {
	case nil:
		return nil
	case inquiries.ErrCancelled:
		return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled), "cancelled")
	default:
		return refused(err)
	}
}
