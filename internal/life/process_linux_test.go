package life

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is what Linux says of one.
type process struct {
	id, parent, nice int
	isGone           bool
	cpu              int // hundredths of a second
}

// processOf reads proc(5) stat; ok is false when there is no such process.
func processOf(id int) (p process, ok bool) {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(id), "stat"))
	if err != nil {
		return p, false
	}
	// After the name in parentheses: state, parent, …
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	number := func(i int) int {
		n, _ := strconv.Atoi(fields[i])
		return n
	}
	return process{
		id: id, parent: number(1), isGone: fields[0] == "Z" || fields[0] == "X",
		cpu: number(11) + number(12), nice: number(16),
	}, true
}

// workers returns the processes that the server has started and that have not ended.
func (e *editor) workers() (all []process) {
	paths, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range paths {
		id, _ := strconv.Atoi(filepath.Base(path))
		if p, ok := processOf(id); ok && !p.isGone && p.parent == e.pid() {
			all = append(all, p)
		}
	}
	return all
}

// cpuOfWorkers returns the processor time that the workers have taken.
func (e *editor) cpuOfWorkers() (ticks int) {
	for _, p := range e.workers() {
		ticks += p.cpu
	}
	return ticks
}

func isGone(id int) bool {
	p, ok := processOf(id)
	return !ok || p.isGone
}

// busyWorkers waits until as many workers compute, and returns which.
func (e *editor) busyWorkers(want int) (ids []int) {
	e.t.Helper()
	before := map[int]process{} // each worker as it was first seen: one may just be starting
	e.until(fmt.Sprintf("%d busy workers", want), func() bool {
		ids = nil
		for _, now := range e.workers() {
			first, seen := before[now.id]
			if !seen {
				before[now.id] = now
			} else if !now.isGone && now.cpu-first.cpu > 3 {
				ids = append(ids, now.id)
			}
		}
		return len(ids) >= want
	})
	if len(ids) > want {
		e.t.Errorf("busy workers %v, expected %d", ids, want)
	}
	return ids
}

// awaitIdle waits until no worker computes any more, and logs how long that took. The
// aim is a second; the bound is for machines that have more to do.
func (e *editor) awaitIdle(since time.Time) {
	e.t.Helper()
	last, resting := e.cpuOfWorkers(), time.Now()
	for time.Since(resting) < 200*time.Millisecond {
		time.Sleep(5 * time.Millisecond)
		if now := e.cpuOfWorkers(); now > last+1 || now < last {
			last, resting = now, time.Now()
		}
		if time.Since(since) > patience {
			e.t.Fatal("the workers go on")
		}
	}
	took := resting.Sub(since)
	e.t.Logf("processor idle after %d ms", took.Milliseconds())
	if took > 5*time.Second {
		e.t.Errorf("the processor is busy for %s", took)
	}
}
