package worker

import "syscall"

// belowNormal is BELOW_NORMAL_PRIORITY_CLASS of CreateProcess.
const belowNormal = 0x4000

// attributes let a worker run below the editor, and without a window.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: belowNormal, HideWindow: true}
}
