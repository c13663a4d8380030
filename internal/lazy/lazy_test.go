package lazy_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"

	"aiglens/internal/fault"
	"aiglens/internal/lazy"
)

// gated is work that begins, and then waits for its gate or the end of its context.
type gated struct {
	begun, ended chan struct{}
	gate         chan struct{}
}

func newGated() *gated {
	return &gated{make(chan struct{}, 10), make(chan struct{}, 10), make(chan struct{})}
}

func (g *gated) find(ctx context.Context) (int, error) {
	g.begun <- struct{}{}
	defer func() { g.ended <- struct{}{} }()
	select {
	case <-g.gate:
		return 42, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// TestWorkLivesAsLongAsCallersWait: the end of one caller costs the others nothing;
// that of the last ends the work, and the next call starts it again.
func TestWorkLivesAsLongAsCallersWait(t *testing.T) {
	g := newGated()
	v := lazy.New(g.find)
	first, leaveFirst := context.WithCancel(context.Background())
	second, leaveSecond := context.WithCancel(context.Background())
	errs := make(chan error, 2)
	ask := func(ctx context.Context) {
		_, err := v.Get(ctx)
		errs <- err
	}
	go ask(first)
	<-g.begun
	go ask(second)
	for v.Waiting() != 2 {
		runtime.Gosched()
	}
	leaveFirst()
	if err := <-errs; err != context.Canceled {
		t.Fatal(err)
	}
	select {
	case <-g.ended:
		t.Fatal("the work has ended with the first of two")
	default:
	}
	leaveSecond()
	if err := <-errs; err != context.Canceled {
		t.Fatal(err)
	}
	<-g.ended
	close(g.gate)
	for range 2 {
		if n, err := v.Get(context.Background()); n != 42 || err != nil {
			t.Errorf("asked again: %d, %v", n, err)
		}
	}
	if n, err := v.Get(first); n != 0 || err != context.Canceled {
		t.Errorf("a context that has ended: %d, %v", n, err)
	}
	if len(g.begun) != 1 {
		t.Errorf("the work was done again %d times", len(g.begun))
	}
}

// TestManyAsk: a caller that stays gets the value, however many leave.
func TestManyAsk(t *testing.T) {
	for range 200 {
		v := lazy.New(func(ctx context.Context) (int, error) {
			for range 20 {
				runtime.Gosched()
				if ctx.Err() != nil {
					return 0, ctx.Err()
				}
			}
			return 42, nil
		})
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				ctx, leave := context.WithCancel(context.Background())
				defer leave()
				if i%2 == 0 {
					go leave()
				}
				n, err := v.Get(ctx)
				if err == nil && n != 42 || err != nil && (i%2 == 1 || err != context.Canceled) {
					t.Errorf("%d asks: %d, %v", i, n, err)
				}
			})
		}
		all.Wait()
	}
}

func breaks() { panic("broken") }

// TestPanic: every caller has it, and it says where it was.
func TestPanic(t *testing.T) {
	v := lazy.New(func(context.Context) (int, error) { breaks(); return 0, nil })
	for range 2 {
		func() {
			defer func() {
				r := fault.Of(recover(), "here", "")
				if r.Kind != "a value of type string" || !strings.Contains(string(r.Stack), "breaks") {
					t.Errorf("%s\n%s", r.Kind, r.Stack)
				}
			}()
			v.Get(context.Background())
		}()
	}
}
