package debug

import (
	"cmp"
	"context"
	"fmt"

	"github.com/google/go-dap"
)

// Reasons why a session is stopped, in the words of the protocol.
const (
	reasonEntry      = "entry"
	reasonStep       = "step"
	reasonBreakpoint = "breakpoint"
	reasonFunction   = "function breakpoint"
	reasonData       = "data breakpoint"
	reasonGoto       = "goto"
	reasonFails      = "exception"
)

// walk is the way through a run: the run that is shown, and where it stands. Moves go to another
// step. In a simulation they add steps to the run, and the client may change it.
type walk struct {
	client *connection
	args   launchArguments

	t           *target
	step        int
	at          *place // of the definition at which a breakpoint hit; nil for the property
	configured  bool   // the walk has begun
	breakpoints *breakpoints
	handles     *handles
}

func newWalk(client *connection, args launchArguments, t *target) *walk {
	return &walk{client: client, args: args, t: t, breakpoints: &breakpoints{client: client}, handles: &handles{}}
}

func (w *walk) variables() variables { return variables{w.client, w.t, w.handles} }
func (w *walk) questions() questions { return questions{w.variables(), w.step, w.at} }

// handle follows a request about the run.
func (w *walk) handle(ctx context.Context, m dap.Message) error {
	if known, err := w.breakpoints.handle(w.t, m); known {
		return err
	}
	if known, err := w.move(ctx, m); known {
		return err
	}
	if m, ok := m.(*dap.SetVariableRequest); ok {
		return w.onSetVariable(ctx, m)
	}
	return w.questions().handle(ctx, m)
}

// move follows a request that goes to another step.
func (w *walk) move(ctx context.Context, m dap.Message) (known bool, err error) {
	switch m := m.(type) {
	case *dap.ConfigurationDoneRequest:
		w.client.send(&dap.ConfigurationDoneResponse{Response: response(&m.Request)})
		w.start(ctx)
	case *dap.NextRequest:
		w.client.send(&dap.NextResponse{Response: response(&m.Request)})
		w.forward(ctx, 1)
	case *dap.StepInRequest:
		w.client.send(&dap.StepInResponse{Response: response(&m.Request)})
		w.forward(ctx, 1)
	case *dap.StepOutRequest:
		w.client.send(&dap.StepOutResponse{Response: response(&m.Request)})
		w.forward(ctx, 1)
	case *dap.StepBackRequest:
		w.client.send(&dap.StepBackResponse{Response: response(&m.Request)})
		w.back(ctx, 1)
	case *dap.ContinueRequest:
		r := &dap.ContinueResponse{Response: response(&m.Request)}
		r.Body.AllThreadsContinued = true
		w.client.send(r)
		w.resume(ctx)
	case *dap.ReverseContinueRequest:
		w.client.send(&dap.ReverseContinueResponse{Response: response(&m.Request)})
		w.back(ctx, w.t.limit())
	case *dap.RestartRequest:
		w.client.send(&dap.RestartResponse{Response: response(&m.Request)})
		w.start(ctx)
	case *dap.RestartFrameRequest:
		if err := w.t.inRun(m.Arguments.FrameId - 1); err != nil {
			return true, err
		}
		w.client.send(&dap.RestartFrameResponse{Response: response(&m.Request)})
		w.arrive(m.Arguments.FrameId-1, reasonGoto, nil)
	case *dap.GotoRequest:
		if err := w.t.inRun(m.Arguments.TargetId - 1); err != nil {
			return true, err
		}
		w.client.send(&dap.GotoResponse{Response: response(&m.Request)})
		w.arrive(m.Arguments.TargetId-1, reasonGoto, nil)
	case *dap.PauseRequest: // the run stands already: the inbox has ended what went on
		w.client.send(&dap.PauseResponse{Response: response(&m.Request)})
		w.arrive(w.step, "pause", nil)
	default:
		return false, nil
	}
	return true, nil
}

// start goes to the first step, and on from there where the launch says so.
func (w *walk) start(ctx context.Context) {
	again := w.configured
	w.configured = true
	w.step = 0
	if again || w.args.StopOnEntry == nil || *w.args.StopOnEntry {
		w.arrive(0, reasonEntry, nil)
		return
	}
	hits := w.breakpoints.hits(ctx, w.t, 0)
	switch {
	case w.t.simulation != nil && (len(hits) > 0 || w.t.stops(0)):
		w.stopAt(0, hits)
		return
	case len(hits) > 0:
		w.arrive(0, reasonBreakpoint, hits)
		return
	}
	w.resume(ctx)
}

