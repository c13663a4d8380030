//go:build !unix

package bench

import (
	"os"
	"os/exec"
)

// Only checkers that keep a CPU limit by themselves have one here.
func limited(_ Limits, argv []string) []string { return argv }

func setAttributes(*exec.Cmd) {}

func peakMemory(*os.ProcessState) int64 { return 0 }
