package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"aiglens/lsp/document"
)

// Reading says how much is shown beside the text.
type Reading struct {
	HintNames    bool // inlay hints: what literals are called
	HintSections bool // inlay hints: what rows are
	HoverDepth   int  // levels of gates in an expression
	Document     document.Options
}

// maxHoverDepth bounds the setting: an expression doubles with each gate.
const maxHoverDepth = 10

func defaultReading() Reading {
	return Reading{HintNames: true, HintSections: true, HoverDepth: 3}
}

// optionsFromJSON reads the members of formats that have settings. Of a format whose
// settings are the usual ones the options say nothing.
func optionsFromJSON(raw []byte, formats document.Formats) (document.Options, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return document.Options{}, nil // as whoever reads the others says
	}
	var opts document.Options
	var wrong []error
	for _, f := range formats {
		if f.Settings == nil {
			continue
		}
		own := f.Settings()
		for name, value := range members {
			if strings.EqualFold(name, f.Language()) && string(value) != "null" {
				wrong = append(wrong, decodeFields(value, reflect.ValueOf(own).Elem(), name+"."))
			}
		}
		if option := own.Option(); option != f.Settings().Option() {
			opts = opts.With(f, option)
		}
	}
	return opts, errors.Join(wrong...)
}

// readingFromJSON reads {"inlayHints": {"enabled", "names", "sections"},
// "hover": {"depth"}}, and what belongs to formats.
func readingFromJSON(raw []byte, formats document.Formats) (Reading, error) {
	s := defaultReading()
	var file struct {
		InlayHints struct{ Enabled, Names, Sections *bool }
		Hover      struct{ Depth *int }
	}
	err := decodeMembers(raw, &file)
	opts, optsErr := optionsFromJSON(raw, formats)
	s.Document, err = opts, errors.Join(err, optsErr)
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
