package debug

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// lastSeq is the number of the request that ends a conversation.
const lastSeq = 987654321

// FuzzServe sends any messages, one a line. The session answers each request at most
// once and until the end, with numbers in order, and has no fault of its own; what is
// no JSON object ends it.
func FuzzServe(f *testing.F) {
	launch := fmt.Sprintf(`{"seq":2,"type":"request","command":"launch","arguments":{"program":%s,"property":"two_at_work"}}`, toJSON(example("semaphore2_broken.aag")))
	begin := `{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"aiglens","linesStartAt1":true}}` + "\n" + launch + "\n"
	simulation := strings.ReplaceAll(begin, `"property":"two_at_work"`, `"simulate":true,"steps":20,"seed":1`)
	for _, command := range []string{
		`"setVariable","arguments":{"variablesReference":1,"name":"move_a","value":"1"}`,
		`"next","arguments":{"threadId":1}`, `"stackTrace","arguments":{"threadId":1,"startFrame":-1,"levels":0}`, `"scopes","arguments":{"frameId":1}`,
		`"variables","arguments":{"variablesReference":1,"start":0,"count":2}`, `"evaluate","arguments":{"expression":"prev(work_a) -> q0","context":"repl"}`,
		`"setBreakpoints","arguments":{"source":{"path":"x"},"breakpoints":[{"line":3,"condition":"q0"}]}`, `"setFunctionBreakpoints","arguments":{"breakpoints":[{"name":"work_a"}]}`,
		`"continue"`, `"reverseContinue"`, `"goto","arguments":{"targetId":1}`, `"cancel","arguments":{"requestId":2}`, `"completions","arguments":{"text":"wo","column":3}`,
		`"terminate"`, `"disconnect"`, `"restart"`, `"setDataBreakpoints","arguments":{"breakpoints":[{"dataId":"q0"}]}`, `"dataBreakpointInfo","arguments":{"name":"q0"}`,
	} {
		for _, first := range []string{begin, simulation} {
			f.Add(first + `{"seq":3,"type":"request","command":"configurationDone"}` + "\n" + `{"seq":4,"type":"request","command":` + command + "}\n")
		}
	}
	f.Add("{]\n[]\nnull\n{\"seq\":\"x\"}\n{\"type\":\"request\",\"command\":7}\n")
	f.Add(launch + "\n" + launch + "\n" + `{"seq":9,"type":"event","event":"stopped"}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, begin) && !strings.HasPrefix(text, simulation) && strings.Contains(text, "launch") {
			return // a session opens the files that it is told to
		}
		var input bytes.Buffer
		asked := map[int]int{}
		for line := range strings.SplitSeq(text, "\n") {
			_ = dap.WriteBaseMessage(&input, []byte(line))
			var head dap.Request
			if json.Unmarshal([]byte(line), &head) == nil && head.Type == "request" {
				asked[head.Seq]++
			}
		}
		_ = dap.WriteBaseMessage(&input, fmt.Appendf(nil, `{"seq":%d,"type":"request","command":"disconnect"}`, lastSeq))
		asked[lastSeq]++
		converse(t, &input, asked)
	})
}

// converse runs a session on messages until it ends.
func converse(t *testing.T, messages io.Reader, asked map[int]int) {
	t.Helper()
	hold, end := io.Pipe() // the input ends when the session has
	out, fromServer := io.Pipe()
	var log bytes.Buffer
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(context.Background(), io.MultiReader(messages, hold), fromServer, Options{Engine: func() verify.Engine { return engines.NewAuto() }, Log: &log})
		fromServer.Close()
		end.Close()
	}()
	left := false
	r := bufio.NewReader(out)
	for seq := 1; ; seq++ {
		content, err := dap.ReadBaseMessage(r)
		if errors.Is(err, io.EOF) {
			break
		}
		var m dap.Response
		if err == nil {
			err = json.Unmarshal(content, &m)
		}
		if err != nil || m.Seq != seq {
			t.Fatalf("message %d is %q: %v", seq, content, err)
		}
		left = left || m.Type == "response" && m.Command == "disconnect"
		if m.Type == "response" {
			if asked[m.RequestSeq]--; asked[m.RequestSeq] < 0 {
				t.Fatalf("an answer to nothing: %s", content)
			}
		}
	}
	switch err := <-ended; {
	case err != nil && !strings.Contains(err.Error(), "not a JSON object"):
		t.Errorf("the session ends with %v", err)
	case err == nil && !left:
		t.Error("the session ends before it is told to")
	}
	if log.Len() > 0 {
		t.Errorf("the session reports: %s", log.String())
	}
}
