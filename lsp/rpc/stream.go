package rpc

import (
	"context"
	"io"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// NewStream frames the two ends of a client's pipe as messages.
//
// Input is copied through a pipe of our own, because closing a standard input
// that somebody reads does not wake the reader on every system: Close ends the
// copy's reader at once, and the copier ends with the process. ended is called
// when the input has been read to its end: the connection itself does not end
// as long as an answer waits for a client that does not read.
func NewStream(in io.Reader, out io.Writer, ended func()) jsonrpc2.Stream {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		w.CloseWithError(err) // nil means io.EOF
		ended()
	}()
	return &stream{Stream: jsonrpc2.NewHeaderStream(pipe{r, out})}
}

// pipe joins both directions; closing it ends reading. The output is left to
// its owner.
type pipe struct {
	*io.PipeReader
	out io.Writer
}

func (p pipe) Write(b []byte) (int, error) { return p.out.Write(b) }

// stream answers a frame that is no message instead of giving up the
// connection. It hides the frame methods of the stream below on purpose, so
// that the connection reads through Read.
type stream struct{ jsonrpc2.Stream }

type frameReader interface {
	ReadFrame(context.Context) ([]byte, int64, error)
}

// Read returns the next message.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		body, n, err := s.Stream.(frameReader).ReadFrame(ctx)
		if err != nil {
			return nil, 0, err
		}
		msg, err := jsonrpc2.DecodeMessage(body)
		if err == nil {
			return msg, n, nil
		}
		refusal := jsonrpc2.Errorf(jsonrpc2.ParseError, "not a JSON-RPC message: %v", err)
		if _, err := s.Write(ctx, jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, refusal)); err != nil {
			return nil, 0, err
		}
	}
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
