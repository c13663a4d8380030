package lsp

import (
	"errors"
	"fmt"
	"time"

	"aiglens/ic3/verify"
)

// checkSettings say when and how properties are checked.
type checkSettings struct {
	trigger trigger
	delay   time.Duration // without typing, before a check onType
	workers int           // checks at once
	cache   bool          // results are kept on disk
	run     runSettings
}

// runSettings are what a run depends on: one under way starts over with others.
type runSettings struct {
	limits verify.Limits
	engine Engine
}

// Engine chooses an engine and its solver in the words of the command line.
type Engine struct {
	Name   string // auto or ic3
	Solver string // core or gini
}

// trigger says what starts a check.
type trigger string

const (
	onSave      trigger = "onSave"
	whileTyping trigger = "onType"
	manual      trigger = "manual"
)

const megabyte = 1 << 20

func defaultCheckSettings() checkSettings {
	return checkSettings{
		trigger: onSave, delay: 500 * time.Millisecond, workers: 2, cache: true,
		run: runSettings{verify.Limits{Wall: time.Minute, Memory: 4096 * megabyte}, Engine{"auto", "core"}},
	}
}

// checkSettingsJSON are the settings as they are written: the delay in
// milliseconds, limits in seconds and megabytes.
type checkSettingsJSON struct {
	Trigger             *trigger
	Delay, Timeout, CPU *float64
	Memory              *int64
	Workers             *int
	Engine, Solver      *string
	Cache               *bool
}

func (j checkSettingsJSON) settings() (checkSettings, error) {
	s := defaultCheckSettings()
	var wrong []error
	reject := func(name string, value any, expected string) {
		wrong = append(wrong, fmt.Errorf("settings: check.%s is %v, expected %s", name, value, expected))
	}
	duration := func(name string, value *float64, unit time.Duration, expected string, to *time.Duration) {
		switch {
		case value == nil:
		case *value >= 0 && *value < 1e9:
			*to = time.Duration(*value * float64(unit))
		default:
			reject(name, *value, expected)
		}
	}
	oneOf := func(name string, value *string, to *string, words ...string) {
		if value == nil {
			return
		}
		for _, w := range words {
			if *value == w {
				*to = w
				return
			}
		}
		reject(name, fmt.Sprintf("%q", *value), words[0]+" or "+words[1])
	}
	if t := j.Trigger; t != nil {
		switch *t {
		case onSave, whileTyping, manual:
			s.trigger = *t
		default:
			reject("trigger", fmt.Sprintf("%q", *t), "onSave, onType or manual")
		}
	}
	duration("delay", j.Delay, time.Millisecond, "milliseconds", &s.delay)
	duration("timeout", j.Timeout, time.Second, "seconds", &s.run.limits.Wall)
	duration("cpu", j.CPU, time.Second, "seconds", &s.run.limits.CPU)
	if m := j.Memory; m != nil {
		if *m >= 0 && *m < 1e9 {
			s.run.limits.Memory = *m * megabyte
		} else {
			reject("memory", *m, "megabytes")
		}
	}
	if w := j.Workers; w != nil {
		if *w > 0 {
			s.workers = min(*w, maxWorkers)
		} else {
			reject("workers", *w, "at least 1")
		}
	}
	oneOf("engine", j.Engine, &s.run.engine.Name, "auto", "ic3")
	oneOf("solver", j.Solver, &s.run.engine.Solver, "core", "gini")
	if j.Cache != nil {
		s.cache = *j.Cache
	}
	return s, errors.Join(wrong...)
}

// maxWorkers bounds the setting: each has a process of its own.
const maxWorkers = 256
