package comparison

import (
	"crypto/sha256"
	"slices"
	"sync"

	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/ic3/equiv"
	"aiglens/internal/source"
)

const (
	maxKept       = 32      // results
	maxKeptValues = 1 << 20 // of the rows of a result that is kept
)

// Results are those of the last comparisons, and the runs that are kept for clients. Its methods may be called from any
// goroutine.
type Results struct {
	mu       sync.Mutex
	kept     []result // guarded by mu; the one used last is the last
	keptRuns []named  // the same
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
func (r *Results) Known(k Key) (answer Answer, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.kept, func(one result) bool { return one.key == k })
	if i < 0 {
		return answer, false
	}
	found := r.kept[i]
	r.kept = append(slices.Delete(r.kept, i, i+1), found)
	return found.answer, true
}

// Keep keeps what came of a comparison, unless another one could find more: what is unknown
// may have met a limit.
func (r *Results) Keep(k Key, answer Answer) {
	if answer.Verdict == equiv.Unknown || answer.Run != nil && (len(answer.Run.Rows[0])+len(answer.Run.Rows[1]))*answer.Run.Steps > maxKeptValues {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = slices.DeleteFunc(r.kept, func(one result) bool { return one.key == k })
	if len(r.kept) == maxKept {
		r.kept = slices.Delete(r.kept, 0, 1)
	}
	r.kept = append(r.kept, result{k, answer})
}
