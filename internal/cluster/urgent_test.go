package cluster

import (
	"context"
	"sync"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestUrgent: what a user waits for in an editor begins while all slots are taken, before all
// that waits, and at most one more at a time than there are slots.
func TestUrgent(t *testing.T) {
	p := newPlace(t)
	var mu sync.Mutex
	var order []string // of the engines of jobs, as they begin
	running, most := 0, 0
	ends := map[string]chan struct{}{"ic3": make(chan struct{}, 10), "bmc": make(chan struct{}, 10)}
	begun := map[string]chan struct{}{"ic3": make(chan struct{}, 10), "bmc": make(chan struct{}, 10)}
	p.node("n", 1, func(s engines.Spec) (verify.Engine, error) {
		return function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
			mu.Lock()
			order, running = append(order, s.Engine), running+1
			most = max(most, running)
			mu.Unlock()
			begun[s.Engine] <- struct{}{}
			<-ends[s.Engine]
			mu.Lock()
			defer mu.Unlock()
			running--
			return cert.Verdict{Reason: "test"}, nil
		}), nil
	})
	folder, editor := p.asker("folder"), p.asker("editor")
	editor.Urgent = true
	var wait sync.WaitGroup
	ask := func(a *Asker, engine string, number int) {
		job := a.job(still(number))
		job.Engine = a.Engine(engines.Spec{Engine: engine})
		wait.Go(func() { check(t, verify.Run(t.Context(), job, nil), "unknown: test") })
	}
	for i := range 4 {
		ask(folder, "ic3", i)
	}
	<-begun["ic3"]
	waiting := func(n int) {
		t.Helper()
		eventually(t, "all wait", func() bool {
			s, err := editor.kept().jobs.Info(t.Context())
			return err == nil && s.State.Msgs == uint64(n)
		})
	}
	waiting(4)
	for i := range 3 {
		ask(editor, "bmc", 10+i)
	}
	<-begun["bmc"]
	waiting(7)
	for range 2 {
		ends["bmc"] <- struct{}{}
		<-begun["bmc"]
	}
	ends["bmc"] <- struct{}{}
	for range 4 {
		ends["ic3"] <- struct{}{}
	}
	wait.Wait()
	mu.Lock()
	defer mu.Unlock()
	want := []string{"ic3", "bmc", "bmc", "bmc", "ic3", "ic3", "ic3"}
	if len(order) != len(want) || most != 2 {
		t.Fatalf("%q, %d at a time", order, most)
	}
	for i := range want {
		if order[i] != want[i] {
			t.Errorf("%q, expected %q", order, want)
			break
		}
	}
}
