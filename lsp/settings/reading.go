package settings

import (
	"errors"
	"fmt"
	"strings"

	"aiglens/lsp/document"
)

// Reading says how much is shown beside the text.
type Reading struct {
	HintNames    bool // inlay hints: what literals are called
	HintSections bool // inlay hints: what rows are
	HoverDepth   int  // levels of gates in an expression
	Document     document.Options
	Genlib       string // path of a cell library
}

// maxHoverDepth bounds the setting: an expression doubles with each gate.
const maxHoverDepth = 10

func defaultReading() Reading {
	return Reading{HintNames: true, HintSections: true, HoverDepth: 3}
}

// blifJSON is {"badOutputs", "assertOutputs", "assumeOutputs",
// "outputLimit", "combinationalOutputs", "freeUndriven", "oneStep", "genlib"}.
type blifJSON struct {
	Genlib                                      string
	BadOutputs, AssertOutputs, AssumeOutputs    []string
	OutputLimit                                 *int
	CombinationalOutputs, FreeUndriven, OneStep bool
}

// options converts the settings. Without any pattern names say nothing, while
// absent lists stand for the usual patterns. A limit of 0 is none of the outputs, which
// blif.PropertyOptions say with a negative number.
func (s blifJSON) options() document.BLIFOptions {
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

// readingFromJSON reads {"inlayHints": {"enabled", "names", "sections"},
// "hover": {"depth"}, "aiger": {"allowResetFunctions"}, "blif": {…}}.
func readingFromJSON(raw []byte) (Reading, error) {
	s := defaultReading()
	var file struct {
		InlayHints struct{ Enabled, Names, Sections *bool }
		Hover      struct{ Depth *int }
		Aiger      struct{ AllowResetFunctions bool }
		Blif       blifJSON
	}
	err := decodeMembers(raw, &file)
	s.Document.ResetFunctions = file.Aiger.AllowResetFunctions
	s.Document.BLIF, s.Genlib = file.Blif.options(), file.Blif.Genlib
	isOn := func(b *bool) bool { return b == nil || *b }
	enabled := isOn(file.InlayHints.Enabled)
	s.HintNames = enabled && isOn(file.InlayHints.Names)
	s.HintSections = enabled && isOn(file.InlayHints.Sections)
	if d := file.Hover.Depth; d != nil {
		if *d < 1 || *d > maxHoverDepth {
			return s, errors.Join(err, fmt.Errorf("settings: hover.depth is %d, expected 1 to %d", *d, maxHoverDepth))
		}
		s.HoverDepth = *d
	}
	return s, err
}
