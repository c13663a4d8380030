package portfolio_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// counting is a member that counts its steps, and ends when it is told to.
type counting struct {
	steps   atomic.Int64
	endless chan struct{}
}

func newCounting() *counting { return &counting{endless: make(chan struct{})} }

func (c *counting) check(ctx context.Context, t verify.Task) verify.Report {
	for ctx.Err() == nil {
		select {
		case <-c.endless:
			return verify.Report{Verdict: gaveUp}
		default:
		}
		c.steps.Add(1)
		t.Progress(verify.Progress{})
	}
	return verify.Report{Err: ctx.Err()}
}

// goesOn waits until a member has done some more steps.
func (c *counting) goesOn() {
	for until := c.steps.Load() + 3; c.steps.Load() < until; {
		runtime.Gosched()
	}
}

// TestAllow: of those that have not ended, only as many members work as are allowed, the
// first ones, and the others go on when more are or when one of the first has ended.
func TestAllow(t *testing.T) {
	members := []*counting{newCounting(), newCounting(), newCounting()}
	all := make([]verify.Engine, len(members))
	for i, m := range members {
		all[i] = verify.Engine{Name: "counting", Safety: true, Check: m.check}
	}
	allowed := task()
	allowed.Processors = verify.NewProcessors()
	allowed.Processors.Allow(1)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		portfolio.Check(ctx, allowed, all)
	}()
	members[0].goesOn()
	// rests returns once a member rests: what is allowed reaches the portfolio at some time, and
	// a member may be in the middle of its last step.
	rests := func(c *counting) {
		for before := c.steps.Load() - 2; c.steps.Load() > before+1; {
			before = c.steps.Load()
			for range 20 {
				members[0].goesOn()
			}
		}
	}
	if members[1].steps.Load() != 0 || members[2].steps.Load() != 0 {
		t.Error("a member has begun that is not allowed to")
	}
	allowed.Processors.Allow(2)
	members[1].goesOn()
	rests(members[2])
	close(members[1].endless)
	members[2].goesOn()
	allowed.Processors.Allow(1)
	rests(members[2])
	allowed.Processors.Allow(0)
	members[2].goesOn()
	cancel()
	<-ended
}

// TestLate: members join the first one after a time, and not before.
func TestLate(t *testing.T) {
	for _, after := range []time.Duration{time.Hour, time.Millisecond} {
		first, second := newCounting(), newCounting()
		all := []verify.Engine{{Name: "first", Safety: true, Check: first.check}, {Name: "second", Safety: true, Check: second.check}}
		ended := make(chan struct{})
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			defer close(ended)
			portfolio.CheckLate(ctx, task(), all, after)
		}()
		first.goesOn()
		if after == time.Hour {
			if n := second.steps.Load(); n != 0 {
				t.Errorf("%d steps before the time", n)
			}
		} else {
			second.goesOn()
			first.goesOn()
		}
		cancel()
		<-ended
	}
}

// TestNoneAfterAnswer: a member that has answered leaves its place to none. What comes in its place
// might answer, too, before it is stopped.
func TestNoneAfterAnswer(t *testing.T) {
	for range 1000 {
		began := false
		second := newEngine("second", func(ctx context.Context) (cert.Verdict, error) {
			began = true
			return right, nil
		})
		r := portfolio.CheckLate(t.Context(), task(), []verify.Engine{says("first", right).value(), second.value()}, time.Hour)
		if began || r.Engine != "first" {
			t.Fatalf("answer of %s; the second one has begun: %t", r.Engine, began)
		}
	}
}

// TestExchangeBehindTheGate: a member that begins late, because only so many may work at a time,
// receives what the others have published before.
func TestExchangeBehindTheGate(t *testing.T) {
	published, received := make(chan struct{}), make(chan int, 1)
	first := func(ctx context.Context, t verify.Task) verify.Report {
		own := t.Exchange()
		for level := range 3 {
			own.Publish(ic3.Lemma{Level: level})
		}
		close(published)
		<-ctx.Done()
		return verify.Report{Err: ctx.Err()}
	}
	second := func(ctx context.Context, t verify.Task) verify.Report {
		received <- len(t.Exchange().Receive())
		<-ctx.Done()
		return verify.Report{Err: ctx.Err()}
	}
	within := task()
	within.Processors = verify.NewProcessors()
	within.Processors.Allow(1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		portfolio.Check(ctx, within, []verify.Engine{{Name: "first", Safety: true, Check: first}, {Name: "second", Safety: true, Check: second}})
	}()
	<-published
	within.Processors.Allow(2)
	if n := <-received; n != 3 {
		t.Errorf("a member that begins late receives %d lemmas of 3", n)
	}
	cancel()
	<-ended
}
