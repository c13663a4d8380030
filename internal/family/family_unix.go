//go:build unix

package family

import (
	"os/exec"
	"syscall"
)

// OwnGroup puts a command into a process group of its own, which ends as a whole with the
// context of the command.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
