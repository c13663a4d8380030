package equiv

import (
	"context"
	"fmt"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
)

// questions are asked together, of one product.
type questions struct {
	name string
	open []int // those that have no answer
	// product makes the product with some of the questions, in order.
	product func(open []int, merged []bool) *compare.Product
	// found returns the differences that a replay has shown, by question.
	found func(*compare.Replayed) map[int]*compare.Difference
}

// settle answers questions: all at once as long as that tells something, and then one by
// one. The result has an answer to each.
func (c *comparison) settle(ctx context.Context, q questions) map[int]*Answer {
	answers := map[int]*Answer{}
	asked := q.open
	for len(q.open) > 0 {
		p := c.swept(ctx, q.product(q.open, c.merged))
		isOne := len(q.open) == 1 && !obliged(p)
		r := c.judge(ctx, q.name, verify.Job{Circuit: p.Circuit, Property: p.All(), Engine: c.Engine, Limits: c.share(ctx, !isOne)})
		switch beyond := c.Bound > 0 && r.Checked.Trace().Steps() > c.Bound; {
		case r.Checked.Outcome() == cert.Proved:
			c.report.Merged = len(p.Merged)
			q.close(answers, c.equal(r))
		case r.Checked.Outcome() == cert.Refuted && !beyond:
			c.learn(ctx, &q, p, r, answers)
		case isOne || ctx.Err() != nil || r.Internal != nil || c.Bound > 0:
			q.close(answers, c.unknown(ctx, r))
		default:
			c.oneByOne(ctx, &q, answers)
		}
	}
	for _, i := range asked {
		if answers[i] == nil {
			answers[i] = &Answer{Reason: "internal error, a difference does not show on the circuits", Elapsed: time.Since(c.begin)}
		}
	}
	return answers
}

// close gives all open questions the same answer.
func (q *questions) close(answers map[int]*Answer, a *Answer) {
	for _, i := range q.open {
		answers[i] = a
	}
	q.open = nil
}

// obliged reports whether a product rests on latches that have to be shown equal.
func obliged(p *compare.Product) bool {
	return slices.ContainsFunc(p.Circuit.Bads()[p.Questions:p.Questions+len(p.Merged)], func(s circuit.Signal) bool { return s.Lit != circuit.False })
}

// learn replays what a run of the product shows: some questions have answers then, or some
// latches are two again. A run that shows nothing on the circuits is a fault of this
// program, and leaves no question open.
func (c *comparison) learn(ctx context.Context, q *questions, p *compare.Product, r verify.Result, answers map[int]*Answer) {
	sides := p.Split(r.Checked.Trace())
	replayed, err := c.m.Replay(ctx, sides)
	switch {
	case ctx.Err() != nil:
		q.close(answers, c.unknown(ctx, r))
		return
	case err != nil:
		c.report.Internal, q.open = err, nil
		return
	}
	learned := false
	found := q.found(replayed)
	for _, i := range q.open {
		if d := found[i]; d != nil {
			answers[i] = c.different(d, r)
			learned = true
		}
	}
	q.open = slices.DeleteFunc(slices.Clone(q.open), func(i int) bool { return answers[i] != nil })
	for _, k := range replayed.Latches {
		learned = learned || c.merged[k]
		c.merged[k] = false
	}
	if learned && len(q.open) > 0 { // what comes of it later, at once
		for _, k := range c.m.Parting(ctx, sides, simulated) {
			c.merged[k] = false
		}
	}
	if !learned {
		c.report.Internal = fmt.Errorf("%s: a run of %s of the product shows no difference of the circuits", q.name, cert.Count(r.Checked.Trace().Steps(), "step", "steps"))
		q.open = nil
	}
}

// different returns the answer of a difference. One that rests on inputs of both sides that
// have no partner is none for sure: these may be the same under other names.
func (c *comparison) different(d *compare.Difference, r verify.Result) *Answer {
	a := &Answer{Verdict: Different, Difference: d, Engine: r.Engine, Depth: r.Checked.Depth(), Elapsed: time.Since(c.begin)}
	if c.m.RestsOnUnmatched(d) {
		a.Verdict, a.Difference, a.Reason = Unknown, nil, "it depends on inputs without a partner, which may be the same under other names"
	}
	return a
}

