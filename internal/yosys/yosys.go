// Package yosys reads and writes the files that Yosys puts beside a circuit: maps from the
// elements of an AIGER file to the names of its source (.aim and .ywa), and runs over these names
// (.yw).
//
// It turns bytes into data, or into an error with its place. It knows neither circuits nor
// designs: whether a map belongs to a file is decided by its caller. The formats are those of
// Yosys' backends/aiger/aiger.cc and backends/smt2/ywio.py, with what version 0.23 wrote.
package yosys

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is what is wrong with a file, and where. Line and Column begin at 1.
type Error struct {
	Line, Column int
	Reason       string // what was expected and what was found
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// errorAt returns an error at an offset in bytes.
func errorAt(data []byte, offset int, format string, args ...any) *Error {
	before := data[:min(max(offset, 0), len(data))]
	return &Error{
		Line:   bytes.Count(before, []byte("\n")) + 1,
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
		Reason: fmt.Sprintf(format, args...),
	}
}

// Bit is one bit of a wire of the source. The name is that after flatten, with '.' between the
// levels of the hierarchy.
type Bit struct {
	Name  string
	Index int // as declared: negative for [3:-2]
}

func (b Bit) String() string { return fmt.Sprintf("%s bit %d", b.Name, b.Index) }

// faultOf says what keeps a name from being shown; "" is nothing. A control character in it would
// break the lines of reports and waveforms.
func faultOf(name string) string {
	switch {
	case name == "":
		return "the name is missing"
	case !utf8.ValidString(name):
		return fmt.Sprintf("the name %q is not UTF-8", name)
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }):
		return fmt.Sprintf("the name %q holds a control character", name)
	}
	return ""
}
