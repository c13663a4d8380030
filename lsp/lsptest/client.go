// Package lsptest is an editor for tests: it speaks to a server, in this process or
// in one of its own, over a pipe in raw JSON, answers what the server asks, keeps its
// own copy of each text, and checks every message that it receives against the rules
// of the protocol.
package lsptest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"aiglens/internal/thread"
)

// patience is how long a test waits for something that must come.
const patience = time.Minute

// Message is a message from the server, or the answer to one of ours.
type Message struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
	At     time.Time       `json:"-"` // when it was received
}

// Error is an error answer.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// Client is an editor.
type Client struct {
	t      testing.TB
	in     io.WriteCloser
	done   chan struct{} // closed when the server has returned
	failed error         // what it returned

	// Settings answers workspace/configuration. Set before Initialize.
	Settings any
	// Refuses makes the client answer every request of the server with an error.
	// Set before Initialize.
	Refuses bool
	// Replies are answers to requests of the server, by method. Set before Initialize.
	Replies map[string]any

	writing sync.Mutex

	mu       sync.Mutex
	changed  chan struct{}      // closed and replaced at each message
	received []Message          // requests and notifications of the server; guarded by mu
	answers  map[string]Message // by id; guarded by mu
	asked    map[string]string  // method by id; guarded by mu
	paused   chan struct{}      // closed when reading may go on; nil is the same; guarded by mu
	next     int                // guarded by mu
}

// Start runs a server and connects to it. The server ends with the test.
func Start(t testing.TB, serve func(ctx context.Context, in io.Reader, out io.Writer) error) *Client {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	ctx, cancel := thread.WithCancel(context.Background())
	c := connect(t, in)
	go func() {
		c.failed = serve(ctx, toServer, fromServer)
		fromServer.Close()
		close(c.done)
	}()
	go c.read(out)
	t.Cleanup(func() {
		c.end(cancel)
		cancel()
	})
	return c
}

// StartCommand runs a server in a process of its own and connects to it. It ends
// with the test; Wait returns how.
func StartCommand(t testing.TB, server *exec.Cmd) *Client {
	t.Helper()
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	c := connect(t, in)
	go func() {
		c.read(out)
		c.failed = server.Wait()
		close(c.done)
	}()
	t.Cleanup(func() { c.end(func() { _ = server.Process.Kill() }) })
	return c
}

func connect(t testing.TB, in io.WriteCloser) *Client {
	return &Client{t: t, in: in, done: make(chan struct{}), changed: make(chan struct{}),
		answers: map[string]Message{}, asked: map[string]string{}}
}

// end closes the server's input and waits for its end, which kill brings about
// when it does not come.
func (c *Client) end(kill func()) {
	c.in.Close()
	select {
	case <-c.done:
	case <-time.After(patience):
		c.t.Error("the server does not end with its input")
		kill()
	}
}

// Initialize does the handshake and returns the server's capabilities.
func (c *Client) Initialize(capabilities, options any) map[string]any {
	c.t.Helper()
	var result struct{ Capabilities map[string]any }
	c.MustCall("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": capabilities, "initializationOptions": options,
	}, &result)
	c.Notify("initialized", map[string]any{})
	return result.Capabilities
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	c.t.Helper()
	c.write(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Send sends a request and returns its id.
func (c *Client) Send(method string, params any) int {
	c.t.Helper()
	c.mu.Lock()
	c.next++
	id := c.next
	c.asked[strconv.Itoa(id)] = method
	c.mu.Unlock()
	c.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return id
}

// Answer waits for the answer to a request.
func (c *Client) Answer(id int) Message {
	c.t.Helper()
	return c.AnswerTo(strconv.Itoa(id))
}

// AnswerTo waits for the answer with an id, as JSON.
func (c *Client) AnswerTo(id string) Message {
	c.t.Helper()
	var m Message
	c.await("the answer to request "+id, func() bool {
		var ok bool
		m, ok = c.answers[id]
		return ok
	})
	return m
}

// Call sends a request, waits, and decodes the result.
func (c *Client) Call(method string, params, result any) error {
	c.t.Helper()
	m := c.Answer(c.Send(method, params))
	if m.Error != nil {
		return m.Error
	}
	if result != nil {
		return json.Unmarshal(m.Result, result)
	}
	return nil
}

// MustCall is Call for requests that must succeed.
func (c *Client) MustCall(method string, params, result any) {
	c.t.Helper()
	if err := c.Call(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// Raw writes bytes as they are.
func (c *Client) Raw(data string) {
	c.t.Helper()
	if err := c.raw(data); err != nil {
		c.t.Errorf("writing to the server: %v", err)
	}
}

func (c *Client) raw(data string) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := io.WriteString(c.in, data)
	return err
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// Frame writes a body with its header.
func (c *Client) Frame(body string) {
	c.t.Helper()
	c.Raw(frame(body))
}

func (c *Client) write(v any) {
	c.t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		c.t.Fatal(err)
	}
	c.Frame(string(body))
}

// Await waits for a message of the server that fits, looking at those that have
// come since mark first; it returns the mark after it.
func (c *Client) Await(what string, mark int, fits func(Message) bool) (Message, int) {
	c.t.Helper()
	var found Message
	c.await(what, func() bool {
		for ; mark < len(c.received); mark++ {
			if fits(c.received[mark]) {
				found = c.received[mark]
				mark++
				return true
			}
		}
		return false
	})
	return found, mark
}

// Mark returns the number of messages received so far.
func (c *Client) Mark() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.received)
}

