package portfolio_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// counting is a member that counts its steps, and ends when it is told to.
type counting struct {
	engine
	steps   atomic.Int64
	endless chan struct{}
}

func newCounting() *counting {
	return &counting{engine: waits("counting"), endless: make(chan struct{})}
}

func (c *counting) Check(ctx context.Context, _ circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	for ctx.Err() == nil {
		select {
		case <-c.endless:
			return gaveUp, nil
		default:
		}
		c.steps.Add(1)
		progress(verify.Progress{})
	}
	return cert.Verdict{}, ctx.Err()
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
	p := portfolio.New(func(circuit.Question) bool { return true }, func(circuit.Problem) []verify.Engine {
		return []verify.Engine{members[0], members[1], members[2]}
	})
	p.Allow(1)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = p.Check(ctx, circuit.Problem{Circuit: toggle()}, func(verify.Progress) {})
	}()
	members[0].goesOn()
	rests := func(c *counting) {
		t.Helper()
		// It may be in the middle of its last step.
		members[0].goesOn()
		before := c.steps.Load()
		for range 20 {
			members[0].goesOn()
		}
		if now := c.steps.Load(); now > before+1 {
			t.Errorf("%d steps while it should rest", now-before)
		}
	}
	if members[1].steps.Load() != 0 || members[2].steps.Load() != 0 {
		t.Error("a member has begun that is not allowed to")
	}
	p.Allow(2)
	members[1].goesOn()
	rests(members[2])
	close(members[1].endless)
	members[2].goesOn()
	p.Allow(1)
	rests(members[2])
	p.Allow(0)
	members[2].goesOn()
	cancel()
	<-ended
}
