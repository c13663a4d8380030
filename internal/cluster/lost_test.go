package cluster

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"aiglens/circuit"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster/asking"
)

// TestLostInQueue: the asker does not depend on the queue. A check that the queue has and gives to no node,
// although nodes are free, is answered, once, and leaves nothing in the queue.
func TestLostInQueue(t *testing.T) {
	p := newPlace(t)
	p.times = mortal
	p.times.ackWait = time.Hour
	ctx, stop := context.WithTimeout(t.Context(), longest)
	defer stop()
	a, thief := p.asker("me"), p.connect("thief")
	var begun atomic.Int64
	results := make(chan verify.Result, 1)
	go func() { results <- verify.Run(ctx, a.job(counter(4, 3, 9)), nil) }()
	batch, err := thief.kept().queues[laneOf(circuit.Safety.String(), false)].Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	if _, isTaken := <-batch.Messages(); !isTaken {
		t.Fatal(batch.Error())
	}
	p.node("n", 1, func(s engines.Spec) (verify.Engine, error) {
		begun.Add(1)
		return s.New()
	})
	check(t, <-results, "refuted")
	if n := begun.Load(); n != 1 {
		t.Errorf("%d runs", n)
	}
	p.isEmpty(a)
}

// TestFreeNodes: an asker sees which nodes have a free slot, and how many checks each has begun.
func TestFreeNodes(t *testing.T) {
	p := newPlace(t)
	e, begun := blocked()
	p.node("busy", 1, engineOf(e))
	a := p.asker("me")
	go verify.Run(t.Context(), a.job(still(1)), nil)
	<-begun
	p.node("free", 2, engineOf(e))
	q := question{Asker: a, job: job{Question: circuit.Safety.String()}}
	var seen string
	eventually(t, "both say how they stand", func() bool {
		seen = ""
		for _, n := range q.listNodes(t.Context(), asking.ClaimRead{}).Nodes {
			seen += fmt.Sprintf("%s %v %d;", plain(ShownName(n.Name)), n.IsFree, n.Begun)
		}
		return seen == "busy false 1;free true 0;"
	})
}
