package cluster

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/ic3/verify"
)

const gigabyte = 1 << 30

// moreMemory bounds what a gigabyte of a stranger costs a server.
const moreMemory = 128 << 20

// memory returns the most that a process has had in memory so far, in bytes.
func (a *actor) memory(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if peak, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kB, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(peak), " kB"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kB << 10
		}
	}
	t.Fatalf("no memory in %s", text)
	return 0
}

// TestGigabyte: a client that sends a gigabyte, in whatever way, is cut off or stores nothing. The
// server keeps its memory within a bound, and the rest goes on.
func TestGigabyte(t *testing.T) {
	c := &stage{T: t, dir: filepath.Join(t.TempDir(), "server"), temp: t.TempDir(), port: "0"}
	c.startServer()
	o := Options{URL: c.url(placeServer), times: quick}
	startNode(t, dial(t, o, "node"), real)
	a := NewAsker(dial(t, o, "asker"))
	checked := 0
	goesOn := func() {
		t.Helper()
		checked++
		check(t, verify.Run(t.Context(), a.job(still(checked)), nil), "proved")
	}
	goesOn()
	const hello = "CONNECT {\"verbose\":false}\r\n"
	message := append([]byte("PUB aiglens.blobs.x.0 1048576\r\n"), append(make([]byte, 1<<20), "\r\n"...)...)
	for _, way := range []struct {
		name  string
		begin string // what is sent first
		part  []byte // what is sent again and again
		isCut bool   // the server ends the connection
	}{
		{"one message that is announced with its size", hello + "PUB aiglens.told.x 1073741824\r\n", make([]byte, 1<<20), true},
		{"one message whose announced size is negative", hello + "PUB aiglens.told.x -1\r\n", make([]byte, 1<<20), true},
		{"one line that does not end", hello + "PUB ", bytes.Repeat([]byte("a"), 1<<20), true},
		{"one line before anything else", "", bytes.Repeat([]byte("a"), 1<<20), true},
		{"messages that are too large for what is stored", hello, message, false},
	} {
		before, begin := c.server.memory(t), time.Now()
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.url(placeServer), "nats://"))
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, conn) }() // what the server says
		sent, err := io.WriteString(conn, way.begin)
		for n := 0; err == nil && sent < gigabyte; sent += n {
			n, err = conn.Write(way.part)
		}
		_ = conn.Close()
		more := c.server.memory(t) - before
		t.Logf("%s: %d MB sent in %v, %d MB more in memory, %v", way.name, sent>>20, time.Since(begin).Round(time.Millisecond), more>>20, err)
		if (err != nil) != way.isCut {
			t.Errorf("%s: %v, expected the connection to be cut: %v", way.name, err, way.isCut)
		}
		if more > moreMemory {
			t.Errorf("%s: %d MB more in memory", way.name, more>>20)
		}
		goesOn()
	}
	if blobs, err := a.kept().blobs.Info(t.Context()); err != nil || blobs.State.Bytes > 1<<20 {
		t.Errorf("%d bytes are stored, %v", blobs.State.Bytes, err)
	}
}
