package main

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// judging checks answers in the background, as many at a time as there are workers.
// Properties of one file take turns.
type judging struct {
	flags     *checkFlags
	engine    string                         // its name
	then      func(context.Context, *answer) // done to each answer within its limits
	progress  func(*answer, verify.Progress) // told how far the check of an answer is; may be nil
	steps     int                            // that the checks are about, the first ones; 0 is all
	live      *progressLine
	scheduler *verify.Scheduler
	ended     chan struct{}  // closed by end, when no event will follow
	queries   sync.WaitGroup // of Horn clauses, that are asked or wait for their turn
	turn      chan struct{}  // holds those that are asked

	mu         sync.Mutex
	changed    *sync.Cond             // what mu guards, or the context has ended
	pending    map[verify.ID]*pending // guarded by mu: submitted, and not yet awaited
	unfinished int                    // guarded by mu: submitted to the scheduler, and not done
}

// maxUnfinished bounds what the scheduler has at a time: a job takes more memory than a property.
const maxUnfinished = 4096

// pending is an answer that is being judged.
type pending struct {
	// judged is the answer as the check fills it in; that of the caller stays as it is.
	judged answer
	done   chan *answer
	began  time.Time // zero before the check
}

func newJudging(ctx context.Context, e env, flags *checkFlags, then func(context.Context, *answer)) *judging {
	j := &judging{flags: flags, engine: flags.engineName(), then: then, live: newProgressLine(e), ended: make(chan struct{}), turn: make(chan struct{}, max(1, flags.workers)), pending: map[verify.ID]*pending{}}
	j.changed = sync.NewCond(&j.mu)
	j.scheduler = verify.NewScheduler(ctx, flags.workers, j.handle)
	return j
}

// handle acts on an event of the scheduler.
func (j *judging) handle(event verify.Event) {
	j.mu.Lock()
	p := j.pending[event.ID]
	j.mu.Unlock()
	if p == nil { // it is no longer awaited
		return
	}
	switch event.State {
	case verify.Running:
		if p.began.IsZero() {
			p.began = time.Now()
		}
		j.live.show(event.ID, &p.judged, event.Progress, time.Since(p.began))
		if j.progress != nil {
			j.progress(&p.judged, event.Progress)
		}
	case verify.Done:
		j.live.done(event.ID)
		p.judged.result = &event.Result
		j.finished(p)
	}
}

// finished gives an answer out, and makes room for another one.
func (j *judging) finished(p *pending) {
	p.done <- &p.judged
	j.mu.Lock()
	j.unfinished--
	j.changed.Broadcast()
	j.mu.Unlock()
}

// ask answers a query of Horn clauses, when its turn comes.
func (j *judging) ask(ctx context.Context, p *pending) {
	select {
	case j.turn <- struct{}{}:
		defer func() { <-j.turn }()
	case <-ctx.Done(): // the search ends at once
	}
	p.judged.solve(ctx)
	j.finished(p)
}

func idOf(a *answer) verify.ID {
	return verify.ID{Document: strconv.Itoa(a.rank), Property: a.property}
}

// submitAll begins with the answers about one input, those about lemmas first: what is
// submitted later waits for these. It takes each out of the slice.
func (j *judging) submitAll(ctx context.Context, answers []*answer) {
	for _, lemmas := range []bool{true, false} {
		for i, a := range answers {
			if a != nil && (a.property.Kind == circuit.PropertyLemma) == lemmas {
				j.submit(ctx, a)
				answers[i] = nil
			}
		}
	}
}

// submit begins with an answer, once there is room for it. Those of one input, and no others,
// have the same rank.
func (j *judging) submit(ctx context.Context, a *answer) {
	var fault *source.Diagnostic
	if !a.notBuilt {
		fault = design.FaultOfCheck(a.in, a.property)
	}
	isDone := a.notBuilt || fault != nil
	j.mu.Lock()
	for !isDone && j.unfinished >= maxUnfinished && ctx.Err() == nil {
		j.changed.Wait()
	}
	if ctx.Err() != nil { // its caller no longer waits for it
		j.mu.Unlock()
		return
	}
	p := &pending{judged: *a, done: make(chan *answer, 1)}
	p.judged.fault = fault
	j.pending[idOf(a)] = p
	if !isDone {
		j.unfinished++
	}
	j.changed.Broadcast()
	j.mu.Unlock()
	if isDone {
		p.done <- &p.judged
		return
	}
	if a.query != nil {
		j.queries.Go(func() { j.ask(ctx, p) })
		return
	}
	job := a.job(j.flags)
	job.Rank = a.rank
	if j.steps > 0 {
		job.Engine = job.Engine.UpTo(j.steps)
	}
	job.Then = func(ctx context.Context, r verify.Result) {
		p.judged.result = &r
		j.then(ctx, &p.judged)
	}
	j.scheduler.Submit(idOf(a), job)
}

