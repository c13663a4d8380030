package agents

import (
	"bufio"
	"bytes"
	"context"
	stdjson "encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/internal/files"
)

// peer is a client of the protocol without its library: lines of JSON.
type peer struct {
	t    *testing.T
	out  io.WriteCloser
	in   *bufio.Reader
	done chan error
}

// start serves a peer until the test ends.
func start(t *testing.T, p Program, o Options) *peer {
	toServer, fromPeer := io.Pipe()
	toPeer, fromServer := io.Pipe()
	c := &peer{t, fromPeer, bufio.NewReader(toPeer), make(chan error, 1)}
	go func() {
		c.done <- Serve(t.Context(), p, o, toServer, fromServer)
		fromServer.Close()
	}()
	t.Cleanup(func() {
		fromPeer.Close()
		for {
			if _, err := c.in.ReadString('\n'); err != nil {
				break
			}
		}
		if err := <-c.done; err != nil && t.Context().Err() == nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"peer","version":"1"}}}`)
	c.read()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *peer) send(line string) {
	if _, err := io.WriteString(c.out, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// callOf is a call of a tool.
func callOf(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// reply is a message of the server.
type reply struct {
	ID     *int
	Method string
	Error  *struct{ Message string }
	Result struct {
		Content []struct{ Text string }
		IsError bool
	}
	Params struct{ Message string }
}

func (c *peer) read() (r reply) {
	line, err := c.in.ReadBytes('\n')
	if err == nil {
		err = stdjson.Unmarshal(line, &r)
	}
	if err != nil {
		c.t.Fatalf("%q: %v", line, err)
	}
	return r
}

// answerTo reads until the answer to a request comes; that to one before it may come later.
func (c *peer) answerTo(id int) reply {
	for {
		if r := c.read(); r.ID != nil && *r.ID == id {
			return r
		}
	}
}

// text is what the answer to a call says.
func (r reply) text() string {
	if r.Error != nil {
		return "error: " + r.Error.Message
	}
	if len(r.Result.Content) == 0 {
		return ""
	}
	return r.Result.Content[0].Text
}

// call calls a tool.
func (c *peer) call(tool, arguments string) reply {
	c.send(callOf(1, tool, arguments))
	return c.read()
}

// echo is a program that prints what it was called with.
func echo(ctx context.Context, c Call) int {
	fmt.Fprintf(c.Stdout, "%s\n", strings.Join(c.Args, " "))
	for name, text := range c.View.Texts {
		fmt.Fprintf(c.Stdout, "%s holds %s\n", name, text)
	}
	return 0
}

func programOf(run func(context.Context, Call) int) Program {
	return Program{Version: "test", Run: func(ctx context.Context, c Call) (int, error) { return run(ctx, c), nil }, Flags: func(string) map[string]Flag {
		all := map[string]Flag{}
		for _, t := range tools {
			for _, name := range t.flags {
				all[name] = Flag{Text: "say more"}
			}
		}
		maps.Copy(all, map[string]Flag{
			"index": {Value: "KIND:N", Text: "the property", Repeats: true}, "signal": {Value: "name"},
			"timeout": {Value: "time", Text: "wall time", Initial: "1m"}, "to": {Value: "format"},
		})
		return all
	}}
}

// TestArguments: arguments become a command line, and what is wrong with them is said.
func TestArguments(t *testing.T) {
	opened := opened(t, t.TempDir())
	folder := opened.Path()
	inside, outside := filepath.Join(folder, "a.aag"), filepath.Join(t.TempDir(), "b.aag")
	textPath := filepath.Join(folder, "file")
	for _, path := range []string{inside, outside} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(folder, "link.aag")); err != nil {
		t.Fatal(err)
	}
	c := start(t, programOf(echo), Options{Folders: []*files.Folder{opened}, Calls: 2, Answer: 1000, Text: 20})
	for _, of := range []struct{ tool, arguments, want string }{
		{"check", `{"file":"a.aag","index":["bad:0","bad:1"],"facts":true,"reading":["output-limit=3","one-step"],"timeout":"5s"}`,
			`{"exitCode":0,"text":"check --format json --output-limit=3 --one-step --index=bad:0 --index=bad:1 --timeout=5s --facts=true -- ` + inside + `\n"}`},
		{"explain", `{"file":"a.aag","line":3}`, `{"exitCode":0,"text":"at --format json -- ` + inside + `:3:1\n"}`},
		{"lint", `{"file_text":"aag 0"}`, `{"exitCode":0,"text":"lint --format json -- ` + textPath + `\n` + textPath + ` holds aag 0\n"}`},
		{"lint", `{"file":"-x.aag","file_text":"aag 0"}`, `{"exitCode":0,"text":"lint --format json -- ` + filepath.Join(folder, "-x.aag") + `\n` + filepath.Join(folder, "-x.aag") + ` holds aag 0\n"}`},
		{"cover", `{"file":"a.aag","expressions":["--help"]}`, `{"exitCode":0,"text":"cover --format json -- ` + inside + ` --help\n"}`},
		{"lint", `{"file_text":"012345678901234567890"}`, `file_text: a text may have at most 20 bytes: put it into a file`},
		{"lint", `{"file":` + quoted(outside) + `}`, outside + " lies outside the folders that may be read: " + folder},
		{"lint", `{"file":"../` + filepath.Base(filepath.Dir(outside)) + `/b.aag"}`, outside + " lies outside the folders that may be read: " + folder},
		{"lint", `{"file":"link.aag"}`, filepath.Join(folder, "link.aag") + " lies outside the folders that may be read: " + folder},
		{"lint", `{"file":"none.aag"}`, filepath.Join(folder, "none.aag") + ": no such file or directory"},
		{"lint", `{"file":"/dev/zero"}`, "/dev/zero lies outside the folders that may be read: " + folder},
		{"lint", `{"file":"a.aag","reading":["genlib=x"]}`, `reading: there is no "genlib"; there are ` + strings.Join(readingFlags, ", ")},
		{"cone", `{"file":"a.aag"}`, "cone needs the argument signal:"},
		{"equiv", `{"a":"a.aag","b":"a.aag","b_text":"aag 1"}`, `b: another input has this name: give the text another one`},
		{"equiv", `{"a":"a.aag","b_text":"aag 1"}`, `{"exitCode":0,"text":"equiv --format json -- ` + inside + ` ` + filepath.Join(folder, "b") + `\n` + filepath.Join(folder, "b") + ` holds aag 1\n"}`},
		{"lint", `{"file":".","file_text":"aag 0"}`, "file: " + folder + " is a folder"},
		{"lint", `{}`, "lint needs file, the path of a file, or file_text, its content"},
		{"lint", `{"file":3}`, "file: expected a string"},
		{"explain", `{"file":"a.aag","line":"3"}`, "line: expected an integer"},
		{"explain", `{"file":"a.aag","signal":"x"}`, `{"exitCode":0,"text":"at --format json --signal=x -- ` + inside + `\n"}`},
		{"explain", `{"file":"a.aag","line":3,"signal":"x"}`, `{"exitCode":0,"text":"at --format json --signal=x -- ` + inside + `\n"}`},
		{"explain", `{"file":"a.aag","line":0}`, "line: expected an integer from 1"},
		{"check", `{"file":"a.aag","index":"bad:0"}`, `{"exitCode":0,"text":"check --format json --index=bad:0 -- ` + inside + `\n"}`},
		{"check", `{"file":"a.aag","index":7}`, "index: expected a list of strings"},
		{"check", `{"file":"a.aag","timeout":["5s"]}`, `{"exitCode":0,"text":"check --format json --timeout=5s -- ` + inside + `\n"}`},
		{"check", `{"file":"a.aag","timeout":["5s","6s"]}`, "timeout: expected a string"},
		{"more", `{"of":"17"}`, `nothing is kept under "17": it was too long ago; ask again`},
		{"check", `{"file":"a.aag","within":"soon"}`, "within: expected a time such as 90s, from 100ms on"},
	} {
		if got := c.call(of.tool, of.arguments).text(); got != of.want {
			t.Errorf("%s %s:\n%s\nexpected\n%s", of.tool, of.arguments, got, of.want)
		}
	}
	if got := c.call("lint", `{"file":"a.aag","indx":[]}`); !got.Result.IsError || !strings.HasPrefix(got.text(), `lint has no argument "indx"; it has `) {
		t.Errorf("an unknown argument: %+v", got)
	}
}

func opened(t *testing.T, folder string) *files.Folder {
	f, err := files.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func quoted(s string) string { text, _ := stdjson.Marshal(s); return string(text) }

// TestMore: a long answer comes in parts, and nothing of it is lost.
func TestMore(t *testing.T) {
	long := strings.Repeat("a line with ünïcödé\n", 30) + strings.Repeat("é", 300)
	c := start(t, programOf(func(_ context.Context, call Call) int {
		if call.Args[0] == "stats" {
			for i := range 50 {
				fmt.Fprintf(call.Stdout, `{"line":%d}`+"\n", i)
			}
			return 0
		}
		io.WriteString(call.Stdout, long)
		return 0
	}), Options{Answer: 101, Text: 100})
	whole, parts := "", 0
	for r := c.call("format", `{"file_text":""}`); ; r = c.call("more", `{"of":`+quoted(decoded(t, r).More)+`}`) {
		a := decoded(t, r)
		if whole += a.Text; len(a.Text) > 101 {
			t.Errorf("a part of %d bytes", len(a.Text))
		}
		if parts++; a.More == "" {
			break
		}
	}
	if whole != long || parts < 12 {
		t.Errorf("%d parts: %q", parts, whole)
	}
	var lines []string
	a := decoded(t, c.call("stats", `{"file_text":""}`))
	for _, line := range a.Lines {
		lines = append(lines, string(line))
	}
	for a.More != "" {
		a = decoded(t, c.call("more", `{"of":`+quoted(a.More)+`}`))
		lines = append(lines, strings.Split(strings.TrimSpace(a.Text), "\n")...)
	}
	if len(lines) != 50 || lines[49] != `{"line":49}` {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func decoded(t *testing.T, r reply) (a answer) {
	if err := stdjson.Unmarshal([]byte(r.text()), &a); err != nil {
		t.Fatalf("%s: %v", r.text(), err)
	}
	return a
}

// TestCancel: a call that is cancelled ends, and leaves its turn to the next; progress is told meanwhile.
func TestCancel(t *testing.T) {
	running := make(chan string, 10)
	c := start(t, programOf(func(ctx context.Context, call Call) int {
		if call.Args[0] == "stats" {
			return 0
		}
		call.Progress("depth 1")
		running <- call.Args[0]
		<-ctx.Done()
		return 3
	}), Options{Calls: 1, Answer: 1000, Text: 100})
	c.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"check","arguments":{"file_text":""},"_meta":{"progressToken":"p"}}}`)
	<-running
	if r := c.read(); r.Method != "notifications/progress" || r.Params.Message != "depth 1" {
		t.Errorf("instead of progress: %+v", r)
	}
	c.send(callOf(6, "stats", `{"file_text":""}`)) // waits for its turn
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	c.answerTo(6)
	c.send(callOf(7, "check", `{"file_text":"","within":"1s"}`))
	if a := decoded(t, c.answerTo(7)); a.ExitCode != 3 || len(a.Notes) != 1 || a.Notes[0] != "ended after 1s, the limit of the call: within raises it" {
		t.Errorf("after its time: %+v", a)
	}
}

