package cluster

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// lossy dials connections that swallow what is written to them, once lose is called.
type lossy struct {
	lost    chan net.Conn // those that have swallowed something
	isLossy atomic.Bool
}

func (l *lossy) Dial(network, address string) (net.Conn, error) {
	c, err := net.Dial(network, address)
	return &lossyConn{c, l}, err
}

type lossyConn struct {
	net.Conn
	*lossy
}

func (c *lossyConn) Write(p []byte) (int, error) {
	if !c.isLossy.Load() {
		return c.Conn.Write(p)
	}
	select {
	case c.lost <- c.Conn:
	default:
	}
	return len(p), nil
}

// TestLostRequest: a request that is lost with its connection is made again over the next one.
func TestLostRequest(t *testing.T) {
	s, o := listening(t, t.TempDir(), true)
	defer s.Close()
	network := &lossy{lost: make(chan net.Conn, 1)}
	o.dialer = network
	c := dial(t, o, "node")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	blob := bytes.Repeat([]byte("circuit"), chunk/4)
	hash := hashOf(blob)
	if err := c.put(ctx, hash, blob); err != nil {
		t.Fatal(err)
	}
	network.isLossy.Store(true)
	got := make(chan []byte)
	go func() {
		data, err := c.get(ctx, hash, len(blob))
		if err != nil {
			t.Errorf("after %v", err)
		}
		got <- data
	}()
	conn := <-network.lost
	network.isLossy.Store(false)
	_ = conn.Close()
	if data := <-got; !bytes.Equal(data, blob) {
		t.Errorf("%d bytes of %d", len(data), len(blob))
	}
}
