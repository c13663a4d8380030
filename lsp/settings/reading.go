package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"aiglens/design"
)

// Reading says how much is shown beside the text.
type Reading struct {
	HintNames    bool // inlay hints: what literals are called
	HintSections bool // inlay hints: what rows are
	HintLayout   Layout
	HintDepth    int // levels of gates in an expression at the end of a row
	HoverDepth   int // levels of gates in an expression of a hover
	Document     design.Options
}

// Layout says where the hints of a text of numbers stand.
type Layout string

// The layouts.
const (
	EndOfLine  Layout = "endOfLine"  // one at the end of each row, all from one column on
	Between    Layout = "between"    // after each number
	CursorLine Layout = "cursorLine" // after each number of the row where the user is
)

// MaxDepth bounds the settings: an expression doubles with each gate.
const MaxDepth = 10

func defaultReading() Reading {
	return Reading{HintNames: true, HintSections: true, HintLayout: EndOfLine, HintDepth: 2, HoverDepth: 3}
}

// optionsFromJSON reads the members of formats that have settings. Of a format whose
// settings are the usual ones the options say nothing.
func optionsFromJSON(raw []byte, formats design.Formats) (design.Options, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return design.Options{}, nil // the reader of the other settings reports it
	}
	var opts design.Options
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

// readingFromJSON reads {"inlayHints": {"enabled", "names", "sections", "layout",
// "depth"}, "hover": {"depth"}, "words": {"ignoredForms"}}, and what belongs to formats.
func readingFromJSON(raw []byte, formats design.Formats) (Reading, error) {
	s := defaultReading()
	var file struct {
		InlayHints struct {
			Enabled, Names, Sections *bool
			Layout                   *Layout
			Depth                    *int
		}
		Hover struct{ Depth *int }
		Words struct{ IgnoredForms []string }
	}
	membersErr := decodeMembers(raw, &file)
	opts, optsErr := optionsFromJSON(raw, formats)
	forms, formsErr := design.WordFormsOf(file.Words.IgnoredForms)
	if formsErr != nil {
		formsErr = fmt.Errorf("settings: words.ignoredForms: %w", formsErr)
	}
	s.Document = opts.WithoutWords(forms)
	isOn := func(b *bool) bool { return b == nil || *b }
	enabled := isOn(file.InlayHints.Enabled)
	s.HintNames = enabled && isOn(file.InlayHints.Names)
	s.HintSections = enabled && isOn(file.InlayHints.Sections)
	var layoutErr error
	if l := file.InlayHints.Layout; l != nil {
		switch *l {
		case EndOfLine, Between, CursorLine:
			s.HintLayout = *l
		default:
			layoutErr = fmt.Errorf("settings: inlayHints.layout is %q, expected endOfLine, between or cursorLine", *l)
		}
	}
	hintErr := depthFrom("inlayHints.depth", file.InlayHints.Depth, &s.HintDepth)
	hoverErr := depthFrom("hover.depth", file.Hover.Depth, &s.HoverDepth)
	return s, errors.Join(membersErr, optsErr, formsErr, layoutErr, hintErr, hoverErr)
}

func depthFrom(name string, value, to *int) error {
	if value == nil {
		return nil
	}
	if *value < 1 || *value > MaxDepth {
		return fmt.Errorf("settings: %s is %d, expected 1 to %d", name, *value, MaxDepth)
	}
	*to = *value
	return nil
}
