package rpc

import (
	"context"
	"errors"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Bounds of the requests under way.
const (
	maxRequests = 10_000
	maxParams   = 64 << 20 // bytes of their parameters
	maxTurns    = 32       // requests that compute at the same time
	maxPatient  = 64       // and those that may wait for a check or the user, at the same time
	maxReading  = 32       // and those that may wait for a disk, at the same time
	maxWords    = 2 << 10  // bytes of an error's message
)

// load is what the requests under way take. It belongs to a Dispatcher, whose mu guards
// the numbers.
type load struct {
	requests, params int
	turns            [AtOnce]chan struct{} // an element for each request that runs
}

// Turn is what a request takes while it runs. There are so many of each kind, so that
// requests hold up only those of their own kind.
type Turn uint8

// The kinds of turns.
const (
	Computing Turn = iota // needs the processor only
	Patient               // may wait for the client or a check
	Reading               // may wait for a disk
	AtOnce                // takes no turn: what ends the work of others
)

// request is a request under way.
type request struct {
	id     jsonrpc2.ID
	cancel context.CancelFunc
	params int // bytes
}

// isOverloaded reports whether one more request is too much.
func (d *Dispatcher) isOverloaded(params int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.load.requests >= maxRequests || d.load.requests > 0 && d.load.params+params > maxParams
}

func (d *Dispatcher) register(r *request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inFlight == nil {
		d.inFlight = map[jsonrpc2.ID]*request{}
		for turn, n := range [AtOnce]int{Computing: maxTurns, Patient: maxPatient, Reading: maxReading} {
			d.load.turns[turn] = make(chan struct{}, n)
		}
	}
	d.inFlight[r.id] = r
	d.load.requests++
	d.load.params += r.params
}

func (d *Dispatcher) unregister(r *request) {
	d.mu.Lock()
	if d.inFlight[r.id] == r { // no other has taken its id
		delete(d.inFlight, r.id)
	}
	d.load.requests--
	d.load.params -= r.params
	d.mu.Unlock()
	r.cancel()
}

// inTurn runs a request once few enough others run, and encodes its result. What is too
// much for the outbox becomes a refusal.
func (d *Dispatcher) inTurn(ctx context.Context, method string, params []byte) (any, error) {
	turn := Computing
	if d.Prepare != nil {
		turn = d.Prepare(ctx, method, params)
	}
	if turn != AtOnce {
		turns := d.load.turns[turn]
		select {
		case turns <- struct{}{}:
			defer func() { <-turns }()
		case <-ctx.Done():
			return nil, protocol.ErrRequestCancelled
		}
	}
	switch { // since it was read
	case ctx.Err() != nil:
		return nil, protocol.ErrRequestCancelled
	case !d.hasRoom():
		return nil, d.Refuse(method, noRoom)
	}
	result, err := d.run(ctx, method, params)
	if errors.Is(err, context.Canceled) {
		return nil, protocol.ErrRequestCancelled
	}
	if err != nil {
		return nil, err
	}
	encoded, err := Codec{}.Marshal(result)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "the answer to %s: %v", method, err)
	}
	if len(encoded) >= smallMessage && !d.hasRoom() {
		return nil, d.Refuse(method, noRoom)
	}
	return jsonrpc2.RawMessage(encoded), nil
}

// Reasons of refusals.
const (
	noRoom  = "the server is overloaded: too many answers wait to be read"
	tooMany = "the server is overloaded: too many requests are under way"
)

func (d *Dispatcher) hasRoom() bool { return d.HasRoom == nil || d.HasRoom() }

// brief cuts the message of an error, which may repeat what the client has sent.
func brief(err error) error {
	if err == nil || len(err.Error()) <= maxWords {
		return err
	}
	code := jsonrpc2.UnknownError
	if e := new(jsonrpc2.Error); errors.As(err, &e) {
		code = e.Code
	}
	return jsonrpc2.NewError(code, strings.ToValidUTF8(err.Error()[:maxWords], "")+" …")
}
