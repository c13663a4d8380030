package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Commands about runs of no property, which people play: with inputs of their choice, from
// reset or from a step of a counterexample. The client keeps the run; what the server keeps of
// the last one only saves work.
var (
	// CommandPlay changes a run, simulates it on the circuit of the present text, and answers
	// with its signals.
	CommandPlay = Command[PlayParams, Played]{"aiglens.play"}

	// CommandPlayWhy answers why a signal of a run has its value at a step.
	CommandPlayWhy = Command[PlayWhyParams, Cause]{"aiglens.playWhy"}

	// CommandExportRun answers with a run as text, and writes it to a file where one is named.
	CommandExportRun = Command[ExportRunParams, ExportedTrace]{"aiglens.exportRun"}

	// CommandReach looks for a run in which a signal is 1 or an expression holds, or proves that there is none. The
	// request is answered at the end; cancelling it ends the search.
	CommandReach = Command[ReachParams, Reached]{"aiglens.reach"}
)

// PlayedRun is a run of no property: what says it again on the circuit that it was played on.
type PlayedRun struct {
	Circuit string         `json:"circuit"` // names that circuit; another text may have another one
	Steps   int            `json:"steps"`
	Inputs  []PlayedSignal `json:"inputs"`  // of the text, with a character a step
	Latches []PlayedSignal `json:"latches"` // that the text leaves free at the start, with one character
	// Property is the one whose counterexample the run was, before it was changed.
	Property PropertyID `json:"property,omitempty"`
	// PropertySignal is the signal of that circuit that is 1 where Property fails; another one at
	// its place is another property.
	PropertySignal uint32 `json:"propertySignal,omitzero"`
	// Goal is the signal that the run was looked for to make 1, Expression what was to hold instead.
	Goal       *uint32 `json:"goal,omitempty"`
	Expression string  `json:"expression,omitempty"`
}

// PlayedSignal is an input or latch of a run, which another text may have under the same name.
type PlayedSignal struct {
	Name   string `json:"name"`
	Values string `json:"values"` // 0 or 1
}

// PlayParams are a run with a change to it, and signals to be shown as well, as TraceParams
// have them. Without a run one begins: from reset with each input 0, or with the steps of a
// counterexample.
type PlayParams struct {
	URI         uri.URI             `json:"uri"`
	Run         *PlayedRun          `json:"run,omitempty"`
	Property    PropertyID          `json:"property,omitempty"` // whose counterexample the run begins as
	Change      *RunChange          `json:"change,omitempty"`
	Positions   []protocol.Position `json:"positions,omitempty"`
	Expressions []string            `json:"expressions,omitempty"`
	// Listed is the List of an answer that the client still has: where the signals are the same,
	// the next one leaves out what they are called and where they stand.
	Listed string `json:"listed,omitempty"`
}

// RunChange is a change to a run.
type RunChange struct {
	Kind   ChangeKind `json:"kind"`
	Signal uint32     `json:"signal,omitzero"` // of flip and until
	Step   int        `json:"step,omitzero"`   // of flip, set and cut
	Steps  int        `json:"steps,omitzero"`  // of add and random: how many; of until: how many at most
	Seed   uint32     `json:"seed,omitzero"`   // of random and until; without one it is drawn
	Word   string     `json:"word,omitempty"`  // of set: its name
	Value  string     `json:"value,omitempty"` // of set: a number or the name of a value
	// Expression is what is to hold in the place of a signal of until.
	Expression string `json:"expression,omitempty"`
}

// ChangeKind is what a change does.
type ChangeKind string

// The changes. Random steps keep the constraints where that is found out by trying.
const (
	ChangeFlip   ChangeKind = "flip"   // an input at a step, or a free latch at the start, has the other value
	ChangeSet    ChangeKind = "set"    // the bits of a word in a step have those of a value
	ChangeAdd    ChangeKind = "add"    // steps with the inputs of the last one
	ChangeRandom ChangeKind = "random" // steps with random inputs
	ChangeUntil  ChangeKind = "until"  // random steps up to the first in which a signal is 1, or an expression holds; where there is none, no steps
	ChangeCut    ChangeKind = "cut"    // a step is the last one
	ChangeReset  ChangeKind = "reset"  // one step from reset
	ChangeCarry  ChangeKind = "carry"  // the run is one of the present text, inputs and latches found by name
)

// Played is a run that was simulated.
type Played struct {
	// Trace is missing where the text has another circuit than the one of the run; it has no
	// property.
	Trace *Trace    `json:"trace,omitempty"`
	Run   PlayedRun `json:"run"`
	// Words say what the run does to properties and constraints, and what came of the change.
	Words string `json:"words"`
	// Outcome is what the words come to.
	Outcome RunOutcome `json:"outcome"`
	// List names the signals of this answer, those of its run included. Values stand for them where
	// the client has the list: Trace then has expressions alone, and Run neither inputs nor latches.
	List   string        `json:"list,omitempty"`
	Values *PlayedValues `json:"values,omitempty"`
}

// PlayedValues are the values of signals that the client has a list of, in its order, a character
// a step.
type PlayedValues struct {
	Signals []string `json:"signals"` // of the trace, without expressions, which come after them
	Inputs  []string `json:"inputs"`  // of the run
	Latches []string `json:"latches"` // of the run, with one character
}

// RunOutcome is what a run shows.
type RunOutcome string

// The outcomes of a run.
const (
	RunOpen    RunOutcome = "open"    // nothing
	RunFails   RunOutcome = "fails"   // that a property fails
	RunReaches RunOutcome = "reaches" // its goal, or a cover
	RunBroken  RunOutcome = "broken"  // no run of the circuit: a constraint does not hold
)

// PlayWhyParams are the value of a signal at a step of a run.
type PlayWhyParams struct {
	URI      uri.URI   `json:"uri"`
	Run      PlayedRun `json:"run,omitzero"`
	Compared string    `json:"compared,omitempty"` // instead of run: that of a difference, by its id
	Signal   uint32    `json:"signal"`
	Step     int       `json:"step"`
	Depth    int       `json:"depth,omitzero"` // levels of causes
}

// ExportRunParams are a run to be written. As aiger it is a witness of what it violates; one
// that violates nothing is a stimulus, whose comments say its start.
type ExportRunParams struct {
	URI       uri.URI     `json:"uri"`
	Run       PlayedRun   `json:"run"`
	Format    TraceFormat `json:"format"`
	Path      string      `json:"path,omitempty"`     // of a file to write where the server runs, which must not exist
	Overwrite bool        `json:"overwrite,omitzero"` // it may exist
}

// ReachParams are a signal of a text, and how long a run is looked for that makes it 1.
type ReachParams struct {
	URI      uri.URI           `json:"uri"`
	Position protocol.Position `json:"position"`
	// Expression is what is to hold, in the place of the signal at the position: over one step,
	// such as count == 9.
	Expression string   `json:"expression,omitempty"`
	Timeout    *float64 `json:"timeout,omitempty"` // seconds instead of the limits on time that are set; 0 is none
}

// Reached is what is found of a signal.
type Reached struct {
	Verdict ReachVerdict `json:"verdict"`
	Name    string       `json:"name"` // of the signal, or the expression
	Message string       `json:"message"`
	Run     *PlayedRun   `json:"run,omitempty"` // its last step is the first in which the signal is 1, or the expression holds
}

// ReachVerdict says whether a run makes a signal 1.
type ReachVerdict string

// The verdicts on a signal; never is proved.
const (
	ReachFound   ReachVerdict = "reached"
	ReachNever   ReachVerdict = "never"
	ReachUnknown ReachVerdict = "unknown"
)