// TestManyAtOnce: as many calls run at a time as may, and all have their own answers.
func TestManyAtOnce(t *testing.T) {
	turns := make(chan struct{}, 3)
	c := start(t, programOf(func(_ context.Context, call Call) int {
		select {
		case turns <- struct{}{}:
		default:
			t.Error("more than three run at a time")
		}
		io.Copy(call.Stdout, strings.NewReader(call.Args[len(call.Args)-1]))
		<-turns
		return 0
	}), Options{Calls: 3, Answer: 1000, Text: 100})
	const many = 200
	go func() {
		for i := range many {
			c.send(callOf(i+1, "lint", fmt.Sprintf(`{"file":"f%d","file_text":""}`, i)))
		}
	}()
	for range many {
		r := c.read()
		if got := decoded(t, r).Text; got != fmt.Sprintf("f%d", *r.ID-1) {
			t.Errorf("call %d has %q", *r.ID, got)
		}
	}
}

// TestTooLong: a message that is too long is refused, wherever its identifier stands, and the next has its answer.
func TestTooLong(t *testing.T) {
	const text = 1000
	c := start(t, programOf(echo), Options{Calls: 1, Answer: 1000, Text: text})
	padding := strings.Repeat("x", longestMessage(text))
	for _, message := range []string{
		callOf(7, "lint", `{"file_text":"`+padding+`"}`),
		`{"method":"tools/call","params":{"name":"lint","arguments":{"file_text":"` + padding + `"}},"jsonrpc":"2.0","id":7}`,
	} {
		c.send(message)
		if r := c.read(); r.Error == nil || r.ID == nil || *r.ID != 7 {
			t.Errorf("%.60s…: %+v", message, r)
		}
		if got := decoded(t, c.call("lint", `{"file_text":"y"}`)).Text; got != "lint --format json -- file\nfile holds y\n" {
			t.Errorf("after it: %s", got)
		}
	}
}

