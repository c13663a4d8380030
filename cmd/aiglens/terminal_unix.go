//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// canMoveCursor reports whether a file is a terminal that obeys escape sequences.
func canMoveCursor(f *os.File) bool {
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	name := os.Getenv("TERM")
	return err == nil && name != "" && name != "dumb"
}

// columnsOfTerminal returns the present width of a terminal; 0 when it is not known.
func columnsOfTerminal(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
