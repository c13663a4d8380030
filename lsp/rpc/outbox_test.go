package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// slowReader takes what an outbox writes only when it is let.
type slowReader struct {
	mayRead chan struct{} // closed when it reads
	read    bytes.Buffer
}

func (r *slowReader) Write(b []byte) (int, error) {
	<-r.mayRead
	return r.read.Write(b)
}

// newSlow returns an outbox whose client does not read yet.
func newSlow(t *testing.T) (o *Outbox, client *slowReader, ended chan error) {
	client, ended = &slowReader{mayRead: make(chan struct{})}, make(chan error, 1)
	o = NewOutbox(client, func(err error) { ended <- err })
	t.Cleanup(o.Close)
	return o, client, ended
}

// TestOutboxOrder: what is put while the client does not read comes in order, once it
// reads; the sender has waited until then.
func TestOutboxOrder(t *testing.T) {
	o, client, _ := newSlow(t)
	for i := range 1000 {
		if err := o.Notify("n", i); err != nil {
			t.Fatal(err)
		}
	}
	delivered := make(chan error)
	go func() { delivered <- o.Deliver(context.Background(), "d", "state") }()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := o.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("flushed: %v", err)
	}
	select {
	case <-delivered:
		t.Error("delivered to a client that does not read")
	default:
	}
	close(client.mayRead)
	if err := <-delivered; err != nil {
		t.Fatal(err)
	}
	if err := o.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	messages, _ := readAll(&client.read)
	if len(messages) != 1001 {
		t.Fatalf("%d messages", len(messages))
	}
	for i, m := range messages[:1000] {
		if i < 990 && !strings.Contains(m, fmt.Sprintf(`"params":%d}`, i)) { // the last ones may stand around the other
			t.Fatalf("message %d is %s", i, m)
		}
	}
}

// TestOutboxRoom: there is no room for what is large while much waits, and again when
// it has been read.
func TestOutboxRoom(t *testing.T) {
	o, client, _ := newSlow(t)
	large := strings.Repeat("x", 1<<20)
	n := 0
	for ; o.HasRoom(); n++ {
		if err := o.Notify("large", large); err != nil {
			t.Fatal(err)
		}
	}
	if n != maxWaiting>>20 {
		t.Errorf("room for %d MB", n)
	}
	close(client.mayRead)
	if err := o.Flush(context.Background()); err != nil || !o.HasRoom() {
		t.Errorf("no room in an empty outbox: %v", err)
	}
}

// TestOutboxOneLarge: one message leaves room for others, however large it is; two do not.
func TestOutboxOneLarge(t *testing.T) {
	o, client, _ := newSlow(t)
	large := letter{frame: make([]byte, maxWaiting+1)}
	for i, want := range []bool{true, false} {
		if err := o.put(large); err != nil {
			t.Fatal(err)
		}
		if got := o.HasRoom(); got != want {
			t.Errorf("after %d large messages there is room: %v", i+1, got)
		}
	}
	close(client.mayRead)
	if err := o.Flush(context.Background()); err != nil || !o.HasRoom() {
		t.Errorf("no room in an empty outbox: %v", err)
	}
}

// TestOutboxEnd: a client that never reads is given up when too much waits that cannot
// be held back, and no caller waits for it any more.
func TestOutboxEnd(t *testing.T) {
	o, client, ended := newSlow(t)
	delivered := make(chan error)
	go func() { delivered <- o.Deliver(context.Background(), "d", "state") }()
	small, n := letter{frame: make([]byte, smallMessage-letterCost)}, 0
	for ; o.put(small) == nil; n++ {
	}
	if want := maxSmall / smallMessage; n < want-2 || n > want {
		t.Errorf("%d messages are kept, expected some %d", n, want)
	}
	if err := <-ended; !errors.Is(err, ErrNotRead) {
		t.Error(err)
	}
	if err := <-delivered; err == nil {
		t.Error("delivered")
	}
	if err := o.Flush(context.Background()); !errors.Is(err, ErrNotRead) {
		t.Errorf("flushed: %v", err)
	}
	close(client.mayRead)
}

// TestOutboxBroken: a client that has gone is told of once.
func TestOutboxBroken(t *testing.T) {
	ended := make(chan error, 2)
	r, w := io.Pipe()
	r.CloseWithError(io.ErrUnexpectedEOF)
	o := NewOutbox(w, func(err error) { ended <- err })
	_ = o.Notify("n", nil)
	if err := <-ended; !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	o.Close()
	if len(ended) > 0 {
		t.Error("told twice")
	}
}

// TestAnnounced: memory is taken as bytes come, whatever a header announces.
func TestAnnounced(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in := io.MultiReader(strings.NewReader("Content-Length: 1073741824\r\n\r\n{"), strings.NewReader(strings.Repeat(" ", 100_000)))
	r := newFrameReader(in, func() int64 { return 1 << 30 })
	if _, _, err := r.next(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("100 KB of a message took %d bytes of memory", took)
	}
}

