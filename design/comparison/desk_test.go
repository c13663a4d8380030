package comparison_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/comparison"
	"aiglens/ic3/equiv"
	"aiglens/internal/source"
)

// TestDeskTurns: one compares at a time, those who wait can leave, and so many are refused.
func TestDeskTurns(t *testing.T) {
	d := comparison.NewDesk()
	leave, err := d.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	refused := make(chan struct{}, 100)
	for range 40 {
		all.Go(func() {
			_, err := d.Enter(ctx)
			if errors.Is(err, comparison.ErrTooMany) {
				refused <- struct{}{}
			} else if !errors.Is(err, context.Canceled) {
				t.Errorf("who waits gets %v", err)
			}
		})
	}
	for range 24 {
		<-refused
	}
	cancel()
	all.Wait()
	leave()
	if len(refused) != 0 {
		t.Errorf("%d more are refused", len(refused))
	}
	if leave, err = d.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	leave()
}

// TestDeskCancelled: who is cancelled as the turn comes does not keep it.
func TestDeskCancelled(t *testing.T) {
	d := comparison.NewDesk()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		if _, err := d.Enter(cancelled); !errors.Is(err, context.Canceled) {
			t.Fatalf("who is cancelled gets %v", err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	leave, err := d.Enter(ctx)
	if err != nil {
		t.Fatalf("nobody has the turn: %v", err)
	}
	leave()
}

// TestDeskKeeps: results are known by both texts and by how they were matched, unless they
// may become better.
func TestDeskKeeps(t *testing.T) {
	doc := func(text string) *design.Design {
		return design.New("file:///a.aag", aigerdesign.Format, 1, source.NewText(text), design.Options{})
	}
	key := func(a, b string, o compare.Options) comparison.Key {
		k, ok := comparison.KeyOf(doc(a), doc(b), o)
		if !ok {
			t.Fatal("no key")
		}
		return k
	}
	d := comparison.NewDesk()
	ab := key("a", "b", compare.Options{})
	d.Keep(ab, comparison.Answer{})
	if _, ok := d.Known(ab); ok {
		t.Error("what is unknown is kept")
	}
	d.Keep(ab, comparison.Answer{Verdict: equiv.Equal, Message: "ab"})
	if got, ok := d.Known(key("a", "b", compare.Options{})); !ok || got.Message != "ab" {
		t.Errorf("known: %+v, %v", got, ok)
	}
	for _, other := range []comparison.Key{key("b", "a", compare.Options{}), key("a", "bb", compare.Options{}), key("a", "b", compare.Options{Positions: true})} {
		if got, ok := d.Known(other); ok {
			t.Errorf("of another comparison is known: %+v", got)
		}
	}
	for i := range 100 {
		d.Known(ab)
		d.Keep(key("a", string(rune('c'+i)), compare.Options{}), comparison.Answer{Verdict: equiv.Equal})
	}
	if _, ok := d.Known(ab); !ok {
		t.Error("what is used is forgotten")
	}
	if _, ok := d.Known(key("a", "c", compare.Options{})); ok {
		t.Error("all is kept")
	}
	if _, ok := comparison.KeyOf(doc("a"), doc("b"), compare.Options{Map: [][2]string{{"a", "b"}}}); ok {
		t.Error("a comparison with a map has a key")
	}
}
