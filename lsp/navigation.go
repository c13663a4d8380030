package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"aiglens/design"
	"aiglens/internal/address"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

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

// Declaration finds the places in the source of another language that a tool has made what stands
// under the cursor from: in Verilog, where Yosys has written them down. Files are looked for in
// trusted folders alone, and relative to the document.
func (s *server) Declaration(ctx context.Context, params *protocol.DeclarationParams) (protocol.DeclarationResult, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok || !snapshotFrom(ctx).settings.IsTrusted() {
		return nil, nil
	}
	var all protocol.LocationSlice
	offset := v.mapper.PositionOffset(params.Position)
	for _, t := range s.sourcesAt(v, offset) {
		all = append(all, snapshotFrom(ctx).locationOf(t))
	}
	for _, p := range design.MadeFromAt(v.doc, offset) {
		if target, ok := linkedFile(s.opts.Files, v.doc.URI, p.Path); ok {
			at := func(line, column int) protocol.Position {
				return protocol.Position{Line: uint32(max(line-1, 0)), Character: uint32(max(column-1, 0))}
			}
			all = append(all, protocol.Location{URI: target, Range: protocol.Range{
				Start: at(p.Line, p.Column), End: at(max(p.Line, p.EndLine), p.EndColumn),
			}})
		}
	}
	if len(all) == 0 {
		return nil, ctx.Err()
	}
	return all, ctx.Err()
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
	at := v.mapper.PositionOffset(params.Position)
	s.highlighted(v, at)
	all := []protocol.DocumentHighlight{}
	for _, o := range ide.Highlights(v.doc, at) {
		all = append(all, protocol.DocumentHighlight{Range: v.mapper.SpanRange(o.Span), Kind: kinds[o.Role]})
	}
	return all, ctx.Err()
}

// symbolKinds are the icons of signals and, for Undefined, of properties.
var symbolKinds = [...]protocol.SymbolKind{
	design.Undefined: protocol.SymbolKindProperty,
	design.Constant:  protocol.SymbolKindConstant,
	design.Input:     protocol.SymbolKindInterface,
	design.Latch:     protocol.SymbolKindField,
	design.Gate:      protocol.SymbolKindOperator,
	design.Instance:  protocol.SymbolKindObject,
	design.Model:     protocol.SymbolKindModule,
	design.Predicate: protocol.SymbolKindClass,
	design.Function:  protocol.SymbolKindFunction,
	design.Variable:  protocol.SymbolKindVariable,
}

// maxOtherCalls bounds the models and ports of other files that a row reads.
const maxOtherCalls = 1000

// PrepareCallHierarchy finds the row that a call hierarchy starts at, which may lie
// in another file.
func (s *server) PrepareCallHierarchy(ctx context.Context, params *protocol.CallHierarchyPrepareParams) ([]protocol.CallHierarchyItem, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	offset := v.mapper.PositionOffset(params.Position)
	if target, ok := v.doc.TargetAt(offset); ok && target.Model != "" {
		if item, ok := calledItem(ctx, s.session, target); ok {
			return []protocol.CallHierarchyItem{item}, nil
		}
		return nil, nil
	}
	item, ok := ide.CallRoot(v.doc, offset)
	if !ok {
		return nil, nil
	}
	return []protocol.CallHierarchyItem{callItemFrom(v, item)}, nil
}

// calledItem returns the row of a model or port of another file.
func calledItem(ctx context.Context, s *session, t design.Target) (protocol.CallHierarchyItem, bool) {
	at := snapshotFrom(ctx).locationOf(t)
	v, ok := s.texts.fileView(ctx, at.URI)
	if !ok {
		return protocol.CallHierarchyItem{}, false
	}
	item, ok := ide.CallRoot(v.doc, v.mapper.PositionOffset(at.Range.Start))
	return callItemFrom(v, item), ok
}

// IncomingCalls lists the rows that read a signal: its fan-out. A model and its
// ports are read by the instances in all files.
func (s *server) IncomingCalls(ctx context.Context, params *protocol.CallHierarchyIncomingCallsParams) ([]protocol.CallHierarchyIncomingCall, error) {
	v, ok := s.texts.fileView(ctx, params.Item.URI)
	if !ok {
		return nil, nil
	}
	all := []protocol.CallHierarchyIncomingCall{}
	add := func(v *view, calls []ide.Call) {
		for _, c := range calls {
			all = append(all, protocol.CallHierarchyIncomingCall{From: callItemFrom(v, c.Item), FromRanges: rangesOf(v, c.At)})
		}
	}
	offset := v.mapper.PositionOffset(params.Item.SelectionRange.Start)
	calls, err := ide.IncomingCalls(ctx, v.doc, offset)
	if err != nil {
		return nil, err
	}
	add(v, calls)
	snap := snapshotFrom(ctx)
	files, _ := s.texts.usesInFiles(ctx, snap, v, offset)
	own, _ := address.Path(v.name)
	for _, f := range files {
		if other, ok := s.texts.fileView(ctx, snap.addressOf(f.Path)); ok && f.Path != own {
			if calls, err = ide.Callers(ctx, other.doc, f.Uses); err != nil {
				return nil, err
			}
			add(other, calls)
		}
	}
	return all, ctx.Err()
}

// OutgoingCalls lists what a row reads: its fan-in.
func (s *server) OutgoingCalls(ctx context.Context, params *protocol.CallHierarchyOutgoingCallsParams) ([]protocol.CallHierarchyOutgoingCall, error) {
	v, ok := s.texts.fileView(ctx, params.Item.URI)
	if !ok {
		return nil, nil
	}
	all := []protocol.CallHierarchyOutgoingCall{}
	offset := v.mapper.PositionOffset(params.Item.SelectionRange.Start)
	calls, err := ide.OutgoingCalls(ctx, v.doc, offset)
	if err != nil {
		return nil, err
	}
	for _, c := range calls {
		all = append(all, protocol.CallHierarchyOutgoingCall{To: callItemFrom(v, c.Item), FromRanges: rangesOf(v, c.At)})
	}
	if row, ok := ide.CallRow(v.doc, offset); ok {
		for _, t := range v.doc.TargetsIn(row, maxOtherCalls) {
			if item, ok := calledItem(ctx, s.session, t); ok {
				all = append(all, protocol.CallHierarchyOutgoingCall{To: item, FromRanges: rangesOf(v, []source.Span{t.Word})})
			}
		}
	}
	return all, ctx.Err()
}

func callItemFrom(v *view, i ide.CallItem) protocol.CallHierarchyItem {
	return protocol.CallHierarchyItem{
		Name: i.Name, Detail: &i.Detail, Kind: symbolKinds[i.Kind], URI: v.name,
		Range: v.mapper.SpanRange(i.Span), SelectionRange: v.mapper.SpanRange(i.Focus),
	}
}

func rangesOf(v *view, spans []source.Span) []protocol.Range {
	all := make([]protocol.Range, len(spans))
	for i, s := range spans {
		all[i] = v.mapper.SpanRange(s)
	}
	return all
}
