//go:build !linux

package syntax

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
