package lsp

import (
	"context"
	"path"
	"time"

	"go.lsp.dev/protocol"

	"aiglens/internal/address"
	"aiglens/internal/thread"
	"aiglens/lsp/workspace"
)

// indexWait is how long a request for symbols waits for files to be read.
const indexWait = time.Second

// maxSymbols bounds an answer.
const maxSymbols = 500

// Symbols finds names in the open files and in those of the workspace.
func (s *server) Symbols(ctx context.Context, params *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	waiting, cancel := thread.WithTimeout(ctx, indexWait)
	s.texts.index.Wait(waiting)
	cancel()
	found := workspace.NewSearch(params.Query)
	open := map[string]bool{}
	for u, v := range snapshotFrom(ctx).views {
		if path, isFile := address.Path(u); isFile {
			open[path] = true
		}
		if v.outOfStep {
			continue
		}
		if s.texts.reading.wait(ctx, u, v); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found.Add(v.names())
	}
	s.texts.index.Each(func(path string) bool { return open[path] }, func(names []workspace.Name) bool {
		found.Add(names)
		return ctx.Err() == nil
	})
	all := protocol.SymbolInformationSlice{}
	for _, n := range found.Best(maxSymbols) {
		file := path.Base(n.Location.URI.Path())
		symbol := protocol.SymbolInformation{Location: n.Location}
		symbol.Name, symbol.Kind, symbol.ContainerName = n.Name, symbolKinds[n.Kind], &file
		all = append(all, symbol)
	}
	return all, ctx.Err()
}
