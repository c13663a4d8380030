package asking

import (
	"slices"
	"time"

	"aiglens/ic3/verify"
)

// attempt is the last attempt that a question knows of. The signs of life put it into one of
// three stages:
//
//	┌────────┐ in the queue ┌────────┐ a node begins ┌─────────┐
//	│ Unsure │ ───────────▶ │ Queued │ ────────────▶ │ Running │
//	└────────┘              └────────┘               └─────────┘
//	     ▲                       │ replaced               │ replaced
//	     └───────────────────────┴────────────────────────┘
//
// From Unsure a sign of life leads to Running as well.
type attempt struct {
	number int // 0: none is known. It never decreases
	over   int // attempts up to this one are known to have ended; over ≤ number
	// heard is when the last sign of life came, of a node or of the queue. Unsure ⇔ zero.
	heard time.Time
	// node has begun with the attempt. Queued ⇒ ""; Running ⇒ ≠ "". In Unsure it is the node
	// of the attempt that is being replaced, or "".
	node string
	// began is when a node began last, with whatever attempt; zero before the first. It is not
	// zero where node ≠ "".
	began   time.Time
	reached verify.Progress // of the last sign of life
	only    []string        // nodes that may take the attempt; nil for all
	idle    idle            // at the last list of nodes
}

// idle are nodes that had a free slot and left alone an attempt that waited with a claim of the revision.
type idle struct {
	revision uint64
	nodes    []Node
}

// stage says what is known of an attempt.
type stage uint8

const (
	unsure  stage = iota // whether it is in the cluster
	queued               // no node has begun
	running              // a node is at work
)

func (s stage) String() string { return [...]string{"unsure", "queued", "running"}[s] }

func (a *attempt) stage() stage {
	switch {
	case a.heard.IsZero():
		return unsure
	case a.node == "":
		return queued
	}
	return running
}

// isSeen takes in that an attempt is there.
func (a *attempt) isSeen(number int) {
	if number > a.number {
		a.number, a.node = number, ""
	}
}

// isRunning takes in a sign of life of a node, and reports whether the node has begun.
func (a *attempt) isRunning(now time.Time, number int, node string, p verify.Progress) (begins bool) {
	a.heard, a.reached = now, p
	begins = number > a.number || a.node == ""
	if begins {
		a.number, a.node, a.began = max(a.number, number), node, now
	}
	return begins
}

// hasEnded takes in that an attempt is at its end. It reports false if a later one is known.
func (a *attempt) hasEnded(number int) bool {
	if number < a.number {
		return false
	}
	a.number, a.over = number, number
	return true
}

// mayTake reports whether one of the nodes may take the attempt.
func (a *attempt) mayTake(nodes []Node) bool {
	return len(a.only) == 0 || slices.ContainsFunc(nodes, func(n Node) bool { return slices.Contains(a.only, n.Name) })
}

// isLost takes in a list of nodes that may be asked, for an attempt that waits with a claim of the revision.
// It reports whether one of them has left the attempt alone since an earlier list: it was free then, is
// free now, and has begun nothing in between. A node that begins other checks may not have come to this one.
func (a *attempt) isLost(revision uint64, nodes []Node) bool {
	before := a.idle
	a.idle = idle{revision: revision}
	for _, n := range nodes {
		if n.IsFree && a.mayTake([]Node{n}) {
			a.idle.nodes = append(a.idle.nodes, n)
		}
	}
	return before.revision == revision && slices.ContainsFunc(a.idle.nodes, func(n Node) bool { return slices.Contains(before.nodes, n) })
}