// TestHugeMessage: a text of 100 MB is refused without being kept, and the next call has its answer.
func TestHugeMessage(t *testing.T) {
	c := start(t, programOf(echo), Options{Calls: 1, Answer: 1000, Text: 8 << 20})
	if _, err := io.WriteString(c.out, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"lint","arguments":{"file_text":"`); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if _, err := io.WriteString(c.out, strings.Repeat("x", 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	c.send(`"}}}`)
	if r := c.read(); r.Error == nil || r.ID == nil || *r.ID != 7 {
		t.Errorf("%+v", r)
	}
	if got := decoded(t, c.call("lint", `{"file_text":"y"}`)).Text; got != "lint --format json -- file\nfile holds y\n" {
		t.Errorf("after it: %s", got)
	}
}

// TestNoMessage: what is no message is answered, and the next has its answer.
func TestNoMessage(t *testing.T) {
	c := start(t, programOf(echo), Options{Calls: 1, Answer: 1000, Text: 1000})
	for _, line := range []string{`{bad`, `[]`, `{"foo":1}`, `"text"`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":5}`, `{"jsonrpc":"2.0","id":5,"id":true,"method":"ping"}`,
	} {
		c.send(line)
		if r := c.read(); r.Error == nil || r.ID != nil {
			t.Errorf("%s: %+v", line, r)
		}
	}
	for _, line := range []string{"", `{"jsonrpc":"2.0","id":null,"result":{}}`, `{"jsonrpc":"2.0","id":5,"error":"x"}`} {
		c.send(line) // has no answer
	}
	if got := decoded(t, c.call("lint", `{"file_text":"y"}`)).Text; got != "lint --format json -- file\nfile holds y\n" {
		t.Errorf("after it: %s", got)
	}
}

