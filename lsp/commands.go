package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/drawing"
	"aiglens/design/runs"
	"aiglens/design/stats"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// commandHandler runs one of the commands that a client may execute; see
// docs/protocol.md.
type commandHandler struct {
	name string
	run  func(context.Context, *session, protocol.LSPAny) (protocol.LSPAny, error)
}

// commands are all that there are.
var commands = [...]commandHandler{
	executed(wire.CommandCheck, executeCheck),
	executed(wire.CommandStop, executeStop),
	executed(wire.CommandCheckWorkspace, executeCheckWorkspace),
	executed(wire.CommandRecheckFailed, executeRecheckFailed),
	executed(wire.CommandProperties, executeProperties),
	executed(wire.CommandCompare, executeCompare),
	executed(wire.CommandExportDifference, executeExportDifference),
	executed(wire.CommandReduce, executeReduce),
	executed(wire.CommandIsolate, executeIsolate),
	executed(wire.CommandSuggest, executeSuggest),
	executed(wire.CommandAddLemmas, executeAddLemmas),
	executed(wire.CommandAnother, executeAnother),
	executed(wire.CommandProof, executeProof),
	executed(wire.CommandObstacle, executeObstacle),
	executed(wire.CommandUnneeded, executeUnneeded),
	executed(wire.CommandHistory, executeHistory),
	executed(wire.CommandStats, executeStats),
	executed(wire.CommandDraw, executeDraw),
	executed(wire.CommandStates, executeStates),
	executed(wire.CommandSignalsAt, executeSignalsAt),
	executed(wire.CommandStep, executeStep),
	executed(wire.CommandTrace, executeTrace),
	executed(wire.CommandExportTrace, executeExportTrace),
	executed(wire.CommandImportWitness, executeImportWitness),
	executed(wire.CommandWhy, executeWhy),
	executed(wire.CommandGoToCause, executeGoToCause),
	executed(wire.CommandLatches, executeLatches),
	executed(wire.CommandGoToLatch, executeGoToLatch),
	executed(wire.CommandPlay, executePlay),
	executed(wire.CommandPlayWhy, executePlayWhy),
	executed(wire.CommandExportRun, executeExportRun),
	executed(wire.CommandReach, executeReach),
}

// executed adapts a function that runs a command.
func executed[P, R any](c wire.Command[P, R], f func(context.Context, *session, *P) (R, error)) commandHandler {
	return commandHandler{c.Name, func(ctx context.Context, s *session, argument protocol.LSPAny) (protocol.LSPAny, error) {
		params, err := rpc.ParamsFromJSON[P](argument)
		if err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes one argument %s: %v", c.Name, rpc.ShapeOf(new(P)), err)
		}
		answer, err := f(ctx, s, params)
		if err != nil {
			return nil, err
		}
		return protocol.Marshal(&answer)
	}}
}

// ExecuteCommand runs a command.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	for _, c := range commands {
		if c.name != params.Command {
			continue
		}
		if n := len(params.Arguments); n != 1 {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes one argument, an object, and got %d", c.name, n)
		}
		return c.run(ctx, s.session, params.Arguments[0])
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "unknown command %q", params.Command)
}

// refuseUntrusted is the answer to who wants a check in folders that the user does not
// trust.
func refuseUntrusted(ctx context.Context) error {
	if snapshotFrom(ctx).settings.IsTrusted() {
		return nil
	}
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "nothing is checked in a folder that is not trusted; say in the editor that you trust it")
}

func executeCheck(ctx context.Context, s *session, params *wire.CheckParams) (wire.None, error) {
	if err := refuseUntrusted(ctx); err != nil {
		return nil, err
	}
	if _, open := viewFrom(ctx, params.URI); !open && params.URI.IsFile() && s.texts.index.Covers(params.URI.FsPath()) {
		path := params.URI.FsPath()
		s.queue.Do(func() { s.checking.workspace.checkAgain("Checking "+filepath.Base(path), []string{path}) })
		if _, _, err := workspace.ReadCircuit(s.texts.disk, s.opts.Formats, path, snapshotFrom(ctx).settings.Document); err != nil {
			return nil, refused(err)
		}
		return nil, nil
	}
	if t := params.Timeout; t != nil && !(*t >= 0 && *t <= maxTimeout) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the timeout of %g seconds is not from 0 to %g", *t, float64(maxTimeout))
	}
	v, ids, err := severalFrom(ctx, wire.CommandCheck.Name, params.PropertyParams, params.Properties)
	if err != nil {
		return nil, err
	}
	if len(ids) == 1 && v.status(ids[0]).FaultLine > 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s cannot be checked: %s", ids[0], v.status(ids[0]).Verdict())
	}
	key := uri.URI(v.doc.URI)
	if !s.texts.whenLooked(ctx, key) {
		return nil, ctx.Err()
	}
	s.texts.whenRead(ctx, key, func(f *file) { s.checking.checkCommand(f, ids, params.Timeout) })
	return nil, nil
}

