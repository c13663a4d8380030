package lsp

import (
	"context"
	"slices"
	"time"

	"go.lsp.dev/uri"

	"aiglens/lsp/checks"
	"aiglens/lsp/wire"
)

// Bounds of the history.
const (
	maxHistory      = 500 // verdicts of one file
	maxHistoryFiles = 200
)

// history holds the verdicts of a session by file, the oldest first. It outlives the
// closing of a file.
type history struct {
	files map[uri.URI][]wire.HistoryEntry
	order []uri.URI // of files, in the order of their first entry
}

func newHistory() history { return history{files: map[uri.URI][]wire.HistoryEntry{}} }

func (h *history) add(key uri.URI, e wire.HistoryEntry) {
	if _, known := h.files[key]; !known {
		h.order = append(h.order, key)
		if len(h.order) > maxHistoryFiles {
			delete(h.files, h.order[0])
			h.order = h.order[1:]
		}
	}
	entries := append(h.files[key], e)
	h.files[key] = entries[max(0, len(entries)-maxHistory):]
}

// record puts a verdict into the history.
func (s *session) record(f *file, e checks.Record) {
	r := e.Result
	s.history.add(uri.URI(f.doc.URI), wire.HistoryEntry{
		Time: time.Now().Format(time.RFC3339), Property: propertyID(e.Property), Name: e.Name,
		Verdict: wire.Outcome(r.Checked.Outcome().String()), Message: r.String(), Seconds: r.Took().Seconds(),
		Engine: r.Engine, Cached: r.Cached, Reused: wire.Reuse(r.Reused), Version: e.Version,
	})
}

// executeHistory answers with the verdicts of a file, the newest first.
func (s *server) executeHistory(_ context.Context, params *wire.FileParams) ([]wire.HistoryEntry, error) {
	var entries []wire.HistoryEntry
	s.owner.do(func() { entries = slices.Clone(s.history.files[params.URI]) })
	slices.Reverse(entries)
	return entries, nil
}
