//go:build !unix

package verify

import (
	"runtime/metrics"
	"time"
)

// cpuTime returns an estimate of the CPU time that the process has used in Go
// code.
func cpuTime() time.Duration {
	sample := []metrics.Sample{{Name: "/cpu/classes/user:cpu-seconds"}}
	metrics.Read(sample)
	return time.Duration(sample[0].Value.Float64() * float64(time.Second))
}
