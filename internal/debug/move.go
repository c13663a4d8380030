package debug

import (
	"context"
	"fmt"
	"sort"

	"github.com/google/go-dap"

	"aiglens/design/expression"
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

func (s *session) handleMove(ctx context.Context, m dap.Message) (known bool, err error) {
	switch m := m.(type) {
	case *dap.ConfigurationDoneRequest:
		s.client.send(&dap.ConfigurationDoneResponse{Response: response(&m.Request)})
		s.start(ctx)
	case *dap.NextRequest:
		s.client.send(&dap.NextResponse{Response: response(&m.Request)})
		s.forward(ctx, 1)
	case *dap.StepInRequest:
		s.client.send(&dap.StepInResponse{Response: response(&m.Request)})
		s.forward(ctx, 1)
	case *dap.StepOutRequest:
		s.client.send(&dap.StepOutResponse{Response: response(&m.Request)})
		s.forward(ctx, 1)
	case *dap.StepBackRequest:
		s.client.send(&dap.StepBackResponse{Response: response(&m.Request)})
		s.back(ctx, 1)
	case *dap.ContinueRequest:
		r := &dap.ContinueResponse{Response: response(&m.Request)}
		r.Body.AllThreadsContinued = true
		s.client.send(r)
		s.resume(ctx)
	case *dap.ReverseContinueRequest:
		s.client.send(&dap.ReverseContinueResponse{Response: response(&m.Request)})
		s.back(ctx, s.t.limit())
	case *dap.RestartRequest:
		s.client.send(&dap.RestartResponse{Response: response(&m.Request)})
		s.start(ctx)
	case *dap.RestartFrameRequest:
		if err := s.inRun(m.Arguments.FrameId - 1); err != nil {
			return true, err
		}
		s.client.send(&dap.RestartFrameResponse{Response: response(&m.Request)})
		s.arrive(m.Arguments.FrameId-1, reasonGoto, nil)
	case *dap.GotoRequest:
		if err := s.inRun(m.Arguments.TargetId - 1); err != nil {
			return true, err
		}
		s.client.send(&dap.GotoResponse{Response: response(&m.Request)})
		s.arrive(m.Arguments.TargetId-1, reasonGoto, nil)
	case *dap.PauseRequest: // the run stands already: the inbox has ended what went on
		s.client.send(&dap.PauseResponse{Response: response(&m.Request)})
		s.arrive(s.step, "pause", nil)
	default:
		return false, nil
	}
	return true, nil
}

func (s *session) inRun(step int) error {
	if step < 0 || step >= s.t.limit() {
		return refuse("there is no step %d: the steps are 0 to %d", step, s.t.limit()-1)
	}
	return nil
}

// start goes to the first step, and on from there where the launch says so.
func (s *session) start(ctx context.Context) {
	again := s.configured
	s.configured = true
	s.step = 0
	if again || s.launch.args.StopOnEntry == nil || *s.launch.args.StopOnEntry {
		s.arrive(0, reasonEntry, nil)
		return
	}
	hits := s.hits(ctx, s.t, 0)
	switch {
	case s.t.simulation != nil && (len(hits) > 0 || s.t.stops(0)):
		s.stopAt(0, hits)
		return
	case len(hits) > 0:
		s.arrive(0, reasonBreakpoint, hits)
		return
	}
	s.resume(ctx)
}

// resume goes on until something stops the run.
func (s *session) resume(ctx context.Context) {
	if s.t.simulation != nil {
		s.simulate(ctx)
		return
	}
	s.forward(ctx, s.t.limit())
}

// breakpoints returns all of them in the order of their numbers.
func (s *session) breakpoints() []*breakpoint {
	var all []*breakpoint
	for _, lines := range s.lines {
		all = append(all, lines...)
	}
	all = append(append(all, s.functions...), s.data...)
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	return all
}

// hits returns the breakpoints that stop a run at a step.
func (s *session) hits(ctx context.Context, r expression.Run, step int) []*breakpoint {
	var hits []*breakpoint
	for _, b := range s.breakpoints() {
		if b.message == nil && b.hit(ctx, r, step) {
			hits = append(hits, b)
		}
	}
	return hits
}

// log writes the messages of the log points that a step of a run hits.
func (s *session) log(ctx context.Context, r expression.Run, step int) {
	for _, b := range s.breakpoints() {
		if b.message == nil || !b.hit(ctx, r, step) {
			continue
		}
		m := &dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{
			Category: "console", Output: fmt.Sprintf("%s: %s\n", s.t.run.StepName(step), messageAt(b.message, r, step)),
		}}
		if b.at != nil {
			m.Body.Source, m.Body.Line = s.source(b.at.path), b.at.text.LineAt(b.at.span.Start)+s.client.firstLine
		}
		s.client.send(m)
	}
}

