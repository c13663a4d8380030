package debug

import (
	"fmt"
	"io"
	"unicode/utf16"

	"github.com/google/go-dap"

	"aiglens/internal/source"
)

// connection writes to the client, and knows what the client says of itself. Positions are
// numbered as the client numbers them.
type connection struct {
	dap.InitializeRequestArguments // of the client; zero before it has said them

	out                    io.Writer
	seq                    int   // of the last message
	broken                 error // of out
	firstLine, firstColumn int   // numbers of the client's first line and column
}

func newConnection(out io.Writer) *connection {
	return &connection{out: out, firstLine: 1, firstColumn: 1}
}

// introduce keeps what the client says of itself.
func (c *connection) introduce(a dap.InitializeRequestArguments) {
	c.InitializeRequestArguments = a
	if !a.LinesStartAt1 {
		c.firstLine = 0
	}
	if !a.ColumnsStartAt1 {
		c.firstColumn = 0
	}
}

// send writes a message with the next number.
func (c *connection) send(m dap.Message) {
	c.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq = c.seq
	case dap.EventMessage:
		m.GetEvent().Seq = c.seq
	}
	if err := dap.WriteProtocolMessage(c.out, m); err != nil && c.broken == nil {
		c.broken = fmt.Errorf("the client cannot be reached: %w", err)
	}
}

// response returns the head of an answer.
func response(r *dap.Request) dap.Response {
	return dap.Response{ProtocolMessage: dap.ProtocolMessage{Type: "response"}, RequestSeq: r.Seq, Success: true, Command: r.Command}
}

func event(name string) dap.Event {
	return dap.Event{ProtocolMessage: dap.ProtocolMessage{Type: "event"}, Event: name}
}

// shownByClient are the requests whose errors the client shows by themselves. Those of others
// stand where their answers would: a hover over a word that means nothing is no message.
var shownByClient = map[string]bool{"launch": true, "restartFrame": true, "goto": true}

// fail answers a request with an error.
func (c *connection) fail(r *dap.Request, err error) {
	m := &dap.ErrorResponse{Response: response(r)}
	m.Success, m.Message = false, err.Error()
	m.Body.Error = &dap.ErrorMessage{Id: 1, Format: err.Error(), ShowUser: shownByClient[r.Command]}
	c.send(m)
}

func (c *connection) terminated() {
	c.send(&dap.TerminatedEvent{Event: event("terminated")})
}

// say writes to the client's console.
func (c *connection) say(category, format string, args ...any) {
	c.send(&dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{Category: category, Output: fmt.Sprintf(format, args...)}})
}

// column returns the client's column of an offset of a line: UTF-16 code units.
func (c *connection) column(text source.Text, offset int) int {
	start := text.LineStart(text.LineAt(offset))
	return c.firstColumn + len(utf16.Encode([]rune(text.Slice(source.SpanFromTo(start, offset)))))
}
