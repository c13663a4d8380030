package debug

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"aiglens/design/expression"
)

// maxFrames bounds the steps before the present one that the stack shows.
const maxFrames = 1000

// onStackTrace answers with a frame for the present step and one for each step before
// it: how the run got here. Frames are numbered by their steps, from 1; the extension of VS
// Code shows the step of the topmost one in the text.
func (s *session) onStackTrace(m *dap.StackTraceRequest) error {
	r := &dap.StackTraceResponse{Response: response(&m.Request)}
	r.Body.StackFrames = []dap.StackFrame{}
	r.Body.TotalFrames = min(s.step+1, maxFrames)
	from, levels := max(0, m.Arguments.StartFrame), maxFrames
	if n := m.Arguments.Levels; n > 0 {
		levels = min(n, maxFrames)
	}
	for i := from; i < min(r.Body.TotalFrames, from+levels); i++ {
		r.Body.StackFrames = append(r.Body.StackFrames, s.frame(s.step-i))
	}
	s.client.send(r)
	return nil
}

// frame describes a step. The present one stands at the property, or where a
// breakpoint hit; an earlier one at the first definition with a part in the failure
// whose value is new in it.
func (s *session) frame(step int) dap.StackFrame {
	at := s.t.placeAt(step)
	if step == s.step && s.at != nil {
		at = *s.at
	} else if step < s.step {
		if changes := s.t.changes(step); len(changes) > 0 {
			if found, ok := s.t.placeOf(changes[0].lit); ok {
				at = found
			}
		}
	}
	f := dap.StackFrame{Id: step + 1, Name: s.t.stepName(step), Source: s.source(at.path), CanRestart: true}
	f.Line, f.Column = at.text.LineAt(at.span.Start)+s.client.firstLine, s.client.column(at.text, at.span.Start)
	f.EndLine, f.EndColumn = at.text.LineAt(at.span.End())+s.client.firstLine, s.client.column(at.text, at.span.End())
	return f
}

// stepOf returns the step of a frame; that of no frame is the present one.
func (s *session) stepOf(frame int) (int, error) {
	if frame == 0 {
		return s.step, nil
	}
	if frame < 0 || frame > s.step+1 {
		return 0, refuse("there is no frame %d", frame)
	}
	return frame - 1, nil
}

// handle is what a reference to variables stands for: a group at a step, or a part of
// it.
type handle struct{ step, group, from, to int }

// forgetHandles ends the references to variables, which hold while the run stands. None
// of them is given again.
func (s *session) forgetHandles() {
	s.firstHandle += len(s.handles)
	s.handles = nil
}

// reference returns the number for a handle.
func (s *session) reference(h handle) int {
	for i, known := range s.handles {
		if known == h {
			return s.firstHandle + i + 1
		}
	}
	s.handles = append(s.handles, h)
	return s.firstHandle + len(s.handles)
}

func (s *session) handleFrom(reference int) (handle, error) {
	i := reference - s.firstHandle - 1
	if i < 0 || i >= len(s.handles) {
		return handle{}, refuse("there are no variables %d: the run has moved on", reference)
	}
	return s.handles[i], nil
}

// manyVariables is the number of variables from which on they are shown in parts.
const manyVariables = 200

// chunk is the size of the parts.
const chunk = 100

func (s *session) onScopes(m *dap.ScopesRequest) error {
	step, err := s.stepOf(m.Arguments.FrameId)
	if err != nil {
		return err
	}
	r := &dap.ScopesResponse{Response: response(&m.Request)}
	r.Body.Scopes = []dap.Scope{}
	for group := range numGroups {
		n := len(s.t.groups[group]())
		scope := dap.Scope{
			Name: groupNames[group], VariablesReference: s.reference(handle{step, group, 0, n}),
			Expensive: group == groupGates && n > manyVariables,
		}
		if n > manyVariables && s.client.SupportsVariablePaging {
			scope.IndexedVariables = n
		} else {
			scope.NamedVariables = n
		}
		switch group {
		case groupProperty:
			scope.PresentationHint = "locals"
		case groupLatches:
			scope.PresentationHint = "registers"
		}
		r.Body.Scopes = append(r.Body.Scopes, scope)
	}
	s.client.send(r)
	return nil
}

func (s *session) onVariables(m *dap.VariablesRequest) error {
	h, err := s.handleFrom(m.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	r := &dap.VariablesResponse{Response: response(&m.Request)}
	r.Body.Variables = []dap.Variable{}
	signals := s.t.groups[h.group]()[h.from:h.to]
	start, count := max(0, m.Arguments.Start), m.Arguments.Count
	paged := s.client.SupportsVariablePaging
	switch {
	case paged && len(signals) > manyVariables && m.Arguments.Filter == "named":
		signals = nil
	case paged && count > 0:
		signals = signals[min(start, len(signals)):]
		signals = signals[:min(count, len(signals))]
	case !paged && len(signals) > manyVariables:
		for _, part := range chunks(h) {
			r.Body.Variables = append(r.Body.Variables, dap.Variable{
				Name: fmt.Sprintf("[%d…%d]", part.from, part.to-1), VariablesReference: s.reference(part), NamedVariables: part.to - part.from,
			})
		}
		signals = nil
	}
	for _, v := range signals {
		r.Body.Variables = append(r.Body.Variables, s.variable(v, h))
	}
	s.client.send(r)
	return nil
}

// chunks divides a handle into at most 100 or so parts.
func chunks(h handle) []handle {
	size := chunk
	for (h.to-h.from+size-1)/size > chunk {
		size *= chunk
	}
	var all []handle
	for from := h.from; from < h.to; from += size {
		all = append(all, handle{h.step, h.group, from, min(from+size, h.to)})
	}
	return all
}

// variable is a signal at a step.
func (s *session) variable(v signal, h handle) dap.Variable {
	name, written := s.t.nameOf(v)
	e := expression.Signal(v.lit, "")
	return dap.Variable{
		Name: name, Value: e.Text(s.t, h.step), EvaluateName: written, Type: s.typeOf(v, h.group),
		PresentationHint: s.t.hint(v.lit, h.step),
	}
}

// typeOf says what a variable is.
func (s *session) typeOf(v signal, group int) string {
	if !s.client.SupportsVariableType {
		return ""
	}
	switch group {
	case groupInputs:
		return "input"
	case groupLatches:
		if v.relevant {
			return "latch, part of why the property fails"
		}
		return "latch"
	case groupGates:
		return strings.TrimSpace("gate " + s.t.function(v.lit))
	}
	if v.relevant {
		return "property"
	}
	return "constraint"
}

// expressionOf returns the expression for a variable of a group by its name.
func (s *session) expressionOf(reference int, name string) string {
	if h, err := s.handleFrom(reference); err == nil {
		for _, v := range s.t.groups[h.group]()[h.from:h.to] {
			if called, written := s.t.nameOf(v); called == name && written != "" {
				return written
			}
		}
	}
	return expression.Quote(name)
}
