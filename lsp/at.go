package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/comparison"
	"aiglens/design/formula"
	"aiglens/design/runs"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
)

// Bounds of what is told of a place.
const (
	placeWhy     = 2 // levels of causes
	placeCauses  = 60
	placeReaders = 50
	placeFacts   = 20
	placeNodes   = 60 // of the picture
	placeLevels  = 10
	placeOf      = 20 // properties that depend on a signal
	placeCopies  = 20 // instances of a model that are listed
	placeProofs  = 64 // whose facts are looked at
)

// placeAt answers with all that is known of a place.
func placeAt(ctx context.Context, s protocol.Server, params *wire.AtParams) (*wire.Place, error) {
	v, err := openView(ctx, wire.RequestAt.Name, params.URI)
	if err != nil {
		return nil, err
	}
	return s.(*server).latestPlace(ctx, v, params, asker{name: v.name, view: params.View})
}

// latestPlace answers with all that is known of a place unless a newer request of the same asker comes.
func (s *session) latestPlace(ctx context.Context, v *view, params *wire.AtParams, of asker) (*wire.Place, error) {
	ctx, end := s.asked.begin(ctx, of)
	defer end()
	p := newPlacing(ctx, v, params)
	p.difference = func(id string) (*comparison.KeptRun, error) { return keptRun(ctx, s, v, id) }
	place, err := p.place()
	if ctx.Err() != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled), "cancelled")
	}
	return place, err
}

// placing is a place as its answer is put together, from one snapshot.
type placing struct {
	ctx        context.Context
	v          *view
	snap       *snapshot
	params     *wire.AtParams
	difference func(id string) (*comparison.KeptRun, error) // finds the run of a difference; nil where there is none
	offset     int
	at         *answers.Place
	answer     *wire.Place
	asked      []circuit.Property // of which the answer tells, or whose proofs it has looked for
}

func newPlacing(ctx context.Context, v *view, params *wire.AtParams) *placing {
	return &placing{ctx: ctx, v: v, snap: snapshotFrom(ctx), params: params, offset: v.mapper.PositionOffset(params.Position)}
}

func (p *placing) depth() int {
	if p.params.Depth > 0 {
		return min(p.params.Depth, settings.MaxDepth)
	}
	return p.snap.settings.HoverDepth
}

func (p *placing) place() (*wire.Place, error) {
	at, err := answers.At(p.ctx, p.v.doc, p.offset, p.depth())
	if err != nil {
		return nil, err
	}
	p.at = at
	p.answer = &wire.Place{
		URI: p.v.name, Version: p.v.doc.Version, Settled: p.v.isAnalysed(), Kind: wire.PlaceKind(at.Kind),
		Range: p.v.mapper.SpanRange(at.Span), Says: orEmpty(at.Sentences()), Diagnostics: []wire.PlaceDiagnostic{},
	}
	if at.Signal != nil {
		p.answer.Title = at.Signal.Title
		if p.answer.Signal, err = p.signal(); err != nil {
			return nil, err
		}
	}
	if at.Property != nil {
		row, sharing := p.onRow(*at.Property)
		if p.answer.Property, err = p.property(row); err != nil {
			return nil, err
		}
		p.answer.Property.Sharing = sharing
	}
	for _, d := range answers.DiagnosticsAt(p.v.doc, p.offset) {
		p.answer.Diagnostics = append(p.answer.Diagnostics, p.diagnostic(d))
	}
	if err := p.circuit(); err != nil {
		return nil, err
	}
	if p.answer.Title == "" && len(p.answer.Says) > 0 {
		p.answer.Title, p.answer.Says = p.answer.Says[0], p.answer.Says[1:]
	}
	return p.answer, p.ctx.Err()
}

// signal is what the text says of the signal of the place.
func (p *placing) signal() (*wire.PlaceSignal, error) {
	d, at := p.v.doc, p.at.Signal
	s := at.Lit.Signal()
	out := &wire.PlaceSignal{
		Title: at.Title, Name: formula.SignalName(d, s.Lit()), Formula: at.Formula, Depth: p.depth(), Reset: at.Reset,
		Says: append(orEmpty(at.Says), p.at.DecidesText()...), Readers: []wire.PlaceReader{},
	}
	if d.HasNumbers() {
		literal := uint32(at.Lit)
		out.Literal = &literal
	}
	if def, ok := d.Definition(s); ok {
		out.Definition = &protocol.Location{URI: p.v.name, Range: p.v.mapper.SpanRange(def.Span)}
	}
	out.Deeper = at.Formula != "" && p.depth() < settings.MaxDepth && answers.FormulaOf(d, s, p.depth()+1) != at.Formula
	if s == 0 {
		return out, nil
	}
	readers, more, err := answers.Readers(p.ctx, d, s, placeReaders)
	for _, r := range readers {
		out.Readers = append(out.Readers, wire.PlaceReader{Name: r.Name, Use: r.Use, Location: protocol.Location{URI: p.v.name, Range: p.v.mapper.SpanRange(r.Span)}})
	}
	out.MoreReaders = more
	return out, err
}

