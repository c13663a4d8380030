package agents

import (
	"bufio"
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"

	"aiglens/internal/files"
	"aiglens/internal/lazy"
)

// bounded passes on the messages of an agent, one on each line. It answers itself what is too long or is no message:
// the library would end the connection.
type bounded struct {
	in   *bufio.Reader
	most int // bytes of a message
	out  io.Writer

	passing []byte // what is left of the message that is passed on
}

// bound bounds the messages of in. Answers to what is too long go to out.
func bound(in io.Reader, out io.Writer, most int) *bounded {
	return &bounded{in: bufio.NewReaderSize(in, 1<<16), most: most, out: out}
}

// Read implements io.Reader.
func (b *bounded) Read(into []byte) (int, error) {
	for len(b.passing) == 0 {
		line, err := b.line()
		if len(line) == 0 && err != nil {
			return 0, err
		}
		b.passing = line
	}
	n := copy(into, b.passing)
	b.passing = b.passing[n:]
	return n, nil
}

// line reads a line, with its end. It is empty when it has its answer.
func (b *bounded) line() (line []byte, err error) {
	for {
		part, err := b.in.ReadSlice('\n')
		if len(line)+len(part) > b.most {
			return nil, b.refuse(append(line[:min(len(line), edge)], part...), err)
		}
		line = append(line, part...)
		switch {
		case err == bufio.ErrBufferFull:
		case len(bytes.TrimSpace(line)) == 0:
			return nil, err
		case isReply(line): // nothing was asked
			return nil, err
		case !isMessage(line):
			fmt.Fprintln(b.out, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected a message of JSON-RPC 2.0 on one line"}}`)
			return nil, err
		default:
			return line, err
		}
	}
}

// message is what has to be known of one before the library reads it.
type message struct {
	Version string             `json:"jsonrpc"`
	ID      stdjson.RawMessage `json:"id"`
	Method  *string            `json:"method"`
	Result  stdjson.RawMessage `json:"result"`
	Error   stdjson.RawMessage `json:"error"`
}

// isMessage reports whether a line is a request or a notification. The library takes texts and integers as identifiers.
func isMessage(line []byte) bool {
	var m message
	if stdjson.Unmarshal(line, &m) != nil || m.Version != "2.0" || m.Method == nil || m.Result != nil || m.Error != nil {
		return false
	}
	if m.ID == nil || m.ID[0] == '"' {
		return true
	}
	_, err := strconv.ParseInt(string(m.ID), 10, 64)
	return err == nil
}

// isReply reports whether a line answers a request.
func isReply(line []byte) bool {
	var m message
	return stdjson.Unmarshal(line, &m) == nil && m.Method == nil && (m.Result != nil || m.Error != nil)
}

// edge is how much of a message is looked at, at either end, to find out which request it is.
const edge = 1 << 10

// refuse skips the rest of a message, of which it is given the beginning, and answers it.
func (b *bounded) refuse(begun []byte, err error) error {
	head, tail := begun[:min(len(begun), edge)], begun
	for err == bufio.ErrBufferFull {
		var part []byte
		part, err = b.in.ReadSlice('\n')
		tail = append(bytes.Clone(tail[max(0, len(tail)-edge):]), part...)
	}
	id := []byte("null")
	if m := idInHead().FindSubmatch(head); m != nil {
		id = m[1]
	} else if m := idInTail().FindSubmatch(tail); m != nil {
		id = m[1]
	}
	fmt.Fprintf(b.out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"the message is longer than %s: put the text into a file"}}`+"\n", id, files.Size(int64(b.most)))
	if err == io.EOF {
		return err
	}
	return nil
}

// The identifier of a request stands before its parameters or after them.
var (
	idInHead = lazy.Pattern(`^\s*\{[^{}\[\]]*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,`)
	idInTail = lazy.Pattern(`\}\s*,(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(-?\d+|"[^"\\]*")[^{}\[\]]*\}\s*$`)
)

// whole writes messages one at a time.
type whole struct {
	mu sync.Mutex
	io.WriteCloser
}

func (w *whole) Write(message []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(message)
}
