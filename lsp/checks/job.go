package checks

import (
	"context"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/ic3/verify"
)

// Job is the question of a run. Its submitter gives it an engine.
type Job struct {
	verify.Job                      // its Property is the row in the text to be checked
	Fingerprint circuit.Fingerprint // of the cone
	Name        string              // of the property in that text
	Version     int32               // of that text

	place circuit.Property // of the slot
	text  Text             // the last one for which it was wanted
	// hasOwnLimit says that the user has chosen how long it may take.
	hasOwnLimit bool
}

// LimitTime makes a job take at most so much wall time and any processor time, whatever the
// settings become; 0 is no limit.
func (j *Job) LimitTime(wall time.Duration) {
	j.Limits.Wall, j.Limits.CPU, j.hasOwnLimit = wall, 0, true
}

// isAbout reports whether two jobs ask the same.
func (j *Job) isAbout(other Job) bool { return j.Fingerprint == other.Fingerprint }

// hasLemmas reports whether a job knows some lemmas.
func (j *Job) hasLemmas(lemmas []verify.Lemma) bool {
	if slices.EqualFunc(lemmas, j.Lemmas, func(l, own verify.Lemma) bool { return l.Fingerprint == own.Fingerprint }) {
		return true // most often
	}
	own := make(map[circuit.Fingerprint]bool, len(j.Lemmas))
	for _, l := range j.Lemmas {
		own[l.Fingerprint] = true
	}
	return !slices.ContainsFunc(lemmas, func(l verify.Lemma) bool { return !own[l.Fingerprint] })
}

// Prepare returns jobs for the properties that a text has, with its circuit, and that have no fault. When
// ctx ends there are none.
func Prepare(ctx context.Context, doc *design.Design, properties []circuit.Property) []Job {
	if doc.Elaborate(ctx) != nil {
		return nil
	}
	var jobs []Job
	common, lemmas := verify.NewCommon(doc.Circuit()), lemmasOf(doc)
	for _, p := range properties {
		if ctx.Err() != nil {
			return nil
		}
		row, exists := doc.Property(p)
		if !exists || design.FaultOfCheck(doc, p) != nil {
			continue
		}
		fingerprint, exists := doc.Fingerprint(p)
		if !exists { // in the circuit, which is that of no text or of another
			continue
		}
		jobs = append(jobs, Job{
			Job:         verify.Job{Circuit: doc.Circuit(), Property: p, Size: doc.ConeSize(p), Common: common, Lemmas: lemmas},
			Fingerprint: fingerprint, Name: row.Name, Version: doc.Version,
		})
	}
	if len(jobs) > 0 {
		latches, inputs := doc.ElementNames()
		for i := range jobs {
			jobs[i].Names = verify.Names{Latches: latches, Inputs: inputs}
		}
	}
	return jobs
}

// lemmasOf returns the lemmas of a text without those that have a fault.
func lemmasOf(doc *design.Design) (lemmas []verify.Lemma) {
	for _, p := range doc.Properties() {
		if p.ID.Kind != circuit.PropertyLemma || doc.Fault(p.ID) != nil {
			continue
		}
		if fingerprint, ok := doc.Fingerprint(p.ID); ok {
			lemmas = append(lemmas, verify.Lemma{Property: p.ID, Fingerprint: fingerprint})
		}
	}
	return lemmas
}

// withProofs returns lemmas with the proofs that are remembered of them.
func (v *verdicts) withProofs(lemmas []verify.Lemma) []verify.Lemma {
	known := slices.Clone(lemmas)
	for i, l := range known {
		if r, ok := v.results[l.Fingerprint]; ok && r.Checked.Outcome() == cert.Proved {
			known[i].Proof = &r
		}
	}
	return known
}

// settles reports whether a result leaves nothing to look for: one without an answer does
// when the lemmas of the text have been the same.
func (j *Job) settles(r verify.Result) bool {
	if r.Checked.Outcome() != cert.Unknown || r.Unsupported {
		return true
	}
	return slices.EqualFunc(j.Lemmas, r.Offered, func(l verify.Lemma, cone circuit.Fingerprint) bool { return l.Fingerprint == cone })
}
