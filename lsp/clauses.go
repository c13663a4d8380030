package lsp

import (
	"context"
	"maps"
	"slices"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/horndesign"
	"aiglens/horn/cert"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
	"aiglens/lsp/ide"
)

// clauseChecks owns the checks of queries of Horn clauses. An answer is remembered with the fingerprint of the clauses
// that it is about, so that it is shown with no other text. The functions of queue alone call it.
type clauseChecks struct {
	*core
	publishing *publishing
	files      fileSet
	settled    func(*file)   // called when checks of a file have begun or ended
	turn       chan struct{} // holds the one check that runs
}

// queryKey is a query of some clauses.
type queryKey struct {
	clauses horndesign.Fingerprint
	query   circuit.Property
}

func keyOf(q horndesign.Query) queryKey { return queryKey{q.Fingerprint, q.Property} }

// ownKey is a query by what it says and by its number.
type ownKey struct {
	own   horndesign.Fingerprint
	query circuit.Property
}

func ownKeyOf(q horndesign.Query) ownKey { return ownKey{q.Own, q.Property} }

// queryChecks are the checks of a file. A value is never changed: views share it.
type queryChecks struct {
	answers map[queryKey]*hornverify.Result
	order   []queryKey // of answers, the oldest first
	running map[queryKey]*queryRun
	// progress says how far the checks are that run.
	progress map[queryKey]hornverify.Progress
	last     map[ownKey]saidWords // of each query of the text
	verdicts int                  // that were last words so far
}

// saidWords are those that were last shown of a query; "" for none. Of two, those of the larger number were shown later.
type saidWords struct {
	words  string
	number int
}

// say makes a verdict the last words of a query.
func (q *queryChecks) say(of ownKey, words string) {
	if q.last[of].words != words {
		q.verdicts++
		q.last[of] = saidWords{words, q.verdicts}
	}
}

// queryRun is a check that runs or waits.
type queryRun struct{ cancel context.CancelFunc }

// maxAnswers bounds what is remembered of one file.
const maxAnswers = 64

// changed returns a copy to be changed; of nil an empty one.
func (q *queryChecks) changed() *queryChecks {
	if q == nil {
		return &queryChecks{map[queryKey]*hornverify.Result{}, nil, map[queryKey]*queryRun{}, map[queryKey]hornverify.Progress{}, map[ownKey]saidWords{}, 0}
	}
	return &queryChecks{maps.Clone(q.answers), slices.Clone(q.order), maps.Clone(q.running), maps.Clone(q.progress), maps.Clone(q.last), q.verdicts}
}

// status is what is known of a query of the present text.
func (q *queryChecks) status(query horndesign.Query) (s ide.QueryStatus) {
	if q == nil {
		return s
	}
	s.Result, s.Stale = q.answers[keyOf(query)], q.last[ownKeyOf(query)].words
	if run := q.running[keyOf(query)]; run != nil {
		progress := q.progress[keyOf(query)]
		s.Progress = &progress
	}
	return s
}

// successor returns which of the queries of a text a query of the text before has become: the one that says the same,
// else the one of its number, if that is new. −1 for none.
func (q *queryChecks) successor(of ownKey, queries []horndesign.Query) int {
	at := -1
	for i, query := range queries {
		if query.Own == of.own && (at < 0 || query.Property == of.query) {
			at = i
		}
	}
	if at >= 0 {
		return at
	}
	at = slices.IndexFunc(queries, func(query horndesign.Query) bool { return query.Property == of.query })
	if at < 0 {
		return -1
	}
	for before := range q.last {
		if before.own == queries[at].Own {
			return -1
		}
	}
	return at
}

// check checks queries of a text: those that are given whatever is known, nil for all without an answer.
func (c *clauseChecks) check(f *file, doc *design.Design, wanted []circuit.Property, timeout *time.Duration) {
	limit := c.settings.Run.Limits.Wall
	if timeout != nil {
		limit = *timeout
	}
	f.work.asking++
	c.background(func(context.Context) {
		queries := horndesign.Queries(doc) // which may read the text
		c.post(func() {
			f.work.asking--
			if !c.files.holds(f) {
				return
			}
			defer c.settled(f)
			c.keepRuns(f, queries)
			for _, q := range queries {
				isWanted := slices.Contains(wanted, q.Property)
				if wanted == nil {
					known := f.queries.status(q).Result
					isWanted = known == nil || known.Checked.Outcome() == cert.Unknown
				}
				if isWanted && f.queries.status(q).Progress == nil {
					c.start(f, q, limit)
				}
			}
		})
	})
}

// isRunning reports whether a query is checked, or waits for that.
func (q *queryChecks) isRunning() bool { return q != nil && len(q.running) > 0 }

// failed returns the queries of a text that are not known to be safe.
func (q *queryChecks) failed(d *design.Design) (all []circuit.Property) {
	for _, query := range horndesign.Queries(d) {
		if r := q.status(query).Result; r == nil || r.Checked.Outcome() != cert.Sat {
			all = append(all, query.Property)
		}
	}
	return all
}

// keepRuns ends the checks of a file that are about none of some queries.
func (c *clauseChecks) keepRuns(f *file, queries []horndesign.Query) {
	present := map[queryKey]bool{}
	for _, q := range queries {
		present[keyOf(q)] = true
	}
	c.stop(f, func(key queryKey) bool { return !present[key] })
}

// stop ends the checks of a file for which a condition holds.
func (c *clauseChecks) stop(f *file, isMeant func(queryKey) bool) {
	if f.queries == nil {
		return
	}
	next := f.queries.changed()
	for key, run := range f.queries.running {
		if isMeant(key) {
			run.cancel()
			delete(next.running, key)
			delete(next.progress, key)
		}
	}
	c.show(f, next)
}

