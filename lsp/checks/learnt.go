package checks

import (
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// learnt is what an earlier run leaves for the next one.
type learnt struct {
	earlier *verify.Earlier
	outcome cert.Outcome
}

// Learn keeps what a result leaves for the next run: at most one proof and one
// counterexample, the newer one first.
func (s *Slot) Learn(earlier *verify.Earlier, outcome cert.Outcome) {
	kept := []learnt{{earlier, outcome}}
	for _, old := range s.learnt {
		if old.outcome != outcome {
			kept = append(kept, old)
		}
	}
	s.learnt = kept
}

// equip gives a job what is known already. A verdict that is known is to be found once
// more, by nothing but a run.
func (f *File) equip(s *Slot, j Job) Job {
	j.Lemmas = f.withProofs(j.Lemmas)
	if r := f.results[j.Fingerprint]; r.Checked.Certified() {
		j.Cache = nil
		return j
	}
	j.Earlier = nil
	for _, l := range s.learnt {
		j.Earlier = append(j.Earlier, l.earlier)
	}
	return j
}
