package lsp

import (
	"context"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/internal/address"
	"aiglens/lsp/ide"
	"aiglens/lsp/workspace"
)

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
// exist, which are not looked for in untrusted folders.
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
	from, isFile := address.Path(uri.URI(document))
	if !isFile || strings.HasPrefix(path, "/") || filepath.VolumeName(filepath.FromSlash(path)) != "" {
		return "", false
	}
	path = filepath.Join(filepath.Dir(from), filepath.FromSlash(path))
	info, err := files.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	return address.URI(path), true
}
