// Package findings holds what the formats have in common about diagnostics: the
// catalogue of codes with how far an error of each spoils verdicts, lists of
// diagnostics that a file with a million faults does not fill, and the repair
// of everything that can be repaired without asking.
//
// It knows no format: what is wrong with a text, and where, is found elsewhere.
package findings

import (
	"fmt"

	"aiglens/internal/source"
)

// Reach says how far an error spoils the verdicts on a file.
type Reach uint8

// The reaches, in the order in which they grow.
const (
	ReachNone   Reach = iota // the meaning of the file is not in doubt
	ReachCone                // properties whose cone holds what the row or statement defines
	ReachSignal              // properties whose cone holds the signal, which elaboration finds again
	ReachFile                // every property: it is uncertain what the file means
)

// Kind is the entry of a code in a catalogue.
type Kind struct {
	Code     source.Code
	Severity source.Severity
	reach    Reach
	Meaning  string // one line, for the manual
}

// NewKind returns an entry.
func NewKind(code source.Code, severity source.Severity, reach Reach, meaning string) Kind {
	return Kind{code, severity, reach, meaning}
}

// Catalogue lists the codes of a format. It is immutable.
type Catalogue struct {
	kinds  []Kind
	byCode map[source.Code]Kind
}

// NewCatalogue returns the catalogue of some entries, each of a code of its own.
func NewCatalogue(kinds ...Kind) *Catalogue {
	c := &Catalogue{kinds, make(map[source.Code]Kind, len(kinds))}
	for _, k := range kinds {
		if _, ok := c.byCode[k.Code]; ok {
			panic("two entries for the code " + k.Code)
		}
		c.byCode[k.Code] = k
	}
	return c
}

// Kinds returns all entries.
func (c *Catalogue) Kinds() []Kind { return append([]Kind(nil), c.kinds...) }

// Reach returns how far an error of a code reaches.
func (c *Catalogue) Reach(code source.Code) Reach { return c.byCode[code].reach }

// Diagnostic returns a finding with the severity of its code.
func (c *Catalogue) Diagnostic(code source.Code, span source.Span, format string, args ...any) source.Diagnostic {
	return c.Finding(code, span, fmt.Sprintf(format, args...))
}

// Finding is Diagnostic for a message that is ready.
func (c *Catalogue) Finding(code source.Code, span source.Span, message string) source.Diagnostic {
	return source.Diagnostic{Span: span, Severity: c.byCode[code].Severity, Code: code, Message: message}
}
