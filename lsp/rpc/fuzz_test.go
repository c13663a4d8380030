package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"go.lsp.dev/jsonrpc2"
)

func frame(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// readAll reads messages to the end of the input. It returns them, and what was
// answered to frames that are none.
func readAll(in io.Reader) (messages []string, answers []byte) { return readLimited(in, 1<<20) }

func readLimited(in io.Reader, limit int64) (messages []string, answers []byte) {
	var out bytes.Buffer
	o := NewOutbox(&out, func(error) {})
	defer o.Close()
	s := NewStream(Input{Reader: in, Limit: func() int64 { return limit }, Skipped: func(*SkippedError) {}, Ended: func(error) {}}, o)
	defer s.Close()
	for {
		m, _, err := s.Read(context.Background())
		if err != nil {
			_ = o.Flush(context.Background())
			return messages, out.Bytes()
		}
		text, err := jsonrpc2.EncodeMessage(m)
		if err != nil {
			text = []byte(err.Error())
		}
		messages = append(messages, string(text))
	}
}

// FuzzStream: reading ends; how the bytes come makes no difference; what stands before
// a fault is read; each answer is a message that says that there was none.
func FuzzStream(f *testing.F) {
	hello := frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	for _, seed := range []string{
		"", hello, hello + hello, frame("[]"), frame("{"), frame(""), "Content-Length: 5\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
		"content-length:2\r\nContent-Type: x; charset=utf-8\r\n\r\n{}", "\r\n\r\n", "Content-Length: 2\n\n{}", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		frame(`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`), frame(`{"jsonrpc":"1.0","method":1}`), frame("\xff\xfe{}"), frame(strings.Repeat("[", 2000)),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		messages, answers := readAll(bytes.NewReader(data))
		again, slowly := readAll(iotest.OneByteReader(bytes.NewReader(data)))
		if !slices.Equal(messages, again) || !bytes.Equal(answers, slowly) {
			t.Fatalf("%q at once and by bytes: %q and %q", data, messages, again)
		}
		behind, _ := readAll(io.MultiReader(strings.NewReader(hello), bytes.NewReader(data)))
		if len(behind) != 1+len(messages) || !slices.Equal(behind[1:], messages) {
			t.Fatalf("%q after a message: %q, alone %q", data, behind, messages)
		}
		checkRefusals(t, answers)
	})
}

// checkRefusals tests that answers are frames with errors.
func checkRefusals(t *testing.T, answers []byte) {
	t.Helper()
	for len(answers) > 0 {
		head, rest, ok := bytes.Cut(answers, []byte("\r\n\r\n"))
		var n int
		if _, err := fmt.Sscanf(string(head), "Content-Length: %d", &n); !ok || err != nil || n > len(rest) {
			t.Fatalf("answers %q", answers)
		}
		var m struct {
			ID    any
			Error *struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal(rest[:n], &m); err != nil || m.ID != nil || m.Error == nil || m.Error.Code != int(jsonrpc2.ParseError) && m.Error.Code != int(jsonrpc2.InvalidRequest) || m.Error.Message == "" {
			t.Fatalf("answer %q: %v", rest[:n], err)
		}
		answers = rest[n:]
	}
}
