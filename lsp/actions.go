package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// The kinds of code actions under which changes are offered. Those of the whole
// file have a kind of their own each, "source.aiglens." and their name, so that
// an editor can run them on saving.
const (
	kindAdd    protocol.CodeActionKind = "refactor.aiglens.add"
	kindSource protocol.CodeActionKind = "source.aiglens"
)

func changeKind(c source.Change) protocol.CodeActionKind {
	switch c.Kind {
	case source.ChangeAdd:
		return kindAdd
	case source.ChangeRewrite:
		return protocol.CodeActionKindRefactorRewrite
	}
	return kindSource + "." + protocol.CodeActionKind(strings.ReplaceAll(c.ID, "-", ""))
}

// proposeFunc is called with edits that the client is given, and that should keep what the circuit
// does, with the title under which it shows them.
type proposeFunc func(title string, edits []source.Edit)

// CodeAction offers the commands and fixes of a place, for clients without
// lenses.
func (s *server) CodeAction(ctx context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	v, ok := settledView(ctx, s.session, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	actions, err := ide.Actions(ctx, v.doc, v.mapper.RangeSpan(params.Range), v.status, v.selection)
	if err != nil {
		return nil, err
	}
	actions = append(actions, ide.QueryActions(v.doc, v.mapper.RangeSpan(params.Range), v.queries.status, v.selection)...)
	all := []protocol.CommandOrCodeAction{}
	if v.remarks.unneeded != nil {
		actions = append(actions, ide.Action{Title: "Hide fading", Command: ide.HideUnneeded})
	}
	var given []proposal
	propose := func(title string, edits []source.Edit) { given = append(given, proposal{title, edits}) }
	offers, untried := snapshotFrom(ctx).client.commands, 0
	for _, a := range actions {
		_, isClients := clientCommands[a.Command]
		_, isServers := serverCommands[a.Command]
		if isClients && !isServers && a.Fix == nil && !offers.has(a.Command) || a.Command == ide.Reduce && s.opts.Reduce == nil {
			continue
		}
		if a.Fix == nil {
			if wanted(params.Context.Only, protocol.CodeActionKindEmpty) {
				all = append(all, commandAction(v, a, params.Range.Start, snapshotFrom(ctx).client))
			}
			continue
		}
		if !wanted(params.Context.Only, protocol.CodeActionKindQuickFix) {
			continue
		}
		if a.Untried && !snapshotFrom(ctx).client.canDefer() {
			if untried++; untried > mostTried || !tries(v, params.Context.Only) {
				continue
			}
		}
		if action := fixAction(ctx, v, a, snapshotFrom(ctx).client, propose); action != nil {
			all = append(all, action)
		}
	}
	all = append(all, lemmaActions(v, params, snapshotFrom(ctx).client)...)
	all = append(all, groupActions(ctx, v, params, snapshotFrom(ctx).client)...)
	all = append(all, changeActions(ctx, v, params, snapshotFrom(ctx).client, propose)...)
	all = append(all, fixAllActions(ctx, s.session, v, params, snapshotFrom(ctx).client, propose)...)
	s.texts.propose(v, given...)
	return all, ctx.Err()
}

// commandAction is an action that runs a command.
func commandAction(v *view, a ide.Action, at protocol.Position, client clientSide) *protocol.CodeAction {
	kind := protocol.CodeActionKindEmpty
	command := actionCommand(v, a.Title, a, at)
	if name, ok := serverCommands[a.Command]; ok && !client.commands.has(a.Command) {
		command.Command = name
	}
	return &protocol.CodeAction{Title: a.Title, Kind: &kind, Command: command}
}

// What is offered of a wide range or a large text to a client that can only take edits at once:
// so many fixes, as each is tried before, whose edits have so many bytes. In a text of more bytes than
// mostTriedText, of which a try takes too long, nothing is tried but what is asked for by its kind.
const (
	mostTried     = 3
	mostInline    = 100_000
	mostTriedText = 32 << 10
)

// tries reports whether a client that can only take edits at once is offered what is tried before.
func tries(v *view, only []protocol.CodeActionKind) bool {
	return v.doc.Text.Len() <= mostTriedText || len(only) > 0
}

// sizeOf returns about how many bytes edits have as they are sent.
func sizeOf(edits []source.Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.NewText) + 100 // a range
	}
	return n
}

// fixAction is an action that makes a fix; nil for one that would do harm.
func fixAction(ctx context.Context, v *view, a ide.Action, client clientSide, propose proposeFunc) *protocol.CodeAction {
	kind := protocol.CodeActionKindQuickFix
	action := &protocol.CodeAction{Title: a.Title, Kind: &kind, Diagnostics: []protocol.Diagnostic{v.diagnostic(a.Diagnostic, client.related)}}
	if a.Fix.Preferred {
		action.IsPreferred = &a.Fix.Preferred
	}
	data := wire.ApplyActionParams{URI: v.name, Version: v.doc.Version, ID: fixID, Title: a.Title,
		Code: string(a.Diagnostic.Code), Start: a.Diagnostic.Span.Start, Length: a.Diagnostic.Span.Length}
	if a.Untried && client.defers(action, data) {
		return action
	}
	edits := a.Fix.AllEdits()
	if a.Untried && (sizeOf(edits) > mostInline || design.Harm(ctx, v.doc, edits) != nil) {
		return nil
	}
	propose(a.Title, edits)
	action.Edit = v.workspaceEdit(edits, client)
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

// wantsSource reports whether a client that asks for some kinds of actions asks
// for changes of the whole file.
func wantsSource(only []protocol.CodeActionKind) bool {
	return wanted(only, kindSource) || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return strings.HasPrefix(string(o), string(kindSource))
	})
}

