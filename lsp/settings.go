package lsp

import (
	"encoding/json"
	"fmt"
	"time"
)

// settings are what the user can change while the server runs. Absent members
// keep their default, not their previous value.
type settings struct {
	changeSettings
	trigger trigger
	timeout time.Duration // wall time of one check; 0 is no limit
	memory  int64         // limit on the memory of a check, in bytes; 0 is none
	workers int           // checks at once
	proved  show          // proved properties among the diagnostics
	readingSettings
}

// trigger says what starts a check.
type trigger string

const (
	onSave trigger = "onSave"
	manual trigger = "manual"
)

// show says whether something is shown; auto leaves it to what the client can
// draw otherwise.
type show string

const (
	showAuto show = "auto"
	showOn   show = "on"
	showOff  show = "off"
)

const megabyte = 1 << 20

func defaultSettings() settings {
	return settings{trigger: onSave, timeout: time.Minute, memory: 4096 * megabyte, workers: 2, proved: showAuto, readingSettings: defaultReadingSettings(), changeSettings: defaultChangeSettings()}
}

// settingsFromJSON reads {"check": {"trigger", "timeout", "memory", "workers"},
// "diagnostics": {"proved"}}, also below a member "aiglens". Timeouts are in
// seconds, memory in megabytes. What has a wrong type or value is reported and left at its default.
func settingsFromJSON(raw []byte) (settings, error) {
	s := defaultSettings()
	var outer struct{ Aiglens json.RawMessage }
	if json.Unmarshal(raw, &outer) == nil && len(outer.Aiglens) > 0 {
		raw = outer.Aiglens
	}
	var file struct {
		Check struct {
			Trigger *trigger
			Timeout *float64
			Memory  *int64
			Workers *int
		}
		Diagnostics struct{ Proved *show }
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return s, fmt.Errorf("settings: %w", err)
	}
	reading, err := readingSettingsFromJSON(raw)
	s.readingSettings = reading
	changing, changingErr := changeSettingsFromJSON(raw)
	s.changeSettings = changing
	if changingErr != nil {
		err = changingErr
	}
	if t := file.Check.Trigger; t != nil {
		if *t == onSave || *t == manual {
			s.trigger = *t
		} else {
			err = fmt.Errorf("settings: check.trigger is %q, expected onSave or manual", *t)
		}
	}
	if t := file.Check.Timeout; t != nil {
		if *t >= 0 && *t < 1e9 {
			s.timeout = time.Duration(*t * float64(time.Second))
		} else {
			err = fmt.Errorf("settings: check.timeout is %g, expected seconds", *t)
		}
	}
	if m := file.Check.Memory; m != nil {
		if *m >= 0 && *m < 1e9 {
			s.memory = *m * megabyte
		} else {
			err = fmt.Errorf("settings: check.memory is %d, expected megabytes", *m)
		}
	}
	if w := file.Check.Workers; w != nil {
		if *w > 0 {
			s.workers = *w
		} else {
			err = fmt.Errorf("settings: check.workers is %d, expected at least 1", *w)
		}
	}
	if p := file.Diagnostics.Proved; p != nil {
		switch *p {
		case showAuto, showOn, showOff:
			s.proved = *p
		default:
			err = fmt.Errorf("settings: diagnostics.proved is %q, expected auto, on or off", *p)
		}
	}
	return s, err
}
