package lsp

import (
	"context"
	"runtime"
	"slices"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
	"aiglens/lsp/settings"
)

// checking owns the checks. Package checks decides what becomes of one; what that asks for is
// done here: texts are prepared and analysed, the scheduler and the user are told, and what
// came of it goes back as events.
type checking struct {
	*core
	texts      *texts
	publishing *publishing
	scheduling *scheduling
	cluster    *clusterSide
	workspace  *workspaceChecks
	clauses    *clauseChecks
	history    history
	analyses   int // of all files, begun so far
}

func newChecking(c *core, t *texts, pub *publishing) *checking {
	all := &checking{core: c, texts: t, publishing: pub, history: newHistory()}
	all.scheduling = &scheduling{core: c, report: all.onEvent}
	all.cluster = newCluster(c, all.recallAll)
	all.workspace = &workspaceChecks{core: c, checking: all, texts: t, publishing: pub}
	all.clauses = &clauseChecks{core: c, publishing: pub, files: t.files, settled: all.workspace.letGoWhenDone, turn: make(chan struct{}, 1)}
	return all
}

// start starts checks.
func (c *checking) start() {
	c.scheduling.start()
	if c.opts.Processors != nil {
		c.opts.Processors(runtime.NumCPU())
	}
}

// close ends all checks.
func (c *checking) close() {
	c.scheduling.close()
	c.cluster.offers.Set(nil)
}

// isQuiet reports whether no check is under way.
func (c *checking) isQuiet() bool {
	for _, f := range c.texts.files {
		if f.isBusy() {
			return false
		}
	}
	return true
}

// forget ends what is done for a file that is closed.
func (c *checking) forget(f *file) {
	f.stopAnalysis()
	f.leaveText()
	c.endChecks(f)
	c.workspace.leave(f)
	f.stopTyping()
}

// perform does what the checks of a file ask for.
func (c *checking) perform(f *file, effects []checks.Effect) {
	if slices.ContainsFunc(effects, func(e checks.Effect) bool { _, is := e.(checks.Submit); return is }) {
		defer c.scheduling.scheduler.Pause()() // or a property begins before the lemmas that it is to wait for
	}
	changed := false
	for _, effect := range effects {
		switch e := effect.(type) {
		case checks.Submit:
			c.submit(f, e.Property)
		case checks.Cancel:
			c.scheduling.scheduler.Cancel(f.id(e.Property))
		case checks.Begun:
			if !c.workspace.holds(f) { // which has a progress of its own
				c.publishing.startProgress(f, func() { c.stopFile(f) })
			}
		case checks.Relate:
			c.relate(f, e)
		case checks.Record:
			c.record(f, e)
			c.publishing.found[uri.URI(f.doc.URI)] = true
			c.explainProofs(f)
		case checks.Show:
			c.publishing.showState(f, e)
			changed = true
		case checks.Report:
			c.publishing.reportRun(f, e.Property)
		case checks.Touch:
			f.shown.dirty[e.Property] = true
		case checks.Analyse:
			c.analyse(f)
		case checks.Learn:
			c.learn(e)
		case checks.Abandon:
			f.work.requests[e.Request]()
			delete(f.work.requests, e.Request)
			changed = true
		case checks.Settled:
			c.publishing.urgent[uri.URI(f.doc.URI)] = true // there is nothing more to wait for
			c.publishing.askForLenses(allSettled)
			c.explainProofs(f)
		case checks.Carried:
			c.publishing.carrySelection(f, e)
		}
	}
	if changed {
		c.workspace.letGoWhenDone(f)
	}
}

// performAtOnce does what follows from what the user has just wanted.
func (c *checking) performAtOnce(f *file, effects []checks.Effect) {
	if len(effects) > 0 {
		c.publishing.urgent[uri.URI(f.doc.URI)] = true
	}
	c.perform(f, effects)
}

// submit gives the job of a property to the scheduler, with the engine of the settings. While
// an earlier scheduler is about to end it waits.
func (c *checking) submit(f *file, p circuit.Property) {
	if c.scheduling.closing > 0 || !f.checks.IsDue(p) {
		return
	}
	job := f.checks.Job(p).Job
	spec := c.settings.Run.Engine
	job.Engine = c.opts.Engine(spec)
	if !job.Recall && c.opts.Cluster != nil {
		job = c.cluster.offers.Offer(c.ctx, job, spec)
	}
	run := checks.Run{Scheduler: c.scheduling.number, Number: c.scheduling.scheduler.Submit(f.id(p), job)}
	f.checks.On(p, checks.Accepted{Run: run})
}

