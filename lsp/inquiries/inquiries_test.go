package inquiries_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aiglens/lsp/inquiries"
	"aiglens/lsp/queue"
)

// bench is a queue, with what it shows.
type bench struct {
	*inquiries.Queue
	*queue.Serial
	quiet bool        // of Serial, as are all below
	shown []string    // titles, and what was said under the last
	begun chan func() // takes what ends an inquiry that is shown

	looked chan struct{} // takes that it was asked whether all is quiet
}

func newBench(t *testing.T) *bench { return newRestingBench(t, time.Nanosecond) }

// newRestingBench is newBench with a shortest time between two messages.
func newRestingBench(t *testing.T, rest time.Duration) *bench {
	b := &bench{Serial: queue.NewSerial(nil), quiet: true, begun: make(chan func(), 100), looked: make(chan struct{}, 1)}
	t.Cleanup(b.Close)
	b.Queue = inquiries.New(inquiries.Config{
		Post: b.Put, Do: b.Do, IsQuiet: b.isQuiet, Delay: time.Millisecond, Rest: rest,
		Begin: func(title string, cancel func()) inquiries.Progress {
			b.shown = append(b.shown, title)
			b.begun <- cancel
			return progress{b, title}
		},
	})
	return b
}

func (b *bench) isQuiet() bool {
	select {
	case b.looked <- struct{}{}:
	default:
	}
	return b.quiet
}

type progress struct {
	b     *bench
	title string
}

func (p progress) Say(message string) { p.b.shown = append(p.b.shown, message) }
func (p progress) End()               { p.b.shown = append(p.b.shown, "end of "+p.title) }

func (b *bench) saw() (all string) {
	b.Do(func() { all = strings.Join(b.shown, "|") })
	return all
}

func nothing(context.Context, func(string)) error { return nil }

// hold runs an inquiry that works until free is called, and returns once it does.
func (b *bench) hold(t *testing.T, kind inquiries.Kind) (free func()) {
	t.Helper()
	working, end := make(chan struct{}), make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		err := b.Run(context.Background(), inquiries.Inquiry{Kind: kind, Title: "held"}, func(context.Context, func(string)) error {
			close(working)
			<-end
			return nil
		})
		if err != nil {
			t.Errorf("an inquiry that has its turn ends with %v", err)
		}
	})
	<-working
	return func() { close(end); ended.Wait() }
}

// TestTurns: one of a kind works at a time, those that wait can be cancelled, and so many are
// refused. Another kind does not wait.
func TestTurns(t *testing.T) {
	b := newBench(t)
	free := b.hold(t, inquiries.Comparison)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	refused := make(chan struct{}, 100)
	for range 40 {
		all.Go(func() {
			err := b.Run(ctx, inquiries.Inquiry{Kind: inquiries.Comparison}, func(context.Context, func(string)) error {
				t.Error("two work at once")
				return nil
			})
			if err != nil && strings.HasPrefix(err.Error(), "too many comparisons") {
				refused <- struct{}{}
			} else if !errors.Is(err, inquiries.ErrCancelled) {
				t.Errorf("one that waits gets %v", err)
			}
		})
	}
	for range 24 {
		<-refused
	}
	for _, kind := range []inquiries.Kind{inquiries.Search, inquiries.Reach, inquiries.Writing} {
		if err := b.Run(t.Context(), inquiries.Inquiry{Kind: kind}, nothing); err != nil {
			t.Errorf("%v: %v", kind, err)
		}
	}
	cancel()
	all.Wait()
	free()
	if len(refused) != 0 {
		t.Errorf("%d more are refused", len(refused))
	}
	if err := b.Run(t.Context(), inquiries.Inquiry{Kind: inquiries.Comparison}, nothing); err != nil {
		t.Errorf("the next one: %v", err)
	}
}

// TestCancelled: one that is cancelled as its turn comes does not keep it.
func TestCancelled(t *testing.T) {
	b := newBench(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		if err := b.Run(cancelled, inquiries.Inquiry{}, nothing); !errors.Is(err, inquiries.ErrCancelled) {
			t.Fatalf("an inquiry that is cancelled ends with %v", err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := b.Run(ctx, inquiries.Inquiry{}, nothing); err != nil {
		t.Fatalf("the turn is kept: %v", err)
	}
}

// TestShown: one that takes long is shown, with what it says, until its end, and can be cancelled
// there. One that ends at once is not.
func TestShown(t *testing.T) {
	b := newBench(t)
	err := b.Run(t.Context(), inquiries.Inquiry{Title: "long"}, func(ctx context.Context, say func(string)) error {
		cancel := <-b.begun
		say("depth 1")
		cancel()
		<-ctx.Done()
		return errors.New("broken off")
	})
	if !errors.Is(err, inquiries.ErrCancelled) {
		t.Errorf("an inquiry that the user ends: %v", err)
	}
	if got := b.saw(); got != "long|depth 1|end of long" {
		t.Errorf("shown: %s", got)
	}
	failure := errors.New("failed")
	if err := b.Run(t.Context(), inquiries.Inquiry{Title: "short"}, func(context.Context, func(string)) error { return failure }); err != failure {
		t.Errorf("the error of work: %v", err)
	}
	if got := b.saw(); slices.Contains(strings.Split(got, "|"), "depth 2") {
		t.Errorf("shown: %s", got)
	}
}

// TestSaidAtOnce: of what is said from several goroutines at once, as by members of a portfolio,
// one message is shown before the rest is over.
func TestSaidAtOnce(t *testing.T) {
	b := newRestingBench(t, time.Hour)
	err := b.Run(t.Context(), inquiries.Inquiry{Title: "several"}, func(_ context.Context, say func(string)) error {
		<-b.begun
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 100 {
					say("depth 1")
				}
			})
		}
		all.Wait()
		return nil
	})
	if got := b.saw(); err != nil || got != "several|depth 1|end of several" {
		t.Errorf("%v, shown: %s", err, got)
	}
}

// TestAfterChecks: one that is to wait for checks does, and says so.
func TestAfterChecks(t *testing.T) {
	b := newBench(t)
	b.Do(func() { b.quiet = false })
	ended := make(chan error)
	worked := make(chan struct{}, 1)
	go func() {
		ended <- b.Run(t.Context(), inquiries.Inquiry{Title: "later", AfterChecks: true}, func(context.Context, func(string)) error {
			worked <- struct{}{}
			return nil
		})
	}()
	<-b.begun
	<-b.looked // what it waits for was said before
	select {
	case <-worked:
		t.Error("it works while checks run")
	default:
	}
	if got := b.saw(); got != "later|waits for the checks under way" {
		t.Errorf("shown: %s", got)
	}
	b.Do(func() { b.quiet = true })
	if err := <-ended; err != nil || len(worked) != 1 {
		t.Errorf("after the checks: %v, worked %d times", err, len(worked))
	}
}
