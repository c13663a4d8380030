package thread

import (
	"context"
	"testing"
	"time"
)

// TestTurns: contexts that derive from one share their turns, in whatever way they do.
func TestTurns(t *testing.T) {
	type key struct{}
	root := Sharing(t.Context())
	child, end := WithCancel(root)
	defer end()
	apart, endApart := WithTimeout(context.WithValue(context.WithoutCancel(child), key{}, 1), time.Hour)
	defer endApart()
	turnsOf := func(ctx context.Context) *turns { return ctx.(sharing).turns }
	for name, ctx := range map[string]context.Context{"a child": child, "one without the end of the child": apart, "one that shares already": Sharing(root)} {
		if turnsOf(ctx) != turnsOf(root) {
			t.Errorf("%s has turns of its own", name)
		}
	}
	if turnsOf(Sharing(context.Background())) == turnsOf(root) {
		t.Error("a context from elsewhere has the same turns")
	}
	end()
	if child.Err() == nil || root.Err() != nil || apart.Err() != nil {
		t.Errorf("after the end of a child: %v, %v of its parent, %v of what is apart", child.Err(), root.Err(), apart.Err())
	}
	if turnsOf(root).last.IsZero() {
		t.Error("no turn was taken")
	}
}