// resume goes on until something stops the run.
func (w *walk) resume(ctx context.Context) {
	if w.t.simulation != nil {
		w.simulate(ctx)
		return
	}
	w.forward(ctx, w.t.limit())
}

// forward goes on by some steps, or to the first one that a breakpoint hits or in which the
// property is seen to fail, or as far as it is when ctx ends.
func (w *walk) forward(ctx context.Context, steps int) {
	switch {
	case w.t.simulation != nil:
		w.simulateStep(ctx)
		return
	case w.step == w.t.limit()-1:
		w.arrive(w.step, reasonStep, nil)
		return
	}
	single := steps == 1
	for to := w.step + 1; ; to++ {
		w.breakpoints.log(ctx, w.t, w.t, to)
		hits := w.breakpoints.hits(ctx, w.t, to)
		if len(hits) > 0 || single || w.t.fails(to) || to == w.t.limit()-1 || ctx.Err() != nil {
			w.arrive(to, reasonStep, hits)
			return
		}
	}
}

// back goes back by some steps, or to the first one from there that a breakpoint hits,
// or as far as it is when ctx ends.
func (w *walk) back(ctx context.Context, steps int) {
	if w.step == 0 {
		w.arrive(0, reasonEntry, nil)
		return
	}
	single := steps == 1
	for to := w.step - 1; ; to-- {
		hits := w.breakpoints.hits(ctx, w.t, to)
		switch {
		case len(hits) == 0 && to == 0 && !single:
			w.arrive(0, reasonEntry, nil)
			return
		case len(hits) > 0 || single || ctx.Err() != nil:
			w.arrive(to, reasonStep, hits)
			return
		}
	}
}

// arrive stops at a step and says why: the property fails in the last one, or a round of the
// loop ends, breakpoints hit, or the reason that is given.
func (w *walk) arrive(step int, reason string, hits []*breakpoint) {
	again := w.step == step && reason == reasonStep
	w.step, w.at = step, nil
	w.handles.forget()
	why, fails := w.t.failure(step, again)
	switch {
	case fails:
	case len(hits) > 0:
		why = cause{reason: hits[0].reason, description: "Paused on breakpoint"}
		w.at = placeOf(hits)
	case step == 0:
		why = cause{reason: reasonEntry, description: "Paused at the first step"}
	default:
		why = cause{reason: reason}
	}
	body := dap.StoppedEventBody{
		Reason: why.reason, Description: why.description, Text: cmp.Or(why.text, w.t.stepName(step)), ThreadId: threadID, AllThreadsStopped: true,
	}
	for _, b := range hits {
		body.HitBreakpointIds = append(body.HitBreakpointIds, b.id)
	}
	w.client.send(&dap.StoppedEvent{Event: event("stopped"), Body: body})
}

// cause is why a run stops, as a client shows it.
type cause struct {
	reason, description string
	text                string // "" for the name of the step
}

// failure says what fails in a step; ok is false where nothing does. again says that the user
// wants to go on from there.
func (t *target) failure(step int, again bool) (c cause, ok bool) {
	switch {
	case t.simulation != nil && t.fails(step):
		return cause{reasonFails, "A property fails", fmt.Sprintf("%s here, in step %d", t.failWords(step), step)}, true
	case t.fails(step) && t.run.LoopSteps() > 0:
		return cause{reasonFails, "The end of a round", fmt.Sprintf("the property %s fails: the loop that ends here, in %s, repeats for ever; continue repeats it", t.property.Name, t.run.StepName(step))}, true
	case step == t.last() && t.simulation == nil:
		text := fmt.Sprintf("the property %s fails here, in step %d", t.property.Name, step)
		if again {
			text += ", the last one: step back or restart"
		}
		return cause{reasonFails, "The property fails", text}, true
	}
	return c, false
}

// placeOf returns the first place in a text of some breakpoints; nil for none.
func placeOf(hits []*breakpoint) *place {
	for _, b := range hits {
		if b.at != nil {
			return b.at
		}
	}
	return nil
}