func executeStop(ctx context.Context, s *session, params *wire.StopParams) (wire.None, error) {
	if params.URI == "" {
		s.queue.Do(s.checking.stopAll)
		return nil, nil
	}
	v, open := viewFrom(ctx, params.URI)
	if !open && params.URI.IsFile() {
		s.queue.Do(func() { s.checking.workspace.drop(params.URI.FsPath()) })
		return nil, nil
	}
	if open && (params.Property != "" || params.Position != nil || params.Properties != nil) { // which only the text knows
		if s.texts.reading.wait(ctx, params.URI, v); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	about := wire.PropertyParams{URI: params.URI, Property: params.Property, Position: params.Position}
	_, ids, err := severalFrom(ctx, wire.CommandStop.Name, about, params.Properties)
	if err != nil {
		return nil, err
	}
	s.queue.Do(func() { stopCommand(s, params.URI, ids) })
	return nil, nil
}

func executeRecheckFailed(ctx context.Context, s *session, params *wire.RecheckParams) (wire.None, error) {
	if err := refuseUntrusted(ctx); err != nil {
		return nil, err
	}
	recheckFailed(ctx, s, params.URI)
	return nil, nil
}

func executeProperties(ctx context.Context, s *session, params *wire.FileParams) ([]wire.PropertyStatus, error) {
	v, err := openView(ctx, wire.CommandProperties.Name, params.URI)
	if err != nil {
		return nil, err
	}
	return statusesOf(v), nil
}

// executeStats answers with the size of a circuit.
func executeStats(ctx context.Context, s *session, params *wire.FileParams) (answer wire.CircuitStats, err error) {
	v, err := openView(ctx, wire.CommandStats.Name, params.URI)
	if err != nil {
		return answer, err
	}
	found, text, err := stats.Of(ctx, v.doc)
	if err != nil {
		return answer, err
	}
	answer = wire.CircuitStats{Text: text, Inputs: found.Inputs, Latches: found.Latches, Gates: found.Gates, Levels: found.Levels, Cones: []wire.ConeStats{}}
	for _, k := range found.Cones {
		answer.Cones = append(answer.Cones, wire.ConeStats{Property: propertyID(k.Property), Inputs: k.Inputs, Latches: k.Latches, Gates: k.Gates})
	}
	return answer, nil
}

// executeDraw answers with a schematic.
func executeDraw(ctx context.Context, s *session, params *wire.DrawParams) (answer wire.Picture, err error) {
	v, err := openView(ctx, wire.CommandDraw.Name, params.URI)
	if err != nil {
		return answer, err
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	subject, err := drawnSubject(v, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	var expand []uint32 // of another text these are other signals
	if params.Version != nil && *params.Version == v.doc.Version {
		expand = params.Expand
	}
	p, err := drawing.Draw(ctx, v.doc, subject, expand)
	if err != nil {
		return answer, err
	}
	snap := snapshotFrom(ctx)
	answer = wire.Picture{
		URI: v.name, Version: v.doc.Version, Title: subject.Title, DOT: p.DOT(), Errors: drawing.Errors(v.doc), Nodes: []wire.PictureNode{},
	}
	for _, n := range p.Nodes() {
		node := wire.PictureNode{ID: n.ID, Name: n.Name, Kind: n.Kind.String(), Cut: n.Cut, Signals: signalNumbers(n.Signals)}
		if n.Source != nil {
			node.Location = snap.sourceLocation(v, *n.Source)
		}
		answer.Nodes = append(answer.Nodes, node)
	}
	answer.Values, err = v.pictureStep(ctx, p)
	return answer, err
}

// pictureStep returns the values of a picture at the step that is shown; nil for none.
func (v *view) pictureStep(ctx context.Context, p *drawing.Picture) (*wire.PictureStep, error) {
	if v.selection == nil {
		return nil, nil
	}
	x := v.status(v.selection.Property).Counterexample
	if x == nil {
		return nil, nil
	}
	s, err := p.Values(ctx, x, v.selection.Step)
	if err != nil {
		return nil, err
	}
	return &wire.PictureStep{Property: propertyID(x.Property), Step: s.Step, At: s.At, Values: s.Values, Causes: s.Causes}, nil
}

// signalNumbers returns how clients know signals.
func signalNumbers(signals []circuit.Var) []uint32 {
	all := make([]uint32, len(signals))
	for i, s := range signals {
		all[i] = uint32(s)
	}
	return all
}

// subject returns what is to be drawn.
func drawnSubject(v *view, params wire.PropertyParams) (drawing.Subject, error) {
	if params.Property == "" && params.Position != nil {
		subject, err := drawing.At(v.doc, v.mapper.PositionOffset(*params.Position))
		if err != nil {
			err = refused(err)
		}
		return subject, err
	}
	ids, err := v.propertiesFor(params)
	if err != nil {
		return drawing.Subject{}, err
	}
	if ids == nil {
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	subject, err := drawing.OfProperties(v.doc, ids)
	if err != nil {
		err = refused(err)
	}
	return subject, err
}

// executeStates answers with the states of a property.
func executeStates(ctx context.Context, s *session, params *wire.PropertyParams) (answer wire.StateGraph, err error) {
	v, err := openView(ctx, wire.CommandStates.Name, params.URI)
	if err != nil {
		return answer, err
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	p, err := propertyOfStates(v, params)
	if err != nil {
		return answer, err
	}
	g, err := drawing.StatesOf(ctx, v.doc, p, v.status(p.ID).Counterexample)
	var why drawing.RefusalError
	if errors.As(err, &why) {
		err = refused(why)
	}
	if err != nil {
		return answer, err
	}
	answer = wire.StateGraph{
		URI: v.name, Version: v.doc.Version, Property: propertyID(p.ID), Position: v.mapper.OffsetPosition(p.Row.Start),
		Title: g.Title, DOT: g.DOT, Errors: drawing.Errors(v.doc), Others: v.doc.DependsOnOthers(),
		Latches: g.Latches, States: make([]wire.GraphState, len(g.States)), Path: orEmpty(g.Path), IsCounterexample: g.IsCounterexample,
	}
	for i, s := range g.States {
		answer.States[i] = wire.GraphState{ID: s.ID, Values: s.Values, Initial: s.Initial, Bad: s.Bad, Next: orEmpty(s.Next)}
	}
	if x, step := v.shown(); g.IsCounterexample && x != nil && x.Property == p.ID {
		answer.Shown = &wire.StateStep{Step: step, At: x.StepWords(step)}
	}
	return answer, nil
}

// orEmpty returns a list that is never null in a message.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// propertyOfStates returns the property that is named, or at the position, else the one whose
// step is shown, else the first. With both it is the one at the position, of several there the
// one that is named: what a name stood for may have moved since.
func propertyOfStates(v *view, params *wire.PropertyParams) (p design.Property, err error) {
	if params.Property != "" && params.Position != nil {
		if id, err := propertyFromID(params.Property); err == nil {
			if p, ok := v.doc.Property(id); ok && v.mapper.SpanRange(p.Row).Start.Line == params.Position.Line {
				return p, nil
			}
		}
		ids, err := v.propertiesFor(wire.PropertyParams{URI: params.URI, Position: params.Position})
		if err != nil {
			return p, err
		}
		p, _ = v.doc.Property(ids[0])
		return p, nil
	}
	if params.Property != "" {
		ids, err := v.propertiesFor(*params)
		if err != nil {
			return p, err
		}
		p, _ = v.doc.Property(ids[0])
		return p, nil
	}
	if params.Position != nil {
		if p, ok := v.doc.PropertyAt(v.mapper.PositionOffset(*params.Position)); ok {
			return p, nil
		}
	}
	if v.selection != nil {
		if p, ok := v.doc.Property(v.selection.Property); ok {
			return p, nil
		}
	}
	if all := v.doc.Properties(); len(all) > 0 {
		return all[0], nil
	}
	return p, refused(errors.New("the file has no property whose states could be drawn"))
}

// executeSignalsAt answers with the signals at a position.
func executeSignalsAt(ctx context.Context, s *session, params *wire.SignalsAtParams) (answer wire.SignalsAt, err error) {
	v, err := openView(ctx, wire.CommandSignalsAt.Name, params.URI)
	if err != nil {
		return answer, err
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	return wire.SignalsAt{Version: v.doc.Version, Signals: signalNumbers(drawing.SignalsAt(v.doc, v.mapper.PositionOffset(params.Position)))}, nil
}

// openView returns the view of a file that a command is about.
func openView(ctx context.Context, command string, u uri.URI) (*view, error) {
	v, ok := viewFrom(ctx, u)
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %s is not open, or out of step with the editor", command, u)
	}
	return v, nil
}

// propertiesFrom returns the view and the properties that a command is about; nil is all.
func propertiesFrom(ctx context.Context, command string, params wire.PropertyParams) (*view, []circuit.Property, error) {
	v, err := openView(ctx, command, params.URI)
	if err != nil {
		return nil, nil, err
	}
	ids, err := v.propertiesFor(params)
	return v, ids, err
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
	v, ids, err := propertiesFrom(ctx, command, params)
	if v != nil && params.Property == "" {
		err = nil
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

// maxTimeout is in seconds what a user may wait, ten years.
const maxTimeout = 10 * 366 * 24 * 3600

// checkCommand checks properties, nil is all, each for at most so many seconds, nil is
// what is set.
func (c *checking) checkCommand(f *file, ids []circuit.Property, timeout *float64) {
	if ids == nil {
		for _, p := range f.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	c.checkProperties(f, ids, timeout)
}

func stopCommand(s *session, u uri.URI, ids []circuit.Property) {
	f := s.texts.files[u]
	switch {
	case f == nil:
	case ids == nil:
		s.checking.stopFile(f)
	default:
		s.checking.stop(f, ids...)
	}
}

// propertyID is what messages call a property.
func propertyID(p circuit.Property) wire.PropertyID { return wire.PropertyID(p.String()) }

// executeLatches answers with the latches of a counterexample in its order.
func executeLatches(ctx context.Context, s *session, params *wire.PropertyParams) ([]wire.LatchTrace, error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandLatches.Name, *params)
	if err != nil {
		return nil, err
	}
	latches, err := latchesOf(ctx, v, ids)
	if err != nil {
		return nil, err
	}
	var all []wire.LatchTrace
	for _, l := range latches {
		latch := wire.LatchTrace{Name: l.Name, Values: l.Values, Loop: l.Loop, Location: snapshotFrom(ctx).latchLocation(v, l)}
		if v.doc.HasNumbers() {
			latch.Literal = numberOfLatch(v, l)
		}
		all = append(all, latch)
	}
	return all, nil
}

// latchesOf returns the latches of the first refuted one of some properties.
func latchesOf(ctx context.Context, v *view, ids []circuit.Property) ([]runs.LatchPlace, error) {
	if ids == nil {
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	for _, id := range ids {
		if x := v.status(id).Counterexample; x != nil {
			return runs.Latches(ctx, v.doc, x)
		}
	}
	return nil, nil
}

// latchNumber is what a command calls a latch.
func numberOfLatch(v *view, l runs.LatchPlace) *uint32 {
	number := uint32(l.Index)
	if v.doc.HasNumbers() {
		number = uint32(l.Literal)
	}
	return &number
}

func (snap *snapshot) latchLocation(v *view, l runs.LatchPlace) protocol.Location {
	if l.Other != nil {
		return snap.locationOf(*l.Other)
	}
	return protocol.Location{URI: v.name, Range: v.mapper.SpanRange(l.Span)}
}

// executeGoToLatch has the client show a latch, where it can, and answers with the
// place in any case.
func executeGoToLatch(ctx context.Context, s *session, params *wire.GoToLatchParams) (place protocol.Location, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandGoToLatch.Name, params.PropertyParams)
	if err != nil {
		return place, err
	}
	latches, err := latchesOf(ctx, v, ids)
	if err != nil {
		return place, err
	}
	if params.Latch != nil {
		latches = slices.DeleteFunc(latches, func(l runs.LatchPlace) bool { return *numberOfLatch(v, l) != *params.Latch })
	}
	if len(latches) == 0 {
		return place, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no counterexample with such a latch")
	}
	return showPlace(ctx, s, snapshotFrom(ctx).latchLocation(v, latches[0]))
}

// show has the client show a place, where it can, and answers with it in any case.
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
