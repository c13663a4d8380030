package lsp

import (
	"encoding/json"
	"fmt"

	"aiglens/lsp/document"
)

// readingSettings say how much is shown beside the text.
type readingSettings struct {
	hintNames    bool // inlay hints: what literals are called
	hintSections bool // inlay hints: what rows are
	hoverDepth   int  // levels of gates in an expression
	document     document.Options
}

// maxHoverDepth bounds the setting: an expression doubles with each gate.
const maxHoverDepth = 10

func defaultReadingSettings() readingSettings {
	return readingSettings{hintNames: true, hintSections: true, hoverDepth: 3}
}

// readingSettingsFromJSON reads {"inlayHints": {"enabled", "names", "sections"},
// "hover": {"depth"}, "aiger": {"allowResetFunctions"}}.
func readingSettingsFromJSON(raw []byte) (readingSettings, error) {
	s := defaultReadingSettings()
	var file struct {
		InlayHints struct{ Enabled, Names, Sections *bool }
		Hover      struct{ Depth *int }
		Aiger      struct{ AllowResetFunctions bool }
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return s, fmt.Errorf("settings: %w", err)
	}
	s.document.ResetFunctions = file.Aiger.AllowResetFunctions
	isOn := func(b *bool) bool { return b == nil || *b }
	enabled := isOn(file.InlayHints.Enabled)
	s.hintNames = enabled && isOn(file.InlayHints.Names)
	s.hintSections = enabled && isOn(file.InlayHints.Sections)
	if d := file.Hover.Depth; d != nil {
		if *d < 1 || *d > maxHoverDepth {
			return s, fmt.Errorf("settings: hover.depth is %d, expected 1 to %d", *d, maxHoverDepth)
		}
		s.hoverDepth = *d
	}
	return s, nil
}
