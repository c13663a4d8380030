// Package minimize makes a value smaller as long as it stays interesting, whatever that
// means to the caller: that a program fails on it, or that a property has some verdict. It
// is delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
// Input", IEEE TSE 2002) over the units of passes: large parts first, then halves
// of them, down to single units, over and over until nothing more can be left out.
//
// It knows no format, runs no program and reads no file: a format says what its units are, and the caller what is interesting.
package minimize

import "context"

// Pass is one way of making values smaller by leaving out some of their units, which are
// numbered from 0.
type Pass[S any] struct {
	Name string
	// Units returns how many there are.
	Units func(S) int
	// Without returns a value that lacks the units from lo to hi; what is left of the others
	// keeps its order, and those before lo their numbers. It does not change its argument.
	Without func(s S, lo, hi int) S
}

// Minimizer makes values smaller.
type Minimizer[S any] struct {
	// Passes make values smaller; each can do so only finitely often.
	Passes []Pass[S]
	// Tidy are passes of few units that are worth another try whenever one of the others has
	// found something.
	Tidy []Pass[S]
	// Try returns what becomes of a candidate that is still interesting, as a rule the
	// candidate itself; ok is false for one that is not.
	Try func(ctx context.Context, candidate S) (s S, ok bool)
	// Found is called with each smaller value, with the pass that has led to it; may be nil.
	Found func(s S, pass string)
}

// Run returns what is left of s when no pass finds anything any more, or ctx ends, whose
// error it then returns with the smallest value so far. It tries s itself not at all.
func (m *Minimizer[S]) Run(ctx context.Context, s S) (S, error) {
	r := run[S]{m, ctx, s}
	r.all(m.Tidy)
	for first := true; ctx.Err() == nil; first = false {
		found := false
		for _, p := range m.Passes {
			size := p.Units(r.s)
			if !first {
				size = min(size, again)
			}
			found = r.pass(p, size) || found
		}
		if !found {
			break
		}
	}
	return r.s, ctx.Err()
}

// again is how many units are left out at a time after the first round: large parts have
// been tried then.
const again = 4

type run[S any] struct {
	*Minimizer[S]
	ctx context.Context
	s   S
}

// all makes every pass once.
func (r *run[S]) all(passes []Pass[S]) {
	for _, p := range passes {
		r.chunks(p, p.Units(r.s))
	}
}

// pass leaves out parts of a size, then of half that, and so on.
func (r *run[S]) pass(p Pass[S], size int) (found bool) {
	for ; size > 0; size /= 2 {
		if r.chunks(p, size) {
			found = true
			r.all(r.Tidy)
		}
	}
	return found
}

// chunks leaves out parts of one size, from the last unit to the first.
func (r *run[S]) chunks(p Pass[S], size int) (found bool) {
	for hi := p.Units(r.s); hi > 0 && r.ctx.Err() == nil; {
		lo := max(0, hi-size)
		s, ok := r.Try(r.ctx, p.Without(r.s, lo, hi))
		if ok && r.ctx.Err() == nil {
			r.s, found = s, true
			if r.Found != nil {
				r.Found(s, p.Name)
			}
		}
		hi = min(lo, p.Units(r.s))
	}
	return found
}
