//go:build !windows

package worker

import "syscall"

// attributes are none: the worker lowers its priority itself.
func attributes() *syscall.SysProcAttr { return nil }
