package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Comparisons of two circuits.
var (
	// CommandCompare compares the circuit of a file with another one: that of a text, or of a
	// file that need not be open. It answers when the comparison is over.
	CommandCompare = Command[CompareParams, Comparison]{"aiglens.compare"}

	// CommandExportDifference answers with the first difference of two circuits as text, and
	// writes it to a file where the parameters name one. What has not been compared is.
	CommandExportDifference = Command[ExportDifferenceParams, ExportedTrace]{"aiglens.exportDifference"}
)

// CompareParams are the two sides of a comparison: the text of uri as it is, and another
// text of the same format, a file, or what the text was before.
type CompareParams struct {
	URI  uri.URI `json:"uri"`
	Text *string `json:"text,omitempty"` // the other text, such as an earlier one of the file
	Path string  `json:"path,omitempty"` // of the other file where the server runs, instead of a text; one that is open counts as it stands there
	// Before is for the text before the last edit that the server has offered and the user made,
	// instead of a text; where there is none, the one that was opened or saved last. What has
	// another name since is matched by its position.
	Before bool `json:"before,omitzero"`
	// Rewritten is for a text that an answer to Before has given: it is matched as there.
	Rewritten bool `json:"rewritten,omitzero"`
	// Earlier says that a text is read with the models of other files that these had earlier, and not
	// with those that they have now.
	Earlier    *EarlierFiles `json:"earlier,omitempty"`
	Timeout    *float64      `json:"timeout,omitempty"`   // seconds for the comparison, instead of the limits on time that are set; 0 is no limit
	Background bool          `json:"background,omitzero"` // it begins only while no check is under way
}

// EarlierFiles are other files as they were earlier. What a comparison needs beside is answered
// in Comparison.Needs.
type EarlierFiles struct {
	Files   []EarlierFile `json:"files"`
	Folders []string      `json:"folders"` // paths of which Files has all BLIF files that there were
}

// EarlierFile is a file as it was earlier.
type EarlierFile struct {
	Path string  `json:"path"`
	Text *string `json:"text,omitempty"` // missing for a file that was not there
	Now  bool    `json:"now,omitzero"`   // it counts as it is now
}

// Sameness is what is found of two circuits, or of two signals.
type Sameness string

// What is found.
const (
	SamenessEqual     Sameness = "equal"
	SamenessDifferent Sameness = "different"
	SamenessUnknown   Sameness = "unknown"
)

// Comparison is what a comparison has found. Circuits are equal only when everything that
// can be observed of either was compared.
type Comparison struct {
	Verdict     Sameness       `json:"verdict"`
	Message     string         `json:"message"`               // the verdict in words
	Constraints *ComparedPair  `json:"constraints,omitempty"` // whether the same runs are allowed; missing where all are
	Pairs       []ComparedPair `json:"pairs"`                 // outputs and properties
	Alone       []string       `json:"alone"`                 // what this side has without a partner
	OtherAlone  []string       `json:"otherAlone"`            // the same of the other
	Version     int32          `json:"version"`               // of the text that was compared
	Before      string         `json:"before,omitempty"`      // which text before it was compared with, in words
	Earlier     *string        `json:"earlier,omitempty"`     // that text, where they differ
	Run         *ComparedRun   `json:"run,omitempty"`         // in which the first difference shows
	// Needs are other files whose earlier texts the models of the other side may come from:
	// nothing was compared.
	Needs *NeededFiles `json:"needs,omitempty"`
}

// NeededFiles are files that CompareParams.Earlier does not tell of.
type NeededFiles struct {
	Files   []string `json:"files"` // paths
	Folders []string `json:"folders"`
}

// ComparedRun is a run of both sides that tells them apart in its last step.
type ComparedRun struct {
	ID       string         `json:"id,omitempty"` // by which AtParams and PlayWhyParams name it; missing for a run that is too large to be kept
	Steps    int            `json:"steps"`
	Observed ComparedSignal `json:"observed"` // the output or property that differs
	Here     []ComparedRow  `json:"here"`     // rows of this text that the difference depends on, up to a bound
	There    []ComparedRow  `json:"there"`    // those of the other text
	// HereWords are the words of this text, ThereWords those of the other one: the signals of their
	// bits are positions in here and there.
	HereWords  []TraceWord `json:"hereWords,omitempty"`
	ThereWords []TraceWord `json:"thereWords,omitempty"`
}

// ComparedSignal is what differs, on both sides.
type ComparedSignal struct {
	Name   string `json:"name"`
	Values string `json:"values"` // 0, 1 or x for each step; of constraints 1 where a step is allowed
	Other  string `json:"other"`  // those of the other side
}

// ComparedKind says what a row of a text is.
type ComparedKind string

// The kinds.
const (
	ComparedInput ComparedKind = "input"
	ComparedLatch ComparedKind = "latch"
	ComparedGate  ComparedKind = "gate"
)

// ComparedRow is a signal of a text over the steps of a run.
type ComparedRow struct {
	Range   protocol.Range `json:"range"` // where it is defined
	Name    string         `json:"name"`  // of one without a name its literal
	Kind    ComparedKind   `json:"kind"`
	Values  string         `json:"values"`            // 0, 1 or x for each step
	Other   string         `json:"other,omitempty"`   // those of its partner on the other side: an input or latch as matched, a gate of the same name
	Differs *int           `json:"differs,omitempty"` // the first step in which they differ
}

// ComparedPair is an output or a property of both sides.
type ComparedPair struct {
	Name    string          `json:"name"`
	Verdict Sameness        `json:"verdict"`
	Reason  string          `json:"reason,omitempty"` // of unknown
	Step    *int            `json:"step,omitempty"`   // at which they differ first
	Values  string          `json:"values,omitempty"` // that they have there: of this side, then of the other
	Range   *protocol.Range `json:"range,omitempty"`  // of the line of this side
	Trail   []string        `json:"trail,omitempty"`  // what differs on the way, the first one first, as in "q: 0 and 1 at step 2"
}

// ExportDifferenceParams are a comparison whose first difference is to be written.
type ExportDifferenceParams struct {
	CompareParams
	Format    TraceFormat  `json:"format"`
	Side      ComparedSide `json:"side,omitempty"`     // of a witness, here without it; other formats have both sides
	Name      string       `json:"name,omitempty"`     // what the other side is called in it
	Write     string       `json:"write,omitempty"`    // path of a file to write where the server runs, which must not exist
	Overwrite bool         `json:"overwrite,omitzero"` // it may exist
}

// ComparedSide is one of the two sides of a comparison.
type ComparedSide string

// The sides.
const (
	SideHere  ComparedSide = "here"
	SideThere ComparedSide = "there"
)
