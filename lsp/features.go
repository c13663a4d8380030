package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/rpc"
	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
)

// Hover describes what is under the cursor.
func (s *server) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	offset := v.mapper.PositionOffset(params.Position)
	span, markdown, err := ide.Hover(ctx, v.doc, offset, v.status, ide.HoverOptions{MaxSteps: s.opts.MaxSteps, Depth: snapshotFrom(ctx).settings.HoverDepth, Shown: v.selection})
	if err != nil || markdown == "" {
		return nil, err
	}
	rng := v.mapper.SpanRange(span)
	return &protocol.Hover{
		Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: markdown},
		Range:    &rng,
	}, nil
}

// Definition finds what defines the literal under the cursor.
func (s *server) Definition(ctx context.Context, params *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	offset := v.mapper.PositionOffset(params.Position)
	if target, ok := v.doc.TargetAt(offset); ok {
		location := snapshotFrom(ctx).locationOf(target)
		return &location, nil
	}
	span, ok := ide.Definition(v.doc, offset)
	if !ok {
		return nil, nil
	}
	return &protocol.Location{URI: v.name, Range: v.mapper.SpanRange(span)}, nil
}

// References finds every place of the signal under the cursor: of a model and its
// ports in all files that use them.
func (s *server) References(ctx context.Context, params *protocol.ReferenceParams) ([]protocol.Location, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	all := []protocol.Location{}
	offset := v.mapper.PositionOffset(params.Position)
	snap := snapshotFrom(ctx)
	if files, ok := s.texts.usesInFiles(ctx, snap, v, offset); ok {
		for _, f := range files {
			places := f.Uses
			if params.Context.IncludeDeclaration {
				places = slices.Concat(f.Definitions, f.Uses)
			}
			slices.SortFunc(places, func(a, b source.Span) int { return a.Start - b.Start })
			for _, span := range places {
				all = append(all, snap.locationOf(design.Target{Path: f.Path, Text: f.Text, Span: span}))
			}
		}
		return all, ctx.Err()
	}
	for _, o := range ide.References(v.doc, offset, params.Context.IncludeDeclaration) {
		all = append(all, protocol.Location{URI: v.name, Range: v.mapper.SpanRange(o.Span)})
	}
	return all, ctx.Err()
}

// DocumentHighlight marks the places of the signal under the cursor, or the name
// that a character of a cover is about.
func (s *server) DocumentHighlight(ctx context.Context, params *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	kinds := [...]protocol.DocumentHighlightKind{
		design.RoleDefinition: protocol.DocumentHighlightKindWrite,
		design.RoleUse:        protocol.DocumentHighlightKindRead,
		design.RoleName:       protocol.DocumentHighlightKindText,
	}
	s.enterRow(v, v.mapper.PositionOffset(params.Position))
	s.focus(v, v.mapper.PositionOffset(params.Position))
	all := []protocol.DocumentHighlight{}
	for _, o := range ide.Highlights(v.doc, v.mapper.PositionOffset(params.Position)) {
		all = append(all, protocol.DocumentHighlight{Range: v.mapper.SpanRange(o.Span), Kind: kinds[o.Role]})
	}
	return all, ctx.Err()
}

// DocumentSymbol lists the sections and their rows.
func (s *server) DocumentSymbol(ctx context.Context, params *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	all := protocol.DocumentSymbolSlice{}
	for _, section := range ide.Symbols(v.doc) {
		all = append(all, sectionSymbol(v, section))
	}
	return all, ctx.Err()
}

func sectionSymbol(v *view, section design.Section) protocol.DocumentSymbol {
	span := v.mapper.SpanRange(section.Span)
	symbol := protocol.DocumentSymbol{
		Name: section.Name, Kind: protocol.SymbolKindNamespace,
		Range: span, SelectionRange: protocol.Range{Start: span.Start, End: span.Start},
	}
	for _, row := range section.Rows {
		symbol.Children = append(symbol.Children, protocol.DocumentSymbol{
			Name: row.Name, Detail: &row.Detail, Kind: symbolKinds[row.Kind],
			Range: v.mapper.SpanRange(row.Span), SelectionRange: v.mapper.SpanRange(row.Focus),
		})
	}
	for _, part := range section.Parts {
		symbol.Children = append(symbol.Children, sectionSymbol(v, part))
	}
	return symbol
}

