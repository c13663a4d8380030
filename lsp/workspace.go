package lsp

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/hierarchy"
)

// indexWait is how long a request for symbols waits for files to be read.
const indexWait = time.Second

// maxSymbols bounds an answer.
const maxSymbols = 500

// workspaceFolders returns the folders that the client works in, as paths.
func workspaceFolders(params *protocol.InitializeParams) []string {
	var all []string
	folders, ok := params.WorkspaceFolders.Get()
	for _, f := range folders {
		all = appendFolder(all, f.URI)
	}
	//lint:ignore SA1019 some clients send nothing else
	if !ok && params.RootURI != nil {
		//lint:ignore SA1019 some clients send nothing else
		all = appendFolder(all, *params.RootURI)
	}
	return all
}

func appendFolder(all []string, u uri.URI) []string {
	if !u.IsFile() {
		return all
	}
	return append(all, filepath.Clean(u.FsPath()))
}

func workspaceOptions() *protocol.WorkspaceOptions {
	yes := true
	return &protocol.WorkspaceOptions{WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
		Supported: &yes, ChangeNotifications: protocol.Boolean(true),
	}}
}

// DidChangeWatchedFiles reads the files that have changed.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	var paths []string
	for _, change := range params.Changes {
		if change.URI.IsFile() {
			paths = append(paths, filepath.Clean(change.URI.FsPath()))
		}
	}
	s.index.read(paths...)
	s.owner.do(func() {
		models := false
		for _, path := range paths {
			s.models.disk.Forget(path)
			models = models || hierarchy.IsBLIF(path) || s.models.library.Load().HasAsked(path)
		}
		s.cellsChanged()
		s.readHiddenAnew(paths)
		s.unretire(func(r retired) bool { return slices.Contains(paths, r.path) })
		if models {
			s.modelsChanged()
		}
	})
	return nil
}

// DidChangeWorkspaceFolders reads new folders and forgets old ones.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	s.index.mu.Lock()
	folders := slices.Clone(s.index.folders)
	s.index.mu.Unlock()
	for _, f := range params.Event.Removed {
		gone := appendFolder(nil, f.URI)
		folders = slices.DeleteFunc(folders, func(path string) bool { return slices.Contains(gone, path) })
	}
	for _, f := range params.Event.Added {
		folders = appendFolder(folders, f.URI)
	}
	s.index.setFolders(folders)
	return nil
}

// Symbols finds names in the open files and in those of the workspace.
func (s *server) Symbols(ctx context.Context, params *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	waiting, cancel := context.WithTimeout(ctx, indexWait)
	s.index.wait(waiting)
	cancel()
	found := symbolSearch{query: []rune(strings.ToLower(params.Query))}
	open := map[string]bool{}
	for u, v := range snapshotFrom(ctx).views {
		if u.IsFile() {
			open[filepath.Clean(u.FsPath())] = true
		}
		if !v.lost {
			found.add(v.names())
		}
	}
	s.index.each(func(path string) bool { return open[path] }, func(places []namedPlace) bool {
		found.add(places)
		return ctx.Err() == nil
	})
	return found.answer(), ctx.Err()
}

// symbolSearch collects the names that fit a query.
type symbolSearch struct {
	query []rune // lower case
	hits  []symbolHit
}

type symbolHit struct {
	namedPlace
	rank int
}

func (s *symbolSearch) add(places []namedPlace) {
	for _, p := range places {
		if rank, ok := s.rank(p.name); ok {
			s.hits = append(s.hits, symbolHit{p, rank})
		}
	}
}

// rank says how well a name fits, 0 best: it starts with the query, holds it, or
// holds its letters in order.
func (s *symbolSearch) rank(name string) (rank int, ok bool) {
	lower := strings.ToLower(name)
	switch query := string(s.query); {
	case strings.HasPrefix(lower, query):
		return 0, true
	case strings.Contains(lower, query):
		return 1, true
	}
	rest := s.query
	for _, r := range lower {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return 2, len(rest) == 0
}

func (s *symbolSearch) answer() protocol.SymbolInformationSlice {
	sort.Slice(s.hits, func(i, j int) bool {
		a, b := s.hits[i], s.hits[j]
		switch {
		case a.rank != b.rank:
			return a.rank < b.rank
		case a.name != b.name:
			return a.name < b.name
		case a.location.URI != b.location.URI:
			return a.location.URI < b.location.URI
		}
		return a.location.Range.Start.Line < b.location.Range.Start.Line
	})
	all := protocol.SymbolInformationSlice{}
	for _, h := range s.hits[:min(len(s.hits), maxSymbols)] {
		file := path.Base(h.location.URI.Path())
		symbol := protocol.SymbolInformation{Location: h.location}
		symbol.Name, symbol.Kind, symbol.ContainerName = h.name, h.kind, &file
		all = append(all, symbol)
	}
	return all
}
