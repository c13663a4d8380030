//go:build !linux

package aiger

import "time"

var start = time.Now()

// cpuTime returns the wall clock where the time of a thread is not known.
func cpuTime() time.Duration { return time.Since(start) }
