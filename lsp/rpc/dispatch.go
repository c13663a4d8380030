// Package rpc is the connection to a client: framing, the decoding of parameters, the
// order in which messages are taken up, and the life of both ends.
//
// It knows that there are messages with names, and no message but those that begin, end
// and cancel.
//
// Everything for the client leaves through one Outbox, which one goroutine writes. Putting never
// waits, so neither the reader nor the owner of the state waits for a client that does not read.
// What keeps the outbox small:
//
//   - State (diagnostics, status, progress) is sent by a queue.Sender that waits until its last
//     message has been written.
//   - Questions of the server are asked one at a time each; progresses that the client has not
//     taken are counted.
//   - Requests compute 32 at a time, those that may wait for a client or a disk 64. While 32 MB
//     wait, each is answered with a refusal, which is small; so is one too many of 10,000, or of
//     64 MB of parameters. After a refusal the client requests lenses and hints again.
//   - Small messages that cannot be held back end the connection at 64 MB. Reading never stops for
//     what is written, so that exit, cancelling and the end of the input are seen.
package rpc

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"aiglens/internal/thread"
)

// phase is where a connection stands in its life.
type phase uint8

const (
	created phase = iota
	running
	stopped // after shutdown
)

// Dispatcher turns messages into calls of a server.
//
// Notifications run one after another on the reading goroutine, so that their
// order is that of the wire. A request first pins what it will look at, which
// sees every notification before it and none after it, and then leaves the
// reading goroutine: typing never waits for a hover. A handler that panics or
// fails costs its own answer, never the connection. Its exported fields are set before
// the first message.
type Dispatcher struct {
	Server  protocol.Server
	Methods map[string]Method
	Pin     func(context.Context) context.Context // of a request, as it is read
	Log     *zap.Logger
	// OnPanic is told what a handler panicked with, still on its stack.
	OnPanic func(method string, params []byte, value any)
	OnExit  func() // called at the exit notification; must not wait
	// HasRoom reports whether the client may be sent what is large; nil is always.
	HasRoom func() bool
	// Refuse returns the answer to a request that is not run, or whose result is not
	// sent, for a reason.
	Refuse func(method, reason string) error
	// Prepare returns the turn that a request takes, and may wait before for what the
	// request needs, until ctx ends; nil is Computing for all.
	Prepare func(ctx context.Context, method string, params []byte) Turn

	mu       sync.Mutex
	phase    phase                    // guarded by mu
	inFlight map[jsonrpc2.ID]*request // guarded by mu
	load     load                     // its numbers guarded by mu
}

// Method runs one message of the protocol.
type Method func(context.Context, protocol.Server, []byte) (any, error)

// Request adapts a method of the protocol that answers.
func Request[P, R any](f func(protocol.Server, context.Context, *P) (R, error)) Method {
	answer := take(f)
	return func(ctx context.Context, s protocol.Server, raw []byte) (any, error) {
		if ctx.Value(isCall{}) == nil {
			return nil, errNoID
		}
		return answer(ctx, s, raw)
	}
}

// Declared adapts a request beyond the protocol, with parameters that package wire declares.
func Declared[P, R any](f func(context.Context, protocol.Server, *P) (R, error)) Method {
	return func(ctx context.Context, s protocol.Server, raw []byte) (any, error) {
		if ctx.Value(isCall{}) == nil {
			return nil, errNoID
		}
		params, err := ParamsFromJSON[P](raw)
		if err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "parameters: %v", err)
		}
		return f(ctx, s, params)
	}
}

// take decodes the parameters of a method.
func take[P, R any](f func(protocol.Server, context.Context, *P) (R, error)) Method {
	return func(ctx context.Context, s protocol.Server, raw []byte) (any, error) {
		params := new(P)
		if err := Decode(raw, params); err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "parameters: %v", err)
		}
		return f(s, ctx, params)
	}
}

