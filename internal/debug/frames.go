package debug

import "github.com/google/go-dap"

// maxFrames bounds the steps before the present one that the stack shows.
const maxFrames = 1000

// onStackTrace answers with a frame for the present step and one for each step before
// it: how the run got here. Frames are numbered by their steps, from 1; the extension of VS
// Code shows the step of the topmost one in the text.
func (q questions) onStackTrace(m *dap.StackTraceRequest) error {
	r := &dap.StackTraceResponse{Response: response(&m.Request)}
	r.Body.StackFrames = []dap.StackFrame{}
	r.Body.TotalFrames = min(q.step+1, maxFrames)
	from, levels := max(0, m.Arguments.StartFrame), maxFrames
	if n := m.Arguments.Levels; n > 0 {
		levels = min(n, maxFrames)
	}
	for i := from; i < min(r.Body.TotalFrames, from+levels); i++ {
		r.Body.StackFrames = append(r.Body.StackFrames, q.frame(q.step-i))
	}
	q.client.send(r)
	return nil
}

// frame describes a step. The present one stands at the property, or where a
// breakpoint hit; an earlier one at the first definition with a part in the failure
// whose value is new in it.
func (q questions) frame(step int) dap.StackFrame {
	at := q.t.placeAt(step)
	if step == q.step && q.at != nil {
		at = *q.at
	} else if step < q.step {
		if changes := q.t.changes(step); len(changes) > 0 {
			if found, ok := q.t.placeOf(changes[0].lit); ok {
				at = found
			}
		}
	}
	f := dap.StackFrame{Id: step + 1, Name: q.t.stepName(step), Source: q.t.source(at.path), CanRestart: true}
	f.Line, f.Column = at.text.LineAt(at.span.Start)+q.client.firstLine, q.client.column(at.text, at.span.Start)
	f.EndLine, f.EndColumn = at.text.LineAt(at.span.End())+q.client.firstLine, q.client.column(at.text, at.span.End())
	return f
}

// stepOf returns the step of a frame; that of no frame is the present one.
func (q questions) stepOf(frame int) (int, error) {
	if frame == 0 {
		return q.step, nil
	}
	if frame < 0 || frame > q.step+1 {
		return 0, refuse("there is no frame %d", frame)
	}
	return frame - 1, nil
}
