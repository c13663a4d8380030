package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/lsp/ide"
)

// The commands that a client may execute, each with one commandArgument; see
// docs/protocol.md.
const (
	commandCheck          = "aiglens.check"
	commandStop           = "aiglens.stop"
	commandCheckWorkspace = "aiglens.checkWorkspace"
	commandRecheckFailed  = "aiglens.recheckFailed"
	commandProperties     = "aiglens.properties"
	commandHistory        = "aiglens.history"
	commandStep           = "aiglens.step"
	commandTrace          = "aiglens.trace"
	commandExportTrace    = "aiglens.exportTrace"
	commandImportWitness  = "aiglens.importWitness"
	commandWhy            = "aiglens.why"
	commandGoToCause      = "aiglens.goToCause"
	commandLatches        = "aiglens.latches"
	commandGoToLatch      = "aiglens.goToLatch"
)

var commandNames = [...]string{
	ide.Check: commandCheck, ide.Stop: commandStop, ide.GoToLatch: commandGoToLatch,
	ide.CheckFile: commandCheck, ide.CheckWorkspace: commandCheckWorkspace, ide.RecheckFailed: commandRecheckFailed, ide.StopFile: commandStop,
	ide.ShowStep: commandStep, ide.GoToCause: commandGoToCause,
}

// commandArgument says what a command is about: a property by name ("bad:0") or
// by a position on its row; the whole file without either.
type commandArgument struct {
	URI      uri.URI            `json:"uri,omitempty"`
	Property string             `json:"property,omitempty"`
	Position *protocol.Position `json:"position,omitempty"`
	// To is the step to go to, for aiglens.step: a number or one of the words of
	// package ide.
	To string `json:"to,omitempty"`
	// Signal and Step are those of a value whose causes are asked for, as aiglens.why
	// and aiglens.trace name them; Depth is the number of levels.
	Signal *uint32 `json:"signal,omitempty"`
	Step   *int    `json:"step,omitempty"`
	Depth  int     `json:"depth,omitempty"`
	// Positions are those of signals to be shown with a counterexample.
	Positions []protocol.Position `json:"positions,omitempty"`
	// Format is that of aiglens.exportTrace; Path the file to write or read, Overwrite
	// whether one that is there may go.
	Format    string `json:"format,omitempty"`
	Path      string `json:"path,omitempty"`
	Overwrite bool   `json:"overwrite,omitempty"`
	Text      string `json:"text,omitempty"` // of a witness
	// Latch is the literal of a latch, for aiglens.goToLatch, or its position
	// among those of the circuit where literals are no numbers of the text; the
	// first latch of the counterexample when it is missing.
	Latch *uint32 `json:"latch,omitempty"`
}

// latchAnswer is an element of the answer to aiglens.latches.
type latchAnswer struct {
	Name     string            `json:"name"`
	Literal  *uint32           `json:"literal,omitempty"` // where literals are numbers of the text
	Values   string            `json:"values"`            // a digit a step: 0, 1 or x
	Location protocol.Location `json:"location"`
}

// ExecuteCommand runs a command.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	var arg commandArgument
	if len(params.Arguments) != 1 || decode(params.Arguments[0], &arg) != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes one argument {uri, property?, position?}", params.Command)
	}
	switch params.Command {
	case commandCheckWorkspace:
		return s.checkWorkspace(ctx)
	case commandRecheckFailed:
		s.owner.do(func() { s.recheckFailed(arg.URI) })
		return nil, nil
	case commandHistory:
		return s.historyOf(arg.URI)
	case commandStop:
		if arg.URI == "" {
			s.owner.do(s.stopAll)
			return nil, nil
		}
	}
	v, ok := viewFrom(ctx, arg.URI)
	if !ok && params.Command == commandCheck && arg.URI.IsFile() && s.index.isInside(arg.URI.FsPath()) {
		path := arg.URI.FsPath()
		s.owner.do(func() { s.surveyFiles("Checking "+filepath.Base(path), []string{path}) })
		return nil, nil
	}
	if !ok && params.Command == commandStop && arg.URI.IsFile() {
		s.owner.do(func() { s.dropDue(arg.URI.FsPath()) })
		return nil, nil
	}
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %s is not open, or out of step with the editor", params.Command, arg.URI)
	}
	ids, err := v.propertiesFor(arg)
	if err != nil && (params.Command != commandStep && params.Command != commandWhy || arg.Property != "") { // there the position is one of a signal
		return nil, err
	}
	switch params.Command {
	case commandCheck:
		if len(ids) == 1 && v.status(ids[0]).FaultLine > 0 {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s cannot be checked: %s", ids[0], v.status(ids[0]).Verdict())
		}
		v.doc.Properties() // so that the owner does not have to read the text
		s.owner.do(func() { s.checkCommand(arg.URI, ids) })
		return nil, nil
	case commandStop:
		s.owner.do(func() { s.stopCommand(arg.URI, ids) })
		return nil, nil
	case commandProperties:
		return protocol.Marshal(append([]propertyStatus{}, v.propertyStatuses()...))
	case commandStep:
		return s.step(ctx, v, ids, arg)
	case commandTrace:
		return s.trace(ctx, v, ids, arg)
	case commandExportTrace:
		return s.exportTrace(ctx, v, ids, arg)
	case commandImportWitness:
		return s.importWitness(ctx, v, ids, arg)
	case commandWhy:
		return s.why(ctx, v, ids, arg)
	case commandGoToCause:
		return s.goToCause(ctx, v, ids, arg)
	case commandLatches:
		return snapshotFrom(ctx).latches(ctx, v, ids)
	case commandGoToLatch:
		return s.goToLatch(ctx, v, ids, arg.Latch)
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "unknown command %q", params.Command)
}

