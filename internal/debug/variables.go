package debug

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"aiglens/circuit"
	"aiglens/design/expression"
)

// variables show the signals of a run.
type variables struct {
	client  *connection
	t       *target
	handles *handles
}

// manyVariables is the number of variables from which on they are shown in parts.
const manyVariables = 200

// chunk is the size of the parts.
const chunk = 100

func (vs variables) onScopes(m *dap.ScopesRequest, step int) {
	r := &dap.ScopesResponse{Response: response(&m.Request)}
	r.Body.Scopes = []dap.Scope{}
	for group := range numGroups {
		n := len(vs.t.groups[group]())
		scope := dap.Scope{
			Name: groupNames[group], VariablesReference: vs.handles.reference(handle{step, group, 0, n}),
			Expensive: group == groupGates && n > manyVariables,
		}
		if n > manyVariables && vs.client.SupportsVariablePaging {
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
	vs.client.send(r)
}

func (vs variables) onVariables(m *dap.VariablesRequest) error {
	h, err := vs.handles.from(m.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	r := &dap.VariablesResponse{Response: response(&m.Request)}
	r.Body.Variables = []dap.Variable{}
	signals := vs.t.groups[h.group]()[h.from:h.to]
	start, count := max(0, m.Arguments.Start), m.Arguments.Count
	paged := vs.client.SupportsVariablePaging
	switch {
	case paged && len(signals) > manyVariables && m.Arguments.Filter == "named":
		signals = nil
	case paged && count > 0:
		signals = signals[min(start, len(signals)):]
		signals = signals[:min(count, len(signals))]
	case !paged && len(signals) > manyVariables:
		for _, part := range chunks(h) {
			r.Body.Variables = append(r.Body.Variables, dap.Variable{
				Name: fmt.Sprintf("[%d…%d]", part.from, part.to-1), VariablesReference: vs.handles.reference(part), NamedVariables: part.to - part.from,
			})
		}
		signals = nil
	}
	for _, v := range signals {
		r.Body.Variables = append(r.Body.Variables, vs.variable(v, h))
	}
	vs.client.send(r)
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
func (vs variables) variable(v signal, h handle) dap.Variable {
	name, written := vs.t.nameOf(v)
	e := expression.Signal(v.lit, "")
	return dap.Variable{
		Name: name, Value: e.Text(vs.t, h.step), EvaluateName: written, Type: vs.typeOf(v, h.group),
		PresentationHint: vs.t.hint(v.lit, h.step),
	}
}

// typeOf says what a variable is.
func (vs variables) typeOf(v signal, group int) string {
	if !vs.client.SupportsVariableType {
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
		return strings.TrimSpace("gate " + vs.t.function(v.lit))
	}
	if v.relevant {
		return "property"
	}
	return "constraint"
}

// expressionOf returns the expression for a variable of a group by its name.
func (vs variables) expressionOf(reference int, name string) string {
	if h, err := vs.handles.from(reference); err == nil {
		for _, v := range vs.t.groups[h.group]()[h.from:h.to] {
			if called, written := vs.t.nameOf(v); called == name && written != "" {
				return written
			}
		}
	}
	return expression.Quote(name)
}

// signalNamed returns the variable of a group by its name. The error says that there is none, or
// that it is not known which one is meant.
func (vs variables) signalNamed(h handle, name string) (found signal, err error) {
	n := 0
	for _, v := range vs.t.groups[h.group]()[h.from:h.to] {
		if called, _ := vs.t.nameOf(v); called == name && (n == 0 || v.lit != found.lit) {
			found = v
			n++
		}
	}
	switch {
	case n == 0:
		return found, refuse("there is no variable %s", name)
	case n > 1:
		return found, refuse("%d variables are called %s: give each a name of its own in the text", n, name)
	}
	return found, nil
}

// valueFrom reads a value as it is shown: what it was before may stand after it.
func valueFrom(text string) (circuit.Value, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if rest == "" || strings.HasPrefix(rest, "(was ") {
		switch word {
		case "0":
			return circuit.Zero, nil
		case "1":
			return circuit.One, nil
		}
	}
	return 0, refuse("%q is not a value: expected 0 or 1", text)
}

// onDataBreakpointInfo says whether a variable, or an expression, may have a breakpoint.
func (vs variables) onDataBreakpointInfo(m *dap.DataBreakpointInfoRequest) {
	r := &dap.DataBreakpointInfoResponse{Response: response(&m.Request)}
	expression := m.Arguments.Name
	if m.Arguments.VariablesReference > 0 {
		expression = vs.expressionOf(m.Arguments.VariablesReference, m.Arguments.Name)
	}
	if _, _, err := vs.t.vocabulary().Watched(expression); err != nil {
		r.Body.Description = fmt.Sprintf("%s has no breakpoint: %v", m.Arguments.Name, err)
	} else {
		r.Body.DataId, r.Body.Description = expression, expression
		r.Body.AccessTypes, r.Body.CanPersist = []dap.DataBreakpointAccessType{"write"}, true
	}
	vs.client.send(r)
}
