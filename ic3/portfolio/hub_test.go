package portfolio_test

import (
	"sync"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/portfolio"
)

// TestHub: every run receives what the others publish, in their order, once, and nothing
// of its own; of what waits too long the newest stay.
func TestHub(t *testing.T) {
	const runs, lemmas = 4, 500
	var hub portfolio.Hub
	ends := make([]ic3.Exchange, runs)
	for i := range ends {
		ends[i] = hub.Join()
	}
	got := make([][]ic3.Lemma, runs)
	var published, received sync.WaitGroup
	published.Add(runs)
	for i, end := range ends {
		received.Go(func() {
			for n := range lemmas {
				end.Publish(ic3.Lemma{Clause: []circuit.Lit{circuit.Lit(i)}, Level: n})
				got[i] = append(got[i], end.Receive()...)
			}
			published.Done()
			published.Wait()
			got[i] = append(got[i], end.Receive()...)
		})
	}
	received.Wait()
	for i, all := range got {
		next := make([]int, runs)
		for _, l := range all {
			from := int(l.Clause[0])
			if from == i || l.Level != next[from] {
				t.Fatalf("run %d received lemma %d of run %d, expected %d", i, l.Level, from, next[from])
			}
			next[from]++
		}
		if len(all) != (runs-1)*lemmas {
			t.Errorf("run %d received %d lemmas", i, len(all))
		}
	}
	const many = 100_000
	for n := range many {
		ends[0].Publish(ic3.Lemma{Level: n})
	}
	waiting := ends[1].Receive()
	if n := len(waiting); n == 0 || n >= many/10 || waiting[n-1].Level != many-1 || waiting[0].Level != many-n {
		t.Errorf("%d wait", n)
	}
	if len(ends[0].Receive()) != 0 {
		t.Error("a run receives what it has published")
	}
	late := hub.Join().Receive()
	if n := len(late); n == 0 || n >= many/10 || late[n-1].Level != many-1 || late[0].Level != many-n {
		t.Errorf("%d wait for a run that joins late", n)
	}
	hub.Leave(ends[1])
	ends[0].Publish(ic3.Lemma{})
	if len(ends[1].Receive()) != 0 || len(ends[2].Receive()) == 0 {
		t.Error("something waits for a run that has left, or nothing for another one")
	}
}
