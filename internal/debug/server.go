// Package debug is a debug adapter: it walks through a counterexample as a debugger
// walks through a program. Time is the steps of the run, and it goes both ways. A
// simulation begins at reset, and people choose its inputs as it goes on: see package play.
//
// It speaks the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol) with
// the types of github.com/google/go-dap. A session shows only counterexamples whose
// certificate has passed its check on the circuit of the text, wherever they come from,
// and no values but those of circuit/trace. The package knows the formats of files
// through design alone.
package debug

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/google/go-dap"

	"aiglens/ic3/verify"
	"aiglens/internal/fault"
	"aiglens/internal/thread"
)

// Options are what a session needs of the program around it.
type Options struct {
	// Engine returns an engine for one check.
	Engine func() verify.Engine
	// Cache holds results of earlier runs; nil for none.
	Cache verify.Cache
	// Log is told of faults of this program, and Faults keeps reports of them.
	Log    io.Writer
	Faults fault.Folder
}

// Serve runs one session until the client disconnects or its messages end. The error
// says that they could not be read or answered.
func Serve(ctx context.Context, r io.Reader, w io.Writer, o Options) error {
	ctx, stop := thread.WithCancel(ctx)
	defer stop()
	s := newSession(ctx, w, o)
	messages := make(chan []byte)
	ended := make(chan error, 1)
	go func() {
		ended <- s.inbox.read(ctx, bufio.NewReader(r), messages)
		stop() // ends a search through the steps: the client is gone
	}()
	for !s.done {
		select {
		case content := <-messages:
			if err := s.receive(content); err != nil {
				return err
			}
		case found := <-s.launch.loaded:
			if ctx.Err() == nil { // else it failed because the client is gone
				s.launched(found)
			}
		case n := <-s.launch.notes:
			s.launch.note(n)
		case <-ctx.Done():
			select {
			case err := <-ended:
				return err
			default:
				return ctx.Err()
			}
		}
		if s.client.broken != nil {
			return s.client.broken
		}
	}
	return nil
}

// session is one debugging session: it hands each request to the part that answers it. One
// goroutine owns it but for the inbox.
type session struct {
	Options
	ctx         context.Context // of the session; that of a request is handed along
	inbox       inbox
	client      *connection
	done        bool
	hasReported bool // where reports of faults are

	launch *launch
	walk   *walk // nil until a run is loaded; it answers all about the run
}

func newSession(ctx context.Context, out io.Writer, o Options) *session {
	client := newConnection(out)
	return &session{
		Options: o, ctx: ctx, inbox: inbox{early: map[int]bool{}}, client: client,
		launch: &launch{client: client, loaded: make(chan outcome, 1), notes: make(chan note, 1)},
	}
}

// badRequest is the answer to a request that cannot be followed: a sentence for the
// user.
type badRequest string

func (e badRequest) Error() string { return string(e) }

func refuse(format string, args ...any) error { return badRequest(fmt.Sprintf(format, args...)) }

// receive follows one message. The error says that there is no way to go on.
func (s *session) receive(content []byte) error {
	var head dap.Request
	if err := json.Unmarshal(content, &head); err != nil {
		return fmt.Errorf("a message of the client is not a JSON object: %w", err)
	}
	if head.Type != "request" {
		return nil // nothing was asked of the client
	}
	m, err := dap.DecodeProtocolMessage(content)
	var unknown *dap.DecodeProtocolMessageFieldError
	switch {
	case errors.As(err, &unknown):
		s.client.fail(&head, refuse("the request %s is not supported", head.Command))
		return nil
	case err != nil:
		s.client.fail(&head, refuse("the arguments of %s cannot be read: %v", head.Command, err))
		return nil
	}
	s.guard(&head, m)
	return nil
}

// guard follows a request. A panic becomes its answer: the session goes on.
func (s *session) guard(head *dap.Request, m dap.Message) {
	defer func() {
		if value := recover(); value != nil {
			s.tellOf(s.report(head.Command, value))
			s.client.fail(head, refuse("internal error in %s, please report it", head.Command))
		}
	}()
	ctx, end := s.inbox.begin(s.ctx, head.Seq, head.Command)
	defer end()
	err := s.handle(ctx, m)
	switch {
	case errors.Is(err, context.Canceled):
		s.client.fail(head, refuse("cancelled")) // the protocol's own word
	case err != nil:
		s.client.fail(head, err)
	}
}

