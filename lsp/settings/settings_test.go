package settings

import (
	"strings"
	"testing"

	"aiglens/lsp/document/blifdoc"
	"aiglens/lsp/formats"
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
	if s.Trigger != Manual || s.Workers != 7 || s.Run != want.Run || s.HoverDepth != want.HoverDepth || s.Proved != ShowOff || blifdoc.OptionOf(s.Document).Bad != "wrong" {
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
