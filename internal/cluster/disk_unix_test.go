//go:build unix

package cluster

import (
	"strings"
	"testing"
	"time"

	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// TestRestart: a client that is connected within the process, and asks, goes on after a server that
// has restarted.
func TestRestart(t *testing.T) {
	s, err := Listen(ListenOptions{Address: "127.0.0.1:0", Dir: t.TempDir(), Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	connect := func(name string) *Conn {
		c, err := Connect(t.Context(), Options{Server: s, Name: name, times: patient})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	go NewNode(connect("node"), 1, real).Run(t.Context())
	asker := NewAsker(connect("asker"))
	port := s.Port
	for round := range 2 {
		job := asker.job(property(round))
		job.Limits.Wall = time.Minute
		if r := verify.Run(t.Context(), job, nil); r.Checked.Outcome() == cert.Unknown {
			t.Fatalf("round %d: %s", round, r)
		}
		if round == 0 && (!s.restart() || s.Port != port) {
			t.Fatal("the server has not restarted at its place")
		}
	}
}

// TestSameFolder: of two servers with one folder the second says so, until the first has ended.
func TestSameFolder(t *testing.T) {
	o := ListenOptions{Address: "127.0.0.1:0", Dir: t.TempDir()}
	first, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := Listen(o)
	if err == nil {
		second.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "another server uses the folder "+o.Dir) {
		t.Errorf("a second server: %v", err)
	}
	first.Close()
	if second, err = Listen(o); err != nil {
		t.Fatal(err)
	}
	second.Close()
}