// onRow is the property of the row that is asked for, else the first, and all of the row where it has several:
// a statement of a module has a property in each of its instances.
func (p *placing) onRow(first design.Property) (design.Property, []wire.PropertyStatus) {
	meant := first
	var sharing []wire.PropertyStatus
	for _, row := range p.v.doc.Properties() {
		if row.Row != first.Row {
			continue
		}
		p.ask(row)
		sharing = append(sharing, statusOf(p.v, row))
		if propertyID(row.ID) == p.params.Property {
			meant = row
		}
	}
	if len(sharing) < 2 {
		return first, nil
	}
	return meant, sharing
}

// property is what is known of the property of the place.
func (p *placing) property(row design.Property) (*wire.PlaceProperty, error) {
	if design.HasClauses(p.v.doc) {
		return p.query(row), nil
	}
	s := p.v.status(row.ID)
	known := ide.KnownOf(p.ctx, p.v.doc, row, s)
	p.answer.Title = known.Title
	out := &wire.PlaceProperty{
		PropertyStatus: statusOf(p.v, row), Words: known.Verdict, Certificate: s.Certificate(), Says: orEmpty(known.Says), Vacuous: known.Vacuous,
		Lemmas: known.Granted, Facts: []string{}, Obstacle: s.Obstacle(), Actions: []wire.PlaceAction{},
	}
	if s.Result != nil {
		out.Engine = s.Result.Engine
	}
	for _, f := range known.Facts[:min(len(known.Facts), placeFacts)] {
		out.Facts = append(out.Facts, f.String())
	}
	out.MoreFacts = len(known.Facts) - len(out.Facts)
	if x := s.Explainable(); x != nil {
		root, err := runs.WhyFails(p.ctx, p.v.doc, x, p.causes())
		if err != nil {
			return nil, err
		}
		cause := p.snap.cause(p.v, root)
		out.Why = &cause
	}
	for _, a := range ide.PlaceActions(p.v.doc, row, s) {
		out.Actions = append(out.Actions, p.actions(a)...)
	}
	return out, nil
}

// causes is the limit of the trees in the answer.
func (p *placing) causes() trace.Limit {
	if p.params.Why > 0 {
		return trace.Limit{Depth: min(p.params.Why, maxCauseDepth), Nodes: maxCauses}
	}
	return trace.Limit{Depth: placeWhy, Nodes: placeCauses}
}

// actions is an action in the message; none where the client does not run it.
func (p *placing) actions(a ide.Action) []wire.PlaceAction {
	client := p.snap.client.commands
	_, isClients := clientCommands[a.Command]
	server, isServers := serverCommands[a.Command]
	if isClients && !isServers && !client.has(a.Command) {
		return nil
	}
	name, params := commandOf(p.v, a, p.params.Position)
	if isServers && !client.has(a.Command) {
		name = server
	}
	return []wire.PlaceAction{{Title: a.Title, Command: name, Argument: argument(params)}}
}

// diagnostic is one of the row, with its fixes.
func (p *placing) diagnostic(d source.Diagnostic) wire.PlaceDiagnostic {
	out := wire.PlaceDiagnostic{
		Severity: int(d.Severity), Code: string(d.Code), Message: d.Message, Range: p.v.mapper.SpanRange(d.Span), Fixes: []wire.PlaceAction{},
	}
	for _, fix := range p.v.doc.Fixes(d) {
		out.Fixes = append(out.Fixes, wire.PlaceAction{Title: fix.Title, Command: wire.CommandApplyAction.Name, Argument: argument(wire.ApplyActionParams{
			URI: p.v.name, Version: p.v.doc.Version, ID: fixID, Title: fix.Title, Code: string(d.Code), Start: d.Span.Start, Length: d.Span.Length,
		})})
	}
	return out
}
