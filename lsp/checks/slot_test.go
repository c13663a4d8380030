package checks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp/ide"
)

// claimed returns an engine that says what it is told to.
func claimed(v cert.Verdict) verify.Engine {
	return verify.Engine{Name: "claimed", Safety: true, Check: func(context.Context, verify.Task) verify.Report {
		return verify.Report{Verdict: v}
	}}
}

// proof is a result that has passed its check, of a circuit whose bad is never reached.
var proof = func() verify.Result {
	b := circuit.NewBuilder(0)
	b.Bad(circuit.False, 0)
	return verify.Run(context.Background(), verify.Job{Circuit: b.Build(), Engine: claimed(cert.Verdict{Outcome: cert.Proved})}, nil)
}()

// unknown is a result without an answer.
var unknown = verify.Result{Checked: cert.CheckedUnknown(circuit.Property{}, "timeout", 1)}

// fingerprint returns one of several that differ.
func fingerprint(n int) circuit.Fingerprint {
	return circuit.Fingerprint{0: byte(n), 1: byte(n >> 8), 31: 1}
}

func bad(i int) circuit.Property { return circuit.Property{Index: i} }

func jobAbout(n int) Job {
	return Job{Fingerprint: fingerprint(n), Name: fmt.Sprint("cone ", n)}
}

// tableStates are ways into each state, with and without a request of the user.
var tableStates = []struct {
	name   string
	events []Event
}{
	{"idle", nil},
	{"preparing", []Event{Asked{1}}},
	{"recalled", []Event{Opened{jobAbout(1)}, Accepted{Run{1, 1}}}},
	{"recalled, no scheduler", []Event{Opened{jobAbout(1)}}},
	{"recalled and asked", []Event{Opened{jobAbout(1)}, Accepted{Run{1, 1}}, Asked{1}}},
	{"queued", []Event{Saved{jobAbout(1)}, Accepted{Run{1, 1}}}},
	{"queued, no scheduler", []Event{Saved{jobAbout(1)}}},
	{"queued and asked", []Event{Saved{jobAbout(1)}, Accepted{Run{1, 1}}, Asked{1}}},
	{"running", []Event{Saved{jobAbout(1)}, Accepted{Run{1, 1}}, Progressed{Run: Run{1, 1}}}},
	{"running and asked", []Event{Saved{jobAbout(1)}, Accepted{Run{1, 1}}, Progressed{Run: Run{1, 1}}, Asked{1}}},
	{"relating", []Event{Saved{jobAbout(1)}, Accepted{Run{1, 1}}, Progressed{Run: Run{1, 1}}, Finished{Run{1, 1}, proof}}},
	{"relating and asked", []Event{Saved{jobAbout(1)}, Accepted{Run{1, 1}}, Asked{1}, Finished{Run{1, 1}, proof}}},
	{"relating a recall", []Event{Opened{jobAbout(1)}, Accepted{Run{1, 1}}, Finished{Run{1, 1}, proof}}},
	{"relating a recall and asked", []Event{Opened{jobAbout(1)}, Accepted{Run{1, 1}}, Asked{1}, Finished{Run{1, 1}, proof}}},
}

var tableEvents = []struct {
	name  string
	event Event
}{
	{"asked", Asked{2}},
	{"answered", Answered{1, jobAbout(1)}},
	{"answered, another cone", Answered{1, jobAbout(2)}},
	{"answered, an earlier request", Answered{7, jobAbout(1)}},
	{"refused", Refused{1}},
	{"refused, an earlier request", Refused{7}},
	{"saved", Saved{jobAbout(1)}},
	{"saved, another cone", Saved{jobAbout(2)}},
	{"outdated", Outdated{}},
	{"opened", Opened{jobAbout(1)}},
	{"accepted", Accepted{Run{1, 9}}},
	{"progressed", Progressed{Run: Run{1, 1}}},
	{"progressed, an earlier run", Progressed{Run: Run{1, 7}}},
	{"finished, proved", Finished{Run{1, 1}, proof}},
	{"finished, unknown", Finished{Run{1, 1}, unknown}},
	{"finished, an earlier run", Finished{Run{1, 7}, proof}},
	{"related", Related{Run{1, 1}}},
	{"related, an earlier run", Related{Run{1, 7}}},
	{"stopped", Stopped{}},
	{"moved", Moved{bad(5)}},
	{"scheduler replaced", SchedulerReplaced{}},
	{"scheduler ready", SchedulerReady{}},
	{"renewed", Renewed{verify.Limits{Memory: 1}}},
}