// TestFrames: what is wrong with a frame, and whether reading goes on.
func TestFrames(t *testing.T) {
	hello := frame(`{"jsonrpc":"2.0","method":"hello"}`)
	for name, c := range map[string]struct {
		input  string
		reads  int // messages
		answer string
	}{
		"too large":           {frame(`{"jsonrpc":"2.0","method":"long","params":"`+strings.Repeat("x", 2000)+`"}`) + hello, 1, "a message of 2045 bytes is not read: the limit is 1000"},
		"enormous":            {"Content-Length: 99999999999999999\r\n\r\n" + hello, 0, "a message of 99999999999999999 bytes is announced: the start of the next message is unknown"},
		"no number":           {"Content-Length: ten\r\n\r\n" + hello, 0, `the Content-Length " ten" is not a number of bytes`},
		"negative":            {"Content-Length: -1\r\n\r\n" + hello, 0, `the Content-Length " -1" is not a number of bytes`},
		"too long for 64 bit": {"Content-Length: 99999999999999999999\r\n\r\n" + hello, 0, "is not a number of bytes"},
		"no length":           {"Content-Type: x\r\n\r\n" + hello, 0, "a header without Content-Length"},
		"no field":            {"hello\r\n\r\n" + hello, 0, `"hello" is not a header line`},
		"endless line":        {strings.Repeat("x", 10_000) + hello, 0, "a header line is longer than 4096 bytes"},
		"nothing":             {frame("") + hello, 1, "not a JSON-RPC message"},
		"a long id":           {frame(`{"jsonrpc":"2.0","method":"m","id":"`+strings.Repeat("x", 900)+`"}`) + hello, 2, ""},
		"LF and unknown":      {strings.ReplaceAll("X: y\r\n"+hello, "\r\n", "\n") + hello, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			messages, answers := readLimited(strings.NewReader(c.input), 1000)
			if len(messages) != c.reads || !bytes.Contains(answers, bytes.ReplaceAll([]byte(c.answer), []byte(`"`), []byte(`\"`))) || (c.answer == "") != (len(answers) == 0) {
				t.Errorf("%d messages, answer %s", len(messages), answers)
			}
			checkRefusals(t, answers)
		})
	}
}

// TestLongID: an id that every answer would repeat is refused with none.
func TestLongID(t *testing.T) {
	messages, answers := readLimited(strings.NewReader(frame(`{"jsonrpc":"2.0","method":"m","id":"`+strings.Repeat("x", 5000)+`"}`)), 1<<20)
	if len(messages) != 0 || !bytes.Contains(answers, []byte("an id of 5000 bytes")) || len(answers) > 300 {
		t.Errorf("%d messages, answer %s", len(messages), answers)
	}
}

// TestSkippedID: the answer to a request that is too large has its id, wherever that stands,
// and no other that stands in it.
func TestSkippedID(t *testing.T) {
	large := `"params":{"id":7,"text":"` + strings.Repeat(`,\"id\":8}`, 3*keptEnd) + `","data":{"id":9}}`
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"m",` + large + `}`:                `1`,
		`{"jsonrpc":"2.0","id":"a\"b","method":"m",` + large + `}`:           `"a\"b"`,
		`{ "method" : "m", ` + large + ` , "id" : -2 , "jsonrpc":"2.0" }`:    `-2`,
		`{` + large + `,"id":"x","method":"m"}`:                              `"x"`,
		`{"jsonrpc":"2.0","method":"m",` + large + `}`:                       `null`,
		`{"jsonrpc":"2.0","id":3,"result":{` + large + `}}`:                  `null`, // no request
		`{"jsonrpc":"2.0","id":1.5,"method":"m",` + large + `}`:              `null`,
		`{"jsonrpc":"2.0","id":null,"method":"m",` + large + `}`:             `null`,
		`{"jsonrpc":"2.0","method":"m","params":[` + large[9:] + `,"id":5]}`: `null`,
		`[` + large + `,"id":1,"method":"m"}`:                                `null`,
	} {
		_, answers := readLimited(strings.NewReader(frame(message)), 1000)
		_, body, _ := bytes.Cut(answers, []byte("\r\n\r\n"))
		var m struct{ ID json.RawMessage }
		if err := json.Unmarshal(body, &m); err != nil || string(m.ID) != want {
			t.Errorf("%.60s…: id %s, expected %s", message, m.ID, want)
		}
	}
}

// TestBrief: what a client sends is not repeated at length.
func TestBrief(t *testing.T) {
	long := jsonrpc2.Errorf(jsonrpc2.InvalidParams, "what is %s", strings.Repeat("é", 5000))
	var e *jsonrpc2.Error
	if err := brief(long); !errors.As(err, &e) || e.Code != jsonrpc2.InvalidParams || len(e.Message) > maxWords+10 {
		t.Errorf("%v", err)
	}
	if err := brief(io.EOF); err != io.EOF {
		t.Error(err)
	}
}

// TestMemoryIsGivenBack: the memory of a large message goes back to the system once it is written,
// that of small ones when none follow.
func TestMemoryIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		given := 0
		o := newOutbox(&out, func(error) {}, func() { given++ })
		defer o.Close()
		send := func(text string, wait time.Duration, want int) {
			t.Helper()
			if err := o.Deliver(t.Context(), "n", text); err != nil {
				t.Fatal(err)
			}
			time.Sleep(wait)
			synctest.Wait()
			if given != want {
				t.Errorf("memory was given back %d times, expected %d", given, want)
			}
		}
		send("small", quietWait-time.Second, 0)
		send("small", quietWait, 1)
		send(strings.Repeat("x", largeMessage), returnWait, 2)
		send("small", quietWait, 3)
	})
}
