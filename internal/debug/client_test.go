package debug

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/google/go-dap"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// client speaks with a session over pipes, one request after the other.
type client struct {
	t      *testing.T
	in     io.WriteCloser
	out    *bufio.Reader
	ended  chan error
	seq    int
	events []dap.Message // since the last request
	log    *bytes.Buffer // what the session says of its own faults
}

func newClient(t *testing.T, o Options) *client {
	t.Helper()
	fromClient, in := io.Pipe()
	out, fromServer := io.Pipe()
	c := &client{t: t, in: in, out: bufio.NewReader(out), ended: make(chan error, 1), log: &bytes.Buffer{}}
	if o.Engine == nil {
		o.Engine = func() verify.Engine { return engines.IC3{Search: true}.Engine() }
	}
	o.Log = c.log
	go func() {
		err := Serve(context.Background(), fromClient, fromServer, o)
		fromServer.Close()
		c.ended <- err
	}()
	t.Cleanup(func() {
		in.Close()
		out.Close()
		if c.log.Len() > 0 {
			t.Errorf("the session reports: %s", c.log)
		}
	})
	return c
}

// read returns the next message of the session.
func (c *client) read() dap.Message {
	c.t.Helper()
	m, err := dap.ReadProtocolMessage(c.out)
	if err != nil {
		c.t.Fatalf("no message: %v", err)
	}
	return m
}

// request sends a request with arguments as JSON and returns the answer. Events before
// it are kept.
func (c *client) request(command, arguments string) dap.Message {
	c.t.Helper()
	c.seq++
	c.events = nil
	if arguments == "" {
		arguments = "{}"
	}
	c.raw(fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":%s}`, c.seq, command, arguments))
	for {
		m := c.read()
		r, isResponse := m.(dap.ResponseMessage)
		if !isResponse {
			c.events = append(c.events, m)
			continue
		}
		if got := r.GetResponse(); got.RequestSeq != c.seq || got.Command != command {
			c.t.Fatalf("answer to %d %s, want %d %s", got.RequestSeq, got.Command, c.seq, command)
		}
		return m
	}
}

func (c *client) raw(content string) {
	c.t.Helper()
	if err := dap.WriteBaseMessage(c.in, []byte(content)); err != nil {
		c.t.Fatal(err)
	}
}

// ask is request for an answer that is not an error.
func ask[T dap.Message](c *client, command, arguments string) T {
	c.t.Helper()
	m := c.request(command, arguments)
	answer, ok := m.(T)
	if !ok {
		c.t.Fatalf("%s %s: got %s", command, arguments, toJSON(m))
	}
	return answer
}

// refused is request for an answer that is an error, whose text it returns.
func (c *client) refused(command, arguments string) string {
	c.t.Helper()
	m := c.request(command, arguments)
	e, ok := m.(*dap.ErrorResponse)
	if !ok {
		c.t.Fatalf("%s %s: got %s, want an error", command, arguments, toJSON(m))
	}
	return e.Body.Error.Format
}

// move makes a request that moves the run and returns where it stops.
func (c *client) move(command, arguments string) dap.StoppedEventBody {
	c.t.Helper()
	c.request(command, arguments)
	return c.stopped()
}

// stopped returns the next stop; what comes before it is kept.
func (c *client) stopped() dap.StoppedEventBody {
	c.t.Helper()
	for {
		m := c.read()
		if s, ok := m.(*dap.StoppedEvent); ok {
			return s.Body
		}
		c.events = append(c.events, m)
	}
}

// launch starts a session on a circuit; more are further arguments as JSON.
func (c *client) launch(program, more string) {
	c.t.Helper()
	ask[*dap.InitializeResponse](c, "initialize", `{"adapterID":"aiglens","supportsVariableType":true}`)
	ask[*dap.LaunchResponse](c, "launch", launchJSON(program, more))
}

func launchJSON(program, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"program":%s%s}`, toJSON(program), more)
}

func toJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// evaluate returns the value of an expression in a context.
func (c *client) evaluate(text, context string) string {
	c.t.Helper()
	return ask[*dap.EvaluateResponse](c, "evaluate", fmt.Sprintf(`{"expression":%s,"context":%q}`, toJSON(text), context)).Body.Result
}

// top returns the first frame.
func (c *client) top() dap.StackFrame {
	c.t.Helper()
	return ask[*dap.StackTraceResponse](c, "stackTrace", `{"threadId":1,"levels":1}`).Body.StackFrames[0]
}

// variables returns those of a group in a frame by name: those in scopes, u1/q, and bits of
// words, too.
func (c *client) variables(frame int, group string) map[string]dap.Variable {
	c.t.Helper()
	found := map[string]dap.Variable{}
	for _, s := range ask[*dap.ScopesResponse](c, "scopes", fmt.Sprintf(`{"frameId":%d}`, frame)).Body.Scopes {
		if s.Name == group {
			c.collect(s.VariablesReference, "", found)
		}
	}
	return found
}

func (c *client) collect(reference int, path string, found map[string]dap.Variable) {
	c.t.Helper()
	for _, v := range ask[*dap.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d}`, reference)).Body.Variables {
		found[path+v.Name] = v
		switch {
		case v.VariablesReference == 0:
		case v.Value == "": // a scope
			c.collect(v.VariablesReference, path+v.Name+"/", found)
		default:
			c.collect(v.VariablesReference, path, found)
		}
	}
}

func example(name string) string { return filepath.Join("..", "..", "examples", name) }
