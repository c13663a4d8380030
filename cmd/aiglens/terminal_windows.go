package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// isTerminal reports whether a file is a console.
func isTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}

// canMoveCursor reports whether a file is a console that obeys escape sequences. It has the console
// obey them.
func canMoveCursor(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if os.Getenv("TERM") == "dumb" || windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

// columnsOfTerminal returns the present width of a console; 0 when it is not known.
func columnsOfTerminal(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}
