package lsp

import (
	"context"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/workspace"
)

// symbolKinds are the icons of signals and, for Undefined, of properties.
var symbolKinds = [...]protocol.SymbolKind{
	design.Undefined: protocol.SymbolKindProperty,
	design.Constant:  protocol.SymbolKindConstant,
	design.Input:     protocol.SymbolKindInterface,
	design.Latch:     protocol.SymbolKindField,
	design.Gate:      protocol.SymbolKindOperator,
	design.Instance:  protocol.SymbolKindObject,
	design.Model:     protocol.SymbolKindModule,
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
	for _, f := range files {
		address := snap.addressOf(f.Path)
		if other, ok := s.texts.fileView(ctx, address); ok && address != snap.addressOf(filepath.Clean(v.name.FsPath())) {
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

// FoldingRanges lists the sections.
func (s *server) FoldingRanges(ctx context.Context, params *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	all := []protocol.FoldingRange{}
	for _, f := range ide.Folds(v.doc) {
		fold := protocol.FoldingRange{StartLine: uint32(f.First), EndLine: uint32(f.Last), Kind: protocol.FoldingRangeKindRegion}
		if f.Comment {
			fold.Kind = protocol.FoldingRangeKindComment
		}
		all = append(all, fold)
	}
	return all, ctx.Err()
}

// SelectionRange says what a selection grows into.
func (s *server) SelectionRange(ctx context.Context, params *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	all := []protocol.SelectionRange{}
	for _, p := range params.Positions {
		spans := ide.Selections(v.doc, v.mapper.PositionOffset(p))
		var outer *protocol.SelectionRange
		for i := len(spans) - 1; i >= 0; i-- {
			outer = &protocol.SelectionRange{Range: v.mapper.SpanRange(spans[i]), Parent: outer}
		}
		all = append(all, *outer) // the file at least
	}
	return all, ctx.Err()
}

// maxFileLinks bounds the file names of a comment that are looked for.
const maxFileLinks = 200

// DocumentLink finds the addresses in the comments, and the names of files that
// exist, which in folders that are not trusted nobody looks for.
func (s *server) DocumentLink(ctx context.Context, params *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	all := []protocol.DocumentLink{}
	looked, trusted := 0, snapshotFrom(ctx).settings.IsTrusted()
	for _, l := range ide.Links(v.doc) {
		target := uri.URI(l.URL)
		if l.URL == "" {
			looked++
			if looked > maxFileLinks || !trusted {
				continue
			}
			target, ok = linkedFile(s.opts.Files, v.doc.URI, l.Path)
		} else {
			_, err := uri.Parse(l.URL)
			ok = err == nil
		}
		if ok {
			all = append(all, protocol.DocumentLink{Range: v.mapper.SpanRange(l.Span), Target: &target})
		}
	}
	return all, ctx.Err()
}

// linkedFile returns the address of a file that a document names relative to
// itself; ok is false when there is none. Absolute names are left alone: to ask
// for one may wake a server in the network.
func linkedFile(files workspace.Files, document, path string) (target uri.URI, ok bool) {
	u := uri.URI(document)
	if !u.IsFile() || strings.HasPrefix(path, "/") || filepath.VolumeName(filepath.FromSlash(path)) != "" {
		return "", false
	}
	path = filepath.Join(filepath.Dir(u.FsPath()), filepath.FromSlash(path))
	info, err := files.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	return uri.File(path), true
}
