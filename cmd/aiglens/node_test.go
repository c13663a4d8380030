package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aiglens/ic3/verify"
	"aiglens/internal/cluster"
)

// TestPrintStatus: what people read of a cluster names the engines of a portfolio, and what
// nodes have told each other.
func TestPrintStatus(t *testing.T) {
	var out bytes.Buffer
	printStatus(env{stdout: &out}, cluster.Status{
		Nodes: []cluster.NodeStatus{
			{Name: "first", Slots: 2, Busy: 1, Lemmas: cluster.LemmaCounts{Sent: 5, Received: 7, Refused: 1}},
			{Name: "second", Slots: 2, Busy: 0},
		},
		Jobs: []cluster.JobStatus{
			{Key: "0123456789abcdef", Node: "first", Elapsed: 3 * time.Second, Progress: verify.Progress{Depth: 8}, Circuit: "fedcba9876543210", Member: 2, Members: 4},
			{Key: "123456789abcdef0", Node: "second", Elapsed: 2 * time.Second},
		},
		Given: 5, Waiting: 6,
	}, cluster.Status{}, 0)
	for _, want := range []string{
		"2 nodes, 4 checks at a time; 2 at work, 3 given to a node that does not report on them, 6 waiting;",
		" 1 of 2 busy  ",
		"  lemmas: 5 sent, 7 received, 1 messages refused\n",
		"3 s  depth 8  engine 2 of 4 on circuit fedcba987654\n",
		"2 s  depth 0\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

// oneListener accepts one connection.
type oneListener struct {
	conns chan net.Conn
}

func (l oneListener) Accept() (net.Conn, error) {
	if c, ok := <-l.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (oneListener) Close() error   { return nil }
func (oneListener) Addr() net.Addr { return &net.TCPAddr{} }

// TestMetricsIdle: a connection over which no further request comes is closed.
func TestMetricsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := oneListener{make(chan net.Conn, 1)}
		client, served := net.Pipe()
		l.conns <- served
		close(l.conns)
		s := metricsServer()
		s.Handler = http.NotFoundHandler()
		_ = s.Serve(l)
		fmt.Fprint(client, "GET / HTTP/1.1\r\nHost: node\r\n\r\n")
		in := bufio.NewReader(client)
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			t.Fatal(err)
		}
		if _, err := in.ReadByte(); err != io.EOF { // where it stays open all goroutines are blocked
			t.Error(err)
		}
	})
}