// isCall is the key of a context under which a request is followed. What a request
// looks at is pinned for it; a client that sends one as a notification gets nothing.
type isCall struct{}

var errNoID = jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "a request needs an id to be answered")

// Notification adapts a method of the protocol that does not.
func Notification[P any](f func(protocol.Server, context.Context, *P) error) Method {
	return take(func(s protocol.Server, ctx context.Context, p *P) (any, error) { return nil, f(s, ctx, p) })
}

// Handle is the handler of the connection.
func (d *Dispatcher) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		// An error would end the connection, so it goes to the log.
		if _, err := d.run(jsonrpc2.DetachContext(ctx), req.Method(), req.Params()); err != nil {
			level := zap.WarnLevel
			if strings.HasPrefix(req.Method(), "$/") { // may be ignored, says the protocol
				level = zap.DebugLevel
			}
			d.Log.Log(level, "notification failed", zap.String("method", req.Method()), zap.Error(err))
		}
		return nil, nil
	}
	call := context.WithValue(jsonrpc2.DetachContext(ctx), isCall{}, true)
	switch req.Method() {
	case protocol.MethodInitialize, protocol.MethodShutdown: // in wire order, because all that follows depends on them
		result, err := d.run(call, req.Method(), req.Params())
		return result, brief(err)
	}
	if err := d.admit(req.Method()); err != nil {
		return nil, brief(err)
	}
	switch {
	case !d.hasRoom():
		return nil, d.Refuse(req.Method(), noRoom)
	case d.isOverloaded(len(req.Params())):
		return nil, d.Refuse(req.Method(), tooMany)
	}
	// The request's own context is pooled together with the request.
	work, cancel := thread.WithCancel(d.Pin(call))
	r := &request{id: req.ID(), cancel: cancel, params: len(req.Params())}
	d.register(r)
	defer d.unregister(r)
	jsonrpc2.Async(ctx)
	result, err := d.inTurn(work, req.Method(), req.Params())
	return result, brief(err)
}

// run calls the method and turns a panic into an error.
func (d *Dispatcher) run(ctx context.Context, name string, params []byte) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			d.OnPanic(name, params, r)
			result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "internal error in %s; see the log", name)
		}
	}()
	switch name {
	case protocol.MethodExit:
		d.OnExit()
		return nil, nil
	case protocol.MethodCancelRequest:
		return nil, d.cancel(params)
	case protocol.MethodInitialize, protocol.MethodShutdown:
		if ctx.Value(isCall{}) == nil { // before it moves the phase on
			return nil, errNoID
		}
	}
	if err := d.advance(name); err != nil {
		return nil, err
	}
	if m, ok := d.Methods[name]; ok {
		return m(ctx, d.Server, params)
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method %q is not supported", shortened([]byte(name)))
}

// admit refuses what must not be sent in the present phase.
func (d *Dispatcher) admit(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.phase == created && name != protocol.MethodInitialize:
		return jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "%s before initialize", name)
	case d.phase == running && name == protocol.MethodInitialize:
		return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "initialize a second time")
	case d.phase == stopped:
		return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s after shutdown", name)
	}
	return nil
}

// advance admits a message and moves on to the phase that it begins.
func (d *Dispatcher) advance(name string) error {
	if err := d.admit(name); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch name {
	case protocol.MethodInitialize:
		d.phase = running
	case protocol.MethodShutdown:
		d.phase = stopped
	}
	return nil
}

// HasShutDown reports whether the client said so before it went.
func (d *Dispatcher) HasShutDown() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.phase == stopped
}

// cancel serves $/cancelRequest. An id that is not in flight has been answered.
func (d *Dispatcher) cancel(raw []byte) error {
	var params struct{ ID json.RawMessage }
	if err := json.Unmarshal(raw, &params); err != nil {
		return err
	}
	id, ok := idFromJSON(params.ID)
	if !ok {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "request id %s is neither number nor string", params.ID)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.inFlight[id]; ok {
		r.cancel()
	}
	return nil
}