// forward goes on by some steps, or to the first one that a breakpoint hits or in which the
// property is seen to fail, or as far as it is when ctx ends.
func (s *session) forward(ctx context.Context, steps int) {
	switch {
	case s.t.simulation != nil:
		s.simulateStep(ctx)
		return
	case s.step == s.t.limit()-1:
		s.arrive(s.step, reasonStep, nil)
		return
	}
	single := steps == 1
	for to := s.step + 1; ; to++ {
		s.log(ctx, s.t, to)
		hits := s.hits(ctx, s.t, to)
		if len(hits) > 0 || single || s.t.fails(to) || to == s.t.limit()-1 || ctx.Err() != nil {
			s.arrive(to, reasonStep, hits)
			return
		}
	}
}

// back goes back by some steps, or to the first one from there that a breakpoint hits,
// or as far as it is when ctx ends.
func (s *session) back(ctx context.Context, steps int) {
	if s.step == 0 {
		s.arrive(0, reasonEntry, nil)
		return
	}
	single := steps == 1
	for to := s.step - 1; ; to-- {
		hits := s.hits(ctx, s.t, to)
		switch {
		case len(hits) == 0 && to == 0 && !single:
			s.arrive(0, reasonEntry, nil)
			return
		case len(hits) > 0 || single || ctx.Err() != nil:
			s.arrive(to, reasonStep, hits)
			return
		}
	}
}

// arrive stops at a step and says why: the property fails in the last one, or a round of the
// loop ends, breakpoints hit, or the reason that is given.
func (s *session) arrive(step int, reason string, hits []*breakpoint) {
	again := s.step == step
	s.step, s.at = step, nil
	s.forgetHandles()
	body := dap.StoppedEventBody{Reason: reason, ThreadId: threadID, AllThreadsStopped: true, Text: s.t.stepName(step)}
	for _, b := range hits {
		body.HitBreakpointIds = append(body.HitBreakpointIds, b.id)
		if s.at == nil {
			s.at = b.at
		}
	}
	switch {
	case s.t.simulation != nil && s.t.fails(step):
		s.at = nil
		body.Reason, body.Description = reasonFails, "A property fails"
		body.Text = fmt.Sprintf("%s here, in step %d", s.t.failWords(step), step)
	case s.t.fails(step) && s.t.run.LoopSteps() > 0:
		s.at = nil
		body.Reason, body.Description = reasonFails, "The end of a round"
		body.Text = fmt.Sprintf("the property %s fails: the loop that ends here, in %s, repeats for ever; continue repeats it", s.t.property.Name, s.t.run.StepName(step))
	case step == s.t.last() && s.t.simulation == nil:
		s.at = nil
		body.Reason, body.Description = reasonFails, "The property fails"
		body.Text = fmt.Sprintf("the property %s fails here, in step %d", s.t.property.Name, step)
		if again && reason == reasonStep {
			body.Text += ", the last one: step back or restart"
		}
	case len(hits) > 0:
		body.Reason, body.Description = reasonBreakpoint, "Paused on breakpoint"
		switch first := hits[0]; {
		case first.at != nil:
		case first.rising:
			body.Reason = reasonFunction
		default:
			body.Reason = reasonData
		}
	case step == 0:
		body.Reason, body.Description = reasonEntry, "Paused at the first step"
	}
	s.client.send(&dap.StoppedEvent{Event: event("stopped"), Body: body})
}
