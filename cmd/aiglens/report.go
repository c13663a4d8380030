package main

import (
	"aiglens/design"
	"aiglens/internal/source"
)

// fileReport is what a command says of one file.
type fileReport struct {
	name        string
	in          *design.Design // nil when the file could not be read
	diagnostics []source.Diagnostic
	err         error     // why there are no answers; nil when there are some
	without     string    // that there is no property to check, where that is not an error
	isForeign   bool      // it is for other programs, and was found below a folder
	unread      bool      // the deadline has passed before there was something to check
	answers     []*answer // of the properties that were asked for
	messages    []byte    // for standard error, while the file was read
	weight      int64     // about what it takes in memory, in bytes
}

// bytesOfVar is about what a variable takes in a circuit and in its cones.
const bytesOfVar = 100

// weigh returns about what a file takes in memory, in bytes.
func (f *fileReport) weigh() int64 {
	var n int64
	if f.in != nil {
		n = int64(f.in.Text.Len())
	}
	if len(f.answers) > 0 {
		n += int64(f.answers[0].circuit.NumVars()) * bytesOfVar
	}
	return n
}

// notRead is the reason why nothing is known of a file that was not read.
const notRead = "not read before the deadline"

// unchecked returns why nothing of the file was checked, where that is not an error; "" where
// something was.
func (f *fileReport) unchecked() string {
	if f.unread {
		return "unknown: " + notRead
	}
	return f.without
}
