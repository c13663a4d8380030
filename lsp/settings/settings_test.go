package settings

import (
	"runtime"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/design/formats"
)

// TestWrongSettingsLeaveOthers: what has a wrong type is named, and the others hold.
func TestWrongSettingsLeaveOthers(t *testing.T) {
	s, err := FromJSON([]byte(`{"aiglens": {"check": {"trigger": "manual", "timeout": "soon", "workers": 7},
		"hover": {"depth": "deep"}, "inlayHints": 5, "blif": {"badOutputs": ["wrong"], "oneStep": "yes"}, "format": {"onType": 3},
		"diagnostics": {"proved": "off"}}}`), formats.All())
	for _, name := range []string{"check.timeout", "hover.depth", "inlayHints", "blif.oneStep", "format.onType"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
	want := Default()
	if s.Trigger != Manual || s.Workers != 7 || s.Run != want.Run || s.HoverDepth != want.HoverDepth || s.Proved != ShowOff || blifdesign.OptionOf(s.Document).Bad != "wrong" {
		t.Errorf("%+v", s)
	}
	s, err = FromJSON([]byte(`{"inlayHints": {"layout": "above", "depth": 0, "sections": false}}`), formats.All())
	if err == nil || !strings.Contains(err.Error(), "inlayHints.layout") || !strings.Contains(err.Error(), "inlayHints.depth") {
		t.Errorf("layout and depth are not named: %v", err)
	}
	if s.HintLayout != EndOfLine || s.HintDepth != want.HintDepth || s.HintSections {
		t.Errorf("%+v", s)
	}
	if _, err := FromJSON([]byte(`null`), formats.All()); err != nil {
		t.Errorf("no settings: %v", err)
	}
}

// TestJobs: a portfolio and the default engine have as many jobs as are set, but no more than there are
// processors; other engines have none.
func TestJobs(t *testing.T) {
	for _, test := range []struct {
		text   string
		most   int // jobs
		exists bool
		wrong  string
	}{
		{`{"check": {"jobs": 3}}`, min(3, runtime.NumCPU()), true, ""},
		{`{}`, min(maxJoined, runtime.NumCPU()), true, ""},
		{`{"check": {"engine": "ic3", "jobs": 3}}`, 0, false, ""},
		{`{"check": {"engine": "portfolio"}}`, runtime.NumCPU(), true, ""},
		{`{"check": {"engine": "portfolio", "jobs": 1}}`, 1, true, ""},
		{`{"check": {"engine": "portfolio", "jobs": 1000, "workers": 1}}`, runtime.NumCPU(), true, ""},
		{`{"check": {"engine": "portfolio", "jobs": -1}}`, runtime.NumCPU(), true, "check.jobs"},
	} {
		s, err := FromJSON([]byte(test.text), formats.All())
		if (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %v, want %q", test.text, err, test.wrong)
		}
		jobs := s.Run.Engine.Jobs
		if jobs > test.most || (jobs > 0) != test.exists {
			t.Errorf("%s: %d jobs on %d processors", test.text, jobs, runtime.NumCPU())
		}
		if err := s.Run.Engine.Validate(); err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
	}
}

// TestIgnoredForms: a form that there is not is reported, and leaves the others as they are.
func TestIgnoredForms(t *testing.T) {
	s, err := FromJSON([]byte(`{"words": {"ignoredForms": ["digits", "."]}}`), nil)
	if err != nil || s.Document.WordForms() != design.WordDigits|design.WordPoint {
		t.Errorf("%v, %v", s.Document.WordForms(), err)
	}
	s, err = FromJSON([]byte(`{"words": {"ignoredForms": ["digit"]}}`), nil)
	if err == nil || !strings.Contains(err.Error(), `words.ignoredForms: there is no form "digit" of the names of bits; did you mean digits?`) || s != Default() {
		t.Errorf("%v", err)
	}
}
