package comparison

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"

	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/ic3/equiv"
	"aiglens/internal/source"
)

const (
	maxWaiting    = 16      // comparisons that wait for their turn
	maxKept       = 32      // results
	maxKeptValues = 1 << 20 // of the rows of a result that is kept
)

// ErrTooMany says that too many comparisons wait.
var ErrTooMany = errors.New("too many comparisons are under way: wait for one to end, or cancel one")

// Desk has comparisons made one after another, and knows what came of the last ones.
type Desk struct {
	turn chan struct{} // held by who compares

	mu      sync.Mutex // guards all below
	waiting int
	kept    []result // the one used last is the last
}

// NewDesk returns a desk at which nobody waits.
func NewDesk() *Desk { return &Desk{turn: make(chan struct{}, 1)} }

// Enter waits for the turn, which lasts until leave is called. The error is ErrTooMany or
// that of ctx; there is nothing to leave then.
func (d *Desk) Enter(ctx context.Context) (leave func(), err error) {
	if !d.count(+1) {
		return nil, ErrTooMany
	}
	defer d.count(-1)
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := ctx.Err(); err != nil { // select takes either when both are there
		<-d.turn
		return nil, err
	}
	return func() { <-d.turn }, nil
}

// count counts those who wait; ok is false when there are too many.
func (d *Desk) count(by int) (ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if by > 0 && d.waiting >= maxWaiting {
		return false
	}
	d.waiting += by
	return true
}

// Key is what the result of a comparison depends on.
type Key struct {
	here, there [sha256.Size]byte
	kinds       [2]*design.Format
	options     [2]design.Options
	positions   bool
}

// KeyOf returns the key of a comparison. There is none for texts that mean something else
// when other files change, which is known once they have been matched.
func KeyOf(doc, other *design.Design, o compare.Options) (k Key, ok bool) {
	k = Key{here: sum(doc.Text), there: sum(other.Text), positions: o.Positions}
	for i, d := range []*design.Design{doc, other} {
		k.kinds[i], k.options[i] = d.Kind, d.Options()
		if d.DependsOnOthers() {
			return k, false
		}
	}
	return k, len(o.Map) == 0 && !o.Combinational
}

func sum(t source.Text) [sha256.Size]byte {
	h := sha256.New()
	for at := 0; at < t.Len(); {
		run, start := t.Run(at)
		h.Write([]byte(run[at-start:]))
		at = start + len(run)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

type result struct {
	key    Key
	answer Answer
}

// Known returns what came of a comparison.
func (d *Desk) Known(k Key) (answer Answer, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.kept, func(r result) bool { return r.key == k })
	if i < 0 {
		return answer, false
	}
	r := d.kept[i]
	d.kept = append(slices.Delete(d.kept, i, i+1), r)
	return r.answer, true
}

// Keep keeps what came of a comparison, unless another one could find more: what is unknown
// may have met a limit.
func (d *Desk) Keep(k Key, answer Answer) {
	if answer.Verdict == equiv.Unknown || answer.Run != nil && (len(answer.Run.Rows[0])+len(answer.Run.Rows[1]))*answer.Run.Steps > maxKeptValues {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept = slices.DeleteFunc(d.kept, func(r result) bool { return r.key == k })
	if len(d.kept) == maxKept {
		d.kept = slices.Delete(d.kept, 0, 1)
	}
	d.kept = append(d.kept, result{k, answer})
}
