package portfolio

import (
	"context"
	"sync"

	"aiglens/ic3/verify"
)

// gate lets some of the members work and the others rest: those that come first, of those
// that have not ended.
type gate struct {
	mu      sync.Mutex // guards all below
	allowed int        // that may work; 0 is any number
	isEarly bool       // only the first one may work
	ended   []bool     // by member
	changed chan struct{}
}

// newGate returns a gate that lets as many work as there are processors by now; while it is early, the
// first one alone.
func newGate(members int, processors verify.Processors, isEarly bool) *gate {
	g := &gate{isEarly: isEarly, ended: make([]bool, members), changed: make(chan struct{})}
	select {
	case g.allowed = <-processors:
	default:
	}
	return g
}

// pass waits until a member may work, or until ctx ends.
func (g *gate) pass(ctx context.Context, member int) {
	for {
		g.mu.Lock()
		open, changed := g.isOpen(member), g.changed
		g.mu.Unlock()
		if open {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

func (g *gate) isOpen(member int) bool {
	before := 0
	for _, ended := range g.ended[:member] {
		if !ended {
			before++
		}
	}
	return before == 0 || !g.isEarly && (g.allowed == 0 || before < g.allowed)
}

// allow sets how many may work.
func (g *gate) allow(n int) { g.update(func() { g.allowed = n }) }

// join says that it is early no longer.
func (g *gate) join() { g.update(func() { g.isEarly = false }) }

// end says that a member has ended, and leaves its place to another one.
func (g *gate) end(member int) { g.update(func() { g.ended[member] = true }) }

func (g *gate) update(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	close(g.changed)
	g.changed = make(chan struct{})
}