// Received returns the messages since mark.
func (c *Client) Received(mark int) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Message(nil), c.received[mark:]...)
}

// Forget drops the messages and answers received so far, for a test that measures
// memory or goes on for hours, and returns the messages. Marks begin at 0 again.
func (c *Client) Forget() (dropped []Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	dropped = c.received
	c.received, c.answers, c.asked = nil, map[string]Message{}, map[string]string{}
	return dropped
}

// await waits until cond holds; it is called with mu held.
func (c *Client) await(what string, cond func() bool) {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		c.mu.Lock()
		ok, changed := cond(), c.changed
		c.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-c.done:
			c.mu.Lock()
			ok := cond()
			c.mu.Unlock()
			if !ok {
				c.t.Fatalf("the server ended (%v) before %s came", c.failed, what)
			}
			return
		case <-deadline:
			c.t.Fatalf("%s did not come", what)
		}
	}
}

// Wait returns what the server returned.
func (c *Client) Wait() error {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(patience):
		c.t.Fatal("the server does not end")
	}
	return c.failed
}

// Pause stops reading after the message that is awaited at the moment, until
// the returned function is called.
func (c *Client) Pause() (resume func()) {
	paused := make(chan struct{})
	c.mu.Lock()
	c.paused = paused
	c.mu.Unlock()
	return func() { close(paused) }
}

// CloseInput ends the server's input.
func (c *Client) CloseInput() { c.in.Close() }

func (c *Client) read(out io.Reader) {
	r := textproto.NewReader(bufio.NewReader(out))
	for {
		c.mu.Lock()
		paused := c.paused
		c.mu.Unlock()
		if paused != nil {
			<-paused
		}
		header, err := r.ReadMIMEHeader()
		if err != nil {
			return
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			c.t.Errorf("Content-Length: %v", err)
			return
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r.R, body); err != nil {
			return
		}
		c.receive(body)
	}
}

func (c *Client) receive(body []byte) {
	m := Message{At: time.Now()}
	if err := json.Unmarshal(body, &m); err != nil {
		c.t.Errorf("the server sent %q: %v", body, err)
		return
	}
	c.mu.Lock()
	if m.Method == "" {
		method := c.asked[string(m.ID)]
		if err := checkAnswer(method, body); err != nil {
			c.t.Errorf("answer to %s: %v\n%s", method, err, body)
		}
		c.answers[string(m.ID)] = m
	} else {
		if err := checkMessage(m.Method, body); err != nil {
			c.t.Errorf("%s: %v\n%s", m.Method, err, body)
		}
		c.received = append(c.received, m)
	}
	close(c.changed)
	c.changed = make(chan struct{})
	c.mu.Unlock()
	if m.Method != "" && m.ID != nil {
		go c.respond(m)
	}
}

// respond answers a request of the server, which may be gone by then.
func (c *Client) respond(m Message) {
	answer := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	if c.Refuses {
		answer["error"] = Error{Code: -32601, Message: "refused"}
	} else {
		answer["result"] = c.reply(m.Method)
	}
	body, err := json.Marshal(answer)
	if err != nil {
		panic(err) // the answers are constants
	}
	_ = c.raw(frame(string(body)))
}

// reply is what an obliging editor answers.
func (c *Client) reply(method string) any {
	if reply, ok := c.Replies[method]; ok {
		return reply
	}
	switch method {
	case "workspace/configuration":
		return []any{c.Settings}
	case "window/showDocument":
		return map[string]any{"success": true}
	}
	return nil
}
