package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Commands that start and end checks, and ask what came of them.
var (
	// CommandCheck checks a property, some, or every property of the file. A file of the
	// workspace that is not open is checked whole.
	CommandCheck = Command[CheckParams, None]{"aiglens.check"}

	// CommandStop stops the checks of a property, of a file, or without a file all of
	// them, those of checkWorkspace included.
	CommandStop = Command[StopParams, None]{"aiglens.stop"}

	// CommandCheckWorkspace checks every circuit in the folders of the workspace, open or
	// not, under one progress.
	CommandCheckWorkspace = Command[WorkspaceParams, WorkspaceCheck]{"aiglens.checkWorkspace"}

	// CommandRecheckFailed checks what is refuted or unknown again, of a file or of all
	// that are known.
	CommandRecheckFailed = Command[RecheckParams, None]{"aiglens.recheckFailed"}

	// CommandProperties answers with the status of each property of a file, in text order.
	CommandProperties = Command[FileParams, []PropertyStatus]{"aiglens.properties"}

	// CommandCompare compares the circuit of a file with another one: that of a text, or of a
	// file that need not be open. It answers when the comparison is over.
	CommandCompare = Command[CompareParams, Comparison]{"aiglens.compare"}

	// CommandProof answers with what there is to read about the proof of a property.
	CommandProof = Command[PropertyParams, Proof]{"aiglens.proof"}

	// CommandHistory answers with the verdicts that were found for a file, the newest first.
	CommandHistory = Command[FileParams, []HistoryEntry]{"aiglens.history"}

	// CommandStats answers with how large the circuit of a file is and how it is made.
	CommandStats = Command[FileParams, CircuitStats]{"aiglens.stats"}
)

// PropertyID is a property as the server names it: kind and index, as in bad:0.
type PropertyID string

// FileParams are a file.
type FileParams struct {
	URI uri.URI `json:"uri"`
}

// PropertyParams are a property of a file, named by its id, else by a position on its row.
// Without either a command is about the whole file, or about the first property of it
// that has a counterexample.
type PropertyParams struct {
	URI      uri.URI            `json:"uri"`
	Property PropertyID         `json:"property,omitempty"`
	Position *protocol.Position `json:"position,omitempty"`
}

// CheckParams are what is to be checked, and for how long.
type CheckParams struct {
	PropertyParams
	Properties []PropertyID `json:"properties,omitempty"` // instead of one
	Timeout    *float64     `json:"timeout,omitempty"`    // seconds for each, instead of the limits on time that are set; 0 is no limit
}

// CompareParams are the two sides of a comparison: the text of uri as it is, and another
// text of the same format, or a file.
type CompareParams struct {
	URI     uri.URI  `json:"uri"`
	Text    *string  `json:"text,omitempty"`    // the other text, such as an earlier one of the file
	Path    string   `json:"path,omitempty"`    // of the other file where the server runs, instead of a text
	Timeout *float64 `json:"timeout,omitempty"` // seconds for the comparison, instead of the limits on time that are set; 0 is no limit
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
}

// ComparedPair is an output or a property of both sides.
type ComparedPair struct {
	Name    string          `json:"name"`
	Verdict Sameness        `json:"verdict"`
	Reason  string          `json:"reason,omitempty"` // of unknown
	Step    *int            `json:"step,omitempty"`   // at which they differ first
	Values  string          `json:"values,omitempty"` // that they have there: of this side, then of the other
	Range   *protocol.Range `json:"range,omitempty"`  // of the line of this side
	Trail   []string        `json:"trail,omitempty"`  // latches that differ, the first one first, as in "q: 0 and 1 at step 2"
}

// StopParams are a property or a file, as in CheckParams; without a file everything.
type StopParams struct {
	URI        uri.URI            `json:"uri,omitempty"`
	Property   PropertyID         `json:"property,omitempty"`
	Position   *protocol.Position `json:"position,omitempty"`
	Properties []PropertyID       `json:"properties,omitempty"` // instead of one
}

// RecheckParams are a file, or without one all that are known.
type RecheckParams struct {
	URI uri.URI `json:"uri,omitempty"`
}

// WorkspaceParams are empty: there is one workspace.
type WorkspaceParams struct{}

// WorkspaceCheck is how much a check of the workspace is about.
type WorkspaceCheck struct {
	Files int `json:"files"` // that are being checked
}

// Proof is what there is to read about the proof of a property.
type Proof struct {
	Name   string       `json:"name"` // of the property
	Text   string       `json:"text"`
	Links  []ProofLink  `json:"links"`            // the latches that the text names, in its order
	Topics []ProofTopic `json:"topics,omitempty"` // of a proof by an invariant
}

// ProofLink is a latch in the text of a proof, and where the circuit's text defines it.
type ProofLink struct {
	Range    protocol.Range    `json:"range"` // in the text of the proof
	Location protocol.Location `json:"location"`
}

// ProofTopic is facts of a proof that belong together.
type ProofTopic struct {
	Latch string      `json:"latch,omitempty"` // which all are about; missing for facts that have no one latch in common
	Facts []ProofFact `json:"facts"`
}

// FactKind is a kind of facts.
type FactKind string

// The kinds: latches that never change, that are equal or opposite, groups of which at most
// one is 1, and clauses.
const (
	FactConstant FactKind = "constant"
	FactEqual    FactKind = "equal"
	FactGroup    FactKind = "group"
	FactClause   FactKind = "clause"
)

// ProofFact is one thing that a proof says of latches.
type ProofFact struct {
	Kind    FactKind    `json:"kind"`
	Text    string      `json:"text"`
	Latches []FactLatch `json:"latches"`
}

// FactLatch is a latch that a fact speaks of.
type FactLatch struct {
	Name     string             `json:"name"`
	Location *protocol.Location `json:"location"`
}

// Outcome is what a run has found.
type Outcome string

// The outcomes.
const (
	OutcomeProved  Outcome = "proved"
	OutcomeRefuted Outcome = "refuted"
	OutcomeUnknown Outcome = "unknown"
)

// Reuse is what of an earlier result an answer rests on.
type Reuse string

// What is reused.
const (
	ReuseTrace  Reuse = "trace"
	ReuseLemmas Reuse = "lemmas"
)

// HistoryEntry is a verdict that was found for a property of a file.
type HistoryEntry struct {
	Time     string     `json:"time"` // as RFC 3339 has it
	Property PropertyID `json:"property"`
	Name     string     `json:"name"`
	Verdict  Outcome    `json:"verdict"`
	Message  string     `json:"message"` // the verdict in words
	Seconds  float64    `json:"seconds"`
	Engine   string     `json:"engine"`
	Cached   bool       `json:"cached"`           // the verdict was found by an earlier run of the program
	Reused   Reuse      `json:"reused,omitempty"` // what of an earlier result the answer rests on
	Version  int32      `json:"version"`          // of the text that was checked
}
