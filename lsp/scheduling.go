package lsp

import (
	"runtime"
	"time"

	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
)

// scheduling gives runs to the scheduler of the moment.
type scheduling struct {
	*core
	report    func(checks.Run, verify.Event) // called with the events of runs, in the queue
	scheduler *verify.Scheduler
	number    int         // of scheduler: how many have been started
	closing   int         // earlier schedulers in which something may still run
	preferred verify.ID   // where the user is
	resting   *time.Timer // ends typing; nil unless the user types
}

// close ends all runs.
func (r *scheduling) close() {
	if r.resting != nil {
		r.resting.Stop()
	}
	r.scheduler.Close()
}

func (r *scheduling) start() {
	r.number++
	number := r.number
	r.scheduler = verify.NewScheduler(r.ctx, r.settings.Workers, func(e verify.Event) {
		r.post(func() { r.report(checks.Run{Scheduler: number, Number: e.Run}, e) })
	})
	r.scheduler.Prefer(r.preferred)
	if r.opts.Workers != nil {
		r.opts.Workers(r.settings.Workers)
	}
}

// prefer puts a property before others in the queue.
func (r *scheduling) prefer(id verify.ID) {
	if r.preferred != id {
		r.preferred = id
		r.scheduler.Prefer(id)
	}
}

// typingRest is the time after the last key when checks may use all processors again.
const typingRest = time.Second

// leaveProcessor keeps one processor free of checks until typing
// rests.
func (r *scheduling) leaveProcessor() {
	if r.opts.Processors == nil {
		return
	}
	if r.resting == nil {
		r.opts.Processors(max(1, runtime.NumCPU()-1))
	} else {
		r.resting.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(typingRest, func() {
		r.post(func() {
			if r.resting == timer {
				r.resting = nil
				r.opts.Processors(runtime.NumCPU())
			}
		})
	})
	r.resting = timer
}