// TestEveryStateAndEvent compares what every event leads to in every state with the
// table in testdata. What changes nothing has no line there.
func TestEveryStateAndEvent(t *testing.T) {
	var table strings.Builder
	for _, from := range tableStates {
		fmt.Fprintf(&table, "%s\n", from.name)
		for _, with := range tableEvents {
			s := &Slot{place: bad(3)}
			for _, e := range from.events {
				s.On(e)
				s.check(t)
			}
			before := s.describe()
			effects := s.On(with.event)
			s.check(t)
			if after := s.describe(); after != before || len(effects) > 0 {
				fmt.Fprintf(&table, "\t%-30s → %s%s\n", with.name, after, effectsString(effects))
			}
		}
	}
	path := filepath.Join("testdata", "slot.txt")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if table.String() != string(want) {
		t.Errorf("%s says otherwise:\n%s", path, &table)
	}
}

// describe says where a slot stands.
func (s *Slot) describe() string {
	words := s.state.String()
	if s.isScheduled() && s.run == (Run{}) {
		words += ", no scheduler"
	}
	if s.state == Relating && s.job.Recall {
		words += " a recall"
	}
	if s.request != 0 {
		words += fmt.Sprintf(", request %d", s.request)
	}
	if s.hasRun() {
		words += ", " + s.job.Name
	}
	if s.last != nil {
		words += ", verdict"
	}
	return words
}

func effectsString(effects []Effect) string {
	var words strings.Builder
	for _, e := range effects {
		name := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", e), "checks."))
		switch e := e.(type) {
		case Show:
			if e.Soon {
				name += " soon"
			}
		case Cancel:
			name = fmt.Sprint(name, " ", e.Property)
		case Submit:
			name = fmt.Sprint(name, " ", e.Property)
		}
		fmt.Fprintf(&words, "; %s", name)
	}
	return words.String()
}

// check fails where a slot does not keep to the invariants of its fields.
func (s *Slot) check(t testing.TB) {
	t.Helper()
	if err := s.broken(); err != nil {
		t.Error(err)
	}
}

// broken returns the first invariant of the fields that does not hold.
func (s *Slot) broken() error {
	resting := s.state == Idle || s.state == Preparing
	for _, invariant := range []struct {
		formula string
		holds   bool
	}{
		{"Preparing ⇒ request ≠ 0", s.state != Preparing || s.request != 0},
		{"Idle ⇒ request = 0", s.state != Idle || s.request == 0},
		{"Idle, Preparing ⇒ run = 0", !resting || s.run == Run{}},
		{"Running, Relating ⇒ run ≠ 0", s.state != Running && s.state != Relating || s.run != Run{}},
		{"Idle, Preparing ⇔ job is zero", resting == (s.job.Name == "" && s.job.Fingerprint == circuit.Fingerprint{})},
		{"Recalled ⇒ job.Recall", s.state != Recalled || s.job.Recall},
		{"Queued, Running ⇒ ¬job.Recall", s.state != Queued && s.state != Running || !s.job.Recall},
		{"found ≠ nil ⇔ Relating", (s.found != nil) == (s.state == Relating)},
		{"progress is zero unless Running", s.state == Running || s.progress == verify.Progress{}},
		{"Running ⇔ checking, but for Relating", s.state == Relating || (s.state == Running) == (s.Activity() == ide.Checking)},
	} {
		if !invariant.holds {
			return fmt.Errorf("%s: not %s", s.describe(), invariant.formula)
		}
	}
	return nil
}
