package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/internal/format"
	"aiglens/internal/hierarchy"
	"aiglens/lsp/document/blifdoc"
	"aiglens/lsp/push"
)

// pattern is what the client is asked to watch: names in a folder.
type pattern struct{ folder, glob string }

// watcher keeps the client watching the files outside of the workspace that
// something on the screen depends on.
type watcher struct {
	*push.Sender[struct{}, []pattern]
	wanted     []pattern // in order; of the owner
	registered int       // so far; of Run
}

func newWatcher(s *session) *watcher {
	w := &watcher{}
	w.Sender = push.New(push.Config[struct{}, []pattern]{
		Merge: func(_, new []pattern) []pattern { return new },
		Send: func(ctx context.Context, _ struct{}, wanted []pattern) {
			s.guard(func() { s.registerPatterns(ctx, wanted) })
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
	if genlib := blifdoc.OptionOf(s.settings.Document).Genlib; filepath.IsAbs(genlib) {
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