// propertiesFor returns the properties that an argument names; nil is all.
func (v *view) propertiesFor(arg commandArgument) ([]circuit.Property, error) {
	switch {
	case arg.Property != "":
		id, err := propertyFromString(arg.Property)
		if _, exists := v.doc.Property(id); err == nil && !exists {
			err = fmt.Errorf("there is no property %s", id)
		}
		if err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
		}
		return []circuit.Property{id}, nil
	case arg.Position != nil:
		p, ok := v.doc.PropertyAt(v.mapper.PositionOffset(*arg.Position))
		if !ok {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no property on line %d", arg.Position.Line+1)
		}
		return []circuit.Property{p.ID}, nil
	}
	return nil, nil
}

// propertyFromString reads what Property.String writes.
func propertyFromString(s string) (circuit.Property, error) {
	kind, index, _ := strings.Cut(s, ":")
	i, err := strconv.Atoi(index)
	for k := circuit.PropertyBad; k <= circuit.PropertyJustice && err == nil; k++ {
		if kind == k.String() {
			return circuit.Property{Kind: k, Index: i}, nil
		}
	}
	return circuit.Property{}, fmt.Errorf("%q is not a property such as bad:0", s)
}

func (s *server) checkCommand(u uri.URI, ids []circuit.Property) {
	f := s.files[u]
	if f == nil {
		return
	}
	if ids == nil {
		for _, p := range f.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	s.checkProperties(f, ids)
}

func (s *server) stopCommand(u uri.URI, ids []circuit.Property) {
	f := s.files[u]
	switch {
	case f == nil:
	case ids == nil:
		s.stopFile(f)
	default:
		for _, id := range ids {
			s.stop(f, id)
		}
	}
}

// latches answers with the latches of a counterexample, in the order in which
// they change.
func (snap *snapshot) latches(ctx context.Context, v *view, ids []circuit.Property) (protocol.LSPAny, error) {
	latches, err := v.latchesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := []latchAnswer{}
	for _, l := range latches {
		answer := latchAnswer{Name: l.Name, Values: l.Values, Location: snap.latchLocation(v, l)}
		if v.doc.HasNumbers() {
			answer.Literal = v.latchNumber(l)
		}
		all = append(all, answer)
	}
	return json.Marshal(all)
}

// latchesOf returns the latches of the first refuted one of some properties.
func (v *view) latchesOf(ctx context.Context, ids []circuit.Property) ([]ide.LatchPlace, error) {
	if ids == nil {
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	for _, id := range ids {
		if x := v.status(id).Counterexample; x != nil {
			return ide.Latches(ctx, v.doc, x)
		}
	}
	return nil, nil
}

// latchNumber is what a command calls a latch.
func (v *view) latchNumber(l ide.LatchPlace) *uint32 {
	number := uint32(l.Index)
	if v.doc.HasNumbers() {
		number = uint32(l.Literal)
	}
	return &number
}

func (snap *snapshot) latchLocation(v *view, l ide.LatchPlace) protocol.Location {
	if l.Other != nil {
		return snap.locationOf(*l.Other)
	}
	return protocol.Location{URI: v.name, Range: v.mapper.SpanRange(l.Span)}
}

// goToLatch has the client show a latch, where it can, and answers with the
// place in any case.
func (s *server) goToLatch(ctx context.Context, v *view, ids []circuit.Property, literal *uint32) (protocol.LSPAny, error) {
	latches, err := v.latchesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	if literal != nil {
		latches = slices.DeleteFunc(latches, func(l ide.LatchPlace) bool { return *v.latchNumber(l) != *literal })
	}
	if len(latches) == 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no counterexample with such a latch")
	}
	location := snapshotFrom(ctx).latchLocation(v, latches[0])
	return s.show(ctx, location)
}

// show has the client show a place, where it can, and answers with it in any case.
func (s *server) show(ctx context.Context, location protocol.Location) (protocol.LSPAny, error) {
	if snapshotFrom(ctx).client.showsDocuments {
		focus := true
		show := &protocol.ShowDocumentParams{URI: location.URI, TakeFocus: &focus, Selection: &location.Range}
		if err := protocol.Call(ctx, s.conn, protocol.MethodWindowShowDocument, show, nil); err != nil {
			return nil, fmt.Errorf("showing the place: %w", err)
		}
	}
	return protocol.Marshal(&location)
}
