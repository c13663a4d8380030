package checks

import (
	"context"
	"time"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/lsp/document"
)

// Job is what a run is to find out. Whoever submits it gives it an engine.
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

// LimitTime has a job take at most so much wall time and any processor time, whatever the
// settings become; 0 is no limit.
func (j *Job) LimitTime(wall time.Duration) {
	j.Limits.Wall, j.Limits.CPU, j.hasOwnLimit = wall, 0, true
}

// isAbout reports whether two jobs ask the same.
func (j *Job) isAbout(other Job) bool { return j.Fingerprint == other.Fingerprint }

// Prepare returns jobs for the properties that a text has, and that have no fault. When
// ctx ends there are none.
func Prepare(ctx context.Context, doc *document.Document, properties []circuit.Property) []Job {
	if doc.Elaborate(ctx) != nil {
		return nil
	}
	var jobs []Job
	common := verify.NewCommon(doc.Circuit())
	for _, p := range properties {
		if ctx.Err() != nil {
			return nil
		}
		row, exists := doc.Property(p)
		if !exists || doc.Fault(p) != nil {
			continue
		}
		fingerprint, _ := doc.Fingerprint(p)
		jobs = append(jobs, Job{
			Job:         verify.Job{Circuit: doc.Circuit(), Property: p, Size: doc.ConeSize(p), Common: common},
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
