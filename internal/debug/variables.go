package debug

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"aiglens/circuit"
	"aiglens/design/expression"
	"aiglens/internal/findings"
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
		tree := vs.t.trees[group]()
		n := len(tree.inside)
		scope := dap.Scope{
			Name: groupNames[group], VariablesReference: vs.handles.reference(handle{step, group, tree, 0, n}),
			// Clients open the first that is not: no empty one.
			Expensive: group == groupGates && n > manyVariables || n == 0,
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
	shown := h.entries()
	start, count := max(0, m.Arguments.Start), m.Arguments.Count
	paged := vs.client.SupportsVariablePaging
	switch {
	case paged && len(shown) > manyVariables && m.Arguments.Filter == "named":
		shown = nil
	case paged && count > 0:
		shown = shown[min(start, len(shown)):]
		shown = shown[:min(count, len(shown))]
	case !paged && len(shown) > manyVariables:
		for _, part := range chunks(h) {
			r.Body.Variables = append(r.Body.Variables, dap.Variable{
				Name: fmt.Sprintf("[%d…%d]", part.from, part.to-1), VariablesReference: vs.handles.reference(part), NamedVariables: part.to - part.from,
			})
		}
		shown = nil
	}
	for _, v := range shown {
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
		all = append(all, handle{h.step, h.group, h.of, from, min(from+size, h.to)})
	}
	return all
}

// variable is an entry at a step.
func (vs variables) variable(of *entry, h handle) dap.Variable {
	if of.inside != nil {
		return vs.folded(of, h)
	}
	name, written := entries{vs.t}.calledBy(of)
	e := expression.Signal(of.lit, "")
	return dap.Variable{
		Name: name, Value: e.Text(vs.t, h.step), EvaluateName: written, Type: vs.typeOf(of.signal, h.group),
		PresentationHint: vs.t.hint(of.lit, h.step),
	}
}

// folded is a word or a scope at a step, with what is inside.
func (vs variables) folded(of *entry, h handle) dap.Variable {
	name, written := entries{vs.t}.calledBy(of)
	n := len(of.inside)
	v := dap.Variable{Name: name, EvaluateName: written, VariablesReference: vs.handles.reference(handle{h.step, h.group, of, 0, n})}
	if n > manyVariables && vs.client.SupportsVariablePaging {
		v.IndexedVariables = n
	} else {
		v.NamedVariables = n
	}
	kind := "scope"
	if of.word != nil {
		kind = "word of " + findings.Count(len(of.word.Bits), "bit", "bits")
		v.Value = entries{vs.t}.text(of.word, h.step)
		if before := (entries{vs.t}).text(of.word, max(h.step-1, 0)); before != v.Value {
			v.Value += " (was " + before + ")"
		}
		v.PresentationHint = entries{vs.t}.hintOfWord(of.word, h.step)
	}
	if vs.client.SupportsVariableType {
		v.Type = kind
	}
	return v
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
		for _, v := range h.entries() {
			if called, written := (entries{vs.t}).calledBy(v); called == name && written != "" {
				return written
			}
		}
	}
	return expression.Quote(name)
}

// entryNamed returns the variable of a group by its name. The error says that there is none, or
// that it is not known which one is meant.
func (vs variables) entryNamed(h handle, name string) (found *entry, err error) {
	n := 0
	for _, v := range h.entries() {
		if called, _ := (entries{vs.t}).calledBy(v); called == name && (n == 0 || v.lit != found.lit || v.inside != nil) {
			found = v
			n++
		}
	}
	switch {
	case n == 0:
		return found, refuse("there is no variable %s", name)
	case n > 1:
		return found, refuse("%d variables are called %s: give each a name of its own in the text", n, name)
	case found.inside != nil && found.word == nil:
		return found, refuse("%s is a scope: it has no value", name)
	}
	return found, nil
}

// valueFrom reads a value as it is shown: what it was before may stand after it.
func valueFrom(text string) (circuit.Value, error) {
	switch withoutBefore(text) {
	case "0":
		return circuit.Zero, nil
	case "1":
		return circuit.One, nil
	}
	return 0, refuse("%q is not a value: expected 0 or 1", text)
}

// withoutBefore takes what a value was before off a value as it is shown.
func withoutBefore(text string) string {
	word, before, _ := strings.Cut(text, " (was ")
	if before != "" && !strings.HasSuffix(strings.TrimSpace(before), ")") {
		return text
	}
	return strings.TrimSpace(word)
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
