package settings

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// Check says when and how properties are checked.
type Check struct {
	Trigger Trigger
	Delay   time.Duration // without typing, before a check onType
	Workers int           // checks at once
	Cache   bool          // results are kept on disk
	Run     Run
	// Advice is the wall time for one search for lemmas, hard latches or another counterexample; 0 is no limit.
	Advice time.Duration
}

// Run is what a run depends on: one under way starts over with others.
type Run struct {
	Limits verify.Limits
	Engine engines.Spec
}

// Trigger says what starts a check.
type Trigger string

// The triggers.
const (
	OnSave      Trigger = "onSave"
	WhileTyping Trigger = "onType"
	Manual      Trigger = "manual"
)

const megabyte = 1 << 20

func defaultCheck() Check {
	engine := engines.Default()
	engine.Jobs = min(runtime.NumCPU(), maxJoined)
	return Check{
		Trigger: OnSave, Delay: 500 * time.Millisecond, Workers: 2, Cache: true, Advice: time.Minute,
		Run: Run{verify.Limits{Wall: verify.DefaultWall, Memory: 4096 * megabyte}, engine},
	}
}

// checkJSON holds the settings as they are written: the delay in
// milliseconds, limits in seconds and megabytes.
type checkJSON struct {
	Trigger             *Trigger
	Delay, Timeout, CPU *float64
	AdviceTimeout       *float64
	Memory              *int64
	Workers, Jobs       *int
	Engine, Solver      *string
	Cache               *bool
}

func (j checkJSON) settings() (Check, error) {
	s := defaultCheck()
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
		reject(name, fmt.Sprintf("%q", *value), strings.Join(words, " or "))
	}
	if t := j.Trigger; t != nil {
		switch *t {
		case OnSave, WhileTyping, Manual:
			s.Trigger = *t
		default:
			reject("trigger", fmt.Sprintf("%q", *t), "onSave, onType or manual")
		}
	}
	duration("delay", j.Delay, time.Millisecond, "milliseconds", &s.Delay)
	duration("timeout", j.Timeout, time.Second, "seconds", &s.Run.Limits.Wall)
	duration("cpu", j.CPU, time.Second, "seconds", &s.Run.Limits.CPU)
	duration("adviceTimeout", j.AdviceTimeout, time.Second, "seconds", &s.Advice)
	if m := j.Memory; m != nil {
		if *m >= 0 && *m < 1e9 {
			s.Run.Limits.Memory = *m * megabyte
		} else {
			reject("memory", *m, "megabytes")
		}
	}
	if w := j.Workers; w != nil {
		if *w > 0 {
			s.Workers = min(*w, maxWorkers)
		} else {
			reject("workers", *w, "at least 1")
		}
	}
	oneOf("engine", j.Engine, &s.Run.Engine.Engine, engines.Names()...)
	s.Run.Engine.Jobs = 0
	jobs := runtime.NumCPU()
	if n := j.Jobs; n != nil && *n != 0 {
		if *n > 0 {
			jobs = min(*n, jobs)
		} else {
			reject("jobs", *n, "0 or more")
		}
	}
	switch s.Run.Engine.Engine {
	case engines.Portfolio:
		s.Run.Engine.Jobs = min(jobs, engines.MaxJobs)
	case engines.Default().Engine:
		s.Run.Engine.Jobs = min(jobs, maxJoined)
	}
	oneOf("solver", j.Solver, &s.Run.Engine.Solver, engines.SolverNames()...)
	if j.Cache != nil {
		s.Cache = *j.Cache
	}
	return s, errors.Join(wrong...)
}

// maxJoined bounds the engines of a check by the default engine: each holds its own clauses.
const maxJoined = 4

// maxWorkers bounds the setting: each has a process of its own.
const maxWorkers = 256
