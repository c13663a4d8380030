package lsp

import (
	"encoding/json"
	"slices"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/ic3/verify"
)

// Bounds of the history.
const (
	maxHistory      = 500 // verdicts of one file
	maxHistoryFiles = 200
)

// history holds the verdicts of a session by file, the oldest first. It outlives the
// closing of a file.
type history struct {
	files map[uri.URI][]historyEntry
	order []uri.URI // of files, in the order of their first entry
}

// historyEntry is an element of the answer to aiglens.history.
type historyEntry struct {
	Time     string  `json:"time"` // RFC 3339
	Property string  `json:"property"`
	Name     string  `json:"name"`
	Verdict  string  `json:"verdict"`
	Message  string  `json:"message"`
	Seconds  float64 `json:"seconds"`
	Engine   string  `json:"engine"`
	Cached   bool    `json:"cached"`
	Reused   string  `json:"reused,omitempty"`
	Version  int32   `json:"version"` // of the text that was checked
}

func newHistory() history { return history{files: map[uri.URI][]historyEntry{}} }

func (h *history) add(key uri.URI, e historyEntry) {
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
func (s *session) record(f *file, p circuit.Property, c *check, r *verify.Result) {
	e := historyEntry{
		Time: time.Now().Format(time.RFC3339), Property: p.String(), Name: c.name,
		Verdict: r.Checked.Outcome().String(), Message: r.String(), Seconds: r.Took().Seconds(),
		Engine: r.Engine, Cached: r.Cached, Reused: string(r.Reused), Version: c.version,
	}
	s.history.add(uri.URI(f.doc.URI), e)
}

// historyOf answers with the verdicts of a file, the newest first.
func (s *server) historyOf(key uri.URI) (protocol.LSPAny, error) {
	entries := []historyEntry{}
	s.owner.do(func() { entries = append(entries, s.history.files[key]...) })
	slices.Reverse(entries)
	return json.Marshal(entries)
}
