package portfolio

import (
	"context"
	"sync"

	"aiglens/ic3/verify"
)

// gate lets the first members that have not ended work, as many as are allowed, and makes the
// others wait.
type gate struct {
	mu      sync.Mutex // guards all below
	allowed int        // that may work; 0 is any number
	onlyOne bool       // may work, until admitAll
	ended   []bool     // by member
	changed chan struct{}
}

// newGate returns a gate that lets one member work, or else as many as there are processors now.
func newGate(members int, processors verify.Processors, onlyOne bool) *gate {
	g := &gate{onlyOne: onlyOne, ended: make([]bool, members), changed: make(chan struct{})}
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
	return before == 0 || !g.onlyOne && (g.allowed == 0 || before < g.allowed)
}

// allow sets how many may work.
func (g *gate) allow(n int) { g.update(func() { g.allowed = n }) }

// admitAll ends the time of only one.
func (g *gate) admitAll() { g.update(func() { g.onlyOne = false }) }

// end says that a member has ended, and leaves its place to another one.
func (g *gate) end(member int) { g.update(func() { g.ended[member] = true }) }

func (g *gate) update(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	close(g.changed)
	g.changed = make(chan struct{})
}
