package lsp

import (
	"context"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/ic3/verify"
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
	files map[uri.URI][]finding
	order []uri.URI // of files, in the order of their first entry
}

// finding is a wire.HistoryEntry as it is kept: a day has tens of thousands.
type finding struct {
	at       int64 // Unix time
	property circuit.Property
	name     string
	message  string
	engine   string
	seconds  float64
	version  int32
	cached   bool
	outcome  wire.Outcome
	reused   verify.Reuse
}

func newHistory() history { return history{files: map[uri.URI][]finding{}} }

func (h *history) add(key uri.URI, e finding) {
	all, known := h.files[key]
	if !known {
		h.order = append(h.order, key)
		if len(h.order) > maxHistoryFiles {
			delete(h.files, h.order[0])
			h.order = h.order[1:]
		}
	}
	if len(all) == maxHistory {
		copy(all, all[1:])
		all = all[:maxHistory-1]
	}
	h.files[key] = append(all, e)
}

// nameIn returns a copy of a name, which is a part of a text, for the history of a file.
// That has it mostly.
func (h *history) nameIn(key uri.URI, name string) string {
	for _, e := range slices.Backward(h.files[key]) {
		if e.name == name {
			return e.name
		}
	}
	return strings.Clone(name)
}

// record puts a verdict into the history.
func (c *checking) record(f *file, e checks.Record) {
	r, key := e.Result, uri.URI(f.doc.URI)
	c.history.add(key, finding{
		at: time.Now().Unix(), property: e.Property, name: c.history.nameIn(key, e.Name),
		outcome: wire.Outcome(r.Checked.Outcome().String()), message: r.Words(e.Property.Kind), seconds: r.Took().Seconds(),
		engine: r.Engine, cached: r.Cached, reused: r.Reused, version: e.Version,
	})
}

// executeHistory answers with the verdicts of a file, the newest first.
func executeHistory(_ context.Context, s *session, params *wire.FileParams) ([]wire.HistoryEntry, error) {
	var all []finding
	s.queue.Do(func() { all = slices.Clone(s.checking.history.files[params.URI]) })
	entries := make([]wire.HistoryEntry, 0, len(all))
	for _, e := range slices.Backward(all) {
		entries = append(entries, wire.HistoryEntry{
			Time: time.Unix(e.at, 0).Format(time.RFC3339), Property: propertyID(e.property), Name: e.name,
			Verdict: e.outcome, Message: e.message, Seconds: e.seconds,
			Engine: e.engine, Cached: e.cached, Reused: wire.Reuse(e.reused), Version: e.version,
		})
	}
	return entries, nil
}
