package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/lsp/wire"
)

// openView returns the view of a file that a command is about.
func openView(ctx context.Context, command string, u uri.URI) (*view, error) {
	v, ok := viewFrom(ctx, u)
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %s is not open, or out of sync with the editor", command, u)
	}
	return v, nil
}

// propertiesFrom returns the view and the properties that a command is about; nil is all.
func propertiesFrom(ctx context.Context, command string, params wire.PropertyParams) (*view, []circuit.Property, error) {
	v, ids, err := namedFrom(ctx, command, params)
	if err == nil {
		ids, err = v.answered(command, ids)
	}
	return v, ids, err
}

func namedFrom(ctx context.Context, command string, params wire.PropertyParams) (*view, []circuit.Property, error) {
	v, err := openView(ctx, command, params.URI)
	if err != nil {
		return nil, nil, err
	}
	ids, err := v.propertiesFor(params)
	return v, ids, err
}

// ofChecks are the commands about a check and what it has found, which answer for every property that check answers for. What
// suggests lemmas has been refused before they can be added, and a picture may be one of other signals.
var ofChecks = map[string]bool{
	wire.CommandCheck.Name: true, wire.CommandStop.Name: true, wire.CommandStep.Name: true, wire.CommandTrace.Name: true,
	wire.CommandExportTrace.Name: true, wire.CommandLatches.Name: true, wire.CommandGoToLatch.Name: true,
	wire.CommandAddLemmas.Name: true, wire.CommandDraw.Name: true, wire.CommandImportWitness.Name: true,
}

// answered returns those of some properties that a command answers for, nil being all; see design.OnlyChecked. The error is that
// there is none, or that the one whose step is shown is not among them, which nil means first.
func (v *view) answered(command string, ids []circuit.Property) ([]circuit.Property, error) {
	if ofChecks[command] {
		return ids, nil
	}
	if ids == nil && v.selection != nil {
		if err := v.onlyChecked(v.selection.Property); err != nil {
			return nil, err
		}
	}
	var left []circuit.Property
	var why error
	for _, id := range v.orAll(ids) {
		if err := v.onlyChecked(id); err == nil {
			left = append(left, id)
		} else if why == nil {
			why = err
		}
	}
	switch {
	case why == nil:
		return ids, nil
	case len(left) == 0:
		return nil, why
	}
	return left, nil
}

// onlyChecked refuses questions about a property that nothing but a check answers.
func (v *view) onlyChecked(id circuit.Property) error {
	if why := v.status(id).OnlyChecked; why != nil {
		return refused(why)
	}
	return nil
}

// severalFrom is propertiesFrom for a command that may name several.
func severalFrom(ctx context.Context, command string, params wire.PropertyParams, several []wire.PropertyID) (*view, []circuit.Property, error) {
	if several == nil {
		return propertiesFrom(ctx, command, params)
	}
	var v *view
	ids := []circuit.Property{}
	for _, params.Property = range several {
		of, one, err := propertiesFrom(ctx, command, params)
		if err != nil {
			return nil, nil, err
		}
		v, ids = of, append(ids, one...)
	}
	if v == nil {
		return nil, nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: no property is named", command)
	}
	return v, ids, nil
}

// signalFrom is propertiesFrom for a command whose position may be one of a signal.
func signalFrom(ctx context.Context, command string, params wire.PropertyParams) (*view, []circuit.Property, error) {
	v, ids, err := namedFrom(ctx, command, params)
	if v != nil && params.Property == "" {
		err = nil
	}
	if err == nil {
		ids, err = v.answered(command, ids)
	}
	return v, ids, err
}

// propertiesFor returns the properties that parameters name; nil is all.
func (v *view) propertiesFor(params wire.PropertyParams) ([]circuit.Property, error) {
	switch {
	case params.Property != "":
		id, err := propertyFromID(params.Property)
		if _, exists := v.doc.Property(id); err == nil && !exists {
			err = fmt.Errorf("there is no property %s", id)
		}
		if err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
		}
		return []circuit.Property{id}, nil
	case params.Position != nil:
		p, ok := v.doc.PropertyAt(v.mapper.PositionOffset(*params.Position))
		if !ok {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no property on line %d", params.Position.Line+1)
		}
		return []circuit.Property{p.ID}, nil
	}
	return nil, nil
}

// orAll returns all properties of the text for none.
func (v *view) orAll(ids []circuit.Property) []circuit.Property {
	if ids != nil {
		return ids
	}
	for _, p := range v.doc.Properties() {
		ids = append(ids, p.ID)
	}
	return ids
}

// propertyFromID reads what Property.String writes.
func propertyFromID(s wire.PropertyID) (circuit.Property, error) {
	kind, index, _ := strings.Cut(string(s), ":")
	i, err := strconv.Atoi(index)
	for k := circuit.PropertyBad; int(k) < circuit.NumPropertyKinds && err == nil; k++ {
		if kind == k.String() {
			return circuit.Property{Kind: k, Index: i}, nil
		}
	}
	return circuit.Property{}, fmt.Errorf("%q is not a property such as bad:0", s)
}

// propertyID is what messages call a property.
func propertyID(p circuit.Property) wire.PropertyID { return wire.PropertyID(p.String()) }

// maxTimeout is in seconds what a user may wait, ten years.
const maxTimeout = 10 * 366 * 24 * 3600

// timeoutOf reads the time that a message grants, in seconds; nil is what is set.
func timeoutOf(seconds *float64) (*time.Duration, error) {
	switch {
	case seconds == nil:
		return nil, nil
	case !(*seconds >= 0 && *seconds <= maxTimeout):
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the timeout of %g seconds is not between 0 and %g", *seconds, float64(maxTimeout))
	}
	return new(time.Duration(*seconds * float64(time.Second))), nil
}

// withTimeout returns limits with the wall time that a message grants as the only limit on time.
func withTimeout(limits verify.Limits, seconds *float64) (verify.Limits, error) {
	timeout, err := timeoutOf(seconds)
	if timeout != nil {
		limits.Wall, limits.CPU = *timeout, 0
	}
	return limits, err
}

// orEmpty returns a list that is never null in a message.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// argument writes the parameters of a command: a struct of strings and numbers.
func argument(params any) protocol.LSPAny {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return text
}

// showPlace asks the client to show a place, where it can, and answers with it in any case.
func showPlace(ctx context.Context, s *session, location protocol.Location) (protocol.Location, error) {
	if snapshotFrom(ctx).client.showsDocuments {
		focus := true
		show := &protocol.ShowDocumentParams{URI: location.URI, TakeFocus: &focus, Selection: &location.Range}
		if err := protocol.Call(ctx, s.conn, protocol.MethodWindowShowDocument, show, nil); err != nil {
			return location, fmt.Errorf("showing the place: %w", err)
		}
	}
	return location, nil
}
