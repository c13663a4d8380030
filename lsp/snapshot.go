package lsp

import (
	"context"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/comparison"
	"aiglens/design/words"
	"aiglens/internal/address"
	"aiglens/internal/source"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/position"
	"aiglens/lsp/settings"
	"aiglens/lsp/workspace"
)

// snapshot is an immutable picture of the session for requests.
type snapshot struct {
	views    map[uri.URI]*view
	client   clientSide
	settings settings.Settings
	radices  *words.Radices // in which the user wants the values of words
	explain  func(format, code string) (path string, line int, ok bool)
}

// view is an immutable picture of one file.
type view struct {
	name      uri.URI
	doc       *design.Design
	outOfStep bool
	hidden    bool
	mapper    position.Mapper
	statuses  checks.Statuses
	names     func() []workspace.Name // for the symbols of the workspace
	analysed  chan struct{}
	selection *ide.Selection
	cursor    *atomic.Int64       // of the file
	faults    []source.Diagnostic // errors that forbid verdicts
	earlier   *earlier            // stands in for faults until the text is analysed; nil from then on
	read      *atomic.Bool        // the text of doc has been read; see reading
	fitting   design.FittingHeader
	rewrites  comparison.Rewrites
	remarks   remarks      // on doc
	broken    bool         // see guardedView
	early     *atomic.Bool // lenses have been answered before analysed was closed
	suggested *suggested   // see suggestedFor
	queries   *queryChecks // of a file of clauses; nil as long as nothing is known
}

// status is the one place from which lens, hover and diagnostic learn what is
// known of a property.
func (v *view) status(p circuit.Property) ide.Status { return v.statuses.At(p) }

// isAnalysed reports whether verdicts have been related to the text.
func (v *view) isAnalysed() bool {
	select {
	case <-v.analysed:
		return true
	default:
		return false
	}
}

type snapshotKey struct{}

func withSnapshot(ctx context.Context, s *snapshot) context.Context {
	return words.WithRadices(context.WithValue(ctx, snapshotKey{}, s), s.radices)
}

func snapshotFrom(ctx context.Context) *snapshot { return ctx.Value(snapshotKey{}).(*snapshot) }

// viewFrom returns the pinned view of a document. One that is not open, or out
// of sync with the editor, has nothing to say, so requests answer with nothing.
func viewFrom(ctx context.Context, u uri.URI) (*view, bool) {
	v, ok := snapshotFrom(ctx).views[u]
	return v, ok && !v.outOfStep
}

// viewOf returns the view of an open file, under whatever address the client
// has opened it, or nil.
func (snap *snapshot) viewOf(path string) *view {
	for key, v := range snap.views {
		if its, isFile := address.Path(key); isFile && its == path {
			return v
		}
	}
	return nil
}

// locationOf returns a place in another file.
func (snap *snapshot) locationOf(t design.Target) protocol.Location {
	m := position.New(t.Text, snap.client.encoding)
	return protocol.Location{URI: snap.addressOf(t.Path), Range: m.SpanRange(t.Span)}
}

// addressOf returns the address of a file as the client writes it.
func (snap *snapshot) addressOf(path string) uri.URI {
	if v := snap.viewOf(path); v != nil {
		return v.name
	}
	return address.URI(path)
}

// sourceLocation returns where a signal is defined, nil where no text does.
func (snap *snapshot) sourceLocation(v *view, m design.SourceSignal) *protocol.Location {
	if m.Other != nil {
		l := snap.locationOf(*m.Other)
		return &l
	}
	if m.Span.Length == 0 {
		return nil
	}
	return &protocol.Location{URI: v.name, Range: v.mapper.SpanRange(m.Span)}
}
