//go:build !unix

package shared

import (
	"testing"
	"time"
)

// CPUTime skips the test: the processor time of the process is not known here.
func CPUTime(t testing.TB) time.Duration {
	t.Skip("the processor time of the process is not known")
	return 0
}
