package rpc

import (
	"context"
	"errors"
	"io"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Input is where the messages of a client come from.
type Input struct {
	io.Reader
	Limit   func() int64        // of one message, in bytes
	Skipped func(*SkippedError) // told, in turn with the messages, of one that was larger
	// Ended is told once that there will be no more messages: nil at the end of the
	// input, or what is wrong with it. It must not wait.
	Ended func(error)
}

// Stream frames the two ends of a client's pipe as messages. It is a jsonrpc2.Stream
// whose Write does not wait.
type Stream struct {
	input  Input
	frames *frameReader
	pipe   *io.PipeReader
	out    *Outbox
	ended  sync.Once
}

// NewStream returns a stream over both directions.
//
// Input is copied through a pipe of our own, because closing a standard input
// does not wake its reader on every system: Close ends the
// copy's reader at once, and the copier ends with the process. The end of the input is
// told when all of it has been read: the connection itself does not end as long as an
// answer is being worked on.
func NewStream(in Input, out *Outbox) *Stream {
	r, w := io.Pipe()
	s := &Stream{input: in, frames: newFrameReader(r, in.Limit), pipe: r, out: out}
	go func() {
		_, err := io.Copy(w, in)
		w.CloseWithError(err) // nil means io.EOF
		s.end(nil)
	}()
	return s
}

func (s *Stream) end(err error) { s.ended.Do(func() { s.input.Ended(err) }) }

// Close ends reading. The output is left to its owner.
func (s *Stream) Close() error { return s.pipe.Close() }

// Write puts a message into the outbox.
func (s *Stream) Write(_ context.Context, m jsonrpc2.Message) (int64, error) {
	frame := frameOf(m)
	return int64(len(frame)), s.out.put(letter{frame: frame})
}

// maxID is the number of bytes of a request's id, which every answer repeats.
const maxID = 1 << 10

// Read returns the next message. A frame that holds none is answered and costs no other.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		m, n, err := s.read()
		var header *HeaderError
		var skipped *SkippedError
		var refusal *jsonrpc2.Error
		var id jsonrpc2.ID // none, unless it is known which request is refused
		switch {
		case err == nil:
			return m, n, nil
		case errors.As(err, &skipped):
			s.input.Skipped(skipped)
			id = skipped.requestID()
			refusal = jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%v", err)
		case errors.As(err, &header):
			refusal = jsonrpc2.Errorf(jsonrpc2.ParseError, "%v", err)
		case !errors.As(err, &refusal):
			return nil, 0, err
		}
		_, writeErr := s.Write(ctx, jsonrpc2.NewResponse(id, nil, refusal))
		switch {
		case header != nil:
			s.end(err)
			return nil, 0, err
		case writeErr != nil:
			return nil, 0, writeErr
		}
	}
}

// read returns the next message. A jsonrpc2.Error is the answer to a frame that holds
// none.
func (s *Stream) read() (jsonrpc2.Message, int64, error) {
	body, n, err := s.frames.next()
	if err != nil {
		return nil, 0, err
	}
	m, err := jsonrpc2.DecodeMessage(body)
	if err != nil {
		return nil, 0, jsonrpc2.Errorf(jsonrpc2.ParseError, "not a JSON-RPC message: %v", err)
	}
	if call, is := m.(*jsonrpc2.Call); is {
		if id, _ := call.ID().StringValue(); len(id) > maxID {
			return nil, 0, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "an id of %d bytes: the limit is %d", len(id), maxID)
		}
	}
	return m, n, nil
}

// Codec marshals payloads with the union-aware functions of package protocol,
// whose own codec is not exported.
type Codec struct{}

func (Codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		if raw == nil {
			return []byte("null"), nil
		}
		return raw, nil
	}
	return protocol.Marshal(v)
}

func (Codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}