// oneByOne leaves no question open.
func (c *comparison) oneByOne(ctx context.Context, q *questions, answers map[int]*Answer) {
	for len(q.open) > 0 {
		p := c.swept(ctx, q.product(nil, c.merged))
		if !obliged(p) {
			break
		}
		// Once the latches are known to stay equal, each question is one of its own.
		r := c.judge(ctx, "latches", verify.Job{Circuit: p.Circuit, Property: p.All(), Engine: c.Engine, Limits: c.share(ctx, true)})
		if r.Checked.Outcome() == cert.Proved {
			break
		}
		if r.Checked.Outcome() == cert.Refuted {
			c.learn(ctx, q, p, r, answers)
		} else {
			clear(c.merged)
		}
	}
	p := c.swept(ctx, q.product(q.open, c.merged))
	c.report.Merged = len(p.Merged)
	results := c.schedule(ctx, q.name, p, len(q.open))
	for k, i := range slices.Clone(q.open) {
		switch r := results[k]; r.Checked.Outcome() {
		case cert.Proved:
			answers[i] = c.equal(r)
		case cert.Refuted:
			own := *q
			own.open = []int{i}
			c.learn(ctx, &own, p, r, answers)
		default:
			answers[i] = c.unknown(ctx, r)
		}
	}
	q.open = nil
}

func (c *comparison) equal(r verify.Result) *Answer {
	return &Answer{Verdict: Equal, Engine: r.Engine, Depth: r.Checked.Depth(), Elapsed: time.Since(c.begin)}
}

// schedule judges the questions of a product by turns.
func (c *comparison) schedule(ctx context.Context, name string, p *compare.Product, n int) []verify.Result {
	results := make([]verify.Result, n)
	done := make(chan struct{}, n)
	s := verify.NewScheduler(ctx, max(1, c.Workers), func(e verify.Event) {
		switch e.State {
		case verify.Running:
			c.show(name, e.Progress)
		case verify.Done:
			results[e.ID.Property.Index] = e.Result
			done <- struct{}{}
		}
	})
	common := verify.NewCommon(p.Circuit)
	for k := range n {
		s.Submit(verify.ID{Property: p.Question(k)}, verify.Job{Circuit: p.Circuit, Property: p.Question(k), Engine: c.Engine, Common: common, Limits: c.each})
	}
	stop := context.AfterFunc(ctx, s.Close)
	for range n {
		<-done
	}
	stop()
	s.Close()
	return results
}

func (c *comparison) show(name string, p verify.Progress) {
	if c.Progress != nil {
		c.Progress(name, p)
	}
}

// judge judges one property, up to the bound.
func (c *comparison) judge(ctx context.Context, name string, job verify.Job) verify.Result {
	bounded, stop := thread.WithCancel(ctx)
	defer stop()
	if job.Limits.CPU == 0 || c.each.CPU > 0 {
		job.Limits.CPU = c.each.CPU
	}
	job.Limits.Memory = c.each.Memory
	return verify.Run(bounded, job, func(p verify.Progress) {
		c.show(name, p)
		if c.Bound > 0 && p.Depth >= c.Bound {
			stop()
		}
	})
}

// unlimited is how long all questions are judged at once where there is no limit.
const unlimited = time.Minute

// share returns the limits of one run: half of what is left where others may follow.
func (c *comparison) share(ctx context.Context, others bool) verify.Limits {
	if !others {
		return verify.Limits{}
	}
	limits := verify.Limits{Wall: unlimited, CPU: c.Limits.CPU / 2}
	if end, ok := ctx.Deadline(); ok {
		limits.Wall = max(time.Until(end)/2, 1)
	} else if c.Limits.CPU > 0 {
		limits.Wall = 0
	}
	return limits
}
