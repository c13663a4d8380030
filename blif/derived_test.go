package blif_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"aiglens/blif"
	"aiglens/internal/source"
)

// TestDerived checks that what is asked for from all sides is worked out once for
// a version, and again for the next.
func TestDerived(t *testing.T) {
	var runs atomic.Int32
	names := blif.NewDerived(func(f *blif.File) *string {
		runs.Add(1)
		return &f.Top().Name
	})
	lengths := blif.NewDerived(func(f *blif.File) int { return f.Text().Len() })
	f := blif.Options{}.Parse(source.NewText(".model m\n.end\n"))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			first := names.Of(f)
			if again := names.Of(f); *first != "m" || again != first || lengths.Of(f) != f.Text().Len() {
				t.Error("another answer")
			}
		})
	}
	group.Wait()
	if n := runs.Load(); n != 1 {
		t.Errorf("worked out %d times", n)
	}
	next := f.Reparse(source.NewText(".model other\n.end\n"))
	if *names.Of(next) != "other" || *names.Of(f) != "m" {
		t.Error("the versions are mixed up")
	}
}