// relate holds a verdict against the present text. What it means is told after all verdicts of
// the file that have come before.
func (c *checking) relate(f *file, e checks.Relate) {
	doc, text, ctx := f.doc, f.checks.Text(), f.present
	before, told := f.work.related, make(chan struct{})
	f.work.related = told
	c.background(func(context.Context) {
		relation := checks.Relation{Run: e.Run}
		defer func() {
			defer close(told)
			if before != nil {
				<-before
			}
			c.post(func() {
				if c.texts.files.holds(f) {
					c.perform(f, f.checks.Relate(text, e.Property, relation))
				}
			})
		}()
		relation = checks.RelationOf(ctx, doc, e)
	})
}

// learn finds out what a result leaves for later runs.
func (c *checking) learn(e checks.Learn) {
	c.background(func(ctx context.Context) {
		earlier := e.Result.Earlier(ctx, e.Circuit, e.Names)
		c.post(func() {
			if earlier != nil {
				e.Slot.Learn(earlier, e.Result.Checked.Outcome())
			}
			if c.opts.onLearnt != nil {
				c.opts.onLearnt()
			}
		})
	})
}

// onEvent handles what a scheduler reports of a run.
func (c *checking) onEvent(run checks.Run, e verify.Event) {
	f := c.texts.files[uri.URI(e.ID.Document)]
	if f == nil {
		return
	}
	switch p := e.ID.Property; e.State {
	case verify.Running:
		c.perform(f, f.checks.On(p, checks.Progressed{Run: run, Progress: e.Progress}))
	case verify.Done:
		if e.Result.Internal != nil && f.checks.IsAwaited(p, run) {
			c.log.Error("check failed", zap.String("uri", string(f.name)), zap.Stringer("property", p), zap.Error(e.Result.Internal))
		}
		if e.Result.Fault != nil {
			c.log.Error("a part of the engine failed", zap.String("uri", string(f.name)), zap.Stringer("property", p), zap.Error(e.Result.Fault))
		}
		c.perform(f, f.checks.On(p, checks.Finished{Run: run, Result: e.Result}))
	}
}

// stop ends the checks of some properties. They are idle at once.
func (c *checking) stop(f *file, properties ...circuit.Property) {
	defer c.scheduling.scheduler.Pause()()
	c.clauses.stopQueries(f, properties)
	for _, p := range properties {
		c.performAtOnce(f, f.checks.On(p, checks.Stopped{}))
	}
}

// stopFile ends the checks of a file. One that is not open, and was checked before, has the verdicts
// of then where there are no others.
func (c *checking) stopFile(f *file) {
	defer c.scheduling.scheduler.Pause()()
	c.endChecks(f)
	if before := c.texts.closed.verdicts.files[uri.URI(f.doc.URI)]; f.hidden && before != nil && f.checks.Recover(before) {
		c.texts.textReplaced(f)
	}
	c.workspace.letGoWhenDone(f)
}

func (c *checking) endChecks(f *file) {
	f.work.stops++
	c.clauses.stopQueries(f, nil)
	f.cancelPreparation()
	c.performAtOnce(f, f.checks.All(checks.Stopped{}))
}

func (c *checking) stopAll() {
	defer c.scheduling.scheduler.Pause()()
	c.workspace.end()
	for _, f := range c.texts.files {
		c.stopFile(f)
	}
}

// tellChecks gives an event to the checks of all files.
func (c *checking) tellChecks(e checks.Event) {
	for _, f := range c.texts.files {
		c.perform(f, f.checks.All(e))
	}
}

// restartScheduler changes the number of workers. What runs starts over once the
// old runs have ended, those of schedulers before as well, so that no property is
// checked twice at once.
func (c *checking) restartScheduler() {
	old := c.scheduling.scheduler
	c.scheduling.start()
	c.tellChecks(checks.SchedulerReplaced{})
	c.scheduling.closing++
	c.background(func(context.Context) {
		old.Close()
		c.post(func() {
			if c.scheduling.closing--; c.scheduling.closing == 0 {
				c.tellChecks(checks.SchedulerReady{})
			}
		})
	})
}

// settingsChanged runs checks as the settings say now. With other limits the verdicts that
// ended unknown count for nothing: the next save tries again.
func (c *checking) settingsChanged(old settings.Settings) {
	next := c.settings
	c.cluster.connect()
	if next.Workers != old.Workers {
		c.restartScheduler()
	}
	if next.Run != old.Run {
		c.tellChecks(checks.Renewed{Limits: next.Run.Limits})
	}
	for key, f := range c.texts.files {
		if next.Trigger != settings.WhileTyping {
			f.stopTyping()
		}
		if next.Run != old.Run {
			f.checks.ForgetUnknown()
		}
		if next.Proved != old.Proved || next.Facts != old.Facts {
			c.publishing.diagnostics.request(key)
			c.explainProofs(f)
		}
		if next.IsTrusted() && !old.IsTrusted() {
			c.recallFile(f)
		}
	}
}
