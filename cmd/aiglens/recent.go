package main

import (
	"slices"
	"sync"

	"aiglens/circuit"
	"aiglens/ic3/verify"
)

// recentResults is how many results a server for agents keeps.
const recentResults = 200

// recent is a verify.Cache in memory, of the results that were kept last.
type recent struct {
	mu     sync.Mutex            // guards all below
	latest []circuit.Fingerprint // the oldest first
	most   int
	known  map[circuit.Fingerprint]verify.Entry
}

func newRecent(most int) *recent {
	return &recent{most: most, known: map[circuit.Fingerprint]verify.Entry{}}
}

// Lookup implements verify.Cache.
func (r *recent) Lookup(f circuit.Fingerprint, _ circuit.Problem) (verify.Entry, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.known[f]
	return e, ok
}

// Store implements verify.Cache.
func (r *recent) Store(f circuit.Fingerprint, _ circuit.Problem, e verify.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, has := r.known[f]; !has {
		r.latest = append(r.latest, f)
	}
	r.known[f] = e
	for len(r.latest) > r.most {
		delete(r.known, r.latest[0])
		r.latest = r.latest[1:]
	}
}

// Drop implements verify.Cache.
func (r *recent) Drop(f circuit.Fingerprint) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, f)
	r.latest = slices.DeleteFunc(r.latest, func(other circuit.Fingerprint) bool { return other == f })
}
