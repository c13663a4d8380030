package agents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"aiglens/internal/files"
)

// isCall in the environment makes the test a process that runs a call.
const isCall = "AIGLENS_TEST_CALL"

func TestMain(m *testing.M) {
	if os.Getenv(isCall) == "" {
		os.Exit(m.Run())
	}
	code, err := Answer(context.Background(), os.Stdin, os.Stdout, os.Stderr, act)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 2
	}
	os.Exit(code)
}

// act is a program for a process.
func act(ctx context.Context, c Command) int {
	switch c.Args[0] {
	case "lint": // prints what it reads
		data, err := files.Read(ctx, c.Args[len(c.Args)-1], 1<<20)
		fmt.Fprintf(c.Stdout, "%s%v", data, err)
		fmt.Fprintln(c.Stderr, "said")
		return 5
	case "check":
		if err := write(c, "a", "\x00\x01", "b", "two"); err != nil {
			panic(err)
		}
		return 0
	case "convert":
		panic("broken")
	case "cover":
		c.Progress("as long as it may")
		<-ctx.Done()
		fmt.Fprint(c.Stdout, "what there is")
		return 3
	default:
		c.Progress("for ever")
		select {}
	}
}

// write writes files, given as names and contents.
func write(c Command, files ...string) (err error) {
	for i := 0; i < len(files); i += 2 {
		_, fault := c.Write(files[i], nil, []byte(files[i+1]))
		err = errors.Join(err, fault)
	}
	return err
}

// TestProcess: a call in a process of its own has what it may read, and what it says, writes and prints comes back. A
// panic, and what cannot be cancelled, end that process alone.
func TestProcess(t *testing.T) {
	t.Setenv(isCall, "1")
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := programOf(nil)
	p.Run = Process(path)
	c := start(t, p, Options{Calls: 1, Answer: 1000, Text: 1000})
	if a := decoded(t, c.call("lint", `{"file_text":"a <text>\n"}`)); a.ExitCode != 5 || a.Text != "a <text>\n<nil>" || len(a.Notes) != 1 || a.Notes[0] != "said" {
		t.Errorf("%+v", a)
	}
	if a := decoded(t, c.call("check", `{"file_text":""}`)); len(a.Files) != 2 || a.Files[0].Name != "a" || a.Files[0].Bytes != 2 || a.Files[1].More == "" {
		t.Errorf("%+v", a)
	}
	if r := c.call("convert", `{"file_text":"","to":"aag"}`); !r.Result.IsError || !strings.Contains(r.text(), "panic: broken") {
		t.Errorf("%+v", r)
	}
	c.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"stats","arguments":{"file_text":""},"_meta":{"progressToken":"p"}}}`)
	if r := c.read(); r.Params.Message != "for ever" {
		t.Errorf("%+v", r)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	c.send(callOf(6, "lint", `{"file_text":"next"}`))
	if a := decoded(t, c.answerTo(6)); a.Text != "next<nil>" {
		t.Errorf("%+v", a)
	}
}

// TestProcessCancelled: a call that is cancelled says what there is.
func TestProcessCancelled(t *testing.T) {
	t.Setenv(isCall, "1")
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	view := files.View{Texts: map[string][]byte{"file": nil}}
	code, err := Process(path)(ctx, Call{Args: []string{"cover"}, View: view, Stdout: &out, Stderr: io.Discard, Progress: func(string) { cancel() }})
	if code != 3 || err != nil || out.String() != "what there is" {
		t.Errorf("exit code %d, %q, %v", code, out.String(), err)
	}
}

// TestAnswerNeedsView: a call that says nothing about what it may read is not run.
func TestAnswerNeedsView(t *testing.T) {
	for _, in := range []string{`{"args":["lint"]}`, ``, `[]`} {
		_, err := Answer(t.Context(), strings.NewReader(in), io.Discard, io.Discard, func(context.Context, Command) int {
			t.Error("it was run")
			return 0
		})
		if err == nil {
			t.Errorf("%s: no error", in)
		}
	}
}

// TestCapped: what reads into it, or writes texts, meets the bound, too.
func TestCapped(t *testing.T) {
	c := capped{most: 5}
	if n, err := io.Copy(&c, iotest.OneByteReader(strings.NewReader("1234567"))); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := io.WriteString(&c, "8"); err != nil || c.kept.String() != "12345" || !c.isFull {
		t.Errorf("%q, full %t, %v", c.kept.String(), c.isFull, err)
	}
}
