package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/address"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

func executeCheck(ctx context.Context, s *session, params *wire.CheckParams) (wire.None, error) {
	if err := refuseUntrusted(ctx); err != nil {
		return nil, err
	}
	timeout, err := timeoutOf(params.Timeout)
	if err != nil {
		return nil, err
	}
	path, isFile := address.Path(params.URI)
	if _, open := viewFrom(ctx, params.URI); !open && isFile && s.texts.index.Covers(path) {
		s.queue.Do(func() { s.checking.workspace.checkAgain("Checking "+filepath.Base(path), []string{path}) })
		if _, _, err := workspace.ReadCircuit(s.texts.disk, s.opts.Formats, path, snapshotFrom(ctx).settings.Document); err != nil {
			return nil, refused(err)
		}
		return nil, nil
	}
	if v, open := viewFrom(ctx, params.URI); open && isUnread(v) {
		checked, err := executeCheckDesign(ctx, s, &wire.FileParams{URI: params.URI})
		if err == nil && checked.Problem != "" {
			err = refused(errors.New(checked.Problem))
		}
		return nil, err
	}
	v, ids, err := severalFrom(ctx, wire.CommandCheck.Name, params.PropertyParams, params.Properties)
	if err != nil {
		return nil, err
	}
	if len(ids) == 1 && v.status(ids[0]).FaultLine > 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s cannot be checked: %s", ids[0], v.status(ids[0]).Verdict())
	}
	key := uri.URI(v.doc.URI)
	if !s.texts.awaitReread(ctx, key) {
		return nil, ctx.Err()
	}
	s.texts.whenRead(ctx, key, func(f *file) { s.checking.checkCommand(f, ids, timeout) })
	return nil, nil
}

// executeCheckWorkspace checks all circuits and clauses of the workspace and answers how many files
// these are.
func executeCheckWorkspace(ctx context.Context, s *session, _ *wire.WorkspaceParams) (answer wire.WorkspaceCheck, err error) {
	if err := refuseUntrusted(ctx); err != nil {
		return answer, err
	}
	paths, err := workspace.FindFiles(ctx, s.opts.Files, s.opts.Formats, s.texts.index.Folders())
	if err != nil {
		return answer, err
	}
	s.queue.Do(func() { s.checking.workspace.check("Checking all circuits", paths) })
	return wire.WorkspaceCheck{Files: len(paths)}, nil
}

func executeRecheckFailed(ctx context.Context, s *session, params *wire.RecheckParams) (wire.None, error) {
	if err := refuseUntrusted(ctx); err != nil {
		return nil, err
	}
	recheckFailed(ctx, s, params.URI)
	return nil, nil
}

// recheckFailed checks again what is refuted or unknown, of one file or of all.
func recheckFailed(ctx context.Context, s *session, only uri.URI) {
	var open []uri.URI
	s.queue.Do(func() {
		for key := range s.texts.files {
			if only == "" || key == only {
				open = append(open, key)
			}
		}
	})
	for _, key := range open {
		s.texts.whenRead(ctx, key, func(f *file) {
			if design.HasClauses(f.doc) {
				if failed := f.queries.failed(f.doc); len(failed) > 0 {
					s.checking.clauses.check(f, f.doc, failed, nil)
				}
				return
			}
			failed, effects := f.checks.Failed(f.doc.Properties())
			s.checking.perform(f, effects)
			if len(failed) > 0 {
				s.checking.checkProperties(f, failed, nil)
			}
		})
	}
	s.queue.Do(func() {
		var paths []string
		for key, c := range s.texts.closed.files {
			if (only == "" || key == only) && c.Failed {
				paths = append(paths, c.Path)
			}
		}
		slices.Sort(paths)
		s.checking.workspace.checkAgain("Rechecking failed properties", paths)
	})
}

func executeStop(ctx context.Context, s *session, params *wire.StopParams) (wire.None, error) {
	if params.URI == "" {
		s.queue.Do(func() {
			s.verilog.stop("")
			s.checking.stopAll()
		})
		return nil, nil
	}
	v, open := viewFrom(ctx, params.URI)
	if path, isFile := address.Path(params.URI); isFile && !open {
		s.queue.Do(func() { s.checking.workspace.drop(path) })
		return nil, nil
	}
	if open && (params.Property != "" || params.Position != nil || params.Properties != nil) { // which only the text knows
		if s.texts.reading.wait(ctx, params.URI, v); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	about := wire.PropertyParams{URI: params.URI, Property: params.Property, Position: params.Position}
	_, ids, err := severalFrom(ctx, wire.CommandStop.Name, about, params.Properties)
	if err != nil {
		return nil, err
	}
	s.queue.Do(func() { stopCommand(s, params.URI, ids) })
	return nil, nil
}

func stopCommand(s *session, u uri.URI, ids []circuit.Property) {
	f := s.texts.files[u]
	switch {
	case f == nil:
	case ids == nil:
		s.verilog.stop(u)
		for _, source := range s.verilog.sourcesWith(f) {
			s.checking.stopFile(source)
		}
	default:
		s.checking.stop(f, ids...)
	}
}

func executeProperties(ctx context.Context, s *session, params *wire.FileParams) ([]wire.PropertyStatus, error) {
	v, err := openView(ctx, wire.CommandProperties.Name, params.URI)
	if err != nil {
		return nil, err
	}
	return statusesOf(v), nil
}