// report writes a fault of this program to the log, leaves a report and returns where;
// "" where there is none. Neither holds anything of the text.
func (s *session) report(where string, value any) (path string) {
	text := ""
	if w := s.walk; w != nil && w.t.doc != nil {
		text = fault.HashOf(w.t.doc.Text.Content())
	}
	r := fault.Of(value, "debug, "+where, text)
	path, err := s.Faults.Keep(r)
	if s.Log != nil {
		fmt.Fprintf(s.Log, "aiglens debug: internal error in %s: %s\n%s", where, r.Kind, r.Stack)
		if err != nil {
			fmt.Fprintf(s.Log, "aiglens debug: no report: %v\n", err)
		}
	}
	return path
}

// tellOf tells the user where a report of a fault is, once.
func (s *session) tellOf(report string) {
	if report != "" && !s.hasReported {
		s.hasReported = true
		s.client.say("important", "aiglens: an internal error of the debug adapter: one request has no answer. %s says where in the program it happened and contains nothing of your files: please attach it to your report.\n", report)
	}
}

// handle follows a request of a known kind. An error may be that of ctx.
func (s *session) handle(ctx context.Context, m dap.Message) error {
	switch m := m.(type) {
	case *dap.InitializeRequest:
		return s.onInitialize(m)
	case *dap.LaunchRequest:
		return s.onLaunch(m)
	case *dap.CancelRequest:
		return s.onCancel(m)
	case *dap.DisconnectRequest:
		s.launch.stop()
		s.client.send(&dap.DisconnectResponse{Response: response(&m.Request)})
		s.done = true
		return nil
	case *dap.TerminateRequest:
		s.launch.stop()
		s.client.send(&dap.TerminateResponse{Response: response(&m.Request)})
		s.client.terminated()
		return nil
	case *dap.ThreadsRequest:
		return s.onThreads(m)
	case *dap.SetExceptionBreakpointsRequest: // there are no filters
		s.client.send(&dap.SetExceptionBreakpointsResponse{Response: response(&m.Request)})
		return nil
	}
	if s.walk == nil {
		return refuse("there is no run yet: launch one first")
	}
	return s.walk.handle(ctx, m)
}

func (s *session) onInitialize(m *dap.InitializeRequest) error {
	s.client.introduce(m.Arguments)
	s.client.send(&dap.InitializeResponse{Response: response(&m.Request), Body: dap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true, SupportsConditionalBreakpoints: true,
		SupportsHitConditionalBreakpoints: true, SupportsEvaluateForHovers: true, SupportsStepBack: true,
		SupportsRestartFrame: true, SupportsGotoTargetsRequest: true, SupportsCompletionsRequest: true,
		SupportsRestartRequest: true, SupportsExceptionInfoRequest: true, SupportsDelayedStackTraceLoading: true,
		SupportsLoadedSourcesRequest: true, SupportsLogPoints: true, SupportsTerminateRequest: true,
		SupportsDataBreakpoints: true, SupportsCancelRequest: true, SupportsBreakpointLocationsRequest: true,
		SupportsClipboardContext: true, SupportsSetVariable: true,
	}})
	return nil
}

func (s *session) onLaunch(m *dap.LaunchRequest) error {
	if s.launch.request != nil {
		return refuse("a session has one run: start another session")
	}
	args, err := launchFromJSON(m.Arguments)
	if err != nil {
		s.client.fail(&m.Request, err)
		s.client.terminated()
		return nil
	}
	load := s.load
	if args.Simulate {
		load = s.loadSimulation
	}
	s.launch.begin(s.ctx, m, args, load, s.report)
	return nil
}

// launched answers the launch.
func (s *session) launched(found outcome) {
	s.launch.end()
	s.tellOf(found.report)
	if found.err != nil {
		s.client.fail(&s.launch.request.Request, found.err)
		s.client.terminated()
		return
	}
	s.walk = newWalk(s.client, s.launch.args, found.t)
	s.client.send(&dap.InitializedEvent{Event: event("initialized")})
	s.client.send(&dap.LaunchResponse{Response: response(&s.launch.request.Request)})
	if found.t.simulation != nil {
		s.walk.greet()
		return
	}
	for _, d := range found.t.doc.LeftOpen(found.t.property.ID).Diagnostics() {
		s.client.say("console", "%s\n", inLine(found.t.doc, d))
	}
}

func (s *session) onCancel(m *dap.CancelRequest) error {
	if a := m.Arguments; a != nil && s.launch.isMeant(*a) {
		s.launch.stop()
	}
	s.client.send(&dap.CancelResponse{Response: response(&m.Request)})
	return nil
}

// threadID is that of the only thread.
const threadID = 1

func (s *session) onThreads(m *dap.ThreadsRequest) error {
	r := &dap.ThreadsResponse{Response: response(&m.Request)}
	r.Body.Threads = []dap.Thread{}
	if s.walk != nil {
		r.Body.Threads = append(r.Body.Threads, dap.Thread{Id: threadID, Name: s.walk.t.title()})
	}
	s.client.send(r)
	return nil
}