// end cancels all that is under way, and waits until what was found by then is known. It is called
// at most once.
func (j *judging) end() {
	j.scheduler.Close()
	j.queries.Wait()
	close(j.ended)
}

// wake wakes all waiting goroutines after the end of their context.
func (j *judging) wake() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.changed.Broadcast()
}

// await waits for an answer that is or will be submitted.
func (j *judging) await(ctx context.Context, a *answer) {
	var done chan *answer // nil until it is submitted
	j.mu.Lock()
	for {
		if p := j.pending[idOf(a)]; p != nil { // also after the end of ctx: it may be known
			done = p.done
		}
		if done != nil || ctx.Err() != nil {
			break
		}
		j.changed.Wait()
	}
	if done == nil {
		a.cancel(j.engine)
	}
	j.mu.Unlock()
	if done == nil {
		return
	}
	a.await(ctx, done, j.ended, j.engine)
	j.mu.Lock()
	delete(j.pending, idOf(a))
	j.mu.Unlock()
}

// await takes over the result of a check. When the program is interrupted it does not wait
// for the engine: the answers of others are still to be printed. After a deadline it waits for what
// is found by then: the end of the check ends the run, but not a verdict that has passed.
func (a *answer) await(ctx context.Context, done <-chan *answer, ended <-chan struct{}, engine string) {
	select {
	case judged := <-done:
		*a = *judged
		return
	case <-ctx.Done():
	}
	if isLate(ctx) {
		select {
		case judged := <-done:
			*a = *judged
			return
		case <-ended:
		}
	}
	select {
	case judged := <-done:
		*a = *judged
	default:
		a.cancel(engine)
	}
}

// cancel marks the answer as not waited for.
func (a *answer) cancel(engine string) {
	a.result = new(verify.Cancelled(a.property, engine))
}

// judge checks the answers about one file. It calls report for each in the order of the
// slice, as soon as all before it are done.
func judge(ctx context.Context, e env, answers []*answer, flags *checkFlags, then func(context.Context, *answer), report func(*answer)) {
	newJudging(ctx, e, flags, then).judge(ctx, answers, report)
}

// judge is the function of this name, once.
func (j *judging) judge(ctx context.Context, answers []*answer, report func(*answer)) {
	defer context.AfterFunc(ctx, j.wake)()
	j.submitAll(ctx, slices.Clone(answers))
	// Not before: what is submitted to a closed scheduler gets no event.
	stop := context.AfterFunc(ctx, j.end)
	for _, a := range answers {
		j.await(ctx, a)
		report(a)
	}
	stop()
	j.scheduler.Close()
	j.live.clear()
}

// bounds are those of what is read ahead of the file whose answers are awaited. One file is
// read however large it is.
type bounds struct {
	files int
	bytes int64
}

var defaultAhead = bounds{256, 256 << 20}

// readAhead reads files and submits their answers while those of files before them are
// awaited, but not so far ahead that the memory would hold all of a large folder.
type readAhead struct {
	*judging
	most bounds
	read chan *fileReport // in order; closed at the end

	mu    sync.Mutex // guards all below
	freed *sync.Cond // held has become less, or the context has ended
	held  bounds
}

// startReading reads files in the background, in order. collect reads one, and writes what
// it has to say to its environment.
func startReading(ctx context.Context, e env, j *judging, most bounds, inputs []input, collect func(env, input) *fileReport) *readAhead {
	r := &readAhead{judging: j, most: most, read: make(chan *fileReport, most.files)}
	r.freed = sync.NewCond(&r.mu)
	go func() {
		defer close(r.read)
		stop := context.AfterFunc(ctx, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.freed.Broadcast()
		})
		defer stop()
		defer context.AfterFunc(ctx, j.wake)()
		for rank, in := range inputs {
			if !r.room(ctx) {
				return
			}
			var stderr bytes.Buffer
			own := e
			own.stderr = &stderr
			f := collect(own, in)
			f.messages = stderr.Bytes()
			r.mu.Lock()
			f.weight = f.weigh()
			r.held.bytes += f.weight
			r.mu.Unlock()
			for _, a := range f.answers {
				a.rank = rank
			}
			answers := slices.Clone(f.answers) // those of f are let go one by one
			r.read <- f
			j.submitAll(ctx, answers)
		}
	}()
	return r
}

// room waits until another file may be read. It reports whether that is still asked for.
func (r *readAhead) room(ctx context.Context) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ctx.Err() == nil && r.held.files > 0 && (r.held.files >= r.most.files || r.held.bytes >= r.most.bytes) {
		r.freed.Wait()
	}
	r.held.files++
	return ctx.Err() == nil
}

// release says that a file has been reported, and is no longer needed.
func (r *readAhead) release(f *fileReport) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held.files--
	r.held.bytes -= f.weight
	r.freed.Broadcast()
}