// changeActions lists the changes of a place as code actions. Those of the whole file
// are left out while an editor only wonders whether to show a light bulb.
func changeActions(ctx context.Context, v *view, params *protocol.CodeActionParams, client clientSide, propose proposeFunc) []protocol.CommandOrCodeAction {
	var all []protocol.CommandOrCodeAction
	span := v.mapper.RangeSpan(params.Range)
	file := params.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic && wantsSource(params.Context.Only)
	for _, c := range v.doc.Changes(ctx, span, file) {
		kind := changeKind(c)
		action := &protocol.CodeAction{Title: c.Title, Kind: &kind}
		if !wanted(params.Context.Only, kind) {
			continue
		}
		isFile, isSmall := c.Kind == source.ChangeFile, v.doc.Text.Len() <= ide.SmallText
		data := wire.ApplyActionParams{URI: v.name, Version: v.doc.Version, ID: c.ID, Start: span.Start, Length: span.Length, File: isFile}
		isLater := client.resolvesActions || isFile || !isSmall
		if isLater && client.defers(action, data) {
			all = append(all, action)
			continue
		}
		if isFile && !isSmall && len(params.Context.Only) == 0 || !tries(v, params.Context.Only) {
			continue // the answer would hold the whole file, at each place, or take long
		}
		if edits, err := c.Edits(); err == nil && len(edits) > 0 {
			action.Edit = v.workspaceEdit(edits, client)
			if c.Kind != source.ChangeAdd {
				propose(c.Title, edits)
			}
		} else {
			continue
		}
		all = append(all, action)
	}
	return all
}

// groupActions offer words of groups of latches of which exactly one is 1, as a proof says.
func groupActions(ctx context.Context, v *view, params *protocol.CodeActionParams, client clientSide) (all []protocol.CommandOrCodeAction) {
	kind := kindAdd
	if !wanted(params.Context.Only, kind) {
		return nil
	}
	for _, w := range ide.GroupWords(ctx, v.doc, v.mapper.RangeSpan(params.Range).Start, v.status) {
		all = append(all, &protocol.CodeAction{Title: w.Title, Kind: &kind, Edit: v.workspaceEdit(w.Edits, client)})
	}
	return all
}

// fixAllActions offers every preferred fix at once, to a client that asks for actions
// of this kind: an editor that only wonders about a light bulb does not, and the
// fixes of a whole file take their time.
func fixAllActions(ctx context.Context, s *session, v *view, params *protocol.CodeActionParams, client clientSide, propose proposeFunc) []protocol.CommandOrCodeAction {
	kind := protocol.CodeActionKindSourceFixAll
	if len(params.Context.Only) == 0 || !wanted(params.Context.Only, kind) {
		return nil
	}
	action := &protocol.CodeAction{Title: fixAllTitle, Kind: &kind}
	if v.doc.Text.Len() > ide.SmallText {
		if len(v.doc.TextDiagnostics()) == 0 {
			return nil
		}
		if client.defers(action, wire.ApplyActionParams{URI: v.name, Version: v.doc.Version, ID: fixAllID}) {
			return []protocol.CommandOrCodeAction{action}
		}
	}
	edits, err := promptly(ctx, s, v, func() ([]source.Edit, error) { return v.doc.FixAll(ctx) })
	if err != nil || len(edits) == 0 {
		return nil
	}
	propose(fixAllTitle, edits)
	action.Edit = v.workspaceEdit(edits, client)
	return []protocol.CommandOrCodeAction{action}
}

// actionCommand is the command of a code action.
func actionCommand(v *view, title string, action ide.Action, at protocol.Position) protocol.Command {
	name, params := commandOf(v, action, at)
	return protocol.Command{Title: title, Command: name, Arguments: []protocol.LSPAny{argument(params)}}
}

// commandOf returns what a client is to send for an action.
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
		return wire.CommandStep.Name, wire.StepParams{PropertyParams: about, To: wire.Move(action.To), Instance: action.Instance}
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

// clientCommands are the commands that only some clients run, by themselves.
var clientCommands = map[ide.Command]wire.ClientCommand{
	ide.ShowTrace:    wire.ClientShowTrace,
	ide.ShowWhy:      wire.ClientShowWhy,
	ide.Debug:        wire.ClientDebug,
	ide.ShowProof:    wire.ClientShowProof,
	ide.ExplainNone:  wire.ClientExplainNone,
	ide.Reduce:       wire.ClientReduce,
	ide.VerifyEdit:   wire.ClientVerifyEdit,
	ide.ShowObstacle: wire.ClientShowObstacle,
	ide.DrawCone:     wire.ClientDrawCone,
	ide.DrawStates:   wire.ClientDrawStates,
	ide.Isolate:      wire.ClientIsolate,
	ide.ShowReaching: wire.ClientReach,
	ide.Suggest:      wire.ClientSuggest,
}

// serverCommands are those of these that the server runs for clients that do not. They take the
// same argument.
var serverCommands = map[ide.Command]string{
	ide.Isolate: wire.CommandIsolate.Name,
	ide.Suggest: wire.CommandSuggest.Name,
}

// commandSet is a set of those, a bit each.
type commandSet uint32

func commandsOf(announced []wire.ClientCommand) (set commandSet) {
	for c, name := range clientCommands {
		if slices.Contains(announced, name) {
			set |= 1 << c
		}
	}
	return set
}

func (set commandSet) has(c ide.Command) bool { return set>>c&1 != 0 }
