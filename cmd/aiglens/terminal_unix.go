//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal reports whether a file is a terminal.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	return err == nil
}

// canMoveCursor reports whether a file is a terminal that obeys escape sequences.
func canMoveCursor(f *os.File) bool {
	name := os.Getenv("TERM")
	return isTerminal(f) && name != "" && name != "dumb"
}

// columnsOfTerminal returns the present width of a terminal; 0 when it is not known.
func columnsOfTerminal(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
