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

	// CommandCheckDesign has Yosys read the design that a Verilog file belongs to, and checks
	// its properties. It answers when Yosys is done.
	CommandCheckDesign = Command[FileParams, CheckedDesign]{"aiglens.checkDesign"}

	// CommandRecheckFailed checks what is refuted or unknown again, of a file or of all
	// that are known.
	CommandRecheckFailed = Command[RecheckParams, None]{"aiglens.recheckFailed"}

	// CommandProperties answers with the status of each property of a file, in text order.
	CommandProperties = Command[FileParams, []PropertyStatus]{"aiglens.properties"}

	// CommandReduce makes the circuit of a file smaller as long as a property is refuted, the
	// first that is where none is named. It answers when nothing more can be left out.
	CommandReduce = Command[ReduceParams, Reduced]{"aiglens.reduce"}

	// CommandProof answers with what there is to read about the proof of a property.
	CommandProof = Command[ProofParams, Answer]{"aiglens.proof"}
	// CommandUnneeded fades the rows that the proof of a property does not need, or stops
	// fading those of a file. Rows are faded until the text changes.
	CommandUnneeded = Command[UnneededParams, Unneeded]{"aiglens.unneeded"}

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

// RefusalData is the data of an error of a command that was understood and cannot be done, where there is
// something to offer.
type RefusalData struct {
	// Earlier is the property whose counterexample is about an earlier text: aiglens.trace shows it.
	Earlier *PropertyParams `json:"earlier,omitempty"`
}

// CheckParams are what is to be checked, and for how long.
type CheckParams struct {
	PropertyParams
	Properties []PropertyID `json:"properties,omitempty"` // instead of one
	Timeout    *float64     `json:"timeout,omitempty"`    // seconds for each, instead of the limits on time that are set; 0 is no limit
}

// ReduceParams are a property that is refuted, and where what is left is to be written.
type ReduceParams struct {
	PropertyParams
	Path string `json:"path,omitempty"` // of a file that is not there yet; without it nothing is written
}

// Reduced is what is left of a circuit: its property is refuted as well, by a counterexample
// of its own with as many steps.
type Reduced struct {
	Name    string `json:"name"`    // for a file of it
	Text    string `json:"text"`    // in the format of the document
	Message string `json:"message"` // how large it is, and how large the circuit was
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

// CheckedDesign is what Yosys has made of a design.
type CheckedDesign struct {
	Message string `json:"message"`           // what the circuit is that of, in words; empty where there is none
	Problem string `json:"problem,omitempty"` // why there is no circuit
}

// ProofParams are a proved property; with a latch the file is enough, of which the first property
// counts whose proof refers to the latch.
type ProofParams struct {
	PropertyParams
	Latch *protocol.Position `json:"latch,omitempty"` // the answer has nothing but what the proof says of the latch there
}

// UnneededParams are a proved property, or a file: then the first one that is proved.
type UnneededParams struct {
	PropertyParams
	Hide bool `json:"hide,omitzero"` // nothing is to be faded in the file any more
}

// Unneeded are rows that can change, all at once, without breaking the proof of a property.
type Unneeded struct {
	Property PropertyID       `json:"property,omitempty"` // missing where nothing is faded
	Name     string           `json:"name,omitempty"`
	Message  string           `json:"message,omitempty"` // how many rows these are, in words
	Ranges   []protocol.Range `json:"ranges"`            // of the rows, those next to each other in one
	Version  int32            `json:"version"`           // of the text
}

// Answer is what there is to read about a property or a file.
type Answer struct {
	Property PropertyID   `json:"property"`        // "" for a file
	Version  int32        `json:"version"`         // of the text
	Name     string       `json:"name"`            // of the property
	Circuit  string       `json:"circuit"`         // as in the status of the property
	Latch    string       `json:"latch,omitempty"` // the one that was asked about, as the text calls it
	Text     string       `json:"text"`
	Links    []ProofLink  `json:"links"`            // the latches that the text names, in its order
	Topics   []ProofTopic `json:"topics,omitempty"` // of a proof by an invariant
}

// ProofLink is a latch in the text of a proof, and where the circuit's text defines it.
type ProofLink struct {
	Range    protocol.Range    `json:"range"` // in the text of the proof
	Location protocol.Location `json:"location"`
}

// ProofTopic is facts of a proof that belong together.
type ProofTopic struct {
	Title string      `json:"title"`           // what the facts have in common
	Latch string      `json:"latch,omitempty"` // which all are about; missing for facts that have no one latch in common
	Facts []ProofFact `json:"facts"`
}

// FactKind is a kind of facts.
type FactKind string

// The kinds: what follows for words of latches, latches that never change, that are equal or opposite, groups of which at most
// one is 1, and clauses.
const (
	FactWord     FactKind = "word"
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

// FactLatch is a latch that a fact refers to.
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
