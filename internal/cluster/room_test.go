package cluster

import (
	"testing"

	"aiglens/ic3/verify"
)

// TestRoom: checks that wait in the queue do not have their circuits in memory, and these come back with
// the answers, also when the server has lost them meanwhile.
func TestRoom(t *testing.T) {
	p := newPlace(t)
	p.times = mortal
	a := p.asker("me")
	a.room = verify.NewRoom(1) // for one check at a time
	const checks = 6
	results := make(chan verify.Result, checks)
	for i := range checks {
		go func() { results <- verify.Run(t.Context(), a.job(counter(4, 3+i, 9)), nil) }()
	}
	waiting := func() bool {
		jobs, err := a.kept().jobs.Info(t.Context())
		return err == nil && jobs.State.Msgs == checks
	}
	eventually(t, "all wait", waiting)
	for _, name := range []string{"aiglens_jobs", "KV_aiglens_claims", "aiglens_blobs"} {
		if err := a.js.DeleteStream(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "all wait again", waiting)
	p.node("n", 2, real)
	for range checks {
		if r := <-results; r.Checked.Reason() != "" || r.Internal != nil {
			t.Errorf("%+v", r)
		}
	}
}
