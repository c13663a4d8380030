package lsp

import (
	"strings"
	"testing"
)

// TestWrongSettingsLeaveOthers: what has a wrong type is named, and the others hold.
func TestWrongSettingsLeaveOthers(t *testing.T) {
	s, err := settingsFromJSON([]byte(`{"aiglens": {"check": {"trigger": "manual", "timeout": "soon", "workers": 7},
		"hover": {"depth": "deep"}, "inlayHints": 5, "blif": {"badOutputs": ["wrong"], "oneStep": "yes"}, "format": {"onType": 3},
		"diagnostics": {"proved": "off"}}}`))
	for _, name := range []string{"check.timeout", "hover.depth", "inlayHints", "blif.oneStep", "format.onType"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
	want := defaultSettings()
	if s.trigger != manual || s.workers != 7 || s.run != want.run || s.hoverDepth != want.hoverDepth || s.proved != showOff || s.document.BLIF.Bad != "wrong" {
		t.Errorf("%+v", s)
	}
	if _, err := settingsFromJSON([]byte(`null`)); err != nil {
		t.Errorf("no settings: %v", err)
	}
}