// TestRoom: calls beyond what may wait are refused, and what is refused can be asked again.
func TestRoom(t *testing.T) {
	var r room
	var leave []func()
	for range mostCalls {
		l, err := r.enter(1)
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, l)
	}
	if _, err := r.enter(1); err == nil || err.Error() != "256 calls with 256 bytes have no answer yet: wait for one" {
		t.Errorf("one too many: %v", err)
	}
	for _, l := range leave {
		l()
	}
	l, err := r.enter(mostTexts + 1)
	if err != nil {
		t.Errorf("alone: %v", err)
	}
	if _, err := r.enter(1); err == nil {
		t.Error("beside a large one there is room")
	}
	l()
	if r.calls != 0 || r.bytes != 0 {
		t.Errorf("%d calls and %d bytes are left", r.calls, r.bytes)
	}
}

// TestBytes: what is no text is kept as the bytes that it is.
func TestBytes(t *testing.T) {
	c := start(t, programOf(func(_ context.Context, call Call) int {
		io.WriteString(call.Stdout, "aig \xff\xfe\n")
		return 0
	}), Options{Calls: 1, Answer: 1000, Text: 1000})
	a := decoded(t, c.call("convert", `{"file_text":"","to":"aig"}`))
	if len(a.Files) != 1 || a.Text != "" {
		t.Fatalf("%+v", a)
	}
	if got := decoded(t, c.call("more", `{"of":`+quoted(a.Files[0].More)+`}`)).Text; got != "YWlnIP/+Cg==" {
		t.Errorf("%q", got)
	}
}

// TestBoundKeepsMessages: what is not too long arrives as it was sent, however it is cut.
func TestBoundKeepsMessages(t *testing.T) {
	var sent, refused bytes.Buffer
	for i := range 300 {
		fmt.Fprintf(&sent, `{"jsonrpc":"2.0","id":%d,"method":%q}`+"\n", i, strings.Repeat("z", i*i))
	}
	got, err := io.ReadAll(bound(bytes.NewReader(sent.Bytes()), &refused, 1<<20))
	if err != nil || !bytes.Equal(got, sent.Bytes()) || refused.Len() > 0 {
		t.Errorf("%d of %d bytes, %v; refused %s", len(got), sent.Len(), err, refused.Bytes())
	}
}

// TestShelf: what is kept stays within its room, the latest in any case.
func TestShelf(t *testing.T) {
	s := newShelf(100)
	var names []string
	for range 10 {
		names = append(names, s.put(make([]byte, 30)))
	}
	for i, name := range names {
		if _, err := s.page(name, 1000); (err == nil) != (i >= 7) {
			t.Errorf("the %dth: %v", i, err)
		}
	}
	long := s.put([]byte(strings.Repeat("z", 60)))
	for pages, name := 1, long; ; pages++ {
		a, err := s.page(name, 7)
		if err != nil || pages > 9 {
			t.Fatalf("page %d: %v", pages, err)
		}
		if name = a.More; name == "" {
			break
		}
	}
	if _, err := s.page(long, 7); err != nil {
		t.Errorf("once more: %v", err)
	}
	if a, err := s.page(s.put([]byte{0xff, 0xfe}), 10); err != nil || a.Text != "//4=" {
		t.Errorf("bytes: %+v, %v", a, err)
	}
}
