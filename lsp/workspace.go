package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design/blifdesign"
	"aiglens/design/format"
	"aiglens/design/hierarchy"
	"aiglens/lsp/queue"
	"aiglens/lsp/workspace"
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

func appendFolder(all []string, u uri.URI) []string { return append(all, pathsOf(u)...) }

// pathsOf returns the path of a file, none for what lies on no disk.
func pathsOf(u uri.URI) []string {
	if !u.IsFile() {
		return nil
	}
	return []string{filepath.Clean(u.FsPath())}
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
		paths = append(paths, pathsOf(change.URI)...)
	}
	s.index.Read(paths...)
	s.owner.Do(func() {
		s.readHiddenAnew(paths)
		s.outdate(func(c workspace.Closed) bool { return slices.Contains(paths, c.Path) })
		if kept := slices.DeleteFunc(paths, func(path string) bool { return !s.models.disk.Has(path) }); len(kept) > 0 {
			s.lookAgain(look{paths: kept, doubt: true})
		}
	})
	return nil
}

// DidChangeWorkspaceFolders reads new folders and forgets old ones.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	folders := s.index.Folders()
	for _, f := range params.Event.Removed {
		gone := appendFolder(nil, f.URI)
		folders = slices.DeleteFunc(folders, func(path string) bool { return slices.Contains(gone, path) })
	}
	for _, f := range params.Event.Added {
		folders = appendFolder(folders, f.URI)
	}
	s.index.SetFolders(folders)
	return nil
}

// Symbols finds names in the open files and in those of the workspace.
func (s *server) Symbols(ctx context.Context, params *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	waiting, cancel := context.WithTimeout(ctx, indexWait)
	s.index.Wait(waiting)
	cancel()
	found := workspace.NewSearch(params.Query)
	open := map[string]bool{}
	for u, v := range snapshotFrom(ctx).views {
		if u.IsFile() {
			open[filepath.Clean(u.FsPath())] = true
		}
		if v.outOfStep {
			continue
		}
		if s.texts.wait(ctx, u, v); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found.Add(v.names())
	}
	s.index.Each(func(path string) bool { return open[path] }, func(names []workspace.Name) bool {
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

// pattern is what the client is asked to watch: names in a folder.
type pattern struct{ folder, glob string }

// watcher keeps the client watching the files outside of the workspace that
// something on the screen depends on.
type watcher struct {
	*queue.Sender[struct{}, []pattern]
	wanted     []pattern // in order; of the owner
	registered int       // so far; of Run
}

func newWatcher(s *session) *watcher {
	w := &watcher{}
	w.Sender = queue.NewSender(queue.SenderConfig[struct{}, []pattern]{
		Merge: func(_, new []pattern) []pattern { return new },
		Send: func(ctx context.Context, _ struct{}, wanted []pattern) {
			s.guard("files to watch", "", func() { s.registerPatterns(ctx, wanted) })
		},
	})
	return w
}

// registerForFiles asks to be told when files change.
func (s *session) registerForFiles(ctx context.Context) {
	s.register(ctx, "files", []any{map[string]any{"globPattern": s.opts.Formats.Glob()}})
}

func (s *session) register(ctx context.Context, id string, watchers []any) {
	options, err := json.Marshal(map[string]any{"watchers": watchers})
	if err != nil { // strings
		panic(err)
	}
	registration := &protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: id, Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: protocol.LSPAny(options),
	}}}
	if err := protocol.Call(ctx, s.conn, protocol.MethodClientRegisterCapability, registration, nil); err != nil {
		s.log.Warn("changes of files will go unnoticed", zap.Error(err))
	}
}

// watchFiles looks which files are to be watched: the cell library, and those that
// the library of models has asked for, there or not, as far as they are not among
// those of the workspace.
func (s *session) watchFiles() {
	if !s.initialized || !s.client.watchesFiles {
		return
	}
	var all []pattern
	if genlib := blifdesign.OptionOf(s.settings.Document).Genlib; filepath.IsAbs(genlib) {
		path := filepath.Clean(genlib)
		all = append(all, pattern{filepath.Dir(path), literalGlob(filepath.Base(path))})
	}
	files, folders := s.models.library.Load().Asked()
	for _, folder := range folders {
		if !s.index.Covers(folder) {
			all = append(all, pattern{folder, format.Glob(format.BLIF.Extensions())})
		}
	}
	for _, path := range files {
		folder := filepath.Dir(path)
		if hierarchy.IsBLIF(path) && (s.index.Covers(path) || slices.Contains(folders, folder)) {
			continue
		}
		all = append(all, pattern{folder, literalGlob(filepath.Base(path))})
	}
	if slices.Equal(s.watcher.wanted, all) {
		return
	}
	s.watcher.wanted = all
	s.watcher.Mark(struct{}{}, all)
}

// literalGlob returns a glob for one name: characters with a meaning stand for any.
func literalGlob(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`*?[]{},!\`, r) {
			return '?'
		}
		return r
	}, name)
}

// registerPatterns has the client watch what is wanted, then takes back what was wanted
// before.
func (s *session) registerPatterns(ctx context.Context, wanted []pattern) {
	relative := s.snapshot.Load().client.relativePatterns
	watchers := make([]any, 0, len(wanted))
	for _, p := range wanted {
		glob := any(filepath.ToSlash(p.folder) + "/" + p.glob)
		if relative {
			glob = map[string]any{"baseUri": uri.File(p.folder), "pattern": p.glob}
		}
		watchers = append(watchers, map[string]any{"globPattern": glob})
	}
	name := func(n int) string { return fmt.Sprintf("other files %d", n) }
	n := s.watcher.registered
	s.register(ctx, name(n+1), watchers)
	s.watcher.registered++
	if n > 0 {
		old := &protocol.UnregistrationParams{Unregisterations: []protocol.Unregistration{{
			ID: name(n), Method: protocol.MethodWorkspaceDidChangeWatchedFiles}}}
		if err := protocol.Call(ctx, s.conn, protocol.MethodClientUnregisterCapability, old, nil); err != nil {
			s.log.Debug("files are watched that need not be", zap.Error(err))
		}
	}
}
