package engines

import (
	"cmp"
	"context"
	"sync"

	"aiglens/ic3/reduce"
)

const (
	// mergeAfter is the effort of IC3 before the search for signals to merge begins, as
	// searchAfter.
	mergeAfter = 1_000_000
	// mergeShare is the part of IC3's effort from then on that this search may spend,
	// besides as much as IC3 has spent before.
	mergeShare = 2
	// deepAfter is the effort of IC3 before the search by induction over two steps begins,
	// where that over one has merged nothing. It may spend as much as IC3 from then on.
	deepAfter = 10_000_000
	// deepGain is its reduce.Options.SignalGain: a run that has taken long loses more when
	// it starts again.
	deepGain = 2
)

// merging is the search for signals of a reduced circuit that can be merged, for all engines
// that judge it. One at a time goes on with it.
type merging struct {
	reduced                 *reduce.Reduced
	options                 reduce.Options
	after, share, deepAfter int64 // as the constants

	mu     sync.Mutex
	search *reduce.Signals // nil before its first turn
	isDeep bool            // the search is that over two steps
	merged *reduce.Reduced // nil until it is found
}

// newMerging returns a search that has done nothing yet.
func newMerging(r *reduce.Reduced, o reduce.Options) *merging {
	return &merging{reduced: r, options: o, after: mergeAfter, share: mergeShare, deepAfter: deepAfter}
}

// advance goes on until its share of the effort of IC3 is spent by all engines together,
// unless another one is at it. It returns the circuit with signals merged once that is
// found, and what this turn has spent.
func (m *merging) advance(ctx context.Context, effort int64) (merged *reduce.Reduced, spent int64) {
	if effort < m.after || !m.mu.TryLock() {
		return nil, 0
	}
	defer m.mu.Unlock()
	if m.merged != nil {
		return m.merged, 0
	}
	allowed := m.after + (effort-m.after)/m.share
	switch {
	case m.search == nil:
		m.search = m.reduced.NewSignals(m.options, 1)
	case !m.isDeep && effort >= m.deepAfter && m.search.Done():
		o := m.options
		o.SignalGain = cmp.Or(o.SignalGain, deepGain)
		m.search, m.isDeep = m.reduced.NewSignals(o, 2), true
	}
	if m.isDeep {
		allowed = effort - m.deepAfter
	}
	before := m.search.Effort()
	// An error is that of the context, which ends the engine as well.
	m.merged, _ = m.search.Advance(ctx, allowed)
	return m.merged, m.search.Effort() - before
}
