//go:build !linux

package bench

import "syscall"

func endWithParent(*syscall.SysProcAttr) {}

// resident is not known here: only checkers that keep a memory limit by
// themselves have one.
func resident(int) int64 { return 0 }

// Runs cannot be tied to a processor here.
func availableCores() []int { return nil }
func pin(int) error         { return nil }
