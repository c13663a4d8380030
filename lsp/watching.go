package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"aiglens/design/blifdesign"
	"aiglens/design/format"
	"aiglens/design/hierarchy"
	"aiglens/internal/address"
	"aiglens/lsp/queue"
	"aiglens/lsp/workspace"
)

// pattern is what the client is asked to watch: names in a folder.
type pattern struct{ folder, glob string }

// watcher keeps the client watching the files outside of the workspace that
// something on the screen depends on.
type watcher struct {
	*core
	*queue.Sender[struct{}, []pattern]
	index      *workspace.Index
	models     *models
	extraPaths func() []string // other files to watch
	wanted     []pattern       // in order; of the queue
	registered int             // so far; of Run
}

func newWatcher(c *core, index *workspace.Index, m *models, extraPaths func() []string) *watcher {
	w := &watcher{core: c, index: index, models: m, extraPaths: extraPaths}
	w.Sender = queue.NewSender(queue.SenderConfig[struct{}, []pattern]{
		Merge: func(_, new []pattern) []pattern { return new },
		Send: func(ctx context.Context, _ struct{}, wanted []pattern) {
			c.guard("files to watch", "", func() { w.registerPatterns(ctx, wanted) })
		},
	})
	return w
}

// registerForFiles asks to be told when files change.
func (w *watcher) registerForFiles(ctx context.Context) {
	w.register(ctx, "files", []any{map[string]any{"globPattern": w.opts.Formats.Glob()}})
}

func (w *watcher) register(ctx context.Context, id string, watchers []any) {
	options, err := json.Marshal(map[string]any{"watchers": watchers})
	if err != nil { // strings
		panic(err)
	}
	registration := &protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: id, Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: protocol.LSPAny(options),
	}}}
	if err := protocol.Call(ctx, w.conn, protocol.MethodClientRegisterCapability, registration, nil); err != nil {
		w.log.Warn("changes of files will go unnoticed", zap.Error(err))
	}
}

// watch looks which files are to be watched: the cell library, and those that
// the library of models has asked for, there or not, as far as they are not among
// those of the workspace.
func (w *watcher) watch() {
	if !w.initialized || !w.client.watchesFiles {
		return
	}
	var all []pattern
	if genlib := blifdesign.OptionOf(w.settings.Document).Genlib; filepath.IsAbs(genlib) {
		path := filepath.Clean(genlib)
		all = append(all, pattern{filepath.Dir(path), literalGlob(filepath.Base(path))})
	}
	files, folders := w.models.library.Load().Asked()
	for _, folder := range folders {
		if !w.index.Covers(folder) {
			all = append(all, pattern{folder, format.Glob(format.BLIF.Extensions())})
		}
	}
	for _, path := range files {
		folder := filepath.Dir(path)
		if hierarchy.IsBLIF(path) && (w.index.Covers(path) || slices.Contains(folders, folder)) {
			continue
		}
		all = append(all, pattern{folder, literalGlob(filepath.Base(path))})
	}
	for _, path := range w.extraPaths() {
		all = append(all, pattern{filepath.Dir(path), literalGlob(filepath.Base(path))})
	}
	if slices.Equal(w.wanted, all) {
		return
	}
	w.wanted = all
	w.Mark(struct{}{}, all)
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

// registerPatterns asks the client to watch what is needed, then takes back what was needed
// before.
func (w *watcher) registerPatterns(ctx context.Context, wanted []pattern) {
	relative := w.snapshot.Load().client.relativePatterns
	watchers := make([]any, 0, len(wanted))
	for _, p := range wanted {
		glob := any(filepath.ToSlash(p.folder) + "/" + p.glob)
		if relative {
			glob = map[string]any{"baseUri": address.URI(p.folder), "pattern": p.glob}
		}
		watchers = append(watchers, map[string]any{"globPattern": glob})
	}
	name := func(n int) string { return fmt.Sprintf("other files %d", n) }
	n := w.registered
	w.register(ctx, name(n+1), watchers)
	w.registered++
	if n > 0 {
		old := &protocol.UnregistrationParams{Unregisterations: []protocol.Unregistration{{
			ID: name(n), Method: protocol.MethodWorkspaceDidChangeWatchedFiles}}}
		if err := protocol.Call(ctx, w.conn, protocol.MethodClientUnregisterCapability, old, nil); err != nil {
			w.log.Debug("some files are watched without need", zap.Error(err))
		}
	}
}
