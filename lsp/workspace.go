package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/address"
	"aiglens/lsp/workspace"
)

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

// appendFolder leaves out what lies on no disk: to read all of it may take a host each time.
func appendFolder(all []string, u uri.URI) []string {
	if !u.IsFile() {
		return all
	}
	return append(all, pathsOf(u)...)
}

// pathsOf returns the path of a file, none for what is no file.
func pathsOf(u uri.URI) []string {
	if path, isFile := address.Path(u); isFile {
		return []string{path}
	}
	return nil
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
	s.texts.index.Read(paths...)
	s.queue.Do(func() {
		s.texts.told = true
		s.checking.workspace.rereadHidden(paths)
		s.verilog.changed(paths)
		s.texts.closed.outdate(func(c workspace.Closed) bool { return slices.Contains(paths, c.Path) })
		if kept := slices.DeleteFunc(paths, func(path string) bool { return !s.texts.models.disk.Has(path) }); len(kept) > 0 {
			s.texts.rereadLater(rereading{paths: kept, doubt: true})
		}
	})
	return nil
}

// DidChangeWorkspaceFolders reads new folders and forgets old ones.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	folders := s.texts.index.Folders()
	for _, f := range params.Event.Removed {
		gone := appendFolder(nil, f.URI)
		folders = slices.DeleteFunc(folders, func(path string) bool { return slices.Contains(gone, path) })
	}
	for _, f := range params.Event.Added {
		folders = appendFolder(folders, f.URI)
	}
	s.texts.index.SetFolders(folders)
	return nil
}
