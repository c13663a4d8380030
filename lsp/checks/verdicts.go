package checks

import (
	"maps"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// maxResults bounds the verdicts that are remembered for one file, with their
// certificates; for one with very many properties there are two of each.
const maxResults = 256

// verdicts are those of all versions of a file, so that an undo brings one back without
// a run.
type verdicts struct {
	results map[circuit.Fingerprint]verify.Result
	order   []circuit.Fingerprint // the keys of results, each once, oldest first
	// lost holds what is to be shown of runs that have lost their worker while the text
	// was being analysed, for the next analysis alone.
	lost map[circuit.Fingerprint]verify.Result
}

// remember keeps a verdict for texts to come. What no engine answers is known without,
// and what went wrong with a worker says nothing about the property: the next save tries
// again.
func (v *verdicts) remember(r verify.Result, limit int) {
	if r.Unsupported || r.Lost {
		return
	}
	if _, known := v.results[r.Fingerprint]; !known {
		v.order = append(v.order, r.Fingerprint)
	}
	v.results[r.Fingerprint] = r
	for len(v.order) > limit {
		delete(v.results, v.order[0])
		v.order = v.order[1:]
	}
}

// better returns what is known of a problem once a run has a result: running out of
// time, or of a worker, does not take back a proof, and another proof does not take back why
// the first one means little.
func (v *verdicts) better(r verify.Result) verify.Result {
	old, known := v.results[r.Fingerprint]
	switch {
	case !known || !old.Checked.Certified():
		return r
	case !r.Checked.Certified() && (r.Internal == nil || r.Lost):
		return old
	}
	return r.WithVacuityOf(old)
}

// ForgetUnknown drops the verdicts that say nothing, for runs that are to come with other
// limits or another engine. What the engine did not answer, the next one may.
func (f *File) ForgetUnknown() {
	for _, s := range f.slots {
		if s.last != nil && s.last.Unsupported {
			refused := *s.last
			refused.Unsupported = false
			s.last = &refused
		}
	}
	f.order = slices.DeleteFunc(f.order, func(fingerprint circuit.Fingerprint) bool {
		unknown := f.results[fingerprint].Checked.Outcome() == cert.Unknown
		if unknown {
			delete(f.results, fingerprint)
		}
		return unknown
	})
}

// Results returns the verdicts that an analysis is to relate to the text: those that
// are remembered, and what became of runs that have lost their worker since the last one.
func (f *File) Results() map[circuit.Fingerprint]verify.Result {
	all := maps.Clone(f.results)
	for fingerprint, r := range f.lost {
		if _, known := all[fingerprint]; !known {
			all[fingerprint] = r
		}
	}
	return all
}

// Kept returns a file that knows the verdicts of this one, and nothing else: what is left of one
// that goes.
func (f *File) Kept() *File {
	kept := New()
	kept.Inherit(f)
	return kept
}

// resultWeight is what a verdict takes besides its certificate, in units of Weight.
const resultWeight = 100

// Weight returns how many literals and values of inputs the verdicts have, which is what they take
// of the memory.
func (f *File) Weight() (n int) {
	for _, r := range f.results {
		clauses := r.Checked.Invariant()
		if ranking := r.Checked.Ranking(); ranking != nil {
			clauses = slices.Concat(slices.Concat(ranking.Ranks, ranking.Monotone)...)
		}
		for _, clause := range clauses {
			n += 1 + len(clause)
		}
		for _, inputs := range r.Checked.Trace().Inputs {
			n += 1 + len(inputs)
		}
		n += resultWeight
	}
	return n
}

// Recover adds what another file knows and this one does not. It reports whether there is anything.
// The text is then to be analysed once more.
func (f *File) Recover(before *File) (any bool) {
	for _, fingerprint := range before.order {
		if _, known := f.results[fingerprint]; !known {
			f.remember(before.results[fingerprint], f.limit())
			any = true
		}
	}
	return any
}

// Inherit takes over the verdicts of a file whose place this one takes.
func (f *File) Inherit(before *File) { f.verdicts = before.verdicts }
