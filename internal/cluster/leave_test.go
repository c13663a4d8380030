package cluster

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// TestLeftOut: a node that is no longer asked is named once among those that are left out, and before
// there are too many come those that one check is not for.
func TestLeftOut(t *testing.T) {
	a := newPlace(t).asker("me")
	for i := range maxNamed {
		for range maxLies {
			a.lies[fmt.Sprint("node-", i)]++
			a.early[fmt.Sprint("node-", i)]++
		}
	}
	got := a.leftOut([]string{"z", "node-1", "z"})
	if len(got) != maxNamed || !slices.Contains(got, "z") || !slices.Contains(got, "node-1") || len(slices.Compact(got)) != maxNamed {
		t.Errorf("%d: %q", len(got), got)
	}
}

// givenBack is a job that is given back.
type givenBack struct {
	jetstream.Msg
	about jetstream.MsgMetadata
	after time.Duration // −1: it has not been
}

func (g *givenBack) Metadata() (*jetstream.MsgMetadata, error) { return &g.about, nil }
func (g *givenBack) Nak() error                                { return g.NakWithDelay(0) }
func (g *givenBack) NakWithDelay(after time.Duration) error {
	g.after = after
	return nil
}

// TestLeave: what is for others goes back at once where nothing else waits, and the node then asks for nothing
// for a while; where more waits, the node comes to that first.
func TestLeave(t *testing.T) {
	for _, x := range []struct {
		pending, delivered uint64
		after              time.Duration
		isLast             bool
	}{
		{0, 1, 0, true}, {0, 1000, 0, true}, {1, 1, 20 * time.Millisecond, false}, {1, 1000, avoided, false},
	} {
		m := &givenBack{about: jetstream.MsgMetadata{NumPending: x.pending, NumDelivered: x.delivered}, after: -1}
		if isLast := leave(m); isLast != x.isLast || m.after != x.after {
			t.Errorf("%+v: after %s, the last: %t", x, m.after, isLast)
		}
	}
}
