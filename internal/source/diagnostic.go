package source

import (
	"fmt"
	"strings"
)

// Severity says how bad a diagnostic is. The order is that of the protocol.
type Severity uint8

// The severities, worst first.
const (
	Error Severity = iota + 1
	Warning
	Information
	Hint
)

func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Information:
		return "information"
	case Hint:
		return "hint"
	}
	return "severity?"
}

// Code names a kind of diagnostic. It is stable: users search for it, scripts
// match it. Codes are lower-case words joined by '-'.
type Code string

// Diagnostic is one finding in a text. One cause gives one diagnostic.
type Diagnostic struct {
	Span     Span // tight: what to look at, never empty on a non-empty line where that can be helped
	Severity Severity
	Code     Code
	Message  string // one sentence without final dot: what was expected and what was found
	Related  []Related
	Fixes    []Fix
	// Several is what many diagnostics with this text say together, after their number; "" where
	// they say the same only if their messages are equal.
	Several string
	// Unnecessary marks text that has no effect; editors fade it.
	Unnecessary bool
}

// maxBrief is about what a line beside the text has room for.
const maxBrief = 72

// Brief returns the message in few words, for where the place is named as well: without
// what follows a semicolon, such as the ways out, and cut at the end of a word.
func (d *Diagnostic) Brief() string {
	brief, _, _ := strings.Cut(d.Message, "; ")
	brief, _, _ = strings.Cut(brief, "\n")
	runes := []rune(brief)
	if len(runes) <= maxBrief {
		return brief
	}
	brief = string(runes[:maxBrief])
	if end := strings.LastIndexByte(brief, ' '); end > maxBrief/2 {
		brief = brief[:end]
	}
	return brief + "…"
}

// Related is another place that explains a diagnostic.
type Related struct {
	Span    Span
	Message string
}

// Fix is a way out of a diagnostic: edits of the same text version.
type Fix struct {
	Title     string
	Edits     []Edit
	Preferred bool // the one fix that is safe to apply without asking
	// Later returns the edits, in the place of Edits, where they take long to compute; nil else.
	Later func() []Edit
}

// AllEdits returns the edits, whenever they are computed.
func (f Fix) AllEdits() []Edit {
	if f.Later != nil {
		return f.Later()
	}
	return f.Edits
}

// AddFix adds a way out.
func (d *Diagnostic) AddFix(title string, edits ...Edit) {
	d.Fixes = append(d.Fixes, Fix{Title: title, Edits: edits})
}

// AddPreferredFix adds the way out that may be taken without asking.
func (d *Diagnostic) AddPreferredFix(title string, edits ...Edit) {
	d.Fixes = append(d.Fixes, Fix{Title: title, Edits: edits, Preferred: true})
}

// Relate adds another place.
func (d *Diagnostic) Relate(span Span, format string, args ...any) {
	d.Related = append(d.Related, Related{span, fmt.Sprintf(format, args...)})
}
