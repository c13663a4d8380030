package syntax

import (
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// SectionKind names a section of an AIGER file.
type SectionKind uint8

// The sections, in the order of the file.
const (
	SectionInputs SectionKind = iota
	SectionLatches
	SectionOutputs
	SectionBads
	SectionConstraints
	SectionJustice     // one size a row: the justice properties
	SectionJusticeLits // their literals
	SectionFairness
	SectionAnds
	SectionSymbols
	SectionComment
	numSections

	numRowSections = int(SectionSymbols)
)

func (k SectionKind) String() string { return sectionNames[k].many }

// One returns the name of a single element of the section.
func (k SectionKind) One() string { return sectionNames[k].one }

// WithArticle returns the name of a single element after the indefinite article.
func (k SectionKind) WithArticle() string {
	if name := k.One(); strings.IndexByte("aeiouA", name[0]) < 0 {
		return "a " + name
	}
	return "an " + k.One()
}

var sectionNames = [numSections]struct{ one, many string }{
	SectionInputs:      {"input", "inputs"},
	SectionLatches:     {"latch", "latches"},
	SectionOutputs:     {"output", "outputs"},
	SectionBads:        {"bad", "bads"},
	SectionConstraints: {"constraint", "constraints"},
	SectionJustice:     {"justice property", "justice properties"},
	SectionJusticeLits: {"justice literal", "justice literals"},
	SectionFairness:    {"fairness constraint", "fairness constraints"},
	SectionAnds:        {"AND", "ANDs"},
	SectionSymbols:     {"symbol", "symbols"},
	SectionComment:     {"comment", "comment"},
}

// Section is a run of lines of one kind.
type Section struct {
	Kind SectionKind
	Line int         // its first line, from 0
	Rows int         // how many rows the file holds; lines for symbols and the comment
	Span source.Span // first row to last, without the last line end
}

// Count writes a number of elements of the section with their noun.
func (k SectionKind) Count(n int) string {
	return findings.Count(n, k.One(), k.String())
}
