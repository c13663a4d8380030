package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
)

// settings are what the user can change while the server runs. Absent members
// keep their default, not their previous value.
type settings struct {
	changeSettings
	checkSettings
	proved show // proved properties among the diagnostics
	readingSettings
}

// show says whether something is shown; auto leaves it to what the client can
// draw otherwise.
type show string

const (
	showAuto show = "auto"
	showOn   show = "on"
	showOff  show = "off"
)

func defaultSettings() settings {
	return settings{checkSettings: defaultCheckSettings(), proved: showAuto, readingSettings: defaultReadingSettings(), changeSettings: defaultChangeSettings()}
}

// settingsFromJSON reads {"check", "diagnostics": {"proved"}, …}, also below a
// member "aiglens". What has a wrong type or value is reported and left at its
// default.
func settingsFromJSON(raw []byte) (settings, error) {
	s := defaultSettings()
	var outer struct{ Aiglens json.RawMessage }
	if json.Unmarshal(raw, &outer) == nil && len(outer.Aiglens) > 0 {
		raw = outer.Aiglens
	}
	var file struct {
		Check       checkSettingsJSON
		Diagnostics struct{ Proved *show }
	}
	fileErr := decodeSettings(raw, &file)
	reading, err := readingSettingsFromJSON(raw)
	s.readingSettings = reading
	changing, changingErr := changeSettingsFromJSON(raw)
	s.changeSettings = changing
	checking, checkingErr := file.Check.settings()
	s.checkSettings = checking
	err = errors.Join(fileErr, err, changingErr, checkingErr)
	if p := file.Diagnostics.Proved; p != nil {
		switch *p {
		case showAuto, showOn, showOff:
			s.proved = *p
		default:
			err = errors.Join(err, fmt.Errorf("settings: diagnostics.proved is %q, expected auto, on or off", *p))
		}
	}
	return s, err
}
