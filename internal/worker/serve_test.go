package worker

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
)

// client is a server's end of the pipes to a worker, message by message.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *io.PipeReader
	ended chan error // what Serve returned
}

func newClient(t *testing.T) *client {
	t.Helper()
	in, toWorker := io.Pipe()
	fromWorker, out := io.Pipe()
	c := &client{t, toWorker, fromWorker, make(chan error, 1)}
	go func() {
		c.ended <- Serve(context.Background(), in, out, Options{Version: "test", NewEngine: testEngine, Clauses: auto.Check})
		_ = in.Close()
		_ = out.Close()
	}()
	t.Cleanup(func() { _ = toWorker.Close() })
	if _, err := readHello(c.out); err != nil {
		t.Fatal(err)
	}
	c.send(kindHello, Hello{Program: program, Protocol: Protocol}, nil)
	return c
}

func (c *client) send(k kind, head any, body []byte) {
	c.t.Helper()
	if err := writeFrame(c.in, k, head, body); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) request(q Request, problem *circuit.Circuit) {
	c.t.Helper()
	body, err := aiger.FromCircuit(problem).AppendBinary(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(kindRequest, q, body)
}

// result waits for one and counts the reports of progress before it.
func (c *client) result() (r Result, reports int) {
	c.t.Helper()
	for {
		f, err := readFrame(c.out)
		if err != nil {
			c.t.Fatal(err)
		}
		if f.kind == kindProgress {
			reports++
			continue
		}
		if err := f.into(kindResult, &r); err != nil {
			c.t.Fatal(err)
		}
		return r, reports
	}
}

// TestProgressIsRare: an engine that reports without end is heard ten times a
// second at most.
func TestProgressIsRare(t *testing.T) {
	c := newClient(t)
	begin := time.Now()
	c.request(Request{Number: 1, Engine: engines.Spec{Engine: "spin"}, Wall: 350 * time.Millisecond}, toggle())
	r, reports := c.result()
	most := 1 + int(time.Since(begin)/progressEvery)
	if r.Reason != "timeout" || r.Depth != 4 || reports == 0 || reports > most {
		t.Errorf("%+v after %d reports, expected at most %d", r, reports, most)
	}
}

// TestLateCancel: one that crosses a result means nothing to the next request.
func TestLateCancel(t *testing.T) {
	c := newClient(t)
	c.request(Request{Number: 1}, ring(3))
	if r, _ := c.result(); r.Outcome != "proved" {
		t.Fatalf("%+v", r)
	}
	c.send(kindCancel, Cancel{1}, nil)
	c.request(Request{Number: 2}, ring(3))
	c.send(kindCancel, Cancel{1}, nil)
	if r, _ := c.result(); r.Number != 2 || r.Outcome != "proved" {
		t.Errorf("%+v", r)
	}
}

// TestUnreadableCircuits: each is answered as a fault, and the worker goes on.
func TestUnreadableCircuits(t *testing.T) {
	c := newClient(t)
	for i, body := range []string{
		"", "aag 0 0 0 0 0\n", "aig 1 1 0 1 0\n2\n", "aig 0 0 0 0 0 2\n0\n1\n", "aig 1 1 0 0 0 1\n9\n",
		"aig 2000000000 2000000000 0 0 0 1\n2\n", "aig 2 1 1 0 0 1\n2 2\n4\n", "aig 3 1 1 0 1 1\n",
	} {
		c.send(kindRequest, Request{Number: uint64(i + 1)}, []byte(body))
		if r, _ := c.result(); r.Outcome != "unknown" || r.Internal == "" || r.Number != uint64(i+1) {
			t.Errorf("%q: %+v", body, r)
		}
	}
	c.request(Request{Number: 100}, toggle())
	if r, _ := c.result(); r.Outcome != "refuted" {
		t.Errorf("%+v", r)
	}
}

// TestBadRequests end the worker, which says what it did not like.
func TestBadRequests(t *testing.T) {
	for want, send := range map[string]func(c *client){
		"request 0":              func(c *client) { c.send(kindRequest, Request{}, nil) },
		"limits -1":              func(c *client) { c.send(kindRequest, Request{Number: 1, Wall: -1}, nil) },
		"expected kind q":        func(c *client) { c.send(kindProgress, Progress{Number: 1}, nil) },
		"kind 0x7a":              func(c *client) { _, _ = c.in.Write([]byte("zzzzzzzzz")) },
		"5 bytes of clauses":     func(c *client) { c.send(kindRequest, Request{Number: 1, Clauses: 5}, []byte("aig")) },
		"-1 bytes of clauses":    func(c *client) { c.send(kindRequest, Request{Number: 1, Clauses: -1}, []byte("aig")) },
		"0 and -1":               func(c *client) { c.send(kindRequest, Request{Number: 1, Effort: -1}, nil) },
		"before the result of 1": func(c *client) { c.spin(); c.request(Request{Number: 2}, toggle()) },
	} {
		c := newClient(t)
		send(c)
		go func() { _, _ = io.Copy(io.Discard, c.out) }()
		if err := <-c.ended; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ended with %v, expected %s", err, want)
		}
	}
}

// spin begins a check that does not end.
func (c *client) spin() {
	c.request(Request{Number: 1, Engine: engines.Spec{Engine: "spin"}}, toggle())
}

// TestEndOfInput: Serve returns in the middle of a check.
func TestEndOfInput(t *testing.T) {
	c := newClient(t)
	c.spin()
	_ = c.in.Close()
	go func() { _, _ = io.Copy(io.Discard, c.out) }()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}