// stopQueries ends the checks of some queries of a file; nil for all.
func (c *clauseChecks) stopQueries(f *file, ids []circuit.Property) {
	c.stop(f, func(key queryKey) bool { return ids == nil || slices.Contains(ids, key.query) })
}

// show makes a new state the one that is seen.
func (c *clauseChecks) show(f *file, next *queryChecks) {
	f.queries = next
	c.publishing.touch(f)
	c.publishing.diagnostics.requestSoon(uri.URI(f.doc.URI))
	c.publishing.askForLenses(lensChanged)
	c.publishing.askForHints()
}

// start begins the check of a query.
func (c *clauseChecks) start(f *file, q horndesign.Query, limit time.Duration) {
	ctx, cancel := thread.WithCancel(c.ctx)
	run, next, memory := &queryRun{cancel: cancel}, f.queries.changed(), c.settings.Run.Limits.Memory
	next.running[keyOf(q)] = run
	c.show(f, next)
	c.background(func(context.Context) {
		var found *hornverify.Result
		defer func() {
			cancel()
			c.post(func() { c.finished(f, q, run, found) })
		}()
		select {
		case <-ctx.Done():
			return
		case c.turn <- struct{}{}:
		}
		defer func() { <-c.turn }()
		ctx, stop := verify.WithLimits(ctx, verify.Limits{Wall: limit})
		defer stop()
		var told time.Time
		result := c.opts.Clauses(ctx, q.System(), hornverify.Options{Memory: memory, Progress: func(p hornverify.Progress) {
			if now := time.Now(); now.Sub(told) >= reportInterval {
				told = now
				c.post(func() { c.progressed(f, q, run, p) })
			}
		}})
		found = &result
	})
}

// progressed shows how far a check is.
func (c *clauseChecks) progressed(f *file, q horndesign.Query, run *queryRun, p hornverify.Progress) {
	if !c.files.holds(f) || f.queries.running[keyOf(q)] != run || f.queries.progress[keyOf(q)] == p {
		return
	}
	f.queries = f.queries.changed() // which holds how far each run is
	f.queries.progress[keyOf(q)] = p
	c.publishing.touch(f)
	c.publishing.askForLenses(lensChanged)
}

// finished takes over an answer; nil for none. One of a check that has been stopped counts for nothing.
func (c *clauseChecks) finished(f *file, q horndesign.Query, run *queryRun, found *hornverify.Result) {
	if !c.files.holds(f) || f.queries.running[keyOf(q)] != run {
		return
	}
	next, key := f.queries.changed(), keyOf(q)
	delete(next.running, key)
	delete(next.progress, key)
	if found != nil {
		if found.Internal != nil {
			c.log.Error("check failed", zap.String("uri", string(f.name)), zap.Stringer("property", q.Property), zap.Error(found.Internal))
		}
		before := next.answers[key]
		if before == nil || before.Checked.Outcome() == cert.Unknown || found.Checked.Outcome() != cert.Unknown {
			next.answers[key] = found
			next.say(ownKeyOf(q), found.Words())
		}
		if before == nil {
			next.order = append(next.order, key)
		}
		for len(next.order) > maxAnswers {
			delete(next.answers, next.order[0])
			next.order = next.order[1:]
		}
	}
	c.show(f, next)
	c.followText(f)
	c.settled(f)
}

// followText makes what is known of queries that of the present text, after an edit and after a check: the words that
// were shown last, and the step that is shown, go with their query.
func (c *clauseChecks) followText(f *file) {
	if f.queries == nil {
		return
	}
	doc := f.doc
	c.background(func(context.Context) {
		queries := horndesign.Queries(doc) // which may read the text
		c.post(func() {
			if !c.files.holds(f) || f.doc != doc || len(queries) == 0 { // another call follows, at last when errors are gone
				return
			}
			c.followStep(f, queries)
			before, next := f.queries, f.queries.following(queries)
			if !maps.Equal(before.last, next.last) {
				c.show(f, next)
			}
		})
	})
}

// following returns the checks with the words of the queries of another text. Two queries of texts before can have become
// one: the check of a text has ended after an edit of it. The words that were shown last count.
func (q *queryChecks) following(queries []horndesign.Query) *queryChecks {
	next := q.changed()
	next.last = map[ownKey]saidWords{}
	for _, query := range queries {
		next.last[ownKeyOf(query)] = saidWords{} // until there are some
	}
	for key, last := range q.last {
		if at := q.successor(key, queries); at >= 0 && last.number > next.last[ownKeyOf(queries[at])].number {
			next.last[ownKeyOf(queries[at])] = last
		}
	}
	for _, query := range queries {
		if r := next.answers[keyOf(query)]; r != nil {
			next.say(ownKeyOf(query), r.Words())
		}
	}
	return next
}

// followStep keeps the step that is shown within the derivation of its query. Where there is none, no step is shown
// until there is one again.
func (c *clauseChecks) followStep(f *file, queries []horndesign.Query) {
	shown := f.shown.selection
	if shown == nil || shown.Derivation == nil {
		return
	}
	next, before := *shown, f.shownStep()
	next.IsOld = true
	if at := f.queries.successor(ownKey{shown.Own, shown.Property}, queries); at >= 0 {
		next.Property, next.Own = queries[at].Property, queries[at].Own
		if x := f.queries.status(queries[at]).DerivationOf(queries[at]); x != nil {
			next.Step, next.Derivation, next.IsOld = x.Step(shown.Step).Number, x, false
		}
	}
	if f.shown.selection = &next; f.shownStep() != before {
		c.publishing.showStep(f, &next)
	}
}
