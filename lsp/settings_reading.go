package lsp

import (
	"errors"
	"fmt"
	"strings"

	"aiglens/lsp/document"
)

// readingSettings say how much is shown beside the text.
type readingSettings struct {
	hintNames    bool // inlay hints: what literals are called
	hintSections bool // inlay hints: what rows are
	hoverDepth   int  // levels of gates in an expression
	document     document.Options
	genlib       string // path of a cell library
}

// maxHoverDepth bounds the setting: an expression doubles with each gate.
const maxHoverDepth = 10

func defaultReadingSettings() readingSettings {
	return readingSettings{hintNames: true, hintSections: true, hoverDepth: 3}
}

// blifSettings are {"badOutputs", "assertOutputs", "assumeOutputs",
// "outputLimit", "combinationalOutputs", "freeUndriven", "oneStep", "genlib"}.
type blifSettings struct {
	Genlib                                      string
	BadOutputs, AssertOutputs, AssumeOutputs    []string
	OutputLimit                                 *int
	CombinationalOutputs, FreeUndriven, OneStep bool
}

// options converts the settings. Without any pattern names say nothing, while
// absent lists stand for the usual patterns. A limit of 0 is none of the outputs, which
// blif.PropertyOptions say with a negative number.
func (s blifSettings) options() document.BLIFOptions {
	o := document.BLIFOptions{
		Bad: strings.Join(s.BadOutputs, " "), Assert: strings.Join(s.AssertOutputs, " "), Assume: strings.Join(s.AssumeOutputs, " "),
		Combinational: s.CombinationalOutputs, CutUndriven: s.FreeUndriven, OneStep: s.OneStep,
	}
	given := s.BadOutputs != nil && s.AssertOutputs != nil && s.AssumeOutputs != nil
	o.NoNames = given && len(s.BadOutputs)+len(s.AssertOutputs)+len(s.AssumeOutputs) == 0
	if limit := s.OutputLimit; limit != nil {
		o.OutputLimit = *limit
		if *limit <= 0 {
			o.OutputLimit = -1
		}
	}
	return o
}

// readingSettingsFromJSON reads {"inlayHints": {"enabled", "names", "sections"},
// "hover": {"depth"}, "aiger": {"allowResetFunctions"}, "blif": {…}}.
func readingSettingsFromJSON(raw []byte) (readingSettings, error) {
	s := defaultReadingSettings()
	var file struct {
		InlayHints struct{ Enabled, Names, Sections *bool }
		Hover      struct{ Depth *int }
		Aiger      struct{ AllowResetFunctions bool }
		Blif       blifSettings
	}
	err := decodeSettings(raw, &file)
	s.document.ResetFunctions = file.Aiger.AllowResetFunctions
	s.document.BLIF, s.genlib = file.Blif.options(), file.Blif.Genlib
	isOn := func(b *bool) bool { return b == nil || *b }
	enabled := isOn(file.InlayHints.Enabled)
	s.hintNames = enabled && isOn(file.InlayHints.Names)
	s.hintSections = enabled && isOn(file.InlayHints.Sections)
	if d := file.Hover.Depth; d != nil {
		if *d < 1 || *d > maxHoverDepth {
			return s, errors.Join(err, fmt.Errorf("settings: hover.depth is %d, expected 1 to %d", *d, maxHoverDepth))
		}
		s.hoverDepth = *d
	}
	return s, err
}