// CodeAction offers the commands and fixes of a place, for clients without
// lenses.
func (s *server) CodeAction(ctx context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	v, ok := settledView(ctx, s.session, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	s.focus(v, v.mapper.PositionOffset(params.Range.Start))
	actions, err := ide.Actions(ctx, v.doc, v.mapper.RangeSpan(params.Range), v.status, v.selection)
	if err != nil {
		return nil, err
	}
	all := []protocol.CommandOrCodeAction{}
	if v.remarks.unneeded != nil {
		actions = append(actions, ide.Action{Title: "Fade nothing any more", Command: ide.HideUnneeded})
	}
	var given []offered
	offer := func(title string, edits []source.Edit) { given = append(given, offered{title, edits}) }
	offers := snapshotFrom(ctx).client.offers
	for _, a := range actions {
		_, isClients := clientCommands[a.Command]
		_, isServers := serverCommands[a.Command]
		if isClients && !isServers && a.Fix == nil && !offers.has(a.Command) || a.Command == ide.Reduce && s.opts.Reduce == nil {
			continue
		}
		action := codeActionFrom(v, a, params.Range.Start, snapshotFrom(ctx).client)
		if wanted(params.Context.Only, *action.Kind) {
			all = append(all, action)
			if a.Fix != nil {
				offer(a.Title, a.Fix.Edits)
			}
		}
	}
	all = append(all, lemmaActions(v, params, snapshotFrom(ctx).client)...)
	all = append(all, changeActions(ctx, v, params, snapshotFrom(ctx).client, offer)...)
	all = append(all, fixAllActions(v, params, snapshotFrom(ctx).client, offer)...)
	s.texts.offer(v, given...)
	return all, ctx.Err()
}

func codeActionFrom(v *view, a ide.Action, at protocol.Position, client clientSide) *protocol.CodeAction {
	kind := protocol.CodeActionKindEmpty
	action := &protocol.CodeAction{Title: a.Title, Kind: &kind}
	if a.Fix == nil {
		command := actionCommand(v, a.Title, a, at)
		if name, ok := serverCommands[a.Command]; ok && !client.offers.has(a.Command) {
			command.Command = name
		}
		action.Command = command
		return action
	}
	kind = protocol.CodeActionKindQuickFix
	action.Edit = v.workspaceEdit(a.Fix.Edits, client)
	action.Diagnostics = []protocol.Diagnostic{v.diagnostic(a.Diagnostic, client.related)}
	if a.Fix.Preferred {
		action.IsPreferred = &a.Fix.Preferred
	}
	return action
}

// wanted reports whether a kind is among those that the client asks for; each
// stands for its sub-kinds too.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	for _, o := range only {
		if o == protocol.CodeActionKindEmpty || o == kind || strings.HasPrefix(string(kind), string(o)+".") {
			return true
		}
	}
	return len(only) == 0
}

// actionCommand is the command of a code action.
func actionCommand(v *view, title string, action ide.Action, at protocol.Position) protocol.Command {
	name, params := commandOf(v, action, at)
	return protocol.Command{Title: title, Command: name, Arguments: []protocol.LSPAny{argument(params)}}
}

// argument writes the parameters of a command: a struct of strings and numbers.
func argument(params any) protocol.LSPAny {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return text
}

// commandFrom returns what a client is to send for an action.
func commandOf(v *view, action ide.Action, at protocol.Position) (name string, params any) {
	about := wire.PropertyParams{URI: v.name}
	if action.Command.IsAboutProperty() {
		about.Property = propertyID(action.Property.ID)
	}
	switch action.Command {
	case ide.Check:
		params := wire.CheckParams{PropertyParams: about}
		if action.Limit != nil {
			seconds := action.Limit.Seconds()
			params.Timeout = &seconds
		}
		return wire.CommandCheck.Name, params
	case ide.Stop, ide.StopFile:
		return wire.CommandStop.Name, wire.StopParams{URI: about.URI, Property: about.Property}
	case ide.GoToLatch:
		params := wire.GoToLatchParams{PropertyParams: about}
		if action.Latch != nil {
			params.Latch = numberOfLatch(v, *action.Latch)
		}
		return wire.CommandGoToLatch.Name, params
	case ide.FindAnother, ide.FindShortest, ide.ShowFirst:
		return wire.CommandAnother.Name, anotherParams(action.Command, about)
	case ide.CheckWorkspace:
		return wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}
	case ide.RecheckFailed:
		return wire.CommandRecheckFailed.Name, wire.RecheckParams{URI: v.name}
	case ide.ShowStep:
		about.Position = &at
		return wire.CommandStep.Name, wire.StepParams{PropertyParams: about, To: wire.Move(action.To)}
	case ide.ShowReaching:
		about.Position = &at
		return string(wire.ClientReach), about
	case ide.GoToCause:
		return wire.CommandGoToCause.Name, wire.GoToCauseParams{PropertyParams: about, Signal: uint32(action.Cause.Lit), Step: action.Cause.Step}
	}
	if action.Command == ide.ShowUnneeded || action.Command == ide.HideUnneeded {
		return wire.CommandUnneeded.Name, wire.UnneededParams{PropertyParams: about, Hide: action.Command == ide.HideUnneeded}
	}
	if name, ok := clientCommands[action.Command]; ok {
		return string(name), about
	}
	return wire.CommandCheck.Name, about
}

// cursor takes note of where the user is.
func cursor(_ context.Context, s protocol.Server, raw []byte) (any, error) {
	params, err := rpc.ParamsFromJSON[wire.CursorParams](raw)
	if err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	session := s.(*server).session
	place := session.places.Add(1)
	v := session.snapshot.Load().views[params.URI]
	if v == nil || v.outOfStep {
		return nil, nil
	}
	at := v.mapper.PositionOffset(params.Position)
	session.enterRow(v, at)
	if !v.doc.HasModels() || v.isAnalysed() {
		session.focus(v, at)
		return nil, nil
	}
	session.background(func(context.Context) { // the text may need a file that nobody has read
		v.doc.Properties()
		if session.places.Load() == place {
			session.focus(v, at)
		}
	})
	return nil, nil
}

// enterRow notes the row where the user is, which may have hints of its own.
func (s *session) enterRow(v *view, at int) {
	line := int64(v.doc.Text.LineAt(at))
	if v.cursor.Swap(line) != line && s.snapshot.Load().settings.HintLayout == settings.CursorLine {
		s.post(s.publishing.askForHints)
	}
}

// focus notes where the user is: the property there is checked before others. The
// protocol does not tell; what is asked about a place does.
func (s *session) focus(v *view, at int) {
	p, ok := v.doc.PropertyAt(at)
	if !ok {
		return
	}
	id := verify.ID{Document: v.doc.URI, Property: p.ID}
	s.post(func() {
		if s.checking.scheduling.preferred != id {
			s.checking.scheduling.preferred = id
			s.checking.scheduling.scheduler.Prefer(id)
		}
	})
}
